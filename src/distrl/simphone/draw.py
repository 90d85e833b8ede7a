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

Box = tuple[int, int, int, int]

FONTS = Path(__file__).parent / "fonts"
REGULAR, MEDIUM = "Roboto-Regular.ttf", "Roboto-Medium.ttf"
OVERSAMPLING = 4
OVERHANG = 4
"""How far, in px, the ink of a character may reach beyond its own place, to either side."""
WIDTHS_KEPT = 4096
"""How many texts of one font are measured once only (about 150 bytes each)."""
LETTERS_KEPT = 512
"""How many characters of one font are drawn once only (about 500 bytes each)."""


@lru_cache(maxsize=256)
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """One of the bundled fonts at a size in px."""
    return ImageFont.truetype(str(FONTS / name), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def icon_codepoints() -> dict[str, str]:
    """The character of the icon font for every icon name."""
    lines = (FONTS / "MaterialIcons-Regular.codepoints").read_text().splitlines()
    return {name: chr(int(code, 16)) for name, code in (line.split() for line in lines)}


class _Advances(dict[str, int]):
    """How far each character of a font moves the pen, filled as characters are met."""

    __slots__ = ("_font",)

    def __init__(self, size: int, weight: str) -> None:
        self._font = font(weight, size)

    def __missing__(self, sign: str) -> int:
        wide = self[sign] = int(self._font.getlength(sign))
        return wide


class _Widths(dict[str, int]):
    """How wide texts are in a font, filled as texts are met.

    By the text alone, since a remembered tuple of all that decides it would be one more thing that Python
    searches for garbage, and texts are what phones show most of.
    """

    __slots__ = ("_advances",)

    def __init__(self, size: int, weight: str) -> None:
        self._advances = _advances(size, weight)

    def __missing__(self, text: str) -> int:
        if len(self) >= WIDTHS_KEPT:
            self.clear()
        wide = self[text] = sum(map(self._advances.__getitem__, text)) + 1
        return wide


@lru_cache(maxsize=256)
def _advances(size: int, weight: str) -> _Advances:
    return _Advances(size, weight)


@lru_cache(maxsize=256)
def _widths(size: int, weight: str) -> _Widths:
    return _Widths(size, weight)


def advance(sign: str, size: int, weight: str) -> int:
    """How far one character moves the pen; the fonts are hinted and have no kerning, so it is whole px."""
    return _advances(size, weight)[sign]


def text_width(text: str, size: int, weight: str = REGULAR) -> int:
    """The width of one line of text in px, and one to spare."""
    return _widths(size, weight)[text]


@lru_cache(maxsize=1 << 15)
def ellipsize(text: str, size: int, weight: str, width: int) -> str:
    """The text, shortened with an ellipsis where it is wider than `width`."""
    text = text.replace("\n", " ")
    if text_width(text, size, weight) <= width:
        return text
    room = width - text_width("…", size, weight)
    kept, used, advances = 0, 0, _advances(size, weight)
    for number, sign in enumerate(text, 1):
        used += advances[sign]
        if used > room:
            break
        if sign != " ":  # before the ellipsis there is none
            kept = number
    return text[:kept].rstrip() + "…"


@lru_cache(maxsize=1 << 14)
def wrap(text: str, size: int, weight: str, width: int, max_lines: int = 0) -> tuple[str, ...]:
    """The text broken into lines no wider than `width`; at most `max_lines` of them unless 0."""
    lines: list[str] = []
    space, widths = advance(" ", size, weight), _widths(size, weight)
    for paragraph in text.split("\n"):
        line, used = "", 0
        for word in paragraph.split(" "):
            wide = widths[word]
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
                used = widths[line] - 1
        lines.append(line)
    if max_lines and len(lines) > max_lines:
        rest = " ".join(lines[max_lines - 1 :])
        lines = [*lines[: max_lines - 1], ellipsize(rest, size, weight, width)]
    return tuple(lines)


def _line_ink(size: int) -> tuple[int, int]:
    """How far ink reaches above and below the baseline: in Roboto never more than 1.1 and 0.3 em."""
    return size * 11 // 10, size * 3 // 10 + 1


class _Letters(dict[str, tuple[Core, Box] | None]):
    """The ink of each character of a font and where on a line's full height it lies; None without ink."""

    __slots__ = ("_above", "_font")

    def __init__(self, size: int, weight: str) -> None:
        self._font, self._above = font(weight, size), _line_ink(size)[0]

    def __missing__(self, sign: str) -> tuple[Core, Box] | None:
        if len(self) >= LETTERS_KEPT:
            self.clear()
        ink, (x, y) = self._font.getmask2(sign, "L", anchor="ls")
        wide, tall = ink.size
        left, top = OVERHANG + x, self._above + y
        letter = self[sign] = (ink, (left, top, left + wide, top + tall)) if wide and tall else None
        return letter


@lru_cache(maxsize=256)
def _letters(size: int, weight: str) -> _Letters:
    return _Letters(size, weight)


def text_ink(text: str, size: int, weight: str, x: int = 0, y: int = 0, block: int = 1) -> Core | None:
    """The ink of one line of text with (x, y) px to spare at its upper left; None if there is no ink.

    Both sides are made multiples of `block`. Put together from remembered letters, far quicker than asking
    the font for the whole line.
    """
    if not text.strip():
        return None
    wide, tall = x + text_width(text, size, weight) + 2 * OVERHANG, y + sum(_line_ink(size))
    mask = canvas.blank("L", -(-wide // block) * block, -(-tall // block) * block, 0)
    pen, letters, advances = x, _letters(size, weight), _advances(size, weight)
    for sign in text:
        letter = letters[sign]
        if letter is not None:
            ink, (left, top, right, bottom) = letter
            # As `canvas.stamp`, which would ask every letter for its size again.
            mask.paste(255, (pen + left, y + top, pen + right, y + bottom), ink)
        pen += advances[sign]
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
