"""MiniWoB++ as a suite: its pages, seeds and rewards, in a browser device.

A page tells its instruction only when an episode begins, while a task's goal is known beforehand. Both agree
because episodes are seeded: for an environment and a seed the page always asks for the same. The goals in
goals.json were read from the pages once (tools/miniwob_goals.py), and every reset compares: an episode whose
page asks for something else does not begin.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from distrl.errors import TaskError
from distrl.interfaces import PlanStep
from distrl.records import Task
from distrl.tasks.miniwob.pages import SUITE, VERSION, make_task
from distrl.tasks.miniwob.plans import plan_for

GOALS_FILE = Path(__file__).parent / "goals.json"
SPLITS = {"train": (0, 8), "val": (1000, 2), "test": (2000, 2)}
"""Split → its first seed and its tasks of each environment; no seed is in two splits."""

_json = msgspec.json.Encoder(order="deterministic")


@cache
def _goals() -> dict[str, dict[str, list[tuple[int, str]]]]:
    return msgspec.json.decode(
        GOALS_FILE.read_bytes(), type=dict[str, dict[str, list[tuple[int, str]]]], strict=False
    )


class MiniwobSuite:
    """The suite called `miniwob`.

    Seeds are disjoint. Goals are not: many environments always ask for the same and differ in what the
    page shows.
    """

    name = SUITE
    version = VERSION
    device = "browser"  # the kind that its tasks need

    def __init__(self) -> None:
        self._tasks = {
            split: tuple(
                make_task(env, split, seed, goal)
                for env, splits in _goals().items()
                for seed, goal in splits[split]
            )
            for split in SPLITS
        }

    def splits(self) -> tuple[str, ...]:
        """Train, val and test."""
        return tuple(self._tasks)

    def tasks(self, split: str) -> tuple[Task, ...]:
        """The tasks of a split, environment by environment."""
        if split not in self._tasks:
            raise TaskError(f"suite {self.name} has no split {split!r}; it has {', '.join(self.splits())}")
        return self._tasks[split]

    def digest(self) -> str:
        """A fingerprint of every task and plan."""
        plans = [self.plan(task) for tasks in self._tasks.values() for task in tasks]
        return hashlib.sha256(_json.encode((self.name, self.version, self._tasks, plans))).hexdigest()

    def plan(self, task: Task) -> tuple[PlanStep, ...] | None:
        """How an expert solves the task, where the goal alone tells; see `plans`."""
        return plan_for(task.family, task.goal)
