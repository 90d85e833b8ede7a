r"""The system's own action language: one line, a verb and its arguments.

    tap 0.512 0.233
    swipe 0.5 0.8 0.5 0.2
    type "hello"
    back

Places are fractions of the screen with at most four decimals; texts are JSON strings.
"""

from __future__ import annotations

import json
import re

from distrl.agents.languages.loose import storable
from distrl.records import Action, ActionKind, Observation, Point

_NUMBER_COUNT = {ActionKind.TAP: 2, ActionKind.LONG_PRESS: 2, ActionKind.SWIPE: 4}
_WITH_TEXT = frozenset({ActionKind.TYPE, ActionKind.OPEN_APP, ActionKind.ANSWER})
_VERBS = {str(kind): kind for kind in ActionKind if kind is not ActionKind.INVALID}
_NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{1,17})?")


class OwnLanguage:
    """The language named `distrl`; it looks at the action only, never at the screen."""

    name = "distrl"

    def render(self, action: Action, observation: Observation | None = None) -> str:  # noqa: ARG002
        """The action as one line; an INVALID action is what the model said."""
        if action.kind is ActionKind.INVALID:
            return action.text or ""
        words = [str(action.kind)]
        for point in (action.point, action.to):
            if point is not None:
                words += [_shorten(point.x), _shorten(point.y)]
        if action.text is not None:
            words.append(json.dumps(action.text, ensure_ascii=False))
        return " ".join(words)

    def parse(self, text: str, observation: Observation | None = None) -> Action:  # noqa: ARG002
        """The action that one line means; anything else is INVALID and keeps the text."""
        try:
            return _read(text.strip())
        except ValueError:
            return Action(kind=ActionKind.INVALID, text=storable(text))


def _read(line: str) -> Action:
    """The action of one line; raises ValueError when it means none."""
    if "\n" in line or "\r" in line:
        raise ValueError("an action is one line")
    verb, _, rest = line.partition(" ")
    kind = _VERBS.get(verb)
    if kind is None:
        raise ValueError(f"unknown verb {verb!r}")
    if kind in _WITH_TEXT:
        return Action(kind=kind, text=_quoted(rest.strip()))
    numbers = rest.split()
    if len(numbers) != _NUMBER_COUNT.get(kind, 0):
        raise ValueError(f"{kind} with {len(numbers)} numbers")
    points = [Point(_fraction(x), _fraction(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    return Action(kind, point=points[0] if points else None, to=points[1] if len(points) > 1 else None)


def _quoted(literal: str) -> str:
    """The content of a JSON string; raises ValueError for anything else."""
    if not literal.startswith('"'):
        raise ValueError("a text must stand in double quotes")
    text = str(json.loads(literal))
    if text != storable(text):
        raise ValueError("the text holds half a character")
    return text


def _fraction(number: str) -> float:
    if not _NUMBER.fullmatch(number):
        raise ValueError(f"{number!r} is not a plain decimal number")
    return float(number)


def _shorten(number: float) -> str:
    """At most four decimals, less than half a pixel on any phone."""
    return f"{number:.4f}".rstrip("0").rstrip(".")
