"""What a shell command gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone


class ShellResult(msgspec.Struct, frozen=True):
    """What a command printed, and its exit status (0: all went well); `raw` is output that is not text."""

    stdout: str = ""
    code: int = 0
    raw: bytes | None = None

    def output(self) -> bytes:
        """What a caller who can take bytes receives."""
        return self.raw if self.raw is not None else self.stdout.encode("utf-8", "replace")


Command = Callable[["Phone", list[str]], ShellResult]
"""A command: the phone and the words after the command's name."""


def lines(*texts: str) -> ShellResult:
    """These lines, and success."""
    return ShellResult("".join(text + "\n" for text in texts))


def failure(text: str, code: int = 1) -> ShellResult:
    """One line, and failure."""
    return ShellResult(text + "\n" if text else "", code)


def number(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None
