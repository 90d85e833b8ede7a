"""What Messages stores: texts, and what the user decided about each conversation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag, whole
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.world import World

INCOMING, SENT = 1, 2
BOOT_MS = int(BOOT_TIME_S * 1000)


class Sms(msgspec.Struct):
    """One text message; `type` is 1 for one that came in and 2 for one that was sent."""

    id: int
    address: str
    body: str
    type: int
    date: int
    read: bool = True


class Thread(msgspec.Struct):
    """One conversation: with whom, and where the user keeps it."""

    id: int
    address: str
    name: str
    pinned: bool = False
    archived: bool = False
    blocked: bool = False


@lru_cache(maxsize=4096)
def address_key(address: str) -> str:
    """What makes two spellings of a number the same conversation."""
    digits = "".join(sign for sign in address if sign.isdecimal())
    return digits[-10:] if len(digits) >= 5 else address.strip().lower()


class MessagesData(msgspec.Struct):
    """All texts, oldest first, and all conversations."""

    texts: list[Sms]
    threads: list[Thread]
    next_id: int
    next_thread: int

    def thread(self, address: str) -> Thread | None:
        """The conversation with a number."""
        key = address_key(address)
        return next((thread for thread in self.threads if address_key(thread.address) == key), None)

    def thread_by_id(self, thread_id: int) -> Thread | None:
        """A conversation by its number."""
        return next((thread for thread in self.threads if thread.id == thread_id), None)

    def texts_of(self, address: str) -> list[Sms]:
        """The texts of a conversation, oldest first."""
        key = address_key(address)
        found = [text for text in self.texts if address_key(text.address) == key]
        return sorted(found, key=lambda text: (text.date, text.id))

    def by_thread(self) -> dict[str, list[Sms]]:
        """The texts of all conversations at once, oldest first, by the address's key."""
        found: dict[str, list[Sms]] = {}
        for text in sorted(self.texts, key=lambda text: (text.date, text.id)):
            found.setdefault(address_key(text.address), []).append(text)
        return found

    def add(self, address: str, body: str, kind: int, date: int, read: bool = True, name: str = "") -> Sms:
        """Add a text, and the conversation if it is the first one."""
        thread = self.thread(address)
        if thread is None:
            thread = Thread(self.next_thread, address, name)
            self.next_thread += 1
            self.threads.append(thread)
        thread.name = name or thread.name
        text = Sms(self.next_id, thread.address, body, kind, date, read)
        self.next_id += 1
        self.texts.append(text)
        return text

    def remove_text(self, text_id: int) -> None:
        """Delete one text; an empty conversation goes with it."""
        self.texts = [text for text in self.texts if text.id != text_id]
        kept = {address_key(text.address) for text in self.texts}
        self.threads = [thread for thread in self.threads if address_key(thread.address) in kept]

    def remove_thread(self, thread_id: int) -> None:
        """Delete a conversation with all its texts."""
        thread = self.thread_by_id(thread_id)
        if thread is not None:
            key = address_key(thread.address)
            self.texts = [text for text in self.texts if address_key(text.address) != key]
            self.threads.remove(thread)

    def newest(self) -> int:
        """When the last text came or went."""
        return max((text.date for text in self.texts), default=BOOT_MS)


def _sms_rows(data: MessagesData, world: World) -> list[Cells]:
    del world
    ordered = sorted(data.texts, key=lambda text: (text.date, text.id), reverse=True)
    rows: list[Cells] = []
    for text in ordered:
        thread = data.thread(text.address)
        rows.append(
            {
                "_id": text.id,
                "thread_id": thread.id if thread is not None else 0,
                "address": text.address,
                "name": thread.name if thread is not None else "",
                "date": text.date,
                "read": int(text.read),
                "type": text.type,
                "body": text.body,
            }
        )
    return rows


def _sms_insert(data: MessagesData, bound: Mapping[str, str]) -> None:
    kind = SENT if whole(bound, "type", INCOMING) == SENT else INCOMING
    date = whole(bound, "date", max(BOOT_MS, data.newest() + 1000))
    read = flag(bound, "read", kind == SENT)
    data.add(bound.get("address", "Unknown"), bound.get("body", ""), kind, date, read, bound.get("name", ""))


def _sms_update(data: MessagesData, row: int, bound: Mapping[str, str]) -> None:
    text = next((text for text in data.texts if text.id == row), None)
    if text is not None:
        text.body = bound.get("body", text.body)
        text.read = flag(bound, "read", text.read)
        text.date = whole(bound, "date", text.date)


def _thread_rows(data: MessagesData, world: World) -> list[Cells]:
    del world
    rows: list[Cells] = []
    for thread in data.threads:
        texts = data.texts_of(thread.address)
        rows.append(
            {
                "_id": thread.id,
                "address": thread.address,
                "name": thread.name,
                "message_count": len(texts),
                "unread_count": sum(not text.read for text in texts),
                "read": int(all(text.read for text in texts)),
                "pinned": int(thread.pinned),
                "archived": int(thread.archived),
                "blocked": int(thread.blocked),
                "date": texts[-1].date if texts else 0,
                "snippet": texts[-1].body if texts else "",
            }
        )
    return rows


def _thread_update(data: MessagesData, row: int, bound: Mapping[str, str]) -> None:
    thread = data.thread_by_id(row)
    if thread is None:
        return
    thread.name = bound.get("name", thread.name)
    thread.pinned = flag(bound, "pinned", thread.pinned)
    thread.archived = flag(bound, "archived", thread.archived)
    thread.blocked = flag(bound, "blocked", thread.blocked)
    if "read" in bound:
        mark_read(data, thread.address, flag(bound, "read"))


def mark_read(data: MessagesData, address: str, read: bool) -> None:
    """Mark a conversation as read, or its last incoming text as unread."""
    incoming = [text for text in data.texts_of(address) if text.type == INCOMING]
    if read:
        for text in incoming:
            text.read = True
    elif incoming:
        incoming[-1].read = False


TABLES: dict[str, Table[MessagesData]] = {
    "sms": Table(_sms_rows, _sms_insert, _sms_update, MessagesData.remove_text),
    "conversations": Table(_thread_rows, None, _thread_update, MessagesData.remove_thread),
}
