"""Pictures and touches through the emulator's own gRPC service, the rest through adb.

A picture costs one call and no program on the phone, so looking can afford two: one before and one after the
accessibility tree is read. If they are equal, the screen has settled and the tree belongs to the picture.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from PIL import Image

from distrl.devices.adb.device import AdbDevice
from distrl.devices.adb.screen import foreground, read_tree
from distrl.errors import DeviceError, DeviceLost, DeviceTimeout
from distrl.imaging import encode_image, shrink
from distrl.records import Action, ActionKind, Observation, Point, Screenshot, Task, UiNode
from distrl.simphone.emulator.protowire import Message, NotProtobuf, data, number

CALL_S = 10.0
RGBA = 1
PRESSURE = 1
LONG_PRESS_S, SWIPE_S, SWIPE_MOVES = 0.8, 0.3, 6
TREE_TRIES = 2
_SERVICE = "/android.emulation.control.EmulatorController/"
_MARK = "--distrl-tree--"
_WINDOW = "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'"
_TREE = f"echo {_MARK}; uiautomator dump /dev/tty"


class Control:
    """A client of the service on a port of this machine."""

    def __init__(self, port: int) -> None:
        try:
            import grpc
            import grpc.aio
        except ImportError as error:
            raise DeviceError("screen = grpc needs grpcio: pip install 'distrl[android]'") from error
        self._port = port
        self._failure = grpc.aio.AioRpcError
        self._late = grpc.StatusCode.DEADLINE_EXCEEDED
        self._channel = grpc.aio.secure_channel(
            f"localhost:{port}",
            grpc.local_channel_credentials(),
            options=[("grpc.max_receive_message_length", -1)],
        )

    async def screenshot(self) -> Image.Image:
        """The screen as it is now."""
        reply = Message(await self._call("getScreenshot", number(1, RGBA)))
        try:
            form = Message(reply.parts(1)[0])
            return Image.frombytes("RGBA", (form.number(3), form.number(4)), reply.parts(4)[0])
        except (IndexError, ValueError, NotProtobuf) as error:
            raise DeviceError(f"the emulator's service on port {self._port} sent no picture") from error

    async def touch(self, x: int, y: int, pressure: int) -> None:
        """Put a finger down, move it, or (without pressure) lift it."""
        finger = number(1, x) + number(2, y) + number(4, pressure)
        await self._call("sendTouch", data(1, finger))

    async def close(self) -> None:
        """Let the connection go."""
        await self._channel.close()

    async def _call(self, method: str, request: bytes) -> bytes:
        call: Callable[..., Awaitable[bytes]] = self._channel.unary_unary(_SERVICE + method)
        try:
            return await call(request, timeout=CALL_S)
        except self._failure as error:
            what = f"the emulator's service on port {self._port}: {error.details()}"
            raise (DeviceTimeout if error.code() is self._late else DeviceLost)(what) from error


class ControlledDevice:
    """An AdbDevice whose screen is seen and touched through gRPC; with the same remedies."""

    def __init__(
        self, adb: AdbDevice, port: int, *, tree: bool = True, settle_s: float = 10.0, scale: float = 1.0
    ) -> None:
        self.id = adb.id
        self._adb = adb
        self._port = port
        self._tree = tree
        self._settle_s = settle_s
        self._scale = scale
        self._control: Control | None = None
        self._picture = b""  # what the screenshot below was made of
        self._screenshot: Screenshot | None = None
        self._size = (0, 0)

    async def open(self) -> None:
        """Reach the phone both ways."""
        await self._adb.open()
        self.id = self._adb.id
        self._control = Control(self._port)

    async def reset(self, task: Task, seed: int) -> None:
        """As over adb."""
        await self._adb.reset(task, seed)

    async def observe(self) -> Observation:
        """The screen once it has settled, or as it is after a while."""
        control = self._opened()
        deadline = time.monotonic() + self._settle_s
        tries = TREE_TRIES if self._tree else 0
        before = await control.screenshot()
        while True:
            answer = await self._adb.probe(f"{_WINDOW}; {_TREE}" if tries else _WINDOW)
            window, _, tree = answer.partition(f"{_MARK}\n")
            ui = read_tree(tree, before.width, before.height) if tries else None
            after = await control.screenshot()
            still = after.tobytes() == before.tobytes()
            if time.monotonic() >= deadline or (still and (ui is not None or not tries)):
                return self._seen(after, ui, foreground(window))
            tries -= 1 if tries and ui is None else 0
            before = after

    async def act(self, action: Action) -> None:
        """Touches through gRPC; keys, text and apps over adb."""
        if action.kind not in (ActionKind.TAP, ActionKind.LONG_PRESS, ActionKind.SWIPE):
            await self._adb.act(action)
            return
        assert action.point is not None
        control = self._opened()
        size = self._size if self._screenshot is not None else (await control.screenshot()).size
        start = _pixel(action.point, size)
        await control.touch(*start, PRESSURE)
        if action.kind is ActionKind.LONG_PRESS:
            await asyncio.sleep(LONG_PRESS_S)
        if action.to is not None:
            end = _pixel(action.to, size)
            for move in range(1, SWIPE_MOVES + 1):
                await asyncio.sleep(SWIPE_S / SWIPE_MOVES)
                part = move / SWIPE_MOVES
                x, y = (round(a + part * (b - a)) for a, b in zip(start, end, strict=True))
                await control.touch(x, y, PRESSURE)
            start = end
        await control.touch(*start, 0)

    async def probe(self, command: str) -> str:
        """As over adb."""
        return await self._adb.probe(command)

    async def close(self) -> None:
        """Let go both ways."""
        try:
            await self._adb.close()
        finally:
            if self._control is not None:
                await self._control.close()
                self._control = None

    def remedies(self) -> tuple[str, ...]:
        """Those of the phone behind adb."""
        return self._adb.remedies()

    async def repair(self, remedy: str) -> None:
        """As over adb."""
        await self._adb.repair(remedy)

    async def boot_id(self) -> str:
        """As over adb."""
        return await self._adb.boot_id()

    def _seen(self, picture: Image.Image, ui: tuple[UiNode, ...] | None, app: str) -> Observation:
        pixels = picture.tobytes()
        self._size = picture.size
        if self._screenshot is None or pixels != self._picture:
            self._picture, self._screenshot = (
                pixels,
                encode_image(shrink(picture.convert("RGB"), self._scale)),
            )
        width, height = picture.size
        return Observation(self._screenshot, width, height, ui=ui, app=app, captured_at=time.time())

    def _opened(self) -> Control:
        if self._control is None:
            raise DeviceLost(f"{self.id} is not open: open it first")
        return self._control


def _pixel(point: Point, size: tuple[int, int]) -> tuple[int, int]:
    return min(int(point.x * size[0]), size[0] - 1), min(int(point.y * size[1]), size[1] - 1)
