"""From what a phone prints to what an agent sees: pictures, accessibility trees, the app in front."""

from __future__ import annotations

import io
import re
import struct
import xml.etree.ElementTree as ElementTree

from PIL import Image

from distrl.errors import DeviceError
from distrl.records import UiNode

SYSTEM_UI = "com.android.systemui"
PNG = b"\x89PNG\r\n\x1a\n"
RGBA, RGBX, RGB, RGB_565 = 1, 2, 3, 4  # Android's pixel formats
_BYTES = {RGBA: 4, RGBX: 4, RGB: 3, RGB_565: 2}
_RAWMODE = {RGBA: ("RGBA", "RGBA"), RGBX: ("RGB", "RGBX"), RGB: ("RGB", "RGB"), RGB_565: ("RGB", "BGR;16")}
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_FOCUS = re.compile(r"(?:mCurrentFocus|mFocusedApp)=[^\n]*?\{\w+ u\d+ ([\w.]+)")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|&#(?:[0-8]|1[124-9]|2\d|3[01]);")


def read_picture(data: bytes) -> Image.Image:
    """The picture that `screencap` or `screencap -p` printed.

    Raw ones start with width, height and pixel format; since Android 9 the colour space follows.
    """
    if data.startswith(PNG):
        try:
            return Image.open(io.BytesIO(data)).convert("RGB")
        except OSError as error:
            raise DeviceError(f"the phone's picture is damaged: {error}") from error
    if len(data) < 16:
        raise DeviceError(f"the phone sent no picture: {data[:80]!r}")
    width, height, form = struct.unpack_from("<III", data)
    size = width * height * _BYTES.get(form, 0)
    start = len(data) - size
    if not size or start not in (12, 16):
        raise DeviceError(f"the phone sent something else than a picture: {data[:80]!r}")
    mode, raw = _RAWMODE[form]
    picture = Image.frombuffer(mode, (width, height), data[start:], "raw", raw, 0, 1)
    return picture.convert("RGB") if picture.mode != "RGB" else picture


def foreground(text: str) -> str:
    """The package in front, from lines of `dumpsys window`; empty if there is none."""
    found = _FOCUS.search(text)
    if found is None:
        return ""
    return found[1] if "." in found[1] else SYSTEM_UI  # the shade and its like have a name, but no package


def read_tree(text: str, width: int, height: int) -> tuple[UiNode, ...] | None:
    """The tree that `uiautomator dump` printed, parents before children; None if it printed none.

    Bounds are cut to the screen; what lies outside of it is left out, its children go to its parent.
    """
    start, end = text.find("<?xml"), text.rfind("</hierarchy>")
    if start < 0 or end < 0:
        return None
    try:
        root = ElementTree.fromstring(_UNPRINTABLE.sub("", text[start : end + len("</hierarchy>")]).encode())
    except ElementTree.ParseError:
        return None
    nodes: list[UiNode] = []
    waiting = [(element, -1) for element in reversed(root.findall("node"))]
    while waiting:
        element, parent = waiting.pop()
        node = _node(element, parent, width, height)
        if node is not None:
            parent = len(nodes)
            nodes.append(node)
        waiting += [(child, parent) for child in reversed(element)]
    return tuple(nodes)


def _node(element: ElementTree.Element, parent: int, width: int, height: int) -> UiNode | None:
    get = element.attrib.get
    found = _BOUNDS.fullmatch(get("bounds", ""))
    if found is None:
        return None
    left, top, right, bottom = map(int, found.groups())
    left, top, right, bottom = max(0, left), max(0, top), min(width, right), min(height, bottom)
    if left >= right or top >= bottom:
        return None
    class_name = get("class", "")
    return UiNode(
        class_name,
        get("text", ""),
        get("content-desc", ""),
        get("resource-id", ""),
        get("package", ""),
        (left, top, right, bottom),
        parent,
        get("clickable") == "true",
        get("long-clickable") == "true",
        get("scrollable") == "true",
        class_name.endswith("EditText"),  # uiautomator does not say who takes text
        get("focused") == "true",
        get("checkable") == "true",
        get("checked") == "true",
        get("selected") == "true",
        get("enabled", "true") == "true",
        get("password") == "true",
    )
