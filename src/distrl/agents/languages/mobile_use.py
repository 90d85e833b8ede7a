r"""The tool call `mobile_use` of the Qwen-VL family.

    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [512, 233]}}
    </tool_call>

Qwen3-VL counts from 0 to 999 across any screen; Qwen2.5-VL counts the pixels of the picture after its
processor has resized it. Every action can be said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from distrl.agents.languages.loose import Value, objects, read_or_invalid, text_of, word_of
from distrl.agents.languages.places import Grid, read_point, relative, resized_pixels, to_units
from distrl.records import Action, ActionKind, Observation

_TOOL = "mobile_use"
_SECONDS = (
    2  # written where the tool's description demands a time; how long a press lasts is the device's affair
)
_PLAIN: dict[ActionKind, dict[str, str | int]] = {
    ActionKind.BACK: {"action": "system_button", "button": "Back"},
    ActionKind.HOME: {"action": "system_button", "button": "Home"},
    ActionKind.ENTER: {"action": "system_button", "button": "Enter"},
    ActionKind.WAIT: {"action": "wait", "time": _SECONDS},
    ActionKind.DONE: {"action": "terminate", "status": "success"},
    ActionKind.IMPOSSIBLE: {"action": "terminate", "status": "failure"},
}
_TEXTS = {ActionKind.TYPE: "type", ActionKind.OPEN_APP: "open", ActionKind.ANSWER: "answer"}

_TEXT_KINDS = {name: kind for kind, name in _TEXTS.items()}
_BUTTONS = {"back": ActionKind.BACK, "home": ActionKind.HOME, "enter": ActionKind.ENTER}
_STATUSES = {
    "success": ActionKind.DONE,
    "failure": ActionKind.IMPOSSIBLE,
    "fail": ActionKind.IMPOSSIBLE,
}
_THOUGHT_END = re.compile(r"</think(?:ing)?>")


class MobileUseLanguage:
    """The language named `mobile_use`; the grid says in which units the model counts."""

    def __init__(self, name: str = "mobile_use", grid: Grid | None = None) -> None:
        """Without a grid, 0 to 999 as Qwen3-VL counts."""
        self._name = name
        self._grid = grid or relative(999)

    @property
    def name(self) -> str:
        """`mobile_use`, or what a variant is called."""
        return self._name

    def render(self, action: Action, observation: Observation) -> str:
        """The action as a tool call; an INVALID action is what the model said."""
        if action.kind is ActionKind.INVALID:
            return action.text or ""
        said = {"name": _TOOL, "arguments": self._arguments(action, observation)}
        return f"<tool_call>\n{json.dumps(said, ensure_ascii=False)}\n</tool_call>"

    def parse(self, text: str, observation: Observation) -> Action:
        """The action of an answer that holds one tool call, after its thoughts."""
        return read_or_invalid(lambda answer: _read(answer, self._grid(observation)), text)

    def _arguments(self, action: Action, observation: Observation) -> Mapping[str, str | int | list[int]]:
        if action.kind in _PLAIN:
            return {**_PLAIN[action.kind]}
        if action.kind in _TEXTS:
            return {"action": _TEXTS[action.kind], "text": action.text or ""}
        size = self._grid(observation)
        assert action.point is not None
        place = list(to_units(action.point, size))
        if action.to is not None:
            return {"action": "swipe", "coordinate": place, "coordinate2": list(to_units(action.to, size))}
        if action.kind is ActionKind.LONG_PRESS:
            return {"action": "long_press", "coordinate": place, "time": _SECONDS}
        return {"action": "click", "coordinate": place}


def for_qwen2_5() -> MobileUseLanguage:
    """The language named `mobile_use-2.5`: pixels of the picture as resized by default."""
    return MobileUseLanguage("mobile_use-2.5", resized_pixels())


def _read(text: str, size: tuple[float, float]) -> Action:
    said = _find(text)
    name = word_of(said["action"])
    if name in _TEXT_KINDS:
        return Action(_TEXT_KINDS[name], text=text_of(said["text"]))
    if name == "click":
        return Action(ActionKind.TAP, read_point(said["coordinate"], size))
    if name == "long_press":
        return Action(ActionKind.LONG_PRESS, read_point(said["coordinate"], size))
    if name == "swipe":
        start, end = read_point(said["coordinate"], size), read_point(said["coordinate2"], size)
        return Action(ActionKind.SWIPE, start, end)
    if name == "system_button":
        return Action(_BUTTONS[word_of(said["button"])])
    if name == "key":
        return Action(_BUTTONS[word_of(said["text"]).removeprefix("keycode_")])
    if name == "terminate":
        return Action(_STATUSES[word_of(said["status"])])
    if name == "wait":
        return Action(ActionKind.WAIT)
    raise ValueError(f"unknown action {name!r}")


def _find(text: str) -> Mapping[str, Value]:
    """The arguments of the one call in an answer; a bare object of arguments will do."""
    thought = _THOUGHT_END.search(text)
    call = text.find("<tool_call>")
    if thought is not None and not 0 <= call < thought.start():
        text = text[thought.end() :]
    found = [arguments for each in objects(text) if (arguments := _arguments(each)) is not None]
    if len(found) != 1:
        raise ValueError(f"{len(found)} calls where there should be one")
    return found[0]


def _arguments(said: Mapping[str, Value]) -> Mapping[str, Value] | None:
    """The arguments that an object gives to the tool; None when it is something else."""
    if "arguments" not in said:
        return said if "action" in said else None
    if "name" in said and word_of(said["name"]) != _TOOL:
        raise ValueError(f"a call of {said['name']!r}")
    arguments = said["arguments"]
    if isinstance(arguments, str):  # some servers hand arguments on as a string
        inside = objects(arguments)
        arguments = inside[0] if len(inside) == 1 else None
    if not isinstance(arguments, dict):
        raise ValueError("no arguments")
    return arguments
