"""A worker: many devices, each running episodes at its own pace, in one event loop."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

import msgspec

from distrl.collect.batching import WorkerPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits, EpisodeTimes, run_episode
from distrl.collect.fleet import Fleet, Replace, Slot
from distrl.collect.ladder import RepairSettings
from distrl.errors import PartUnavailable
from distrl.interfaces import Device, Judge, Replay
from distrl.records import Ending, Task, Trajectory

T = TypeVar("T")

DELIVERIES = 8  # under way at once: each waits for the replay's disk and for its turn in a busy event loop


class WorkerRecorder(Protocol):
    """Where a worker writes what it does."""

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None: ...


@dataclass(frozen=True)
class WorkerSettings:
    """What distinguishes one worker from another."""

    name: str  # with its incarnation: "worker-0.1"
    run: str
    limits: EpisodeLimits
    repair: RepairSettings = field(default_factory=RepairSettings)
    retries: int = 2  # how often an episode lost to a device is run again
    report_every_s: float = 1.0


class Worker:
    """Runs episodes on all its devices and delivers each trajectory until it is acknowledged (a Part)."""

    def __init__(
        self,
        settings: WorkerSettings,
        devices: Sequence[Device],
        policy: WorkerPolicy,
        curriculum: Curriculum,
        judge: Judge,
        replay: Replay,
        recorder: WorkerRecorder,
        stopping: asyncio.Event,
        *,
        replace: Replace | None = None,
    ) -> None:
        self._settings = settings
        self._fleet = Fleet(
            settings.name, devices, settings.repair, recorder, replace=replace, clock=time.monotonic
        )
        self._policy = policy
        self._curriculum = curriculum
        self._judge = judge
        self._replay = replay
        self._recorder = recorder
        self._stopping = stopping
        self._times = EpisodeTimes()
        self._counts: Counter[str] = Counter()
        self._permits: asyncio.Queue[None] = asyncio.Queue()
        self._wanting = 0  # devices that wait for a permit
        self._again: deque[tuple[Task, int]] = deque()  # lost to a device, and how often already
        self._waited_s = 0.0
        self._outbox: asyncio.Queue[Trajectory] = asyncio.Queue(maxsize=2 * len(devices))

    async def run(self) -> None:
        """Collect until told to stop; episodes under way are then dropped, finished ones delivered."""
        await self._policy.pull(now=True)
        jobs = [self._policy.run(), self._ask_permits(), self._report()]
        jobs += [self._drive(slot) for slot in self._fleet.slots]
        at_once = min(DELIVERIES, len(self._fleet.slots))
        deliveries = [asyncio.ensure_future(self._deliver()) for _ in range(at_once)]
        tasks = [asyncio.ensure_future(job) for job in jobs]
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            done, _ = await asyncio.wait([stopping, *deliveries, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done - {stopping}:
                task.result()  # a job that ended did so by an error: let the engine see it
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            tasks.append(asyncio.ensure_future(self._outbox.join()))
            await asyncio.wait([tasks[-1], *deliveries], timeout=5, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in [stopping, *deliveries, *tasks]:
                task.cancel()
            await asyncio.gather(stopping, *deliveries, *tasks, return_exceptions=True)
            self._write_report(final=True)
            await self._fleet.close()

    # --- one device -----------------------------------------------------------------------------

    async def _drive(self, slot: Slot) -> None:
        """Episode after episode on one device, which is repaired before it is used again."""
        await slot.boot()
        while True:
            begin = time.monotonic()
            self._wanting += 1
            await self._permits.get()
            self._waited_s += time.monotonic() - begin
            # A lost task goes to whichever device is free first, not to the one under repair.
            task, losses = self._again.popleft() if self._again else (self._curriculum.draw(), 0)
            lost = await self._attempt(slot, task)
            if lost and losses < self._settings.retries:
                self._again.append((task, losses + 1))
            await slot.end_episode(lost=lost)

    async def _attempt(self, slot: Slot, task: Task) -> bool:
        """Run, judge and hand over one episode; True if the device was lost under it."""
        slot.begin_episode()
        task, seed = self._curriculum.vary(task)
        trajectory = await run_episode(
            slot.device,
            self._policy,
            task,
            seed=seed,
            run=self._settings.run,
            worker=self._settings.name,
            limits=self._settings.limits,
            times=self._times,
            on_fault=slot.note,
        )
        verdict = await self._judge.judge(trajectory)
        trajectory = msgspec.structs.replace(trajectory, verdict=verdict)
        self._counts["episodes"] += 1
        self._counts["steps"] += len(trajectory.steps)
        self._counts[str(verdict.outcome)] += 1
        self._counts[str(trajectory.ending)] += 1
        await self._outbox.put(trajectory)
        lost = trajectory.ending is Ending.DEVICE_LOST
        if lost:
            self._recorder.event("device_lost", device=slot.device.id, task=task.id)
        return lost

    # --- with the replay ------------------------------------------------------------------------

    async def _ask_permits(self) -> None:
        """Ask the replay's limiter on behalf of all devices that want to start."""
        next_records = 0.0
        while True:
            if time.monotonic() >= next_records:
                self._curriculum.learn(await self._reach(self._replay.task_records))
                next_records = time.monotonic() + 5.0
            granted = 0
            if self._wanting:
                permit = await self._reach(partial(self._replay.permit, self._settings.name, self._wanting))
                granted = permit.granted
                self._wanting -= granted
                for _ in range(granted):
                    self._permits.put_nowait(None)
            await asyncio.sleep(0 if granted else 0.02)

    async def _deliver(self) -> None:
        """Deliver one trajectory after the other, each until it is acknowledged."""
        while True:
            trajectory = await self._outbox.get()
            new = await self._reach(partial(self._replay.add, trajectory))
            self._counts["delivered" if new else "delivered_twice"] += 1
            self._outbox.task_done()

    async def _reach(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call the replay until it answers: while it restarts, the worker waits and loses nothing."""
        pause_s = 0.05
        while True:
            try:
                return await call()
            except PartUnavailable:
                self._counts["replay_unavailable"] += 1
                await asyncio.sleep(pause_s)
                pause_s = min(2.0, pause_s * 2)

    # --- telling --------------------------------------------------------------------------------

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(self._settings.report_every_s)
            self._write_report()

    def _write_report(self, *, final: bool = False) -> None:
        self._fleet.report(final=final)
        batch = self._policy.stats
        self._recorder.metrics(
            "worker",
            {
                **{name: float(count) for name, count in self._counts.items()},
                "devices": float(len(self._fleet.slots)),
                "device_s": self._times.device_s,
                "policy_s": self._times.policy_s,
                "reset_s": self._times.reset_s,
                "waited_s": self._waited_s,
                "forward_s": batch.forward_s,
                "batch_size": batch.decisions / max(1, batch.batches),
                "version": float(self._policy.version),
            },
        )
