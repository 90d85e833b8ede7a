"""Pillow with everything expensive remembered: fonts, text widths, glyph masks, rounded shapes.

Masks are made once (shapes four times too large, then reduced) and pasted afterwards; all caches are
bounded and shared by all phones of the process.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from distrl.simphone import canvas
from distrl.simphone.canvas import Core

FONTS = Path(__file__).parent / "fonts"
REGULAR, MEDIUM = "Roboto-Regular.ttf", "Roboto-Medium.ttf"
OVERSAMPLING = 4
OVERHANG = 4
"""How far, in px, the ink of a character may reach beyond its own place, to either side."""


@lru_cache(maxsize=256)
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """One of the bundled fonts at a size in px."""
    return ImageFont.truetype(str(FONTS / name), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def icon_codepoints() -> dict[str, str]:
    """The character of the icon font for every icon name."""
    lines = (FONTS / "MaterialIcons-Regular.codepoints").read_text().splitlines()
    return {name: chr(int(code, 16)) for name, code in (line.split() for line in lines)}


@lru_cache(maxsize=1 << 14)
def advance(sign: str, size: int, weight: str) -> int:
    """How far one character moves the pen; the fonts are hinted and have no kerning, so it is whole px."""
    return int(font(weight, size).getlength(sign))


class _Advances(dict[str, int]):
    """How far each character of a font moves the pen, filled as characters are met."""

    __slots__ = ("_size", "_weight")

    def __init__(self, size: int, weight: str) -> None:
        self._size, self._weight = size, weight

    def __missing__(self, sign: str) -> int:
        wide = self[sign] = advance(sign, self._size, self._weight)
        return wide


@lru_cache(maxsize=256)
def _advances(size: int, weight: str) -> _Advances:
    return _Advances(size, weight)


@lru_cache(maxsize=1 << 16)
def text_width(text: str, size: int, weight: str = REGULAR) -> int:
    """The width of one line of text in px, and one to spare."""
    return sum(map(_advances(size, weight).__getitem__, text)) + 1


@lru_cache(maxsize=1 << 15)
def ellipsize(text: str, size: int, weight: str, width: int) -> str:
    """The text, shortened with an ellipsis where it is wider than `width`."""
    text = text.replace("\n", " ")
    if text_width(text, size, weight) <= width:
        return text
    room = width - text_width("…", size, weight)
    kept, used = 0, 0
    for number, sign in enumerate(text, 1):
        used += advance(sign, size, weight)
        if used > room:
            break
        if sign != " ":  # before the ellipsis there is none
            kept = number
    return text[:kept].rstrip() + "…"


@lru_cache(maxsize=1 << 14)
def wrap(text: str, size: int, weight: str, width: int, max_lines: int = 0) -> tuple[str, ...]:
    """The text broken into lines no wider than `width`; at most `max_lines` of them unless 0."""
    lines: list[str] = []
    space = advance(" ", size, weight)
    for paragraph in text.split("\n"):
        line, used = "", 0
        for word in paragraph.split(" "):
            wide = text_width(word, size, weight)
            if line and used + space + wide <= width:
                line, used = f"{line} {word}", used + space + wide - 1
                continue
            if line:
                lines.append(line)
            line, used = word, wide - 1
            while used >= width and len(line) > 1:
                cut = max(1, int(len(line) * width / (used + 1)))
                lines.append(line[:cut])
                line = line[cut:]
                used = text_width(line, size, weight) - 1
        lines.append(line)
    if max_lines and len(lines) > max_lines:
        rest = " ".join(lines[max_lines - 1 :])
        lines = [*lines[: max_lines - 1], ellipsize(rest, size, weight, width)]
    return tuple(lines)


@lru_cache(maxsize=1 << 13)
def _letter_mask(sign: str, size: int, weight: str) -> tuple[Core, int]:
    """The ink of one character on a line's full height, and how far it moves the pen."""
    above, below = _line_ink(size)
    across = advance(sign, size, weight)
    mask = canvas.blank("L", across + 2 * OVERHANG, above + below, 0)
    ink, (left, top) = font(weight, size).getmask2(sign, "L", anchor="ls")
    if 0 not in ink.size:
        canvas.lay(mask, ink, OVERHANG + left, above + top)
    return mask, across


def _line_ink(size: int) -> tuple[int, int]:
    """How far ink reaches above and below the baseline: in Roboto never more than 1.1 and 0.3 em."""
    return size * 11 // 10, size * 3 // 10 + 1


@lru_cache(maxsize=1 << 13)
def _word_mask(word: str, size: int, weight: str) -> tuple[Core, int]:
    """The ink of a word on a line's full height, and how far it moves the pen."""
    if len(word) == 1:
        return _letter_mask(word, size, weight)
    across = text_width(word, size, weight) - 1
    mask = canvas.blank("L", across + 2 * OVERHANG, sum(_line_ink(size)), 0)
    pen = 0
    for sign in word:
        letter, width = _letter_mask(sign, size, weight)
        if pen:
            canvas.stamp(mask, 255, pen, 0, letter)
        else:  # where nothing is yet, a copy does
            canvas.lay(mask, letter, 0, 0)
        pen += width
    return mask, across


def text_ink(text: str, size: int, weight: str, x: int = 0, y: int = 0, block: int = 1) -> Core | None:
    """The ink of one line of text with (x, y) px to spare at its upper left; None if there is no ink.

    Both sides are made multiples of `block`. Put together from remembered words and letters, far quicker
    than asking the font for the whole line.
    """
    if not text.strip():
        return None
    wide, tall = x + text_width(text, size, weight) + 2 * OVERHANG, y + sum(_line_ink(size))
    mask = canvas.blank("L", -(-wide // block) * block, -(-tall // block) * block, 0)
    pen, space = x, advance(" ", size, weight)
    for word in text.split(" "):
        if word:
            ink, across = _word_mask(word, size, weight)
            if pen == x:
                canvas.lay(mask, ink, pen, y)
            else:
                canvas.stamp(mask, 255, pen, y, ink)
            pen += across
        pen += space
    return mask


@lru_cache(maxsize=1 << 12)
def text_mask(text: str, size: int, weight: str) -> tuple[Core, int, int] | None:
    """The ink of one line of text and its offset from the baseline's left end; None if there is no ink."""
    mask = text_ink(text, size, weight)
    box = None if mask is None else mask.getbbox()
    if mask is None or box is None:
        return None
    return canvas.cut(mask, *box), box[0] - OVERHANG, box[1] - _line_ink(size)[0]


@lru_cache(maxsize=1 << 12)
def icon_mask(name: str, size: int) -> Image.Image:
    """An icon of the Material icon font as a square mask; an unknown name gives an empty square's outline."""
    glyph = icon_codepoints().get(name) or icon_codepoints()["check_box_outline_blank"]
    mask = Image.new("L", (size, size))
    ImageDraw.Draw(mask).text(
        (size / 2, size), glyph, fill=255, font=font("MaterialIcons-Regular.ttf", size), anchor="md"
    )
    return mask


@lru_cache(maxsize=1 << 9)
def rounded_mask(width: int, height: int, radius: int) -> Image.Image:
    """A filled rectangle with round corners (radius half the side makes a circle)."""
    mask = Image.new("L", (width, height), 255)
    radius = min(radius, width // 2, height // 2)
    if radius < 1:
        return mask
    diameter = 2 * radius * OVERSAMPLING
    disc = Image.new("L", (diameter, diameter))
    ImageDraw.Draw(disc).ellipse((0, 0, diameter - 1, diameter - 1), fill=255)
    disc = disc.reduce(OVERSAMPLING)
    quarters = ((0, 0), (radius, 0), (0, radius), (radius, radius))
    places = ((0, 0), (width - radius, 0), (0, height - radius), (width - radius, height - radius))
    for (left, top), place in zip(quarters, places, strict=True):
        mask.paste(disc.crop((left, top, left + radius, top + radius)), place)
    return mask


@lru_cache(maxsize=1 << 8)
def outline_mask(width: int, height: int, radius: int, stroke: int) -> Image.Image:
    """The border of a rectangle with round corners, `stroke` px thick."""
    mask = rounded_mask(width, height, radius).copy()
    inner = rounded_mask(max(1, width - 2 * stroke), max(1, height - 2 * stroke), max(0, radius - stroke))
    mask.paste(0, (stroke, stroke), inner)
    return mask


@lru_cache(maxsize=512)
def corner_masks(radius: int, stroke: int = 0) -> tuple[Image.Image, ...]:
    """The four corners (upper left, upper right, lower left, lower right) of a rounded rectangle.

    Filled, or only the border if it has a `stroke`; each is `corner_size` px wide and high.
    """
    side = corner_size(radius, stroke)
    whole = 2 * side
    mask = outline_mask(whole, whole, radius, stroke) if stroke else rounded_mask(whole, whole, radius)
    places = ((0, 0), (side, 0), (0, side), (side, side))
    return tuple(mask.crop((x, y, x + side, y + side)) for x, y in places)


def corner_size(radius: int, stroke: int = 0) -> int:
    """The side of a corner's mask."""
    return max(radius, stroke + 1) if stroke else radius


@lru_cache(maxsize=256)
def arc_mask(size: int, stroke: int, start_deg: int, end_deg: int) -> Image.Image:
    """An arc of a circle, as progress spinners and dials draw it."""
    large = size * OVERSAMPLING
    mask = Image.new("L", (large, large))
    ImageDraw.Draw(mask).arc((0, 0, large - 1, large - 1), start_deg, end_deg, 255, stroke * OVERSAMPLING)
    return mask.reduce(OVERSAMPLING)
