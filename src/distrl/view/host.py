"""What this machine has, found without changing or starting anything, every question under a deadline."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from distrl.devices.adb.options import read_options
from distrl.devices.adb.protocol import AdbServer
from distrl.devices.browser.chromium import NAMES as BROWSERS
from distrl.devices.emulator.sdk import USUAL as SDK_PLACES
from distrl.errors import DeviceError

ASK_S = 2.0  # for any answer of a program or a phone
_PHONE = "getprop ro.product.model; getprop ro.build.version.release; getprop ro.product.brand; wm size"
_SIZE = re.compile(r"size: (\d+x\d+)")


@dataclass(frozen=True)
class AttachedPhone:
    """One phone or emulator that the adb server knows."""

    serial: str
    state: str
    model: str = ""
    android: str = ""
    screen: str = ""
    simulated: bool | None = None  # None: it did not tell


@dataclass(frozen=True)
class Sdk:
    """Android's SDK on this machine."""

    folder: Path
    emulator: Path | None
    avdmanager: Path | None
    images: tuple[str, ...]


async def output_of(*command: str, timeout_s: float | None = None) -> str | None:
    """What a program prints; None if it is not here, fails, or does not end in time."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return None
    try:
        async with asyncio.timeout(ASK_S if timeout_s is None else timeout_s):
            output, _ = await process.communicate()
    except TimeoutError:
        # Not `process.kill()`: that collects a program which has just ended, and asyncio misses it.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        return None
    return output.decode("utf-8", "replace").strip() if process.returncode == 0 else None


# --- adb ----------------------------------------------------------------------------------------


def adb_server() -> AdbServer:
    """The adb server that `adb` itself would use here."""
    options = read_options({})
    return AdbServer(options.host, options.port)


async def server_version(server: AdbServer) -> str | None:
    """The version of the adb server that runs; None if none does. None is started."""
    try:
        return str(int(await server.host_request("host:version", ASK_S), 16))
    except (DeviceError, ValueError):
        return None


async def attached_phones(server: AdbServer) -> list[AttachedPhone]:
    """The phones that a running adb server knows, all asked at once."""
    async with asyncio.timeout(ASK_S):
        known = await server.devices()
    return await asyncio.gather(*(_introduce(server, serial, state) for serial, state in known.items()))


async def _introduce(server: AdbServer, serial: str, state: str) -> AttachedPhone:
    if state != "device":
        return AttachedPhone(serial, state)
    try:
        reply = await server.shell(serial, _PHONE, ASK_S)
    except DeviceError:
        return AttachedPhone(serial, "no answer")
    model, android, brand, *rest = [*reply.stdout.decode("utf-8", "replace").splitlines(), "", "", ""]
    sizes = _SIZE.findall("\n".join(rest))
    return AttachedPhone(
        serial, state, model, android, sizes[-1] if sizes else "", simulated=brand.strip() == "simphone"
    )


# --- emulators and browsers -----------------------------------------------------------------------


def find_sdk() -> Sdk | None:
    """Android's SDK: where the environment says, at the usual places, or around `emulator` on the PATH."""
    named = [os.environ.get(name, "") for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT")]
    program = shutil.which("emulator")
    around = [str(Path(program).resolve().parent.parent)] if program else []
    for place in [*filter(None, named), *SDK_PLACES, *around]:
        folder = Path(place).expanduser()
        tools = (
            _program(folder, "emulator", "emulator"),
            _program(folder, "avdmanager", "cmdline-tools/*/bin"),
        )
        images = tuple(
            str(image.parent.relative_to(folder / "system-images"))
            for image in sorted(folder.glob("system-images/*/*/*/system.img"))
        )
        if any(tools) or images:
            return Sdk(folder, *tools, images)
    return None


def _program(folder: Path, name: str, inside: str) -> Path | None:
    found = sorted(folder.glob(f"{inside}/{name}"))
    on_path = shutil.which(name)
    return found[-1] if found else Path(on_path) if on_path else None


def find_avds() -> list[str]:
    """The names of Android's virtual devices, by their files."""
    home = (
        os.environ.get("ANDROID_AVD_HOME") or Path(os.environ.get("ANDROID_USER_HOME", "~/.android")) / "avd"
    )
    return sorted(file.stem for file in Path(home).expanduser().glob("*.ini"))


def find_browsers() -> list[str]:
    """The Chromium browsers on the PATH, those for machines without a screen first."""
    return [found for name in BROWSERS if (found := shutil.which(name))]
