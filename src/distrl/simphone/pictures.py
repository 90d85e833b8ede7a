"""Procedural pictures: product photos, page illustrations and the wallpaper, decided by a short key."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image

from distrl.simphone import draw
from distrl.simphone.chance import fraction, generator
from distrl.simphone.theme import Colour, tone

NAMED_COLOURS: dict[str, Colour] = {
    "black": (44, 44, 48), "white": (244, 244, 240), "grey": (140, 143, 150), "red": (200, 48, 48),
    "blue": (45, 95, 190), "navy": (32, 48, 96), "green": (52, 134, 78), "yellow": (233, 184, 36),
    "orange": (229, 120, 32), "purple": (118, 76, 170), "pink": (226, 118, 158), "brown": (125, 86, 60),
    "beige": (214, 196, 165), "silver": (180, 186, 194), "gold": (201, 164, 84), "teal": (28, 134, 138),
}  # fmt: skip


def _gradient(width: int, height: int, top: Colour, bottom: Colour) -> Image.Image:
    ramp = np.linspace(0.0, 1.0, height)[:, None, None]
    rows = (np.array(top) * (1 - ramp) + np.array(bottom) * ramp).astype(np.uint8)
    return Image.fromarray(np.repeat(rows, width, axis=1))


@lru_cache(maxsize=512)
def picture(key: str, width: int, height: int) -> Image.Image:
    """The picture for `icon:colour:variant`, e.g. a product photo `headphones:red:17`.

    A named colour paints the icon in it on a pale ground; any other word is only part of the seed.
    """
    icon, colour_name, *_ = [*key.split(":"), "", ""]
    hue = fraction("picture", key)
    ink = NAMED_COLOURS.get(colour_name) or tone(hue, 0.42, 0.45)
    pale = tone(hue, 0.93, 0.30) if sum(ink) < 640 else tone(hue, 0.55, 0.22)
    image = _gradient(width, height, pale, tuple(max(0, part - 26) for part in pale))  # type: ignore[arg-type]
    size = max(8, int(min(width, height) * 0.62))
    left, top = (width - size) // 2, (height - size) // 2
    mask = draw.icon_mask(icon, size)
    shadow = tuple(int(part * 0.82) for part in pale)
    image.paste(shadow, (left + max(1, size // 24), top + max(1, size // 20)), mask)
    image.paste(ink, (left, top), mask)
    return image


WALLPAPERS = 12


def wallpaper(seed: int, width: int, height: int, dark: bool) -> Image.Image:
    """A landscape of soft hills under a gradient sky; the seed picks one of a dozen."""
    return _landscape(seed % WALLPAPERS, width, height, dark)


@lru_cache(maxsize=4 * WALLPAPERS)  # at the size of the screen and as samples, light and dark
def _landscape(number: int, width: int, height: int, dark: bool) -> Image.Image:
    random = generator("wallpaper", number)
    hue = random.random()
    light = 0.30 if dark else 0.72
    sky = _gradient(1, height, tone(hue, light - 0.10, 0.45), tone((hue + 0.12) % 1, light + 0.08, 0.5))
    across = np.arange(width)
    down = np.arange(height, dtype=np.int16)[:, None]
    # A pixel is one number here, four bytes of which one is idle: numpy is quick with those.
    shades = np.array(sky, "<u4") @ np.array((1, 1 << 8, 1 << 16), "<u4")
    pixels = np.repeat(shades, width, axis=1)
    for layer in range(3):
        base = height * (0.52 + 0.15 * layer)
        swell = height * (0.06 + 0.03 * random.random())
        waves = across / width * (2 + 2 * random.random()) * 3.14159 + random.random() * 6.28
        ridge = np.floor(base + swell * np.sin(waves)).astype(np.int16)
        colour = tone((hue + 0.08 * layer) % 1, max(0.08, light - 0.12 - 0.06 * layer), 0.38)
        top = int(ridge.min())
        np.putmask(pixels[top:], down[top:] > ridge, colour[0] | colour[1] << 8 | colour[2] << 16)
    return Image.frombytes("RGB", (width, height), pixels, "raw", "RGBX")
