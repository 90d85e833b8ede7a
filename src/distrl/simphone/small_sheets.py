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

from distrl.simphone import draw
from distrl.simphone.marks import Box, Fill, Glyph, Ink, Outline, Photo, Sheet
from distrl.simphone.pictures import picture
from distrl.simphone.theme import Colour

SMALLER = 4
CORNER = 2**0.5

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Coverage = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
"""[rows, 3 * columns], the colours of a block side by side: numpy is slow where the last axis is short."""
Simple = Ink | Glyph | Fill | Outline | Photo
SIMPLE = (Ink, Glyph, Fill, Outline, Photo)
Ground = tuple[Box, int, Colour]
"""A patch that other marks may lie on: its rectangle, the radius of its corners, its colour."""


def paint(sheet: Sheet, phase: int) -> Pixels | None:
    """The small sheet if it begins `phase` rows below a multiple of four; None if it is not simple enough.

    The rows that are missing in its first and last small row count as black.
    """
    canvas = _ground(sheet, phase)
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
        _add(canvas, mark, phase, below)
    canvas += 0.5  # so that cutting off the fraction rounds
    return canvas.astype(np.uint8).reshape(len(canvas), -1, 3)


def _ground(sheet: Sheet, phase: int) -> Coverage:
    """The empty sheet."""
    rows = -(-(phase + sheet.height) // SMALLER)
    columns = sheet.width // SMALLER
    canvas: Coverage = np.empty((rows, 3 * columns), np.float32)
    canvas[:] = _row(sheet.paper, columns)
    over = rows * SMALLER - phase - sheet.height
    if rows == 1:
        canvas *= sheet.height / SMALLER
    else:
        canvas[0] *= (SMALLER - phase) / SMALLER
        canvas[-1] *= (SMALLER - over) / SMALLER
    return canvas


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
def _row(colour: Colour, columns: int) -> Coverage:
    return np.tile(np.array(colour, np.float32), columns)


@lru_cache(maxsize=8192)
def _difference(colour: Colour, below: Colour, columns: int) -> Coverage:
    return _row((colour[0] - below[0], colour[1] - below[1], colour[2] - below[2]), columns)


def _add(canvas: Coverage, mark: Simple, phase: int, below: Colour) -> None:
    """Add the mark's share to every block that it covers."""
    x, y = mark.x, mark.y + phase
    if isinstance(mark, Ink):
        x, y = x - draw.OVERHANG, y - mark.size * 11 // 10
    share = _share(mark, x % SMALLER, y % SMALLER, below)
    if share is None:
        return
    left, top = 3 * (x // SMALLER), y // SMALLER
    rows, across = canvas.shape
    if left < 0 or top < 0 or left + share.shape[1] > across or top + share.shape[0] > rows:
        # Only the slack around letters may stick out.
        share = share[max(0, -top) : rows - top, max(0, -left) : across - left]
        left, top = max(0, left), max(0, top)
    canvas[top : top + share.shape[0], left : left + share.shape[1]] += share


def _share(mark: Simple, x: int, y: int, below: Colour) -> Coverage | None:
    """What a mark changes in each block if its mask's corner lies at (x, y) within a block."""
    cover: Coverage | None
    match mark:
        case Ink():
            cover = _text_cover(mark.text, mark.size, mark.weight, x, y)
        case Glyph():
            cover = _glyph_cover(mark.name, mark.size, x, y)
        case Fill():
            cover = _fill_cover(mark.width, mark.height, mark.radius, x, y)
        case Outline():
            cover = _outline_cover(mark.width, mark.height, mark.radius, mark.stroke, x, y)
        case Photo():
            light, cover = _photo(mark.key, mark.width, mark.height, mark.radius, x, y)
            return light - cover * _row(below, cover.shape[1] // 3)
    return None if cover is None else cover * _difference(mark.colour, below, cover.shape[1] // 3)


def _reduced(mask: Image.Image, x: int, y: int) -> Coverage:
    """How much of each block a mask covers whose corner lies at (x, y) within a block."""
    wide, tall = -(-(x + mask.width) // SMALLER) * SMALLER, -(-(y + mask.height) // SMALLER) * SMALLER
    padded = Image.new("L", (wide, tall))
    padded.paste(mask, (x, y))
    small = padded.reduce(SMALLER)
    cover = np.frombuffer(small.tobytes(), np.uint8).reshape(small.height, small.width)
    return cover.repeat(3, axis=1).astype(np.float32) * np.float32(1 / 255)


@lru_cache(maxsize=1 << 14)
def _text_cover(text: str, size: int, weight: str, x: int, y: int) -> Coverage | None:
    found = draw.text_mask(text, size, weight)
    return None if found is None else _reduced(found[0], x, y)


@lru_cache(maxsize=1 << 12)
def _glyph_cover(name: str, size: int, x: int, y: int) -> Coverage:
    return _reduced(draw.icon_mask(name, size), x, y)


@lru_cache(maxsize=1 << 12)
def _fill_cover(width: int, height: int, radius: int, x: int, y: int) -> Coverage | None:
    if width <= 0 or height <= 0:
        return None
    return _reduced(draw.rounded_mask(width, height, radius), x, y)


@lru_cache(maxsize=1 << 11)
def _outline_cover(width: int, height: int, radius: int, stroke: int, x: int, y: int) -> Coverage | None:
    if width <= 0 or height <= 0:
        return None
    return _reduced(draw.outline_mask(width, height, min(radius, width // 2, height // 2), stroke), x, y)


@lru_cache(maxsize=1 << 10)
def _photo(key: str, width: int, height: int, radius: int, x: int, y: int) -> tuple[Coverage, Coverage]:
    """The light that a picture with round corners sends from each block, and how much of it it covers."""
    mask = draw.rounded_mask(width, height, radius)
    cover = _reduced(mask, x, y)
    rows, columns = cover.shape[0], cover.shape[1] // 3
    padded = Image.new("RGB", (columns * SMALLER, rows * SMALLER))
    padded.paste(picture(key, width, height), (x, y), mask)
    small = padded.reduce(SMALLER)
    light = np.frombuffer(small.tobytes(), np.uint8).reshape(rows, 3 * columns).astype(np.float32)
    return light, cover
