r"""The language of UI-TARS: a thought, then an action that looks like a function call.

    Thought: The search field is at the top.
    Action: click(start_box='<|box_start|>(512,233)<|box_end|>')

UI-TARS 1.0 writes boxes and counts from 0 to 1000; UI-TARS 1.5 writes `point='<point>512 233</point>'` and
counts the pixels of the resized picture. Both spellings are read by both. `finished(content='…')` is an
answer, without content the task is done; `call_user()` says that it is impossible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from distrl.agents.languages.loose import Value, call, read_or_invalid, text_of, word_of
from distrl.agents.languages.places import (
    DIRECTIONS,
    Grid,
    read_numbers,
    relative,
    resized_pixels,
    scroll_around,
    to_point,
    to_units,
)
from distrl.records import Action, ActionKind, Observation, Point

_PLAIN = {
    ActionKind.BACK: "press_back",
    ActionKind.HOME: "press_home",
    ActionKind.ENTER: "press_enter",
    ActionKind.WAIT: "wait",
    ActionKind.DONE: "finished",
    ActionKind.IMPOSSIBLE: "call_user",
}
_TEXTS = {  # kind → name, key of the text
    ActionKind.TYPE: ("type", "content"),
    ActionKind.OPEN_APP: ("open_app", "app_name"),
    ActionKind.ANSWER: ("finished", "content"),
}
_PLAIN_KINDS = {name: kind for kind, name in _PLAIN.items() if kind is not ActionKind.DONE}
_TEXT_KINDS = {name: (kind, key) for kind, (name, key) in _TEXTS.items() if kind is not ActionKind.ANSWER}
_TOUCH_KINDS = {"click": ActionKind.TAP, "long_press": ActionKind.LONG_PRESS}
_STARTS, _ENDS = ("start_box", "start_point", "point"), ("end_box", "end_point")

_MARK_AT_LINE = re.compile(r"^[ \t]*Action:[\s`]*", re.MULTILINE)
_MARK_ANYWHERE = re.compile(r"Action:[\s`]*")
_LEADING = re.compile(r"[\s`]*")
_A_CALL = re.compile(
    r"\b(?:click|long_press|left_double|right_single|type|scroll|drag|open_app|press_home|press_back|press_enter"
    r"|hotkey|wait|finished|call_user)\s*\(",
    re.IGNORECASE,
)
_ESCAPED = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class UiTarsLanguage:
    """The language named `ui-tars`; a variant counts in other units or writes places in another way."""

    def __init__(self, name: str = "ui-tars", grid: Grid | None = None, points: bool = False) -> None:
        """Without a grid, 0 to 1000; `points` writes `<point>` as version 1.5 does, instead of boxes."""
        self._name = name
        self._grid = grid or relative(1000)
        self._points = points

    @property
    def name(self) -> str:
        """`ui-tars`, or what a variant is called."""
        return self._name

    def render(self, action: Action, observation: Observation) -> str:
        """The action without a thought; an INVALID action is what the model said."""
        if action.kind is ActionKind.INVALID:
            return action.text or ""
        if action.kind in _PLAIN:
            return f"Action: {_PLAIN[action.kind]}()"
        if action.kind in _TEXTS:
            name, key = _TEXTS[action.kind]
            return f"Action: {name}({key}='{(action.text or '').translate(_ESCAPED)}')"
        assert action.point is not None
        size = self._grid(observation)
        start = self._place(action.point, size)
        if action.to is None:
            name = "click" if action.kind is ActionKind.TAP else "long_press"
            return f"Action: {name}({'point' if self._points else 'start_box'}={start})"
        end = self._place(action.to, size)
        first, last = ("start_point", "end_point") if self._points else ("start_box", "end_box")
        return f"Action: drag({first}={start}, {last}={end})"

    def parse(self, text: str, observation: Observation) -> Action:
        """The action of an answer: the call after `Action:`, or an answer that is a call and nothing else."""
        return read_or_invalid(lambda answer: _read(answer, self._grid(observation)), text)

    def _place(self, point: Point, size: tuple[float, float]) -> str:
        x, y = to_units(point, size)
        return f"'<point>{x} {y}</point>'" if self._points else f"'<|box_start|>({x},{y})<|box_end|>'"


def for_1_5() -> UiTarsLanguage:
    """The language named `ui-tars-1.5`: points, in pixels of the resized picture."""
    return UiTarsLanguage("ui-tars-1.5", resized_pixels(min_pixels=100 * 28 * 28), points=True)


def _read(text: str, size: tuple[float, float]) -> Action:
    name, said = _find(text)
    if name in _PLAIN_KINDS:
        return Action(_PLAIN_KINDS[name])
    if name in _TEXT_KINDS:
        kind, key = _TEXT_KINDS[name]
        return Action(kind, text=text_of(said[key]))
    if name == "finished":
        content = text_of(said.get("content", ""))
        return Action(ActionKind.ANSWER, text=content) if content else Action(ActionKind.DONE)
    if name == "hotkey" and word_of(said["key"]) == "enter":
        return Action(ActionKind.ENTER)
    start = _point(said, _STARTS, size)
    if name in _TOUCH_KINDS and start is not None:
        return Action(_TOUCH_KINDS[name], start)
    if name in ("drag", "scroll"):
        return _swipe(name, start, said, size)
    raise ValueError(f"unknown action {name!r}")


def _swipe(name: str, start: Point | None, said: Mapping[str, Value], size: tuple[float, float]) -> Action:
    """A drag from place to place, or a scroll that may name a direction instead."""
    end = _point(said, _ENDS, size)
    if end is not None:
        return Action(ActionKind.SWIPE, start, end)
    direction = word_of(said["direction"])
    if name != "scroll" or direction not in DIRECTIONS:
        raise ValueError(f"a {name} without an end")
    return scroll_around(start or Point(0.5, 0.5), direction)


def _find(text: str) -> tuple[str, Mapping[str, Value]]:
    """The one call of an answer."""
    mark = _MARK_AT_LINE.search(text) or _MARK_ANYWHERE.search(text) or _LEADING.match(text)
    name, said, end = call(text, mark.end() if mark else 0)
    if _A_CALL.search(text, end):
        raise ValueError("several actions")
    return name.lower(), said


def _point(said: Mapping[str, Value], keys: tuple[str, ...], size: tuple[float, float]) -> Point | None:
    """The place under one of the keys; of a box, its middle."""
    given = [said[key] for key in keys if key in said]
    if not given:
        return None
    numbers = read_numbers(given[0])
    if len(numbers) == 4:
        left, top, right, bottom = numbers
        numbers = [(left + right) / 2, (top + bottom) / 2]
    x, y = numbers
    return to_point(x, y, size)
