"""`settings get|put|delete|list`: Android's settings tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone.shell.result import Command, ShellResult, failure, lines

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

NAMESPACES = ("global", "secure", "system")


def run_settings(phone: Phone, args: list[str]) -> ShellResult:
    """Read and write the tables; a key that is not there reads as `null`, as on Android."""
    if args[:1] == ["--user"]:
        args = args[2:]
    verb, rest = (args[0], args[1:]) if args else ("", [])
    if not rest or rest[0] not in NAMESPACES:
        return failure("Settings provider (settings) commands: get, put, delete, list", 255)
    table = phone.state.settings.setdefault(rest[0], {})
    match (verb, rest[1:]):
        case ("get", [key]):
            return lines(table.get(key, "null"))
        case ("put", [key, value, *_]):
            table[key] = value
            phone.touched()
            return ShellResult()
        case ("delete", [key]):
            count = 1 if table.pop(key, None) is not None else 0
            phone.touched()
            return lines(f"Deleted {count} rows")
        case ("list", []):
            return lines(*(f"{key}={value}" for key, value in sorted(table.items())))
    return failure("Bad arguments", 255)


COMMANDS: dict[str, Command] = {"settings": run_settings}
