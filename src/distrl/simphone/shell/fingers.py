"""`input`: taps, swipes, text and keys from the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone.shell.result import Command, ShellResult, failure, number

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

LONG_PRESS_MS = 500
SELECT_ALL = (("113", "29"), ("KEYCODE_CTRL_LEFT", "KEYCODE_A"))
"""Ctrl+A. Fields here show no selection; selected text is deleted or typed over next, so it goes at once."""
SOURCES = ("touchscreen", "keyboard", "mouse", "stylus", "trackball")


def run_input(phone: Phone, args: list[str]) -> ShellResult:
    """`input tap X Y | swipe X0 Y0 X1 Y1 [MS] | text WORDS | keyevent KEY… | keycombination 113 29`."""
    if args and args[0] in SOURCES:
        args = args[1:]
    if not args:
        return failure("Error: no command given. Usage: input tap|swipe|text|keyevent", 255)
    verb, rest = args[0], args[1:]
    if verb == "text" and rest:
        phone.type_text(" ".join(rest).replace("%s", " "))
        return ShellResult()
    if verb == "keyevent" and rest:
        for key in rest:
            if not key.startswith("--"):
                phone.key(key)
        return ShellResult()
    if verb == "keycombination" and tuple(rest) in SELECT_ALL:
        phone.clear_text()
        return ShellResult()
    numbers = [value for value in map(number, rest) if value is not None]
    if len(numbers) == len(rest):
        if verb == "tap" and len(numbers) == 2:
            phone.tap(numbers[0], numbers[1])
            return ShellResult()
        if verb in ("swipe", "draganddrop") and len(numbers) in (4, 5):
            x0, y0, x1, y1 = numbers[:4]
            held_ms = numbers[4] if len(numbers) == 5 else 300
            if (x0, y0) == (x1, y1) and held_ms >= LONG_PRESS_MS:
                phone.long_press(x0, y0)
            else:
                phone.swipe(x0, y0, x1, y1)
            return ShellResult()
    return failure(f"Error: Invalid arguments for command: {verb}", 255)


COMMANDS: dict[str, Command] = {"input": run_input}
