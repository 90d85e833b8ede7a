"""Placing widgets from memory: what was placed before in the same spot is copied, not laid out again.

A widget is a frozen record, so two equal ones at the same place on screens of the same look give equal nodes,
touch targets and marks, unless they look at more of the screen than they were given: what stands in fields,
how far something is scrolled, what has the focus. The scene notices that, and such a widget is not
remembered; neither is one that holds a list or anything else that cannot be looked up.
"""

from __future__ import annotations

from itertools import islice
from typing import TypeVar

import msgspec

from distrl.simphone.marks import Box, Mark
from distrl.simphone.node import Node
from distrl.simphone.scene import Message, Scene, Target
from distrl.simphone.theme import Colour, Look
from distrl.simphone.widgets.widget import Placeable, Widget

FRAGMENTS_KEPT = 20_000
"""How many placed widgets all phones of a process remember together (about 2 kB each)."""
HEIGHTS_KEPT = 30_000
"""The same for heights of widgets (about 300 bytes each)."""

K = TypeVar("K")
V = TypeVar("V")


class _Fragment(msgspec.Struct, frozen=True, gc=False):
    """What placing a widget added to the scene."""

    nodes: tuple[Node, ...]
    targets: tuple[Target, ...]
    flicks: tuple[tuple[Box, Message], ...]
    marks: tuple[Mark, ...]


_Spot = tuple[
    Placeable, int, int, int, int, bool, Box | None, int, int, str, Colour, Box, tuple[int, int], Look
]
"""All that decides what placing a widget adds to the scene."""

_fragments: dict[_Spot, _Fragment] = {}
_heights: dict[tuple[Widget, Look, int], int] = {}


def height_of(widget: Widget, look: Look, width: int) -> int:
    """The height of a widget, from memory if possible."""
    key = (widget, look, width)
    try:
        found = _heights.get(key)
    except TypeError:
        return widget.height(look, width)
    if found is None:
        _make_room(_heights, HEIGHTS_KEPT)
        found = _heights[key] = widget.height(look, width)
    return found


def place_widget(scene: Scene, widget: Placeable, x: int, y: int, width: int, height: int) -> None:
    """Place a widget, from memory if it was placed in the same way before."""
    _recall(scene, widget, x, y, width, height, False, None)


def place_band(
    scene: Scene, widget: Placeable, x: int, y: int, width: int, height: int, clip: Box | None = None
) -> None:
    """Place a widget as a band of its own (see `Scene.open_band`), from memory if possible."""
    _recall(scene, widget, x, y, width, height, True, clip)


def freeze(record: msgspec.Struct, field: str) -> None:
    """Make a list in a frozen record a tuple, so that the record can be looked up."""
    value = getattr(record, field)
    if type(value) is list:
        msgspec.structs.force_setattr(record, field, tuple(value))


def _recall(
    scene: Scene, widget: Placeable, x: int, y: int, width: int, height: int, band: bool, clip: Box | None
) -> None:
    nodes, targets, flicks, marks = scene.nodes, scene.targets, scene.flicks, scene.open_marks
    key = (
        widget, x, y, width, height, band, clip,
        len(nodes), scene.parent, scene.package, scene.paper, scene.clip, scene.origin, scene.look,
    )  # fmt: skip
    try:
        found = _fragments.get(key)
    except TypeError:
        _place(scene, widget, x, y, width, height, band, clip)
        return
    if found is not None:
        nodes += found.nodes
        targets += found.targets
        flicks += found.flicks
        marks += found.marks
        return
    before = len(nodes), len(targets), len(flicks), len(marks)
    others_looked, scene.looked = scene.looked, False
    _place(scene, widget, x, y, width, height, band, clip)
    if scene.looked:
        return
    scene.looked = others_looked
    _make_room(_fragments, FRAGMENTS_KEPT)
    _fragments[key] = _Fragment(
        tuple(nodes[before[0] :]),
        tuple(targets[before[1] :]),
        tuple(flicks[before[2] :]),
        tuple(marks[before[3] :]),
    )


def _place(
    scene: Scene, widget: Placeable, x: int, y: int, width: int, height: int, band: bool, clip: Box | None
) -> None:
    if not band:
        widget.place(scene, x, y, width, height)
        return
    outer = scene.open_band(x, y)
    widget.place(scene, x, y, width, height)
    scene.close_band(outer, width, height, clip)


def _make_room(memory: dict[K, V], most: int) -> None:
    """Forget the oldest quarter of a full memory.

    Many at once, since a dict from which the first entry is taken again and again gets slower and slower.
    """
    if len(memory) >= most:
        for oldest in list(islice(memory, most // 4)):
            del memory[oldest]
