"""Paints simple sheets four times smaller without painting them at full size.

The mean over a block of pixels is linear: on a flat ground, a shape adds its coverage of the block times the
difference of its colour to the ground's. So text, icons and rounded patches can be painted small and come out
as if they had been painted large and reduced, give or take the rounding, as long as each lies on one flat
ground and nothing lies over them. Sheets that are not so simple are left to others.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image

from distrl.simphone import canvas, draw
from distrl.simphone.canvas import Pixels
from distrl.simphone.marks import Box, Fill, Glyph, Ink, Outline, Photo, Sheet
from distrl.simphone.pictures import picture
from distrl.simphone.theme import BLACK, Colour

SMALLER = 4
CORNER = 2**0.5

Light = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
"""[rows, 3 * columns], the colours of a block side by side: numpy is slow where the last axis is short."""
Cover = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
"""[rows, columns], how much of each block is covered, from 0 to 255; a twelfth of the memory of `Light`."""
FRACTIONS: Light = np.arange(256, dtype=np.float32) * np.float32(1 / 255)
Simple = Ink | Glyph | Fill | Outline | Photo
SIMPLE = (Ink, Glyph, Fill, Outline, Photo)
Ground = tuple[Box, int, Colour]
"""A patch that other marks may lie on: its rectangle, the radius of its corners, its colour."""


def paint(sheet: Sheet, phase: int) -> Pixels | None:
    """The small sheet if it begins `phase` rows below a multiple of four; None if it is not simple enough.

    The rows that are missing in its first and last small row count as black.
    """
    painted = _grounded(sheet)
    if painted is None:
        return None
    small = _ground(sheet, phase)
    for mark, below in painted:
        _add(small, mark, phase, below)
    small += 0.5  # so that cutting off the fraction rounds
    return small.astype(np.uint8).reshape(len(small), -1, 3)


@lru_cache(maxsize=2048)  # a row that is scrolled comes back with another phase
def _grounded(sheet: Sheet) -> tuple[tuple[Simple, Colour], ...] | None:
    """The marks, each with the colour that it lies on; None if the sheet is not simple enough."""
    painted: list[tuple[Simple, Colour]] = []
    grounds: list[Ground] = []
    taken: list[Box] = []
    for mark in sheet.marks:
        if not isinstance(mark, SIMPLE):
            return None
        box, radius = _extent(mark)
        if box[0] < 0 or box[1] < 0 or box[2] > sheet.width or box[3] > sheet.height:
            return None
        below = _below(sheet.paper, grounds, box, radius)
        if below is None:
            return None
        for other in taken:
            if _touch(box, other):
                return None
        if isinstance(mark, Fill):
            grounds.append((box, radius, mark.colour))
        elif not isinstance(mark, Outline):
            taken.append(box)
        painted.append((mark, below))
    return tuple(painted)


def _ground(sheet: Sheet, phase: int) -> Light:
    """The empty sheet."""
    rows = -(-(phase + sheet.height) // SMALLER)
    columns = sheet.width // SMALLER
    small: Light = np.empty((rows, 3 * columns), np.float32)
    small[:] = _row(sheet.paper, columns)
    over = rows * SMALLER - phase - sheet.height
    if rows == 1:
        small *= sheet.height / SMALLER
    else:
        small[0] *= (SMALLER - phase) / SMALLER
        small[-1] *= (SMALLER - over) / SMALLER
    return small


def _extent(mark: Simple) -> tuple[Box, int]:
    """Where there may be paint, and how round the corners are."""
    if isinstance(mark, Ink):
        # Letters reach from the baseline about 0.8 em up and 0.25 em down.
        wide = draw.text_width(mark.text, mark.size, mark.weight)
        up, down = mark.size * 4 // 5, mark.size // 4
        return (mark.x, mark.y - up, mark.x + wide, mark.y + down), 0
    if isinstance(mark, Glyph):
        return (mark.x, mark.y, mark.x + mark.size, mark.y + mark.size), 0
    radius = min(mark.radius, mark.width // 2, mark.height // 2)
    return (mark.x, mark.y, mark.x + mark.width, mark.y + mark.height), radius


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _below(paper: Colour, grounds: list[Ground], box: Box, radius: int) -> Colour | None:
    """The colour that a mark lies on; None if it lies on more than one."""
    for (left, top, right, bottom), ground_radius, colour in reversed(grounds):
        if not _touch(box, (left, top, right, bottom)):
            continue
        inset = min(box[0] - left, box[1] - top, right - box[2], bottom - box[3])
        # In the corner: how far the inner corner's centre is from the outer one's, each way.
        apart = ground_radius - inset - radius
        if inset < 0 or (apart > 0 and CORNER * apart + radius > ground_radius):
            return None
        return colour
    return paper


@lru_cache(maxsize=4096)
def _row(colour: Colour, columns: int) -> Light:
    return np.tile(np.array(colour, np.float32), columns)


@lru_cache(maxsize=2048)
def _changes(colour: Colour, below: Colour) -> Light:
    """[256, 3], what a colour changes in a block for every degree to which it may cover it."""
    changes: Light = np.outer(FRACTIONS, np.array(colour, np.float32) - np.array(below, np.float32))
    return changes


def _add(small: Light, mark: Simple, phase: int, below: Colour) -> None:
    """Add the mark's share to every block that it covers."""
    x, y = mark.x, mark.y + phase
    if isinstance(mark, Ink):
        x, y = x - draw.OVERHANG, y - mark.size * 11 // 10
    share = _share(mark, x % SMALLER, y % SMALLER, below)
    if share is None:
        return
    left, top = 3 * (x // SMALLER), y // SMALLER
    rows, across = small.shape
    if left < 0 or top < 0 or left + share.shape[1] > across or top + share.shape[0] > rows:
        # Only the slack around letters may stick out.
        share = share[max(0, -top) : rows - top, max(0, -left) : across - left]
        left, top = max(0, left), max(0, top)
    small[top : top + share.shape[0], left : left + share.shape[1]] += share


def _share(mark: Simple, x: int, y: int, below: Colour) -> Light | None:
    """What a mark changes in each block if its mask's corner lies at (x, y) within a block."""
    cover: Cover | None
    match mark:
        case Ink():
            cover = _text_cover(mark.text, mark.size, mark.weight, x, y)
        case Glyph():
            return _glyph_share(mark.name, mark.size, mark.colour, below, x, y)
        case Fill():
            cover = _fill_cover(mark.width, mark.height, mark.radius, x, y)
        case Outline():
            cover = _outline_cover(mark.width, mark.height, mark.radius, mark.stroke, x, y)
        case Photo():
            light, cover = _photo(mark.key, mark.width, mark.height, mark.radius, x, y)
            return light - _tinted(cover, below, BLACK)
    if cover is None:
        return None
    return _tinted(cover, mark.colour, below)


def _tinted(cover: Cover, colour: Colour, below: Colour) -> Light:
    """What a colour changes in each block that it covers so far."""
    share: Light = _changes(colour, below).take(cover, axis=0)
    return share.reshape(len(cover), -1)


def _reduced(mask: Image.Image, x: int, y: int) -> Cover:
    """How much of each block a mask covers whose corner lies at (x, y) within a block."""
    wide, tall = -(-(x + mask.width) // SMALLER) * SMALLER, -(-(y + mask.height) // SMALLER) * SMALLER
    padded = canvas.blank("L", wide, tall, 0)
    canvas.lay(padded, mask.im, x, y)
    return _cover(padded)


def _cover(mask: canvas.Core) -> Cover:
    """How much of each block a mask covers whose sides are multiples of a block's."""
    small = canvas.reduced(mask, SMALLER)
    wide, tall = small.size
    return np.frombuffer(canvas.raw(small), np.uint8).reshape(tall, wide)


@lru_cache(maxsize=1 << 13)
def _text_cover(text: str, size: int, weight: str, x: int, y: int) -> Cover | None:
    mask = draw.text_ink(text, size, weight, x, y, SMALLER)
    return None if mask is None else _cover(mask)


@lru_cache(maxsize=1 << 12)
def _glyph_share(name: str, size: int, colour: Colour, below: Colour, x: int, y: int) -> Light:
    return _tinted(_reduced(draw.icon_mask(name, size), x, y), colour, below)


@lru_cache(maxsize=1 << 11)
def _fill_cover(width: int, height: int, radius: int, x: int, y: int) -> Cover | None:
    if width <= 0 or height <= 0:
        return None
    return _reduced(draw.rounded_mask(width, height, radius), x, y)


@lru_cache(maxsize=1 << 9)
def _outline_cover(width: int, height: int, radius: int, stroke: int, x: int, y: int) -> Cover | None:
    if width <= 0 or height <= 0:
        return None
    return _reduced(draw.outline_mask(width, height, min(radius, width // 2, height // 2), stroke), x, y)


@lru_cache(maxsize=1 << 9)
def _photo(key: str, width: int, height: int, radius: int, x: int, y: int) -> tuple[Light, Cover]:
    """The light that a picture with round corners sends from each block, and how much of it it covers."""
    mask = draw.rounded_mask(width, height, radius)
    cover = _reduced(mask, x, y)
    rows, columns = cover.shape
    padded = Image.new("RGB", (columns * SMALLER, rows * SMALLER))
    padded.paste(picture(key, width, height), (x, y), mask)
    small = padded.reduce(SMALLER)
    light = np.frombuffer(small.tobytes(), np.uint8).reshape(rows, 3 * columns).astype(np.float32)
    return light, cover
