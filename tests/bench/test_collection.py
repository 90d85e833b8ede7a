"""The comparison of both modes as it is called: what it reads, and tiny runs."""

from __future__ import annotations

import json
from dataclasses import replace

import collection
import pytest
from collection_cells import RATIO, Cell, books_between, episodes_of, rounds_of
from collection_simulation import simulate

from distrl.recording import Line

TINY = ["--devices", "2", "--minutes", "0.04", "--time-scale", "0.01", "--profiles", "emulator-low",
        "--suite", "starter", "--set", "warmstart.demonstrations=0", "--set", "policy.width=32",
        "--set", "policy.layers=1", "--set", "learner.batch_trajectories=2"]  # fmt: skip


def an_episode(ended: float, began: float) -> Line:
    fields = {"device": "sim-0", "began": began, "ended": ended, "steps": 3}
    return Line(ended, "worker-0", "episode", fields=fields)


def an_update(t: float) -> Line:
    return Line(t, "learner", "metrics", "learner", {"sample_s": 0.25, "update_s": 1.0})


def a_reading(t: float, part: str, device_s: float) -> Line:
    return Line(t, part, "metrics", "ledger", {"device": device_s, "policy": 0.0})


def test_rounds_lie_between_versions_and_know_their_training() -> None:
    published = [Line(t, "learner", "published") for t in (12.0, 23.0)]
    lines = [an_episode(10.0, 0.0), an_update(11.5), published[0]]
    lines += [an_episode(20.0, 12.0), an_update(21.5), an_update(22.5), published[1], an_episode(30.0, 23.0)]
    first, second = rounds_of(lines, episodes_of(lines))
    assert (first.opened, first.closed, first.training_s) == (0.0, 12.0, 1.25)
    assert (second.opened, second.closed, second.training_s) == (12.0, 23.0, 2.5)
    assert [len(one.episodes) for one in (first, second)] == [1, 1]


def test_books_of_all_workers_are_read_next_to_both_moments() -> None:
    lines = [a_reading(t, part, 10 * t) for t in range(10) for part in ("worker-0", "worker-1")]
    before, after, seconds = books_between(lines, begin=2.5, end=7.5)
    assert (before["device"], after["device"], seconds) == (40.0, 140.0, 5.0)


def test_books_begin_with_the_first_reading_if_there_is_none_before() -> None:
    before, after, seconds = books_between([a_reading(5.0, "w", 1.0), a_reading(6.0, "w", 2.0)], 0.0, 9.0)
    assert (before["device"], after["device"], seconds) == (1.0, 2.0, 1.0)


def test_both_modes_train_as_much_and_differ_in_nothing_else() -> None:
    for devices in (8, 32, 128):
        cell = Cell(devices, "emulator", "async", 1.0)
        trained = cell.round_updates * cell.config().learner.batch_trajectories
        assert trained == RATIO * cell.round_trajectories
        other = replace(cell, mode="sync").config()
        assert cell.config() == other.model_copy(update={"mode": "async"})


def test_nobody_loses_more_than_the_rules_say() -> None:
    """In simulated time, where no processor is short, both modes reach their bounds, and repeatably."""
    cell = Cell(4, "emulator-high", "async", minutes=3.0)
    one = collection.Comparison(simulate(cell), simulate(replace(cell, mode="sync")))
    assert one.asynchronous.throughput.share > 0.99
    assert one.synchronous.throughput.share > 0.98
    assert one.ratio > 1.2
    assert not any(account.startswith("waiting") for account in one.asynchronous.shares)
    assert one.synchronous.shares["waiting/workers wait for the rest of the round"] > 0.1
    assert simulate(cell).throughput == one.asynchronous.throughput


def test_two_episodes_a_round_soften_the_barrier() -> None:
    cell = Cell(4, "emulator-high", "sync", minutes=3.0)
    single, double = simulate(cell), simulate(replace(cell, round_episodes=2))
    assert double.throughput.share > 0.98
    assert single.cell.round_trajectories == 4
    assert double.throughput.episodes % 8 == 0


def test_a_tiny_run_tells_all(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collection_cells.SETTLE_S", 50.0)
    collection.main([*TINY, "--json"])  # whose status says whether targets were met: too short to tell
    report = json.loads(capsys.readouterr().out)
    assert report["async_over_sync_32"] is None
    (cell,) = report["cells"]
    for mode in ("async", "sync"):
        assert cell[mode]["episodes"] > 0
        assert sum(cell[mode]["time_of_devices"].values()) == pytest.approx(1.0)
        assert 0 < cell[mode]["share_of_bound"] < 1.1
    assert cell["sync"]["rounds"] > 0
    assert cell["async_over_sync"] > 0


def test_quick_is_the_cell_that_the_target_is_about() -> None:
    (cell,) = collection.cells_of(collection.arguments(["--quick"]))
    assert (cell.devices, cell.profile, cell.time_scale) == (32, "emulator", 1.0)
    assert len(collection.cells_of(collection.arguments([]))) == 9
