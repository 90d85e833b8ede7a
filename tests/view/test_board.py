"""The live board: counts that survive restarts, shares, and words for who waits."""

from __future__ import annotations

from rich.console import Console

from distrl.config import resolve
from distrl.interfaces import PartStatus
from distrl.recording import Line
from distrl.view.board import Board, Counter, clock, sparkline


def worker(t: float, **values: float) -> Line:
    return Line(t=t, part="worker-0", kind="metrics", name="worker", values=dict(values))


def make_board() -> Board:
    return Board("run-1", resolve(overrides=["collect.devices=10", "budget.minutes=10"]))


def test_counters_survive_a_restart_of_the_part() -> None:
    counter = Counter()
    for value in (3, 10, 2, 5):
        counter.read(value)
    assert counter.total == 15


def test_recent_success_and_speed_come_from_the_window() -> None:
    board = make_board()
    board.take([], [worker(0, episodes=0, success=0, failure=0, steps=0, waited_s=0)])
    board.take([], [worker(30, episodes=60, success=15, failure=45, steps=500, waited_s=150)])
    assert board.recent_success == 0.25
    assert board.per_minute("episodes") == 120
    assert board.utilisation == 0.5
    assert "workers for the learner 50%" in board.waiting()


def test_nobody_waits_when_all_is_well() -> None:
    board = make_board()
    board.take([], [worker(0, waited_s=0), worker(10, waited_s=0.5)])
    assert board.waiting() == "nobody"


def test_rendering_shows_what_matters() -> None:
    board = make_board()
    lines = [
        worker(0, episodes=0, success=0, failure=0),
        worker(10, episodes=8, success=4, failure=4),
        Line(
            t=11,
            part="learner",
            kind="metrics",
            name="learner",
            values={"update": 20, "seconds": 120.0, "version": 2, "version_gap_mean": 1.5, "entropy": 0.7},
        ),
        Line(
            t=12,
            part="evaluator",
            kind="metrics",
            name="evaluation",
            values={"success": 0.5, "low": 0.4, "high": 0.6},
            fields={"decoding": "greedy", "split": "val"},
        ),
        Line(t=13, part="learner", kind="warning", fields={"text": "entropy is collapsing"}),
    ]
    status = PartStatus("worker-0", "running", restarts=1, error="killed by SIGKILL\nmore")
    board.take([status], lines)
    console = Console(width=120, record=True, force_terminal=False)
    console.print(board.render())
    text = console.export_text()
    for piece in ("50.0% succeed", "val, greedy", "version gap 1.5", "8:00 left", "entropy is collapsing"):
        assert piece in text
    assert "worker-0 was started anew: killed by SIGKILL" in text
    assert "50.0% succeed" in board.line()


def test_clock_and_sparkline() -> None:
    assert clock(65) == "1:05"
    assert clock(3661) == "1:01:01"
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"
    assert len(sparkline([0.1] * 100)) == 24
