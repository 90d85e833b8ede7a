"""The action languages: both directions agree, and nonsense becomes INVALID instead of an error."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from distrl.agents.languages import LANGUAGES, OwnLanguage, find_language
from distrl.errors import ConfigError
from distrl.records import Action, ActionKind, Observation, Point, Screenshot, decode, encode

OBSERVATION = Observation(
    screenshot=Screenshot(data=b"", encoding="rgb-zstd", width=0, height=0),
    width=412, height=732, ui=None, app="", captured_at=0.0,
)  # fmt: skip

places = st.builds(
    Point, st.integers(0, 10_000).map(lambda n: n / 10_000), st.floats(0, 1).map(lambda x: round(x, 4))
)
texts = st.text(min_size=1)
actions = st.one_of(
    st.builds(Action, st.sampled_from([ActionKind.TAP, ActionKind.LONG_PRESS]), places),
    st.builds(Action, st.just(ActionKind.SWIPE), places, places),
    st.builds(
        lambda kind, text: Action(kind, text=text),
        st.sampled_from([ActionKind.TYPE, ActionKind.OPEN_APP, ActionKind.ANSWER]),
        texts,
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


@pytest.mark.parametrize("name", LANGUAGES)
@given(action=actions)
@example(action=Action(ActionKind.TYPE, text="\x85 and \u2028 are line breaks to some"))
def test_an_action_survives_writing_and_reading(name: str, action: Action) -> None:
    language = find_language(name)
    text = language.render(action, OBSERVATION)
    assert language.parse(text, OBSERVATION) == action
    assert "\n" not in text


@pytest.mark.parametrize("name", LANGUAGES)
@given(text=st.text(st.characters(exclude_categories=[])))
def test_any_text_is_read_without_an_error(name: str, text: str) -> None:
    action = find_language(name).parse(text, OBSERVATION)
    assert decode(encode(action), Action) == action


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


def test_an_unknown_language_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="no action language 'klingon'; known: distrl"):
        find_language("klingon")
