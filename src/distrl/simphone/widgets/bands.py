"""Placing widgets from memory: what was placed before in the same spot is copied, not laid out again.

A widget is a frozen record, so two equal ones at the same place on screens of the same look give equal nodes,
touch targets and marks, unless they look at more of the screen than they were given: what stands in fields,
how far something is scrolled, what has the focus. The scene notices that, and such a widget is not
remembered; neither is one that holds a list or anything else that cannot be looked up.

Phones differ in their accent more often than in anything else, and most widgets have nothing of it: what is
placed without using an accent's colour is remembered for all of them, the rest for the whole look.

Comparing widgets is most of the work, so each is looked up once and known by a number from then on. A band
that is new to its place but was placed further up or down before is moved there, if the scene says that it
may be: nothing of it was cut off, and it did not ask where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, islice
from typing import TypeVar

import msgspec

from distrl.simphone.elements import shared
from distrl.simphone.marks import Band, Box, Mark
from distrl.simphone.node import Node
from distrl.simphone.scene import Message, Scene, Target
from distrl.simphone.theme import Colour, Look, accent_uses, without_accent
from distrl.simphone.widgets.widget import Placeable, Widget

WIDGETS_KEPT = 40_000
"""How many widgets all phones of a process recognise together (about 1 kB each)."""
FRAGMENTS_KEPT = 20_000
"""The same for placed widgets (about 2 kB each), at a place and anywhere."""
WIDTHS_KEPT, HEIGHTS_KEPT = 100, 6_000
"""The same for widths of lists in one look, and for heights of widgets in each (about 100 bytes each)."""
SPOTS_KEPT = 10_000
"""The same for places and circumstances (about 500 bytes each)."""
STRANGER = -1
"""The number of a widget that cannot be looked up."""

K = TypeVar("K")
V = TypeVar("V")


class _Fragment(msgspec.Struct, frozen=True, gc=False):
    """What placing a widget added to the scene: a band, or else marks."""

    nodes: tuple[Node, ...]
    targets: tuple[Target, ...]
    flicks: tuple[tuple[Box, Message], ...]
    band: Band | None
    marks: tuple[Mark, ...]


class _Shape(msgspec.Struct, frozen=True, gc=False):
    """A band that may be moved up and down, with where it was: its y, its first node, their parent."""

    fragment: _Fragment
    y: int
    first: int
    parent: int


_Circumstances = tuple[int, int, Box | None, bool, int, str, Colour, tuple[Box, int, int], Look]
"""All but the widget, its y, its height and the number of nodes that decides what placing it adds: the look
without its accent."""
_Posture = tuple[int, int, str, Colour, int, int, Look]
"""All but the widget and its height that decides what placing a band adds that may be moved."""

_fresh = count()
_numbers: dict[Placeable, int] = {}
_heights: dict[tuple[int, Look], dict[int, int]] = {}
"""By the width and the look without its accent, then by the widget's number."""
_coloured: dict[int, None] = {}
"""The numbers of widgets that were seen to use the accent."""
_spots: dict[_Circumstances | _Posture | tuple[int, Look], int] = {}
"""Spots by their circumstances, those for coloured widgets by the spot and the whole look, and postures."""
_fragments: dict[tuple[int, int, int, int, int], _Fragment] = {}
_shapes: dict[tuple[int, int, int], _Shape] = {}
"""By the widget's number, the posture's and the height."""


def measure(widgets: Iterable[Widget], look: Look, width: int) -> tuple[list[int], list[int]]:
    """The numbers and the heights of widgets, from memory if possible."""
    numbers, heights = [], []
    known = _known_heights(width, without_accent(look))
    for widget in widgets:
        number = _number(widget)
        tall = known.get(number)
        if tall is None:
            uses = accent_uses()
            tall = widget.height(look, width)
            if number != STRANGER and accent_uses() == uses + 1:
                _make_room(known, HEIGHTS_KEPT)
                known[number] = tall
        numbers.append(number)
        heights.append(tall)
    return numbers, heights


def place_widget(scene: Scene, widget: Placeable, x: int, y: int, width: int, height: int) -> None:
    """Place a widget, from memory if it was placed in the same way before."""
    number = _number(widget)
    if number == STRANGER:
        widget.place(scene, x, y, width, height)
    else:
        Spot(scene, x, width, None, False).place(widget, number, y, height)


def place_band(
    scene: Scene, widget: Placeable, x: int, y: int, width: int, height: int, clip: Box | None = None
) -> None:
    """Place a widget as a band of its own (see `Scene.open_band`), from memory if possible."""
    Spot(scene, x, width, clip).place(widget, _number(widget), y, height)


def freeze(record: msgspec.Struct, field: str) -> None:
    """Make a list in a frozen record a tuple, so that the record can be looked up."""
    value = getattr(record, field)
    if type(value) is list:
        msgspec.structs.force_setattr(record, field, tuple(value))


class Spot:
    """Where on a scene, and in which circumstances, widgets are placed, one below the other."""

    __slots__ = ("_band", "_clip", "_coloured", "_number", "_postures", "_scene", "_width", "_x")

    def __init__(self, scene: Scene, x: int, width: int, clip: Box | None, band: bool = True) -> None:
        self._scene, self._x, self._width, self._clip, self._band = scene, x, width, clip, band
        ground = without_accent(scene.look)
        self._number = _spot_number(
            (x, width, clip, band, scene.parent, scene.package, scene.paper, scene.spot(), ground)
        )
        self._coloured = STRANGER
        self._postures = [STRANGER, STRANGER]

    def place(self, widget: Placeable, number: int, y: int, height: int) -> None:
        """Place a widget, as a band if the spot is one for bands; `number` is as `measure` gave it."""
        scene = self._scene
        spot = self._number
        if number in _coloured:
            accent_uses()  # what holds this widget uses the accent too
            spot = self._coloured_number()
        key = (number, spot, y, height, len(scene.nodes))
        found = _fragments.get(key)
        if found is None:
            if number == STRANGER:
                self._place(widget, y, height)
                return
            shape = _shapes.get(self._posture(number, height)) if self._band else None
            found = None if shape is None else self._move(shape, y)
            if found is None:
                self._remember(widget, number, y, height)
                return
            _make_room(_fragments, FRAGMENTS_KEPT)
            _fragments[key] = found
        scene.nodes += found.nodes
        scene.targets += found.targets
        if found.flicks:
            scene.flicks += found.flicks
        if found.band is not None:
            scene.open_marks.append(found.band)
        else:
            scene.open_marks.extend(found.marks)

    def _place(self, widget: Placeable, y: int, height: int) -> None:
        scene = self._scene
        if not self._band:
            widget.place(scene, self._x, y, self._width, height)
            return
        outer = scene.open_band(self._x, y)
        scene.moored = False
        widget.place(scene, self._x, y, self._width, height)
        scene.close_band(outer, self._width, height, self._clip)

    def _coloured_number(self) -> int:
        """The number of this spot for widgets that use the accent."""
        if self._coloured == STRANGER:
            self._coloured = _spot_number((self._number, self._scene.look))
        return self._coloured

    def _remember(self, widget: Placeable, number: int, y: int, height: int) -> None:
        """Place a widget and remember what that added, unless it may look otherwise the next time."""
        scene = self._scene
        nodes, targets, flicks, marks = scene.nodes, scene.targets, scene.flicks, scene.open_marks
        first, first_target, first_flick, first_mark = len(nodes), len(targets), len(flicks), len(marks)
        others_looked, others_moored = scene.looked, scene.moored
        scene.looked = False
        uses = accent_uses()
        self._place(widget, y, height)
        plain = accent_uses() == uses + 1
        looked, moored = scene.looked, scene.moored
        scene.looked, scene.moored = looked or others_looked, moored or others_moored
        if looked:
            return
        spot = self._number
        if not plain:
            if number not in _coloured:
                _make_room(_coloured, WIDGETS_KEPT)
                _coloured[number] = None
            spot = self._coloured_number()
        band = marks[-1] if self._band else None
        assert band is None or isinstance(band, Band)
        fragment = _Fragment(
            tuple(nodes[first:]),
            tuple(targets[first_target:]),
            tuple(flicks[first_flick:]),
            band,
            () if self._band else tuple(marks[first_mark:]),
        )
        if self._band and not moored:
            _make_room(_shapes, FRAGMENTS_KEPT)
            _shapes[self._posture(number, height)] = _Shape(fragment, y, first, scene.parent)
        _make_room(_fragments, FRAGMENTS_KEPT)
        _fragments[(number, spot, y, height, first)] = fragment

    # -- moving ----------------------------------------------------------------------------------------

    def _posture(self, number: int, height: int) -> tuple[int, int, int]:
        coloured = number in _coloured
        posture = self._postures[coloured]
        if posture == STRANGER:
            scene = self._scene
            (left, _, right, _), _, _ = scene.spot()
            look = scene.look if coloured else without_accent(scene.look)
            posture = self._postures[coloured] = _spot_number(
                (self._x, self._width, scene.package, scene.paper, left, right, look)
            )
        return number, posture, height

    def _move(self, shape: _Shape, y: int) -> _Fragment | None:
        """What placing a widget adds, by what it added further up or down; None if that cannot be told."""
        scene, old = self._scene, shape.fragment
        (_, clip_top, _, clip_bottom), _, _ = scene.spot()
        down, first, on = y - shape.y, shape.first, len(scene.nodes) - shape.first
        nodes = []
        for node in old.nodes:
            left, top, right, bottom = node.bounds
            inner = node.parent >= first
            if top + down < clip_top or bottom + down > clip_bottom:
                return None  # something of it would be cut off
            if not inner and node.parent != shape.parent:
                return None
            parent = node.parent + on if inner else scene.parent
            box = (left, top + down, right, bottom + down)
            nodes.append(node.moved(shared(box, box), parent))
        assert old.band is not None
        targets = [
            Target(
                _moved_box(one.box, down),
                one.tap,
                one.long_press,
                one.slider,
                one.node + on if one.node >= 0 else -1,
            )
            for one in old.targets
        ]
        return _Fragment(
            tuple(nodes),
            tuple(targets),
            tuple([(_moved_box(area, down), message) for area, message in old.flicks]),
            scene.band(self._x, y, old.band.sheet, self._clip),
            (),
        )


def _moved_box(box: Box, down: int) -> Box:
    moved = (box[0], box[1] + down, box[2], box[3] + down)
    return shared(moved, moved)


def _known_heights(width: int, ground: Look) -> dict[int, int]:
    known = _heights.get((width, ground))
    if known is None:
        _make_room(_heights, WIDTHS_KEPT)
        known = _heights[(width, ground)] = {}
    return known


def _number(widget: Placeable) -> int:
    """The number by which an equal widget is known; STRANGER if it cannot be looked up."""
    try:
        number = _numbers.get(widget)
    except TypeError:
        return STRANGER
    if number is None:
        _make_room(_numbers, WIDGETS_KEPT)
        number = _numbers[widget] = next(_fresh)
    return number


def _spot_number(circumstances: _Circumstances | _Posture | tuple[int, Look]) -> int:
    number = _spots.get(circumstances)
    if number is None:
        _make_room(_spots, SPOTS_KEPT)
        number = _spots[circumstances] = next(_fresh)
    return number


def _make_room(memory: dict[K, V], most: int) -> None:
    """Forget the oldest quarter of a full memory.

    Many at once, since a dict from which the first entry is taken again and again gets slower and slower.
    """
    if len(memory) >= most:
        for oldest in list(islice(memory, most // 4)):
            del memory[oldest]
