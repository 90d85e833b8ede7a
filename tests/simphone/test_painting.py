"""Small frames are what reducing the full ones gives, whatever is on the screen."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from distrl.simphone import Phone, canvas, draw, painting, regions
from distrl.simphone.hand import Hand
from distrl.simphone.scene import HEIGHT, WIDTH
from distrl.simphone.small_sheets import SMALLER

APPS = ("Settings", "Notes", "Contacts", "Maps", "Calendar", "Clock", "Messages", "Browser")


def difference(phone: Phone) -> int:
    """The largest difference between the small frame and the reduced one."""
    small = np.asarray(phone.frame(SMALLER)).astype(int)
    reduced = np.asarray(phone.frame().reduce(SMALLER)).astype(int)
    assert small.shape == reduced.shape == (183, 103, 3)
    return int(np.abs(small - reduced).max())


@pytest.mark.parametrize("seed", range(5))
def test_small_frames_agree_with_reduced_ones(seed: int) -> None:
    source = random.Random(seed)
    phone = Phone(seed)
    for step in range(60):
        if step % 12 == 0:
            phone.open_app(APPS[(seed + step // 12) % len(APPS)])
        elif step % 3 == 0:
            phone.swipe(206, 500, 206, 500 - source.randint(20, 300))
        else:
            phone.tap(*source.choice([node for node in phone.tree() if node.clickable]).centre)
        assert difference(phone) <= 2


def test_windows_keyboard_and_shade_in_small_frames() -> None:
    phone = Phone(2)
    for kind in ("anr", "ad", "permission", "update"):
        phone.shell(f"simphone dialog {kind} com.simphone.notes location")
        assert difference(phone) <= 2
        phone.key("BACK")
    phone.swipe(206, 5, 206, 300)
    assert difference(phone) <= 2
    phone.open_app("Notes")
    phone.key("BACK")
    Hand(phone).tap("Search notes")
    assert difference(phone) <= 2


def test_small_frames_do_not_depend_on_what_was_painted_before() -> None:
    one, other = Phone(7), Phone(7)
    one.open_app("Contacts")
    one.frame()
    first = one.frame(4).tobytes()
    painting.forget()
    other.open_app("Contacts")
    assert other.frame(4).tobytes() == first


def test_other_reductions_reduce_the_frame() -> None:
    phone = Phone(0)
    assert phone.frame(2).size == (206, 366)
    assert phone.frame(2).tobytes() == phone.frame().reduce(2).tobytes()


def test_what_is_remembered_stays_bounded() -> None:
    for seed in range(12):
        phone = Phone(seed)
        phone.open_app("Settings")
        phone.frame()
        phone.frame(4)
    assert len(painting._frames) <= painting.FRAMES_KEPT
    assert len(painting._small_frames) <= painting.SMALL_FRAMES_KEPT


def test_small_bands_are_bounded_by_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painting, "SMALL_BANDS_BYTES", 60_000)
    for app in APPS:
        phone = Phone(3)
        phone.open_app(app)
        phone.frame(4)
    held = sum(len(canvas.raw(band)) // 3 * 4 for band in painting._small_bands.values())
    assert held == painting._small_bands_bytes
    assert held <= 60_000 or len(painting._small_bands) == 1


@pytest.mark.parametrize("window", ["dialog", "shade", "menu", "page"])
def test_pieces_of_the_screen_are_what_the_frame_has_there(window: str) -> None:
    phone = Phone(2)
    phone.open_app("Notes")
    if window == "dialog":
        phone.shell("simphone dialog ad")
    elif window == "shade":
        phone.swipe(206, 5, 206, 300)
    elif window == "menu":
        Hand(phone).tap("More options")
    scene, frame = phone.scene(), phone.frame()
    marks = scene.marks()
    boxes = [box for box in map(regions.box_of, marks) if box is not None]
    assert len(boxes) == len(marks)
    pieces = regions.pieces((0, 0, WIDTH, HEIGHT), marks)
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in pieces) == WIDTH * HEIGHT
    assert (len(pieces) > 1) == (window == "shade")  # which alone is as wide as the screen
    for region in (*pieces, (36, 300, 376, 400), (200, 40, 400, 120)):
        piece = regions.paint(scene.look.surface, marks, boxes, region)
        assert piece.tobytes() == frame.crop(region).tobytes()


def test_letters_are_what_the_font_draws() -> None:
    for weight in (draw.REGULAR, draw.MEDIUM):
        for size in (10, 14, 21, 52):
            for sign in "AfgjWÅß.…€":
                mask = draw.text_ink(sign, size, weight)
                assert mask is not None
                drawn = Image.new("L", mask.size)
                place = (draw.OVERHANG, size * 11 // 10)
                ImageDraw.Draw(drawn).text(place, sign, 255, draw.font(weight, size), anchor="ls")
                assert canvas.raw(mask) == drawn.tobytes()
    assert draw.text_ink(" ", 14, draw.REGULAR) is None


def test_a_line_is_its_letters_side_by_side() -> None:
    first, both = (draw.text_ink(text, 14, draw.REGULAR) for text in ("H", "H    I"))
    assert first is not None
    assert both is not None
    left = canvas.cut(both, 0, 0, *first.size)
    assert canvas.raw(left) == canvas.raw(first)
    pen = draw.advance("H", 14, draw.REGULAR) + 4 * draw.advance(" ", 14, draw.REGULAR)
    last = draw.text_ink("I", 14, draw.REGULAR)
    assert last is not None
    right = canvas.cut(both, pen, 0, pen + last.size[0], last.size[1])
    assert canvas.raw(right) == canvas.raw(last)
