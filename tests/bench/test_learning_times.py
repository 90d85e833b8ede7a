"""Times to a given success, and what can be said of runs that never got there."""

from __future__ import annotations

from collections.abc import Callable

import learning_times as times
import pytest
from learning_rows import Row
from rich.console import Console

MakeRow = Callable[..., Row]


@pytest.fixture
def rows(make_row: MakeRow) -> list[Row]:
    """Half of a run's success is reached after 30 s, all of it at the end, after 60 s."""
    ours, theirs = (0.8, 0.9), (0.45, 0.3)
    return [
        make_row(name, seed, value)
        for name, values in (("a-ride", ours), ("digirl", theirs))
        for seed, value in enumerate(values)
    ]


def test_the_first_sampled_evaluation_at_the_target_counts(rows: list[Row]) -> None:
    assert times.arrival(rows[0], 0.4) == pytest.approx(0.5)
    assert times.arrival(rows[0], 0.5) == pytest.approx(1.0)
    assert times.arrival(rows[0], 0.0) == 0.0
    assert times.arrival(rows[0], 0.9) is None


def test_a_run_that_never_gets_there_gives_a_bound(rows: list[Row]) -> None:
    ours, theirs = times.arrivals(rows, 0.4)
    assert (ours.least, theirs.least) == pytest.approx((0.5, 1.0))
    assert theirs.minutes == {0: pytest.approx(1.0), 1: None}
    console = Console(width=100, record=True, file=None)
    console.print(times.times_table([ours, theirs], 0.4, "digirl"))
    text = console.export_text()
    assert "≥ 2.00 ×" in text
    assert "1.0, never" in text
    console.print(times.times_table([theirs, ours], 0.4, "a-ride"))
    assert "0.50 ×" not in console.export_text()  # digirl's own time is only a bound
