"""Android's shell, as far as agents and task checks use it; every module here exports COMMANDS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from distrl.simphone import storage
from distrl.simphone.shell import (
    activities,
    content,
    dumpsys,
    files,
    fingers,
    keyboards,
    radios,
    services,
    settings,
    simulation,
    tools,
    ui,
)
from distrl.simphone.shell.branches import Parts, read_if
from distrl.simphone.shell.filters import FILTERS
from distrl.simphone.shell.result import Command, ShellResult, failure
from distrl.simphone.shell.words import STATUS, Operator, split

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

COMMANDS: dict[str, Command] = {
    **activities.COMMANDS,
    **content.COMMANDS,
    **dumpsys.COMMANDS,
    **files.COMMANDS,
    **fingers.COMMANDS,
    **keyboards.COMMANDS,
    **radios.COMMANDS,
    **services.COMMANDS,
    **settings.COMMANDS,
    **simulation.COMMANDS,
    **tools.COMMANDS,
    **ui.COMMANDS,
}

SEPARATORS = (";", "&&", "||", "&")
PROGRAMS = "/system/bin/"
USERS = ("0", "root", "shell", "2000")


def run(phone: Phone, line: str) -> ShellResult:
    """Run a line: commands joined by `;`, `&&`, `||`, chosen by `if`, each possibly piped or redirected."""
    results, code = _run(phone, line, COMMANDS)
    return ShellResult("".join(result.stdout for result in results), code)


def run_bytes(phone: Phone, line: str, commands: Mapping[str, Command]) -> tuple[bytes, int]:
    """Run a line with these commands for a caller who can take output that is not text, such as pictures."""
    results, code = _run(phone, line, commands)
    return b"".join(result.output() for result in results), code


class _Exit(Exception):
    """The line ends here, with this status."""

    def __init__(self, code: int) -> None:
        self.code = code


def _run(phone: Phone, line: str, commands: Mapping[str, Command]) -> tuple[list[ShellResult], int]:
    results: list[ShellResult] = []
    try:
        code = _run_parts(phone, _sequence(split(line)), commands, results)
    except ValueError as error:
        return [*results, failure(f"/system/bin/sh: syntax error: {error}", 2)], 2
    except _Exit as ending:
        code = ending.code
    return results, code


def _run_parts(
    phone: Phone, parts: Parts, commands: Mapping[str, Command], results: list[ShellResult]
) -> int:
    """Run pipelines one after the other as their operators tell; what they print goes to `results`."""
    code, joined_by, place = 0, ";", 0
    while place < len(parts):
        joined_by_next, pipeline = parts[place]
        choice = read_if(parts, place) if pipeline[:1] == ["if"] else None
        place, joined_by_next = (place + 1, joined_by_next) if choice is None else choice[3:]
        skip = (joined_by == "&&" and code != 0) or (joined_by == "||" and code == 0)
        joined_by = joined_by_next
        if skip or not pipeline:
            continue
        if choice is not None:
            holds = _run_parts(phone, choice.condition, commands, results) == 0
            code = _run_parts(phone, choice.then if holds else choice.otherwise, commands, results)
            continue
        if pipeline[0] == "exit":
            given = pipeline[1] if len(pipeline) > 1 else ""
            raise _Exit(int(given) % 256 if given.isdecimal() else code)
        result = _pipeline(phone, [_with_status(word, code) for word in pipeline], commands)
        results.append(result)
        code = result.code
    return code


def _with_status(word: str, code: int) -> str:
    return word.replace(STATUS, str(code)) if STATUS in word else word


def _sequence(words: list[str]) -> Parts:
    parts: Parts = []
    part: list[str] = []
    for word in words:
        if isinstance(word, Operator) and word in SEPARATORS:
            parts.append((word, part))
            part = []
        else:
            part.append(word)
    return [*parts, (";", part)]


def _pipeline(phone: Phone, words: list[str], commands: Mapping[str, Command]) -> ShellResult:
    stages: list[list[str]] = [[]]
    target = mode = ""
    waiting = iter(words)
    for word in waiting:
        if not isinstance(word, Operator):
            stages[-1].append(word)
        elif word == "|":
            stages.append([])
        elif "&1" not in word and "&2" not in word:
            path = next(waiting, "")
            if word.lstrip("1&") in (">", ">>"):
                target, mode = path, word.lstrip("1&")
    if not all(stages):
        return failure("/system/bin/sh: syntax error: unexpected '|'", 2)
    (name, *args), *rest = stages
    result = _execute(phone, name, args, commands)
    for name, *args in rest:
        through = FILTERS.get(name)
        result = through(result.output(), args) if through is not None else _unknown(name)
    return _redirect(phone, result, target, mode) if mode else result


def _execute(phone: Phone, name: str, args: list[str], commands: Mapping[str, Command]) -> ShellResult:
    """One command, a line given to `sh -c` or `su`, or a filter that reads a file."""
    if name == "exec" and args:
        name, args = args[0], args[1:]
    if name == "export":  # variables mean nothing here
        return ShellResult("", 0)
    name = name.removeprefix(PROGRAMS)
    if name == "su":
        args = args[1:] if args[:1] and args[0] in USERS else args
        name, args = ("sh", args) if args[:1] == ["-c"] else (args[0], args[1:]) if args else ("true", [])
    if name == "sh" and args[:1] == ["-c"] and len(args) > 1:
        results, code = _run(phone, args[1], commands)
        text = "".join(result.stdout for result in results)
        return ShellResult(text, code, b"".join(result.output() for result in results))
    command = commands.get(name)
    if command is not None:
        return command(phone, args)
    if name in FILTERS and args:
        content = storage.read(phone.store, args[-1])
        if content is None:
            return failure(f"{name}: {args[-1]}: No such file or directory", 2 if name == "grep" else 1)
        return FILTERS[name](content, args[:-1])
    return _unknown(name)


def _redirect(phone: Phone, result: ShellResult, path: str, mode: str) -> ShellResult:
    """Put what was printed into a file."""
    if path == "/dev/null":
        return ShellResult("", result.code)
    if path in ui.TERMINALS:
        return result
    before = (storage.read(phone.store, path) or b"") if mode == ">>" else b""
    if not storage.write(phone.store, path, before + result.output(), show=True):
        return failure(f"/system/bin/sh: can't create {path}: Read-only file system")
    phone.touched()
    return ShellResult("", result.code)


def _unknown(name: str) -> ShellResult:
    return failure(f"/system/bin/sh: {name}: not found", 127)


__all__ = ["COMMANDS", "ShellResult", "run", "run_bytes"]
