"""Which trajectories the learner gets: prioritised drawing (Schaul et al. 2016) of whole trajectories.

    P(i) = p_i^alpha / sum_j p_j^alpha        w_i = (N · P(i))^-beta / max_k w_k

where j runs over the N trajectories that are fresh enough, and k over the batch.

A cumulative sum over all priorities takes 0.05 ms for 10 000 trajectories, the same as a sum tree driven from
numpy, and unlike the tree it can leave out stale trajectories for any version asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from distrl.errors import ReplayError
from distrl.replay.store import Held

SMALLEST_PRIORITY = 1e-6  # what is held can always be drawn


class Draw(NamedTuple):
    """One draw: which trajectory, the chance it had, and its importance weight."""

    id: str
    steps: int
    probability: float
    weight: float


class Ages(NamedTuple):
    """How old priorities are, in versions, over all trajectories that can be drawn."""

    outdated: list[str]  # too old, the oldest first
    mean: float
    largest: int


class Priorities:
    """The priorities of all trajectories that may be learnt from; kept in memory, rebuilt from the store."""

    def __init__(self, alpha: float, beta: float, max_version_gap: int, largest: float = 0.0) -> None:
        self.alpha = alpha
        self.beta = beta
        self.max_version_gap = max_version_gap
        self._largest = largest  # ever reported; 0: none was reported yet
        self._slots: dict[str, int] = {}
        self._free: list[int] = []
        self._ids: list[str] = []
        self._steps = np.zeros(0, np.int64)
        self._oldest_version = np.zeros(0, np.int64)
        self._set_at = np.zeros(0, np.int64)  # the version at which the priority was set
        self._scaled = np.zeros(0)  # p^alpha; 0 where a slot is empty

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def largest(self) -> float:
        """The largest priority ever reported, which new trajectories enter with so that all get seen."""
        return self._largest or 1.0

    def add(self, held: Held, version: int | None = None) -> None:
        """Make a trajectory available for drawing.

        Without a `version` its priority counts as set by the policy that acted: it cannot be older than that.
        """
        if not self._free:
            self._grow()
        slot = self._free.pop()
        self._slots[held.id] = slot
        self._ids[slot] = held.id
        self._steps[slot] = held.steps
        self._oldest_version[slot] = held.oldest_version
        self._set_at[slot] = held.oldest_version if version is None else version
        self._scaled[slot] = self._scale(held.priority)

    def remove(self, ids: Iterable[str]) -> None:
        """Forget trajectories; ids that are not held are ignored."""
        for name in ids:
            slot = self._slots.pop(name, None)
            if slot is not None:
                self._scaled[slot] = 0.0
                self._free.append(slot)

    def update(self, priorities: dict[str, float], version: int = 0) -> None:
        """Take over priorities reported at `version`; ids that are not held are ignored."""
        check_priorities(priorities)
        self._largest = max([self._largest, *priorities.values()])
        for name, priority in priorities.items():
            if name in self._slots:
                self._scaled[self._slots[name]] = self._scale(priority)
                self._set_at[self._slots[name]] = version

    def draw(self, count: int, version: int, rng: np.random.Generator) -> list[Draw]:
        """Draw `count` trajectories, with replacement, for a learner at `version`; none if none is fresh.

        The draws are stratified: one from each of `count` equal parts of the cumulative sum. Every
        trajectory is expected count · P(i) times as with independent draws, but repeats are rarer.
        """
        scaled = np.where(self._fresh(version), self._scaled, 0.0)
        edges = np.cumsum(scaled)
        if count < 1 or not len(edges) or edges[-1] <= 0.0:
            return []
        points = (np.arange(count) + rng.random(count)) / count * edges[-1]
        # side="right" never stops at an empty slot; rounding may push the last point onto the last edge.
        last = np.flatnonzero(scaled)[-1]
        slots = np.minimum(np.searchsorted(edges, points, side="right"), last)
        probability = scaled[slots] / edges[-1]
        weight = (np.count_nonzero(scaled) * probability) ** -self.beta
        weight /= weight.max()
        return [
            Draw(self._ids[slot], int(self._steps[slot]), float(chance), float(share))
            for slot, chance, share in zip(slots, probability, weight, strict=True)
        ]

    def ages(self, version: int, gap: int) -> Ages:
        """How old the priorities of what can be drawn at `version` are, and which exceed `gap`."""
        slots = np.flatnonzero(self._fresh(version) & (self._scaled > 0))
        if not len(slots):
            return Ages([], 0.0, 0)
        age = np.maximum(version - self._set_at[slots], 0)
        order = np.argsort(-age, kind="stable")[: np.count_nonzero(age > gap)]
        return Ages([self._ids[slots[one]] for one in order], float(age.mean()), int(age.max()))

    def _fresh(self, version: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.asarray(self._oldest_version >= version - self.max_version_gap)

    def _scale(self, priority: float) -> float:
        return float(max(priority, SMALLEST_PRIORITY) ** self.alpha)

    def _grow(self) -> None:
        size = len(self._ids)
        more = max(64, size)
        self._ids += [""] * more
        self._steps = np.concatenate([self._steps, np.zeros(more, np.int64)])
        self._oldest_version = np.concatenate([self._oldest_version, np.zeros(more, np.int64)])
        self._set_at = np.concatenate([self._set_at, np.zeros(more, np.int64)])
        self._scaled = np.concatenate([self._scaled, np.zeros(more)])
        self._free += range(size + more - 1, size - 1, -1)


def check_priorities(priorities: dict[str, float]) -> None:
    """Raise ReplayError when a priority is no usable number."""
    for name, priority in priorities.items():
        if not math.isfinite(priority) or priority < 0:
            raise ReplayError(
                f"trajectory {name} was given the priority {priority}; priorities are finite and not "
                "negative: has the learner's loss diverged?"
            )
