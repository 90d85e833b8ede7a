"""A table of what models really write: each answer is INVALID, or is read as docs/languages.md says."""

import pytest

from distrl.agents import languages
from distrl.records import Action, ActionKind, Observation, Point, Screenshot, UiNode

NODES = (
    UiNode("android.widget.Button", "OK", "", "", "app", bounds=(100, 200, 300, 400)),
    UiNode("android.view.View", "", "", "", "app", bounds=(50, 50, 50, 90)),  # nothing of it is seen
    UiNode("android.widget.ListView", "", "", "", "app", bounds=(0, 1000, 1000, 3000), scrollable=True),
)
OBSERVATION = Observation(
    screenshot=Screenshot(data=b"", encoding="rgb-zstd", width=500, height=1000),
    width=1000, height=2000, ui=NODES, app="app", captured_at=0.0,
)  # fmt: skip

TAP = Action(ActionKind.TAP, Point(0.5, 0.25))
BACK = Action(ActionKind.BACK)
HI = Action(ActionKind.TYPE, text="hi")
INVALID = None


def check(name: str, answer: str, expected: Action | None) -> None:
    found = languages.find(name).parse(answer, OBSERVATION)
    assert found == (expected or Action(ActionKind.INVALID, text=answer))


ANY_LANGUAGE = [
    "", "   \n", "Invalid", "invalid", "null", "None", "{}", "[]", "()", "NaN", "Action:", "Action: ", "42",
    "I'm sorry, I can't help with that.", "I will tap the search button.", "Thought: I should scroll down.",
    "tap the OK button at (500, 250)", "```json\n```", "<tool_call></tool_call>", "<|im_end|>", "\x00", "😀",
    "}{", "\\", '"', "'", "“", "{'", '{"', '{"action', '{"action_type": ', "click(", "Action Decision:",
    "{" * 5000, '{"a":' * 5000, "Action: " + "(" * 5000, "9" * 9999, '{"action_type": ' + "9" * 9999 + "}",
]  # fmt: skip


@pytest.mark.parametrize("name", languages.names())
@pytest.mark.parametrize("answer", ANY_LANGUAGE, ids=lambda answer: repr(answer[:20]))
def test_nonsense_is_invalid_in_every_language(name: str, answer: str) -> None:
    check(name, answer, INVALID)


# --- aitw ----------------------------------------------------------------------------------------

_UP, _POINT = '"touch_point": "[0.25, 0.5]", "lift_point": "[0.25, 0.5]"', '"[0.25, 0.5]"'


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (f'Action Plan: [] ; Action Decision: "action_type": "DUAL_POINT", {_UP}, "typed_text": ""', TAP),
        (f'"action_type": "DUAL_POINT", {_UP}, "typed_text": ""', TAP),
        (f'{{"action_type": "DUAL_POINT", {_UP}, "typed_text": ""}}', TAP),
        (f'{{"action_type": 4, {_UP}}}', TAP),
        (f'{{"action_type": "4", {_UP}}}', TAP),
        (f'{{"action_type": "dual_point", {_UP}}}', TAP),
        (f'```json\n{{"action_type": "DUAL_POINT", {_UP},}}\n```', TAP),
        ("{'action_type': 'DUAL_POINT', 'touch_point': [0.25, 0.5], 'lift_point': (0.25, 0.5)}", TAP),
        ("{“action_type”: “DUAL_POINT”, “touch_point”: “[0.25, 0.5]”, “lift_point”: “[0.25, 0.5]”}", TAP),
        ('{"action_type": 4, "touch_point": [[0.25, 0.5]], "lift_point": "[0.25 0.5]"}', TAP),
        (f'{{"thought": "tap", "action_type": 4, {_UP}}}', TAP),
        (f'"action_type": "DUAL_POINT", {_UP}, "typed_text": "",', TAP),
        ('"action_type": 4, "touch_point": "[0.25, 0.5]", "lift_point": "[0.26, 0.52]"', TAP),
        ('"action_type": 4, "touch_point": "[0.25, 1.004]", "lift_point": "[0.25, 1.0]"',
         Action(ActionKind.TAP, Point(1.0, 0.25))),
        ('"action_type": "TYPE", "touch_point": "[-1.0, -1.0]", "typed_text": "say "hi" now"',
         Action(ActionKind.TYPE, text='say "hi" now')),
        ('"action_type": "TYPE", "typed_text": 42', Action(ActionKind.TYPE, text="42")),
        ('"action_type": "TASK_IMPOSSIBLE"', Action(ActionKind.IMPOSSIBLE)),
        ('"action_type": "STATUS_TASK_COMPLETE", "touch_point": "[-1.0, -1.0]"', Action(ActionKind.DONE)),
        ('"action_type": 10', Action(ActionKind.DONE)),
        ('"action_type": "TYPE", "typed_text": ""', INVALID),
        ('"action_type": "TYPE", "typed_text": null', INVALID),
        ('"action_type": "TYPE"', INVALID),
        ('"action_type": "DUAL_POINT", "touch_point": "[-1.0, -1.0]", "lift_point": "[-1.0, -1.0]"', INVALID),
        ('"action_type": "DUAL_POINT", "touch_point": "[0.25, 0.5]", "lift_point": "[0.25', INVALID),
        ('"action_type": "DUAL_POINT", "touch_point": "[0.25]", "lift_point": "[0.25]"', INVALID),
        (f'"action_type": "DUAL_POINT", "touch_point": {_POINT}', INVALID),
        ('"action_type": 4, "touch_point": "[nan, nan]", "lift_point": "[nan, nan]"', INVALID),
        ('"action_type": 4, "touch_point": "[1e999, 0]", "lift_point": "[0, 0]"', INVALID),
        ('"action_type": 4, "touch_point": "[540, 1200]", "lift_point": "[540, 1200]"', INVALID),
        (f'"action_type": "CLICK", {_UP}', INVALID),
        (f'"action_type": 8, {_UP}', INVALID),
        (f'"action_type": 4.5, {_UP}', INVALID),
        (f'"action_type": true, {_UP}', INVALID),
        (f'"action_type": ["DUAL_POINT"], {_UP}', INVALID),
        ('"action_type": "PRESS_BACK"\n"action_type": "PRESS_HOME"', INVALID),
        ('"action_type": "PRESS_BACK", "action_type": "PRESS_HOME"', INVALID),
        ('{"action_type": 5} {"action_type": 6}', INVALID),
        ('"Action_Type": "PRESS_BACK"', INVALID),
    ],
)  # fmt: skip
def test_aitw(answer: str, expected: Action | None) -> None:
    check("aitw", answer, expected)


# --- androidworld --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('Reason: it is there.\nAction: {"action_type": "click", "x": 500, "y": 500}', TAP),
        ('```json\n{"action_type": "click", "x": 500, "y": 500}\n```', TAP),
        ('{"action_type": "CLICK", "x": "500", "y": 500.0}', TAP),
        ("{'action_type': 'click', 'x': 500, 'y': 500,}", TAP),
        ('{"action_type": "click", "x": 1001, "y": 500}', Action(ActionKind.TAP, Point(1.0, 0.25))),
        ('{"action_type": "click", "index": 0}', Action(ActionKind.TAP, Point(0.2, (0.1 + 0.2) / 2))),
        ('{"action_type": "long_press", "index": "0"}',
         Action(ActionKind.LONG_PRESS, Point(0.2, (0.1 + 0.2) / 2))),
        ('{"action_type": "input_text", "text": "hi", "index": 0}', HI),
        ('{"action_type": "input_text", "text": "hi", "x": 1, "y": 2, "clear_text": true}', HI),
        ('{"action_type": "scroll", "direction": "Down"}',
         Action(ActionKind.SWIPE, Point(0.5, 0.5), Point(0.5, 0.0))),
        ('{"action_type": "scroll", "direction": "right", "index": 2}',
         Action(ActionKind.SWIPE, Point(0.5, 0.75), Point(0.0, 0.75))),
        ('{"action_type": "swipe", "direction": "up"}',
         Action(ActionKind.SWIPE, Point(0.5, 1.0), Point(0.5, 0.0))),
        ('{"action_type": "status", "goal_status": "infeasible"}', Action(ActionKind.IMPOSSIBLE)),
        ('The element {"index": 3} helps. {"action_type": "navigate_back"}', BACK),
        ('{"action_type": "click", "index": 1}', INVALID),
        ('{"action_type": "click", "index": 3}', INVALID),
        ('{"action_type": "click", "index": -1}', INVALID),
        ('{"action_type": "click", "index": 0.5}', INVALID),
        ('{"action_type": "click", "index": 0, "x": 5, "y": 5}', INVALID),
        ('{"action_type": "click", "x": 500}', INVALID),
        ('{"action_type": "click", "x": [500], "y": 500}', INVALID),
        ('{"action_type": "click", "x": true, "y": 500}', INVALID),
        ('{"action_type": "click", "x": NaN, "y": 500}', INVALID),
        ('{"action_type": "click", "x": -1, "y": 500}', INVALID),
        ('{"action_type": "click", "x": 1100, "y": 500}', INVALID),
        ('{"action_type": "click", "x": 500, "y": 500', INVALID),
        ('{"action_type": "double_tap", "x": 500, "y": 500}', INVALID),
        ('{"action_type": "unknown"}', INVALID),
        ('{"action_type": null}', INVALID),
        ('{"action_type": "scroll"}', INVALID),
        ('{"action_type": "scroll", "direction": "downwards"}', INVALID),
        ('{"action_type": "status", "goal_status": "done"}', INVALID),
        ('{"action_type": "open_app", "app_name": ""}', INVALID),
        ('{"action_type": "input_text", "text": "\\ud800"}', INVALID),
        ('{"action_type": "navigate_back"}{"action_type": "navigate_home"}', INVALID),
        ('[{"action_type": "navigate_back"}, {"action_type": "navigate_back"}]', INVALID),
    ],
)  # fmt: skip
def test_androidworld(answer: str, expected: Action | None) -> None:
    check("androidworld", answer, expected)


# --- mobile_use ----------------------------------------------------------------------------------

_CLICK = '{"action": "click", "coordinate": [500, 250]}'
ON_999 = Action(ActionKind.TAP, Point(500 / 999, 250 / 999))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (f'<tool_call>\n{{"name": "mobile_use", "arguments": {_CLICK}}}\n</tool_call>', ON_999),
        (f'<think>{_CLICK}</think>\n{{"name": "mobile_use", "arguments": {_CLICK}}}</tool_call>', ON_999),
        (f'Thought: a\nAction: b\n{{"name": "Mobile_Use", "arguments": {_CLICK}}}', ON_999),
        (f'<tool_call>\n{{"name": "mobile_use", "arguments": {_CLICK}\n</tool_call>', ON_999),
        ('{"name": "mobile_use", "arguments": "{\\"action\\": \\"click\\", \\"coordinate\\": [500, 250]}"}',
         ON_999),
        (f"```json\n{_CLICK}\n```", ON_999),
        ("{'action': 'click', 'coordinate': (500, 250)}", ON_999),
        ("{“action”: “click”, “coordinate”: [500, 250]}", ON_999),
        ('{"action": "click", "coordinate": [500, 250,],}', ON_999),
        ('{"action": "Click", "coordinate": "[500, 250]"}', ON_999),
        ('{"action": "click", "coordinate": [[500, 250]]}', ON_999),
        ('{"action": "click", "coordinate": ["500", "250"]}', ON_999),
        ('{"action": "click", "coordinate": [1000, 0]}', Action(ActionKind.TAP, Point(1.0, 0.0))),
        ('{"action": "system_button", "button": "BACK"}', BACK),
        ('{"action": "key", "text": "KEYCODE_BACK"}', BACK),
        ('{"action": "terminate", "status": "fail"}', Action(ActionKind.IMPOSSIBLE)),
        ('{"action": "wait"}', Action(ActionKind.WAIT)),
        ('{"action": "type", "text": "it\'s "hi""}', Action(ActionKind.TYPE, text='it\'s "hi"')),
        ('{"action": "type", "text": "\\ud83d\\ude00"}', Action(ActionKind.TYPE, text="😀")),
        ('{"action": "click", "coordinate": [500, 25', INVALID),
        ('{"action": "click", "coordinate": [500, 250]', INVALID),
        ('{"action": "click", "coordinate": [500]}', INVALID),
        ('{"action": "click", "coordinate": [500, 250, 510, 260]}', INVALID),
        ('{"action": "click", "coordinate": {"x": 500, "y": 250}}', INVALID),
        ('{"action": "click", "coordinate": [540, 2200]}', INVALID),
        ('{"action": "click", "coordinate": [-5, 10]}', INVALID),
        ('{"action": "click", "coordinate": [NaN, 250]}', INVALID),
        ('{"action": "click", "coordinate": [1e400, 250]}', INVALID),
        ('{"action": "click", "coordinate": null}', INVALID),
        ('{"action": "click"}', INVALID),
        ('{"action": "swipe", "coordinate": [500, 250]}', INVALID),
        ('{"action": "swipe", "coordinate": [500, 250], "direction": "up"}', INVALID),
        ('{"action": "system_button", "button": "Menu"}', INVALID),
        ('{"action": "key", "text": "volume_up"}', INVALID),
        ('{"action": "terminate"}', INVALID),
        ('{"action": "type", "text": ["hi"]}', INVALID),
        (f'{{"name": "computer_use", "arguments": {_CLICK}}}', INVALID),
        ('{"name": "mobile_use", "arguments": null}', INVALID),
        ('{"name": "mobile_use"}', INVALID),
        (f"{_CLICK}\n{_CLICK}", INVALID),
    ],
)  # fmt: skip
def test_mobile_use(answer: str, expected: Action | None) -> None:
    check("mobile_use", answer, expected)


# --- ui-tars -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Thought: here.\nAction: click(start_box='<|box_start|>(500,250)<|box_end|>')", TAP),
        ("Thought: Action: is next.\nAction: click(point='<point>500 250</point>')", TAP),
        ("Thought: all on one line. Action: click(start_box='(500, 250)')", TAP),
        ("click(start_box='[490, 240, 510, 260]')", TAP),
        ("Action: ```\nclick(start_box=(500,250))\n```", TAP),
        ("Action: Click(start_box=<|box_start|>(500,250)<|box_end|>)", TAP),
        ("Action: click(start_box=‘(500,250)’)", TAP),
        ("Action: click(start_box='(500,250)',)", TAP),
        ("Action: long_press(start_box='(500,250)', time='')",
         Action(ActionKind.LONG_PRESS, Point(0.5, 0.25))),
        ("Action: type(content='it's here')", Action(ActionKind.TYPE, text="it's here")),
        ('Action: type(content="hi")', HI),
        ("Action: type(content='two\nlines')", Action(ActionKind.TYPE, text="two\nlines")),
        ("Action: finished()", Action(ActionKind.DONE)),
        ("Action: finished(content='')", Action(ActionKind.DONE)),
        ("Action: finished(content='42')", Action(ActionKind.ANSWER, text="42")),
        ("Action: hotkey(key='Enter')", Action(ActionKind.ENTER)),
        ("Action: scroll(direction='down')", Action(ActionKind.SWIPE, Point(0.5, 0.7), Point(0.5, 0.3))),
        ("Action: scroll(start_box='(500,950)', direction='up')",
         Action(ActionKind.SWIPE, Point(0.5, 0.6), Point(0.5, 1.0))),
        ("Action: scroll(start_box='(500,250)', end_box='(500,750)')",
         Action(ActionKind.SWIPE, Point(0.5, 0.25), Point(0.5, 0.75))),
        ("Action: press_back() # go back", BACK),
        ("I would rather press_back()", INVALID),
        ("Action: click(start_box='<|box_start|>(500,25", INVALID),
        ("Action: click(start_box='(500,250)'", INVALID),
        ("Action: click()", INVALID),
        ("Action: click(500, 250)", INVALID),
        ("Action: click(start_box='(500)')", INVALID),
        ("Action: click(start_box='(500,250,1)')", INVALID),
        ("Action: click(start_box='(x1,y1)')", INVALID),
        ("Action: click(start_box='(2000,250)')", INVALID),
        ("Action: click(start_box='(nan,250)')", INVALID),
        ("Action: click(start_box='')", INVALID),
        ("Action: type(content='')", INVALID),
        ("Action: type()", INVALID),
        ("Action: type(content=hi)", INVALID),
        ("Action: drag(start_box='(500,250)')", INVALID),
        ("Action: drag(end_box='(500,250)')", INVALID),
        ("Action: scroll(start_box='(500,250)', direction='sideways')", INVALID),
        ("Action: left_double(start_box='(500,250)')", INVALID),
        ("Action: hotkey(key='ctrl c')", INVALID),
        ("Action: press_back()\n\npress_home()", INVALID),
        ("Action: press_back()\nAction: press_back()", INVALID),
        ("Action: click(start_box='(1,2)', start_box='(3,4)')", INVALID),
    ],
)  # fmt: skip
def test_ui_tars(answer: str, expected: Action | None) -> None:
    check("ui-tars", answer, expected)
