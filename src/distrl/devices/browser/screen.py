"""From page.js's list of what is on the screen to our accessibility tree."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from distrl.devices.browser.tab import Tab
from distrl.errors import DeviceError
from distrl.records import UiNode


class _Row(msgspec.Struct, array_like=True, gc=False):
    kind: str
    text: str
    name: str
    id: str
    box: tuple[float, float, float, float]
    parent: int
    flags: int  # bits in the order of page.js's FLAGS, which is that of UiNode's fields


class _Look(msgspec.Struct):
    url: str
    changed: float
    nodes: list[_Row]


_decoder = msgspec.json.Decoder(_Look)


class Look(NamedTuple):
    """One look at a page."""

    app: str
    ui: tuple[UiNode, ...]
    changed: tuple[str, float]  # another one after every change of the page


async def look(tab: Tab, acted: bool, settle_s: float) -> Look:
    """The page in front and its elements, once it has settled, or as it is after `settle_s`."""
    text = await tab.ask_text("look", acted, 1e3 * settle_s)
    try:
        found = _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise DeviceError(f"the page's list of elements is damaged: {error}") from error
    app = app_of(found.url)
    width, height = (round(tab.zoom * side) for side in tab.size)
    places: list[int] = []  # where each row ended up, -1 if it is too small to see
    nodes: list[UiNode] = []
    for row in found.nodes:
        left, top, right, bottom = (round(tab.zoom * edge) for edge in row.box)
        box = max(0, left), max(0, top), min(width, right), min(height, bottom)
        parent = places[row.parent] if row.parent >= 0 else -1
        if box[0] >= box[2] or box[1] >= box[3]:
            places.append(parent)
            continue
        places.append(len(nodes))
        flags = (bool(row.flags >> bit & 1) for bit in range(10))
        nodes.append(UiNode(row.kind, row.text, row.name, row.id, app, box, parent, *flags))
    return Look(app, tuple(nodes), (found.url, found.changed))


def app_of(url: str) -> str:
    """What stands for the app in front: the site, or the name of a file."""
    parts = urlsplit(url)
    if parts.scheme == "file":
        return PurePosixPath(unquote(parts.path)).stem
    return parts.hostname or parts.scheme
