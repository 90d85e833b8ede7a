import asyncio
from collections.abc import Coroutine
from pathlib import Path

import pytest
from PIL import Image

from distrl.simphone.emulator.controller import PNG, RESET, RGB, RGBA, SHUTDOWN, Controller, Refused
from distrl.simphone.emulator.fingers import Fingers, Touch
from distrl.simphone.emulator.keys import EVDEV, KEY_DOWN, KEY_PRESS, KEY_UP, XKB, Key, Keyboard
from distrl.simphone.emulator.protowire import Message, data, number
from distrl.simphone.emulator.snapshots import SnapshotError, Snapshots
from distrl.simphone.served import Conduct, ServedPhone


@pytest.fixture
def served() -> ServedPhone:
    return ServedPhone("phone", 0, Conduct(clock="actions", time_scale=0.0))


@pytest.fixture
def controller(served: ServedPhone) -> Controller:
    return Controller(served, Snapshots(served))


def call(work: Coroutine[None, None, bytes]) -> Message:
    return Message(asyncio.run(work))


def touch(x: int, y: int, pressure: int) -> bytes:
    return data(1, number(1, x) + number(2, y) + number(4, pressure))


def test_pictures_come_in_the_form_and_size_that_was_asked_for(
    served: ServedPhone, controller: Controller
) -> None:
    frame = served.phone.frame()
    image = call(controller.get_screenshot(number(1, RGBA)))
    described = Message(image.parts(1)[0])
    assert (described.number(1), described.number(3), described.number(4)) == (RGBA, *frame.size)
    assert image.parts(4)[0] == frame.convert("RGBA").tobytes()
    assert call(controller.get_screenshot(number(1, RGB))).parts(4)[0] == frame.tobytes()
    assert call(controller.get_screenshot(number(1, PNG))).parts(4)[0].startswith(b"\x89PNG")
    small = call(controller.get_screenshot(number(1, RGBA) + number(3, 100) + number(4, 100)))
    width, height = Message(small.parts(1)[0]).number(3), Message(small.parts(1)[0]).number(4)
    assert (width, height) == (56, 100)
    Image.frombytes("RGBA", (width, height), small.parts(4)[0])


def test_touching_opens_what_was_touched(served: ServedPhone, controller: Controller) -> None:
    icon = next(node for node in served.phone.tree() if node.text == "Settings")
    x, y = (icon.bounds[0] + icon.bounds[2]) // 2, (icon.bounds[1] + icon.bounds[3]) // 2
    call(controller.send_touch(touch(x, y, 1)))
    assert "launcher" in served.phone.foreground  # a finger that is down has done nothing yet
    call(controller.send_touch(touch(0, 0, 0)))
    assert served.phone.foreground == "com.android.settings"
    call(controller.send_key(number(2, KEY_PRESS) + data(4, "GoHome")))
    assert "launcher" in served.phone.foreground


def test_fingers_tap_swipe_and_hold() -> None:
    fingers = Fingers()
    assert fingers.feel(Touch(5, 5, 0, 0), 0.0) == ""  # nothing to lift
    assert fingers.feel(Touch(10, 20, 0, 1), 1.0) == ""
    assert fingers.feel(Touch(0, 0, 0, 0), 1.1) == "input tap 10 20"
    fingers.feel(Touch(10, 20, 0, 1), 2.0)
    fingers.feel(Touch(11, 21, 0, 1), 2.5)
    assert fingers.feel(Touch(0, 0, 0, 0), 3.0) == "input swipe 10 20 10 20 1000"
    fingers.feel(Touch(10, 400, 0, 1), 4.0)
    fingers.feel(Touch(10, 100, 0, 1), 4.2)
    fingers.feel(Touch(50, 50, 1, 1), 4.2)
    assert fingers.feel(Touch(50, 50, 1, 0), 4.3) == ""  # a second finger makes no gesture
    assert fingers.feel(Touch(0, 0, 0, 0), 4.5) == "input swipe 10 400 10 100 500"


def test_keys_by_code_by_name_and_with_shift() -> None:
    keyboard = Keyboard()

    def press(code: int = 0, name: str = "", kind: int = EVDEV, event: int = KEY_PRESS) -> str:
        return keyboard.feel(Key(kind, event, code, name, ""))

    assert press(30) == press(38, kind=XKB) == "input text a"
    assert press(30, event=KEY_UP) == ""
    assert press(158) == press(name="GoBack") == "input keyevent KEYCODE_BACK"
    press(42, event=KEY_DOWN)
    assert (press(30), press(2)) == ("input text A", "input text '!'")
    press(42, event=KEY_UP)
    assert press(30) == "input text a"
    assert press(name="NoSuchKey") == press(30, kind=3) == ""
    assert keyboard.feel(Key(0, KEY_PRESS, 0, "", "two words")) == "input text two%swords"


def test_run_states(served: ServedPhone) -> None:
    off: list[int] = []
    snapshots = Snapshots(served)
    call(Controller(served, snapshots, lambda: off.append(1)).set_vm_state(number(1, SHUTDOWN)))
    assert off == [1]
    with pytest.raises(Refused):
        call(Controller(served, snapshots).set_vm_state(number(1, SHUTDOWN)))
    boots = served.phone.state.boots
    call(Controller(served, snapshots).set_vm_state(number(1, RESET)))
    assert served.phone.state.boots == boots + 1


@pytest.mark.parametrize("on_disk", [False, True])
def test_snapshots_bring_everything_back_and_cut_connections(
    served: ServedPhone, tmp_path: Path, on_disk: bool
) -> None:
    snapshots = Snapshots(served, tmp_path if on_disk else None)
    cuts: list[int] = []
    served.connections.add(lambda: cuts.append(1))
    snapshots.save("clean")
    before = served.phone.snapshot()
    served.phone.open_app("Settings")
    snapshots.save("later")
    assert snapshots.names() == ["clean", "later"]
    snapshots.load("clean")
    assert served.phone.snapshot() == before
    assert cuts == [1]
    for name in ("nothing", "../clean"):
        with pytest.raises(SnapshotError):
            snapshots.load(name)
    with pytest.raises(SnapshotError):
        snapshots.save("a/b")
    if on_disk:
        (tmp_path / "later" / "ram.bin").write_bytes(b"rubbish")
        with pytest.raises(SnapshotError, match="cannot be loaded"):
            snapshots.load("later")
        assert served.phone.snapshot() == before
    snapshots.delete("later")
    assert snapshots.names() == ["clean"]
