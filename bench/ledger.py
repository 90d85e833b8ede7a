"""Where devices' time goes, for `collection.py` and `fleet.py`: exact to the moment, whatever is under way.

Every second of every device belongs to one account:

    device      what the latency profile dealt out for a look, an action or a reset, and not a moment more
    policy      from asking for a decision to having it, batching and queueing included
    waiting     refused by the replay's limiter, by the reason it gave
    framework   all the rest: event loop, drawing and encoding the simulated screens, judging, delivering
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from distrl.collect.batching import BatchStats, WorkerPolicy
from distrl.interfaces import Permit, Replay, TaskRecord
from distrl.records import Decision, Situation, Trajectory
from distrl.simphone.trouble import Event, Profile, Trouble

DEVICE, POLICY, WAITING = "device", "policy", "waiting/"
LAG_EVERY_S = 0.05  # how often the event loop is asked whether it is late


class Notebook(Protocol):
    """Where accounts and episodes are written down; a run's Recorder is one."""

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float], **labels: object) -> None: ...


class Ledger:
    """The accounts of one worker's devices; only the rest, the framework's, is left to whoever reads them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds: dict[str, float] = {DEVICE: 0.0, POLICY: 0.0}
        self._now = clock()
        self._deciding = 0
        self._waiting: tuple[str, int] = ("", 0)  # reason, devices
        self._ends: list[float] = []  # of the delays under way, as a heap

    def delay(self, seconds: float) -> None:
        """A device is busy from now on for this long."""
        self._seconds[DEVICE] += seconds
        heapq.heappush(self._ends, self._clock() + seconds)

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """A device waits for a decision meanwhile."""
        self._pass_time()
        self._deciding += 1
        try:
            yield
        finally:
            self._pass_time()
            self._deciding -= 1

    def hold_back(self, reason: str, devices: int) -> None:
        """From now on this many devices are refused a start, for this reason."""
        self._pass_time()
        self._waiting = (reason, devices)

    def seconds(self) -> dict[str, float]:
        """Device-seconds in each account up to now."""
        self._pass_time()
        while self._ends and self._ends[0] <= self._now:
            heapq.heappop(self._ends)
        to_come = sum(end - self._now for end in self._ends)
        return {**self._seconds, DEVICE: self._seconds[DEVICE] - to_come}

    def _pass_time(self) -> None:
        now = self._clock()
        passed, self._now = now - self._now, now
        self._seconds[POLICY] += self._deciding * passed
        reason, devices = self._waiting
        if devices:
            account = WAITING + reason
            self._seconds[account] = self._seconds.get(account, 0.0) + devices * passed


class BookedTrouble(Trouble):
    """A phone's trouble, whose delays are booked as they are dealt out."""

    def __init__(self, profile: Profile, seed: int, ledger: Ledger, scale: float) -> None:
        super().__init__(profile, seed)
        self._ledger = ledger
        self._scale = scale

    def next(self, operation: str) -> Event:
        """The event for the next operation."""
        event = super().next(operation)
        self._ledger.delay(event.delay_s * self._scale)
        return event


@dataclass
class BookedPolicy:
    """A worker's policy, whose time is booked."""

    policy: WorkerPolicy
    ledger: Ledger

    @property
    def stats(self) -> BatchStats:
        """How well batching works."""
        return self.policy.stats

    @stats.setter
    def stats(self, stats: BatchStats) -> None:
        self.policy.stats = stats

    @property
    def version(self) -> int:
        """The newest version that has decided here."""
        return self.policy.version

    async def decide(self, situation: Situation) -> Decision:
        """The policy's decision."""
        with self.ledger.deciding():
            return await self.policy.decide(situation)

    async def pull(self, *, now: bool = False) -> None:
        """Use the newest weights."""
        await self.policy.pull(now=now)

    async def run(self) -> None:
        """Serve requests until cancelled."""
        await self.policy.run()


@dataclass
class BookedReplay:
    """The part of a replay that a worker uses; books who is refused, and writes down every episode."""

    replay: Replay
    ledger: Ledger
    recorder: Notebook

    async def add(self, trajectory: Trajectory) -> bool:
        """Deliver."""
        new = await self.replay.add(trajectory)
        self.recorder.event(
            "episode",
            device=trajectory.device,
            began=trajectory.started_at,
            ended=trajectory.ended_at,
            steps=len(trajectory.steps),
            usable=trajectory.trainable,
        )
        return new

    async def permit(self, worker: str, wanted: int) -> Permit:
        """Ask; whoever is refused waits until the next answer."""
        permit = await self.replay.permit(worker, wanted)
        self.ledger.hold_back(
            permit.reason.partition(":")[0], wanted - permit.granted if permit.reason else 0
        )
        return permit

    async def task_records(self) -> dict[str, TaskRecord]:
        """Ask."""
        return await self.replay.task_records()


@dataclass
class Bookkeeper:
    """Writes a worker's accounts down every second, and how late its event loop is."""

    ledger: Ledger
    recorder: Notebook
    every_s: float = 1.0
    _lags: list[float] = field(default_factory=list)

    async def run(self) -> None:
        """Until cancelled."""
        due = time.monotonic() + self.every_s
        while True:
            begin = time.monotonic()
            await asyncio.sleep(LAG_EVERY_S)
            now = time.monotonic()
            self._lags.append(now - begin - LAG_EVERY_S)
            if now >= due:
                due = now + self.every_s
                self._write()

    def _write(self) -> None:
        late = {"lag_mean_s": sum(self._lags) / len(self._lags), "lag_max_s": max(self._lags)}
        self._lags.clear()
        self.recorder.metrics("ledger", {**self.ledger.seconds(), **late})
