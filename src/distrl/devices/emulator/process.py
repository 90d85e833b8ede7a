"""The emulator's process: started in a group of its own, watched, and stopped with all that it started."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import subprocess
from collections.abc import Callable

from distrl.devices.emulator.avds import Avds
from distrl.devices.emulator.console import Console
from distrl.devices.emulator.options import EmulatorOptions
from distrl.devices.emulator.sdk import Sdk
from distrl.devices.emulator.slots import KILL_S, Slot, kill_group
from distrl.errors import DeviceError, DeviceLost

ASK_TO_END_S, END_S = 2.0, 4.0  # together well below the deadline of closing a device
POLL_S = 0.05
GRPC_ABOVE = 3000  # from the console's port to the gRPC service's, as the emulator itself has it


class EmulatorProcess:
    """One running emulator on a slot."""

    def __init__(self, sdk: Sdk, avds: Avds, options: EmulatorOptions, slot: Slot, *, cold: bool) -> None:
        self.port = slot.port
        self._slot = slot
        self._over = False
        self._log = slot.log.open("wb")
        command = [str(sdk.emulator), *arguments(avds.name(slot.port), options, slot.port, cold=cold)]
        environment = {
            "ANDROID_AVD_HOME": str(avds.home),
            "ANDROID_HOME": str(sdk.root),
            "ANDROID_SDK_ROOT": str(sdk.root),
            "ANDROID_ADB_SERVER_PORT": str(options.adb.port),
        }
        try:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            self._log.close()
            raise DeviceError(f"the emulator cannot be started: {error}") from error
        self._slot.note(self._process.pid)
        atexit.register(self.kill)

    @property
    def pid(self) -> int:
        """Its process id, which is also that of its group."""
        return self._process.pid

    def check(self) -> None:
        """Raise DeviceLost unless it runs, with the last words of its log."""
        status = self._process.poll()
        if status is None:
            return
        words = [line.strip() for line in self._slot.log.read_text("utf-8", "replace").splitlines()]
        last = next((line for line in reversed(words) if line), "nothing")
        raise DeviceLost(
            f"emulator-{self.port} has ended with status {status}; it said: {last} (log: {self._slot.log})"
        )

    async def stop(self) -> None:
        """Ask it to end, then make it; however this is left, it does not run any more."""
        try:
            if self._process.poll() is None:
                with contextlib.suppress(DeviceError):
                    await Console(self.port).ask("kill", ASK_TO_END_S)
                    await self._ended(END_S)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it at once, with all that it started."""
        if self._over:
            return
        self._over = True
        kill_group(self._process.pid)
        with contextlib.suppress(subprocess.TimeoutExpired):  # the kernel may not let go of it for a while
            self._process.wait(KILL_S)
        self._log.close()
        self._slot.clear()
        atexit.unregister(self.kill)

    async def _ended(self, timeout_s: float) -> None:
        await wait_until(lambda: self._process.poll() is not None, timeout_s)


def arguments(avd: str, options: EmulatorOptions, port: int, *, cold: bool) -> list[str]:
    """The words after `emulator`: headless, on fixed ports, from the clean snapshot unless `cold`."""
    words = ["-avd", avd, "-port", str(port), "-no-window", "-no-audio", "-no-boot-anim", "-gpu", options.gpu]
    words += ["-memory", str(options.ram_mb), "-cores", str(options.cores), "-no-snapshot-save"]
    words += ["-no-snapshot-load"] if cold else ["-snapshot", options.snapshot]
    if options.screen == "grpc":
        words += ["-grpc", str(port + GRPC_ABOVE)]
    return [*words, *options.arguments]


async def wait_until(happened: Callable[[], bool], timeout_s: float) -> bool:
    """Wait for something within a deadline; whether it happened."""
    deadline = asyncio.get_running_loop().time() + timeout_s
    while not happened():
        if asyncio.get_running_loop().time() >= deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True
