"""The marks a screen is made of: frozen records that know how to paint themselves onto an image.

A `Band` is a rectangle of marks whose pixels are remembered, so that a list row or a keyboard that did not
change is pasted, not drawn again.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import Protocol

import msgspec
from PIL import Image

from distrl.simphone import canvas, draw
from distrl.simphone.pictures import picture, wallpaper
from distrl.simphone.theme import Colour

SMALL_PATCH = 900
"""Up to this area, in px, a rounded shape is painted through one mask."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in px; right and bottom are outside."""


class Mark(Protocol):
    """Anything that can be painted."""

    def paint(self, image: Image.Image) -> None:
        """Paint onto the image, whose origin is the mark's own."""


class Ink(msgspec.Struct, frozen=True, gc=False):
    """One line of text; y is the baseline."""

    x: int
    y: int
    text: str
    size: int
    weight: str
    colour: Colour

    def paint(self, image: Image.Image) -> None:
        found = draw.text_mask(self.text, self.size, self.weight)
        if found is not None:
            mask, left, top = found
            canvas.stamp(image.im, self.colour, self.x + left, self.y + top, mask)


class Glyph(msgspec.Struct, frozen=True, gc=False):
    """An icon."""

    x: int
    y: int
    name: str
    size: int
    colour: Colour

    def paint(self, image: Image.Image) -> None:
        canvas.stamp(image.im, self.colour, self.x, self.y, draw.icon_mask(self.name, self.size).im)


class Fill(msgspec.Struct, frozen=True, gc=False):
    """A filled rectangle, its corners rounded by `radius`."""

    x: int
    y: int
    width: int
    height: int
    radius: int
    colour: Colour

    def paint(self, image: Image.Image) -> None:
        if self.width <= 0 or self.height <= 0:
            return
        core = image.im
        x, y, right, bottom = self.x, self.y, self.x + self.width, self.y + self.height
        radius = min(self.radius, self.width // 2, self.height // 2)
        if radius < 1:
            canvas.fill(core, self.colour, x, y, right, bottom)
        elif self.width * self.height <= SMALL_PATCH:
            canvas.stamp(core, self.colour, x, y, draw.rounded_mask(self.width, self.height, radius).im)
        else:
            # Masks are slow: only the corners need one.
            canvas.fill(core, self.colour, x + radius, y, right - radius, bottom)
            canvas.fill(core, self.colour, x, y + radius, x + radius, bottom - radius)
            canvas.fill(core, self.colour, right - radius, y + radius, right, bottom - radius)
            _paste_corners(core, self.colour, (x, y, right, bottom), draw.corner_masks(radius))


class Outline(msgspec.Struct, frozen=True, gc=False):
    """The border of a rectangle."""

    x: int
    y: int
    width: int
    height: int
    radius: int
    stroke: int
    colour: Colour

    def paint(self, image: Image.Image) -> None:
        if self.width <= 0 or self.height <= 0:
            return
        core = image.im
        x, y, right, bottom = self.x, self.y, self.x + self.width, self.y + self.height
        radius = min(self.radius, self.width // 2, self.height // 2)
        side = draw.corner_size(radius, self.stroke)
        if self.width * self.height <= SMALL_PATCH or 2 * side > min(self.width, self.height):
            mask = draw.outline_mask(self.width, self.height, radius, self.stroke)
            canvas.stamp(core, self.colour, x, y, mask.im)
            return
        for top in (y, bottom - self.stroke):
            canvas.fill(core, self.colour, x + side, top, right - side, top + self.stroke)
        for left in (x, right - self.stroke):
            canvas.fill(core, self.colour, left, y + side, left + self.stroke, bottom - side)
        _paste_corners(core, self.colour, (x, y, right, bottom), draw.corner_masks(radius, self.stroke))


def _paste_corners(core: canvas.Core, colour: Colour, box: Box, masks: tuple[Image.Image, ...]) -> None:
    left, top, right, bottom = box
    side = masks[0].width
    places = ((left, top), (right - side, top), (left, bottom - side), (right - side, bottom - side))
    for (x, y), mask in zip(places, masks, strict=True):
        canvas.stamp(core, colour, x, y, mask.im)


class Arc(msgspec.Struct, frozen=True, gc=False):
    """Part of a circle's border, from one angle to another (degrees, clockwise from three o'clock)."""

    x: int
    y: int
    size: int
    stroke: int
    start_deg: int
    end_deg: int
    colour: Colour

    def paint(self, image: Image.Image) -> None:
        mask = draw.arc_mask(self.size, self.stroke, self.start_deg, self.end_deg)
        image.paste(self.colour, (self.x, self.y), mask)


class Photo(msgspec.Struct, frozen=True, gc=False):
    """A procedural picture with round corners; `key` decides what it shows."""

    x: int
    y: int
    width: int
    height: int
    radius: int
    key: str

    def paint(self, image: Image.Image) -> None:
        mask = draw.rounded_mask(self.width, self.height, self.radius)
        image.paste(picture(self.key, self.width, self.height), (self.x, self.y), mask)


class Wallpaper(msgspec.Struct, frozen=True, gc=False):
    """The picture behind the home screen."""

    seed: int
    width: int
    height: int
    dark: bool

    def paint(self, image: Image.Image) -> None:
        image.paste(wallpaper(self.seed, self.width, self.height, self.dark), (0, 0))


class Shade(msgspec.Struct, frozen=True, gc=False):
    """Darkens everything painted so far, as behind a dialog."""

    strength: int

    def paint(self, image: Image.Image) -> None:
        image.paste(Image.blend(image, _black(image.size), self.strength / 255))


@lru_cache(maxsize=4)
def _black(size: tuple[int, int]) -> Image.Image:
    return Image.new("RGB", size)


class Sheet(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The content of a band: a size, a background and marks relative to its corner."""

    width: int
    height: int
    paper: Colour
    marks: tuple[Mark, ...]


class Band(msgspec.Struct, frozen=True, gc=False):
    """A sheet at a place, cut off at `clip` (relative to the same origin as x and y)."""

    x: int
    y: int
    sheet: Sheet
    clip: Box | None = None

    def paint(self, image: Image.Image) -> None:
        found = pixels(self.sheet)
        if self.clip is None:
            canvas.lay(image.im, found.im, self.x, self.y)
            return
        left, top = max(self.x, self.clip[0]), max(self.y, self.clip[1])
        right = min(self.x + self.sheet.width, self.clip[2])
        bottom = min(self.y + self.sheet.height, self.clip[3])
        if right <= left or bottom <= top:
            return
        part = canvas.cut(found.im, left - self.x, top - self.y, right - self.x, bottom - self.y)
        canvas.lay(image.im, part, left, top)


CACHED_PIXELS = 16_000_000
"""How many pixels of painted sheets are remembered (4 bytes each in Pillow), for all phones together."""

_sheets: OrderedDict[Sheet, Image.Image] = OrderedDict()
_cached = 0


def pixels(sheet: Sheet) -> Image.Image:
    """The painted sheet, remembered; treat it as read-only."""
    global _cached
    found = _sheets.get(sheet)
    if found is not None:
        _sheets.move_to_end(sheet)
        return found
    image = Image.new("RGB", (max(1, sheet.width), max(1, sheet.height)), sheet.paper)
    for mark in sheet.marks:
        mark.paint(image)
    _sheets[sheet] = image
    _cached += image.width * image.height
    while _cached > CACHED_PIXELS and len(_sheets) > 1:
        _, oldest = _sheets.popitem(last=False)
        _cached -= oldest.width * oldest.height
    return image
