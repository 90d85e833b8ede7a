"""A list of episodes, each run once: by whichever device is free, and again if the device was lost under it.

For evaluations and demonstrations, which end when the list is done; a worker's episodes never end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.collect.fleet import Replace, Slot
from distrl.collect.ladder import RepairSettings
from distrl.errors import DeviceError
from distrl.interfaces import Device, Judge, PolicyClient
from distrl.records import Ending, Task, Trajectory

CLIMBS = 2  # of the ladder by every device, without a finished episode, after which there is no hope
DOWN = ("suspect", "repairing", "quarantined")


class Errand(NamedTuple):
    """One episode to be run."""

    task: Task
    seed: int
    policy: PolicyClient


class Errands:
    """Runs a list of episodes on devices that are repaired by the ladder, as in a worker.

    An episode lost to its device goes to the next free one, `retries` times; after that it stays as it is,
    DEVICE_LOST, which is no verdict on the agent. DeviceError is raised only when no device can be opened, or
    when all of them stay broken.
    """

    def __init__(
        self,
        errands: Sequence[Errand],
        devices: Sequence[Device],
        judge: Judge,
        *,
        run: str,
        worker: str,
        limits: EpisodeLimits,
        repair: RepairSettings | None = None,
        replace: Replace | None = None,
        retries: int = 2,
        on_episode: Callable[[Trajectory], None] | None = None,
    ) -> None:
        self._errands = errands
        self._judge = judge
        self._run = run
        self._worker = worker
        self._limits = limits
        self._retries = retries
        self._on_episode = on_episode
        settings = repair if repair is not None else RepairSettings()
        self._slots = [
            Slot(index, device, settings, self._moved, replace=replace, clock=time.monotonic)
            for index, device in enumerate(devices)
        ]
        self._todo: asyncio.Queue[tuple[int, int]] = asyncio.Queue()  # which, and how often it was lost
        self._results: dict[int, Trajectory] = {}
        self._over = asyncio.Event()
        self._hopeless = ""  # why no device will ever finish an episode
        self._served = False  # whether any device was ever ready
        self._quarantines = 0  # since an episode was last finished

    async def run(self) -> list[Trajectory]:
        """The judged episodes, in the order of the list; devices are opened first and closed in the end."""
        if not self._errands:
            return []
        for index in range(len(self._errands)):
            self._todo.put_nowait((index, 0))
        drivers = [asyncio.ensure_future(self._drive(slot)) for slot in self._slots]
        over = asyncio.ensure_future(self._over.wait())
        try:
            done, _ = await asyncio.wait([over, *drivers], return_when=asyncio.FIRST_COMPLETED)
            for driver in done - {over}:
                driver.result()  # it ended by an error, of the judge or the policy: that is the caller's
        finally:
            for task in [over, *drivers]:
                task.cancel()
            await asyncio.gather(over, *drivers, return_exceptions=True)
            await asyncio.gather(*(slot.close() for slot in self._slots))
        if self._hopeless:
            raise DeviceError(self._hopeless)
        return [self._results[index] for index in range(len(self._errands))]

    async def _drive(self, slot: Slot) -> None:
        await slot.boot()
        while True:
            index, losses = await self._todo.get()
            errand = self._errands[index]
            slot.begin_episode()
            trajectory = await run_episode(
                slot.device,
                errand.policy,
                errand.task,
                seed=errand.seed,
                run=self._run,
                worker=self._worker,
                limits=self._limits,
                on_fault=slot.note,
            )
            lost = trajectory.ending is Ending.DEVICE_LOST
            if lost and losses < self._retries:
                self._todo.put_nowait((index, losses + 1))
            else:
                verdict = await self._judge.judge(trajectory)
                self._finish(index, msgspec.structs.replace(trajectory, verdict=verdict))
            if not lost:
                self._quarantines = 0
            await slot.end_episode(lost=lost)

    def _finish(self, index: int, trajectory: Trajectory) -> None:
        self._results[index] = trajectory
        if self._on_episode is not None:
            self._on_episode(trajectory)
        if len(self._results) == len(self._errands):
            self._over.set()

    def _moved(self, slot: Slot, why: str) -> None:
        """Give up if all devices are down and there is no hope that one comes back."""
        self._served |= slot.state == "ready"
        self._quarantines += slot.state == "quarantined"
        if not all(each.state in DOWN for each in self._slots):
            return
        count = len(self._slots)
        if not self._served:
            some = "the device" if count == 1 else f"any of the {count} devices"
            self._give_up(f"cannot open {some}: {why.removeprefix('no_boot: ')}")
        elif self._quarantines >= CLIMBS * count:
            all_of_them = "the device stays" if count == 1 else f"all {count} devices stay"
            self._give_up(f"{all_of_them} broken, the last because {why}; look at power, cables and host")

    def _give_up(self, why: str) -> None:
        self._hopeless = self._hopeless or why
        self._over.set()
