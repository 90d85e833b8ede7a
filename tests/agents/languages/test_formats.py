"""What each language writes, letter by letter, as the models and tools at the other end expect it."""

import ast
import json
import re

import pytest

from distrl.agents import languages
from distrl.agents.languages.aitw import AitwLanguage
from distrl.agents.languages.mobile_use import MobileUseLanguage
from distrl.agents.languages.places import relative, resized_pixels
from distrl.records import Action, ActionKind, Observation, Point, Screenshot

TAP = Action(ActionKind.TAP, Point(0.5, 0.25))
SWIPE = Action(ActionKind.SWIPE, Point(0.5, 0.75), Point(0.5, 0.25))
TYPE = Action(ActionKind.TYPE, text='it\'s\n"ü"')


def seen(width: int, height: int) -> Observation:
    picture = Screenshot(data=b"", encoding="png", width=width, height=height)
    return Observation(screenshot=picture, width=1080, height=2400, ui=None, app="", captured_at=0.0)


OBSERVATION = seen(540, 1200)


@pytest.mark.parametrize(
    ("name", "action", "text"),
    [
        ("aitw", TAP, 'Action Decision: "action_type": "DUAL_POINT", "touch_point": "[0.2500, 0.5000]", '
         '"lift_point": "[0.2500, 0.5000]", "typed_text": ""'),
        ("aitw", TYPE, 'Action Decision: "action_type": "TYPE", "touch_point": "[-1.0, -1.0]", '
         '"lift_point": "[-1.0, -1.0]", "typed_text": "it\'s\\n\\"ü\\""'),
        ("androidworld", TAP, '{"action_type": "click", "x": 540, "y": 600}'),
        ("androidworld", SWIPE, '{"action_type": "scroll", "direction": "down"}'),
        ("androidworld", Action(ActionKind.DONE), '{"action_type": "status", "goal_status": "complete"}'),
        ("androidworld", Action(ActionKind.OPEN_APP, text="Clock"),
         '{"action_type": "open_app", "app_name": "Clock"}'),
        ("mobile_use", TAP, '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", '
         '"coordinate": [500, 250]}}\n</tool_call>'),
        ("mobile_use", Action(ActionKind.ENTER), '<tool_call>\n{"name": "mobile_use", "arguments": '
         '{"action": "system_button", "button": "Enter"}}\n</tool_call>'),
        ("mobile_use-2.5", SWIPE, '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "swipe", '
         '"coordinate": [266, 903], "coordinate2": [266, 301]}}\n</tool_call>'),
        ("ui-tars", TAP, "Action: click(start_box='<|box_start|>(500,250)<|box_end|>')"),
        ("ui-tars", SWIPE, "Action: drag(start_box='<|box_start|>(500,750)<|box_end|>', "
         "end_box='<|box_start|>(500,250)<|box_end|>')"),
        ("ui-tars", TYPE, "Action: type(content='it\\'s\\n\"ü\"')"),
        ("ui-tars", Action(ActionKind.ANSWER, text="42"), "Action: finished(content='42')"),
        ("ui-tars", Action(ActionKind.DONE), "Action: finished()"),
        ("ui-tars-1.5", TAP, "Action: click(point='<point>266 301</point>')"),
        ("ui-tars-1.5", SWIPE, "Action: drag(start_point='<point>266 903</point>', "
         "end_point='<point>266 301</point>')"),
    ],
)  # fmt: skip
def test_an_action_is_written_as_the_model_was_taught(name: str, action: Action, text: str) -> None:
    assert languages.find(name).render(action, OBSERVATION) == text


def test_aitw_can_write_the_numbers_of_the_dataset() -> None:
    language = AitwLanguage(numeric=True)
    text = language.render(SWIPE)
    assert '"action_type": 4' in text
    assert language.parse(text) == SWIPE
    assert languages.find("aitw").parse(text, OBSERVATION) == SWIPE


def test_the_usual_readers_understand_what_is_written() -> None:
    """Strict JSON for those who read JSON, a Python call for those who read Python."""
    after_mark = languages.find("aitw").render(TYPE, OBSERVATION).partition("Action Decision: ")[2]
    assert ast.literal_eval("{" + after_mark + "}")["typed_text"] == TYPE.text
    assert json.loads(languages.find("androidworld").render(TYPE, OBSERVATION))["text"] == TYPE.text
    body = re.fullmatch(
        r"<tool_call>\n(.*)\n</tool_call>", languages.find("mobile_use").render(TYPE, OBSERVATION)
    )
    assert body is not None
    assert json.loads(body.group(1))["arguments"]["text"] == TYPE.text
    call = ast.parse(
        languages.find("ui-tars").render(TYPE, OBSERVATION).removeprefix("Action: "), mode="eval"
    ).body
    assert isinstance(call, ast.Call)
    assert ast.literal_eval(call.keywords[0].value) == TYPE.text


@pytest.mark.parametrize(
    ("start", "end", "direction"),
    [
        (Point(0.5, 0.8), Point(0.5, 0.2), "down"),
        (Point(0.5, 0.2), Point(0.5, 0.8), "up"),
        (Point(0.9, 0.5), Point(0.1, 0.5), "right"),
        (Point(0.1, 0.5), Point(0.9, 0.5), "left"),
        (Point(0.2, 0.2), Point(0.6, 0.0), "down"),  # 432 pixels across, but 480 upwards
    ],
)
def test_androidworld_keeps_the_direction_of_a_swipe(start: Point, end: Point, direction: str) -> None:
    text = languages.find("androidworld").render(Action(ActionKind.SWIPE, start, end), OBSERVATION)
    assert json.loads(text) == {"action_type": "scroll", "direction": direction}


@pytest.mark.parametrize(
    ("width", "height", "resized"),
    [
        (1080, 2400, (1092, 2408)),
        (412, 732, (420, 728)),
        (1000, 1000, (1008, 1008)),
        (10, 10, (56, 56)),  # grown to the least area
        (8000, 8000, (3584, 3584)),  # shrunk to the largest
        (0, 0, (1092, 2408)),  # no picture: the screen's size
    ],
)
def test_pixels_count_in_the_picture_that_the_processor_makes(
    width: int, height: int, resized: tuple[int, int]
) -> None:
    assert resized_pixels()(seen(width, height)) == resized


def test_a_variant_names_its_own_units() -> None:
    language = MobileUseLanguage("mobile_use-2", relative(1000))
    assert language.name == "mobile_use-2"
    assert '"coordinate": [500, 250]' in language.render(TAP, OBSERVATION)
    assert language.parse('{"action": "click", "coordinate": [500, 250]}', OBSERVATION) == TAP
