"""Pillow with everything expensive remembered: fonts, text widths, glyph masks, rounded shapes.

Masks are made once (shapes four times too large, then reduced) and pasted afterwards; all caches are
bounded and shared by all phones of the process.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).parent / "fonts"
REGULAR, MEDIUM = "Roboto-Regular.ttf", "Roboto-Medium.ttf"
OVERSAMPLING = 4


@lru_cache(maxsize=256)
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """One of the bundled fonts at a size in px."""
    return ImageFont.truetype(str(FONTS / name), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def icon_codepoints() -> dict[str, str]:
    """The character of the icon font for every icon name."""
    lines = (FONTS / "MaterialIcons-Regular.codepoints").read_text().splitlines()
    return {name: chr(int(code, 16)) for name, code in (line.split() for line in lines)}


@lru_cache(maxsize=1 << 16)
def text_width(text: str, size: int, weight: str = REGULAR) -> int:
    """The width of one line of text in px, rounded up."""
    return int(font(weight, size).getlength(text)) + 1


@lru_cache(maxsize=1 << 15)
def ellipsize(text: str, size: int, weight: str, width: int) -> str:
    """The text, shortened with an ellipsis where it is wider than `width`."""
    text = text.replace("\n", " ")
    if text_width(text, size, weight) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + "…", size, weight) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


@lru_cache(maxsize=1 << 14)
def wrap(text: str, size: int, weight: str, width: int, max_lines: int = 0) -> tuple[str, ...]:
    """The text broken into lines no wider than `width`; at most `max_lines` of them unless 0."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            candidate = f"{line} {word}" if line else word
            if text_width(candidate, size, weight) <= width:
                line = candidate
                continue
            if line:
                lines.append(line)
            line = word
            while text_width(line, size, weight) > width and len(line) > 1:
                cut = max(1, int(len(line) * width / text_width(line, size, weight)))
                lines.append(line[:cut])
                line = line[cut:]
        lines.append(line)
    if max_lines and len(lines) > max_lines:
        rest = " ".join(lines[max_lines - 1 :])
        lines = [*lines[: max_lines - 1], ellipsize(rest, size, weight, width)]
    return tuple(lines)


@lru_cache(maxsize=1 << 13)
def text_mask(text: str, size: int, weight: str) -> tuple[Image.Image, int, int] | None:
    """The ink of one line of text and its offset from the baseline's left end; None if there is no ink."""
    if not text.strip():
        return None
    # Roboto's ink stays within 1.1 em above and 0.3 em below the baseline: no need to ask for its exact box.
    above, below, beside = size * 11 // 10, size * 3 // 10 + 1, 2
    mask = Image.new("L", (text_width(text, size, weight) + 2 * beside, above + below))
    ImageDraw.Draw(mask).text((beside, above), text, fill=255, font=font(weight, size), anchor="ls")
    return mask, -beside, -above


@lru_cache(maxsize=1 << 12)
def icon_mask(name: str, size: int) -> Image.Image:
    """An icon of the Material icon font as a square mask; an unknown name gives an empty square's outline."""
    glyph = icon_codepoints().get(name) or icon_codepoints()["check_box_outline_blank"]
    mask = Image.new("L", (size, size))
    ImageDraw.Draw(mask).text(
        (size / 2, size), glyph, fill=255, font=font("MaterialIcons-Regular.ttf", size), anchor="md"
    )
    return mask


@lru_cache(maxsize=1 << 11)
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


@lru_cache(maxsize=1 << 10)
def outline_mask(width: int, height: int, radius: int, stroke: int) -> Image.Image:
    """The border of a rectangle with round corners, `stroke` px thick."""
    mask = rounded_mask(width, height, radius).copy()
    inner = rounded_mask(max(1, width - 2 * stroke), max(1, height - 2 * stroke), max(0, radius - stroke))
    mask.paste(0, (stroke, stroke), inner)
    return mask


@lru_cache(maxsize=256)
def arc_mask(size: int, stroke: int, start_deg: int, end_deg: int) -> Image.Image:
    """An arc of a circle, as progress spinners and dials draw it."""
    large = size * OVERSAMPLING
    mask = Image.new("L", (large, large))
    ImageDraw.Draw(mask).arc((0, 0, large - 1, large - 1), start_deg, end_deg, 255, stroke * OVERSAMPLING)
    return mask.reduce(OVERSAMPLING)
