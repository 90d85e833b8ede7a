"""Words of goals: hashes that never change, and spans that read as a person would copy them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.agents.small.words import (
    MAX_GOAL_WORDS,
    VOCABULARY,
    Goal,
    ids_of,
    number_in,
    other_number_in,
    word_id,
)


def test_the_hash_is_the_same_for_ever() -> None:
    assert [word_id(word) for word in ("alarm", "wifi", "café")] == [3061, 7566, 2118]


@given(st.text())
def test_every_word_has_a_row(word: str) -> None:
    assert 1 <= word_id(word) < VOCABULARY


def test_case_plural_and_hyphen_do_not_matter() -> None:
    assert ids_of("Alarms") == ids_of("alarm")
    assert ids_of("Wi-Fi") == ids_of("wi fi")
    assert ids_of("7:30 AM") != ids_of("7:45 AM")
    assert ids_of("glass") != ids_of("glas")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a quarter past five in the morning", ("05", "15")),
        ("Half past twelve in the afternoon", ("12", "30")),
        ("a quarter to twelve in the morning", ("11", "45")),
        ("a quarter to one in the afternoon", ("12", "45")),
        ("seven o'clock in the evening", ("19", "00")),
    ],
)
def test_a_spoken_time_says_what_a_dial_shows(said: str, shown: tuple[str, str]) -> None:
    goal = Goal(f"Wake me at {said}, please")
    assert {word_id(digits) for digits in shown} <= goal.content


def test_numbers_that_are_no_time_stay_words() -> None:
    assert Goal("Play Eleven Umbrellas in the morning").content == {
        *ids_of("Play Eleven Umbrellas morning"),
    }


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ('Write "Buy milk, eggs!" down', "Buy milk, eggs!"),
        ("Write “Hello there.”, then stop.", "Hello there."),
        ("Search for 'red Shoes' now", "red Shoes"),
        ("Open the Settings.", "Settings"),
        ("Set an alarm for 7:30 AM, please", "7:30 AM"),
        ("Call Anna Schmidt (mobile)", "mobile"),
        ("Mail to a.b@c.org.", "a.b@c.org"),
        ("Say it's fine", "it's fine"),
        ("Call Anna Schmidt's number", "Anna Schmidt"),
        ("Pay $24.99 at once", "$24.99"),
    ],
)
def test_a_text_of_the_goal_is_found_and_copied_exactly(goal: str, text: str) -> None:
    words = Goal(goal)
    span = words.find(text)
    assert span is not None
    assert words.text_between(*span) == text


def test_the_quoted_occurrence_is_preferred_and_case_is_a_last_resort() -> None:
    goal = Goal('In milk notes write "milk" twice')
    assert goal.find("milk") == (4, 4)
    assert goal.find("MILK") == (4, 4)
    assert goal.find("bread") is None
    assert goal.find("") is None


def test_quotations_are_listed_in_order() -> None:
    assert Goal('Put "a b" into "C" and \'d\'.').quotations() == ["a b", "C", "d"]
    assert Goal('An open "quote never ends').quotations() == []


@given(st.text(max_size=300))
def test_any_goal_can_be_read_and_every_span_copied(text: str) -> None:
    goal = Goal(text)
    assert 1 <= len(goal.words) <= MAX_GOAL_WORDS
    for start in range(len(goal.words)):
        assert goal.text_between(start, len(goal.words) - 1) in text


@pytest.mark.parametrize(("text", "expected"), [("none", 0.0), ("0", 0.01), ("$1,024.5 or 3", 0.703)])
def test_the_first_number_counts(text: str, expected: float) -> None:
    assert number_in(text) == pytest.approx(expected, abs=1e-3)


@given(st.text("0123456789.,: ٣²½") | st.text())
def test_every_text_has_a_finite_number(text: str) -> None:
    assert 0 <= number_in(text) < 3
    assert 0 <= other_number_in(text) < 3


def test_enormous_numbers_stay_finite() -> None:
    assert number_in("9" * 399) < 3


def test_signs_are_told_apart_where_there_are_no_words() -> None:
    assert len({ids_of(sign) for sign in ("+", "=", "×", "−")}) == 4
    assert ids_of("") == ids_of("  ") == ()
    assert ids_of("12 + 3") == ids_of("12 3")
