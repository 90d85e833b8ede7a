"""Android emulators as devices: an AdbDevice on an emulator that is made, booted, cleaned and stopped here.

The first time, an AVD is made and booted cold; once its home screen is there, everything is saved as the
clean snapshot. From then on emulators boot from that snapshot, and every episode begins with loading it: the
console's answer is checked, then the screen. If that fails the emulator is started again and the snapshot
loaded into the new one. If that fails too, the AVD is made anew and booted cold.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time

from distrl.config import DeviceConfig
from distrl.devices.adb.device import AdbDevice
from distrl.devices.adb.protocol import AdbServer
from distrl.devices.emulator.avds import Avds
from distrl.devices.emulator.console import Console
from distrl.devices.emulator.control import ControlledDevice
from distrl.devices.emulator.options import EmulatorOptions, read_options
from distrl.devices.emulator.process import GRPC_ABOVE, POLL_S, EmulatorProcess
from distrl.devices.emulator.sdk import find_sdk
from distrl.devices.emulator.slots import Slot, take_slot
from distrl.errors import ConfigError, DeviceError, DeviceLost, DeviceTimeout
from distrl.records import Action, Observation, Task

SNAPSHOT_S = 60.0  # that saving or loading a snapshot may take
CALL_S = 10.0
_HOME_APP = (
    "cmd package resolve-activity --brief -c android.intent.category.HOME -a android.intent.action.MAIN"
)
_GO_HOME = "input keyevent 224; wm dismiss-keyguard >/dev/null 2>&1 || true; input keyevent 3"
# Once, before the clean snapshot: animations only cost time.
_PREPARE = "; ".join(
    f"settings put global {name} 0"
    for name in ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
)
_STUCK = ("isn't responding", "isn\u2019t responding", "keeps stopping")
_REMEDIES = ("reconnect", "restart_app", "restore_snapshot", "reboot", "replace")


class EmulatorDevice:
    """One emulator behind the Device interface; see the module's docstring."""

    def __init__(self, index: int, options: EmulatorOptions, picture_scale: float = 1.0) -> None:
        self.id = f"emulator-{options.port + 2 * index}"
        self._index = index
        self._options = options
        self._picture_scale = picture_scale
        self._slot: Slot | None = None
        self._process: EmulatorProcess | None = None
        self._adb: AdbDevice | ControlledDevice | None = None
        self._home_app = ""
        self._clean = False  # nothing has happened since the clean snapshot
        self._starts = 0  # of the process and of the snapshot: each is another running system

    # -- the Device interface --------------------------------------------------------------------

    async def open(self) -> None:
        """Take a free port, make its AVD unless it is there, and boot it; at first, save the snapshot."""
        if self._slot is None:
            self._slot = await asyncio.to_thread(take_slot, self._options.port, self._index)
            self.id = f"emulator-{self._slot.port}"
        try:
            await self._begin()
        except BaseException:
            await self.close()
            raise

    async def reset(self, task: Task, seed: int) -> None:
        """Load the clean snapshot, or start the emulator again if that fails; then prepare the task."""
        if not self._clean:
            try:
                await self._restore(self._running()[1])
            except DeviceError:
                await self._restart()
        self._clean = False
        await self._running()[1].reset(task, seed)

    async def observe(self) -> Observation:
        """The screen once it has settled."""
        return await self._running()[1].observe()

    async def act(self, action: Action) -> None:
        """Carry out an action."""
        await self._running()[1].act(action)

    async def probe(self, command: str) -> str:
        """The answer to a shell command."""
        return await self._running()[1].probe(command)

    async def close(self) -> None:
        """Stop the emulator and let others have its port; the AVD and its snapshot stay."""
        try:
            await self._stop()
        finally:
            if self._slot is not None:
                self._slot.release()
                self._slot = None

    # -- remedies --------------------------------------------------------------------------------

    def remedies(self) -> tuple[str, ...]:
        """All that there are."""
        return _REMEDIES

    async def repair(self, remedy: str) -> None:
        """Apply one remedy; all but the last two need an emulator that still runs, and say so at once."""
        if remedy == "reboot":
            await self._restart()
        elif remedy == "replace":
            await self._renew()
        elif remedy == "restore_snapshot":
            await self._restore(self._running()[1])
        elif remedy in _REMEDIES:
            await self._running()[1].repair(remedy)
        else:
            raise DeviceError(f"{self.id} knows no remedy {remedy!r}; it knows {', '.join(_REMEDIES)}")

    async def boot_id(self) -> str:
        """Another one after every start and every snapshot loaded."""
        return f"{self._starts}/{await self._running()[1].boot_id()}"

    # -- from nothing to a clean emulator ----------------------------------------------------------

    async def _begin(self) -> None:
        slot, avds = self._opened()
        await avds.ensure(slot.port)
        cold = not avds.has_snapshot(slot.port)
        await self._boot(cold=cold)
        if cold:
            await self._save()

    async def _restart(self) -> None:
        """End the emulator, boot it again, and load the clean snapshot into it.

        It may have booted from the snapshot, or cold without telling anybody: only the console's answer
        counts. A snapshot that not even a fresh emulator loads is beyond repair, so the AVD is made anew.
        """
        self._opened()
        await self._stop()
        await self._begin()
        if self._clean:
            return
        try:
            await self._restore(self._running()[1])
        except DeviceError:
            await self._renew()

    async def _renew(self) -> None:
        """Throw the AVD away and begin from nothing."""
        slot, avds = self._opened()
        await self._stop()
        await avds.ensure(slot.port, anew=True)
        await self._begin()

    async def _boot(self, *, cold: bool) -> None:
        """Start the process and wait until Android is up."""
        slot, avds = self._opened()
        server = AdbServer(self._options.adb.host, self._options.adb.port)
        await server.start()
        deadline = time.monotonic() + self._options.boot_s
        self._starts += 1
        self._process = EmulatorProcess(find_sdk(self._options.sdk), avds, self._options, slot, cold=cold)
        await self._wait_for_android(server, deadline)
        self._adb = self._driver(slot.port)
        await self._adb.open()
        answer = (await self._adb.probe(f"{_HOME_APP} || true")).split()
        self._home_app = answer[-1].partition("/")[0] if answer and "/" in answer[-1] else ""

    async def _wait_for_android(self, server: AdbServer, deadline: float) -> None:
        """Wait until adb reaches it and it has booted; raises DeviceLost at once if its process ends."""
        assert self._process is not None
        why = "it is unknown to adb"
        while True:
            self._process.check()
            try:
                reply = await server.shell(self.id, "getprop sys.boot_completed", CALL_S)
                if reply.text == "1":
                    return
                why = "sys.boot_completed is not set"
            except DeviceError as error:
                why = str(error)
            if time.monotonic() >= deadline:
                raise DeviceTimeout(f"{self.id} did not boot within {self._options.boot_s:g} s: {why}")
            await asyncio.sleep(POLL_S)

    async def _save(self) -> None:
        """Keep the emulator as it is now as the clean snapshot."""
        slot, _ = self._opened()
        _, adb = self._running()
        await adb.probe(_PREPARE)
        await self._verify(adb)
        await Console(slot.port).ask(f"avd snapshot save {self._options.snapshot}", SNAPSHOT_S)
        self._clean = True

    async def _restore(self, adb: AdbDevice | ControlledDevice) -> None:
        """Load the clean snapshot and look whether it is clean."""
        slot, _ = self._opened()
        process, _ = self._running()
        await Console(slot.port).ask(f"avd snapshot load {self._options.snapshot}", SNAPSHOT_S)
        self._starts += 1
        process.check()
        server = AdbServer(self._options.adb.host, self._options.adb.port)
        await self._wait_for_android(server, time.monotonic() + self._options.boot_s)
        await self._verify(adb)
        self._clean = True

    async def _verify(self, adb: AdbDevice | ControlledDevice) -> None:
        """Wait until the home screen is in front and no app is said to be stuck."""
        process, _ = self._running()
        deadline = time.monotonic() + self._options.boot_s
        while True:
            process.check()
            why = "it does not answer"
            try:
                await adb.probe(_GO_HOME)
                seen = await adb.observe()
                self._home_app = self._home_app or seen.app
                if _is_stuck(seen):
                    why = "an app does not respond"
                elif seen.app != self._home_app:
                    why = f"{seen.app or 'nothing'} is in front, not {self._home_app}"
                else:
                    return
            except DeviceError as error:
                why = str(error)
            if time.monotonic() >= deadline:
                raise DeviceTimeout(f"{self.id} is not clean after {self._options.boot_s:g} s: {why}")
            await asyncio.sleep(POLL_S)

    async def _stop(self) -> None:
        adb, process = self._adb, self._process
        self._adb = self._process = None
        self._clean = False
        try:
            if adb is not None:
                await adb.close()
        finally:
            if process is not None:
                await process.stop()

    def _driver(self, port: int) -> AdbDevice | ControlledDevice:
        options = dataclasses.replace(self._options.adb, serials=(self.id,))
        adb = AdbDevice(0, options, self._picture_scale)
        if self._options.screen == "adb":
            return adb
        return ControlledDevice(
            adb, port + GRPC_ABOVE, tree=options.tree, settle_s=options.settle_s, scale=self._picture_scale
        )

    def _opened(self) -> tuple[Slot, Avds]:
        if self._slot is None:
            raise DeviceLost(f"{self.id} is not open: open it first")
        return self._slot, Avds(find_sdk(self._options.sdk), self._options)

    def _running(self) -> tuple[EmulatorProcess, AdbDevice | ControlledDevice]:
        """The process and what drives it; raises DeviceLost at once if the process has ended."""
        if self._process is None or self._adb is None:
            raise DeviceLost(f"{self.id} does not run: open it first")
        self._process.check()
        return self._process, self._adb


def _is_stuck(seen: Observation) -> bool:
    return any(phrase in node.text for node in seen.ui or () for phrase in _STUCK)


def build(config: DeviceConfig, index: int = 0, seed: int = 0) -> EmulatorDevice:
    """An emulator on the port with this number, or the next free one; the seed changes nothing."""
    del seed
    if config.profile != "instant":
        raise ConfigError("only simulated phones have one", "device.profile")
    return EmulatorDevice(index, read_options(config.options), config.picture_scale)
