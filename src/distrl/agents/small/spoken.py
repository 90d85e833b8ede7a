"""Numbers that a goal spells out: times of day, as the digits that a phone shows, and small counts.

The small policy knows words by their hashes and matches them: "half past seven in the evening" has to say 19
and 30 somewhere, or no matching finds the dial's numbers. English only, like the suites.
"""

from __future__ import annotations

import re

_HOURS = ["twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
_TIME = re.compile(
    rf"\b(?:(?P<part>half|quarter) (?P<side>past|to) )?(?P<hour>{'|'.join(_HOURS)})(?: o'clock)?"
    r" in the (?P<day>morning|afternoon|evening)\b",
    re.IGNORECASE,
)
_MINUTES = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): 45, ("half", "to"): 30}


def times_in(text: str) -> dict[int, tuple[str, str]]:
    """Hours and minutes, in two digits each, by the place at which the word for the hour begins."""
    found = {}
    for match in _TIME.finditer(text):
        part, side, day = ((match[name] or "").lower() for name in ("part", "side", "day"))
        hour = _HOURS.index(match["hour"].lower()) - (side == "to")
        hour = hour % 12 + (0 if day == "morning" else 12)
        found[match.start("hour")] = (f"{hour:02d}", f"{_MINUTES.get((part, side), 0):02d}")
    return found


_COUNTS = {word: 1 + number for number, word in enumerate([*_HOURS[1:], _HOURS[0]])}
_WORD = re.compile(r"[a-z]+|[0-9]+", re.IGNORECASE)


def counts_in(text: str) -> set[int]:
    """The numbers up to twelve that a text has as words or digits: "in seven days"."""
    words = {word.lower() for word in _WORD.findall(text)}
    spelled = {count for word, count in _COUNTS.items() if word in words}
    return spelled | {int(word) for word in words if word.isdigit() and 0 < int(word) <= len(_COUNTS)}
