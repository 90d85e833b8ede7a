"""Keyboard events of an emulator as keys and text of Android's shell.

A key comes by the code of a physical key (`Evdev`, which is Linux' own, or `XKB`, which is that plus 8) or
by the name that browsers give it (`GoBack`, `Enter`, `a`). It acts when it goes down. Key codes of
other systems are not known here.
"""

from __future__ import annotations

import shlex
from typing import NamedTuple

EVDEV, XKB = 1, 2
KEY_DOWN, KEY_UP, KEY_PRESS = 0, 1, 2
XKB_OFFSET = 8

_ROWS = ((2, "1234567890-="), (16, "qwertyuiop[]"), (30, "asdfghjkl;'"), (44, "zxcvbnm,./"))
_PLAIN = {first + place: sign for first, signs in _ROWS for place, sign in enumerate(signs)} | {57: " "}
_SHIFTED = dict(zip("1234567890-=[];',./", '!@#$%^&*()_+{}:"<>?', strict=True))
_CODES = {1: "BACK", 14: "DEL", 15: "TAB", 28: "ENTER", 96: "ENTER", 102: "HOME", 158: "BACK", 172: "HOME",
          114: "VOLUME_DOWN", 115: "VOLUME_UP", 580: "APP_SWITCH"}  # fmt: skip
_NAMES = {"GoBack": "BACK", "Escape": "BACK", "GoHome": "HOME", "AppSwitch": "APP_SWITCH", "Enter": "ENTER",
          "Backspace": "DEL", "Tab": "TAB", "AudioVolumeDown": "VOLUME_DOWN",
          "AudioVolumeUp": "VOLUME_UP"}  # fmt: skip
_SHIFTS = (42, 54)


class Key(NamedTuple):
    """One event of the keyboard."""

    code_type: int
    event: int
    code: int
    name: str
    text: str


class Keyboard:
    """A keyboard; remembers whether a shift key is held."""

    def __init__(self) -> None:
        self._shift = False

    def feel(self, key: Key) -> str:
        """The line of the phone's shell that does what this event does; empty if it does nothing."""
        if key.text:
            return f"input text {_quoted(key.text)}" if key.event != KEY_UP else ""
        if not key.code:
            return self._named(key.name) if key.event != KEY_UP else ""
        code = key.code - XKB_OFFSET if key.code_type == XKB else key.code
        if key.code_type not in (EVDEV, XKB):
            return ""
        if code in _SHIFTS:
            self._shift = key.event == KEY_DOWN
            return ""
        if key.event == KEY_UP:
            return ""
        if code in _CODES:
            return f"input keyevent KEYCODE_{_CODES[code]}"
        sign = _PLAIN.get(code, "")
        if not sign:
            return ""
        return f"input text {_quoted(_SHIFTED.get(sign, sign.upper()) if self._shift else sign)}"

    def _named(self, name: str) -> str:
        if name in _NAMES:
            return f"input keyevent KEYCODE_{_NAMES[name]}"
        return f"input text {_quoted(name)}" if len(name) == 1 else ""


def _quoted(text: str) -> str:
    """Text for `input text`, where %s means a space."""
    return shlex.quote(text.replace(" ", "%s"))
