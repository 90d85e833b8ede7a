"""The warm start: an expert demonstrates training tasks, and the policy learns to imitate it.

The result depends only on the suite, the policy, the devices' pictures and the warm start's settings, so it
is kept in a cache under the digest of those.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from distrl.agents.expert import Expert
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.config import RunConfig
from distrl.errors import TaskError
from distrl.interfaces import Device, Judge, Suite, TrainablePolicy
from distrl.learn.cloning import clone
from distrl.records import Decision, Situation, Task, Trajectory

Progress = Callable[[str, int, int], None]  # stage, done, of


class Imitator(TrainablePolicy, Protocol):
    """A policy that can spell an expert's actions in its own tokens."""

    def translate(self, trajectory: Trajectory) -> Trajectory:
        """The same trajectory with the policy's tokens in every decision that it has words for."""


class ExpertClient:
    """The scripted expert in the place of a policy."""

    def __init__(self, expert: Expert) -> None:
        self._expert = expert

    async def decide(self, situation: Situation) -> Decision:
        """What the expert does."""
        return self._expert.decide(situation)


async def demonstrate(
    suite: Suite,
    devices: Sequence[Device],
    judge: Judge,
    policy: Imitator,
    config: RunConfig,
    progress: Progress,
) -> list[Trajectory]:
    """Expert episodes on training tasks, all devices at once; failed ones are kept out."""
    tasks = [task for task in suite.tasks("train") if suite.plan(task) is not None]
    if not tasks:
        raise TaskError(
            f"suite {suite.name!r} has no expert plans for training tasks; add `plan:` to some, or start "
            "without a warm start: --set warmstart.demonstrations=0"
        )
    chance = random.Random(config.seed)
    wanted = config.warmstart.demonstrations
    order = [task for _ in range(-(-wanted // len(tasks))) for task in chance.sample(tasks, len(tasks))]
    queue = [(task, chance.randrange(2**31)) for task in order[:wanted]][::-1]
    kept: list[Trajectory] = []
    finished = 0

    async def drive(device: Device) -> None:
        nonlocal finished
        await device.open()
        while queue:
            task, seed = queue.pop()
            trajectory = await _demonstration(device, suite, task, seed, judge, config)
            finished += 1
            if trajectory.success:
                kept.append(policy.translate(trajectory))
            progress("demonstrations", finished, wanted)

    try:
        await asyncio.gather(*(drive(device) for device in devices))
    finally:
        for device in devices:
            await device.close()
    if not kept:
        raise TaskError(f"the expert solved none of {wanted} training tasks of suite {suite.name!r}")
    return sorted(kept, key=lambda trajectory: (trajectory.task.id, trajectory.seed))


async def _demonstration(
    device: Device,
    suite: Suite,
    task: Task,
    seed: int,
    judge: Judge,
    config: RunConfig,
) -> Trajectory:
    expert = Expert(suite.plan(task) or (), seed=seed, noise=config.warmstart.noise)
    trajectory = await run_episode(
        device,
        ExpertClient(expert),
        task,
        seed=seed,
        run="demonstrations",
        worker="expert",
        limits=EpisodeLimits(),
    )
    return msgspec.structs.replace(trajectory, verdict=await judge.judge(trajectory))


def warm_start(
    suite: Suite,
    devices: Callable[[], Sequence[Device]],
    judge: Judge,
    policy: Imitator,
    config: RunConfig,
    progress: Progress,
    cache: Path | None = None,
) -> dict[str, float]:
    """Clone demonstrations into the policy, or take the weights of an earlier identical warm start."""
    if config.warmstart.demonstrations == 0:
        return {}
    folder = cache or cache_folder()
    stored = folder / f"{_digest(suite, policy, config)}.safetensors"
    if stored.exists():
        policy.load(stored.read_bytes(), 0)
        return {"cached": 1.0}
    demonstrations = asyncio.run(demonstrate(suite, devices(), judge, policy, config, progress))
    metrics = clone(
        policy,
        demonstrations,
        config.warmstart,
        seed=config.seed,
        progress=lambda done, of, _: progress("cloning", done, of),
    )
    folder.mkdir(parents=True, exist_ok=True)
    temporary = stored.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_bytes(policy.export())
    temporary.replace(stored)
    return {**metrics, "demonstrations": float(len(demonstrations)), "cached": 0.0}


def cache_folder() -> Path:
    """Where warm starts are kept between runs."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "distrl" / "warmstart"


def _digest(suite: Suite, policy: Imitator, config: RunConfig) -> str:
    """Fingerprint of everything the warm start depends on; the fresh weights stand for the architecture."""
    parts = [
        suite.name,
        suite.digest(),
        hashlib.blake2b(policy.export()).hexdigest(),
        config.policy.model_dump_json(),
        config.warmstart.model_dump_json(),
        config.device.model_dump_json(include={"kind", "picture_scale", "options"}),
        str(config.collect.require_done),
        str(config.seed),
    ]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()
