"""Rectangles of the screen at full size, for what small frames cannot be put together from.

Only what can be seen in a rectangle is painted: a dialog or a sheet hides what is below it except around its
round corners, so its rectangle is cut into pieces of which most need nothing from below.
"""

from __future__ import annotations

import msgspec
from PIL import Image

from distrl.simphone import canvas, draw
from distrl.simphone.marks import Arc, Band, Box, Fill, Glyph, Ink, Mark, Outline, Photo, Shade, Sheet, pixels
from distrl.simphone.scene import HEIGHT, WIDTH
from distrl.simphone.small_sheets import SMALLER
from distrl.simphone.theme import Colour


def box_of(mark: Mark) -> Box | None:
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


def regions(boxes: list[Box]) -> list[Box]:
    """Rectangles on the coarse grid that hold all boxes; what shares rows shares a rectangle."""
    found: list[Box] = []
    for left, top, right, bottom in boxes:
        left, top = max(0, left // SMALLER * SMALLER), max(0, top // SMALLER * SMALLER)
        right = min(WIDTH, -(-right // SMALLER) * SMALLER)
        bottom = min(HEIGHT, -(-bottom // SMALLER) * SMALLER)
        if left >= right or top >= bottom:
            continue
        apart: list[Box] = []
        for other in found:
            if other[1] < bottom and top < other[3]:
                left, top = min(left, other[0]), min(top, other[1])
                right, bottom = max(right, other[2]), max(bottom, other[3])
            else:
                apart.append(other)
        found = [*apart, (left, top, right, bottom)]
    return found


def pieces(region: Box, marks: tuple[Mark, ...]) -> list[Box]:
    """A rectangle on the coarse grid, cut so that one patch hides as much as possible of one part."""
    left, top, right, bottom = region
    start, end = top, top
    for mark in marks:
        if isinstance(mark, Fill) and mark.x <= left and right <= mark.x + mark.width:
            first, last = _solid_rows(mark)
            first = max(top, -(-first // SMALLER) * SMALLER)
            last = min(bottom, last // SMALLER * SMALLER)
            if last - first > end - start:
                start, end = first, last
    rows = ((top, start), (start, end), (end, bottom))
    return [(left, first, right, last) for first, last in rows if first < last]


def _solid_rows(patch: Fill) -> tuple[int, int]:
    """The rows between a patch's round corners: it hides all that is below it there."""
    radius = min(patch.radius, patch.width // 2, patch.height // 2)
    return patch.y + radius, patch.y + patch.height - radius


def _hides(patch: Fill, region: Box) -> bool:
    first, last = _solid_rows(patch)
    return (
        patch.x <= region[0]
        and region[2] <= patch.x + patch.width
        and first <= region[1]
        and region[3] <= last
    )


def dimmed(sheet: Sheet) -> tuple[tuple[Mark, ...], int] | None:
    """The marks of a whole page that lies dimmed below a dialog, and how dark it is."""
    last = sheet.marks[-1] if sheet.marks else None
    if isinstance(last, Shade) and (sheet.width, sheet.height) == (WIDTH, HEIGHT):
        return sheet.marks[:-1], last.strength
    return None


def paint(paper: Colour, marks: tuple[Mark, ...], boxes: list[Box], region: Box) -> Image.Image:
    """One rectangle of the screen at full size."""
    left, top, right, bottom = region
    first = 0
    for number in reversed(range(len(marks))):
        mark = marks[number]
        if isinstance(mark, Fill) and _hides(mark, region):
            first, paper = number + 1, mark.colour
            break
    image = Image.new("RGB", (right - left, bottom - top), paper)
    for mark, box in zip(marks[first:], boxes[first:], strict=True):
        if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]:
            if isinstance(mark, Band):
                _paste_band(image, mark, box, region)
            else:
                _moved(mark, -left, -top).paint(image)
    return image


def _paste_band(image: Image.Image, band: Band, box: Box, region: Box) -> None:
    page_below = dimmed(band.sheet)
    if page_below is not None:
        page, strength = page_below
        boxes = [box_of(mark) for mark in page]
        known = [box for box in boxes if box is not None]
        if len(known) == len(page):
            below = paint(band.sheet.paper, page, known, region)
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
