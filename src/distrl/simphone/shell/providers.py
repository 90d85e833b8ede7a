"""Android's own content providers, backed by the apps' data: contacts, texts, calls, media, the clipboard.

`content query --uri content://sms/sent` asks a provider, not the app that shows its content; clearing the
provider's package empties it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from distrl.simphone import navigation, notifications, storage
from distrl.simphone.app import Cells
from distrl.simphone.apps.contacts import CONTACTS, ContactsData
from distrl.simphone.apps.messages import MESSAGES
from distrl.simphone.apps.messages.data import INCOMING, SENT, MessagesData
from distrl.simphone.world import world

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

CONTACTS_PROVIDER = "com.android.providers.contacts"
TELEPHONY_PROVIDER = "com.android.providers.telephony"
PACKAGES = (CONTACTS_PROVIDER, TELEPHONY_PROVIDER)
DOWNLOADS = f"{storage.SHARED}/Download"
CLIPPER = "ca.zgrs.clipper"
MESSAGES_FILE = f"/data/data/{TELEPHONY_PROVIDER}/databases/mmssms.db"


def _contacts(phone: Phone) -> ContactsData:
    seed = phone.state.world_seed
    return phone.store.data(CONTACTS.package, CONTACTS.data, lambda: CONTACTS.fill(world(seed)))


def _messages(phone: Phone) -> MessagesData:
    seed = phone.state.world_seed
    return phone.store.data(MESSAGES.package, MESSAGES.data, lambda: MESSAGES.fill(world(seed)))


def _phones(phone: Phone) -> list[Cells]:
    return [
        {
            "_id": person.id,
            "display_name": person.name,
            "number": person.phone,
            "starred": int(person.starred),
        }
        for person in _contacts(phone).sorted()
        if person.phone
    ]


def _texts(*kinds: int) -> Callable[[Phone], list[Cells]]:
    def rows(phone: Phone) -> list[Cells]:
        table = MESSAGES.tables["sms"].rows(_messages(phone), world(phone.state.world_seed))
        return [{name: row[name] for name in row if name != "name"} for row in table if row["type"] in kinds]

    return rows


def _downloads(phone: Phone) -> list[Cells]:
    return [
        {"_id": number, "_data": f"{DOWNLOADS}/{file.name}", "_display_name": file.name, "_size": file.size}
        for number, file in enumerate(storage.listing(phone.store, DOWNLOADS))
        if not file.is_dir
    ]


VIEWS: dict[str, Callable[[Phone], list[Cells]]] = {
    "call_log/calls": lambda _: [],  # nobody can call this phone
    "contacts/phones": _phones,
    "media/external/downloads": _downloads,
    "sms": _texts(INCOMING, SENT),
    "sms/inbox": _texts(INCOMING),
    "sms/sent": _texts(SENT),
}
"""What can be asked for, by URI without `content://`."""


def view(uri: str) -> str:
    """The name of the view that a URI asks for; empty if it is none of these."""
    name = uri.removeprefix("content://").strip("/")
    return name if name in VIEWS else ""


def delete(phone: Phone, name: str, rows: list[Cells]) -> bool:
    """Delete rows of a view; False where that cannot be."""
    if name.startswith("sms"):
        for row in rows:
            _messages(phone).remove_text(int(row["_id"]))
    if name.startswith("media"):
        for row in rows:
            storage.remove(phone.store, str(row["_data"]))
    return not name.startswith("contacts")


def clear(phone: Phone, package: str) -> None:
    """What `pm clear` does to a provider: nothing is left of its content."""
    if package == CONTACTS_PROVIDER:
        _contacts(phone).people = []
    else:
        data = _messages(phone)
        data.texts, data.threads = [], []


def receive_text(phone: Phone, number: str, body: str) -> None:
    """A text message comes in."""
    _messages(phone).add(number, body, INCOMING, int(phone.state.now_s * 1000), read=False)
    notifications.post(phone.state, MESSAGES.package, number, body, "thread", {"address": number})
    phone.touched()


def show_clipper(phone: Phone) -> None:
    """Open the helper app Clipper, which reads and writes the clipboard: a window that BACK closes."""
    navigation.overlay(phone.state, "notice", title="Clipper", text="Ready to copy and paste")
    phone.touched()


def clipper(phone: Phone, action: str, extras: dict[str, str]) -> str | None:
    """What the helper app Clipper answers to its two broadcasts: the clipboard's text; else None."""
    if action == "clipper.set":
        phone.state.clipboard = extras.get("text", "")
        return "Text is copied into clipboard."
    return phone.state.clipboard if action == "clipper.get" else None
