"""Means, intervals and paired differences against numbers worked out by hand; tables and pictures exist."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import learning_report as reports
import pytest
from learning_rows import Row
from rich.console import Console

from distrl.errors import ConfigError

MakeRow = Callable[..., Row]


@pytest.fixture
def both(make_row: MakeRow) -> list[Row]:
    ours, theirs = [0.70, 0.75, 0.80], [0.50, 0.60, 0.55]
    return [
        make_row(name, seed, value)
        for name, values in (("a-ride", ours), ("digirl", theirs))
        for seed, value in enumerate(values)
    ]


def test_students_interval_of_three_values() -> None:
    found = reports.interval([0.20, 0.15, 0.25])
    assert found.mean == pytest.approx(0.20)
    half = 4.303 * 0.05 / 3**0.5
    assert (found.low, found.high) == pytest.approx((0.20 - half, 0.20 + half))
    assert reports.interval([0.3]) == reports.Interval(0.3, None, None)


def test_differences_are_paired_by_seed(both: list[Row]) -> None:
    found = reports.compare(both, "a-ride", "digirl", "test, sampled")
    assert found is not None
    assert found.difference.mean == pytest.approx(0.2)
    assert found.difference.low == pytest.approx(reports.interval([0.20, 0.15, 0.25]).low)
    assert found.relative is not None
    assert found.relative.mean == pytest.approx(0.75 / 0.55 - 1)
    assert found.relative.low is not None
    assert found.relative.high is not None
    assert found.relative.low < found.relative.mean < found.relative.high
    only = [row for row in both if (row.name, row.seed) != ("digirl", 1)]
    again = reports.compare(only, "a-ride", "digirl", "test, sampled")
    assert again is not None
    assert again.seeds == [0, 2]
    assert again.difference.mean == pytest.approx(fmean([0.20, 0.25]))
    assert reports.compare(both, "a-ride", "nobody", "test, sampled") is None


def test_no_relative_gain_over_nothing() -> None:
    assert reports.ratio_interval([0.5, 0.5], [0.0, 0.0]) is None
    alone = reports.ratio_interval([0.6], [0.5])
    assert alone is not None
    assert alone.mean == pytest.approx(0.2)
    assert alone.low is None


def test_the_tables_say_it_all(both: list[Row]) -> None:
    result = reports.report(both, "digirl", ["cloning, seed 0"])
    console = Console(width=80, record=True)
    console.print(reports.success_table(result))
    console.print(reports.cost_table(result))
    console.print(reports.difference_table(result))
    text = console.export_text()
    assert "75.0 ± 5.0" in text
    assert "6,000" in text
    assert "…" not in text  # everything fits on a narrow screen
    assert "+20.0 [+7.6, +32.4]" in text
    assert "+36.4 [" in text
    assert result.missing == ["cloning, seed 0"]


def test_nothing_to_report_is_a_sentence() -> None:
    with pytest.raises(ConfigError, match="no results yet"):
        reports.report([], "digirl")


def test_curves_of_several_seeds_share_a_grid() -> None:
    grid, low, middle, high = reports.band([[(0, 0.0), (10, 1.0)], [(2, 0.5), (8, 0.5)]], points=3)
    assert grid == [2, 5, 8]
    assert low == pytest.approx([20, 50, 50])
    assert middle == pytest.approx([35, 50, 65])
    assert high == pytest.approx([50, 50, 80])
    assert reports.band([]) == ([], [], [], [])


def test_the_picture_is_written(both: list[Row], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    reports.plot(both, tmp_path / "curves.png", "val")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
