"""Rows come back as they were written, and a run is found again by what matters, by nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import learning_rows as rows
import msgspec
import pytest

from distrl.config import resolve
from distrl.errors import RunError

MakeRow = Callable[..., rows.Row]


def settings(*overrides: str) -> dict[str, object]:
    return rows.settings_that_matter(resolve("tiny", overrides=list(overrides)))


def put(folder: Path, row: rows.Row) -> Path:
    path = folder / rows.file_name(row.name, row.seed, row.settings)
    rows.save(path, row)
    return path


def test_a_row_comes_back(tmp_path: Path, make_row: MakeRow) -> None:
    row = make_row("a-ride", 3, 0.7)
    path = put(tmp_path, row)
    assert path.name.startswith("a-ride-s3-")
    assert rows.load(path) == row
    assert path.stat().st_size < 10_000


def test_a_row_is_found_by_name_seed_suite_and_settings(tmp_path: Path, make_row: MakeRow) -> None:
    row = make_row("a-ride", 3, 0.7)
    put(tmp_path, row)
    assert rows.find(tmp_path, "a-ride", 3, "abc", settings("seed=3")) == row
    assert rows.find(tmp_path, "a-ride", 3, "abc", settings("evaluation.final_episodes=9", "engine=inline"))
    assert rows.find(tmp_path, "a-ride", 3, "abc", settings("learner.keep_versions=2")), "merely kept"
    assert rows.find(tmp_path, "a-ride", 4, "abc", settings()) is None
    assert rows.find(tmp_path, "digirl", 3, "abc", settings()) is None
    assert rows.find(tmp_path, "a-ride", 3, "abd", settings()) is None, "of another version of the suite"
    for changed in ("algorithm.lr=0.5", "budget.minutes=7", "warmstart.files=[a]", "mode=sync"):
        assert rows.find(tmp_path, "a-ride", 3, "abc", settings(changed)) is None, changed


def test_a_setting_that_did_not_exist_then_must_have_its_default(tmp_path: Path, make_row: MakeRow) -> None:
    row = make_row("a-ride", 0, 0.7)
    fewer = {key: value for key, value in row.settings.items() if key != "algorithm.retrace_lambda"}
    put(tmp_path, msgspec.structs.replace(row, settings=fewer))
    assert rows.find(tmp_path, "a-ride", 0, "abc", settings())
    assert rows.find(tmp_path, "a-ride", 0, "abc", settings("algorithm.retrace_lambda=0.3")) is None


def test_a_setting_that_changes_more_by_default_must_be_switched_off(
    tmp_path: Path, make_row: MakeRow
) -> None:
    row = make_row("a-ride", 0, 0.7)
    fewer = {key: value for key, value in row.settings.items() if key not in rows.BEFORE}
    assert len(fewer) == len(row.settings) - len(rows.BEFORE)
    put(tmp_path, msgspec.structs.replace(row, settings=fewer))
    off = [f"{key}={value}" for key, value in rows.BEFORE.items()]
    assert rows.find(tmp_path, "a-ride", 0, "abc", settings(*off))
    assert rows.find(tmp_path, "a-ride", 0, "abc", settings(*off[1:])) is None
    assert rows.find(tmp_path, "a-ride", 0, "abc", settings()) is None


def test_a_setting_that_no_longer_matters_does_not_hide_a_row(tmp_path: Path, make_row: MakeRow) -> None:
    row = make_row("a-ride", 0, 0.7)
    put(tmp_path, msgspec.structs.replace(row, settings={**row.settings, "learner.keep_versions": 3}))
    assert rows.find(tmp_path, "a-ride", 0, "abc", settings())


def test_damaged_rows_are_named(tmp_path: Path, make_row: MakeRow) -> None:
    (tmp_path / "a-ride-s0-1.json").write_text("{")
    with pytest.raises(RunError, match=r"a-ride-s0-1\.json is not a row"):
        rows.find(tmp_path, "a-ride", 0, "abc", settings())
    path = put(tmp_path, msgspec.structs.replace(make_row("b", 0, 0.7), schema=99))
    with pytest.raises(RunError, match="schema 99"):
        rows.load(path)
