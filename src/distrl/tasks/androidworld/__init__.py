"""AndroidWorld as a suite: its tasks and parameters come from the user's own installation.

AndroidWorld's goals are made from random parameters. A seed fixes these, so the list of tasks is read from
the installation once, and every reset compares: an episode whose task then asks for something else does not
begin. Set-up and score are commands that only the device called `androidworld` understands.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache

import msgspec

from distrl.errors import ConfigError, TaskError
from distrl.interfaces import PlanStep
from distrl.records import Condition, Task
from distrl.tasks.androidworld.client import Listed, Reply, find_python, list_tasks

SUITE = "androidworld"
VERSION = "1"
TASKS_VARIABLE = "DISTRL_ANDROIDWORLD_TASKS"
SPLITS = {"train": (0, 4), "val": (1000, 1), "test": (2000, 1)}
"""Split → its first seed and its tasks of each kind; no seed is in two splits."""
PREFIX = "androidworld"
SCORE = f"{PREFIX} score"

_CHECK = (Condition("score", "at_least", "0.999"),)
_json = msgspec.json.Encoder(order="deterministic")


def make_task(listed: Listed, split: str) -> Task:
    """One kind of task with one seed's parameters."""
    return Task(
        id=f"{SUITE}/{split}/{listed.name}-{listed.seed}",
        goal=listed.goal,
        suite=SUITE,
        split=split,
        max_steps=listed.steps,
        family=listed.name,
        setup=(f"{PREFIX} begin {listed.name} {listed.seed}",),
        probes={"score": SCORE},
        check=_CHECK,
    )


class AndroidWorldSuite:
    """The suite called `androidworld`.

    Seeds are disjoint. Goals are not: tasks without parameters always ask for the same.
    """

    name = SUITE
    version = VERSION
    device = "androidworld"  # the kind that its tasks need

    def __init__(self) -> None:
        patterns = os.environ.get(TASKS_VARIABLE, "*").replace(",", " ").split() or ["*"]
        try:
            reply = _listed(find_python(), tuple(patterns))
        except ConfigError as error:
            raise TaskError(str(error)) from error
        self.left_out = reply.left_out  # kinds that cannot be made in this installation, and why
        if not reply.tasks:
            raise TaskError(
                f"this AndroidWorld has no task called {' or '.join(patterns)}; correct {TASKS_VARIABLE}"
            )
        self._tasks = {
            split: tuple(make_task(one, split) for one in reply.tasks if first <= one.seed < first + count)
            for split, (first, count) in SPLITS.items()
        }

    def splits(self) -> tuple[str, ...]:
        """Train, val and test."""
        return tuple(self._tasks)

    def tasks(self, split: str) -> tuple[Task, ...]:
        """The tasks of a split, kind by kind."""
        if split not in self._tasks:
            raise TaskError(f"suite {self.name} has no split {split!r}; it has {', '.join(self.splits())}")
        return self._tasks[split]

    def digest(self) -> str:
        """A fingerprint of every task."""
        return hashlib.sha256(_json.encode((self.name, self.version, self._tasks))).hexdigest()

    def plan(self, task: Task) -> tuple[PlanStep, ...] | None:
        """None: AndroidWorld does not tell how its tasks are solved."""
        del task
        return None


@cache
def _listed(python: str, patterns: tuple[str, ...]) -> Reply:
    """What the installation has; asked once in every process, which takes seconds."""
    seeds = [first + place for first, count in SPLITS.values() for place in range(count)]
    return list_tasks(python, list(patterns), seeds)
