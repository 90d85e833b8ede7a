import asyncio
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.errors import JudgeError
from distrl.records import (
    CONDITION_OPS,
    Action,
    ActionKind,
    Condition,
    Decision,
    Ending,
    Outcome,
    Task,
    Trajectory,
)
from distrl.rewards.checks import CheckJudge, build, evaluate
from distrl.testing.judge_contract import JUDGE_CONTRACT, Clause
from distrl.testing.trajectories import make_trajectory

ROWS = "Row: 0 _id=1, title=Milk\nRow: 1 _id=2, title=Eggs"


@pytest.mark.parametrize("clause", JUDGE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Clause) -> None:
    asyncio.run(clause(build()))


@pytest.mark.parametrize(
    ("op", "value", "answer", "holds"),
    [
        ("equals", "1", "1\n", True),
        ("equals", "1", "11", False),
        ("differs", "null", "3", True),
        ("differs", "null", "null\n", False),
        ("contains", "title=Milk", ROWS, True),
        ("contains", "title=Tea", ROWS, False),
        ("lacks", "title=Tea", ROWS, True),
        ("lacks", "title=Milk", ROWS, False),
        ("matches", r"title=M\w+k", ROWS, True),
        ("matches", "^title", ROWS, False),
        ("rows", "2", ROWS, True),
        ("rows", "0", "No result found.", True),
        ("rows", "1", ROWS, False),
        ("at_least", "10", "10.5", True),
        ("at_least", "10", "9", False),
        ("at_least", "10", "null", False),
        ("at_most", "10", "10", True),
        ("at_most", "10", "11", False),
        ("at_most", "10", "", False),
    ],
)
def test_each_comparison(op: str, value: str, answer: str, holds: bool) -> None:
    failures = evaluate((Condition("probe", op, value),), {"probe": answer})
    assert (failures == []) is holds


def test_every_known_comparison_is_implemented() -> None:
    for op in CONDITION_OPS:
        evaluate((Condition("probe", op, "1"),), {"probe": "1"})


@given(st.text())
def test_evaluating_any_answer_never_raises(answer: str) -> None:
    for op in CONDITION_OPS:
        evaluate((Condition("probe", op, "1"),), {"probe": answer})


def test_evidence_names_the_condition_and_the_actual_answer() -> None:
    (failure,) = evaluate((Condition("wifi", "equals", "1"),), {"wifi": "0\n"})
    assert failure == "wifi should be '1' but is '0'"


def test_a_missing_answer_cannot_be_judged() -> None:
    with pytest.raises(JudgeError, match="wifi"):
        evaluate((Condition("wifi", "equals", "1"),), {})


def verdict_of(trajectory: Trajectory, require_done: bool = True) -> tuple[Outcome, str]:
    verdict = asyncio.run(CheckJudge(require_done).judge(trajectory))
    return verdict.outcome, verdict.evidence


def test_success_and_failure() -> None:
    assert verdict_of(make_trajectory("t", success=True))[0] is Outcome.SUCCESS
    outcome, evidence = verdict_of(make_trajectory("t", success=False))
    assert outcome is Outcome.FAILURE
    assert evidence == "pressed should be '1' but is '0'"


def test_success_needs_done_unless_told_otherwise() -> None:
    trajectory = make_trajectory("t", ending=Ending.STEP_LIMIT, success=True)
    assert verdict_of(trajectory)[0] is Outcome.FAILURE
    assert verdict_of(trajectory, require_done=False)[0] is Outcome.SUCCESS


def ending_with(trajectory: Trajectory, action: Action) -> Trajectory:
    last = trajectory.steps[-1]
    decision = Decision(action, str(action), (), (), 0, "testing")
    steps = (*trajectory.steps[:-1], msgspec.structs.replace(last, decision=decision))
    return msgspec.structs.replace(trajectory, steps=steps)


def test_giving_up_is_not_done() -> None:
    trajectory = ending_with(make_trajectory("t"), Action(ActionKind.IMPOSSIBLE))
    assert verdict_of(trajectory)[0] is Outcome.FAILURE


def test_an_unanswered_probe_is_unknown() -> None:
    trajectory = msgspec.structs.replace(make_trajectory("t"), answers={})
    outcome, evidence = verdict_of(trajectory)
    assert outcome is Outcome.UNKNOWN
    assert "pressed" in evidence


def test_no_check_is_unknown() -> None:
    trajectory = make_trajectory("t")
    task = msgspec.structs.replace(trajectory.task, check=())
    assert verdict_of(msgspec.structs.replace(trajectory, task=task))[0] is Outcome.UNKNOWN


def test_the_agents_own_answer_is_the_probe_without_a_command() -> None:
    task = Task(
        "q",
        "What?",
        "testing",
        "train",
        9,
        probes={"answer": ""},
        check=(Condition("answer", "equals", "42"),),
    )
    trajectory = msgspec.structs.replace(make_trajectory("t"), task=task, answers={"answer": ""})
    assert verdict_of(trajectory)[0] is Outcome.FAILURE
    right = ending_with(trajectory, Action(ActionKind.ANSWER, text="42"))
    assert verdict_of(right)[0] is Outcome.SUCCESS
    assert verdict_of(ending_with(trajectory, Action(ActionKind.ANSWER, text="41")))[0] is Outcome.FAILURE


@pytest.mark.parametrize(("op", "value"), [("matches", "("), ("rows", "two"), ("at_least", "x")])
def test_a_check_that_makes_no_sense_is_unknown(op: str, value: str) -> None:
    trajectory = make_trajectory("t")
    task = msgspec.structs.replace(trajectory.task, check=(Condition("pressed", op, value),))
    outcome, evidence = verdict_of(msgspec.structs.replace(trajectory, task=task))
    assert outcome is Outcome.UNKNOWN
    assert re.search(re.escape(repr(value)), evidence)
