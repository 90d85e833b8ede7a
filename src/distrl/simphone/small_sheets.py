"""Paints simple sheets four times smaller without painting them at full size.

A small pixel is the mean of a block of pixels, and the mean is linear: a shape on a flat ground covers a part
of the block and mixes its colour into the ground's by that part. So text, icons and rounded patches can be
stamped small through reduced masks and come out as if they had been painted large and reduced, give or take
the rounding, as long as no block is shared by two of them. Where blocks are shared, each shape adds its part
of the block times the difference of its colour to the ground's, if it lies on one flat ground and nothing
lies over it. Sheets that are not so simple are left to others.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image

from distrl.simphone import canvas, draw
from distrl.simphone.canvas import Core
from distrl.simphone.marks import Box, Fill, Glyph, Ink, Outline, Photo, Sheet
from distrl.simphone.pictures import picture
from distrl.simphone.theme import BLACK, Colour

SMALLER = 4
CORNER = 2**0.5

Light = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
"""[rows, 3 * columns], the colours of a block side by side: numpy is slow where the last axis is short."""
FRACTIONS: Light = np.arange(256, dtype=np.float32) * np.float32(1 / 255)
Simple = Ink | Glyph | Fill | Outline | Photo
RECTANGLES = (Fill, Outline, Photo)
SIMPLE = (Ink, Glyph, *RECTANGLES)
Patch = tuple[Box, int, Colour]
"""A shape that other marks may lie on: its rectangle, the radius of its corners, its colour."""
Frame = tuple[Box, Box, int]
"""The blocks that a patch or an outline touches, the rectangle within it, and the radius of its corners."""


def paint(sheet: Sheet, phase: int) -> Core | None:
    """The small sheet if it begins `phase` rows below a multiple of four; None if it is not simple enough.

    The rows that are missing in its first and last small row count as black.
    """
    boxes = _boxes(sheet)
    if boxes is None:
        return None
    if _apart(sheet, boxes, phase):
        return _stamped(sheet, phase)
    grounds = _grounds(sheet, boxes)
    return None if grounds is None else _summed(sheet, phase, grounds)


def _boxes(sheet: Sheet) -> list[Box] | None:
    """Where each mark is; None if there is one that is not simple or sticks out."""
    boxes: list[Box] = []
    for mark in sheet.marks:
        if isinstance(mark, Ink):
            # Letters reach from the baseline about 0.8 em up and 0.25 em down.
            left, right = mark.x, mark.x + draw.text_width(mark.text, mark.size, mark.weight)
            top, bottom = mark.y - mark.size * 4 // 5, mark.y + mark.size // 4
        elif isinstance(mark, Glyph):
            left, top, right, bottom = mark.x, mark.y, mark.x + mark.size, mark.y + mark.size
        elif isinstance(mark, RECTANGLES):
            left, top, right, bottom = mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
        else:
            return None
        if left < 0 or top < 0 or right > sheet.width or bottom > sheet.height:
            return None
        boxes.append((left, top, right, bottom))
    return boxes


def _place(mark: Simple, phase: int) -> tuple[int, int]:
    """Where the corner of a mark's mask lies, in rows and columns of pixels."""
    if isinstance(mark, Ink):
        return mark.x - draw.OVERHANG, mark.y + phase - mark.size * 11 // 10
    return mark.x, mark.y + phase


def _radius(mark: Fill | Outline | Photo) -> int:
    return min(mark.radius, mark.width // 2, mark.height // 2)


def _parts(height: int, phase: int) -> tuple[int, int, int]:
    """How many small rows a sheet has, and how many rows of the first and of the last are its own."""
    rows = -(-(phase + height) // SMALLER)
    if rows == 1:
        return 1, height, height
    return rows, SMALLER - phase, height + phase - (rows - 1) * SMALLER


# -- where marks have their blocks for themselves --------------------------------------------------------


def _apart(sheet: Sheet, boxes: list[Box], phase: int) -> bool:
    """Whether each mark has its blocks for itself, or lies where a patch or an outline has all of them."""
    start, end = -(-phase // SMALLER) * SMALLER, (phase + sheet.height) // SMALLER * SMALLER
    frames: list[Frame] = []
    taken: list[Box] = []
    for mark, (left, top, right, bottom) in zip(sheet.marks, boxes, strict=True):
        first, last = (top + phase) // SMALLER * SMALLER, -(-(bottom + phase) // SMALLER) * SMALLER
        west, east = left // SMALLER * SMALLER, -(-right // SMALLER) * SMALLER
        if first < start or last > end:
            return False
        for (outer_west, outer_first, outer_east, outer_last), inner, radius in reversed(frames):
            if west < outer_east and outer_west < east and first < outer_last and outer_first < last:
                inset = min(west - inner[0], first - inner[1], inner[2] - east, inner[3] - last)
                if inset < 0 or CORNER * (radius - inset) > radius:
                    return False
                break
        for other in taken:
            if west < other[2] and other[0] < east and first < other[3] and other[1] < last:
                return False
        touched = (west, first, east, last)
        if isinstance(mark, (Fill, Outline)):
            edge = mark.stroke if isinstance(mark, Outline) else 0
            inner = (left + edge, top + phase + edge, right - edge, bottom + phase - edge)
            frames.append((touched, inner, max(0, _radius(mark) - edge)))
        else:
            taken.append(touched)
    return True


def _stamped(sheet: Sheet, phase: int) -> Core:
    """The small sheet if its marks are apart."""
    rows, first, last = _parts(sheet.height, phase)
    columns = sheet.width // SMALLER
    small = canvas.blank("RGB", columns, rows, sheet.paper)
    for row, own in ((0, first), (rows - 1, last)):
        if own < SMALLER:
            red, green, blue = ((colour * own + SMALLER // 2) // SMALLER for colour in sheet.paper)
            canvas.fill(small, (red, green, blue), 0, row, columns, row + 1)
    for mark in sheet.marks:
        assert isinstance(mark, SIMPLE)
        x, y = _place(mark, phase)
        column, row = x // SMALLER, y // SMALLER
        if isinstance(mark, Photo):
            light, mask = _photo(mark.key, mark.width, mark.height, mark.radius, x % SMALLER, y % SMALLER)
            canvas.stamp(small, BLACK, column, row, mask)
            wide, tall = mask.size
            ground = canvas.cut(small, column, row, column + wide, row + tall)
            canvas.lay(small, canvas.added(ground, light), column, row)
            continue
        cover = _cover(mark, x % SMALLER, y % SMALLER)
        if cover is not None:
            canvas.stamp(small, mark.colour, column, row, cover)
    return small


# -- where they share blocks -----------------------------------------------------------------------------


def _grounds(sheet: Sheet, boxes: list[Box]) -> list[Colour] | None:
    """The colour that each mark lies on; None if one lies on several, or something lies over one."""
    found: list[Colour] = []
    patches: list[Patch] = []
    taken: list[Box] = []
    for mark, box in zip(sheet.marks, boxes, strict=True):
        left, top, right, bottom = box
        radius = _radius(mark) if isinstance(mark, RECTANGLES) else 0
        below = _below(sheet.paper, patches, box, radius) if patches else sheet.paper
        if below is None:
            return None
        for other in taken:
            if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                return None
        if isinstance(mark, Fill):
            patches.append((box, radius, mark.colour))
        elif not isinstance(mark, Outline):
            taken.append(box)
        found.append(below)
    return found


def _below(paper: Colour, patches: list[Patch], box: Box, radius: int) -> Colour | None:
    """The colour that a mark lies on; None if it lies on more than one."""
    own_left, own_top, own_right, own_bottom = box
    for (left, top, right, bottom), patch_radius, colour in reversed(patches):
        if own_left >= right or left >= own_right or own_top >= bottom or top >= own_bottom:
            continue
        inset = min(own_left - left, own_top - top, right - own_right, bottom - own_bottom)
        # In the corner: how far the inner corner's centre is from the outer one's, each way.
        apart = patch_radius - inset - radius
        if inset < 0 or (apart > 0 and CORNER * apart + radius > patch_radius):
            return None
        return colour
    return paper


def _summed(sheet: Sheet, phase: int, grounds: list[Colour]) -> Core:
    """The small sheet if each mark lies on one flat ground."""
    rows, first, last = _parts(sheet.height, phase)
    small: Light = np.tile(np.array(sheet.paper, np.float32), (rows, sheet.width // SMALLER))
    small[0] *= first / SMALLER
    if rows > 1:
        small[-1] *= last / SMALLER
    for mark, below in zip(sheet.marks, grounds, strict=True):
        assert isinstance(mark, SIMPLE)
        _add(small, mark, phase, below)
    small += 0.5  # so that cutting off the fraction rounds
    size = (sheet.width // SMALLER, rows)
    return Image.frombytes("RGB", size, small.astype(np.uint8), "raw", "RGB").im


def _add(small: Light, mark: Simple, phase: int, below: Colour) -> None:
    """Add the mark's share to every block that it covers."""
    x, y = _place(mark, phase)
    share = _share(mark, x % SMALLER, y % SMALLER, below)
    if share is None:
        return
    left, top = 3 * (x // SMALLER), y // SMALLER
    (rows, across), (tall, wide) = small.shape, share.shape
    if left < 0 or top < 0 or left + wide > across or top + tall > rows:
        # Only the slack around letters may stick out.
        share = share[max(0, -top) : rows - top, max(0, -left) : across - left]
        left, top = max(0, left), max(0, top)
        tall, wide = share.shape
    covered = small[top : top + tall, left : left + wide]
    covered += share


def _share(mark: Simple, x: int, y: int, below: Colour) -> Light | None:
    """What a mark changes in each block if its mask's corner lies at (x, y) within a block."""
    if isinstance(mark, Photo):
        light, mask = _photo(mark.key, mark.width, mark.height, mark.radius, x, y)
        return canvas.array(light).reshape(mask.size[1], -1) - _tinted(mask, below, BLACK)
    cover = _cover(mark, x, y)
    return None if cover is None else _tinted(cover, mark.colour, below)


def _tinted(cover: Core, colour: Colour, below: Colour) -> Light:
    """What a colour changes in each block that it covers so far."""
    wide, tall = cover.size
    degrees = np.frombuffer(canvas.raw(cover), np.uint8).reshape(tall, wide)
    share: Light = _changes(colour, below).take(degrees, axis=0)
    return share.reshape(tall, -1)


@lru_cache(maxsize=2048)
def _changes(colour: Colour, below: Colour) -> Light:
    """[256, 3], what a colour changes in a block for every degree to which it may cover it."""
    changes: Light = np.outer(FRACTIONS, np.array(colour, np.float32) - np.array(below, np.float32))
    return changes


# -- how much of each block a mark covers: grey images, 255 for all of it --------------------------------


def _cover(mark: Ink | Glyph | Fill | Outline, x: int, y: int) -> Core | None:
    """A mark's mask, small, if its corner lies at (x, y) within a block; None if there is nothing of it."""
    if isinstance(mark, Ink):
        return _text_cover(mark.text, mark.size, mark.weight, x, y)
    if isinstance(mark, Glyph):
        return _glyph_cover(mark.name, mark.size, x, y)
    if mark.width <= 0 or mark.height <= 0:
        return None
    stroke = mark.stroke if isinstance(mark, Outline) else 0
    return _patch_cover(mark.width, mark.height, _radius(mark), stroke, x, y)


def _reduced(mask: Core, x: int, y: int) -> Core:
    """How much of each block a mask covers whose corner lies at (x, y) within a block."""
    wide, tall = mask.size
    padded = canvas.blank("L", -(-(x + wide) // SMALLER) * SMALLER, -(-(y + tall) // SMALLER) * SMALLER, 0)
    canvas.lay(padded, mask, x, y)
    return canvas.reduced(padded, SMALLER)


@lru_cache(maxsize=1 << 13)
def _text_cover(text: str, size: int, weight: str, x: int, y: int) -> Core | None:
    mask = draw.text_ink(text, size, weight, x, y, SMALLER)
    return None if mask is None else canvas.reduced(mask, SMALLER)


@lru_cache(maxsize=1 << 12)
def _glyph_cover(name: str, size: int, x: int, y: int) -> Core:
    return _reduced(draw.icon_mask(name, size).im, x, y)


@lru_cache(maxsize=1 << 11)
def _patch_cover(width: int, height: int, radius: int, stroke: int, x: int, y: int) -> Core:
    """A patch, or only its border if that has a stroke."""
    if stroke:
        return _reduced(draw.outline_mask(width, height, radius, stroke).im, x, y)
    return _reduced(draw.rounded_mask(width, height, radius).im, x, y)


@lru_cache(maxsize=1 << 9)
def _photo(key: str, width: int, height: int, radius: int, x: int, y: int) -> tuple[Core, Core]:
    """The light that a picture with round corners sends from each block, and how much of it it covers."""
    mask = draw.rounded_mask(width, height, radius)
    cover = _reduced(mask.im, x, y)
    columns, rows = cover.size
    padded = Image.new("RGB", (columns * SMALLER, rows * SMALLER))
    padded.paste(picture(key, width, height), (x, y), mask)
    return canvas.reduced(padded.im, SMALLER), cover
