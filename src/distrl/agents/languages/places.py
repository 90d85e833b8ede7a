"""Places on the screen, in the units that a language counts in.

A grid says how many units the screen is wide and high: a model may count in fractions, in thousandths, in the
device's pixels, or in the pixels of the picture after its processor has resized it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeAlias

from distrl.agents.languages.loose import Value, number_of
from distrl.records import Action, ActionKind, Observation, Point

Grid: TypeAlias = Callable[[Observation], tuple[float, float]]

_BEYOND = 1.01  # a place up to a hundredth past the right or lower edge means the edge
_TAG = re.compile(r"<[|/]?[a-z_]{1,20}\|?>")
_SCROLL_LENGTH = 0.4  # of the screen, where a language names a direction and a place only
# Where the finger goes, in screens, to show what lies in a direction.
_FINGER = {"down": (0.0, -1.0), "up": (0.0, 1.0), "right": (-1.0, 0.0), "left": (1.0, 0.0)}
DIRECTIONS = frozenset(_FINGER)


# --- grids ---------------------------------------------------------------------------------------


def relative(units: int) -> Grid:
    """The same number of units across any screen, as Qwen3-VL (999) and UI-TARS (1000) count."""
    return lambda observation: (units, units)  # noqa: ARG005


def screen_pixels(observation: Observation) -> tuple[float, float]:
    """The device's own pixels."""
    return max(1, observation.width), max(1, observation.height)


def resized_pixels(
    multiple: int = 28, min_pixels: int = 4 * 28 * 28, max_pixels: int = 16384 * 28 * 28
) -> Grid:
    """Pixels of the screenshot as the processor of Qwen2.5-VL resizes it before the model sees it.

    Both sides become multiples of `multiple`, the area stays between the two limits, the proportions nearly.
    Give the limits that the processor is configured with.
    """

    def size(observation: Observation) -> tuple[float, float]:
        picture = observation.screenshot
        sides = (
            (picture.width, picture.height)
            if picture.width and picture.height
            else screen_pixels(observation)
        )
        width, height = (max(multiple, round(side / multiple) * multiple) for side in sides)
        if width * height > max_pixels:
            shrink = math.sqrt(sides[0] * sides[1] / max_pixels)
            width, height = (max(multiple, math.floor(side / shrink / multiple) * multiple) for side in sides)
        elif width * height < min_pixels:
            grow = math.sqrt(min_pixels / (sides[0] * sides[1]))
            width, height = (math.ceil(side * grow / multiple) * multiple for side in sides)
        return width, height

    return size


# --- to and from points --------------------------------------------------------------------------


def to_units(point: Point, size: tuple[float, float]) -> tuple[int, int]:
    """A point in whole units of a grid."""
    return round(point.x * size[0]), round(point.y * size[1])


def to_point(x: float, y: float, size: tuple[float, float]) -> Point:
    """A place in units of a grid as a point; off the screen raises ValueError."""
    return Point(_fraction(x, size[0]), _fraction(y, size[1]))


def read_numbers(value: Value) -> list[float]:
    """The numbers of `[x, y]`, `[[x, y]]`, "[x, y]", "(x,y)", "<point>x y</point>" and their kin."""
    if isinstance(value, str):
        if len(value) > 200:
            raise ValueError("too long for a place")
        parts = _TAG.sub(" ", value).strip("[]() \t\r\n")
        return [number_of(part) for part in re.split(r"\s*,\s*|\s+", parts)]
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list | str):
            return read_numbers(value[0])
        return [number_of(each) for each in value]
    raise ValueError(f"{value!r} is no place")


def read_point(value: Value, size: tuple[float, float]) -> Point:
    """The point of two numbers, x first."""
    x, y = read_numbers(value)  # another count is a ValueError, as it should be
    return to_point(x, y, size)


def scroll_around(point: Point, direction: str) -> Action:
    """The swipe that shows what lies in a direction, centred on a point and moved where the screen ends."""
    across, along = _FINGER[direction]
    half = _SCROLL_LENGTH / 2
    x = min(max(point.x, half), 1 - half) if across else point.x
    y = min(max(point.y, half), 1 - half) if along else point.y
    start = Point(round(x - across * half, 4), round(y - along * half, 4))
    return Action(ActionKind.SWIPE, start, Point(round(x + across * half, 4), round(y + along * half, 4)))


def scroll_inside(box: tuple[float, float, float, float], direction: str) -> Action:
    """The swipe from the middle of a box (left, top, right, bottom, as fractions) to its edge."""
    across, along = _FINGER[direction]
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    if across:
        end = Point(left if across < 0 else right, y)
    else:
        end = Point(x, top if along < 0 else bottom)
    return Action(ActionKind.SWIPE, Point(x, y), end)


def scroll_direction(action: Action, size: tuple[float, float]) -> str | None:
    """The direction in which a swipe shows more, along its longer side; None when it does not move."""
    assert action.point is not None
    assert action.to is not None
    across = (action.to.x - action.point.x) * size[0]
    along = (action.to.y - action.point.y) * size[1]
    if across == along == 0:
        return None
    if abs(along) >= abs(across):
        return "down" if along < 0 else "up"
    return "right" if across < 0 else "left"


def _fraction(number: float, units: float) -> float:
    fraction = number / units
    if not 0.0 <= fraction <= _BEYOND:
        raise ValueError(f"{number:g} lies off a screen of {units:g}")
    return min(fraction, 1.0)
