"""The drawn map: a picture of the city that is remembered, and the widget that puts pins onto it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
from PIL import Image, ImageDraw

from distrl.simphone import canvas, draw
from distrl.simphone.apps.maps.content import city, street_at
from distrl.simphone.apps.maps.data import HERE_AT
from distrl.simphone.scene import CENTRE, IMAGE_BUTTON, IMAGE_VIEW, MEDIUM, Message, Scene
from distrl.simphone.theme import WHITE, Colour, Look

SCALES = (0.62, 1.0, 1.6)
"""Pixels per map unit at each zoom step."""
OVERSAMPLING = 2
PIN = 26
GROUNDS = ("land", "park", "water", "edge", "road", "route")
LIGHT: tuple[Colour, ...] = (
    (238, 236, 229), (199, 226, 190), (163, 204, 232), (214, 211, 202), (255, 255, 255), (38, 104, 222),
)  # fmt: skip
DARK: tuple[Colour, ...] = (
    (38, 42, 50), (36, 62, 48), (26, 58, 86), (30, 33, 40), (66, 72, 84), (110, 168, 255),
)  # fmt: skip
"""The colours of the kinds of ground, in the order of `GROUNDS`."""
Blends = np.ndarray[tuple[int, ...], np.dtype[np.uint32]]
"""Colours, each as one number: four bytes of which one is idle."""
PIN_COLOURS: tuple[Colour, ...] = (
    (198, 74, 54), (46, 118, 190), (42, 136, 92), (150, 84, 168), (190, 128, 30), (70, 84, 160),
)  # fmt: skip


class Chart(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A mark: the city as seen around a point; a route is four numbers, from (x, y) to (x, y)."""

    seed: int
    dark: bool
    zoom: int
    x: int
    y: int
    width: int
    height: int
    route: tuple[int, ...] = ()

    def paint(self, image: Image.Image) -> None:
        image.paste(_picture(self), (0, 0))


@lru_cache(maxsize=24)
def _picture(chart: Chart) -> Image.Image:
    """The map, drawn too large with one byte for a pixel, the number of its kind of ground; then halved."""
    scale = SCALES[chart.zoom] * OVERSAMPLING
    wide, tall = chart.width * OVERSAMPLING, chart.height * OVERSAMPLING
    image = Image.new("L", (wide, tall), GROUNDS.index("land"))
    pen = ImageDraw.Draw(image)

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - chart.x) * scale + wide / 2, (y - chart.y) * scale + tall / 2

    layout = city(chart.seed)
    for left, top, right, bottom in layout.parks:
        pen.rounded_rectangle((*at(left, top), *at(right, bottom)), 10 * scale, GROUNDS.index("park"))
    river = [at(x, y) for x, y in layout.river]
    pen.line(river, GROUNDS.index("water"), round(34 * scale), joint="curve")
    (west, north), (east, south) = at(-200, -200), at(1200, 1200)
    for stroke, ground in ((13, GROUNDS.index("edge")), (10, GROUNDS.index("road"))):
        for number, x in enumerate(layout.columns):
            left, right = _street(at(x, 0)[0], (stroke + (number % 3 == 1) * 6) * scale)
            canvas.fill(image.im, ground, left, int(north), right, int(south) + 1)
        for number, y in enumerate(layout.rows):
            top, bottom = _street(at(0, y)[1], (stroke + (number % 3 == 1) * 6) * scale)
            canvas.fill(image.im, ground, int(west), top, int(east) + 1, bottom)
    if chart.route:
        x0, y0, x1, y1 = chart.route
        bend = min(layout.columns, key=lambda column: abs(column - (x0 + x1) / 2))
        path = [at(x0, y0), at(bend, y0), at(bend, y1), at(x1, y1)]
        pen.line(path, GROUNDS.index("route"), round(6 * OVERSAMPLING), joint="curve")
    small = _halved(image, DARK if chart.dark else LIGHT)
    _write_streets(small, chart)
    return small


def _street(middle: float, width: float) -> tuple[int, int]:
    """Where a straight street begins and ends, by its middle and its width, as Pillow draws lines."""
    wide = round(width)
    return int(middle) - (wide - 1) // 2, int(middle) + wide // 2 + 1


def _halved(image: Image.Image, colours: tuple[Colour, ...]) -> Image.Image:
    """The map at its size: every pixel from four, whose numbers are put together to one, and looked up."""
    wide, tall = image.width // 2, image.height // 2
    pairs = np.frombuffer(image.tobytes(), "<u2").reshape(2 * tall, wide)
    fours = pairs[::2] | pairs[1::2] << 3
    return Image.frombytes("RGB", (wide, tall), _blends(colours).take(fours), "raw", "RGBX")


@lru_cache(maxsize=2)
def _blends(colours: tuple[Colour, ...]) -> Blends:
    """The mean of four colours for each way in which `_halved` may put their numbers together.

    First the mean of left and right, then of upper and lower, as resizing with a box filter does it.
    """
    codes = np.arange(1 << 14)
    shades = np.zeros((8, 3), np.int64)
    shades[: len(colours)] = colours
    upper, lower = ((shades[codes >> low & 7] + shades[codes >> low + 8 & 7] + 1) // 2 for low in (0, 3))
    blends: Blends = ((upper + lower + 1) // 2 @ (1, 1 << 8, 1 << 16)).astype("<u4")
    return blends


def _write_streets(image: Image.Image, chart: Chart) -> None:
    """Write the names of the streets that run from left to right."""
    if chart.zoom == 0:
        return
    ink = (150, 156, 166) if chart.dark else (120, 120, 116)
    for number, y in enumerate(city(chart.seed).rows):
        name = street_at(chart.seed, True, number)
        found = draw.text_mask(name, 11, draw.REGULAR)
        if found is not None:
            mask, left, top = found
            place = (24 + 61 * number % 220, int((y - chart.y) * SCALES[chart.zoom] + chart.height / 2) + 4)
            canvas.stamp(image.im, ink, place[0] + left, place[1] + top, mask)


class Pin(msgspec.Struct, frozen=True, gc=False):
    """A place on the map; without a label only its icon tells what it is."""

    x: int
    y: int
    icon: str
    label: str
    on_tap: Message | None
    marked: bool = False


class MapView(msgspec.Struct, frozen=True):
    """The map, with pins and round buttons on it."""

    seed: int
    x: int
    y: int
    zoom: int
    pins: Sequence[Pin]
    buttons: Sequence[tuple[str, Message, str]] = ()
    route: tuple[int, ...] = ()
    fixed_height: int = 0

    def height(self, look: Look, width: int) -> int:
        del look, width
        return self.fixed_height

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        outer = scene.open_band(x, y)
        scene.mark(Chart(self.seed, look.dark, self.zoom, self.x, self.y, width, height, self.route))
        clip = scene.narrow((x, y, x + width, y + height))
        view = scene.add(IMAGE_VIEW, x, y, width, height, description="Map", name="map")
        before = scene.inside(view)
        scale = SCALES[self.zoom]

        def at(map_x: int, map_y: int) -> tuple[int, int]:
            across, down = (map_x - self.x) * scale, (map_y - self.y) * scale
            return x + width // 2 + round(across), y + height // 2 + round(down)

        here = at(*HERE_AT)
        scene.fill(here[0] - 9, here[1] - 9, 18, 18, WHITE, 9)
        scene.fill(here[0] - 7, here[1] - 7, 14, 14, (38, 104, 222), 7)
        for pin in self.pins:
            self._place_pin(scene, pin, *at(pin.x, pin.y))
        top = y + height - 12 - 52 * len(self.buttons)
        for number, (icon, message, name) in enumerate(self.buttons):
            left, button_top = x + width - 56, top + number * 52
            scene.fill(left - 1, button_top - 1, 46, 46, look.line, 23)
            scene.fill(left, button_top, 44, 44, look.raised, 22)
            scene.icon(left + 10, button_top + 10, icon, 24, look.text)
            scene.add(IMAGE_BUTTON, left, button_top, 44, 44, name=name, tap=message)
        scene.parent = before
        scene.widen(clip)
        scene.close_band(outer, width, height, scene.clip)

    def _place_pin(self, scene: Scene, pin: Pin, x: int, y: int) -> None:
        look = scene.look
        size = PIN + 8 if pin.marked else PIN
        colour = (200, 36, 36) if pin.marked else PIN_COLOURS[sum(map(ord, pin.icon)) % len(PIN_COLOURS)]
        left, top = x - size // 2, y - size // 2
        scene.fill(left - 1, top - 1, size + 2, size + 2, WHITE, size // 2 + 1)
        scene.fill(left, top, size, size, colour, size // 2)
        scene.icon(left + (size - 16) // 2, top + (size - 16) // 2, pin.icon, 16, WHITE)
        scene.add(IMAGE_BUTTON, left, top, size, size, "", pin.label, "pin", pin.on_tap)
        if pin.label:
            scene.text(x - 70, y + size // 2, 140, pin.label, look.sp(11), look.text, MEDIUM, CENTRE)
