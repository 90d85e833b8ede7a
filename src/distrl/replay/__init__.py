"""Durable, prioritised memory of trajectories: where workers put what they did and the learner finds it.

`store` is the file, `sampling` decides what is drawn and `limiter` who may run ahead; `durable` is the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from distrl.config import ReplayConfig, RunConfig
from distrl.errors import ReplayError
from distrl.interfaces import ReplayStats
from distrl.records import Trajectory
from distrl.replay.durable import Arrival, SqliteReplay
from distrl.replay.limiter import FIRST_GUESS_STEPS, Limiter, RatioLimiter, RoundLimiter
from distrl.replay.store import Store

__all__ = [
    "Arrival",
    "Limiter",
    "RatioLimiter",
    "RoundLimiter",
    "SqliteReplay",
    "iterate",
    "limiter_for",
    "open_replay",
    "read_stats",
    "read_trajectory",
]


def open_replay(
    path: Path,
    config: ReplayConfig,
    *,
    limiter: Limiter | None = None,
    seed: int = 0,
    read_only: bool = False,
    arrival: Arrival | None = None,
) -> SqliteReplay:
    """Open a replay file, or create it; without a limiter it is the asynchronous mode's."""
    limiter = limiter or RatioLimiter(config.ratio, config.slack, config.min_trajectories)
    return SqliteReplay(Store(path, read_only=read_only), config, limiter, seed, arrival)


def limiter_for(config: RunConfig) -> Limiter:
    """The limiter that a run's mode asks for."""
    lease_s = 2 * config.collect.episode_timeout_s  # an episode, and as long again to boot and deliver
    if config.mode == "sync":
        return RoundLimiter(config.round_trajectories, lease_s=lease_s)
    replay = config.replay
    # Every device may have an episode under way and one on its way here, or some would only ever wait.
    devices = config.collect.workers * config.collect.devices
    slack = max(replay.slack, math.ceil(2 * devices * replay.ratio * FIRST_GUESS_STEPS))
    return RatioLimiter(replay.ratio, slack, replay.min_trajectories, lease_s=lease_s)


def read_stats(path: Path) -> ReplayStats:
    """Where a replay file stands, also while another process writes to it."""
    with closing(Store(path, read_only=True)) as store:
        return store.stats()


def iterate(path: Path) -> Iterator[Trajectory]:
    """Every trajectory held, oldest first; those evicted meanwhile are left out."""
    with closing(Store(path, read_only=True)) as store:
        for name in store.ids():
            trajectory = store.read(name)
            if trajectory is not None:
                yield trajectory


def read_trajectory(path: Path, id: str) -> Trajectory:
    """One stored trajectory; raises ReplayError when it is not held (any more)."""
    with closing(Store(path, read_only=True)) as store:
        trajectory = store.read(id)
        if trajectory is None:
            why = "has left it: the oldest leave first" if store.was_seen(id) else "was never in it"
            raise ReplayError(f"trajectory {id} is not in the replay {path}; it {why}")
    return trajectory
