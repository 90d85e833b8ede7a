"""Touch events as gestures: fingers go down, move and are lifted; the phone acts when one is lifted."""

from __future__ import annotations

from typing import NamedTuple

TAP_SLOP = 12  # px that a finger may move and still tap
LONG_PRESS_S = 0.5


class Touch(NamedTuple):
    """One event of one finger; without pressure it is lifted, and its place means nothing."""

    x: int
    y: int
    finger: int
    pressure: int


class _Down(NamedTuple):
    start: tuple[int, int]
    now: tuple[int, int]
    since_s: float


class Fingers:
    """The fingers on the screen. Only the first one down makes gestures: the phone knows no others."""

    def __init__(self) -> None:
        self._down: dict[int, _Down] = {}

    def feel(self, touch: Touch, now_s: float) -> str:
        """The line of the phone's shell that does what this event completes; empty if it completes none."""
        known = self._down.get(touch.finger)
        if touch.pressure > 0:
            place = touch.x, touch.y
            start, since = (known.start, known.since_s) if known is not None else (place, now_s)
            self._down[touch.finger] = _Down(start, place, since)
            return ""
        if known is None:
            return ""
        alone = next(iter(self._down)) == touch.finger
        del self._down[touch.finger]
        return _gesture(known, now_s) if alone else ""


def _gesture(finger: _Down, now_s: float) -> str:
    (x0, y0), (x1, y1) = finger.start, finger.now
    held_ms = max(1, round(1000 * (now_s - finger.since_s)))
    if abs(x1 - x0) >= TAP_SLOP or abs(y1 - y0) >= TAP_SLOP:
        return f"input swipe {x0} {y0} {x1} {y1} {held_ms}"
    if held_ms >= 1000 * LONG_PRESS_S:
        return f"input swipe {x0} {y0} {x0} {y0} {held_ms}"
    return f"input tap {x0} {y0}"
