"""A phone that others reach from outside: its clock runs, commands take time, and things go wrong if wanted.

Faces (the adb daemon, an emulator's control service) share one `ServedPhone`, so that what comes in by one is
seen by the other. Two clocks are to be had:

- ``real``: the phone's clock follows the wall clock. `sleep 2` takes two seconds; while a page loads,
  `uiautomator dump` waits for it and then gives up, as Android's does.
- ``actions``: the clock stands still but for one second after every line that acts (`input`, `am start`,
  `am broadcast`, `monkey`) and the seconds of `sleep`, which returns at once. An episode is then the same
  however slow the caller is, and the same as on a phone in the caller's own process.
"""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from PIL import Image

from distrl.simphone import navigation, storage
from distrl.simphone.phone import Phone
from distrl.simphone.shell import COMMANDS, names, run_bytes
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.shell.ui import DUMPED, raw_picture
from distrl.simphone.trouble import PROFILES, Trouble

CLOCKS = ("real", "actions")
ACTION_S = 1.0  # by which the clock of `actions` moves after a line that acts
HANG_S = 24 * 3600.0
BLACK_CAPTURES = 2
ACTING = ("input", "monkey")
NAMING = ("am", "cmd", "dumpsys", "monkey", "pidof", "pm", "ps")
"""Commands that are given or print the names of packages."""
ACTING_AM = ("start", "start-activity", "broadcast")

_RESETS = re.compile(r"\bsimphone\s+(reset|restore)\b")
_ACTS = re.compile(r"\b(input|monkey|am\s+(start|start-activity|broadcast))\s")
_OBSERVES = re.compile(r"\b(screencap|uiautomator\s+dump)\b")


class Unplugged(Exception):
    """The phone has just lost its connections."""


@dataclass(frozen=True)
class Conduct:
    """How a served phone behaves in time."""

    profile: str = "instant"
    time_scale: float = 1.0
    clock: str = "real"
    idle_timeout_s: float = 10.0  # how long `uiautomator dump` waits for a page to load
    reboot_s: float = 2.0  # how long a reboot takes, before `time_scale`
    names: str = names.OWN  # which names apps go by in the shell, see `shell.names`


AS_IT_COMES = Conduct()


@dataclass
class _Looks:
    """Pictures of the screen in the forms in which they were asked for, until it changes."""

    version: int = -1
    forms: dict[str, bytes] = field(default_factory=dict)


class ServedPhone:
    """One phone with its clock, its trouble and its snapshots; `run` is the shell that faces offer."""

    def __init__(
        self, name: str, seed: int, conduct: Conduct = AS_IT_COMES, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self.phone = Phone(seed)
        self.root = False
        self.conduct = conduct
        self.connections: set[Callable[[], None]] = set()  # called to cut each of them
        self._trouble = Trouble(PROFILES[conduct.profile], seed)
        self._now = now
        self._seen_at = now()
        self._up_at = now()
        self._booted_ns = time.time_ns()
        self._acted = False
        self._slept_s = 0.0  # by the line that runs
        self._black = 0
        self._snapshots: dict[str, bytes] = {}
        self._looks = _Looks()
        self._commands: Mapping[str, Command] = {**COMMANDS, **self._own_commands()}
        if conduct.names == names.GOOGLE:
            renamed = {name: names.renamed(self._commands[name]) for name in NAMING}
            self._commands = {**self._commands, **renamed}

    # -- what faces call ---------------------------------------------------------------------------

    @property
    def up(self) -> bool:
        """Whether the phone takes connections: not while it reboots."""
        return self._now() >= self._up_at

    async def run(self, line: str) -> tuple[bytes, int]:
        """Run a line of the shell; raises Unplugged when the phone goes away meanwhile."""
        await self._endure(_operation(line))
        self.catch_up()
        if self.conduct.clock == "real" and "uiautomator" in line:
            await self._wait_until_loaded()
        self._acted, self._slept_s = False, 0.0
        output, code = run_bytes(self.phone, line, self._commands)
        if self.conduct.clock == "actions":
            if self._acted:
                self.phone.advance(ACTION_S)
        elif self._slept_s > 0:  # so must the caller
            await asyncio.sleep(self._slept_s)
            self._seen_at = self._now()
        return output, code

    def act(self, action: Callable[[Phone], None]) -> None:
        """Let a face do something to the phone directly, in time."""
        self.catch_up()
        action(self.phone)
        if self.conduct.clock == "actions":
            self.phone.advance(ACTION_S)

    def catch_up(self) -> None:
        """Let the phone's clock run as far as the wall clock did."""
        now = self._now()
        if self.conduct.clock == "real":
            self.phone.advance(now - self._seen_at)
        self._seen_at = now

    def picture(self, form: str) -> bytes:
        """The screen as `raw` or `png`."""
        if self._black > 0:
            self._black -= 1
            return _encoded(Image.new("RGB", (self.phone.width, self.phone.height)), form)
        looks = self._looks
        if looks.version != self.phone.frame_version:
            self._looks = looks = _Looks(self.phone.frame_version)
        if form not in looks.forms:
            looks.forms[form] = _encoded(self.phone.frame(), form)
        return looks.forms[form]

    def reboot(self, seconds: float | None = None) -> None:
        """Switch off and on: connections are cut, apps closed, data stay."""
        state = self.phone.state
        for task in list(state.tasks):
            navigation.close(state, task.package)
        navigation.home(state)
        state.overlays, state.toast = [], None
        state.boots += 1
        self.phone.touched()
        self._booted_ns = time.time_ns()
        self.root = False
        lasts = self.conduct.reboot_s if seconds is None else seconds
        self._up_at = self._now() + lasts * self.conduct.time_scale
        self.unplug()

    def unplug(self) -> None:
        """Cut every connection."""
        for cut in list(self.connections):
            cut()

    # -- trouble and time --------------------------------------------------------------------------

    async def _endure(self, operation: str) -> None:
        if not operation or self.conduct.profile == "instant":
            return
        event = self._trouble.next(operation)
        if event.fault == "reboot":
            self.reboot(event.delay_s)
            raise Unplugged(self.name)
        await asyncio.sleep(event.delay_s * self.conduct.time_scale)
        if event.fault == "hang":
            await asyncio.sleep(HANG_S)
        elif event.fault == "disconnect":
            self.unplug()
            raise Unplugged(self.name)
        elif event.fault == "black_screen":
            self._black = BLACK_CAPTURES

    def _loading_s(self) -> float:
        return navigation.top(self.phone.state).ready_at_s - self.phone.state.now_s

    async def _wait_until_loaded(self) -> None:
        remaining = self._loading_s()
        if remaining > 0:
            await asyncio.sleep(min(remaining, self.conduct.idle_timeout_s))
            self.catch_up()

    # -- commands that need more than the phone ----------------------------------------------------

    def _own_commands(self) -> dict[str, Command]:
        acting = {name: self._noted(COMMANDS[name]) for name in ACTING}
        return acting | {
            "am": self._am,
            "getprop": self._getprop,
            "id": lambda *_: lines(
                "uid=0(root) gid=0(root)" if self.root else "uid=2000(shell) gid=2000(shell)"
            ),
            "reboot": self._reboot,
            "screencap": self._screencap,
            "simphone": self._simphone,
            "sleep": self._sleep,
            "uiautomator": self._uiautomator,
            "whoami": lambda *_: lines("root" if self.root else "shell"),
        }

    def _noted(self, command: Command) -> Command:
        def run(phone: Phone, args: list[str]) -> ShellResult:
            self._acted = True
            return command(phone, args)

        return run

    def _am(self, phone: Phone, args: list[str]) -> ShellResult:
        self._acted = self._acted or (bool(args) and args[0] in ACTING_AM)
        return COMMANDS["am"](phone, args)

    def _getprop(self, phone: Phone, args: list[str]) -> ShellResult:
        """When the phone was started is known here, and differs after every start."""
        return (
            lines(str(self._booted_ns)) if args == ["ro.boottime.init"] else COMMANDS["getprop"](phone, args)
        )

    def _reboot(self, phone: Phone, args: list[str]) -> ShellResult:
        del phone, args
        self.reboot()
        return ShellResult()

    def _sleep(self, phone: Phone, args: list[str]) -> ShellResult:
        before_s = phone.state.now_s
        result = COMMANDS["sleep"](phone, args)
        self._slept_s += phone.state.now_s - before_s
        return result

    def _screencap(self, phone: Phone, args: list[str]) -> ShellResult:
        if any(not word.startswith("-") for word in args):
            return COMMANDS["screencap"](phone, args)
        return ShellResult("", 0, self.picture("png" if "-p" in args else "raw"))

    def _uiautomator(self, phone: Phone, args: list[str]) -> ShellResult:
        if self._black > 0:
            return ShellResult("ERROR: null root node returned by UiTestAutomationBridge.\n")
        if self.conduct.clock == "real" and self._loading_s() > 0:
            return ShellResult("ERROR: could not get idle state.\n")
        result = COMMANDS["uiautomator"](phone, args)
        if self.conduct.names != names.GOOGLE:
            return result
        path = result.stdout.removeprefix(DUMPED).strip()  # it was dumped into this file, or printed
        written = storage.read(phone.store, path) if path != result.stdout.strip() else None
        if written is not None:
            storage.write(phone.store, path, names.to_google(written.decode()).encode())
        return ShellResult(names.to_google(result.stdout), result.code)

    def _simphone(self, phone: Phone, args: list[str]) -> ShellResult:
        """Beside what every simulated phone knows: `snapshot NAME`, `restore NAME`, `snapshots`."""
        match args:
            case ["snapshot", name]:
                self._snapshots[name] = phone.snapshot()
                return ShellResult()
            case ["restore", name]:
                saved = self._snapshots.get(name)
                if saved is None:
                    return failure(f"simphone: there is no snapshot {name}")
                phone.restore(saved)
                return ShellResult()
            case ["snapshots"]:
                return lines(*sorted(self._snapshots))
        return COMMANDS["simphone"](phone, args)


def _encoded(image: Image.Image, form: str) -> bytes:
    if form == "raw":
        return raw_picture(image)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def _operation(line: str) -> str:
    """What a line is to the latency profile: `reset`, `act`, `observe`, or nothing worth waiting for."""
    if _RESETS.search(line):
        return "reset"
    if _ACTS.search(line):
        return "act"
    return "observe" if _OBSERVES.search(line) else ""
