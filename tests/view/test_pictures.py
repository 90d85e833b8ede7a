"""Episodes as pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageFont

from distrl.errors import RunError
from distrl.records import Action, ActionKind, Point
from distrl.testing.trajectories import make_observation, make_trajectory
from distrl.view.pictures import describe, save_animation, terminal_picture, wrap


def test_terminal_picture_has_two_pixels_a_character() -> None:
    text = terminal_picture(Image.new("RGB", (40, 80), "red"), 10)
    lines = text.plain.splitlines()
    assert len(lines) == 10
    assert set(lines) == {"▀" * 10}


def test_actions_are_described_by_what_they_touch() -> None:
    observation = make_observation()
    tap = Action(ActionKind.TAP, point=Point(0.5, 0.2))
    assert describe(tap, observation) == "tap “OK”"
    assert describe(Action(ActionKind.TAP, point=Point(0.5, 0.9)), observation).startswith("tap (")
    assert describe(Action(ActionKind.TYPE, text="hi"), observation) == "type 'hi'"


@pytest.mark.parametrize("ending", ["gif", "webp", "png"])
def test_animation_has_a_frame_for_each_step_and_the_end(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"film.{ending}"
    save_animation(make_trajectory("a", steps=3, size=(103, 183)), path)
    with Image.open(path) as film:
        assert getattr(film, "n_frames", 1) == 4


def test_unknown_format_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"\.gif"):
        save_animation(make_trajectory("a", size=(103, 183)), tmp_path / "film.doc")


def test_wrapping_loses_no_word() -> None:
    words = [
        "Find",
        "the",
        "cheapest",
        "umbrella",
        "under",
        "thirty",
        "and",
        "put",
        "it",
        "into",
        "the",
        "cart",
    ]
    lines = wrap(" ".join(words), ImageFont.load_default(size=13), 120)
    assert " ".join(lines).split() == words
    assert len(lines) > 2
