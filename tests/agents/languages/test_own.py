"""The system's own language: what its lines mean, and that anything else is INVALID."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.agents.languages import OwnLanguage
from distrl.records import Action, ActionKind, Point


@given(x=st.floats(0, 1), y=st.floats(0, 1))
def test_any_point_survives_to_four_decimals(x: float, y: float) -> None:
    language = OwnLanguage()
    point = language.parse(language.render(Action(ActionKind.TAP, Point(x, y)))).point
    assert point is not None
    assert abs(point.x - x) <= 0.5001e-4
    assert abs(point.y - y) <= 0.5001e-4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tap 0.512 0.233", Action(ActionKind.TAP, Point(0.512, 0.233))),
        ("  tap 1 0  ", Action(ActionKind.TAP, Point(1.0, 0.0))),
        ("swipe 0.5 0.8 0.5 0.2", Action(ActionKind.SWIPE, Point(0.5, 0.8), Point(0.5, 0.2))),
        ('type "say \\"hi\\""', Action(ActionKind.TYPE, text='say "hi"')),
        ('open_app "Settings"', Action(ActionKind.OPEN_APP, text="Settings")),
        ("done", Action(ActionKind.DONE)),
        ('answer "42"', Action(ActionKind.ANSWER, text="42")),
    ],
)
def test_examples_mean_what_they_say(text: str, expected: Action) -> None:
    assert OwnLanguage().parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Invalid",
        "invalid",
        'invalid "x"',
        "tap",
        "tap 0.5",
        "tap 0.5 0.5 0.5",
        "tap nan 0.5",
        "tap NaN NaN",
        "tap inf 0.1",
        "tap -0.1 0.5",
        "tap 0.5 1.0001",
        "tap 512 233",
        "tap 0x1 0",
        "tap 1e-1 0.5",
        "tap 0,5 0,5",
        "tap ٠ ٠",
        "tap (0.5, 0.5)",
        "Tap 0.5 0.5",
        "tap 0.5 0.5\ntap 0.1 0.1",
        "tap 0.5\n0.5",
        "swipe 0.5 0.8",
        "swipe 0.5 0.8 0.5 1.2",
        "swipe up",
        "type",
        "type hello",
        'type ""',
        "type ''",
        'type "hello',
        'type hello"',
        'type "a" "b"',
        'type "a\nb"',
        'type "\\ud800"',
        "type [\"a\"]",
        'open_app ""',
        "answer 42",
        "back 0.5 0.5",
        'done "yes"',
        "click 0.5 0.5",
        "I will tap the button",
        '{"action_type": "tap"}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_malformed_output_becomes_invalid(text: str) -> None:
    action = OwnLanguage().parse(text)
    assert action == Action(ActionKind.INVALID, text=text)
    assert OwnLanguage().render(action) == text
