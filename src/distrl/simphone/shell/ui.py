"""What is on the screen, from the shell: `uiautomator dump`, `screencap`, `wm`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from PIL import Image

from distrl.simphone import storage
from distrl.simphone.node import Node
from distrl.simphone.shell.result import Command, ShellResult, failure, lines

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

DUMP_PATH = "/sdcard/window_dump.xml"
DUMPED = "UI hierchary dumped to: "  # as Android spells it
TERMINALS = ("/dev/tty", "/dev/stdout", "/proc/self/fd/1")
RGBA_8888, SRGB = 1, 1  # Android's numbers for the pixel format and the colour space


def hierarchy(nodes: list[Node]) -> str:
    """The accessibility tree as the XML that uiautomator writes."""
    children: dict[int, list[int]] = {}
    for index, node in enumerate(nodes):
        children.setdefault(node.parent, []).append(index)
    parts = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"]

    def write(index: int, place: int) -> None:
        opening = _opening(nodes[index], place)
        below = children.get(index, [])
        if not below:
            parts.append(opening + " />")
            return
        parts.append(opening + ">")
        for number, child in enumerate(below):
            write(child, number)
        parts.append("</node>")

    for number, root in enumerate(children.get(-1, [])):
        write(root, number)
    parts.append("</hierarchy>")
    return "".join(parts)


def _opening(node: Node, place: int) -> str:
    left, top, right, bottom = node.bounds
    flags = {
        "checkable": node.checkable,
        "checked": node.checked,
        "clickable": node.clickable,
        "enabled": node.enabled,
        "focusable": node.clickable or node.editable,
        "focused": node.focused,
        "scrollable": node.scrollable,
        "long-clickable": node.long_clickable,
        "password": node.password,
        "selected": node.selected,
    }
    words = " ".join(f'{name}="{str(value).lower()}"' for name, value in flags.items())
    return (
        f'<node index="{place}" text={_quoted(node.text)} resource-id={_quoted(node.resource_id)} '
        f"class={_quoted(node.class_name)} package={_quoted(node.package)} "
        f"content-desc={_quoted(node.description)} {words} "
        f'bounds="[{left},{top}][{right},{bottom}]"'
    )


def _quoted(text: str) -> str:
    return '"' + escape(text, {'"': "&quot;", "\n": "&#10;"}) + '"'


def uiautomator(phone: Phone, args: list[str]) -> ShellResult:
    """`uiautomator dump [FILE]`: writes the tree to a file (`cat` it), or prints it for /dev/tty."""
    if not args or args[0] != "dump":
        return failure("Usage: uiautomator dump [file]")
    paths = [word for word in args[1:] if not word.startswith("--")]
    path = paths[0] if paths else DUMP_PATH
    text = hierarchy(phone.tree())
    if path in TERMINALS:
        return ShellResult(f"{text}{DUMPED}{path}\n")
    if not storage.write(phone.store, path, text.encode()):
        return failure(f"ERROR: cannot write {path}")
    return lines(f"{DUMPED}{path}")


def screencap(phone: Phone, args: list[str]) -> ShellResult:
    """`screencap [-p] [FILE]`: the picture as PNG, or raw: width, height, format, colour space, then RGBA."""
    paths = [word for word in args if not word.startswith("-")]
    as_png = "-p" in args or (bool(paths) and paths[-1].endswith(".png"))
    picture = phone.screencap_png() if as_png else raw_picture(phone.frame())
    if not paths:
        return ShellResult("screencap: binary output, use exec-out\n", 0, picture)
    if not storage.write(phone.store, paths[-1], picture):
        return failure(f"Error opening file: {paths[-1]} (Read-only file system)")
    return ShellResult()


def raw_picture(image: Image.Image) -> bytes:
    """A picture as `screencap` without -p writes it since Android 9."""
    header = struct.pack("<IIII", image.width, image.height, RGBA_8888, SRGB)
    return header + image.convert("RGBA").tobytes()


def wm(phone: Phone, args: list[str]) -> ShellResult:
    """`wm size` and `wm density`."""
    if args[:1] == ["size"]:
        return lines(f"Physical size: {phone.width}x{phone.height}")
    if args[:1] == ["density"]:
        return lines("Physical density: 160")
    return failure("Window manager (window) commands: size, density", 255)


COMMANDS: dict[str, Command] = {"uiautomator": uiautomator, "screencap": screencap, "wm": wm}
