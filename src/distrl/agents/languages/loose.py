"""Reading what models write: JSON and calls with single quotes, curly quotes or commas too many.

One small reader serves all languages that look like JSON or like a function call. It accepts every
well-formed text as it stands, forgives the faults listed in docs/languages.md, and raises ValueError for the
rest. Its time is bounded: a long text is read from its end, a nested one to a fixed depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from distrl.errors import PolicyError
from distrl.records import Action, ActionKind

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"

_MAX_CHARS = 20_000  # an action stands at the end of an answer, after the thoughts
_MAX_TRIES = 20  # opening braces looked at
_MAX_DEPTH = 6
_MAX_DIGITS = 30

OPENING = re.compile(r"""\{\s*["'“‘]""")  # of an object with at least one key
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_]+")
_SPACE = re.compile(r"\s*")
_TAGGED = re.compile(r"<(?:\|box_start\||point|bbox)>[^<>]{0,100}<(?:\|box_end\||/point|/bbox)>")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}
# What opens a string, and what may close it: the next special character is one of these or a backslash.
_STRINGS = {
    '"': re.compile(r'[\\"]'),
    "'": re.compile(r"[\\']"),
    "“": re.compile(r'[\\"“”]'),
    "”": re.compile(r'[\\"“”]'),
    "‘": re.compile(r"[\\'‘’]"),
    "’": re.compile(r"[\\'‘’]"),
}
# A quote ends its string only where a string can end; thus `'it's here'` is read as it was meant.
_AFTER_STRING = re.compile(r"\s*(?:[,:)\]}]|\Z)|[ \t]*[\r\n]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", "'": "'", '"': '"'}
_HEX = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})")


# --- what every language does alike --------------------------------------------------------------


def read_or_invalid(read: Callable[[str], Action], text: str) -> Action:
    """The action that `read` finds in a model's answer; INVALID, with the answer, where it finds none."""
    try:
        return read(text[-_MAX_CHARS:])
    except (ValueError, KeyError):  # KeyError: an argument is missing
        return Action(ActionKind.INVALID, text=storable(text))


def storable(text: str) -> str:
    """The text without lone surrogates, which no record can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def inexpressible(language: str, action: Action, why: str = "") -> PolicyError:
    """The error for an action that a language has no words for."""
    reason = f": {why}" if why else ""
    return PolicyError(
        f"the action language {language!r} cannot say `{action}`{reason}; use another language"
    )


# --- arguments -----------------------------------------------------------------------------------


def text_of(value: Value) -> str:
    """A text argument; a whole number counts as its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def word_of(value: Value) -> str:
    """One of a few fixed words, in small letters."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no word")
    return value.strip().lower()


def number_of(value: Value) -> float:
    """A number, or its digits in quotes."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) and len(value) <= _MAX_DIGITS:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no number")
    return float(value)


# --- finding things in an answer -----------------------------------------------------------------


def objects(text: str) -> list[dict[str, Value]]:
    """Every readable `{…}` of an answer, in order; those inside another one are not listed again."""
    found = []
    at = 0
    for _ in range(_MAX_TRIES):
        opening = OPENING.search(text, at)
        if opening is None:
            break
        reader = _Reader(text, opening.start())
        try:
            found.append(reader.read_object(depth=0))
            at = reader.at
        except ValueError:
            at = opening.start() + 1
    return found


def only_object(text: str, key: str) -> Mapping[str, Value]:
    """The one object of an answer that has this key; none or several raise ValueError."""
    found = [each for each in objects(text) if key in each]
    if len(found) != 1:
        raise ValueError(f"{len(found)} objects with {key!r} where there should be one")
    return found[0]


def members(text: str, at: int) -> tuple[dict[str, Value], int]:
    """The `"key": value, …` that start at a place, without braces around them, and where they end."""
    reader = _Reader(text, at)
    return reader.read_members(closing="", depth=0), reader.at


def call(text: str, at: int) -> tuple[str, dict[str, Value], int]:
    """The `name(key=value, …)` that starts at a place: its name, its arguments and where it ends."""
    reader = _Reader(text, at)
    name, arguments = reader.read_call()
    return name, arguments, reader.at


# --- the reader ----------------------------------------------------------------------------------


class _Reader:
    """Reads values one after the other; `at` is the place of the next character."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def read_call(self) -> tuple[str, dict[str, Value]]:
        """A function's name and its named arguments."""
        name = self._take(_WORD)
        self._expect("(")
        arguments: dict[str, Value] = {}
        while not self._skip(")"):
            key = self._take(_WORD)
            self._expect("=")
            tagged = _TAGGED.match(self.text, self.at)
            if tagged is not None:  # a place that lost the quotes around it
                self.at = tagged.end()
            self._set(arguments, key, tagged.group() if tagged else self._read_value(1))
            if self._peek() != ")":
                self._expect(",")
        return name, arguments

    def read_object(self, depth: int) -> dict[str, Value]:
        """What stands in braces."""
        self._expect("{")
        return self.read_members("}", depth)

    def read_members(self, closing: str, depth: int) -> dict[str, Value]:
        """Keys and values up to the closing brace, or, without one, as long as commas join them."""
        found: dict[str, Value] = {}
        while not (closing and self._skip(closing)):
            key = self._read_string()
            self._expect(":")
            self._set(found, key, self._read_value(depth + 1))
            joined = self._skip(",")
            if not closing and not (joined and self._peek() in _STRINGS):
                break
            if closing and not joined and self._peek() != closing:
                raise ValueError(f"{closing!r} is missing")
        return found

    def _read_value(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        first = self._peek()
        if first == "{":
            return self.read_object(depth)
        if first in ("[", "("):
            return self._read_list("]" if first == "[" else ")", depth)
        if first in _STRINGS:
            return self._read_string()
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            digits = number.group()
            if len(digits) > _MAX_DIGITS:
                raise ValueError("a number with too many digits")
            return int(digits) if digits.lstrip("+-").isdigit() else float(digits)
        word = self._take(_WORD).lower()
        if word not in _WORDS:
            raise ValueError(f"{word!r} is no value")
        return _WORDS[word]

    def _read_list(self, closing: str, depth: int) -> list[Value]:
        self.at += 1
        found: list[Value] = []
        while not self._skip(closing):
            found.append(self._read_value(depth + 1))
            if self._peek() != closing:
                self._expect(",")
        return found

    def _read_string(self) -> str:
        special = _STRINGS.get(self._peek())
        if special is None:
            raise ValueError("a quote is missing")
        pieces: list[str] = []
        self.at += 1
        while match := special.search(self.text, self.at):
            pieces.append(self.text[self.at : match.start()])
            self.at = match.end()
            if match.group() == "\\":
                pieces.append(self._read_escape())
            elif _AFTER_STRING.match(self.text, self.at):
                return _whole("".join(pieces))
            else:
                pieces.append(match.group())
        raise ValueError("a string without end")

    def _read_escape(self) -> str:
        if code := _HEX.match(self.text, self.at):
            self.at = code.end()
            return chr(int(code.group(1) or code.group(2), 16))
        letter = self.text[self.at : self.at + 1]
        self.at += 1
        return _ESCAPES.get(letter, "\\" + letter)

    def _set(self, values: dict[str, Value], key: str, value: Value) -> None:
        if key in values:
            raise ValueError(f"{key!r} twice: several actions in one")
        values[key] = value

    def _peek(self) -> str:
        """The next character that is no space; empty at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _skip(self, mark: str) -> bool:
        if self._peek() != mark:
            return False
        self.at += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self._skip(mark):
            raise ValueError(f"{mark!r} is missing")
        self._peek()

    def _take(self, pattern: re.Pattern[str]) -> str:
        self._peek()
        match = pattern.match(self.text, self.at)
        if match is None:
            raise ValueError("something else was expected")
        self.at = match.end()
        return match.group()


def _whole(text: str) -> str:
    """The text with escaped surrogate pairs joined; raises ValueError where half a character remains."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
