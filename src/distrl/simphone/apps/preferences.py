"""An app's preferences as a table: one row per preference, with its name and value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.world import World

D = TypeVar("D", bound=msgspec.Struct)


def preference_table(values: Callable[[D], dict[str, str]], standard: Mapping[str, str]) -> Table[D]:
    """A table of the preferences named in `standard`; those not set yet have their standard value."""
    names = list(standard)

    def rows(data: D, world: World) -> list[Cells]:
        del world
        now = values(data)
        return [
            {"_id": number, "name": name, "value": now.get(name, standard[name])}
            for number, name in enumerate(names, 1)
        ]

    def update(data: D, row: int, bound: Mapping[str, str]) -> None:
        if 1 <= row <= len(names) and "value" in bound:
            values(data)[names[row - 1]] = bound["value"]

    return Table(rows, None, update)
