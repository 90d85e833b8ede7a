"""Every language: both directions agree, any text is read without an error, and names are found."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from distrl.agents import languages
from distrl.errors import ConfigError, PolicyError
from distrl.records import Action, ActionKind, Observation, Point, Screenshot, decode, encode

OBSERVATION = Observation(
    screenshot=Screenshot(data=b"", encoding="rgb-zstd", width=412, height=732),
    width=1080, height=2400, ui=None, app="", captured_at=0.0,
)  # fmt: skip

# By how much a point may move when it is written and read: half a unit of what the language counts in.
HALF_UNITS = {
    "aitw": (0.5e-4, 0.5e-4),
    "androidworld": (0.5 / 1080, 0.5 / 2400),
    "distrl": (0.5e-4, 0.5e-4),
    "mobile_use": (0.5 / 999, 0.5 / 999),
    "mobile_use-2.5": (0.5 / 420, 0.5 / 728),  # 412 × 732 to the nearest multiples of 28
    "ui-tars": (0.5e-3, 0.5e-3),
    "ui-tars-1.5": (0.5 / 420, 0.5 / 728),
}
UNSAYABLE = {
    "aitw": {ActionKind.LONG_PRESS, ActionKind.OPEN_APP, ActionKind.WAIT, ActionKind.ANSWER},
}
ROUGH_SWIPES = {"androidworld"}  # that keep the direction only; see test_androidworld.py

places = st.builds(Point, st.floats(0, 1), st.floats(0, 1))
texts = st.text(min_size=1)
# Texts that look like parts of the languages themselves.
pieces = st.sampled_from(
    [
        '"', "'", "\\", "{", "}", "(", ")", ", ", ": ", "\n", "“", "’", "action_type", "'action_type': 4",
        "Action:", "\nAction: wait()", "</think>", "<tool_call>", '{"action": "wait"}', "click(", "\x85",
        "\u2028", "😀", "\x00",
    ]
)  # fmt: skip
actions = st.one_of(
    st.builds(Action, st.sampled_from([ActionKind.TAP, ActionKind.LONG_PRESS]), places),
    st.builds(Action, st.just(ActionKind.SWIPE), places, places),
    st.builds(
        lambda kind, text: Action(kind, text=text),
        st.sampled_from([ActionKind.TYPE, ActionKind.OPEN_APP, ActionKind.ANSWER]),
        texts | st.lists(pieces, min_size=1, max_size=8).map("".join),
    ),
    st.builds(
        Action,
        st.sampled_from(
            [
                ActionKind.BACK,
                ActionKind.HOME,
                ActionKind.ENTER,
                ActionKind.WAIT,
                ActionKind.DONE,
                ActionKind.IMPOSSIBLE,
            ]
        ),
    ),
)


def sayable(name: str, action: Action) -> bool:
    """Whether the documentation promises that a language can express an action."""
    if action.kind in UNSAYABLE.get(name, ()):
        return False
    if action.kind is not ActionKind.SWIPE or action.point is None or action.to is None:
        return True
    if name == "aitw":
        moved = (round(end, 4) - round(start, 4) for start, end in zip(*_corners(action), strict=True))
        return math.hypot(*moved) > 0.04
    return name != "androidworld" or action.point != action.to


def _corners(action: Action) -> tuple[tuple[float, float], tuple[float, float]]:
    assert action.point is not None
    assert action.to is not None
    return (action.point.x, action.point.y), (action.to.x, action.to.y)


def assert_near(name: str, found: Point | None, meant: Point | None) -> None:
    assert (found is None) == (meant is None)
    if found is not None and meant is not None:
        across, along = HALF_UNITS[name]
        assert abs(found.x - meant.x) <= across * 1.001
        assert abs(found.y - meant.y) <= along * 1.001


@pytest.mark.parametrize("name", languages.names())
@given(action=actions)
@example(action=Action(ActionKind.TYPE, text="\x85 and \u2028 are line breaks to some"))
@example(action=Action(ActionKind.TAP, Point(1.0, 1.0)))
@example(action=Action(ActionKind.SWIPE, Point(0.5, 0.5), Point(0.5, 0.5)))
@example(action=Action(ActionKind.SWIPE, Point(0.5, 0.5), Point(0.5, 0.54)))
def test_an_action_survives_writing_and_reading(name: str, action: Action) -> None:
    language = languages.find(name)
    if not sayable(name, action):
        with pytest.raises(PolicyError, match=f"{name!r} cannot say `{action.kind}"):
            language.render(action, OBSERVATION)
        return
    text = language.render(action, OBSERVATION)
    found = language.parse(text, OBSERVATION)
    assert (found.kind, found.text) == (action.kind, action.text)
    if not (action.kind is ActionKind.SWIPE and name in ROUGH_SWIPES):
        assert_near(name, found.point, action.point)
        assert_near(name, found.to, action.to)
    assert language.render(found, OBSERVATION) == text, "what was read once is written alike"


@pytest.mark.parametrize("name", sorted(set(HALF_UNITS) - {"distrl"}))  # distrl: one line and nothing else
@pytest.mark.parametrize(
    "thought", ["Thought: it is here.\n", "I see {x} and {'y'}: ", "<think>{}</think>\n"]
)
@pytest.mark.parametrize("after", ["", "\n", "\n\nThis opens the menu."])
def test_words_around_an_action_do_not_matter(name: str, thought: str, after: str) -> None:
    language = languages.find(name)
    action = Action(ActionKind.BACK)
    assert language.parse(thought + language.render(action, OBSERVATION) + after, OBSERVATION) == action


@pytest.mark.parametrize("name", languages.names())
@given(text=st.text(st.characters(exclude_categories=[])) | st.lists(pieces, max_size=30).map("".join))
def test_any_text_is_read_without_an_error(name: str, text: str) -> None:
    action = languages.find(name).parse(text, OBSERVATION)
    assert decode(encode(action), Action) == action


@pytest.mark.parametrize("name", languages.names())
@given(action=actions, cut=st.integers(0, 300), junk=st.text(max_size=3))
def test_a_damaged_answer_is_read_without_an_error(name: str, action: Action, cut: int, junk: str) -> None:
    if not sayable(name, action):
        return
    language = languages.find(name)
    text = language.render(action, OBSERVATION)
    damaged = language.parse(text[:cut] + junk + text[cut + 1 :], OBSERVATION)
    truncated = language.parse(text[:cut], OBSERVATION)
    assert decode(encode(damaged), Action) == damaged
    assert decode(encode(truncated), Action) == truncated


@pytest.mark.parametrize("name", languages.names())
@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"',
        '{"a":',
        "[",
        "(",
        '"',
        "'",
        "\\",
        "{ ",
        " ",
        "\n",
        '{"a":[',
        "Action:",
        "wait(",
        "action_type'",
    ],
)
def test_long_nonsense_is_read_in_bounded_time(name: str, unit: str) -> None:
    """Nothing is asserted on time; what takes quadratic time here runs into the test's time limit."""
    text = unit * (200_000 // len(unit))
    assert languages.find(name).parse(text, OBSERVATION).kind is ActionKind.INVALID


@pytest.mark.parametrize("name", languages.names())
def test_what_was_invalid_is_written_as_it_was_said(name: str) -> None:
    language = languages.find(name)
    assert language.parse("Invalid", OBSERVATION) == Action(ActionKind.INVALID, text="Invalid")
    assert language.render(Action(ActionKind.INVALID, text="Invalid"), OBSERVATION) == "Invalid"
    assert language.name == name


def test_the_languages_that_the_documentation_lists_are_there() -> None:
    assert set(HALF_UNITS) <= set(languages.names())


def test_an_unknown_language_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match=r"no action language 'klingon'; known: .*mobile_use"):
        languages.find("klingon")
