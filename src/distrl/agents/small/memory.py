"""What the small policy keeps in mind of earlier screens: the request in a mail, the time of an event.

Without it, a goal such as "do what the mail asks for" cannot be reached once the mail is closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from typing import NamedTuple

import numpy as np

from distrl.agents.small.screen import Screen
from distrl.agents.small.words import WordIds
from distrl.interfaces import StepFeatures

MEMORY = 6  # texts kept
MEMORY_WORDS = 12  # of each
MEMORY_NUMBERS = 4


class Text(NamedTuple):
    """What an element says."""

    words: WordIds
    value: str  # the long number in it, or ""


class Recollection(NamedTuple):
    """A text that an earlier screen showed and this one does not."""

    words: WordIds
    age: int  # steps ago
    mentioned: int  # words that the goal has too
    value: str  # a long number in it, which can be typed elsewhere, or ""

    @property
    def worth(self) -> float:
        """What is about the goal's subject comes first, then what holds a number or is long."""
        return 2 * self.mentioned + 3 * bool(self.value) + min(len(self.words), MEMORY_WORDS) / 6


def worth_remembering(screen: Screen) -> list[Text]:
    """The texts of a screen that say something: sentences, and whatever holds a number."""
    return [
        Text(words, value)
        for words, value, described in zip(screen.flat, screen.values, screen.numbers, strict=True)
        if len(words) > 2 or (words and described[-1] > 0)
    ]


def recall(
    texts: Sequence[Sequence[Text]], content: frozenset[int], shown: frozenset[WordIds]
) -> list[Recollection]:
    """The few texts of earlier screens, given oldest first, that matter most and are out of sight now."""
    found: dict[WordIds, Recollection] = {}
    for age, screen in enumerate(reversed(texts), start=1):
        for words, value in screen:
            if words not in found and words not in shown:
                found[words] = Recollection(words, age, len(content.intersection(words)), value)
    return nlargest(MEMORY, found.values(), key=lambda each: each.worth)


def to_arrays(memory: Sequence[Recollection]) -> StepFeatures:
    """The memory as arrays with one row."""
    words = np.zeros((1, MEMORY, MEMORY_WORDS), np.uint16)
    numbers = np.zeros((1, MEMORY, MEMORY_NUMBERS), np.float16)
    for place, each in enumerate(memory):
        used = each.words[:MEMORY_WORDS]
        words[0, place, : len(used)] = used
        numbers[0, place] = (1, min(each.age, 8) / 8, min(each.mentioned, 4) / 4, bool(each.value))
    return {"memory_words": words, "memory_numbers": numbers}
