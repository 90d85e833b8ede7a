"""Which task comes next: evenly among all, or towards those that are solved about half the time."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from distrl.interfaces import TaskRecord
from distrl.records import Task

LIKE_ITS_FAMILY = 2.0  # tries for which a task's family speaks before the task does itself

Vary = Callable[[Task, int], Task]  # what a seed makes of a task


class Curriculum:
    """Draws training tasks.

    With probability `share` a task is drawn with weight p(1-p) + floor, where p is its recent success: what
    is always or never solved teaches least. Otherwise all tasks are equally likely, so none is forgotten. Of
    thousands of tasks each is met a few times only, so p begins with what its family came to and moves
    towards the task's own: p = (solved + 2 f) / (tried + 2), where f = (solved + 1) / (tried + 2) over the
    family; a task without one has f = 1/2. Each task drawn is dealt `group` times in a row, with another
    seed each time, so that its episodes run side by side and can be compared. `vary` may put another
    task of its family in its place each time, so that tasks are not learnt by heart.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        *,
        share: float,
        seed: int,
        floor: float = 0.02,
        group: int = 1,
        vary: Vary | None = None,
    ) -> None:
        if not tasks:
            raise ValueError("a curriculum needs at least one task")
        self._tasks = list(tasks)
        self._share = share
        self._floor = floor
        self._group = group
        self._vary = vary
        self._dealt: Task | None = None  # the task of the group that is being dealt
        self._left = 0  # episodes that it still lacks
        self._random = random.Random(seed)
        self._weights = [1.0] * len(self._tasks)

    def learn(self, records: Mapping[str, TaskRecord]) -> None:
        """Take note of how the tasks went lately."""
        tried, solved = Counter[str](), Counter[str]()
        for task in self._tasks:
            if task.family and task.id in records:
                tried[task.family] += records[task.id].tried
                solved[task.family] += records[task.id].solved
        unseen = TaskRecord(tried=0, solved=0)
        self._weights = []
        for task in self._tasks:
            family = (solved[task.family] + 1) / (tried[task.family] + 2)
            self._weights.append(self._weight(records.get(task.id, unseen), family))

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

    def vary(self, task: Task) -> tuple[Task, int]:
        """A seed for an episode, and the task as it is met with this seed."""
        seed = self._random.randrange(2**31)
        return (task if self._vary is None else self._vary(task, seed)), seed

    def _weight(self, record: TaskRecord, family: float) -> float:
        success = (record.solved + LIKE_ITS_FAMILY * family) / (record.tried + LIKE_ITS_FAMILY)
        return success * (1 - success) + self._floor
