"""Pixels without ceremony: Pillow's inner images, and pixels as bytes.

Most of what a screen is painted from is tiny, so that the checks and copies of Pillow's public methods take
longer than the paint. Here are the few inner calls that the painting needs, and nothing else uses them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import _imaging

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore

    Core = ImagingCore
else:
    Core = type(_imaging.new("L", (1, 1)))

Ink = int | tuple[int, int, int]
"""A shade of grey, or a colour."""
Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def blank(mode: str, width: int, height: int, colour: Ink) -> Core:
    """An image of one colour."""
    made: Core = _imaging.fill(mode, (width, height), colour)
    return made


def fill(core: Core, colour: Ink, left: int, top: int, right: int, bottom: int) -> None:
    """Paint a rectangle; an empty one paints nothing."""
    core.paste(colour, (left, top, right, bottom))


def stamp(core: Core, ink: Ink, x: int, y: int, mask: Core) -> None:
    """Paint through a mask whose corner lies at (x, y)."""
    wide, tall = mask.size
    core.paste(ink, (x, y, x + wide, y + tall), mask)


def lay(core: Core, other: Core, x: int, y: int) -> None:
    """Copy an image of the same mode onto another one, its corner at (x, y)."""
    wide, tall = other.size
    core.paste(other, (x, y, x + wide, y + tall))


def cut(core: Core, left: int, top: int, right: int, bottom: int) -> Core:
    """A rectangle of an image as an image."""
    part: Core = core.crop((left, top, right, bottom))
    return part


def added(core: Core, other: Core) -> Core:
    """The sum of two images of one size and mode, at most white."""
    both: Core = core.chop_add(other, 1, 0)
    return both


def darker(core: Core, strength: int) -> Core:
    """An RGB image darkened, as `marks.Shade` does it at full size."""
    dark: Core = core.point(_darkening(strength), None)
    return dark


@lru_cache(maxsize=256)
def _darkening(strength: int) -> list[int]:
    return [light * (255 - strength) // 255 for light in range(256)] * 3


def reduced(core: Core, factor: int) -> Core:
    """An image smaller by a whole number, which divides its sides; every pixel is a mean, rounded."""
    small: Core = core.reduce((factor, factor), (0, 0, *core.size))
    return small


def raw(core: Core) -> bytes:
    """The pixels of an image, row after row."""
    wide, tall = core.size
    encoder = _imaging.raw_encoder(core.mode, core.mode, 0, 1)
    encoder.setimage(core, (0, 0, wide, tall))
    pixels: bytes = encoder.encode(wide * tall * (1 if core.mode == "L" else 3))[2]
    return pixels


def array(core: Core) -> Pixels:
    """The pixels of an RGB image, [height, width, 3], read-only."""
    wide, tall = core.size
    return np.frombuffer(raw(core), np.uint8).reshape(tall, wide, 3)
