"""How good a policy is: fixed tasks, fixed seeds, success with a confidence interval.

Evaluation never touches training: its trajectories go to no replay.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits
from distrl.collect.errands import Errand, Errands
from distrl.collect.fleet import Replace
from distrl.collect.ladder import RepairSettings
from distrl.errors import DeviceError, JudgeError, TaskError, WeightsError
from distrl.interfaces import Device, Judge, Policy, Suite, WeightStore
from distrl.records import Ending, Outcome, Record, Task, Trajectory


class Rate(Record, frozen=True):
    """Successes among episodes, with a 95 % interval that knows which episodes share a task."""

    successes: int
    episodes: int
    low: float
    high: float
    tasks: int = 0  # different ones among the episodes

    @property
    def value(self) -> float:
        """The share of successes; 0 of 0 is 0."""
        return self.successes / self.episodes if self.episodes else 0.0

    def __str__(self) -> str:
        return f"{self.value:.0%} [{100 * self.low:.0f}–{100 * self.high:.0f}]"


class Evaluation(Record, frozen=True):
    """The result of one evaluation, with all that is needed to repeat it."""

    suite: str
    suite_version: str
    suite_digest: str
    split: str
    policy_version: int
    greedy: bool
    seed: int
    rate: Rate
    by_family: dict[str, Rate]
    by_level: dict[str, Rate]
    unknown: int  # episodes without a verdict; not part of the rate
    mean_steps: float
    said_done: float  # share of episodes in which the agent said it was done
    seconds: float


def rate(outcomes: Iterable[bool], tasks: Iterable[str] | None = None) -> Rate:
    """Success with Wilson's interval for as many episodes as the given ones are worth.

    Episodes of one task resemble each other, so 128 episodes of 28 tasks tell less than 128 of 128. `tasks`
    names each episode's task; without it every episode counts as a task of its own.
    """
    results = list(outcomes)
    names = [str(index) for index in range(len(results))] if tasks is None else list(tasks)
    n, k, z = len(results), sum(results), 1.959964
    if n == 0:
        return Rate(successes=0, episodes=0, low=0.0, high=1.0)
    groups: dict[str, list[bool]] = defaultdict(list)
    for name, result in zip(names, results, strict=True):
        groups[name].append(result)
    p, worth = k / n, n / _design_effect(list(groups.values()))
    centre = (p + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z * math.sqrt(p * (1 - p) / worth + z * z / (4 * worth * worth)) / (1 + z * z / worth)
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Rate(successes=k, episodes=n, low=low, high=high, tasks=len(groups))


def _design_effect(groups: Sequence[Sequence[bool]]) -> float:
    """How many times larger the variance of the rate is than if all episodes were independent.

    The variance between groups (Taylor linearisation, as in cluster sampling) over p(1-p)/n, held between 1
    and the effect of groups in which all episodes end alike; where nothing varies, the latter is assumed.
    """
    n = sum(len(group) for group in groups)
    alike = sum(len(group) ** 2 for group in groups) / n
    p = sum(sum(group) for group in groups) / n
    if p in (0.0, 1.0) or len(groups) == 1:
        return alike
    between = sum((sum(group) - p * len(group)) ** 2 for group in groups)
    variance = len(groups) / (len(groups) - 1) * between / n**2
    return min(max(1.0, variance / (p * (1 - p) / n)), alike)


def fixed_episodes(tasks: Sequence[Task], episodes: int, seed: int) -> list[tuple[Task, int]]:
    """The same (task, seed) pairs every time: all tasks in turn, each round with other seeds.

    Fewer episodes than tasks are spread over the whole split, so that every family counts.
    """
    if not tasks:
        raise TaskError("there are no tasks to evaluate on")
    if episodes < len(tasks):
        chosen = [tasks[index * len(tasks) // episodes] for index in range(episodes)]
    else:
        chosen = list(itertools.islice(itertools.cycle(tasks), episodes))
    return [(task, (seed * 1_000_003 + index * 7919) % 2**31) for index, task in enumerate(chosen)]


async def run_all(
    policy: Policy,
    devices: Sequence[Device],
    episodes: Sequence[tuple[Task, int]],
    judge: Judge,
    *,
    limits: EpisodeLimits,
    greedy: bool,
    repair: RepairSettings | None = None,
    replace: Replace | None = None,
    on_episode: Callable[[Trajectory], None] | None = None,
) -> list[Trajectory]:
    """Run the episodes, each device taking the next one; an episode lost to a device is run again.

    Devices are repaired as in a worker. DeviceError if none can be opened, or all stay broken.
    """
    batched = BatchedPolicy(policy, greedy=greedy, max_batch=max(1, len(devices)))
    errands = Errands(
        [Errand(task, seed, batched) for task, seed in episodes],
        devices,
        judge,
        run="evaluation",
        worker="evaluator",
        limits=limits,
        repair=repair,
        replace=replace,
        on_episode=on_episode,
    )
    server = asyncio.ensure_future(batched.run())
    try:
        return await errands.run()
    finally:
        server.cancel()
        await asyncio.gather(server, return_exceptions=True)


@dataclass
class Bench:
    """A policy on its way to be measured: devices, tasks, judge and seed, the same every time."""

    suite: Suite
    devices: Sequence[Device]
    judge: Judge
    limits: EpisodeLimits = field(default_factory=EpisodeLimits)
    seed: int = 0
    repair: RepairSettings = field(default_factory=RepairSettings)
    replace: Replace | None = None  # what makes another device for one that cannot be repaired

    async def measure(
        self,
        policy: Policy,
        split: str,
        episodes: int,
        *,
        greedy: bool,
        on_episode: Callable[[Trajectory], None] | None = None,
    ) -> Evaluation:
        """Evaluate the policy as it is now."""
        started, version = time.monotonic(), policy.version
        pairs = fixed_episodes(self.suite.tasks(split), episodes, self.seed)
        trajectories = await run_all(
            policy,
            self.devices,
            pairs,
            self.judge,
            limits=self.limits,
            greedy=greedy,
            repair=self.repair,
            replace=self.replace,
            on_episode=on_episode,
        )
        return self._summarize(trajectories, split, greedy, version, time.monotonic() - started)

    def _summarize(
        self, trajectories: Sequence[Trajectory], split: str, greedy: bool, version: int, seconds: float
    ) -> Evaluation:
        """The numbers; episodes whose outcome is not the agent's are left out of the rates and counted."""
        judged = [t for t in trajectories if t.verdict.outcome is not Outcome.UNKNOWN]
        if trajectories and not judged:
            why = trajectories[-1].verdict.evidence
            raise JudgeError(f"not one episode of the evaluation got a verdict; the latest reason: {why}")
        families: dict[str, list[Trajectory]] = defaultdict(list)
        levels: dict[str, list[Trajectory]] = defaultdict(list)
        for trajectory in judged:
            families[trajectory.task.family or "all"].append(trajectory)
            levels[str(trajectory.task.level)].append(trajectory)
        return Evaluation(
            suite=self.suite.name,
            suite_version=self.suite.version,
            suite_digest=self.suite.digest(),
            split=split,
            policy_version=version,
            greedy=greedy,
            seed=self.seed,
            rate=_rate_of(judged),
            by_family={name: _rate_of(group) for name, group in sorted(families.items())},
            by_level={name: _rate_of(group) for name, group in sorted(levels.items())},
            unknown=len(trajectories) - len(judged),
            mean_steps=sum(len(t.steps) for t in judged) / max(1, len(judged)),
            said_done=sum(t.ending is Ending.AGENT_DONE for t in judged) / max(1, len(judged)),
            seconds=seconds,
        )


def _rate_of(trajectories: Sequence[Trajectory]) -> Rate:
    return rate([t.success for t in trajectories], [t.task.id for t in trajectories])


class EvaluationRecorder(Protocol):
    """Where an evaluator writes what it found."""

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None: ...


class Evaluator:
    """Measures new policy versions while training goes on (a Part)."""

    def __init__(
        self,
        bench: Bench,
        policy: Policy,
        weights: WeightStore,
        recorder: EvaluationRecorder,
        stopping: asyncio.Event,
        *,
        split: str,
        episodes: int,
        every_s: float,
    ) -> None:
        self._bench = bench
        self._policy = policy
        self._weights = weights
        self._recorder = recorder
        self._stopping = stopping
        self._split = split
        self._episodes = episodes
        self._every_s = every_s

    async def run(self) -> None:
        """Evaluate the newest version, sampled and greedy, then again after a while, until told to stop."""
        measured = -1
        while not self._stopping.is_set():
            due = time.monotonic() + self._every_s
            latest = await self._weights.latest()
            if latest is not None and latest.number > measured:
                try:
                    self._policy.load(await self._weights.load(latest.number), latest.number)
                except WeightsError:
                    continue  # replaced by a newer version meanwhile
                measured = latest.number
                if not await self._measure_once():
                    return
            else:
                due = time.monotonic() + 0.5
            await self._pause(due)

    async def _measure_once(self) -> bool:
        """Both ways; False if the run ended meanwhile."""
        for greedy in (False, True):
            job = asyncio.ensure_future(
                self._bench.measure(self._policy, self._split, self._episodes, greedy=greedy)
            )
            stop = asyncio.ensure_future(self._stopping.wait())
            await asyncio.wait([job, stop], return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            if not job.done():
                job.cancel()
                await asyncio.gather(job, return_exceptions=True)
                return False
            try:
                result = job.result()
            except JudgeError:
                return True  # the judge's own watcher has told why; the next evaluation may fare better
            except DeviceError as error:
                # Devices of the evaluation are no reason to stop training.
                self._recorder.event("warning", text=f"an evaluation was given up: {error}")
                return True
            self._recorder.metrics(
                "evaluation",
                {
                    "success": result.rate.value,
                    "low": result.rate.low,
                    "high": result.rate.high,
                    "episodes": float(result.rate.episodes),
                    "version": float(result.policy_version),
                    "mean_steps": result.mean_steps,
                    "said_done": result.said_done,
                    "unknown": float(result.unknown),
                    "seconds": result.seconds,
                    **{f"family/{name}": share.value for name, share in result.by_family.items()},
                },
                split=self._split,
                decoding="greedy" if greedy else "sampled",
            )
        return True

    async def _pause(self, until: float) -> None:
        while not self._stopping.is_set() and time.monotonic() < until:
            await asyncio.sleep(0.05)
