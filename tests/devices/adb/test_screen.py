"""Pictures, trees and windows as phones print them."""

import io
import random
import struct

import pytest
from PIL import Image

from distrl.devices.adb.screen import foreground, read_picture, read_tree
from distrl.devices.simulated import to_ui_node
from distrl.errors import DeviceError
from distrl.simphone import Phone

PIXELS = bytes(range(2 * 3 * 4))


@pytest.mark.parametrize("header", [struct.pack("<III", 2, 3, 1), struct.pack("<IIII", 2, 3, 1, 1)])
def test_raw_pictures_of_old_and_new_phones(header: bytes) -> None:
    picture = read_picture(header + PIXELS)
    assert (picture.size, picture.mode) == ((2, 3), "RGB")
    assert picture.getpixel((1, 0)) == (4, 5, 6)


def test_pictures_as_png_and_with_16_bits() -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (2, 3), (9, 8, 7, 255)).save(buffer, "PNG")
    assert read_picture(buffer.getvalue()).getpixel((0, 0)) == (9, 8, 7)
    red = struct.pack("<III", 4, 3, 4) + struct.pack("<H", 0xF800) * 12
    assert read_picture(red).getpixel((1, 1)) == (255, 0, 0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"screencap: not found\n",
        struct.pack("<III", 2, 3, 1) + PIXELS[:-1],
        b"\x89PNG\r\n\x1a\nxxxxxxxxx",
    ],
)
def test_what_is_no_picture_is_an_error(data: bytes) -> None:
    with pytest.raises(DeviceError):
        read_picture(data)


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("  mCurrentFocus=Window{5c1f9a2 u0 com.android.x/com.android.x.Settings}", "com.android.x"),
        ("  mCurrentFocus=Window{1 u0 NotificationShade}\n", "com.android.systemui"),
        ("  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{8a u0 org.x.y/.Main t7}", "org.x.y"),
        ("  mFocusedApp=AppWindowToken{1 token=Token{2 ActivityRecord{3 u0 org.x/.Main t1}}}", "org.x"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_app_in_front(text: str, package: str) -> None:
    assert foreground(text) == package


def test_trees_are_those_of_the_phone() -> None:
    source = random.Random(1)
    phone = Phone(1)
    for _ in range(40):
        nodes = phone.tree()
        printed = phone.shell("uiautomator dump /dev/tty").stdout
        assert read_tree(printed, phone.width, phone.height) == tuple(map(to_ui_node, nodes))
        phone.tap(*source.choice([node for node in nodes if node.clickable] or nodes).centre)


def test_what_lies_outside_the_screen_is_left_out() -> None:
    node = '<node class="{}" bounds="{}">{}</node>'
    inner = node.format("c", "[10,10][20,20]", "")
    outside = node.format("b", "[200,0][300,50]", inner)
    text = f"<?xml version='1.0' ?><hierarchy>{node.format('a', '[-5,0][150,90]', outside)}</hierarchy>"
    tree = read_tree(f"noise {text} UI hierchary dumped to: /dev/tty", 100, 100) or ()
    assert [(one.class_name, one.bounds, one.parent) for one in tree] == [
        ("a", (0, 0, 100, 90), -1),
        ("c", (10, 10, 20, 20), 0),
    ]


@pytest.mark.parametrize(
    "text", ["", "ERROR: could not get idle state.", "<?xml ?><hierarchy><node</hierarchy>"]
)
def test_no_tree(text: str) -> None:
    assert read_tree(text, 100, 100) is None
