"""The look of the screen: colours after Material 3's roles, text sizes, light or dark, one accent."""

from __future__ import annotations

import colorsys
from functools import lru_cache
from itertools import count
from typing import Literal

import msgspec

from distrl.simphone.chance import pick
from distrl.simphone.state import State

Colour = tuple[int, int, int]

Role = Literal["text", "faint", "primary", "on_primary", "on_container", "error", "outline"]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

COOL_TINT, WARM_TINT = 0.62, 0.07
ACCENT_HUES = (0.60, 0.72, 0.40, 0.52, 0.95, 0.07, 0.28)
ACCENTS = {"blue": 0.60, "violet": 0.72, "green": 0.40, "teal": 0.52, "rose": 0.95, "orange": 0.07}
"""The accent colours that the user can choose, by hue."""
FONT_SCALES = ("0.85", "1.0", "1.0", "1.15", "1.3")


class Accent(msgspec.Struct, frozen=True, gc=False):
    """The colours that follow the user's accent: of buttons and of what is chosen, and of what is on them."""

    primary: Colour
    on_primary: Colour
    container: Colour
    on_container: Colour


NO_ACCENT = Accent(BLACK, BLACK, BLACK, BLACK)

_uses = count()
"""Goes up by one whenever an accent's colour is used, and whenever somebody asks."""


def accent_uses() -> int:
    """A number to tell whether accents were used: it is one more the next time only if none was since."""
    return next(_uses)


class Look(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """Colours and sizes to draw with; `large`, `title`, `body`, `small` are text sizes in px."""

    dark: bool
    scale: float
    large: int
    title: int
    body: int
    small: int
    accent: Accent
    surface: Colour
    card: Colour
    raised: Colour
    text: Colour
    faint: Colour
    outline: Colour
    line: Colour
    error: Colour
    scrim: Colour
    inverse: Colour
    on_inverse: Colour

    @property
    def primary(self) -> Colour:
        """The accent itself, for what matters most."""
        next(_uses)
        return self.accent.primary

    @property
    def on_primary(self) -> Colour:
        """What is written on it."""
        next(_uses)
        return self.accent.on_primary

    @property
    def container(self) -> Colour:
        """The quieter accent, for what is chosen."""
        next(_uses)
        return self.accent.container

    @property
    def on_container(self) -> Colour:
        """What is written on that."""
        next(_uses)
        return self.accent.on_container

    def line_height(self, size: int) -> int:
        """The height of one line of text of this size."""
        return size * 4 // 3

    def role(self, name: Role) -> Colour:
        """The colour of a role named in a widget."""
        colour: Colour = getattr(self, name)
        return colour

    def sp(self, size: int) -> int:
        """A text size in px after the user's font scale."""
        return round(size * self.scale)


def tone(hue: float, lightness: float, saturation: float) -> Colour:
    """A colour of this hue; lightness and saturation from 0 to 1."""
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


@lru_cache(maxsize=256)
def look(hue: float, dark: bool, scale: float) -> Look:
    """The look for an accent hue, light or dark, at a font scale.

    Grounds and text have one of only two tints, so that phones of different accents share most of what they
    paint.
    """
    tint = COOL_TINT if 0.3 < hue < 0.8 else WARM_TINT
    large, title, body, small = (round(size * scale) for size in (21, 16, 14, 12))
    if dark:
        return Look(
            dark, scale, large, title, body, small,
            Accent(tone(hue, 0.78, 0.75), tone(hue, 0.18, 0.6), tone(hue, 0.30, 0.35), tone(hue, 0.90, 0.7)),
            surface=tone(tint, 0.075, 0.10), card=tone(tint, 0.125, 0.10), raised=tone(tint, 0.18, 0.10),
            text=tone(tint, 0.90, 0.10), faint=tone(tint, 0.70, 0.07),
            outline=tone(tint, 0.50, 0.06), line=tone(tint, 0.24, 0.08),
            error=(242, 184, 181), scrim=BLACK,
            inverse=tone(tint, 0.89, 0.06), on_inverse=tone(tint, 0.18, 0.06),
        )  # fmt: skip
    return Look(
        dark, scale, large, title, body, small,
        Accent(tone(hue, 0.38, 0.50), WHITE, tone(hue, 0.88, 0.65), tone(hue, 0.20, 0.55)),
        surface=tone(tint, 0.985, 0.6), card=tone(tint, 0.955, 0.38), raised=tone(tint, 0.92, 0.32),
        text=tone(tint, 0.11, 0.06), faint=tone(tint, 0.33, 0.06),
        outline=tone(tint, 0.48, 0.05), line=tone(tint, 0.84, 0.12),
        error=(179, 38, 30), scrim=BLACK,
        inverse=tone(tint, 0.19, 0.05), on_inverse=tone(tint, 0.95, 0.10),
    )  # fmt: skip


@lru_cache(maxsize=1024)
def without_accent(look: Look) -> Look:
    """What looks have in common that differ in the accent only: the same object for all of them."""
    return _shared(msgspec.structs.replace(look, accent=NO_ACCENT))


@lru_cache(maxsize=1024)
def _shared(look: Look) -> Look:
    return look


@lru_cache(maxsize=1024)
def _look(seed: int, accent: str, night: str, font_scale: str) -> Look:
    try:
        scale = min(2.0, max(0.7, float(font_scale)))
    except ValueError:
        scale = 1.0
    hue = ACCENTS[accent] if accent in ACCENTS else pick(ACCENT_HUES, seed, "accent")
    return look(hue, night == "2", scale)


def look_of(state: State) -> Look:
    """How this phone looks now: by its settings, and by its seed where they say nothing."""
    secure = state.settings["secure"]
    font_scale = state.settings["system"].get("font_scale", "1.0")
    return _look(state.seed, secure.get("theme_accent", ""), secure.get("ui_night_mode", ""), font_scale)
