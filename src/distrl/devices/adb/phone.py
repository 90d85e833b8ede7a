"""One phone behind the adb server, as far as it has nothing to do with episodes: starting, facts, shell."""

from __future__ import annotations

import asyncio
import re
import time
from typing import NamedTuple

from distrl.devices.adb import commands, leases
from distrl.devices.adb.options import AdbOptions
from distrl.devices.adb.protocol import POLL_S, AdbServer, Reply
from distrl.errors import DeviceError, DeviceLost

ATTACH_S, BOOT_S = 15.0, 180.0
SIMULATED = "simphone"  # the brand of simulated phones, which know `simphone reset`
MARK = "--distrl-mark--"

_SIZE = re.compile(r"(?:Override|Physical) size: (\d+)x(\d+)")
_BOOT_ID = "cat /proc/sys/kernel/random/boot_id 2>/dev/null || getprop ro.boottime.init"
_QUESTIONS = (
    "wm size", "getprop ro.product.brand", "settings get secure default_input_method", "ime list -s -a",
    "pm list packages", "simphone apps 2>/dev/null",
)  # fmt: skip


class Facts(NamedTuple):
    """What is asked once, when a phone is opened."""

    width: int
    height: int
    simulated: bool
    keyboard: str  # the one in use before ours
    any_text: bool  # whether ADBKeyBoard is in use
    packages: frozenset[str]
    labels: dict[str, str]  # names of apps, in small letters, and their packages


class AdbPhone:
    """A serial, the server that knows it, and how long an answer may take."""

    def __init__(self, server: AdbServer, serial: str, options: AdbOptions) -> None:
        self.serial = serial
        self._server = server
        self._options = options

    async def shell(self, line: str) -> Reply:
        """Run a line of the phone's shell."""
        return await self._server.shell(self.serial, line, self._options.timeout_s)

    async def exec(self, line: str) -> bytes:
        """What a line of the phone's shell prints, byte by byte."""
        return await self._server.exec(self.serial, line, self._options.timeout_s)

    async def boot_id(self) -> str:
        """Another one after every start of the phone."""
        return (await self.shell(_BOOT_ID)).stdout.decode("utf-8", "replace").strip()

    async def connect(self, *, anew: bool = False) -> None:
        """Wait until the adb server reaches the phone and the phone has started; starts the server."""
        await self._server.start()
        if anew:
            await self._server.detach(self.serial)
        await self._wait_for_boot(None)

    async def reboot(self) -> None:
        """Restart the phone and wait until it is there again."""
        before = await self.boot_id()
        await self._server.call(self.serial, "reboot:", self._options.timeout_s)
        await self._wait_for_boot(before)

    async def _wait_for_boot(self, other_than: str | None) -> None:
        """Wait until the phone has started, after a reboot with another boot id than before."""
        deadline = time.monotonic() + BOOT_S
        while True:
            try:
                await self._server.attach(self.serial, ATTACH_S)
                reply = await self.shell(f"getprop sys.boot_completed; {_BOOT_ID}")
                completed, _, boot_id = reply.stdout.decode("utf-8", "replace").partition("\n")
                if completed.strip() == "1" and boot_id.strip() != other_than:
                    return
            except DeviceError:
                if other_than is None:  # no reboot under way, so nothing to wait for
                    raise
            if time.monotonic() >= deadline:
                raise DeviceLost(f"{self.serial} did not finish starting within {BOOT_S:g} s")
            await asyncio.sleep(POLL_S)

    async def facts(self) -> Facts:
        """Size, brand, keyboards and apps, in one round trip; takes ADBKeyBoard into use if it is there."""
        reply = await self.shell("; ".join(f"{question}; echo {MARK}" for question in _QUESTIONS))
        parts = [part.strip() for part in reply.stdout.decode("utf-8", "replace").split(f"{MARK}\n")]
        size, brand, keyboard, keyboards, packages, apps, *_ = parts + [""] * len(_QUESTIONS)
        sizes = _SIZE.findall(size)
        if not sizes:
            raise DeviceError(f"{self.serial} does not tell the size of its screen: {reply.text[:200]}")
        width, height = map(int, sizes[-1])  # an override comes after the physical size
        simulated = brand == SIMULATED
        labels = (line.partition(" ") for line in apps.splitlines()) if simulated else ()
        return Facts(
            width,
            height,
            simulated,
            keyboard,
            await self._take_keyboard(keyboards.split()),
            frozenset(line.removeprefix("package:") for line in packages.split()),
            {label.lower(): package for package, _, label in labels} | self._options.apps,
        )

    async def _take_keyboard(self, keyboards: list[str]) -> bool:
        there = commands.ADB_KEYBOARD in keyboards
        if self._options.keyboard == "adbkeyboard" and not there:
            raise DeviceError(
                f"{self.serial} has no ADBKeyBoard: install it, or set device.options.keyboard=ascii"
            )
        if not there or self._options.keyboard == "ascii":
            return False
        await self.shell(f"ime enable {commands.ADB_KEYBOARD}; ime set {commands.ADB_KEYBOARD}")
        return True


async def lease_phone(server: AdbServer, options: AdbOptions, index: int) -> leases.Lease:
    """The phone with this number if it is free, or the next one that is; raises DeviceLost if none is."""
    known = await server.devices()
    wanted = options.serials or tuple(serial for serial, state in known.items() if state == "device")
    if not wanted:
        raise DeviceLost(
            "adb knows no phone; plug one in, start an emulator, or name addresses in device.options.serials"
        )
    start = index % len(wanted)
    lease = leases.take([*wanted[start:], *wanted[:start]], f"{options.host}:{options.port}")
    if lease is None:
        raise DeviceLost(
            f"all {len(wanted)} phones are in use; workers and evaluators need one each: connect more or use "
            "fewer (collect.devices, evaluation.devices)"
        )
    return lease
