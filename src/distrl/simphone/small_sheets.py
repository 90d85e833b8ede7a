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
Patch = tuple[Box, int, Colour]
"""A shape that other marks may lie on: its rectangle, the radius of its corners, its colour."""


def paint(sheet: Sheet, phase: int) -> Pixels | None:
    """The small sheet if it begins `phase` rows below a multiple of four; None if it is not simple enough.

    The rows that are missing in its first and last small row count as black.
    """
    grounds = _grounds(sheet)
    if grounds is None:
        return None
    small = _empty(sheet, phase)
    for mark, below in zip(sheet.marks, grounds, strict=True):
        assert isinstance(mark, SIMPLE)
        _add(small, mark, phase, below)
    small += 0.5  # so that cutting off the fraction rounds
    return small.astype(np.uint8).reshape(len(small), -1, 3)


def _grounds(sheet: Sheet) -> tuple[Colour, ...] | None:
    """The colour that each mark lies on; None if the sheet is not simple enough."""
    found: list[Colour] = []
    patches: list[Patch] = []
    taken: list[Box] = []
    for mark in sheet.marks:
        if not isinstance(mark, SIMPLE):
            return None
        radius = 0
        if isinstance(mark, Ink):
            # Letters reach from the baseline about 0.8 em up and 0.25 em down.
            top, bottom = mark.y - mark.size * 4 // 5, mark.y + mark.size // 4
            left, right = mark.x, mark.x + draw.text_width(mark.text, mark.size, mark.weight)
        elif isinstance(mark, Glyph):
            left, top, right, bottom = mark.x, mark.y, mark.x + mark.size, mark.y + mark.size
        else:
            left, top, right, bottom = mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
            radius = min(mark.radius, mark.width // 2, mark.height // 2)
        if left < 0 or top < 0 or right > sheet.width or bottom > sheet.height:
            return None
        box = (left, top, right, bottom)
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
    return tuple(found)


def _empty(sheet: Sheet, phase: int) -> Light:
    """The sheet without its marks."""
    small: Light = np.multiply(_parts(sheet.height, phase), _row(sheet.paper, sheet.width // SMALLER))
    return small


@lru_cache(maxsize=4096)
def _parts(height: int, phase: int) -> Light:
    """[rows, 1], how much of each small row belongs to a sheet: less than all of the first and the last."""
    rows = -(-(phase + height) // SMALLER)
    parts: Light = np.ones((rows, 1), np.float32)
    if rows == 1:
        parts[0] = height / SMALLER
    else:
        parts[0] = (SMALLER - phase) / SMALLER
        parts[-1] = 1 - (rows * SMALLER - phase - height) / SMALLER
    return parts


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
    cover: Cover | None
    if isinstance(mark, Ink):
        cover = _text_cover(mark.text, mark.size, mark.weight, x, y)
    elif isinstance(mark, Glyph):
        return _glyph_share(mark.name, mark.size, mark.colour, below, x, y)
    elif isinstance(mark, Fill):
        cover = _fill_cover(mark.width, mark.height, mark.radius, x, y)
    elif isinstance(mark, Outline):
        cover = _outline_cover(mark.width, mark.height, mark.radius, mark.stroke, x, y)
    else:
        light, cover = _photo(mark.key, mark.width, mark.height, mark.radius, x, y)
        return light - _tinted(cover, below, BLACK)
    return None if cover is None else _tinted(cover, mark.colour, below)


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
