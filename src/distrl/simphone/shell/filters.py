"""What may stand after a pipe: grep, head, tail, wc, cat."""

from __future__ import annotations

import re
from collections.abc import Callable

from distrl.simphone.shell.result import ShellResult, failure


def grep(text: str, args: list[str]) -> ShellResult:
    """The lines that match (-i any case, -v those that do not, -c how many, -o only the matching part)."""
    flags = {letter for word in args if word.startswith("-") for letter in word[1:]}
    patterns = [word for word in args if not word.startswith("-")]
    if not patterns:
        return failure("usage: grep PATTERN", 2)
    try:
        wanted = re.compile(patterns[0], re.IGNORECASE if "i" in flags else 0)
    except re.error:
        wanted = re.compile(re.escape(patterns[0]), re.IGNORECASE if "i" in flags else 0)
    kept = [line for line in text.splitlines() if bool(wanted.search(line)) != ("v" in flags)]
    code = 0 if kept else 1
    if "c" in flags:
        return ShellResult(f"{len(kept)}\n", code)
    if "o" in flags:
        kept = [match.group(0) for line in kept for match in wanted.finditer(line)]
    return ShellResult("".join(line + "\n" for line in kept), code)


def _count(args: list[str]) -> int:
    digits = [word.lstrip("-n") for word in args if word.lstrip("-n").isdecimal()]
    return int(digits[0]) if digits else 10


def head(text: str, args: list[str]) -> ShellResult:
    """The first lines."""
    return ShellResult("".join(text.splitlines(keepends=True)[: _count(args)]))


def tail(text: str, args: list[str]) -> ShellResult:
    """The last lines."""
    count = _count(args)
    return ShellResult("".join(text.splitlines(keepends=True)[-count:] if count else []))


def wc(text: str, args: list[str]) -> ShellResult:
    """How many lines, words and characters; with -l only lines."""
    if "-l" in args:
        return ShellResult(f"{len(text.splitlines())}\n")
    return ShellResult(f"{len(text.splitlines())} {len(text.split())} {len(text)}\n")


FILTERS: dict[str, Callable[[str, list[str]], ShellResult]] = {
    "cat": lambda text, _: ShellResult(text),
    "grep": grep,
    "head": head,
    "tail": tail,
    "wc": wc,
}
