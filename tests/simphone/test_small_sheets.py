"""Sheets painted small are the full ones reduced, whichever way they were painted."""

from __future__ import annotations

import numpy as np
import pytest

from distrl.simphone import canvas, painting, small_sheets
from distrl.simphone.draw import REGULAR
from distrl.simphone.marks import Arc, Fill, Glyph, Ink, Mark, Outline, Photo, Sheet
from distrl.simphone.scene import WIDTH

PAPER, INK, PATCH = (250, 248, 255), (20, 24, 30), (30, 90, 200)

TEXT = Ink(72, 34, "Adaptive brightness", 16, REGULAR, INK)
ICON = Glyph(16, 18, "wifi", 24, (90, 94, 100))
APART: dict[str, tuple[Mark, ...]] = {
    "nothing": (),
    "a row": (ICON, TEXT, Ink(72, 54, "On until sunrise", 13, REGULAR, (90, 94, 100))),
    "a word on a patch": (Fill(16, 8, 200, 48, 14, PATCH), Ink(60, 38, "Buy now", 14, REGULAR, PAPER)),
    "a word in an outline": (Outline(16, 8, 200, 48, 24, 2, INK), Ink(60, 38, "Buy now", 14, REGULAR, INK)),
    "a letter on a disc": (Fill(16, 12, 40, 40, 20, PATCH), Ink(32, 38, "A", 18, REGULAR, PAPER), TEXT),
    "a picture": (
        Photo(18, 9, 61, 44, 10, "headphones:red:17"),
        Ink(100, 34, "Headphones", 16, REGULAR, INK),
    ),
}
SHARED: dict[str, tuple[Mark, ...]] = {
    "patches in one block": (Fill(16, 8, 41, 40, 6, PATCH), Fill(58, 8, 40, 40, 6, INK)),
    "a switch": (Fill(350, 20, 44, 26, 13, (230, 228, 236)), Outline(350, 20, 44, 26, 13, 2, INK)),
    "a patch from edge to edge": (
        Fill(0, 0, WIDTH, 61, 0, PATCH),
        Ink(60, 38, "Buy now", 14, REGULAR, PAPER),
    ),
    "a picture beside a patch": (Photo(17, 8, 41, 40, 4, "star::3"), Fill(59, 8, 40, 40, 4, PATCH)),
}


def sheet_of(marks: tuple[Mark, ...]) -> Sheet:
    """Of a height that is no multiple of four."""
    return Sheet(WIDTH, 61, PAPER, marks)


def difference(sheet: Sheet, phase: int) -> int:
    small = small_sheets.paint(sheet, phase)
    assert small is not None
    reduced = painting._reduced(sheet, phase)
    assert small.size == reduced.size
    return int(np.abs(canvas.array(small).astype(int) - canvas.array(reduced)).max())


def is_apart(sheet: Sheet, phase: int) -> bool:
    boxes = small_sheets._boxes(sheet)
    assert boxes is not None
    return small_sheets._apart(sheet, boxes, phase)


@pytest.mark.parametrize("phase", range(4))
@pytest.mark.parametrize("name", APART)
def test_marks_with_blocks_of_their_own_are_stamped(name: str, phase: int) -> None:
    assert is_apart(sheet_of(APART[name]), phase)
    assert difference(sheet_of(APART[name]), phase) <= 2


@pytest.mark.parametrize("phase", range(1, 4))
@pytest.mark.parametrize("name", SHARED)
def test_marks_that_share_blocks_are_added_up(name: str, phase: int) -> None:
    assert not is_apart(sheet_of(SHARED[name]), phase)
    assert difference(sheet_of(SHARED[name]), phase) <= 2


@pytest.mark.parametrize(
    "marks",
    [
        (Fill(16, 8, 100, 40, 0, PATCH), Fill(60, 20, 100, 40, 0, INK)),  # on two grounds
        (TEXT, Fill(80, 10, 40, 40, 0, PATCH)),  # text under a patch
        (Arc(10, 10, 40, 4, 0, 90, INK),),  # no simple mark
        (Glyph(400, 18, "wifi", 24, INK),),  # sticks out
    ],
)
def test_what_is_not_simple_is_left_to_others(marks: tuple[Mark, ...]) -> None:
    assert small_sheets.paint(sheet_of(marks), 0) is None
