"""Keyboards from the shell: `ime`, and the broadcasts of ADBKeyBoard, which types any text.

On Android `input text` types ASCII only. ADBKeyBoard is the usual way round that: a keyboard without keys
that types what a broadcast brings. The phone has it installed; it listens while it is the keyboard in use.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from distrl.simphone.navigation import KEYBOARD
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.state import put_setting, setting

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

LATIN = f"{KEYBOARD}/.LatinIME"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
IMES = (LATIN, ADB_KEYBOARD)


def current(phone: Phone) -> str:
    """The keyboard in use."""
    return setting(phone.state, "secure", "default_input_method", LATIN)


def ime(phone: Phone, args: list[str]) -> ShellResult:
    """`ime list [-s] [-a]`, `ime enable|disable|set ID`, `ime reset`."""
    match args:
        case ["list", *flags]:
            return lines(*(name if "-s" in flags else f"mId={name}" for name in IMES))
        case ["enable" | "disable" | "set", name] if name not in IMES:
            return failure(f"Unknown input method {name} cannot be selected for user #0", 255)
        case ["set", name]:
            put_setting(phone.state, "secure", "default_input_method", name)
            return lines(f"Input method {name} selected for user #0")
        case ["enable" | "disable", name]:
            return lines(f"Input method {name}: now {args[0]}d for user #0")
        case ["reset"]:
            phone.state.settings.get("secure", {}).pop("default_input_method", None)
            return lines("Reset current and enabled IMEs for user #0")
    return failure("Usage: ime list [-a] [-s] | enable ID | disable ID | set ID | reset", 255)


def broadcast(phone: Phone, action: str, extras: dict[str, str]) -> None:
    """What ADBKeyBoard does with a broadcast: types its text, or empties the field."""
    if current(phone) != ADB_KEYBOARD:
        return
    match action:
        case "ADB_CLEAR_TEXT":
            phone.clear_text()
        case "ADB_INPUT_TEXT":
            phone.type_text(extras.get("msg", ""))
        case "ADB_INPUT_B64":
            try:
                phone.type_text(base64.b64decode(extras.get("msg", ""), validate=True).decode("utf-8"))
            except (binascii.Error, UnicodeDecodeError):
                return
        case "ADB_INPUT_CODE":
            phone.key(extras.get("code", ""))


COMMANDS: dict[str, Command] = {"ime": ime}
