"""A worker with flaky phones in simulated time, for `faults.py`: no processes, no shortage of processors.

Hours of a fleet take as long as the computing in them, and the same seed gives the same faults whatever else
the machine does; so this is where the framework's own share of the loss can be told from the machine's.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from witness import CONTRARY, EASY, SwornJudge, SwornTrouble, WitnessedDevice

from distrl.collect.batching import BatchedPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.worker import Worker, WorkerSettings
from distrl.interfaces import Permit, TaskRecord
from distrl.records import Action, ActionKind, Decision, Outcome, Point, Situation, Trajectory
from distrl.rewards.checks import CheckJudge
from distrl.testing.simulated_time import run_in_simulated_time

STEPS = 8  # of an episode


@dataclass
class Simulated:
    """What one simulated run brought."""

    usable_steps: int = 0
    steps: int = 0
    episodes: int = 0
    lost_episodes: int = 0
    faults: list[tuple[float, str]] = field(default_factory=list)  # when which was dealt out
    labels: Counter[str] = field(default_factory=Counter)
    wrong_labels: int = 0
    fleet: dict[str, float] = field(default_factory=dict)  # the worker's own numbers at the end

    def say(self, kind: str, *, id: str = "", fault: str = "", said: str = "", true: str = "") -> None:  # noqa: ARG002
        """Take testimony, as `witness.Testimony` does."""
        if kind == "fault":
            self.faults.append((time.monotonic(), fault))
        elif kind == "label":
            self.labels[said] += 1
            self.wrong_labels += said != true

    # -- the worker's recorder -------------------------------------------------------------------

    def event(self, kind: str, **fields: object) -> None:
        """Events are of no interest here."""

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:  # noqa: ARG002
        """Keep the fleet's numbers."""
        if name == "fleet":
            self.fleet = values

    # -- the worker's replay ---------------------------------------------------------------------

    async def add(self, trajectory: Trajectory) -> bool:
        """Count what arrives."""
        self.episodes += 1
        self.steps += len(trajectory.steps)
        self.usable_steps += len(trajectory.steps) if trajectory.trainable else 0
        self.lost_episodes += trajectory.verdict.outcome is Outcome.UNKNOWN
        return True

    async def permit(self, worker: str, wanted: int) -> Permit:  # noqa: ARG002
        """Hold nobody back."""
        return Permit(wanted)

    async def task_records(self) -> dict[str, TaskRecord]:
        """There is nothing to tell."""
        return {}


class Wanderer:
    """A policy that taps anywhere and then says DONE, in no time: devices are all that there is."""

    language = "wandering"
    version = 0

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:  # noqa: ARG002
        """One action for each."""
        actions = [self._act(len(situation.past)) for situation in situations]
        return [Decision(action, "", (), (), 0, self.language) for action in actions]

    def _act(self, steps: int) -> Action:
        if steps == STEPS - 1:
            return Action(ActionKind.DONE)
        return Action(ActionKind.TAP, point=Point(self._source.random(), self._source.random()))

    def load(self, weights: bytes, version: int) -> None:
        """There is nothing to load."""


def simulate(devices: int, seconds: float, seed: int, *, faults: bool) -> Simulated:
    """One worker with this many phones for this long, at real speed of simulated time."""
    result = Simulated()
    run_in_simulated_time(_work(result, devices, seconds, seed, faults=faults))
    return result


async def _work(result: Simulated, devices: int, seconds: float, seed: int, *, faults: bool) -> None:
    phones = [
        WitnessedDevice(
            f"sim-{index}",
            SwornTrouble(result, faults=faults, seed=seed * 1_000_003 + index),
            seed=index,
            paint=False,
            clock=lambda: 1.0,
        )
        for index in range(devices)
    ]
    stopping = asyncio.Event()
    worker = Worker(
        WorkerSettings("worker-0.0", "simulated", EpisodeLimits()),
        phones,
        BatchedPolicy(Wanderer(seed), max_batch=64),
        Curriculum([EASY, CONTRARY], share=0.0, seed=seed),
        SwornJudge(CheckJudge(), phones, result),
        result,  # type: ignore[arg-type]
        result,
        stopping,
    )
    job = asyncio.ensure_future(worker.run())
    await asyncio.sleep(seconds)
    stopping.set()
    await job
