"""What Mail stores: every mail with its folder."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag, whole
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.world import World

BOOT_MS = int(BOOT_TIME_S * 1000)
OWNER = "me@postbox.example"

# Folder: what the user reads, its icon. Starred is a view over the others.
FOLDERS: dict[str, tuple[str, str]] = {
    "inbox": ("Inbox", "inbox"),
    "starred": ("Starred", "star_border"),
    "sent": ("Sent", "send"),
    "drafts": ("Drafts", "drafts"),
    "archive": ("Archive", "archive"),
    "spam": ("Spam", "report"),
    "bin": ("Bin", "delete"),
}
MOVABLE = ("inbox", "archive", "spam", "bin")


class Mail(msgspec.Struct):
    """One mail, received, sent or being written."""

    id: int
    folder: str
    sender: str
    sender_address: str
    recipient: str
    subject: str
    body: str
    date: int
    read: bool = True
    starred: bool = False
    attachment: str = ""


class MailData(msgspec.Struct):
    """All mails, in no particular order."""

    mails: list[Mail]
    next_id: int

    def find(self, mail_id: int) -> Mail | None:
        """A mail by its number."""
        return next((mail for mail in self.mails if mail.id == mail_id), None)

    def add(self, mail: Mail) -> Mail:
        """Add a mail under a number of its own."""
        mail.id = self.next_id
        self.next_id += 1
        self.mails.append(mail)
        return mail

    def remove(self, mail_id: int) -> None:
        """Delete a mail for good."""
        self.mails = [mail for mail in self.mails if mail.id != mail_id]

    def in_folder(self, folder: str) -> list[Mail]:
        """The mails of a folder, the newest first."""
        if folder == "starred":
            found = [mail for mail in self.mails if mail.starred and mail.folder not in ("spam", "bin")]
        else:
            found = [mail for mail in self.mails if mail.folder == folder]
        return sorted(found, key=lambda mail: (-mail.date, -mail.id))

    def unread(self, folder: str) -> int:
        """How many mails of a folder have not been read."""
        return sum(not mail.read for mail in self.in_folder(folder))


def mail_from(bound: Mapping[str, str], known: Mail) -> Mail:
    """A mail with the bound columns in place of the known one's."""
    folder = bound.get("folder", known.folder).strip().lower()
    return Mail(
        known.id,
        folder if folder in FOLDERS and folder != "starred" else known.folder,
        bound.get("sender", known.sender),
        bound.get("sender_address", known.sender_address),
        bound.get("recipient", known.recipient),
        bound.get("subject", known.subject),
        bound.get("body", known.body).replace("\\n", "\n"),
        whole(bound, "date", known.date),
        flag(bound, "read", known.read),
        flag(bound, "starred", known.starred),
        bound.get("attachment", known.attachment),
    )


def _rows(data: MailData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": mail.id,
            "folder": mail.folder,
            "sender": mail.sender,
            "sender_address": mail.sender_address,
            "recipient": mail.recipient,
            "subject": mail.subject,
            "date": mail.date,
            "read": int(mail.read),
            "starred": int(mail.starred),
            "attachment": mail.attachment,
            "body": mail.body.replace("\n", " / "),
        }
        for mail in sorted(data.mails, key=lambda mail: (-mail.date, -mail.id))
    ]


def _insert(data: MailData, bound: Mapping[str, str]) -> None:
    newest = max((mail.date for mail in data.mails), default=BOOT_MS)
    sender = bound.get("sender", "Unknown sender")
    address = sender.lower().replace(" ", ".") + "@postbox.example"
    unread = bound.get("folder", "inbox") not in ("sent", "drafts")
    blank = Mail(0, "inbox", sender, address, OWNER, "", "", max(BOOT_MS, newest + 1000), not unread)
    data.add(mail_from(bound, blank))


def _update(data: MailData, row: int, bound: Mapping[str, str]) -> None:
    for place, mail in enumerate(data.mails):
        if mail.id == row:
            data.mails[place] = mail_from(bound, mail)


TABLES: dict[str, Table[MailData]] = {"mails": Table(_rows, _insert, _update, MailData.remove)}
