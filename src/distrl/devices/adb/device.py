"""Android phones and emulators as devices, driven through the adb server.

Looking is one round trip: the window in front, the accessibility tree, the screenshot, and the window again.
`uiautomator dump` waits by itself until nothing moves, so a look whose tree arrived and whose window did not
change shows a settled screen. If no tree comes (something animates all the time), the screen counts as
settled once two pictures are equal, or after `settle_s`; the observation then has no tree.
"""

from __future__ import annotations

import re
import shlex
import time
from typing import NamedTuple

from distrl.config import DeviceConfig
from distrl.devices.adb import commands, leases
from distrl.devices.adb.apps import find_package
from distrl.devices.adb.options import AdbOptions, read_options
from distrl.devices.adb.phone import MARK, AdbPhone, Facts, lease_phone
from distrl.devices.adb.protocol import AdbServer
from distrl.devices.adb.screen import foreground, read_picture, read_tree
from distrl.errors import ConfigError, DeviceError, DeviceLost, TaskError
from distrl.imaging import encode_image, shrink
from distrl.records import FINAL_KINDS, Action, ActionKind, Observation, Screenshot, Task, UiNode

TREE_TRIES = 2  # dumps that may fail in one look before the tree is given up
COMMAND_NOT_RUN = 126

_STATUS = re.compile(rf"{MARK} (\d+)\n")
_END = f"{MARK}\n".encode()
_WINDOW = "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'"
_TREE = "uiautomator dump /dev/tty"
_TREE_BY_FILE = "rm -f /sdcard/distrl.xml; uiautomator dump /sdcard/distrl.xml; cat /sdcard/distrl.xml"
_REMEDIES = ("reconnect", "restart_app", "reboot")


class Look(NamedTuple):
    """One look at the phone."""

    window: str
    settled: bool
    tree: str
    picture: bytes


class AdbDevice:
    """One phone or emulator behind the Device interface; see the module's docstring."""

    def __init__(self, index: int, options: AdbOptions, picture_scale: float = 1.0) -> None:
        self.id = options.serials[index % len(options.serials)] if options.serials else f"adb-{index}"
        self._index = index
        self._options = options
        self._picture_scale = picture_scale
        self._server = AdbServer(options.host, options.port)
        self._lease: leases.Lease | None = None
        self._phone: AdbPhone | None = None
        self._facts: Facts | None = None
        self._tree_command = _TREE
        self._capture_command = "screencap"
        self._picture = b""  # what the screenshot below was made of
        self._screenshot: Screenshot | None = None
        self._tree = ""  # what the tree below was read from
        self._ui: tuple[UiNode, ...] | None = None

    # -- the Device interface --------------------------------------------------------------------

    async def open(self) -> None:
        """Start the adb server if need be, take a phone that nobody uses, and wait until it is up."""
        await self._server.start()
        if self._lease is None:
            self._lease = await lease_phone(self._server, self._options, self._index)
            self.id = self._lease.serial
        try:
            self._phone = AdbPhone(self._server, self.id, self._options)
            await self._phone.connect()
            self._facts = await self._phone.facts()
        except BaseException:
            self._let_go()
            raise
        self._picture, self._tree = b"", ""

    async def reset(self, task: Task, seed: int) -> None:
        """Bring the phone to its clean state, run the task's set-up, and go home; one round trip.

        A simulated phone boots afresh with the seed. Other phones run the option `reset`; what that line does
        not clean stays, and the seed changes nothing.
        """
        phone, facts = self._opened()
        cleaning = f"simphone reset {seed}" if facts.simulated else self._options.reset
        before = [cleaning] if cleaning else []
        if facts.any_text:
            before.append(f"ime set {commands.ADB_KEYBOARD}")
        lines = [*before, *task.setup, "input keyevent 3"]
        reply = await phone.shell("\n".join(f"{line}\necho {MARK} $?" for line in lines))
        pieces = _STATUS.split(reply.stdout.decode("utf-8", "replace"))
        for line, output, code in zip(
            lines, pieces[0::2], [*pieces[1::2], *["2"] * len(lines)], strict=False
        ):
            if code == "0":
                continue
            what = f"failed with code {code}: {output.strip() or reply.text or 'no output'}"
            if line in task.setup:
                raise TaskError(f"task {task.id}: set-up command `{line}` {what}")
            raise DeviceError(f"{self.id} could not be reset: `{line}` {what}")

    async def observe(self) -> Observation:
        """The screen once it has settled, or as it is after `settle_s`."""
        phone, facts = self._opened()
        deadline = time.monotonic() + self._options.settle_s
        tries = TREE_TRIES if self._options.tree else 0
        ui: tuple[UiNode, ...] | None = None
        last = b""
        while True:
            look = await self._look(phone, with_tree=tries > 0)
            ui = self._read_tree(look.tree, facts) if tries else None
            late = time.monotonic() >= deadline
            if late or (look.settled and (ui is not None or (not tries and look.picture == last))):
                break
            last = look.picture
            if tries and ui is None:
                tries -= 1
        return Observation(
            screenshot=self._read_picture(look.picture),
            width=facts.width,
            height=facts.height,
            ui=ui,
            app=foreground(look.window),
            captured_at=time.time(),
        )

    async def act(self, action: Action) -> None:
        """Carry out an action; an app that does not exist is not opened, and that is no error."""
        phone, facts = self._opened()
        if action.kind in FINAL_KINDS or action.kind is ActionKind.INVALID:
            return
        if action.kind is ActionKind.OPEN_APP and action.text is not None:
            await phone.shell(commands.open_line(find_package(action.text, facts.packages, facts.labels)))
            return
        if action.kind is ActionKind.TYPE and action.text is not None:
            line = commands.type_line(action.text, self._ui, any_text=facts.any_text)
        else:
            line = commands.touch_line(action, facts.width, facts.height)
        reply = await phone.shell(line)
        if reply.code != 0:
            raise DeviceError(f"{self.id} did not carry out `{line}` (code {reply.code}): {reply.text}")

    async def probe(self, command: str) -> str:
        """The phone's answer to a shell command; an empty command, which asks the agent, has none."""
        phone, _ = self._opened()
        if not command.strip():
            return ""
        reply = await phone.shell(command)
        # A pipe ends with the status of its filter: `grep` found nothing, say, which is an answer.
        if reply.code >= COMMAND_NOT_RUN or (reply.code != 0 and "|" not in command):
            raise DeviceError(f"{self.id} does not answer `{command}` (code {reply.code}): {reply.text}")
        return reply.stdout.decode("utf-8", "replace")

    async def close(self) -> None:
        """Give a real phone its keyboard back, and the phone to others."""
        phone, facts = self._phone, self._facts
        try:
            if phone is not None and facts is not None and facts.any_text and not facts.simulated:
                await phone.shell(f"ime set {shlex.quote(facts.keyboard)}")
        except DeviceError:
            pass  # it is gone: there is nothing to give back
        finally:
            self._let_go()

    # -- remedies --------------------------------------------------------------------------------

    def remedies(self) -> tuple[str, ...]:
        """What helps a phone behind adb."""
        return _REMEDIES

    async def repair(self, remedy: str) -> None:
        """Connect anew, close the app in front, or reboot."""
        phone, _ = self._opened()
        if remedy == "reconnect":
            await phone.connect(anew=True)
        elif remedy == "restart_app":
            app = foreground((await phone.shell(_WINDOW)).text)
            close = f"am force-stop {shlex.quote(app)}; " if app else ""
            await phone.shell(f"{close}input keyevent 3")
        elif remedy == "reboot":
            await phone.reboot()
        else:
            raise DeviceError(f"{self.id} knows no remedy {remedy!r}; it knows {', '.join(_REMEDIES)}")

    async def boot_id(self) -> str:
        """Another one after every start of the phone."""
        phone, _ = self._opened()
        return await phone.boot_id()

    # -- looking -----------------------------------------------------------------------------------

    async def _look(self, phone: AdbPhone, *, with_tree: bool) -> Look:
        """Window, tree, picture, window, in one round trip."""
        tree = self._tree_command if with_tree else "true"
        mark = f"echo {MARK}"
        line = "; ".join([_WINDOW, mark, tree, mark, self._capture_command, mark, _WINDOW, mark])
        output = await phone.exec(line)
        first = output.find(_END)
        second = output.find(_END, first + len(_END))
        last = output.rfind(_END)
        third = output.rfind(_END, 0, max(0, last))
        if not 0 <= first < second < third < last:
            raise DeviceLost(f"{self.id} went away while it was looked at: reconnect it, or open it again")
        return Look(
            window=output[third + len(_END) : last].decode("utf-8", "replace"),
            settled=output[:first] == output[third + len(_END) : last],
            tree=output[first + len(_END) : second].decode("utf-8", "replace"),
            picture=output[second + len(_END) : third],
        )

    def _read_tree(self, text: str, facts: Facts) -> tuple[UiNode, ...] | None:
        if text != self._tree or self._ui is None:
            self._tree, self._ui = text, read_tree(text, facts.width, facts.height)
            if self._ui is None and "ERROR" not in text:
                self._tree_command = _TREE_BY_FILE  # this phone cannot print it
        return self._ui

    def _read_picture(self, data: bytes) -> Screenshot:
        if self._screenshot is None or data != self._picture:
            try:
                picture = read_picture(data)
            except DeviceError:
                self._capture_command = "screencap -p"  # for the next look: an unusual pixel format
                raise
            self._picture, self._screenshot = data, encode_image(shrink(picture, self._picture_scale))
        return self._screenshot

    def _opened(self) -> tuple[AdbPhone, Facts]:
        if self._phone is None or self._facts is None:
            raise DeviceLost(f"{self.id} is not open: open it first")
        return self._phone, self._facts

    def _let_go(self) -> None:
        self._phone = self._facts = None
        if self._lease is not None:
            self._lease.release()
            self._lease = None


def build(config: DeviceConfig, index: int = 0, seed: int = 0) -> AdbDevice:
    """Phone number `index` of those that the options name, or that adb knows; the seed changes nothing."""
    del seed
    if config.profile != "instant":
        raise ConfigError(
            "only simulated phones have one; serve them with --profile instead", "device.profile"
        )
    return AdbDevice(index, read_options(config.options), config.picture_scale)
