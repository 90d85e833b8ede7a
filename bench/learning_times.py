"""How long entries of `learning.py` train until they first reach a given success."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import msgspec
from learning_rows import Row
from rich.table import Table


class Arrival(msgspec.Struct, frozen=True):
    """When an entry's runs got there."""

    name: str
    minutes: dict[int, float | None]  # by seed; None if a run ended before
    budget: float  # minutes that each run had

    @property
    def least(self) -> float:
        """The mean over seeds; a run that did not get there counts as its whole time."""
        return fmean(self.budget if each is None else each for each in self.minutes.values())


def arrival(row: Row, target: float) -> float | None:
    """Minutes of training until the first sampled evaluation on the way is at the target or above."""
    reached = [
        point.seconds for point in row.curve if point.decoding == "sampled" and point.success >= target
    ]
    return min(reached) / 60 if reached else None


def arrivals(rows: Sequence[Row], target: float) -> list[Arrival]:
    """Every entry's times, in the order of the rows."""
    found = []
    for name in dict.fromkeys(row.name for row in rows):
        mine = [row for row in rows if row.name == name]
        times = {row.seed: arrival(row, target) for row in mine}
        found.append(Arrival(name, times, max(row.training.wall_s for row in mine) / 60))
    return found


def times_table(found: Sequence[Arrival], target: float, against: str) -> Table:
    """Minutes of every entry, and how many times longer the one takes that it is compared with."""
    other = next((each for each in found if each.name == against), None)
    table = Table(
        title=f"minutes until a sampled evaluation while training first reaches {100 * target:g} %",
        title_justify="left",
    )
    for column in ("", "by seed", "mean", f"{against} takes"):
        table.add_column(column, justify="left" if not column else "right")
    for each in found:
        seeds = ", ".join("never" if one is None else f"{one:.1f}" for one in each.minutes.values())
        table.add_row(each.name, seeds, _bounded(each, each.least, ".1f"), _against(each, other))
    return table


def _bounded(each: Arrival, value: float, form: str) -> str:
    return f"{'≥ ' if None in each.minutes.values() else ''}{value:{form}}"


def _against(each: Arrival, other: Arrival | None) -> str:
    """A ratio, or a bound of it; nothing can be said if the entry itself did not always get there."""
    if other is None or other is each or None in each.minutes.values() or each.least <= 0:
        return ""
    return f"{_bounded(other, other.least / each.least, '.2f')} ×"
