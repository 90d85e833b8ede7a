r"""The JSON actions of AndroidWorld and of the agents built on it.

    {"action_type": "click", "x": 540, "y": 1200}
    {"action_type": "input_text", "text": "hello"}
    {"action_type": "status", "goal_status": "complete"}

Places are pixels of the device's screen. Elements can also be named by `index`, which counts the
observation's accessibility tree from 0. A swipe has a direction only: writing one keeps its direction and
loses its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from distrl.agents.languages.loose import (
    Value,
    inexpressible,
    number_of,
    only_object,
    read_or_invalid,
    text_of,
    word_of,
)
from distrl.agents.languages.places import (
    DIRECTIONS,
    screen_pixels,
    scroll_direction,
    scroll_inside,
    to_point,
    to_units,
)
from distrl.records import Action, ActionKind, Observation, Point

_PLAIN = {
    ActionKind.BACK: {"action_type": "navigate_back"},
    ActionKind.HOME: {"action_type": "navigate_home"},
    ActionKind.ENTER: {"action_type": "keyboard_enter"},
    ActionKind.WAIT: {"action_type": "wait"},
    ActionKind.DONE: {"action_type": "status", "goal_status": "complete"},
    ActionKind.IMPOSSIBLE: {"action_type": "status", "goal_status": "infeasible"},
}
_TEXTS = {  # kind → name, key of the text
    ActionKind.TYPE: ("input_text", "text"),
    ActionKind.OPEN_APP: ("open_app", "app_name"),
    ActionKind.ANSWER: ("answer", "text"),
}
_TOUCHES = {ActionKind.TAP: "click", ActionKind.LONG_PRESS: "long_press"}

_PLAIN_KINDS = {said["action_type"]: kind for kind, said in _PLAIN.items() if len(said) == 1}
_STATUSES = {"complete": ActionKind.DONE, "infeasible": ActionKind.IMPOSSIBLE}
_TEXT_KINDS = {name: (kind, key) for kind, (name, key) in _TEXTS.items()}
_TOUCH_KINDS = {name: kind for kind, name in _TOUCHES.items()}
# From edge to edge, as AndroidWorld carries them out: sideways, it names the side that comes into view.
_SWIPES = {
    "down": (Point(0.5, 0.0), Point(0.5, 1.0)),
    "up": (Point(0.5, 1.0), Point(0.5, 0.0)),
    "left": (Point(0.0, 0.5), Point(1.0, 0.5)),
    "right": (Point(1.0, 0.5), Point(0.0, 0.5)),
}


class AndroidWorldLanguage:
    """The language named `androidworld`."""

    name = "androidworld"

    def render(self, action: Action, observation: Observation) -> str:
        """The action as one JSON object; an INVALID action is what the model said."""
        if action.kind is ActionKind.INVALID:
            return action.text or ""
        return json.dumps(self._said(action, observation), ensure_ascii=False)

    def parse(self, text: str, observation: Observation) -> Action:
        """The action of an answer that holds one JSON object with an `action_type`."""
        return read_or_invalid(lambda answer: _read(answer, observation), text)

    def _said(self, action: Action, observation: Observation) -> Mapping[str, str | int]:
        if action.kind in _PLAIN:
            return _PLAIN[action.kind]
        if action.kind in _TEXTS:
            name, key = _TEXTS[action.kind]
            return {"action_type": name, key: action.text or ""}
        if action.kind is ActionKind.SWIPE:
            direction = scroll_direction(action, screen_pixels(observation))
            if direction is None:
                raise inexpressible(self.name, action, "the swipe has no direction")
            return {"action_type": "scroll", "direction": direction}
        assert action.point is not None
        x, y = to_units(action.point, screen_pixels(observation))
        return {"action_type": _TOUCHES[action.kind], "x": x, "y": y}


def _read(text: str, observation: Observation) -> Action:
    said = only_object(text, "action_type")
    name = word_of(said["action_type"])
    if name in _PLAIN_KINDS:
        return Action(_PLAIN_KINDS[name])
    if name == "status":
        return Action(_STATUSES[word_of(said["goal_status"])])
    if name in _TEXT_KINDS:
        kind, key = _TEXT_KINDS[name]
        return Action(kind, text=text_of(said[key]))
    if name in _TOUCH_KINDS:
        return Action(_TOUCH_KINDS[name], _place(said, observation))
    if name not in ("scroll", "swipe"):
        raise ValueError(f"unknown action {name!r}")
    direction = word_of(said["direction"])
    if direction not in DIRECTIONS:
        raise ValueError(f"unknown direction {direction!r}")
    if name == "swipe":
        return Action(ActionKind.SWIPE, *_SWIPES[direction])
    index = said.get("index")
    return scroll_inside((0.0, 0.0, 1.0, 1.0) if index is None else _box(index, observation), direction)


def _place(said: Mapping[str, Value], observation: Observation) -> Point:
    """Where to touch: at x and y, or in the middle of an element, but not both."""
    index = said.get("index")
    if index is None:
        return to_point(number_of(said["x"]), number_of(said["y"]), screen_pixels(observation))
    if said.get("x") is not None or said.get("y") is not None:
        raise ValueError("an index and a place")
    left, top, right, bottom = _box(index, observation)
    return Point((left + right) / 2, (top + bottom) / 2)


def _box(index: Value, observation: Observation) -> tuple[float, float, float, float]:
    """The visible part of an element as fractions of the screen; ValueError when there is none."""
    number = number_of(index)
    nodes = observation.ui or ()
    if number not in range(len(nodes)):
        raise ValueError(f"no element {index!r}")
    width, height = screen_pixels(observation)
    left, top, right, bottom = nodes[int(number)].bounds
    visible = (max(0, left), max(0, top), min(width, right), min(height, bottom))
    if visible[0] >= visible[2] or visible[1] >= visible[3]:
        raise ValueError(f"element {index!r} is not on the screen")
    return visible[0] / width, visible[1] / height, visible[2] / width, visible[3] / height
