"""Both modes in simulated time, for `collection.py`: no processes, no shortage of processors.

The worker, the batching, the limiters and the phones' delays are the real ones; the policy decides in no time
and the learner only takes its time. So what a mode lacks to its bound here is lost by the rules themselves,
who may start when, and the same seed gives the same figures whatever else the machine does.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from unittest import mock

from collection_cells import BATCH, SETTLE_S, Cell, Findings, read
from ledger import BookedPolicy, BookedReplay, BookedTrouble, Bookkeeper, Ledger

from distrl.collect.batching import BatchedPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.worker import Worker, WorkerSettings
from distrl.devices.simulated import SimulatedDevice
from distrl.interfaces import Permit, TaskRecord
from distrl.recording import Line
from distrl.records import Action, ActionKind, Condition, Decision, Point, Situation, Task, Trajectory
from distrl.replay import Limiter, limiter_for
from distrl.rewards.checks import CheckJudge
from distrl.simphone.trouble import PROFILES
from distrl.testing.simulated_time import run_in_simulated_time

STEPS = (4, 15)  # episodes have from so many to so many steps, all equally likely
UPDATE_S = 0.5
LOOK_S = 0.05  # how often a learner asks that has nothing to draw
TASK = Task(
    id="look-around",
    goal="Look around",
    suite="collection",
    split="train",
    max_steps=STEPS[1],
    probes={"airplane": "settings get global airplane_mode_on"},
    check=(Condition("airplane", "equals", "0"),),
)


def simulate(cell: Cell) -> Findings:
    """A cell in simulated time."""
    notes = Notes()
    begin = SETTLE_S
    end = begin + 60 * cell.minutes
    run_in_simulated_time(_work(cell, notes, end))
    return read(cell, notes.lines, begin, end)


@dataclass
class Notes:
    """A recorder in memory."""

    part: str = ""
    lines: list[Line] = field(default_factory=list)

    def event(self, kind: str, **fields: object) -> None:
        """Keep it."""
        self.lines.append(Line(time.monotonic(), self.part, kind, fields=fields))

    def metrics(self, name: str, values: dict[str, float], **labels: object) -> None:
        """Keep them."""
        self.lines.append(Line(time.monotonic(), self.part, "metrics", name, dict(values), labels))


@dataclass
class CountingReplay:
    """The limiter of a run's replay, and nothing that is stored."""

    limiter: Limiter
    steps: int = 0
    episodes: int = 0

    async def add(self, trajectory: Trajectory) -> bool:
        """Count what arrives."""
        self.steps += len(trajectory.steps)
        self.episodes += 1
        self.limiter.added(trajectory.worker, len(trajectory.steps))
        return True

    async def permit(self, worker: str, wanted: int) -> Permit:
        """Ask the limiter."""
        return self.limiter.permit(worker, wanted)

    async def task_records(self) -> dict[str, TaskRecord]:
        """There is nothing to tell."""
        return {}


class Visitor:
    """A policy that taps here and there and says DONE after a random number of steps, in no time."""

    language = "visiting"
    version = 0

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:  # noqa: ARG002
        """One action for each."""
        actions = [self._act(len(situation.past) + 1) for situation in situations]
        return [Decision(action, "", (), (), 0, self.language) for action in actions]

    def _act(self, step: int) -> Action:
        shortest, longest = STEPS
        if step >= shortest and self._source.random() < 1 / (longest - step + 1):
            return Action(ActionKind.DONE)
        return Action(ActionKind.TAP, point=Point(self._source.random(), self._source.random()))

    def load(self, weights: bytes, version: int) -> None:
        """There is nothing to load."""


async def _learn(cell: Cell, replay: CountingReplay, notes: Notes) -> None:
    """Draw, take as long as an update takes, and publish, as a learner does."""
    updates = 0
    while True:
        if replay.limiter.refusal():
            await asyncio.sleep(LOOK_S)
            continue
        replay.limiter.drawn(round(BATCH * replay.steps / replay.episodes))
        await asyncio.sleep(UPDATE_S)
        updates += 1
        notes.metrics("learner", {"sample_s": 0.0, "update_s": UPDATE_S})
        if updates % cell.round_updates == 0:
            replay.limiter.published()
            notes.event("published")


async def _work(cell: Cell, notes: Notes, end: float) -> None:
    stopping = asyncio.Event()
    replay = CountingReplay(limiter_for(cell.config()))
    learner_notes = Notes("learner", notes.lines)
    with mock.patch.object(time, "time", asyncio.get_running_loop().time):  # one clock for all
        ledger = Ledger(asyncio.get_running_loop().time)
        bookkeeper = Bookkeeper(ledger, notes)
        worker = _worker(cell, replay, ledger, notes, stopping)
        helpers = [asyncio.ensure_future(bookkeeper.run())]
        helpers.append(asyncio.ensure_future(_learn(cell, replay, learner_notes)))
        job = asyncio.ensure_future(worker.run())
        await asyncio.sleep(end)
        while cell.mode == "sync" and not _published_since(notes.lines, end):  # its last round, whole
            await asyncio.sleep(LOOK_S)
        stopping.set()
        await job
        for helper in helpers:
            helper.cancel()


def _published_since(lines: Sequence[Line], moment: float) -> bool:
    for line in reversed(lines):
        if line.kind == "published" or line.t < moment:
            return line.kind == "published" and line.t >= moment
    return False


def _worker(
    cell: Cell, replay: CountingReplay, ledger: Ledger, notes: Notes, stopping: asyncio.Event
) -> Worker:
    phones = [
        SimulatedDevice(
            f"sim-{index}",
            BookedTrouble(PROFILES[cell.profile], cell.seed * 1_000_003 + index, ledger, 1.0),
            seed=index,
            paint=False,
            clock=lambda: 1.0,
        )
        for index in range(cell.devices)
    ]
    return Worker(
        WorkerSettings("worker-0.0", "simulated", EpisodeLimits()),
        phones,
        BookedPolicy(BatchedPolicy(Visitor(cell.seed)), ledger),
        Curriculum([TASK], share=0.0, seed=cell.seed),
        CheckJudge(),
        BookedReplay(replay, ledger, notes),  # type: ignore[arg-type]
        notes,
        stopping,
    )
