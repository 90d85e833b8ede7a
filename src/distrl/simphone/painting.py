"""Whole frames from marks: at full size, and four times smaller without painting the full size first.

A screen is mostly a stack of bands as wide as the screen. Each band's small version is remembered, so a small
frame is put together from small strips. Where a band does not begin or end on a multiple of four rows, a
small row belongs to two bands: each contributes its share. What is not such a band (a dialog, a floating
button, a toast) is painted at full size in the rectangle it covers, which is then reduced.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from PIL import Image

from distrl.simphone import canvas, regions, small_sheets
from distrl.simphone.canvas import Core
from distrl.simphone.marks import Band, Box, Mark, Sheet, pixels
from distrl.simphone.scene import HEIGHT, WIDTH
from distrl.simphone.small_sheets import SMALLER
from distrl.simphone.theme import Colour

FRAMES_KEPT = 24
"""How many painted frames all phones of a process keep together (1.2 MB each)."""
SMALL_FRAMES_KEPT = 256
"""The same for small frames (75 kB each)."""
SMALL_BANDS_BYTES = 64_000_000
"""How much memory the small bands take together (6 kB each, as a rule)."""
PIXEL_BYTES = 4
"""What a pixel takes in Pillow."""
COLUMNS, ROWS = WIDTH // SMALLER, HEIGHT // SMALLER
MOST_LOOSE = 0.45
"""If more of the screen than this is not bands, painting it at full size is quicker."""

Screen = tuple[Colour, tuple[Mark, ...]]

_frames: OrderedDict[Screen, Image.Image] = OrderedDict()
_small_frames: OrderedDict[Screen, Image.Image] = OrderedDict()
_small_bands: OrderedDict[tuple[Sheet, int], Core] = OrderedDict()
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


_Strip = tuple[int, int, Band | None]
"""The rows of the screen from one to another: they show a band, or the paper if it is None."""


def _strips(bands: list[tuple[int, int, Band]]) -> list[_Strip]:
    """Who shows in which rows, top to bottom without gaps: later bands lie over earlier ones."""
    strips: list[_Strip] = []
    end = 0
    for top, bottom, band in sorted(bands, key=itemgetter(0, 1)):
        if top >= bottom or top >= HEIGHT or bottom <= 0:
            continue
        if strips and top < end:
            return _layered(bands)
        if top > end:
            strips.append((end, top, None))
        end = min(HEIGHT, bottom)
        strips.append((max(0, top), end, band))
    if end < HEIGHT:
        strips.append((end, HEIGHT, None))
    return strips


def _layered(bands: list[tuple[int, int, Band]]) -> list[_Strip]:
    """The same where bands lie over each other."""
    inner = (edge for band in bands for edge in band[:2] if 0 < edge < HEIGHT)
    newest_first = bands[::-1]
    strips: list[_Strip] = []
    top, shown = 0, None
    for start, end in pairwise(sorted({0, HEIGHT, *inner})):
        over = next((band for first, last, band in newest_first if first <= start and end <= last), None)
        if over is not shown:
            if start > top:
                strips.append((top, start, shown))
            top, shown = start, over
    strips.append((top, HEIGHT, shown))
    return strips


# -- putting it together --------------------------------------------------------------------------------


def _assemble(paper: Colour, marks: tuple[Mark, ...]) -> Image.Image | None:
    """The small frame from small strips and regions; None where that would not pay."""
    bands: list[tuple[int, int, Band]] = []
    loose: list[Box] = []
    boxes: list[Box] = []
    for mark in marks:
        box = regions.box_of(mark)
        if box is None:
            return None
        boxes.append(box)
        if isinstance(mark, Band) and box[0] == 0 and box[2] == WIDTH == mark.sheet.width:
            bands.append((box[1], box[3], mark))
        else:
            loose.append(box)
    image = Image.new("RGB", (COLUMNS, ROWS), paper)
    painted = regions.regions(loose) if loose else []
    if sum((box[2] - box[0]) * (box[3] - box[1]) for box in painted) > MOST_LOOSE * WIDTH * HEIGHT:
        painted = [(0, 0, WIDTH, HEIGHT)]
    else:
        _stack(image.im, paper, bands)
    for region in painted:
        for piece in regions.pieces(region, marks):
            part = canvas.reduced(regions.paint(paper, marks, boxes, piece).im, SMALLER)
            canvas.lay(image.im, part, piece[0] // SMALLER, piece[1] // SMALLER)
    return image


def _stack(small: Core, paper: Colour, bands: list[tuple[int, int, Band]]) -> None:
    """Lay the strips, small, onto paper; rows that strips share are added up from their shares."""
    for top, bottom, band in _strips(bands):
        first, last = -(-top // SMALLER), bottom // SMALLER
        rows = None if band is None else _small_band(band.sheet, band.y % SMALLER)
        if band is not None and rows is not None:
            if first <= last and bottom == band.y + band.sheet.height:
                last = -(-bottom // SMALLER)  # nothing is cut off, so its last row is its share
            if first < last:
                start = band.y // SMALLER
                canvas.lay(small, canvas.cut(rows, 0, first - start, COLUMNS, last - start), 0, first)
        if top % SMALLER:
            end = min(bottom, first * SMALLER)
            _add_share(small, top, _share(paper, band, rows, top, end))
        if first <= last < bottom / SMALLER:
            begin = max(top, last * SMALLER)
            _add_share(small, begin, _share(paper, band, rows, begin, bottom))


def _add_share(small: Core, begin: int, share: Core) -> None:
    """Add what rows from `begin` on contribute to their small row, which they share with others.

    Strips come from top to bottom, so the one that begins where the small row does is the row's first.
    """
    row = begin // SMALLER
    if begin % SMALLER:
        share = canvas.added(canvas.cut(small, 0, row, COLUMNS, row + 1), share)
    canvas.lay(small, share, 0, row)


def _share(paper: Colour, band: Band | None, rows: Core | None, begin: int, end: int) -> Core:
    """What the rows from `begin` to `end`, less than four, add to the small row that they lie in.

    The band's own small rows have it already if the band has no other rows in that small row.
    """
    if band is None or rows is None:
        return _part_of_row(paper, end - begin)
    row = begin // SMALLER
    if begin == max(band.y, row * SMALLER) and end == min(band.y + band.sheet.height, (row + 1) * SMALLER):
        own = row - band.y // SMALLER
        return canvas.cut(rows, 0, own, COLUMNS, own + 1)
    block = canvas.blank("RGB", WIDTH, SMALLER, (0, 0, 0))
    canvas.lay(block, canvas.cut(pixels(band.sheet).im, 0, begin - band.y, WIDTH, end - band.y), 0, 0)
    return canvas.reduced(block, SMALLER)


@lru_cache(maxsize=1024)
def _part_of_row(paper: Colour, count: int) -> Core:
    red, green, blue = (colour * count // SMALLER for colour in paper)
    return canvas.blank("RGB", COLUMNS, 1, (red, green, blue))


def _small_band(sheet: Sheet, phase: int) -> Core:
    """A sheet as wide as the screen, small, if it begins `phase` rows below a multiple of four.

    The rows that are missing in its first and last small row count as black.
    """
    global _small_bands_bytes
    key = (sheet, phase)
    found = _small_bands.get(key)
    if found is not None:
        _small_bands.move_to_end(key)
        return found
    dimmed = regions.dimmed(sheet)
    if dimmed is not None:
        page, strength = dimmed
        small = canvas.darker(paint_small(sheet.paper, page).im, strength)
    else:
        simple = small_sheets.paint(sheet, phase)
        small = simple if simple is not None else _reduced(sheet, phase)
    _small_bands[key] = small
    _small_bands_bytes += _bytes(small)
    while _small_bands_bytes > SMALL_BANDS_BYTES and len(_small_bands) > 1:
        _small_bands_bytes -= _bytes(_small_bands.popitem(last=False)[1])
    return small


def _bytes(core: Core) -> int:
    wide, tall = core.size
    return int(wide * tall * PIXEL_BYTES)


def _reduced(sheet: Sheet, phase: int) -> Core:
    """A small sheet by way of the full one."""
    image = pixels(sheet).im
    tall = -(-(phase + sheet.height) // SMALLER) * SMALLER
    if tall != sheet.height:
        padded = canvas.blank("RGB", WIDTH, tall, (0, 0, 0))
        canvas.lay(padded, image, 0, phase)
        image = padded
    return canvas.reduced(image, SMALLER)
