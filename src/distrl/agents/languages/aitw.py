r"""The language of Android in the Wild, which AutoUI and its heirs (DigiRL, DistRL) speak.

    Action Decision: "action_type": "DUAL_POINT", "touch_point": "[0.2330, 0.5120]", "lift_point":
    "[0.2330, 0.5120]", "typed_text": ""

on one line. Points are fractions with four decimals, **y first**. A DUAL_POINT that moves by no more than
0.04 is a tap, as in the dataset; a shorter swipe can therefore not be said. There are no words for a long
press, opening an app, waiting or an answer.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping

from distrl.agents.languages.loose import (
    OPENING,
    Value,
    inexpressible,
    members,
    number_of,
    only_object,
    read_or_invalid,
    text_of,
    word_of,
)
from distrl.agents.languages.places import read_numbers, to_point
from distrl.records import Action, ActionKind, Observation, Point

_TAP_DISTANCE = 0.04  # the dataset's own limit between a tap and a swipe
_NAMES = {
    ActionKind.TYPE: "TYPE",
    ActionKind.TAP: "DUAL_POINT",
    ActionKind.SWIPE: "DUAL_POINT",
    ActionKind.BACK: "PRESS_BACK",
    ActionKind.HOME: "PRESS_HOME",
    ActionKind.ENTER: "PRESS_ENTER",
    ActionKind.DONE: "STATUS_TASK_COMPLETE",
    ActionKind.IMPOSSIBLE: "STATUS_TASK_IMPOSSIBLE",
}
_NUMBERS = {
    "TYPE": 3,
    "DUAL_POINT": 4,
    "PRESS_BACK": 5,
    "PRESS_HOME": 6,
    "PRESS_ENTER": 7,
    "STATUS_TASK_COMPLETE": 10,
    "STATUS_TASK_IMPOSSIBLE": 11,
}
_BY_NUMBER = {number: name for name, number in _NUMBERS.items()}
_PLAIN_KINDS = {
    "PRESS_BACK": ActionKind.BACK,
    "PRESS_HOME": ActionKind.HOME,
    "PRESS_ENTER": ActionKind.ENTER,
    "STATUS_TASK_COMPLETE": ActionKind.DONE,
    "TASK_COMPLETE": ActionKind.DONE,
    "STATUS_TASK_IMPOSSIBLE": ActionKind.IMPOSSIBLE,
    "TASK_IMPOSSIBLE": ActionKind.IMPOSSIBLE,
}
_KEY = re.compile(r"""["'“‘]action_type""")


class AitwLanguage:
    """The language named `aitw`; it reads names and the dataset's numbers, and writes either."""

    name = "aitw"

    def __init__(self, numeric: bool = False) -> None:
        """With `numeric`, `"action_type": 4` is written instead of `"action_type": "DUAL_POINT"`."""
        self._numeric = numeric

    def render(self, action: Action, observation: Observation | None = None) -> str:  # noqa: ARG002
        """The action as AutoUI writes it; an INVALID action is what the model said."""
        if action.kind is ActionKind.INVALID:
            return action.text or ""
        name = _NAMES.get(action.kind)
        if name is None:
            raise inexpressible(self.name, action)
        touch = _rounded(action.point)
        lift = _rounded(action.to or action.point)
        if action.kind is ActionKind.SWIPE and math.dist(touch, lift) <= _TAP_DISTANCE:
            raise inexpressible(self.name, action, "a movement as short as that counts as a tap")
        written = _NUMBERS[name] if self._numeric else f'"{name}"'
        typed = json.dumps(action.text or "", ensure_ascii=False)
        return (
            f'Action Decision: "action_type": {written}, "touch_point": "{_written(touch)}", '
            f'"lift_point": "{_written(lift)}", "typed_text": {typed}'
        )

    def parse(self, text: str, observation: Observation | None = None) -> Action:  # noqa: ARG002
        """The action of an answer, with or without a plan before it and braces around it."""
        return read_or_invalid(_read, text)


def _read(text: str) -> Action:
    said = _find(text)
    name = _name(said["action_type"])
    if name in _PLAIN_KINDS:
        return Action(_PLAIN_KINDS[name])
    if name == "TYPE":
        return Action(ActionKind.TYPE, text=text_of(said["typed_text"]))
    if name != "DUAL_POINT":
        raise ValueError(f"unknown action {name!r}")
    touch, lift = _point(said["touch_point"]), _point(said["lift_point"])
    if math.dist((touch.y, touch.x), (lift.y, lift.x)) <= _TAP_DISTANCE:
        return Action(ActionKind.TAP, touch)
    return Action(ActionKind.SWIPE, touch, lift)


def _find(text: str) -> Mapping[str, Value]:
    """The keys and values of the one action in an answer."""
    key = _KEY.search(text)
    if key is None:
        raise ValueError("no action")
    inside = text[: key.start()].rstrip().endswith(("{", ","))
    if inside and OPENING.search(text, 0, key.start() + 1):
        return only_object(text, "action_type")
    said, end = members(text, key.start())
    if _KEY.search(text, end):
        raise ValueError("several actions")
    return said


def _name(value: Value) -> str:
    """The action's name, be it given by name or by the dataset's number."""
    if isinstance(value, str) and not value.strip().isdecimal():
        return word_of(value).upper()
    number = number_of(value)
    if number not in _BY_NUMBER:
        raise ValueError(f"unknown action {value!r}")
    return _BY_NUMBER[int(number)]


def _point(value: Value) -> Point:
    y, x = read_numbers(value)
    return to_point(x, y, (1.0, 1.0))


def _rounded(point: Point | None) -> tuple[float, float]:
    """y and x as they are written; -1 where there is no point."""
    return (-1.0, -1.0) if point is None else (round(point.y, 4), round(point.x, 4))


def _written(yx: tuple[float, float]) -> str:
    return "[-1.0, -1.0]" if yx[0] < 0 else f"[{yx[0]:.4f}, {yx[1]:.4f}]"
