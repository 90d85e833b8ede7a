"""Whole frames from marks: at full size, and four times smaller without painting the full size first.

A screen is mostly a stack of bands as wide as the screen. Each band's small version is remembered, so a small
frame is put together from small strips. Where a band does not begin or end on a multiple of four rows, a
small row belongs to two bands: each contributes its share. What is not such a band (a dialog, a floating
button, a toast) is painted at full size in the rectangle it covers, which is then reduced.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

import msgspec
import numpy as np
from PIL import Image

from distrl.simphone import canvas, draw, small_sheets
from distrl.simphone.canvas import Pixels
from distrl.simphone.marks import Arc, Band, Box, Fill, Glyph, Ink, Mark, Outline, Photo, Shade, Sheet, pixels
from distrl.simphone.scene import HEIGHT, WIDTH
from distrl.simphone.small_sheets import SMALLER
from distrl.simphone.theme import Colour

FRAMES_KEPT = 24
"""How many painted frames all phones of a process keep together (1.2 MB each)."""
SMALL_FRAMES_KEPT = 256
"""The same for small frames (75 kB each)."""
SMALL_BANDS_BYTES = 48_000_000
"""How much memory the small bands take together (5 kB each, as a rule)."""
MOST_LOOSE = 0.45
"""If more of the screen than this is not bands, painting it at full size is quicker."""

Screen = tuple[Colour, tuple[Mark, ...]]

_canvases: list[Pixels] = []
"""Where small frames are put together, to be used again: fresh memory costs more than the work itself."""
_frames: OrderedDict[Screen, Image.Image] = OrderedDict()
_small_frames: OrderedDict[Screen, Image.Image] = OrderedDict()
_small_bands: OrderedDict[tuple[Sheet, int], Pixels] = OrderedDict()
_small_bands_bytes = 0


def paint(paper: Colour, marks: tuple[Mark, ...]) -> Image.Image:
    """The frame of these marks; any phone that showed the same screen lately has painted it already."""
    screen = (paper, marks)
    found = _frames.get(screen)
    if found is not None:
        _frames.move_to_end(screen)
        return found
    image = Image.new("RGB", (WIDTH, HEIGHT), paper)
    for mark in marks:
        mark.paint(image)
    _frames[screen] = image
    if len(_frames) > FRAMES_KEPT:
        _frames.popitem(last=False)
    return image


def paint_small(paper: Colour, marks: tuple[Mark, ...]) -> Image.Image:
    """The same four times smaller: every pixel the mean of sixteen, give or take the rounding."""
    screen = (paper, marks)
    found = _small_frames.get(screen)
    if found is not None:
        _small_frames.move_to_end(screen)
        return found
    # Never from a full frame that happens to be there: pixels must not depend on what others have painted.
    image = _assemble(paper, marks) or paint(paper, marks).reduce(SMALLER)
    _small_frames[screen] = image
    if len(_small_frames) > SMALL_FRAMES_KEPT:
        _small_frames.popitem(last=False)
    return image


def forget() -> None:
    """Drop every frame and small band that is remembered."""
    global _small_bands_bytes
    _frames.clear()
    _small_frames.clear()
    _small_bands.clear()
    _small_bands_bytes = 0


# -- what covers what -----------------------------------------------------------------------------------


class _Strip(msgspec.Struct, frozen=True, gc=False):
    """The rows of the screen from `top` to `bottom`: they show a band, or the paper if it is None."""

    top: int
    bottom: int
    band: Band | None


def _box(mark: Mark) -> Box | None:
    """The rectangle that a mark stays within; None for marks of unknown kinds."""
    match mark:
        case Band():
            right, bottom = mark.x + mark.sheet.width, mark.y + mark.sheet.height
            if mark.clip is None:
                return mark.x, mark.y, right, bottom
            left, top, clip_right, clip_bottom = mark.clip
            return max(mark.x, left), max(mark.y, top), min(right, clip_right), min(bottom, clip_bottom)
        case Ink():
            wide = draw.text_width(mark.text, mark.size, mark.weight) + draw.OVERHANG
            above, below = mark.size * 11 // 10, mark.size * 3 // 10 + 1
            return mark.x - draw.OVERHANG, mark.y - above, mark.x + wide, mark.y + below
        case Glyph() | Arc():
            return mark.x, mark.y, mark.x + mark.size, mark.y + mark.size
        case Fill() | Outline() | Photo():
            return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
    return None


def _strips(bands: list[tuple[Box, Band]]) -> Iterator[_Strip]:
    """Who shows in which rows, top to bottom without gaps: later bands lie over earlier ones."""
    in_sight = [(box, band) for box, band in bands if box[1] < box[3] and box[1] < HEIGHT and box[3] > 0]
    in_sight.sort(key=itemgetter(0))
    if any(one[3] > other[1] for (one, _), (other, _) in pairwise(in_sight)):
        yield from _layered(bands)
        return
    end = 0
    for box, band in in_sight:
        top, bottom = max(0, box[1]), min(HEIGHT, box[3])
        if top > end:
            yield _Strip(end, top, None)
        yield _Strip(top, bottom, band)
        end = bottom
    if end < HEIGHT:
        yield _Strip(end, HEIGHT, None)


def _layered(bands: list[tuple[Box, Band]]) -> Iterator[_Strip]:
    """The same where bands lie over each other."""
    inner = (edge for box, _ in bands for edge in (box[1], box[3]) if 0 < edge < HEIGHT)
    newest_first = bands[::-1]
    top, shown = 0, None
    for start, end in pairwise(sorted({0, HEIGHT, *inner})):
        over = next((band for box, band in newest_first if box[1] <= start and end <= box[3]), None)
        if over is not shown:
            if start > top:
                yield _Strip(top, start, shown)
            top, shown = start, over
    yield _Strip(top, HEIGHT, shown)


def _regions(boxes: list[Box]) -> list[Box]:
    """Rectangles on the coarse grid that hold all boxes; what shares rows shares a rectangle."""
    regions: list[Box] = []
    for left, top, right, bottom in boxes:
        left, top = max(0, left // SMALLER * SMALLER), max(0, top // SMALLER * SMALLER)
        right = min(WIDTH, -(-right // SMALLER) * SMALLER)
        bottom = min(HEIGHT, -(-bottom // SMALLER) * SMALLER)
        if left >= right or top >= bottom:
            continue
        apart: list[Box] = []
        for other in regions:
            if other[1] < bottom and top < other[3]:
                left, top = min(left, other[0]), min(top, other[1])
                right, bottom = max(right, other[2]), max(bottom, other[3])
            else:
                apart.append(other)
        regions = [*apart, (left, top, right, bottom)]
    return regions


# -- putting it together --------------------------------------------------------------------------------


def _assemble(paper: Colour, marks: tuple[Mark, ...]) -> Image.Image | None:
    """The small frame from small strips and regions; None where that would not pay."""
    bands: list[tuple[Box, Band]] = []
    loose: list[Box] = []
    boxes: list[Box] = []
    for mark in marks:
        box = _box(mark)
        if box is None:
            return None
        boxes.append(box)
        if isinstance(mark, Band) and box[0] == 0 and box[2] == WIDTH == mark.sheet.width:
            bands.append((box, mark))
        else:
            loose.append(box)
    regions = _regions(loose)
    if sum((box[2] - box[0]) * (box[3] - box[1]) for box in regions) > MOST_LOOSE * WIDTH * HEIGHT:
        return None
    small = _stack(paper, bands)
    for region in regions:
        left, top, right, bottom = (edge // SMALLER for edge in region)
        part = canvas.reduced(_region(paper, marks, boxes, region).im, SMALLER)
        small[top:bottom, left:right] = canvas.array(part)
    size = (WIDTH // SMALLER, HEIGHT // SMALLER)
    image = Image.frombytes("RGB", size, small, "raw", "RGB")
    _canvases.append(small)
    return image


def _stack(paper: Colour, bands: list[tuple[Box, Band]]) -> Pixels:
    """The strips, small; rows that strips share are added up from their shares."""
    small = _canvases.pop() if _canvases else np.empty((HEIGHT // SMALLER, WIDTH // SMALLER, 3), np.uint8)
    for strip in _strips(bands):
        top, bottom, band = strip.top, strip.bottom, strip.band
        first, last = -(-top // SMALLER), bottom // SMALLER
        if band is None:
            small[first:last] = _row(paper)
        elif first < last:
            start = band.y // SMALLER
            small[first:last] = _small_band(band.sheet, band.y % SMALLER)[first - start : last - start]
        if top % SMALLER:
            _add_share(small, paper, band, top, min(bottom, first * SMALLER))
        if bottom % SMALLER and last >= first:
            _add_share(small, paper, band, max(top, last * SMALLER), bottom)
    return small


def _add_share(small: Pixels, paper: Colour, band: Band | None, begin: int, end: int) -> None:
    """Add what the rows from `begin` to `end` contribute to their small row, which they share with others.

    Strips come from top to bottom, so the one that begins where the small row does is the row's first.
    """
    row, share = small[begin // SMALLER], _share(paper, band, begin, end)[0]
    if begin % SMALLER == 0:
        row[:] = share
    else:
        room = ~row  # up to 255; adding in wider numbers would take five times as long
        row += np.minimum(share, room, out=room)


@lru_cache(maxsize=1024)
def _row(colour: Colour) -> Pixels:
    return np.tile(np.array(colour, np.uint8), (WIDTH // SMALLER, 1))


def _share(paper: Colour, band: Band | None, begin: int, end: int) -> Pixels:
    """What the rows from `begin` to `end`, less than four, add to the small row that they lie in."""
    if band is None:
        part = tuple(colour * (end - begin) // SMALLER for colour in paper)
        return np.full((1, WIDTH // SMALLER, 3), part, np.uint8)
    if begin == band.y or end == band.y + band.sheet.height:
        own_begin, own_end = max(band.y, begin // SMALLER * SMALLER), band.y + band.sheet.height
        if begin == own_begin and end == min(own_end, (begin // SMALLER + 1) * SMALLER):
            row = begin // SMALLER - band.y // SMALLER
            return _small_band(band.sheet, band.y % SMALLER)[row : row + 1]
    block = canvas.blank("RGB", WIDTH, SMALLER, (0, 0, 0))
    canvas.lay(block, canvas.cut(pixels(band.sheet).im, 0, begin - band.y, WIDTH, end - band.y), 0, 0)
    return canvas.array(canvas.reduced(block, SMALLER))


def _small_band(sheet: Sheet, phase: int) -> Pixels:
    """A sheet as wide as the screen, small, if it begins `phase` rows below a multiple of four.

    The rows that are missing in its first and last small row count as black.
    """
    global _small_bands_bytes
    key = (sheet, phase)
    found = _small_bands.get(key)
    if found is not None:
        _small_bands.move_to_end(key)
        return found
    dimmed = _dimmed(sheet)
    if dimmed is not None:
        page, strength = dimmed
        below = canvas.array(paint_small(sheet.paper, page).im).astype(np.uint16)
        small = (below * (255 - strength) // 255).astype(np.uint8)
    else:
        simple = small_sheets.paint(sheet, phase)
        small = simple if simple is not None else _reduced(sheet, phase)
    _small_bands[key] = small
    _small_bands_bytes += small.nbytes
    while _small_bands_bytes > SMALL_BANDS_BYTES and len(_small_bands) > 1:
        _small_bands_bytes -= _small_bands.popitem(last=False)[1].nbytes
    return small


def _reduced(sheet: Sheet, phase: int) -> Pixels:
    """A small sheet by way of the full one."""
    image = pixels(sheet).im
    tall = -(-(phase + sheet.height) // SMALLER) * SMALLER
    if tall != sheet.height:
        padded = canvas.blank("RGB", WIDTH, tall, (0, 0, 0))
        canvas.lay(padded, image, 0, phase)
        image = padded
    return canvas.array(canvas.reduced(image, SMALLER))


def _dimmed(sheet: Sheet) -> tuple[tuple[Mark, ...], int] | None:
    """The marks of a whole page that lies dimmed below a dialog, and how dark it is."""
    last = sheet.marks[-1] if sheet.marks else None
    if isinstance(last, Shade) and (sheet.width, sheet.height) == (WIDTH, HEIGHT):
        return sheet.marks[:-1], last.strength
    return None


def _region(paper: Colour, marks: tuple[Mark, ...], boxes: list[Box], region: Box) -> Image.Image:
    """One rectangle of the screen at full size."""
    left, top, right, bottom = region
    image = Image.new("RGB", (right - left, bottom - top), paper)
    for mark, box in zip(marks, boxes, strict=True):
        if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]:
            if isinstance(mark, Band):
                _paste_band(image, mark, box, region)
            else:
                _moved(mark, -left, -top).paint(image)
    return image


def _paste_band(image: Image.Image, band: Band, box: Box, region: Box) -> None:
    dimmed = _dimmed(band.sheet)
    if dimmed is not None:
        page, strength = dimmed
        boxes = [_box(mark) for mark in page]
        known = [box for box in boxes if box is not None]
        if len(known) == len(page):
            below = _region(band.sheet.paper, page, known, region)
            Shade(strength).paint(below)
            image.paste(below, (0, 0))
            return
    left, top = max(box[0], region[0]), max(box[1], region[1])
    right, bottom = min(box[2], region[2]), min(box[3], region[3])
    x, y = band.x, band.y
    part = canvas.cut(pixels(band.sheet).im, left - x, top - y, right - x, bottom - y)
    canvas.lay(image.im, part, left - region[0], top - region[1])


def _moved(mark: Mark, right: int, down: int) -> Mark:
    """The same mark elsewhere."""
    assert isinstance(mark, Ink | Glyph | Arc | Fill | Outline | Photo)
    return msgspec.structs.replace(mark, x=mark.x + right, y=mark.y + down)
