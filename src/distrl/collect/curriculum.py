"""Which task comes next: evenly among all, or towards those that are solved about half the time."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from distrl.interfaces import TaskRecord
from distrl.records import Task


class Curriculum:
    """Draws training tasks.

    With probability `share` a task is drawn with weight p(1-p) + floor, where p = (solved + 1) / (tried + 2)
    is its recent success: what is always or never solved teaches least. Otherwise all tasks are equally
    likely, so none is ever forgotten. Each task drawn is dealt `group` times in a row, with another seed each
    time, so that its episodes run side by side and can be compared.
    """

    def __init__(
        self, tasks: Sequence[Task], *, share: float, seed: int, floor: float = 0.02, group: int = 1
    ) -> None:
        if not tasks:
            raise ValueError("a curriculum needs at least one task")
        self._tasks = list(tasks)
        self._share = share
        self._floor = floor
        self._group = group
        self._dealt: Task | None = None  # the task of the group that is being dealt
        self._left = 0  # episodes that it still lacks
        self._random = random.Random(seed)
        self._weights = [1.0] * len(self._tasks)

    def learn(self, records: Mapping[str, TaskRecord]) -> None:
        """Take note of how the tasks went lately."""
        unseen = TaskRecord(tried=0, solved=0)
        self._weights = [self._weight(records.get(task.id, unseen)) for task in self._tasks]

    def draw(self) -> Task:
        """The task of the next episode."""
        if self._dealt is None or not self._left:
            self._dealt, self._left = self._choose(), self._group
        self._left -= 1
        return self._dealt

    def _choose(self) -> Task:
        if self._random.random() < self._share:
            return self._random.choices(self._tasks, self._weights)[0]
        return self._random.choice(self._tasks)

    def draw_seed(self) -> int:
        """The seed of the next episode's variation."""
        return self._random.randrange(2**31)

    def _weight(self, record: TaskRecord) -> float:
        success = (record.solved + 1) / (record.tried + 2)
        return success * (1 - success) + self._floor
