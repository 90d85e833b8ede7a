"""Success rates with intervals that hold also where several episodes are of one task."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from distrl.errors import DeviceLost
from distrl.evaluate import Bench, Evaluator, Rate, fixed_episodes, rate
from distrl.interfaces import Device, Judge, Policy, Suite
from distrl.testing.trajectories import make_task
from distrl.weights import FileWeights


def width(value: Rate) -> float:
    return value.high - value.low


def test_each_task_once_is_wilsons_interval() -> None:
    found = rate([True] * 8 + [False] * 2)
    assert (found.successes, found.episodes, found.tasks) == (8, 10, 10)
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert found == rate([True] * 8 + [False] * 2, [f"task-{index}" for index in range(10)])


def test_no_episodes_tell_nothing() -> None:
    assert (rate([]).low, rate([]).high) == (0.0, 1.0)


def test_episodes_that_end_alike_count_once_for_each_task() -> None:
    outcomes = [task < 12 for task in range(20) for _ in range(5)]
    names = [f"task-{task}" for task in range(20) for _ in range(5)]
    found, alone = rate(outcomes, names), rate([True] * 12 + [False] * 8)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    assert width(found) > 2 * width(rate(outcomes))


def test_where_nothing_varies_the_tasks_are_counted_and_not_the_episodes() -> None:
    assert rate([True] * 40, [str(index % 4) for index in range(40)]).low == pytest.approx(
        rate([True] * 4).low
    )
    assert rate([False] * 9, ["one"] * 9).high == pytest.approx(rate([False]).high)


def test_episodes_whose_task_does_not_matter_are_worth_all() -> None:
    outcomes = [episode % 2 == 0 for _ in range(20) for episode in range(4)]
    names = [f"task-{task}" for task in range(20) for _ in range(4)]
    assert width(rate(outcomes, names)) == pytest.approx(width(rate(outcomes)))


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """30 tasks, half easy and half hard, each tried four times: Wilson's own interval covers it far less."""
    chance = random.Random(4)
    hits, naive, rounds = 0, 0, 600
    for _ in range(rounds):
        names, outcomes = [], []
        for task in range(30):
            skill = chance.choice((0.1, 0.9))
            names += [str(task)] * 4
            outcomes += [chance.random() < skill for _ in range(4)]
        robust, plain = rate(outcomes, names), rate(outcomes)
        hits += robust.low <= 0.5 <= robust.high
        naive += plain.low <= 0.5 <= plain.high
    assert hits / rounds > 0.92
    assert naive / rounds < 0.88


def test_fixed_episodes_are_the_same_every_time_and_spread_over_the_split() -> None:
    tasks = [make_task(f"task-{index}") for index in range(10)]
    assert fixed_episodes(tasks, 25, 3) == fixed_episodes(tasks, 25, 3)
    assert [task.id for task, _ in fixed_episodes(tasks, 5, 0)] == [
        f"task-{index}" for index in range(0, 10, 2)
    ]


# --- while training goes on


class DeadDevice:
    """A device that cannot even be opened."""

    id = "dead"

    async def open(self) -> None:
        raise DeviceLost("it is not plugged in")

    async def close(self) -> None:
        pass


class OneTask:
    """A suite of one task."""

    def tasks(self, split: str) -> list[object]:
        return [make_task(split)]


class Mute:
    """A policy that is never asked anything."""

    version = 0

    def load(self, weights: bytes, version: int) -> None:
        self.version = version


class Notes:
    """Remembers events, and ends the run at the first."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self.events: list[tuple[str, object]] = []
        self._stopping = stopping

    def event(self, kind: str, **fields: object) -> None:
        self.events.append((kind, fields["text"]))
        self._stopping.set()

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:
        raise AssertionError("nothing was measured")


def test_devices_that_cannot_be_opened_do_not_end_the_evaluator(tmp_path: Path) -> None:
    weights = FileWeights(tmp_path, run="r")
    weights.publish_sync(b"weights", 0)
    device: Device = DeadDevice()  # type: ignore[assignment]
    suite: Suite = OneTask()  # type: ignore[assignment]
    judge: Judge = object()  # type: ignore[assignment]
    policy: Policy = Mute()  # type: ignore[assignment]

    async def live() -> list[tuple[str, object]]:
        stopping = asyncio.Event()
        notes = Notes(stopping)
        evaluator = Evaluator(
            Bench(suite, [device], judge),
            policy,
            weights,
            notes,
            stopping,
            split="val",
            episodes=2,
            every_s=0.1,
        )
        await asyncio.wait_for(evaluator.run(), 20)
        return notes.events

    text = "an evaluation was given up: cannot open the device: it is not plugged in"
    assert asyncio.run(live()) == [("warning", text)]
