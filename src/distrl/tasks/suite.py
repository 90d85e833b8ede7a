"""A suite of tasks held in memory: splits, plans and a fingerprint; templates and files both end here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from distrl.errors import TaskError
from distrl.interfaces import PlanStep, Suite, VaryingSuite
from distrl.records import DRAWN_ANEW, Condition, Task

PLAN_VERBS = (
    "open_app",
    "tap",
    "long_press",
    "set",
    "type",
    "scroll_to",
    "back",
    "home",
    "enter",
    "answer",
    "wait",
)
"""What a plan step may ask for; `distrl.agents.expert` carries them out."""

_json = msgspec.json.Encoder(order="deterministic")


class Source(Protocol):
    """Where training tasks come from that the suite does not list."""

    def task(self, like: Task, seed: int) -> Task:
        """A task of the same family."""

    def plan(self, task: Task) -> tuple[PlanStep, ...] | None:
        """How an expert solves one of them."""


class TaskSuite:
    """A named, versioned set of tasks; raises one TaskError with all faults if the tasks cannot be used."""

    def __init__(
        self,
        name: str,
        version: str,
        tasks: Iterable[Task],
        plans: Mapping[str, Sequence[PlanStep]],
        splits: Sequence[str] = ("train",),
        further: Source | None = None,
    ) -> None:
        self.name = name
        self.version = version
        self._tasks: dict[str, list[Task]] = {split: [] for split in splits}
        for task in tasks:
            self._tasks.setdefault(task.split, []).append(task)
        self._further = further
        self._plans = {id: tuple(plan) for id, plan in plans.items()}
        faults = suite_faults([task for split in self._tasks.values() for task in split])
        if faults:
            raise TaskError(f"suite {name}: " + "; ".join(faults))

    def splits(self) -> tuple[str, ...]:
        """The names of the splits; `train` is always among them, though it may be empty."""
        return tuple(self._tasks)

    def tasks(self, split: str) -> tuple[Task, ...]:
        """The tasks of a split, always in the same order."""
        if split not in self._tasks:
            raise TaskError(f"suite {self.name} has no split {split!r}; it has {', '.join(self.splits())}")
        return tuple(self._tasks[split])

    def vary(self, task: Task, seed: int) -> Task:
        """A training task like the given one, which the seed decides; itself if the suite has only these."""
        return task if self._further is None else self._further.task(task, seed)

    def digest(self) -> str:
        """A fingerprint of every task and plan."""
        everything = (self.name, self.version, self._tasks, self._plans)
        return hashlib.sha256(_json.encode(everything)).hexdigest()

    def plan(self, task: Task) -> tuple[PlanStep, ...] | None:
        """How an expert solves the task, if known."""
        known = self._plans.get(task.id)
        return self._further.plan(task) if known is None and self._further is not None else known


class Index:
    """The tasks of a suite by their ids, those included that were drawn in the place of training tasks."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.listed = {task.id: task for split in suite.splits() for task in suite.tasks(split)}

    def get(self, id: str) -> Task | None:
        """The task, if there is one."""
        origin, mark, seed = id.partition(DRAWN_ANEW)
        first = self.listed.get(origin)
        if id in self.listed or not mark:
            return self.listed.get(id)
        if first is None or first.split != "train" or not seed.isdecimal():
            return None
        drawn = self._suite.vary(first, int(seed)) if isinstance(self._suite, VaryingSuite) else first
        return drawn if drawn.id == id else None


def suite_faults(tasks: Sequence[Task]) -> list[str]:
    """What makes tasks unfit to stand in one suite: repeated ids, shared goals, senseless checks."""
    faults: list[str] = []
    ids: set[str] = set()
    split_of_goal: dict[tuple[str, str], str] = {}
    for task in tasks:
        if task.id in ids:
            faults.append(f"the id {task.id} is used twice")
        ids.add(task.id)
        goal = (task.family, task.goal.strip().lower())
        other = split_of_goal.setdefault(goal, task.split)
        if other != task.split:
            faults.append(f"task {task.id} has a goal of split {other} in split {task.split}")
        faults += [f"task {task.id}: {fault}" for fault in check_faults(task.check)]
    return faults


def check_faults(conditions: Iterable[Condition]) -> list[str]:
    """Comparisons whose value makes no sense, in words."""
    faults = []
    for condition in conditions:
        if condition.op == "matches":
            try:
                re.compile(condition.value)
            except re.error as error:
                faults.append(f"{condition.value!r} is not a regular expression ({error})")
        elif condition.op in ("rows", "at_least", "at_most"):
            try:
                float(condition.value)
            except ValueError:
                faults.append(f"{condition.op} compares numbers, and {condition.value!r} is none")
    return faults
