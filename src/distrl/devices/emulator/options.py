"""What `device.options` may say about emulators."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from distrl.devices.adb.options import KNOWN as KNOWN_BY_ADB
from distrl.devices.adb.options import AdbOptions
from distrl.devices.adb.options import read_options as read_adb_options
from distrl.errors import ConfigError

KNOWN = {
    "sdk": "folder of the Android SDK",
    "avd": "name of a prepared AVD, which is copied once for every emulator",
    "image": "system image that AVDs are created from if there is no `avd`",
    "hardware": "hardware profile of created AVDs, as `avdmanager list device` names them",
    "avd_home": "folder that holds AVDs",
    "ram_mb": "memory of each emulator",
    "cores": "processor cores of each emulator",
    "snapshot": "name of the snapshot that every episode starts from",
    "port": "console port of the first emulator; the next ones take every second port from there",
    "gpu": "the emulator's -gpu",
    "boot_s": "seconds that an emulator may take to boot, or to become clean",
    "screen": "adb, or grpc: pictures and touches through the emulator's own service",
    "arguments": "more arguments of the `emulator` program",
}
OF_ADB = tuple(name for name in KNOWN_BY_ADB if name != "serials")
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_HIGHEST_FIRST_PORT = 60000


@dataclass(frozen=True)
class EmulatorOptions:
    """The options, read and checked."""

    sdk: str = ""
    avd: str = ""
    image: str = "system-images;android-34;google_apis;x86_64"
    hardware: str = "pixel_6"
    avd_home: Path = Path()
    ram_mb: int = 2048
    cores: int = 2
    snapshot: str = "distrl_clean"
    port: int = 5554
    gpu: str = "swiftshader_indirect"
    boot_s: float = 150.0
    screen: str = "adb"
    arguments: tuple[str, ...] = ()
    adb: AdbOptions = field(default_factory=AdbOptions)


def read_options(options: dict[str, str]) -> EmulatorOptions:
    """The options of a configuration; one ConfigError names all faults."""
    known = (*KNOWN, *OF_ADB)
    faults = [
        f"there is no option {name!r}; known: {', '.join(known)}" for name in options if name not in known
    ]
    adb = AdbOptions()
    try:
        adb = read_adb_options({name: text for name, text in options.items() if name in OF_ADB})
    except ConfigError as error:
        faults += error.faults
    default = EmulatorOptions
    snapshot, screen = options.get("snapshot", default.snapshot), options.get("screen", default.screen)
    for name, text in (("avd", options.get("avd", "x")), ("snapshot", snapshot)):
        if not _NAME.fullmatch(text):
            faults.append(f"{name} = {text!r}: letters, digits, '.', '_' and '-' only")
    if screen not in ("adb", "grpc"):
        faults.append(f"screen = {screen!r}: should be adb or grpc")
    port = _whole("port", options, default.port, faults, most=_HIGHEST_FIRST_PORT)
    if port % 2:
        faults.append(f"port = {port}: an emulator's console port is even, for instance {default.port}")
    read = EmulatorOptions(
        sdk=options.get("sdk", ""),
        avd=options.get("avd", ""),
        image=options.get("image", default.image),
        hardware=options.get("hardware", default.hardware),
        avd_home=find_avd_home(options.get("avd_home", "")),
        ram_mb=_whole("ram_mb", options, default.ram_mb, faults),
        cores=_whole("cores", options, default.cores, faults),
        snapshot=snapshot,
        port=port,
        gpu=options.get("gpu", default.gpu),
        boot_s=float(_whole("boot_s", options, int(default.boot_s), faults)),
        screen=screen,
        arguments=tuple(shlex.split(options.get("arguments", ""))),
        adb=adb,
    )
    if faults:
        raise ConfigError(faults, "device.options")
    return read


def find_avd_home(given: str) -> Path:
    """The folder with AVDs: as given, or where the SDK's programs look for it."""
    if given:
        return Path(given).expanduser()
    if "ANDROID_AVD_HOME" in os.environ:
        return Path(os.environ["ANDROID_AVD_HOME"])
    for name in ("ANDROID_EMULATOR_HOME", "ANDROID_USER_HOME"):
        if name in os.environ:
            return Path(os.environ[name]) / "avd"
    return Path.home() / ".android" / "avd"


def _whole(name: str, options: dict[str, str], default: int, faults: list[str], most: int = 10**6) -> int:
    text = options.get(name, str(default)).strip()
    if not text.isdecimal() or not 0 < int(text) <= most:
        faults.append(f"{name} = {text!r}: should be a whole number from 1 to {most}")
        return default
    return int(text)
