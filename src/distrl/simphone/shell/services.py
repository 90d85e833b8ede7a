"""Commands that administer Android: `service call`, `sqlite3` on the messages, `chmod`, `restorecon`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from distrl.simphone import storage
from distrl.simphone.shell import providers
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.state import put_setting

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

SET_TIME_ZONE = "3"  # of the service `alarm`
_DELETE = re.compile(r"\s*DELETE\s+FROM\s+(sms|threads)\s*;?\s*", re.I)


def service(phone: Phone, args: list[str]) -> ShellResult:
    """`service check NAME`, and `service call alarm 3 s16 ZONE`, which sets the time zone."""
    match args:
        case ["check", name]:
            return lines(f"Service {name}: found")
        case ["call", "alarm", number, "s16", zone] if number == SET_TIME_ZONE:
            put_setting(phone.state, "global", "time_zone", zone)
            phone.touched()
            return lines("Result: Parcel(00000000    '....')")
    return failure("service: only `check` and `call alarm 3 s16 ZONE` are known here", 10)


def sqlite3(phone: Phone, args: list[str]) -> ShellResult:
    """`sqlite3 FILE "DELETE FROM sms;"` on the file of the text messages; no other file is a database."""
    if len(args) != 2:
        return failure("Usage: sqlite3 FILE SQL")
    file, statement = args
    if storage.normal(file) != providers.MESSAGES_FILE:
        return failure(f'Error: unable to open database "{file}": unable to open database file')
    if _DELETE.fullmatch(statement) is None:
        return failure("Error: this phone only knows DELETE FROM sms and DELETE FROM threads")
    providers.clear(phone, providers.TELEPHONY_PROVIDER)
    phone.touched()
    return ShellResult()


def _on_files(name: str) -> Command:
    """A command about rights, which files here do not have: it only tells which of them are missing."""

    def run(phone: Phone, args: list[str]) -> ShellResult:
        for path in (word for word in args if word.startswith("/")):
            if storage.find(phone.store, path) is None:
                return failure(f"{name}: {path}: No such file or directory")
        return ShellResult()

    return run


COMMANDS: dict[str, Command] = {
    "chmod": _on_files("chmod"),
    "chown": _on_files("chown"),
    "restorecon": _on_files("restorecon"),
    "service": service,
    "sqlite3": sqlite3,
}
