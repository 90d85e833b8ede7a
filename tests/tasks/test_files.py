import asyncio
from pathlib import Path

import pytest

from distrl.config import DeviceConfig
from distrl.devices.simulated import build
from distrl.errors import TaskError
from distrl.interfaces import PlanStep, Suite
from distrl.records import Condition, Task
from distrl.tasks import find_suite
from distrl.tasks.files import load_file
from distrl.testing.suite_contract import SUITE_CONTRACT, Clause, all_tasks

EXAMPLE = Path(__file__).parents[2] / "examples" / "tasks.yaml"

GOOD = """
suite: mine
version: 3
max_steps: 12
tasks:
  - id: airplane
    goal: Turn on airplane mode
    setup: [settings put global airplane_mode_on 0]
    probes: {airplane: settings get global airplane_mode_on}
    check: [airplane equals 1]
    plan:
      - open_app: Settings
      - set: Airplane mode
        value: on
      - type: "08"
        into: Hour
      - tap: Save
        value: once
        within: Dialog
      - enter
  - id: battery
    goal: How full is the battery?
    split: test
    level: 2
    max_steps: 5
    family: questions
    probes: {answer: ""}
    check: [answer contains 85 percent]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "tasks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def faults_of(folder: Path, text: str) -> str:
    with pytest.raises(TaskError) as caught:
        load_file(write(folder, text))
    return str(caught.value)


def test_a_file_becomes_a_suite(tmp_path: Path) -> None:
    suite = load_file(write(tmp_path, GOOD))
    assert isinstance(suite, Suite)
    assert (suite.name, suite.version, suite.splits()) == ("mine", "3", ("train", "test"))
    (airplane,) = suite.tasks("train")
    assert airplane.setup == ("settings put global airplane_mode_on 0",)
    assert airplane.check == (Condition("airplane", "equals", "1"),)
    assert (airplane.max_steps, airplane.level, airplane.family) == (12, 1, "airplane")
    assert suite.plan(airplane) == (
        PlanStep("open_app", "Settings"),
        PlanStep("set", "Airplane mode", "on"),
        PlanStep("type", "Hour", "08"),
        PlanStep("tap", "Save", "once", "Dialog"),
        PlanStep("enter"),
    )
    (battery,) = suite.tasks("test")
    assert (battery.max_steps, battery.level, battery.family) == (5, 2, "questions")
    assert battery.check == (Condition("answer", "contains", "85 percent"),)
    assert suite.plan(battery) is None


def test_all_faults_are_told_together_with_line_and_task(tmp_path: Path) -> None:
    message = faults_of(
        tmp_path,
        """
suite: mine
colour: blue
tasks:
  - id: one
    goal: Do it
    max_steps: zero
    check: [missing equals 1]
  - id: two
    probes: {p: "true"}
    check: [p resembles 1, p matches "("]
    plan: [{jump: high}, {set: Wi-Fi}]
  - id: one
    goal: Do it again
""",
    )
    for expected in (
        "line 3: unknown key 'colour'",
        "line 7, task one: 'zero' should be a whole number",
        "line 8, task one: the check names the probe 'missing'",
        "line 9, task two: a task needs a goal",
        "line 11, task two: write a check as `probe comparison value`",
        "not a regular expression",
        "unknown key 'jump'",
        "`set` needs `value: on` or `value: off`",
    ):
        assert expected in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "does not hold"),
        ("[]", "does not hold"),
        ("tasks: []", "there are no tasks"),
        ("tasks: 3", "tasks should be a list"),
        ("tasks: [3]", "pairs are expected"),
        ("a: [", "not YAML"),
        ("tasks: [{id: a, goal: g}, {id: a, goal: h}]", "used twice"),
        ("tasks: [{id: a, goal: g}, {id: b, goal: G, split: test}]", "share the goal of a"),
        ("tasks: [{id: a, goal: g, goal: h}]", "appears twice"),
        ("tasks: [{id: a, goal: [g]}]", "a text is expected"),
    ],
)
def test_what_is_no_task_file(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in faults_of(tmp_path, text)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="cannot be read"):
        load_file(tmp_path / "nothing.yaml")


def test_suites_are_found_by_name_or_path(tmp_path: Path) -> None:
    assert find_suite("starter").name == "starter"
    assert find_suite(str(write(tmp_path, GOOD))).name == "mine"
    with pytest.raises(TaskError, match="starter"):
        find_suite("no-such-suite")
    with pytest.raises(TaskError, match="cannot be read"):
        find_suite("no-such-file.yaml")


@pytest.mark.parametrize("clause", SUITE_CONTRACT, ids=lambda clause: clause.__name__)
@pytest.mark.parametrize("task", all_tasks(load_file(EXAMPLE)), ids=lambda task: task.id)
def test_the_example_works(clause: Clause, task: Task) -> None:
    asyncio.run(clause(lambda: build(DeviceConfig()), load_file(EXAMPLE), task))
