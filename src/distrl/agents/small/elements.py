"""What an element is to the goal, to what was done, and among its like: as numbers, and some of it as words.

The words are for associations: "longest" goes with the most of a column as "dark" with a label.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from distrl.agents.small.memory import Recollection
from distrl.agents.small.screen import MOST_PLACES, SLIDER_PARTS, STATIC_NUMBERS, Screen
from distrl.agents.small.words import DIGITS, STOP_IDS, Goal, WordIds, ids_of, word_id
from distrl.interfaces import StepFeatures
from distrl.records import ActionKind

COUNTED = 11  # which of the following: as far from the chosen one as the goal says
MET_NUMBERS = 12  # of each element: how it relates to the goal and to the past
RANK_NUMBERS = 12  # of each element: how it compares with others of its kind
ELEMENT_NUMBERS = STATIC_NUMBERS + MET_NUMBERS + RANK_NUMBERS

_RANKS = {
    0: "least",
    1: "most",
    5: "first meant",
    6: "last meant",
    7: "least meant",
    8: "most meant",
    9: "least other",
    10: "most other",
}
"""What columns of the ranks are called."""
_RANK_COLUMNS = STATIC_NUMBERS + MET_NUMBERS + np.array(list(_RANKS))
_RANK_WORDS = np.array([word_id(f"rank:{name}") for name in _RANKS.values()], np.uint16)
_PART_WORDS = np.array([0, *(word_id(f"part:{part}") for part in range(SLIDER_PARTS))], np.uint16)
_PLACE_WORDS = np.array(
    [word_id(f"place:{place}") if place else 0 for place in range(-MOST_PLACES, MOST_PLACES + 1)], np.uint16
)
TRAITS = len(_RANKS) + 2


class Trace(NamedTuple):
    """What remains of an earlier step: what was done, and the words of what was touched or typed."""

    kind: ActionKind
    words: WordIds
    x: float
    y: float


def element_traits(screen: Screen, numbers: npt.NDArray[np.float16]) -> npt.NDArray[np.uint16]:
    """Words for what an element is among its like, 0 for none: ends, part of a slider, distance from the
    chosen one.  [N, TRAITS]"""
    traits = np.zeros((len(screen), TRAITS), np.uint16)
    traits[:, :-2] = np.where(numbers[:, _RANK_COLUMNS] > 0, _RANK_WORDS, 0)
    traits[:, -2] = _PART_WORDS[screen.parts]
    traits[:, -1] = _PLACE_WORDS[screen.places + MOST_PLACES]
    return traits


def stands_out(step: StepFeatures) -> npt.NDArray[np.bool_]:
    """Which elements have a rank among their like, or stand where the goal's count says.  [B, N]"""
    ranked = np.asarray(step["element_traits"][..., : len(_RANKS)], np.uint16).any(-1)
    counted = np.asarray(step["element_numbers"][..., STATIC_NUMBERS + COUNTED], np.bool_)
    found: npt.NDArray[np.bool_] = ranked | counted
    return found


def element_numbers(
    goal: Goal,
    screen: Screen,
    traces: list[Trace],
    touched: Counter[WordIds],
    typed: set[int],
    memory: list[Recollection],
) -> npt.NDArray[np.float16]:
    """Of each element: its own traits, and how it relates to the goal, the past and its like."""
    numbers = np.zeros((len(screen), ELEMENT_NUMBERS), np.float16)
    numbers[:, :STATIC_NUMBERS] = screen.numbers
    named = screen.words > 0
    mentioned = goal.mentions[screen.words].sum(axis=1)
    met = numbers[:, STATIC_NUMBERS:]
    met[:, 0] = mentioned / np.maximum(1, named.sum(axis=1))
    met[:, 1] = np.minimum(mentioned, 4) / 4
    met[:, 2] = goal.quotes[screen.words].any(axis=1)
    met[:, 3] = [any(label in goal.phrases for label in labels) for labels in screen.labels]
    if touched:
        met[:, 4] = [min(3, touched[words]) / 3 for words in screen.flat]
    if typed:
        met[:, 5] = [not typed.isdisjoint(words) for words in screen.flat]
    if goal.amounts:
        met[:, 6] = np.isin(screen.numbers[:, -1], np.array(list(goal.amounts), np.float16))
    if memory:
        known = {word for each in memory for word in each.words} - STOP_IDS
        met[:, 7] = [len(known.intersection(words)) / max(1, len(words)) for words in screen.flat]
        subject = _subject(memory, goal)
        if subject:
            met[:, 10] = [len(subject.intersection(words)) / max(1, len(words)) for words in screen.flat]
    if goal.counts:
        met[:, COUNTED] = np.isin(screen.places, list(goal.counts))
    for column, key in enumerate(_next_keys(goal, traces), start=8):
        if key:
            met[:, column] = [words == key for words in screen.flat]
    _compare(goal, screen, mentioned, met[:, MET_NUMBERS:])
    return numbers


def _subject(memory: list[Recollection], goal: Goal) -> set[int]:
    """The words that the text remembered as closest to the goal adds to it: who waters the plants."""
    closest = max(each.mentioned for each in memory)
    if not closest:
        return set()
    return (
        {word for each in memory if each.mentioned == closest for word in each.words}
        - goal.content
        - STOP_IDS
    )


def _next_keys(goal: Goal, traces: list[Trace]) -> tuple[WordIds, WordIds]:
    """Where the goal's numbers are keyed in one by one: the digit that goes on with a number, and that which
    would begin the next number after a whole one; () for none.

    A word is known by its hash alone, so that nothing else could tell which digits 163 is made of.
    """
    figures = goal.figures
    number = place = 0  # which digit is due
    for trace in traces:
        digit = DIGITS.get(trace.words[0]) if len(trace.words) == 1 else None
        if number < len(figures) and place == len(figures[number]):
            number, place = number + 1, 0
        if digit is None:
            continue
        if number == len(figures) or figures[number][place] != digit:
            return (), ()
        place += 1
    if number == len(figures):
        return (), ()
    if place < len(figures[number]):
        return ids_of(figures[number][place]), ()
    following = figures[number + 1 : number + 2]
    return (), ids_of(following[0][0]) if following else ()


def _compare(
    goal: Goal, screen: Screen, mentioned: npt.NDArray[np.int64], ranks: npt.NDArray[np.float16]
) -> None:
    """Least and most among elements of one kind and column, less and more than the goal's amount, place,
    first and last of those that the goal mentions most, least and most of these, and of the other number;
    whether the goal mentions this one more than others."""
    number = screen.numbers[:, -1].astype(np.float32)
    values, others, mentions = number.tolist(), screen.numbers[:, -2].tolist(), mentioned.tolist()
    for rows in _columns(screen):
        _mark_ends(rows, values, ranks[:, 0:2])
        _mark_ends(rows, others, ranks[:, 9:11])
        for place, row in enumerate(rows[1:], start=1):
            ranks[row, 4] = min(place, 8) / 8
        best = max(mentions[row] for row in rows)
        meant = [row for row in rows if best and mentions[row] == best]
        if len(meant) < len(rows):
            ranks[meant, 11] = 1
        if len(meant) > 1:
            ranks[meant[0], 5] = 1
            ranks[meant[-1], 6] = 1
            _mark_ends(meant, values, ranks[:, 7:9])
    if goal.amounts:
        ranks[:, 2] = (number > 0) & (number < max(goal.amounts))
        ranks[:, 3] = (number > 0) & (number > min(goal.amounts))


def _mark_ends(rows: list[int], values: list[float], marks: npt.NDArray[np.float16]) -> None:
    """1 in the first column for the least, in the second for the most, where there are several numbers."""
    numbered = [row for row in rows if values[row] > 0]
    if len(numbered) > 1:
        least = min(values[row] for row in numbered)
        most = max(values[row] for row in numbered)
        marks[[row for row in numbered if values[row] == least], 0] = 1
        marks[[row for row in numbered if values[row] == most], 1] = 1


def _columns(screen: Screen) -> list[list[int]]:
    """The rows of elements that are of one kind and stand in one column, where there are several."""
    alike: dict[tuple[int, float, float], list[int]] = {}
    for row, (kind, box) in enumerate(zip(screen.classes.tolist(), screen.boxes, strict=True)):
        alike.setdefault((kind, round(box[0], 1), round(box[2], 1)), []).append(row)
    return [rows for rows in alike.values() if len(rows) > 1]
