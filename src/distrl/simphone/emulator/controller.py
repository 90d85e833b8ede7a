"""An emulator's control services, without the transport: every method takes a message and returns one.

Names, numbers and meanings are those of `android.emulation.control` in the emulator's own .proto files, as
far as clients such as android-env use them. Whatever `methods` does not list is UNIMPLEMENTED.
"""

from __future__ import annotations

import io
import struct
import time
from collections.abc import Awaitable, Callable

from PIL import Image

from distrl.simphone.emulator.fingers import Fingers, Touch
from distrl.simphone.emulator.keys import Key, Keyboard
from distrl.simphone.emulator.protowire import Message, data, number
from distrl.simphone.emulator.snapshots import SnapshotError, Snapshots
from distrl.simphone.served import ServedPhone

VERSION = "36.1.9.0"  # of the emulator whose services these are
PNG, RGBA, RGB = 0, 1, 2
RUNNING, PAUSED, SHUTDOWN, TERMINATE, RESET = 1, 3, 5, 7, 9
MOUSE_FINGER = 100
_HEADER = struct.Struct("<IIII")  # before the pixels of a raw screenshot

Method = Callable[[bytes], Awaitable[bytes]]


class Refused(Exception):
    """The request makes sense, but this phone cannot do it."""


class Controller:
    """The services of one phone; `switch_off` ends it, if whoever runs it allows that."""

    def __init__(
        self, served: ServedPhone, snapshots: Snapshots, switch_off: Callable[[], None] | None = None
    ) -> None:
        self._served = served
        self._snapshots = snapshots
        self._switch_off = switch_off
        self._fingers = Fingers()
        self._keyboard = Keyboard()
        self._begin = time.monotonic()
        self._pictures = 0
        control, keeping = "EmulatorController", "SnapshotService"
        self.methods: dict[tuple[str, str], Method] = {
            (control, "getStatus"): self.get_status,
            (control, "getScreenshot"): self.get_screenshot,
            (control, "getDisplayConfigurations"): self.get_displays,
            (control, "sendTouch"): self.send_touch,
            (control, "sendMouse"): self.send_mouse,
            (control, "sendKey"): self.send_key,
            (control, "getVmState"): self.get_vm_state,
            (control, "setVmState"): self.set_vm_state,
            (keeping, "ListSnapshots"): self.list_snapshots,
            (keeping, "LoadSnapshot"): self.load_snapshot,
            (keeping, "SaveSnapshot"): self.save_snapshot,
            (keeping, "DeleteSnapshot"): self.delete_snapshot,
        }

    async def get_status(self, request: bytes) -> bytes:
        """EmulatorStatus: version = 1, uptime in ms = 2, booted = 3."""
        del request
        uptime = round(1000 * (time.monotonic() - self._begin))
        return data(1, VERSION) + number(2, uptime) + number(3, int(self._served.up))

    async def get_screenshot(self, request: bytes) -> bytes:
        """From ImageFormat (format = 1, width = 3, height = 4) to Image (format = 1, image = 4, seq = 5)."""
        wanted = Message(request)
        form = wanted.number(1)
        raw, _ = await self._served.run("screencap")
        width, height, *_ = _HEADER.unpack_from(raw)
        pixels = raw[_HEADER.size :]
        room = wanted.number(3), wanted.number(4)
        if form != RGBA or (min(room) > 0 and room != (width, height)):
            image = _fitted(Image.frombytes("RGBA", (width, height), pixels), room)
            width, height = image.size
            pixels = _encoded(image, form)
        self._pictures += 1
        described = number(1, form) + number(3, width) + number(4, height)
        moment = number(6, time.time_ns() // 1000)
        return data(1, described) + data(4, pixels) + number(5, self._pictures) + moment

    async def get_displays(self, request: bytes) -> bytes:
        """DisplayConfigurations: one display, width = 1, height = 2, dpi = 3."""
        del request
        phone = self._served.phone
        return data(1, number(1, phone.width) + number(2, phone.height) + number(3, 160))

    async def send_touch(self, request: bytes) -> bytes:
        """TouchEvent: touches = 1, each x = 1, y = 2, identifier = 3, pressure = 4."""
        for part in Message(request).parts(1):
            touch = Message(part)
            await self._feel(Touch(touch.number(1), touch.number(2), touch.number(3), touch.number(4)))
        return b""

    async def send_mouse(self, request: bytes) -> bytes:
        """MouseEvent (x = 1, y = 2, buttons = 3): a button that is held is one more finger."""
        mouse = Message(request)
        await self._feel(Touch(mouse.number(1), mouse.number(2), MOUSE_FINGER, mouse.number(3)))
        return b""

    async def send_key(self, request: bytes) -> bytes:
        """KeyboardEvent: codeType = 1, eventType = 2, keyCode = 3, key = 4, text = 5."""
        event = Message(request)
        key = Key(event.number(1), event.number(2), event.number(3), event.text(4), event.text(5))
        await self._run(self._keyboard.feel(key))
        return b""

    async def get_vm_state(self, request: bytes) -> bytes:
        """VmRunState: state = 1."""
        del request
        return number(1, RUNNING)

    async def set_vm_state(self, request: bytes) -> bytes:
        """Run on, restart, or be switched off."""
        state = Message(request).number(1)
        if state == RESET:
            self._served.reboot()
        elif state in (SHUTDOWN, TERMINATE) and self._switch_off is not None:
            self._switch_off()
        elif state != RUNNING:
            raise Refused(f"this phone cannot go to run state {state}")
        return b""

    async def list_snapshots(self, request: bytes) -> bytes:
        """SnapshotList: snapshots = 1, each snapshot_id = 1."""
        del request
        return b"".join(data(1, data(1, name)) for name in self._snapshots.names())

    async def load_snapshot(self, request: bytes) -> bytes:
        """SnapshotPackage: snapshot_id = 1, success = 3, err = 4."""
        return _tried(self._snapshots.load, Message(request).text(1))

    async def save_snapshot(self, request: bytes) -> bytes:
        """SnapshotPackage: snapshot_id = 1, success = 3, err = 4."""
        return _tried(self._snapshots.save, Message(request).text(1))

    async def delete_snapshot(self, request: bytes) -> bytes:
        """SnapshotPackage: snapshot_id = 1, success = 3, err = 4."""
        return _tried(self._snapshots.delete, Message(request).text(1))

    async def _feel(self, touch: Touch) -> None:
        await self._run(self._fingers.feel(touch, time.monotonic()))

    async def _run(self, line: str) -> None:
        if line:
            await self._served.run(line)


def _tried(work: Callable[[str], None], name: str) -> bytes:
    try:
        work(name)
    except SnapshotError as error:
        return data(1, name) + data(4, str(error))
    return data(1, name) + number(3, 1)


def _fitted(image: Image.Image, room: tuple[int, int]) -> Image.Image:
    """The picture scaled into the room, if there is one, in its own proportions."""
    if min(room) <= 0:
        return image
    scale = min(room[0] / image.width, room[1] / image.height)
    return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))


def _encoded(image: Image.Image, form: int) -> bytes:
    if form == PNG:
        buffer = io.BytesIO()
        image.save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()
    return image.convert("RGB").tobytes() if form == RGB else image.tobytes()
