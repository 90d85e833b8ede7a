"""Success rates with intervals that hold also where several episodes are of one task."""

from __future__ import annotations

import random

import pytest

from distrl.evaluate import Rate, fixed_episodes, rate
from distrl.testing.trajectories import make_task


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
