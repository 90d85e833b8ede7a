"""Priorities of what was not drawn for long: computed anew in the background, in small portions.

A priority is right when it is computed, and ages with every version: what bored an old critic may surprise
the current one, and would never be drawn to show it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from distrl.config import RunConfig
from distrl.interfaces import Algorithm, Drawn, Learnable, Outdated, StepFeatures
from distrl.learn.batches import Batcher

PORTION = 8  # trajectories evaluated at once: about half an update's forward pass


@runtime_checkable
class Prioritising(Protocol):
    """An algorithm that draws by priority, and can compute priorities alone; optional beside Algorithm."""

    def priorities(self, batch: Sequence[Learnable], features: Sequence[StepFeatures]) -> dict[str, float]:
        """What the priorities are under the current policy; changes nothing."""


class Refresh:
    """Says when a portion is due, computes it, and keeps account of time and ages.

    A portion is due while some priority is more than `gap` versions old and less than `share` of the time
    since the start was spent; a learner that would only wait need not mind the share.
    """

    def __init__(
        self,
        source: Prioritising,
        batcher: Batcher,
        *,
        gap: int,
        share: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.gap = gap
        self._source = source
        self._batcher = batcher
        self._share = share
        self._clock = clock
        self._started = clock()
        self._spent_s = 0.0
        self._done_at: int | None = None  # the version at which nothing was left to do
        self._refreshed = 0
        self._ages: dict[str, float] = {}

    def is_due(self, version: int, *, idle: bool = False) -> bool:
        """Whether to ask the replay for a portion now; ages change with versions, so once is enough."""
        if version == self._done_at:
            return False
        return idle or self._spent_s <= self._share * (self._clock() - self._started)

    @contextmanager
    def timed(self, *, idle: bool = False) -> Iterator[None]:
        """A block, fetching included, whose time counts, unless there was nothing else to do."""
        begin = self._clock()
        try:
            yield
        finally:
            if not idle:
                self._spent_s += self._clock() - begin

    def evaluate(self, old: Outdated, version: int) -> dict[str, float]:
        """The portion's priorities as they are now; those that are no numbers are left as they were."""
        self._ages = {"priority_age_mean": old.mean_age, "priority_age_max": float(old.max_age)}
        batch = self._batcher.prepare([Drawn(trajectory, 0.0, 1.0) for trajectory in old.trajectories])
        found = self._source.priorities(batch.learnables, batch.features) if batch.learnables else {}
        usable = {name: priority for name, priority in found.items() if math.isfinite(priority)}
        # A policy that gives no numbers would be asked for ever: it is asked again at the next version.
        if not usable or old.waiting <= len(usable):
            self._done_at = version
        self._refreshed += len(usable)
        return usable

    def metrics(self) -> dict[str, float]:
        """How old priorities were when last asked, how many were renewed, and the share of time it took."""
        elapsed = max(self._clock() - self._started, 1e-9)
        return {
            **self._ages,
            "priorities_refreshed": float(self._refreshed),
            "refresh_share": self._spent_s / elapsed,
        }


def refresh_for(algorithm: Algorithm, batcher: Batcher, config: RunConfig) -> Refresh | None:
    """The refresh that a run asks for; None where priorities play no role or may be as old as they like."""
    replay = config.replay
    if not (replay.refresh_gap and replay.alpha) or not isinstance(algorithm, Prioritising):
        return None
    return Refresh(algorithm, batcher, gap=replay.refresh_gap, share=replay.refresh_share)
