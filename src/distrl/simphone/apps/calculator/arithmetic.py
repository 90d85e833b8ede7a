"""Reads and works out what was typed into the calculator, in decimal numbers.

`200+10%` is 220, as on a pocket calculator: a percentage after plus or minus is of what stands before it.
"""

from __future__ import annotations

from decimal import Context as Rules
from decimal import Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow

DIGITS = "0123456789."
RULES = Rules(prec=24, Emax=9999, Emin=-9999, traps=[DivisionByZero, InvalidOperation, Overflow])
PI = Decimal("3.14159265358979323846264")
SHOWN_DIGITS = 12
LARGEST_EXPONENT = 999
LARGEST_FACTORIAL = 170
SAME = str.maketrans({"-": "−", "*": "×", "/": "÷", ",": ""})


class Nonsense(ValueError):
    """What was typed has no value; the text says why."""


class _Reader:
    """Reads an expression from left to right; each method reads one kind of part and gives its value."""

    def __init__(self, text: str) -> None:
        self.text = text.translate(SAME).replace(" ", "").replace("sqrt", "√").replace("pi", "π")
        self.place = 0

    def peek(self) -> str:
        return self.text[self.place] if self.place < len(self.text) else ""

    def take(self, signs: str) -> str:
        sign = self.peek()
        if sign and sign in signs:
            self.place += 1
            return sign
        return ""

    def sum(self) -> Decimal:
        value, _ = self.product()
        while sign := self.take("+−"):
            other, percentage = self.product()
            if percentage:
                other = RULES.multiply(value, other)
            value = RULES.add(value, other) if sign == "+" else RULES.subtract(value, other)
        return value

    def product(self) -> tuple[Decimal, bool]:
        """A product, and whether it is nothing but a percentage."""
        value, percentage = self.signed()
        while True:
            if sign := self.take("×÷"):
                other, _ = self.signed()
            elif self.peek() and self.peek() in "(√π":
                sign, (other, _) = "×", self.signed()
            else:
                return value, percentage
            if sign == "÷" and not other:
                raise Nonsense("Can't divide by 0")
            value = RULES.multiply(value, other) if sign == "×" else RULES.divide(value, other)
            percentage = False

    def signed(self) -> tuple[Decimal, bool]:
        if sign := self.take("+−"):
            value, percentage = self.signed()
            return (RULES.minus(value) if sign == "−" else value), percentage
        return self.power()

    def power(self) -> tuple[Decimal, bool]:
        base, percentage = self.postfix()
        if not self.take("^"):
            return base, percentage
        exponent, _ = self.signed()
        if abs(exponent) > LARGEST_EXPONENT:
            raise Nonsense("Number too large")
        if not base and exponent < 0:
            raise Nonsense("Can't divide by 0")
        if not base and not exponent:
            return Decimal(1), False
        return RULES.power(base, exponent), False

    def postfix(self) -> tuple[Decimal, bool]:
        value, percentage = self.primary(), False
        while sign := self.take("%!"):
            if sign == "%":
                value, percentage = RULES.divide(value, Decimal(100)), True
            else:
                value, percentage = _factorial(value), False
        return value, percentage

    def primary(self) -> Decimal:
        if self.take("("):
            value = self.sum()
            if self.peek() and not self.take(")"):
                raise Nonsense("Bad expression")
            return value
        if self.take("π"):
            return PI
        if self.take("√"):
            value, _ = self.signed()
            if value < 0:
                raise Nonsense("Keep it real")
            return RULES.sqrt(value)
        start = self.place
        while self.take(DIGITS):
            pass
        number = self.text[start : self.place]
        if not number.strip(".") or number.count(".") > 1:
            raise Nonsense("Bad expression")
        return Decimal(number + self.exponent())

    def exponent(self) -> str:
        """The exponent of an earlier result that was taken over, such as E20."""
        if not self.take("E"):
            return ""
        sign = "-" if self.take("−") else ""
        start = self.place
        while self.take(DIGITS[:-1]):
            pass
        digits = self.text[start : self.place]
        if not 1 <= len(digits) <= 4:
            raise Nonsense("Bad expression")
        return f"E{sign}{digits}"


def _factorial(value: Decimal) -> Decimal:
    if value != value.to_integral_value() or not 0 <= value <= LARGEST_FACTORIAL:
        raise Nonsense("Bad expression")
    product = Decimal(1)
    for number in range(2, int(value) + 1):
        product = RULES.multiply(product, Decimal(number))
    return product


def evaluate(text: str) -> Decimal:
    """The value of an expression; raises `Nonsense` if it has none."""
    reader = _Reader(text)
    try:
        value = reader.sum()
    except (DecimalException, RecursionError) as problem:
        raise Nonsense("Number too large") from problem
    if reader.peek():
        raise Nonsense("Bad expression")
    return value


def written(value: Decimal) -> str:
    """A number as the display shows it: at most twelve digits, with an exponent only where it must be."""
    rounded = Rules(prec=SHOWN_DIGITS, Emax=99999, Emin=-99999).plus(value).normalize()
    if not rounded:
        return "0"
    if -8 <= rounded.adjusted() < 15:
        return f"{rounded:f}"
    digits, _, exponent = f"{rounded:E}".partition("E")
    return f"{digits}E{int(exponent)}"


def result(text: str) -> str:
    """The value of an expression as the display shows it, or the reason why there is none."""
    try:
        return written(evaluate(text))
    except Nonsense as problem:
        return str(problem)


def has_value(text: str) -> bool:
    """Whether an expression can be worked out."""
    try:
        evaluate(text)
    except Nonsense:
        return False
    return True
