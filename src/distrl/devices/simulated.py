"""Devices that exist only in memory: simulated phones, with the latencies and faults of real ones.

The phone's own clock moves with the actions, not with the wall clock, so an episode is the same whatever the
latency profile; delays only decide how long a caller waits. TYPE replaces what the focused field holds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from PIL import Image

from distrl.config import DeviceConfig
from distrl.errors import ConfigError, DeviceError, DeviceLost, TaskError
from distrl.imaging import encode_image, shrink
from distrl.records import FINAL_KINDS, Action, ActionKind, Observation, Point, Screenshot, Task, UiNode
from distrl.simphone import Node, Phone
from distrl.simphone.trouble import PROFILES, Trouble

ACTION_S = 1.0  # by which each action moves the phone's clock
WAIT_S = 2.0
HANG_S = 24 * 3600.0  # longer than any deadline
COMMAND_NOT_RUN = 126  # exit codes from here on mean that the shell could not run the command
CLOSED = "it was closed, or never opened"
BLACK_OBSERVATIONS = 2  # how often the screen stays black once it has gone black

_UNPAINTED = encode_image(Image.new("RGB", (1, 1)))
# Each remedy, and the operation that takes as long and fails as often.
_REMEDIES = {"reconnect": "observe", "restart_app": "act", "reboot": "reset"}
_KEYS = {ActionKind.BACK: "BACK", ActionKind.HOME: "HOME", ActionKind.ENTER: "ENTER"}


class SimulatedDevice:
    """One simulated phone behind the Device interface; see the module's docstring."""

    def __init__(
        self,
        id: str,
        trouble: Trouble,
        *,
        seed: int = 0,
        time_scale: float = 1.0,
        picture_scale: float = 1.0,
        paint: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.id = id
        self._trouble = trouble
        self._seed = seed
        self._time_scale = time_scale
        self._picture_scale = picture_scale
        self._paint = paint
        self._clock = clock
        self._phone: Phone | None = None
        self._connected = False
        self._boots = 0
        self._why_closed = CLOSED
        self._black = 0  # observations that will still be black
        self._version = -1  # of the frame that the two below show
        self._screenshot: Screenshot | None = None
        self._nodes: list[Node] = []
        self._ui: tuple[UiNode, ...] = ()

    # -- the Device interface --------------------------------------------------------------------

    async def open(self) -> None:
        """Boot the phone, unless it is running, and connect to it."""
        if self._phone is None:
            self._boot()
        self._connected = True
        await self._sleep(0.0)

    async def reset(self, task: Task, seed: int) -> None:
        """Bring the phone to its clean state, vary its looks by `seed`, and run the task's set-up."""
        await self._endure("reset")
        phone = self._running()
        self._black = 0
        prepare(phone, task, seed)

    async def observe(self) -> Observation:
        """The screen as it is now."""
        await self._endure("observe")
        phone = self._running()
        if self._black > 0:
            self._black -= 1
            return self._black_screen(phone)
        self._refresh(phone)
        assert self._screenshot is not None
        return Observation(
            screenshot=self._screenshot,
            width=phone.width,
            height=phone.height,
            ui=self._ui,
            app=phone.foreground,
            captured_at=self._clock(),
        )

    async def act(self, action: Action) -> None:
        """Carry out an action, and let the phone's clock move on."""
        await self._endure("act")
        phone = self._running()
        perform(phone, action)

    async def probe(self, command: str) -> str:
        """The phone's answer to a shell command; an empty command, which asks the agent, has none."""
        phone = self._running()
        await self._sleep(0.0)
        if not command.strip():
            return ""
        result = phone.shell(command)
        # A pipe ends with the status of its filter: `grep` found nothing, say, which is an answer.
        if result.code >= COMMAND_NOT_RUN or (result.code != 0 and "|" not in command):
            raise DeviceError(
                f"{self.id} does not answer `{command}` (code {result.code}): {result.stdout.strip()}"
            )
        return result.stdout

    async def close(self) -> None:
        """Switch the phone off."""
        self._lose(CLOSED)

    # -- remedies --------------------------------------------------------------------------------

    def remedies(self) -> tuple[str, ...]:
        """What helps a simulated phone."""
        return tuple(_REMEDIES)

    async def repair(self, remedy: str) -> None:
        """Apply a remedy; it takes as long as an ordinary operation, and may meet trouble like one."""
        await self._suffer(_REMEDIES[remedy])
        if self._why_closed == CLOSED:
            raise DeviceLost(f"{self.id} is switched off: open it first")
        if self._phone is None or remedy == "reboot":
            self._boot()  # or it has restarted by itself, and is there again
        elif remedy == "restart_app":
            self._phone.key("HOME")
        self._black = 0
        self._connected = True

    @property
    def phone(self) -> Phone | None:
        """The phone itself, for whoever must know the truth whatever the connection is; None when off."""
        return self._phone

    async def boot_id(self) -> str:
        """Another one after every start of the phone."""
        self._running()
        return f"{self.id}#{self._boots}"

    def _boot(self) -> None:
        self._phone = Phone(seed=self._seed)
        self._boots += 1
        self._why_closed = ""
        self._black = 0
        self._version = -1

    # -- trouble ---------------------------------------------------------------------------------

    async def _endure(self, operation: str) -> None:
        """Wait as long as the profile says, and suffer the fault that it deals out, if any."""
        self._running()
        await self._suffer(operation)

    async def _suffer(self, operation: str) -> None:
        event = self._trouble.next(operation)
        await self._sleep(event.delay_s * self._time_scale)
        if event.fault is None:
            return
        if event.fault == "hang":
            await asyncio.sleep(HANG_S)
            raise DeviceError(f"{self.id} hung for {HANG_S:g} s: give calls a shorter deadline")
        if event.fault == "disconnect":
            self._connected = False  # the phone itself goes on
            raise DeviceLost(f"{self.id} had a disconnect: reconnect it, or open it again")
        if event.fault == "reboot":
            self._lose("it had a reboot")
            raise DeviceLost(f"{self.id} had a reboot: reconnect it, or open it again")
        if event.fault == "black_screen":
            self._black = BLACK_OBSERVATIONS

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))  # even 0 lets others run

    def _running(self) -> Phone:
        if self._phone is None:
            raise DeviceLost(f"{self.id} is not running ({self._why_closed}): open it first")
        if not self._connected:
            raise DeviceLost(f"{self.id} is not connected: reconnect it, or open it again")
        return self._phone

    def _lose(self, why: str) -> None:
        self._phone = None
        self._connected = False
        self._why_closed = why

    # -- pictures --------------------------------------------------------------------------------

    def _refresh(self, phone: Phone) -> None:
        """Encode the screen again if it has changed since the last look, and the tree likewise."""
        nodes = phone.tree()
        if nodes != self._nodes:  # which may change while the picture does not
            self._nodes = nodes
            self._ui = tuple(map(to_ui_node, nodes))
        if not self._paint:
            self._screenshot = _UNPAINTED
            return
        if phone.frame_version == self._version:
            return
        self._screenshot = encode_image(picture(phone, self._picture_scale))
        self._version = phone.frame_version

    def _black_screen(self, phone: Phone) -> Observation:
        """What a screen that went dark shows: nothing, and no tree."""
        black = Image.new("RGB", (phone.width, phone.height))
        return Observation(
            screenshot=encode_image(shrink(black, self._picture_scale)),
            width=phone.width,
            height=phone.height,
            ui=None,
            app="",
            captured_at=self._clock(),
        )


def picture(phone: Phone, scale: float) -> Image.Image:
    """The screen at a fraction of its size; the phone draws a quarter directly, which is much quicker."""
    factor = 1 / scale
    return phone.frame(int(factor)) if factor == int(factor) else shrink(phone.frame(), scale)


def to_ui_node(node: Node) -> UiNode:
    """A node of the phone's tree in distrl's vocabulary."""
    return UiNode(
        node.class_name,
        node.text,
        node.description,
        node.resource_id,
        node.package,
        node.bounds,
        node.parent,
        node.clickable,
        node.long_clickable,
        node.scrollable,
        node.editable,
        node.focused,
        node.checkable,
        node.checked,
        node.selected,
        node.enabled,
        node.password,
    )


def prepare(phone: Phone, task: Task, seed: int) -> None:
    """Bring a phone to the start of a task; raises TaskError naming the set-up command that failed."""
    phone.reset(seed)
    for command in task.setup:
        result = phone.shell(command)
        if result.code != 0:
            raise TaskError(
                f"task {task.id}: set-up command `{command}` failed with code {result.code}: "
                f"{result.stdout.strip() or 'no output'}"
            )
    phone.key("HOME")
    phone.advance(ACTION_S)


def perform(phone: Phone, action: Action) -> None:
    """Do to a phone what the action says and let its clock move on; final and invalid actions do nothing."""
    kind = action.kind
    if kind in FINAL_KINDS or kind is ActionKind.INVALID:
        return
    _touch(phone, action)
    phone.advance(WAIT_S if kind is ActionKind.WAIT else ACTION_S)


def _touch(phone: Phone, action: Action) -> None:
    kind = action.kind
    if kind in _KEYS:
        phone.key(_KEYS[kind])
    elif kind is ActionKind.OPEN_APP and action.text is not None:
        phone.open_app(action.text)
    elif kind is ActionKind.TYPE and action.text is not None:
        phone.clear_text()
        phone.type_text(action.text)
    elif action.point is not None:
        x, y = _pixel(phone, action.point)
        if kind is ActionKind.TAP:
            phone.tap(x, y)
        elif kind is ActionKind.LONG_PRESS:
            phone.long_press(x, y)
        elif action.to is not None:
            phone.swipe(x, y, *_pixel(phone, action.to))


def _pixel(phone: Phone, point: Point) -> tuple[int, int]:
    return min(int(point.x * phone.width), phone.width - 1), min(
        int(point.y * phone.height), phone.height - 1
    )


def build(config: DeviceConfig, index: int = 0, seed: int = 0) -> SimulatedDevice:
    """The simulated phone number `index` of a run with this seed."""
    paint = _read_options(config.options)
    if config.profile not in PROFILES:
        raise ConfigError(f"there is no {config.profile!r}; known: {', '.join(PROFILES)}", "device.profile")
    trouble_seed = seed * 1_000_003 + index
    return SimulatedDevice(
        f"sim-{index}",
        Trouble(PROFILES[config.profile], trouble_seed),
        seed=trouble_seed,
        time_scale=config.time_scale,
        picture_scale=config.picture_scale,
        paint=paint,
    )


def _read_options(options: dict[str, str]) -> bool:
    """Whether pictures are wanted; the one option, `pictures: off`, leaves only the tree and is faster."""
    unknown = [name for name in options if name != "pictures"]
    if unknown:
        raise ConfigError(f"no such option: {', '.join(unknown)}; there is `pictures`", "device.options")
    wanted = options.get("pictures", "on")
    if wanted not in ("on", "off"):
        raise ConfigError(f"pictures = {wanted!r}: should be on or off", "device.options")
    return wanted == "on"
