"""Android's shell, as far as agents and task checks use it; every module here exports COMMANDS."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from distrl.simphone.shell import (
    activities,
    content,
    dumpsys,
    fingers,
    radios,
    settings,
    simulation,
    tools,
    ui,
)
from distrl.simphone.shell.filters import FILTERS
from distrl.simphone.shell.result import Command, ShellResult, failure

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

COMMANDS: dict[str, Command] = {
    **activities.COMMANDS,
    **content.COMMANDS,
    **dumpsys.COMMANDS,
    **fingers.COMMANDS,
    **radios.COMMANDS,
    **settings.COMMANDS,
    **simulation.COMMANDS,
    **tools.COMMANDS,
    **ui.COMMANDS,
}

SEPARATORS = (";", "&&", "||", "&")
DISCARDED = re.compile(r"\s*[12]?>\s*/dev/null|\s*2>&1")


def run(phone: Phone, line: str) -> ShellResult:
    """Run a line: commands joined by `;`, `&&`, `||`, each possibly piped through filters."""
    try:
        words = _split(DISCARDED.sub("", line))
    except ValueError:
        return failure("/system/bin/sh: syntax error: unterminated quoted string", 2)
    output, code, joined_by = "", 0, ";"
    for joined_by_next, pipeline in _sequence(words):
        skip = (joined_by == "&&" and code != 0) or (joined_by == "||" and code == 0)
        joined_by = joined_by_next
        if skip or not pipeline:
            continue
        result = _pipeline(phone, pipeline)
        output, code = output + result.stdout, result.code
    return ShellResult(output, code)


def _split(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return [";" if word.startswith("\n") else word for word in lexer]


def _sequence(words: list[str]) -> list[tuple[str, list[str]]]:
    parts: list[tuple[str, list[str]]] = []
    part: list[str] = []
    for word in words:
        if word in SEPARATORS:
            parts.append((word, part))
            part = []
        else:
            part.append(word)
    return [*parts, (";", part)]


def _pipeline(phone: Phone, words: list[str]) -> ShellResult:
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    if not all(stages):
        return failure("/system/bin/sh: syntax error: unexpected '|'", 2)
    (name, *args), *rest = stages
    command = COMMANDS.get(name)
    result = command(phone, args) if command is not None else _unknown(name)
    for name, *args in rest:
        through = FILTERS.get(name)
        result = through(result.stdout, args) if through is not None else _unknown(name)
    return result


def _unknown(name: str) -> ShellResult:
    return failure(f"/system/bin/sh: {name}: not found", 127)


__all__ = ["COMMANDS", "ShellResult", "run"]
