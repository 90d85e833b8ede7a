"""Actions as lines of Android's shell.

Text is typed in one of two ways. With ADBKeyBoard as the phone's keyboard it travels as base64 in a
broadcast, so every character arrives. Without it there is `input text`, which knows ASCII only: accents are
then dropped and other characters left out.
"""

from __future__ import annotations

import base64
import shlex
import unicodedata

from distrl.records import Action, ActionKind, Point, UiNode

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
WAIT_S = 2
LONG_PRESS_MS, SWIPE_MS = 800, 300
UNKNOWN_LENGTH = 100  # characters deleted from a field whose content nobody knows
KEYS = {ActionKind.BACK: "4", ActionKind.HOME: "3", ActionKind.ENTER: "66"}
_MOVE_END, _DELETE, _ENTER = "123", "67", "66"


def touch_line(action: Action, width: int, height: int) -> str:
    """The line for an action that needs nothing but the size of the screen; empty if there is none."""
    if action.kind in KEYS:
        return f"input keyevent {KEYS[action.kind]}"
    if action.kind is ActionKind.WAIT:
        return f"sleep {WAIT_S}"
    if action.point is None:
        return ""
    start = _pixel(action.point, width, height)
    if action.kind is ActionKind.TAP:
        return f"input tap {start}"
    if action.kind is ActionKind.LONG_PRESS:
        return f"input swipe {start} {start} {LONG_PRESS_MS}"
    assert action.to is not None
    return f"input swipe {start} {_pixel(action.to, width, height)} {SWIPE_MS}"


def _pixel(point: Point, width: int, height: int) -> str:
    return f"{min(int(point.x * width), width - 1)} {min(int(point.y * height), height - 1)}"


def open_line(package: str) -> str:
    """The line that brings an app to the front as if its icon had been tapped."""
    return f"monkey -p {shlex.quote(package)} -c android.intent.category.LAUNCHER 1"


def type_line(text: str, ui: tuple[UiNode, ...] | None, *, any_text: bool) -> str:
    """The line that replaces what the focused field holds."""
    if any_text:
        encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
        return f"am broadcast -a ADB_CLEAR_TEXT; am broadcast -a ADB_INPUT_B64 --es msg {encoded}"
    focused = next((node for node in ui or () if node.editable and node.focused), None)
    count = UNKNOWN_LENGTH if focused is None else len(focused.text)
    parts = [f"input keyevent {_MOVE_END}{f' {_DELETE}' * count}"]
    for number, line in enumerate(_ascii(text).split("\n")):
        if number:
            parts.append(f"input keyevent {_ENTER}")
        parts += [f"input text {shlex.quote(piece)}" for piece in _pieces(line)]
    return "; ".join(parts)


def _ascii(text: str) -> str:
    """The text in letters that `input text` can type."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in plain if sign == "\n" or " " <= sign <= "~")


def _pieces(line: str) -> list[str]:
    """A line for `input text`, where %s means a space; a %s that is meant is typed in two pieces."""
    pieces: list[str] = []
    for number, part in enumerate(line.split("%s")):
        if number:
            pieces[-1:] = [*([pieces[-1] + "%"] if pieces else ["%"]), "s" + part]
        else:
            pieces.append(part)
    return [piece.replace(" ", "%s") for piece in pieces if piece]
