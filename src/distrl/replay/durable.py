"""The replay as a whole: a durable store, priorities to draw by, and a limiter of workers and learner."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from distrl.config import ReplayConfig
from distrl.errors import ReplayError
from distrl.interfaces import Drawn, Outdated, Permit, ReplayStats, Sample, TaskRecord
from distrl.records import Trajectory
from distrl.replay.limiter import Limiter, Progress
from distrl.replay.sampling import Priorities, check_priorities
from distrl.replay.store import Held, Store

Arrival = Callable[[Trajectory], float]  # the priority that a new trajectory is given


class SqliteReplay:
    """Durable memory of trajectories in one SQLite file; implements the `Replay` Protocol.

    The file is the truth: memory holds only what is needed to draw quickly, changes only after a commit, and
    is rebuilt when the file is opened, so the process may be killed at any moment. The methods are async for
    callers in other processes; inside they run to the end without giving up control, so each is atomic.
    """

    def __init__(
        self,
        store: Store,
        config: ReplayConfig,
        limiter: Limiter,
        seed: int = 0,
        arrival: Arrival | None = None,
    ) -> None:
        self._store = store
        self._config = config
        self._limiter = limiter
        self._arrival = arrival
        self._counters = dict.fromkeys(_COUNTERS, 0.0) | store.counters()
        self._waited_before = (self._counters["worker_wait_s"], self._counters["learner_wait_s"])
        # A restarted replay continues with other random numbers than those it began with.
        self._rng = np.random.default_rng([seed, int(self._counters["trained_steps"])])
        self._priorities = Priorities(
            config.alpha, config.beta, config.max_version_gap, self._counters["largest_priority"]
        )
        for held in store.drawable():
            self._priorities.add(held)
        self._limiter.restore(
            Progress(
                usable=int(self._counters["collected"] - self._counters["unusable"]),
                usable_steps=int(self._counters["collected_steps"]),
                trained_steps=int(self._counters["trained_steps"]),
                round_start=int(self._counters["round_start"]),
            )
        )

    @property
    def _version(self) -> int:
        """The newest version published, as far as the replay was told."""
        return int(self._counters["version"])

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._store.database.path

    async def add(self, trajectory: Trajectory) -> bool:
        """Store durably; True if it is new, False if this id was stored before."""
        if self._store.was_seen(trajectory.id):
            return False
        usable_steps = len(trajectory.steps) if trajectory.trainable else 0
        priority = self._arrival(trajectory) if self._arrival else self._priorities.largest
        counters = self._counters | {
            "collected": self._counters["collected"] + 1,
            "collected_steps": self._counters["collected_steps"] + usable_steps,
            "unusable": self._counters["unusable"] + (not trajectory.trainable),
        }
        with self._store.database.writing(durable=True):
            self._store.insert(trajectory, priority)
            self._store.set_counters(counters)
            gone = self._store.evict(self._config.capacity, self._config.capacity_gb * 1e9)
        self._counters = counters
        self._priorities.remove(gone)
        if trajectory.trainable:
            oldest = min(step.decision.version for step in trajectory.steps)
            self._priorities.add(Held(trajectory.id, usable_steps, oldest, priority), self._version)
        self._limiter.added(trajectory.worker, usable_steps)
        return True

    async def permit(self, worker: str, wanted: int) -> Permit:
        """How many episodes a worker may start now; episodes granted count as under way."""
        return self._limiter.permit(worker, wanted)

    async def sample(self, trajectories: int, version: int) -> Sample:
        """Draw by priority among what is fresh enough for a learner at `version`.

        A step counts as trained once it is handed out.
        """
        if trajectories < 1:
            raise ReplayError(f"a sample of {trajectories} trajectories was asked for; ask for at least one")
        reason = self._limiter.refusal()
        if reason:
            return Sample((), reason)
        draws = self._priorities.draw(trajectories, version, self._rng)
        if not draws:
            self._limiter.drawn(0)
            self._save()
            return Sample(
                (),
                f"learner waits for workers: none of the {len(self._priorities)} usable trajectories held is "
                f"within {self._config.max_version_gap} versions of version {version}",
            )
        found = {name: self._held(name) for name in {draw.id for draw in draws}}
        steps = sum(draw.steps for draw in draws)
        self._save(trained_steps=self._counters["trained_steps"] + steps)
        self._limiter.drawn(steps)
        return Sample(tuple(Drawn(found[draw.id], draw.probability, draw.weight) for draw in draws))

    async def set_priorities(self, priorities: dict[str, float]) -> None:
        """New priorities by trajectory id; ids no longer held are ignored."""
        check_priorities(priorities)
        largest = max([self._counters["largest_priority"], *priorities.values()])
        with self._store.database.writing(durable=False):
            self._store.set_priorities(priorities)
            self._store.set_counters({"largest_priority": largest})
        self._counters["largest_priority"] = largest
        self._priorities.update(priorities, self._version)

    async def outdated(self, trajectories: int, version: int, gap: int) -> Outdated:
        """What can be drawn at `version`, but has a priority set more than `gap` versions before it.

        When a priority was set is not stored: after a restart it counts as set when its trajectory was acted.
        """
        ages = self._priorities.ages(version, gap)
        found = tuple(self._held(name) for name in ages.outdated[: max(0, trajectories)])
        return Outdated(found, len(ages.outdated), ages.mean, ages.largest)

    async def published(self, version: int) -> None:
        """Tell that the learner has published a version: in the synchronous mode, that a round is done."""
        self._limiter.published()
        self._save(version=version)

    async def task_records(self) -> dict[str, TaskRecord]:
        """The last 20 usable results of every task tried, for a curriculum."""
        return self._store.task_records()

    async def stats(self) -> ReplayStats:
        """Where the replay stands; `collected_steps` are those that can be trained on."""
        workers, learner = self._waited()
        return replace(self._store.stats(), worker_wait_s=workers, learner_wait_s=learner)

    def close(self) -> None:
        """Save the waiting times and let the file go; safe to call twice."""
        if self._store.database.is_open and not self._store.database.read_only:
            self._save()
        self._store.close()

    def _held(self, name: str) -> Trajectory:
        trajectory = self._store.read(name)
        if trajectory is None:
            raise ReplayError(
                f"trajectory {name} vanished from {self.path}; does another process write to this replay?"
            )
        return trajectory

    def _save(self, **changed: float) -> None:
        """Commit counters that the limiter or a draw has changed."""
        workers, learner = self._waited()
        counters = self._counters | changed
        counters |= {
            "worker_wait_s": workers,
            "learner_wait_s": learner,
            "round_start": self._limiter.round_start,
        }
        with self._store.database.writing(durable=False):
            self._store.set_counters(counters)
        self._counters = counters

    def _waited(self) -> tuple[float, float]:
        workers, learner = self._limiter.waited()
        return self._waited_before[0] + workers, self._waited_before[1] + learner


_COUNTERS = (
    "collected",
    "collected_steps",
    "unusable",
    "trained_steps",
    "largest_priority",
    "round_start",
    "version",
    "worker_wait_s",
    "learner_wait_s",
)
