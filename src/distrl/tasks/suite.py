"""A suite of tasks held in memory: splits, plans and a fingerprint; templates and files both end here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from distrl.errors import TaskError
from distrl.interfaces import PlanStep
from distrl.records import Condition, Task

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


class TaskSuite:
    """A named, versioned set of tasks; raises one TaskError with all faults if the tasks cannot be used."""

    def __init__(
        self,
        name: str,
        version: str,
        tasks: Iterable[Task],
        plans: Mapping[str, Sequence[PlanStep]],
        splits: Sequence[str] = ("train",),
        vary: Callable[[Task, int], Task] | None = None,
    ) -> None:
        self.name = name
        self.version = version
        self._tasks: dict[str, list[Task]] = {split: [] for split in splits}
        for task in tasks:
            self._tasks.setdefault(task.split, []).append(task)
        self._vary = vary
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
        """The same task in surroundings that the seed decides, where these do not matter."""
        return task if self._vary is None else self._vary(task, seed)

    def digest(self) -> str:
        """A fingerprint of every task and plan."""
        everything = (self.name, self.version, self._tasks, self._plans)
        return hashlib.sha256(_json.encode(everything)).hexdigest()

    def plan(self, task: Task) -> tuple[PlanStep, ...] | None:
        """How an expert solves the task, if known."""
        return self._plans.get(task.id)


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
