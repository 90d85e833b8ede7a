"""Words as the small policy reads them: stable hashes instead of a vocabulary, and spans of the goal.

The hash is CRC-32, which is the same in every process and on every machine; Python's own is not.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from distrl.agents.small.spoken import counts_in, times_in

VOCABULARY = 8192  # rows of the embedding table; row 0 means "no word"
MAX_GOAL_WORDS = 64
WORD_PARTS = 3  # "Wi-Fi" is one word of the goal with two parts, a time of day one with three
MAX_PHRASE = 8

_PART = re.compile(r"[^\W_]+(?:[.:'’][^\W_]+)*")
_NUMBER = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_PRICE = re.compile(r"(?<=[$€£])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_CLOCK = re.compile(r"(?<![0-9:])([0-9]{1,3}):([0-5][0-9])(?![0-9:])")
_LONG_NUMBER = re.compile(r"\+?[0-9](?:[ -]?[0-9]){2,}")
_ENDINGS = ("ings", "ing", "ers", "er", "ed", "ly", "es", "s")
_SHORTEST_STEM = 4
_MOST_SIGNS = 3
_OPENING = "\"'“‘«([{"
_CLOSING_QUOTES = "\"'”’»"
_TRAILING = ".,;:!?)]}"
_STOP_WORDS = (
    "a", "an", "and", "at", "by", "for", "from", "i", "in", "is", "it", "its", "me", "my", "of", "on", "or",
    "please", "so", "that", "the", "then", "this", "to", "with", "you", "your",
)  # fmt: skip

WordIds = tuple[int, ...]


def word_id(word: str) -> int:
    """The row of a word in the embedding table, from 1 on."""
    return zlib.crc32(word.encode("utf-8", "replace")) % (VOCABULARY - 1) + 1


def stem(word: str) -> str:
    """The word without case and ending, so that "Alarms" meets "alarm" and "locking" meets "locked"."""
    word = word.casefold().removesuffix("'s").removesuffix("’s")
    if len(word) == _SHORTEST_STEM and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if len(rest) < len(word) and len(rest) >= _SHORTEST_STEM and not word.endswith("ss"):
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word


@lru_cache(maxsize=65536)
def ids_of(text: str) -> WordIds:
    """The ids of the words of a text, in order; "09:30" is also "09" and "30", which is what a dial shows.

    A text without words, such as "×" on a key, is known by its signs.
    """
    ids: list[int] = []
    for part in _PART.findall(text[:400]):
        ids.append(word_id(stem(part)))
        if ":" in part:
            ids += [word_id(piece) for piece in part.split(":")]
    if not ids:
        ids = [word_id(sign) for sign in text[:_MOST_SIGNS] if not sign.isspace()]
    return tuple(ids)


@lru_cache(maxsize=65536)
def number_in(text: str) -> float:
    """The price in a text, or its first number, on a logarithmic scale from 0 to about 2; 0 without one.

    A time of day or a duration counts as one number: 3:45 is more than 3:20.
    """
    found = _main_number(text[:400])
    return _on_scale(found) if found is not None else 0.0


@lru_cache(maxsize=65536)
def other_number_in(text: str) -> float:
    """The first number of a text besides `number_in`: a distance beside stars, stars beside a price."""
    text = text[:400]
    main = _main_number(text)
    if main is None:
        return 0.0
    before, after = _NUMBER.search(text, 0, main.start()), _NUMBER.search(text, main.end())
    other = before or after
    return _on_scale(other) if other is not None else 0.0


def _main_number(text: str) -> re.Match[str] | None:
    return _PRICE.search(text) or _CLOCK.search(text) or _NUMBER.search(text)


def _on_scale(found: re.Match[str]) -> float:
    value = (
        int(found[1]) + int(found[2]) / 60 if found.re is _CLOCK else float(found.group().replace(",", ""))
    )
    return math.log1p(min(value, 1e9)) / 10 + 0.01


@lru_cache(maxsize=65536)
def long_number_in(text: str) -> str:
    """The first number of three digits or more in a text, as one would type it: a code, a phone number."""
    found = _LONG_NUMBER.search(text[:400])
    return re.sub("[ -]", "", found.group()) if found else ""


DIGITS = {word_id(digit): digit for digit in "0123456789"}


STOP_IDS = frozenset(word_id(stem(word)) for word in _STOP_WORDS)


class GoalWord(NamedTuple):
    """One word of the goal and which characters it would contribute to a copied text."""

    start: int
    end: int
    ids: WordIds
    quoted: bool
    opens: bool  # the first word inside quotes
    closes: bool
    last_in_clause: bool


class Goal:
    """A goal as words that can be pointed at; everything that does not depend on the screen."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _split(text) or [GoalWord(0, 0, (), False, False, False, False)]
        ids = np.zeros((len(self.words), WORD_PARTS), np.uint16)
        for row, word in enumerate(self.words):
            parts = word.ids[:WORD_PARTS]
            ids[row, : len(parts)] = parts
        self.ids = ids  # [W, WORD_PARTS]
        self.numbers = np.array([self._describe(word) for word in self.words], np.float16)  # [W, 9]
        self.content = frozenset(part for word in self.words for part in word.ids) - STOP_IDS
        self.mentions = _table(self.content)
        self.quotes = _table({part for word in self.words if word.quoted for part in word.ids})
        self.phrases = self._phrases()
        self.counts = frozenset(counts_in(text))
        self.figures = tuple(re.findall("[0-9]+", text))
        self.amounts = frozenset(value for word in self.words if (value := number_in(self.span(word, word))))

    def span(self, first: GoalWord, last: GoalWord) -> str:
        """The goal's own characters from one word to another, without what surrounds them."""
        return self.text[first.start : last.end]

    def text_between(self, start: int, end: int) -> str:
        """The text that a span of words stands for."""
        return self.span(self.words[start], self.words[end])

    def find(self, text: str) -> tuple[int, int] | None:
        """The span that stands for a text: quoted ones first, then exact ones, then any case."""
        wanted = text.strip()
        best: tuple[tuple[bool, bool], tuple[int, int]] | None = None
        for start, first in enumerate(self.words):
            for end in range(start, len(self.words)):
                length = self.words[end].end - first.start
                if length > len(wanted):
                    break
                span = self.text_between(start, end)
                if length < len(wanted) or span.casefold() != wanted.casefold() or not span:
                    continue
                rank = (span != wanted, not (first.opens and self.words[end].closes))
                if best is None or rank < best[0]:
                    best = (rank, (start, end))
        return best[1] if best else None

    def quotations(self) -> list[str]:
        """The phrases that stand in quotes, in order."""
        opened = [index for index, word in enumerate(self.words) if word.opens]
        return [
            self.text_between(start, end)
            for start in opened
            for end in range(start, len(self.words))
            if self.words[end].closes and not any(word.closes for word in self.words[start:end])
        ]

    def _describe(self, word: GoalWord) -> tuple[float, ...]:
        text = self.span(word, word)
        number = number_in(text)
        return (
            1.0,
            float(word.quoted),
            float(word.opens),
            float(word.closes),
            float(text[:1].isupper()),
            float(number > 0),
            number,
            float(bool(word.ids) and all(part in STOP_IDS for part in word.ids)),
            float(word.last_in_clause),
        )

    def _phrases(self) -> frozenset[WordIds]:
        """Every run of words of the goal, to recognise a label that the goal spells out."""
        parts = [part for word in self.words for part in word.ids]
        return frozenset(
            tuple(parts[start : start + length])
            for start in range(len(parts))
            for length in range(1, MAX_PHRASE + 1)
            if start + length <= len(parts) and not (length == 1 and parts[start] in STOP_IDS)
        )


@lru_cache(maxsize=2048)
def read_goal(text: str) -> Goal:
    """The goal's words; remembered, because every step of an episode has the same goal."""
    return Goal(text)


def _table(ids: Collection[int]) -> npt.NDArray[np.bool_]:
    table = np.zeros(VOCABULARY, np.bool_)
    table[list(ids)] = True
    return table


def _split(text: str) -> list[GoalWord]:
    words: list[GoalWord] = []
    in_quotes, spoken = False, times_in(text)
    for found in re.finditer(r"\S+", text):
        if len(words) == MAX_GOAL_WORDS:
            break
        token = found.group()
        inner = token.lstrip(_OPENING)
        opens = any(mark in _OPENING[:5] for mark in token[: len(token) - len(inner)])
        body = inner.rstrip(_TRAILING)
        punctuated = len(body) < len(inner)
        closed = body[-1:] in _CLOSING_QUOTES and bool(body)
        if closed:
            body = body[:-1]  # punctuation before the closing quote belongs to the quoted text
        elif body[:1].isupper():
            body = body.removesuffix("'s").removesuffix("’s")  # "Anna's number" is about Anna
        start = found.end() - len(inner)
        quoted = in_quotes or opens
        ids = ids_of(body) + tuple(map(word_id, spoken.get(start, ())))
        words.append(GoalWord(start, start + len(body), ids, quoted, opens, closed and quoted, punctuated))
        in_quotes = quoted and not closed
    return words
