"""A worker's devices, each with a state of its own, and the one place where broken ones are repaired.

booting ─► ready ◄─► busy ─► suspect ─► repairing ─► ready
                               ▲            │  ▲
                               └─ booting   ▼  │
                                        quarantined
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from distrl.collect.faults import ERROR, NO_BOOT, Fault
from distrl.collect.health import IN_SERVICE, DeviceLog, summarize
from distrl.collect.ladder import REOPEN, REPLACE, Ladder, RepairSettings
from distrl.errors import DeviceError
from distrl.interfaces import Device, Repairable

Clock = Callable[[], float]
Replace = Callable[[int], Device]  # a new, unopened device for a slot
OnMove = Callable[["Slot", str], None]

CLOSE_S = 10.0  # a broken device may not hold up its successor for longer
FLEET_METRICS_EVERY_S = 5.0
DEVICE_METRICS_EVERY_S = 30.0
MOST_EVENTS = 50  # of devices that merely began or ended an episode, in one report

MOVES = {
    "booting": {"ready", "suspect"},
    "ready": {"busy"},
    "busy": {"ready", "suspect"},
    "suspect": {"repairing", "quarantined"},
    "repairing": {"repairing", "ready", "quarantined"},
    "quarantined": {"repairing", "quarantined"},
}


class FleetRecorder(Protocol):
    """Where a fleet writes what becomes of its devices."""

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None: ...


class Slot:
    """A place for one device, which may be replaced; knows its state and repairs it."""

    def __init__(
        self,
        index: int,
        device: Device,
        settings: RepairSettings,
        on_move: OnMove,
        *,
        replace: Replace | None,
        clock: Clock,
    ) -> None:
        self.index = index
        self.device = device
        self.log = DeviceLog(since=clock())
        self._settings = settings
        self._on_move = on_move
        self._replace = replace
        self._clock = clock
        self._ladder = Ladder(settings)
        self._fatal = ""  # the kind of the fault that ended the present episode

    @property
    def state(self) -> str:
        """Where in the diagram above it is."""
        return self.log.state

    async def boot(self) -> None:
        """Open the device; returns once it is ready, however long that takes."""
        try:
            async with asyncio.timeout(self._settings.deadlines_s[REOPEN]):
                await self._reopen()
        except (DeviceError, TimeoutError) as error:
            self.log.faults[NO_BOOT] += 1
            await self.mend(NO_BOOT, _reason(error))
        else:
            self._move("ready", "opened")

    def begin_episode(self) -> None:
        """The device is in use from now on."""
        self._fatal = ""
        self._move("busy", "")

    def note(self, fault: Fault) -> None:
        """Count a fault of the present episode."""
        log = self.log
        log.faults[fault.kind] += 1
        if not fault.survived:
            self._fatal = fault.kind
            return
        log.survived[fault.kind] += 1
        if fault.remedy:
            log.note_rung(fault.remedy, fault.repair_s, helped=True)
            log.note_mended(fault.kind, fault.repair_s)

    async def end_episode(self, *, lost: bool) -> None:
        """The episode is over; a device that was lost under it is repaired first."""
        if lost:
            await self.mend(self._fatal or ERROR, "lost in an episode")
        else:
            self._ladder.good_episode()
            self._move("ready", "")

    async def mend(self, kind: str, why: str) -> None:
        """Climb the ladder until a rung helps, sitting out between two climbs; returns when ready."""
        noticed = self._clock()
        self._move("suspect", f"{kind}: {why}")
        while True:
            for remedy in self._ladder.climb(kind, self._remedies()):
                self._move("repairing", remedy)
                trouble = await self._try(remedy)
                if not trouble:
                    self.log.note_mended(kind, self._clock() - noticed)
                    self._move("ready", f"{remedy} helped")
                    return
                why = f"{remedy}: {trouble}"
            pause_s = self._ladder.sit_out()
            self._move("quarantined", f"no remedy lasts against {kind} ({why}); next try in {pause_s:g} s")
            await asyncio.sleep(pause_s)

    async def close(self) -> None:
        """Let the device go, whatever shape it is in."""
        with suppress(DeviceError, TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self.device.close()

    # --- remedies -------------------------------------------------------------------------------

    def _remedies(self) -> list[str]:
        known = list(self.device.remedies()) if isinstance(self.device, Repairable) else []
        return [*known, REOPEN, *([REPLACE] if self._replace is not None else [])]

    async def _try(self, remedy: str) -> str:
        """Apply one remedy under its deadline; returns why it did not help, or nothing."""
        self._ladder.tried(remedy)
        begin, trouble = self._clock(), ""
        limit_s = self._settings.deadlines_s[remedy]
        try:
            async with asyncio.timeout(limit_s):
                await self._apply(remedy)
        except DeviceError as error:
            trouble = _reason(error)
        except TimeoutError:
            trouble = f"not done within {limit_s:g} s"
        self.log.note_rung(remedy, self._clock() - begin, helped=not trouble)
        return trouble

    async def _apply(self, remedy: str) -> None:
        device = self.device
        if isinstance(device, Repairable) and remedy in device.remedies():
            await device.repair(remedy)
        elif remedy == REPLACE and self._replace is not None:
            await self.close()
            self.device = self._replace(self.index)
            await self.device.open()
        else:
            await self._reopen()

    async def _reopen(self) -> None:
        await self.close()
        await self.device.open()

    def _move(self, state: str, why: str) -> None:
        if state not in MOVES[self.state]:
            raise RuntimeError(f"{self.device.id} cannot go from {self.state} to {state}")
        self.log.enter(state, self._clock())
        self._on_move(self, why)


class Fleet:
    """All devices of one worker, and what is told about them."""

    def __init__(
        self,
        worker: str,
        devices: Sequence[Device],
        settings: RepairSettings,
        recorder: FleetRecorder,
        *,
        replace: Replace | None,
        clock: Clock,
    ) -> None:
        self._worker = worker
        self._recorder = recorder
        self._clock = clock
        self._told: dict[int, str] = {}  # slot → the state that was last written
        self._all_down = False
        self._next_fleet_metrics = clock()
        self._next_device_metrics = clock() + DEVICE_METRICS_EVERY_S
        self.slots = [
            Slot(index, device, settings, self._moved, replace=replace, clock=clock)
            for index, device in enumerate(devices)
        ]

    async def close(self) -> None:
        """Let all devices go."""
        await asyncio.gather(*(slot.close() for slot in self.slots))

    def report(self, *, final: bool = False) -> None:
        """Write where the devices stand: states that changed, now and then numbers in sum and of each."""
        now = self._clock()
        if now >= self._next_fleet_metrics or final:
            self._next_fleet_metrics = now + FLEET_METRICS_EVERY_S
            self._recorder.metrics("fleet", summarize([slot.log for slot in self.slots], now))
        stale = [slot for slot in self.slots if self._told.get(slot.index) != slot.state]
        for slot in stale[:MOST_EVENTS]:
            self._tell(slot, "")
        if now >= self._next_device_metrics or final:
            self._next_device_metrics = now + DEVICE_METRICS_EVERY_S
            for slot in self.slots:
                if final or slot.log.faults:
                    labels = {"device": slot.device.id, "slot": str(slot.index)}
                    self._recorder.metrics("device", summarize([slot.log], now), **labels)

    def _moved(self, slot: Slot, why: str) -> None:
        """Write trouble at once; that an episode began or ended can wait for the next report."""
        if slot.state in IN_SERVICE and self._told.get(slot.index) in IN_SERVICE:
            return
        self._tell(slot, why)
        if slot.state == "quarantined":
            self._recorder.event("device_down", device=slot.device.id, reason=why)
        self._watch(why)

    def _tell(self, slot: Slot, why: str) -> None:
        self._told[slot.index] = slot.state
        self._recorder.event("device", device=slot.device.id, slot=slot.index, state=slot.state, why=why)

    def _watch(self, why: str) -> None:
        """Say it when the last device goes down, and when the first comes back."""
        down = all(slot.state == "quarantined" for slot in self.slots)
        up = any(slot.state in ("ready", "busy") for slot in self.slots)
        if down and not self._all_down:
            self._all_down = True
            text = (
                f"all {len(self.slots)} devices of {self._worker} are quarantined, the last because {why}; "
                "they are tried again and again: look at their power, cables and host"
            )
            self._recorder.event("warning", text=text)
        elif up and self._all_down:
            self._all_down = False
            self._recorder.event("warning", text=f"{self._worker} has a working device again")


def _reason(error: BaseException) -> str:
    return str(error) or "no answer in time"
