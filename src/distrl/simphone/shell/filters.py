"""What may stand after a pipe, or read a file: grep, head, tail, wc, cat, md5sum, base64."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable

from distrl.simphone.shell.result import ShellResult, failure


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def grep(data: bytes, args: list[str]) -> ShellResult:
    """The lines that match: -i in any case, -v those that do not, -c how many, -o the match only, -q none."""
    flags = {letter for word in args if word.startswith("-") for letter in word[1:]}
    patterns = [word for word in args if not word.startswith("-")]
    if not patterns:
        return failure("usage: grep PATTERN", 2)
    try:
        wanted = re.compile(patterns[0], re.IGNORECASE if "i" in flags else 0)
    except re.error:
        wanted = re.compile(re.escape(patterns[0]), re.IGNORECASE if "i" in flags else 0)
    kept = [line for line in _text(data).splitlines() if bool(wanted.search(line)) != ("v" in flags)]
    code = 0 if kept else 1
    if "q" in flags:
        return ShellResult("", code)
    if "c" in flags:
        return ShellResult(f"{len(kept)}\n", code)
    if "o" in flags:
        kept = [match.group(0) for line in kept for match in wanted.finditer(line)]
    return ShellResult("".join(line + "\n" for line in kept), code)


def _count(args: list[str]) -> int:
    digits = [word.lstrip("-n") for word in args if word.lstrip("-n").isdecimal()]
    return int(digits[0]) if digits else 10


def head(data: bytes, args: list[str]) -> ShellResult:
    """The first lines."""
    return ShellResult("".join(_text(data).splitlines(keepends=True)[: _count(args)]))


def tail(data: bytes, args: list[str]) -> ShellResult:
    """The last lines."""
    count = _count(args)
    return ShellResult("".join(_text(data).splitlines(keepends=True)[-count:] if count else []))


def wc(data: bytes, args: list[str]) -> ShellResult:
    """How many lines, words and characters; with -l only lines, with -c only bytes."""
    text = _text(data)
    if "-c" in args:
        return ShellResult(f"{len(data)}\n")
    if "-l" in args:
        return ShellResult(f"{len(text.splitlines())}\n")
    return ShellResult(f"{len(text.splitlines())} {len(text.split())} {len(text)}\n")


def _digest(data: bytes, args: list[str]) -> ShellResult:
    del args
    return ShellResult(f"{hashlib.md5(data).hexdigest()}  -\n")


def _base64(data: bytes, args: list[str]) -> ShellResult:
    del args
    return ShellResult(base64.encodebytes(data).decode())


FILTERS: dict[str, Callable[[bytes, list[str]], ShellResult]] = {
    "base64": _base64,
    "cat": lambda data, _: ShellResult(_text(data), 0, data),
    "grep": grep,
    "head": head,
    "md5sum": _digest,
    "tail": tail,
    "wc": wc,
}
