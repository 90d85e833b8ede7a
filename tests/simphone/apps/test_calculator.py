"""Calculator: arithmetic against Python's fractions, the keypad, the history and the converter."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.simphone.apps.calculator.arithmetic import Nonsense, evaluate, result, written
from distrl.simphone.apps.calculator.units import UNITS, convert

if TYPE_CHECKING:
    from tests.simphone.apps.conftest import Hand

APP = "com.android.calculator2"
Open = Callable[..., "Hand"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1+2×3", "7"), ("(1+2)×3", "9"), ("8÷3×3", "8"), ("0.1+0.2", "0.3"), ("−2^2", "-4"),
        ("2^3^2", "512"), ("200+10%", "220"), ("200−10%", "180"), ("50×10%", "5"), ("25%", "0.25"),
        ("sqrt(16)", "4"), ("2(3+4)", "14"), ("5!", "120"), ("((2+3)", "5"), ("2^−2", "0.25"),
        ("1E20÷1E18", "100"), ("1÷3", "0.333333333333"), ("10^20", "1E20"), ("1÷0", "Can't divide by 0"),
        ("5÷(2−2)", "Can't divide by 0"), ("7−", "Bad expression"), ("3..2", "Bad expression"),
        (")", "Bad expression"), ("", "Bad expression"), ("9^9^9", "Number too large"),
        ("sqrt(0−4)", "Keep it real"), ("0^0", "1"), ("1000000×1000000", "1000000000000"),
    ],
)  # fmt: skip
def test_arithmetic(text: str, wanted: str) -> None:
    assert result(text) == wanted


def random_sum(chance: random.Random, depth: int) -> tuple[str, Fraction | None]:
    """An expression and its value worked out by Python; None if it divides by zero."""
    if depth == 0 or chance.random() < 0.3:
        number = chance.randint(0, 99)
        return str(number), Fraction(number)
    left, first = random_sum(chance, depth - 1)
    right, second = random_sum(chance, depth - 1)
    sign = chance.choice("+−×÷")
    text = f"({left}){sign}({right})"
    if first is None or second is None or (sign == "÷" and second == 0):
        return text, None
    if sign == "+":
        return text, first + second
    if sign == "−":
        return text, first - second
    return text, first * second if sign == "×" else first / second


@pytest.mark.parametrize("seed", range(60))
def test_arithmetic_agrees_with_fractions(seed: int) -> None:
    text, value = random_sum(random.Random(seed), 4)
    if value is None:
        with pytest.raises(Nonsense):
            evaluate(text)
    else:
        assert abs(Fraction(evaluate(text)) - value) <= abs(value) / 10**15 + Fraction(1, 10**15)


@given(st.text("0123456789.+−×÷%()^!E sqrtpi", max_size=60))
def test_whatever_is_typed_has_an_answer(text: str) -> None:
    assert result(text)


def test_keys_history_and_reuse(hand: Open) -> None:
    calculator = hand(APP)
    calculator.tap("C", "1", "2", ".", "5", "×", "4")
    assert calculator.find("result").text == "50"
    calculator.tap("=")
    assert "expression=50, result=50, done=1" in calculator.rows("display")
    assert "expression=12.5×4, result=50" in calculator.rows("history")
    calculator.tap("+", "7", "del", "8", "=")
    assert "expression=50+8, result=58" in calculator.rows("history")
    calculator.tap("3")
    assert calculator.find("formula").text == "3", "a digit after = starts anew"
    calculator.tap("history", "= 50")
    assert calculator.find("formula").text == "50"


def test_operators_replace_each_other(hand: Open) -> None:
    calculator = hand(APP)
    calculator.tap("×", "9", "+", "÷", "3", "×", "−", "1", ".", ".", "5")
    assert calculator.find("formula").text == "9÷3×−1.5"


def test_inserted_history_is_shown_and_cleared(hand: Open) -> None:
    calculator = hand(APP)
    calculator.bind("delete", "history")
    calculator.bind("insert", "history", expression="6×7")
    calculator.bind("insert", "history", expression="6×8")
    calculator.tap("More options", "History")
    assert calculator.sees("= 42")
    calculator.hold("= 42")
    saved = calculator.phone.snapshot()
    calculator.tap("Remove")
    assert "6×7" not in calculator.rows("history")
    calculator.phone.restore(saved)
    calculator.tap("Remove")
    assert "6×8" in calculator.rows("history")
    calculator.tap("clear_history", "Cancel", "clear_history", "Clear")
    assert "No result found" in calculator.rows("history")


def test_converter(hand: Open) -> None:
    calculator = hand(APP)
    calculator.tap("converter", "Length", "From", "Miles", "To", "Kilometres")
    calculator.write("value", "26.2")
    assert calculator.find("converted").text == "42.1648128"
    calculator.tap("swap")
    assert "name=from_unit, value=Kilometres" in calculator.rows("preferences")
    assert calculator.find("converted").text == f"{26.2 / 1.609344:.10f}"


@pytest.mark.parametrize("quantity", UNITS)
def test_conversions_lead_back(quantity: str) -> None:
    first, *others = UNITS[quantity]
    for unit in others:
        there = convert(quantity, first, unit, Decimal("12.5"))
        assert written(convert(quantity, unit, first, there)) == "12.5"


@pytest.mark.parametrize("seed", range(2))
def test_monkey(hand: Open, seed: int) -> None:
    hand(APP, seed, seed).monkey(seed, 150)
