"""Calls to a device during an episode, and what can be mended at once without harm to the episode."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeGuard, TypeVar

from distrl.collect.faults import (
    BLACK_SCREEN,
    DIALOG,
    REBOOT,
    Fault,
    Resumable,
    has_stuck_app,
    is_black,
    kind_of,
)
from distrl.errors import DeviceError, DeviceLost, DeviceTimeout
from distrl.interfaces import Device, Repairable
from distrl.records import Action, Observation, Task

T = TypeVar("T")
OnFault = Callable[[Fault], None]

BLACK_PAUSE_S = 0.25  # before a black screen is looked at again


@dataclass(frozen=True)
class EpisodeLimits:
    """Deadlines of an episode; past the first the device has a fault, past the second the episode is cut."""

    step_timeout_s: float = 60.0
    episode_timeout_s: float = 1800.0
    reconnect_timeout_s: float = 20.0
    faults: int = 3  # survived in one episode; with one more the device is lost
    black_looks: int = 3  # black screens in a row after which the device is lost


@dataclass
class EpisodeTimes:
    """Where the time of episodes went, in seconds; summed over episodes by whoever owns it."""

    device_s: float = 0.0
    policy_s: float = 0.0
    reset_s: float = 0.0


class Mendable(Device, Repairable, Resumable, Protocol):
    """A device that can be reconnected, and that can tell whether it kept its state."""


def is_mendable(device: Device) -> TypeGuard[Mendable]:
    """Whether a device may be used further in an episode after a fault."""
    if not (isinstance(device, Repairable) and isinstance(device, Resumable)):
        return False
    return "reconnect" in device.remedies()


class FirstAid:
    """One device during one episode, every call under a deadline.

    After a hang or a lost connection the device is reconnected, and if its boot id shows that it is still the
    same running system, the episode goes on: looking and asking are repeated, since they change nothing; an
    action is not, since it may have been carried out, and the agent sees for itself. Everything else raises
    DeviceError, and the episode is lost.
    """

    def __init__(
        self, device: Device, limits: EpisodeLimits, times: EpisodeTimes, on_fault: OnFault | None = None
    ) -> None:
        self._device = device
        self._limits = limits
        self._times = times
        self._on_fault = on_fault
        self._left = limits.faults
        self._boot_id = ""  # unknown
        self._stuck = False  # whether the last screen showed a dialog of the system
        self._survived: list[str] = []

    def take_faults(self) -> str | None:
        """The kinds of faults survived since the last call."""
        kinds, self._survived = self._survived, []
        return ", ".join(dict.fromkeys(kinds)) or None

    async def reset(self, task: Task, seed: int) -> None:
        """Bring the device to the task's start; again after a fault, since nothing can be lost yet."""
        await self._repeat("reset", lambda: self._device.reset(task, seed))
        if isinstance(self._device, Resumable):
            self._boot_id = await self._call(self._device.boot_id())

    async def look(self) -> Observation:
        """The screen; one that is black is looked at again a few times, and never shown to the agent."""
        begin, looks = time.monotonic(), 1
        observation = await self._repeat("observe", self._device.observe)
        while is_black(observation):
            if looks == self._limits.black_looks:
                self._tell(Fault(BLACK_SCREEN, "observe", survived=False))
                raise DeviceLost(f"the screen of {self._device.id} stayed black for {looks} looks")
            await asyncio.sleep(BLACK_PAUSE_S)
            observation = await self._repeat("observe", self._device.observe)
            looks += 1
        if looks > 1:
            self._tell(Fault(BLACK_SCREEN, "observe", True, "look_again", time.monotonic() - begin))
        stuck = has_stuck_app(observation)
        if stuck and not self._stuck:
            self._tell(Fault(DIALOG, "observe", survived=True))
        self._stuck = stuck
        return observation

    async def act(self, action: Action) -> None:
        """Carry out an action, at most once."""
        try:
            await self._call(self._device.act(action))
        except DeviceError as error:
            await self._reconnect(error, "act")

    async def probe(self, command: str) -> str:
        """The device's answer to a shell command."""
        return await self._repeat("probe", lambda: self._device.probe(command))

    async def require_same_system(self) -> None:
        """Raise DeviceLost if the device has restarted since the reset, even if no call has noticed."""
        device = self._device
        if not isinstance(device, Resumable):
            return
        if await self._repeat("boot_id", device.boot_id) != self._boot_id:
            self._tell(Fault(REBOOT, "boot_id", survived=False))
            raise DeviceLost(f"{device.id} restarted during the episode")

    # --- under the deadline ---------------------------------------------------------------------

    async def _call(self, awaitable: Awaitable[T]) -> T:
        begin = time.monotonic()
        limit_s = self._limits.step_timeout_s
        try:
            async with asyncio.timeout(limit_s):
                return await awaitable
        except TimeoutError as error:
            raise DeviceTimeout(f"{self._device.id} did not answer within {limit_s:g} s") from error
        finally:
            self._times.device_s += time.monotonic() - begin

    async def _repeat(self, operation: str, call: Callable[[], Awaitable[T]]) -> T:
        """Call, and once more if the device could be mended; a second failure is the device's end."""
        try:
            return await self._call(call())
        except DeviceError as error:
            await self._reconnect(error, operation)
        try:
            return await self._call(call())
        except DeviceError as error:
            self._tell(Fault(kind_of(error), operation, survived=False))
            raise

    async def _reconnect(self, error: DeviceError, operation: str) -> None:
        """Mend the connection to a device that kept its state; raises if that cannot be done or told."""
        device, kind, begin = self._device, kind_of(error), time.monotonic()
        if not is_mendable(device) or self._left == 0:
            self._tell(Fault(kind, operation, survived=False))
            raise error
        self._left -= 1
        try:
            async with asyncio.timeout(self._limits.reconnect_timeout_s):
                await device.repair("reconnect")
                boot_id = await device.boot_id()
        except (DeviceError, TimeoutError) as worse:
            self._tell(Fault(kind, operation, survived=False))
            raise error from worse
        if operation != "reset" and boot_id != self._boot_id:
            self._tell(Fault(REBOOT, operation, survived=False))
            raise DeviceLost(f"{device.id} restarted during the episode") from error
        self._tell(Fault(kind, operation, True, "reconnect", time.monotonic() - begin))

    def _tell(self, fault: Fault) -> None:
        if fault.survived:
            self._survived.append(fault.kind)
        if self._on_fault is not None:
            self._on_fault(fault)
