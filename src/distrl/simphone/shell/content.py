"""`content query|insert|update|delete`: the apps' tables, in Android's row format."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from distrl.simphone.app import AnyApp, Cell, Cells, Table
from distrl.simphone.apps.registry import BY_PACKAGE
from distrl.simphone.shell import providers
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.world import world

if TYPE_CHECKING:
    from typing import Any

    from distrl.simphone.phone import Phone

CONDITION = re.compile(
    r"""\s*(\w+)\s*(=|!=|<>|<=|>=|<|>|\bLIKE\b)\s*('(?:[^']|'')*'|"[^"]*"|[^\s'"]+)\s*""", re.I
)
JOINED = re.compile(r"\s*\bAND\b\s*", re.I)
Test = Callable[[Cells], bool]


def parse_where(text: str) -> Test | None:
    """A test for `name='x' AND count>3`-like conditions; None if it cannot be read."""
    tests: list[Test] = []
    place = 0
    while place < len(text):
        found = CONDITION.match(text, place)
        if found is None:
            return None
        column, sign, value = found.groups()
        if value[0] in "'\"":
            value = value[1:-1].replace("''", "'")
        tests.append(_comparison(column, sign.upper(), value))
        place = found.end()
        joined = JOINED.match(text, place)
        if joined is None:
            break
        place = joined.end()
    if text[place:].strip():
        return None
    return lambda row: all(test(row) for test in tests)


def _comparison(column: str, sign: str, wanted: str) -> Test:
    def ordered(cell: Cell) -> int:
        try:
            left, right = float(cell), float(wanted)
        except ValueError:
            return (str(cell) > wanted) - (str(cell) < wanted)
        return (left > right) - (left < right)

    if sign == "LIKE":
        parts = (re.escape(part) for part in wanted.split("%"))
        pattern = re.compile(".*".join(parts), re.IGNORECASE | re.DOTALL)
        return lambda row: pattern.fullmatch(str(row.get(column, ""))) is not None
    answers = {
        "=": (0,), "!=": (-1, 1), "<>": (-1, 1), "<": (-1,), ">": (1,), "<=": (-1, 0), ">=": (0, 1),
    }[sign]  # fmt: skip
    return lambda row: column in row and ordered(row[column]) in answers


def _options(args: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    options: dict[str, str] = {}
    bound: dict[str, str] = {}
    for name, value in pairwise(args):
        if name == "--bind" and value.count(":") >= 2:
            column, _, text = value.split(":", 2)
            bound[column] = text
        elif name.startswith("--"):
            options[name] = value
    return options, bound


def _table(uri: str) -> tuple[AnyApp, Table[Any]] | None:
    package, _, name = uri.removeprefix("content://").partition("/")
    app = BY_PACKAGE.get(package)
    table = app.tables.get(name.strip("/")) if app is not None else None
    return (app, table) if app is not None and table is not None else None


def content(phone: Phone, args: list[str]) -> ShellResult:
    """`content VERB --uri URI [--projection A:B] [--where TEST] [--sort COLUMN] [--bind COLUMN:T:VALUE]`."""
    verb = args[0] if args else ""
    options, bound = _options(args[1:])
    uri = options.get("--uri", "")
    if name := providers.view(uri):
        return _provided(phone, verb, name, options)
    found = _table(uri)
    if found is None:
        return failure(f"Error while accessing provider:{uri}\nUnknown URI: {uri}")
    app, table = found
    phone_world = world(phone.state.world_seed)
    data = phone.store.data(app.package, app.data, lambda: app.fill(phone_world))
    test = parse_where(options.get("--where", ""))
    if test is None:
        return failure(f"Error: cannot parse --where {options['--where']}")
    # A new row needs none of the others, and listing them may mean inventing every shop's catalogue.
    rows = [] if verb == "insert" else [row for row in table.rows(data, phone_world) if test(row)]
    match verb:
        case "query":
            return _print(rows, options)
        case "insert" if table.insert is not None and bound:
            table.insert(data, bound)
        case "update" if table.update is not None and bound:
            for row in rows:
                table.update(data, int(row["_id"]), bound)
        case "delete" if table.delete is not None:
            for row in rows:
                table.delete(data, int(row["_id"]))
        case _:
            return failure(f"Unsupported operation: {verb} {uri}")
    phone.touched()
    return ShellResult()


def _provided(phone: Phone, verb: str, name: str, options: dict[str, str]) -> ShellResult:
    """A question to one of Android's own providers."""
    test = parse_where(options.get("--where", ""))
    if test is None:
        return failure(f"Error: cannot parse --where {options['--where']}")
    rows = [row for row in providers.VIEWS[name](phone) if test(row)]
    if verb == "query":
        return _print(rows, options)
    if verb != "delete" or not providers.delete(phone, name, rows):
        return failure(f"Unsupported operation: {verb} content://{name}")
    phone.touched()
    return ShellResult()


def _print(rows: list[Cells], options: dict[str, str]) -> ShellResult:
    column, _, order = options.get("--sort", "").partition(" ")
    if column:
        rows = sorted(rows, key=lambda row: _sort_key(row.get(column, "")))
        if order.strip().upper() == "DESC":
            rows.reverse()
    wanted = options["--projection"].split(":") if "--projection" in options else None
    if not rows:
        return lines("No result found.")
    printed = []
    for number, row in enumerate(rows):
        cells = {name: row.get(name, "NULL") for name in wanted} if wanted else row
        printed.append(f"Row: {number} " + ", ".join(f"{name}={value}" for name, value in cells.items()))
    return lines(*printed)


def _sort_key(cell: Cell) -> tuple[int, float, str]:
    return (1, 0.0, cell) if isinstance(cell, str) else (0, float(cell), "")


COMMANDS: dict[str, Command] = {"content": content}
