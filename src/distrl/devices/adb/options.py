"""What `device.options` may say about phones behind adb."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from distrl.errors import ConfigError

KNOWN = {
    "serials": "which phones: serials and addresses with commas, or a range such as 127.0.0.1:5600-5615",
    "server": "HOST:PORT of the adb server",
    "reset": "line of the phone's shell that brings it to a clean state before each episode",
    "apps": "names of apps and their packages: Chrome=com.android.chrome,Shop=com.example.shop",
    "keyboard": "auto, adbkeyboard (any text) or ascii (`input text`)",
    "tree": "on or off: ask for the accessibility tree",
    "settle_s": "seconds after which a screen that does not settle is taken as it is",
    "timeout_s": "seconds after which a command that does not answer means that the phone hangs",
}
_RANGE = re.compile(r"(.+):(\d+)-(\d+)")


@dataclass(frozen=True)
class AdbOptions:
    """The options, read and checked."""

    serials: tuple[str, ...] = ()  # none: whatever the adb server knows
    host: str = "127.0.0.1"
    port: int = 5037
    reset: str = ""
    apps: dict[str, str] = field(default_factory=dict)
    keyboard: str = "auto"
    tree: bool = True
    settle_s: float = 10.0
    timeout_s: float = 30.0


def read_options(options: dict[str, str]) -> AdbOptions:
    """The options of a configuration; one ConfigError names all faults."""
    faults = [
        f"there is no option {name!r}; known: {', '.join(KNOWN)}" for name in options if name not in KNOWN
    ]
    host, port = _server(options.get("server", ""), faults)
    keyboard, tree = options.get("keyboard", "auto"), options.get("tree", "on")
    if keyboard not in ("auto", "adbkeyboard", "ascii"):
        faults.append(f"keyboard = {keyboard!r}: should be auto, adbkeyboard or ascii")
    if tree not in ("on", "off"):
        faults.append(f"tree = {tree!r}: should be on or off")
    read = AdbOptions(
        serials=read_serials(options.get("serials", "")),
        host=host,
        port=port,
        reset=options.get("reset", ""),
        apps=_apps(options.get("apps", ""), faults),
        keyboard=keyboard,
        tree=tree == "on",
        settle_s=_seconds("settle_s", options, AdbOptions.settle_s, faults),
        timeout_s=_seconds("timeout_s", options, AdbOptions.timeout_s, faults),
    )
    if faults:
        raise ConfigError(faults, "device.options")
    return read


def read_serials(text: str) -> tuple[str, ...]:
    """Serials from a list with commas; `HOST:FIRST-LAST` stands for a range of ports."""
    serials: list[str] = []
    for word in text.replace(",", " ").split():
        found = _RANGE.fullmatch(word)
        if found is None:
            serials.append(word)
        else:
            first, last = int(found[2]), int(found[3])
            serials += [f"{found[1]}:{port}" for port in range(first, last + 1)]
    return tuple(dict.fromkeys(serials))


def _server(text: str, faults: list[str]) -> tuple[str, int]:
    """Where the adb server is: as given, or where the environment says, as for `adb` itself."""
    text = text or f"127.0.0.1:{os.environ.get('ANDROID_ADB_SERVER_PORT', '5037')}"
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        faults.append(f"server = {text!r}: should be HOST:PORT, for instance 127.0.0.1:5037")
        return "127.0.0.1", 5037
    return host, int(port)


def _apps(text: str, faults: list[str]) -> dict[str, str]:
    apps: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, sign, package = pair.partition("=")
        if not sign or not name.strip() or not package.strip():
            faults.append(f"apps: {pair!r} should be NAME=PACKAGE")
        apps[name.strip().lower()] = package.strip()
    return apps


def _seconds(name: str, options: dict[str, str], default: float, faults: list[str]) -> float:
    text = options.get(name)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        faults.append(f"{name} = {text!r}: should be a number of seconds above 0")
        return default
    return value
