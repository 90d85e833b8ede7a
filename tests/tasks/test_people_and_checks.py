"""Checks agree with a person who looks at the screen, also where an agent went its own way."""

from __future__ import annotations

import asyncio

import pytest

from distrl.config import DeviceConfig
from distrl.devices.simulated import SimulatedDevice
from distrl.devices.simulated import build as build_device
from distrl.interfaces import PlanStep
from distrl.records import Action, ActionKind, Task
from distrl.rewards.checks import evaluate
from distrl.tasks import find_suite
from distrl.testing.suite_contract import run_actions, run_plan

SHOPPING = find_suite("web-shopping")


def make() -> SimulatedDevice:
    return build_device(DeviceConfig(options={"pictures": "off"}))


def expected_price(task: Task) -> str:
    plan = SHOPPING.plan(task) or ()
    return next(step.value for step in plan if step.do == "answer").removeprefix("$")


@pytest.mark.parametrize("words", ["{}", "${}", "It costs ${}.", "{} dollars"])
def test_a_price_may_be_told_in_a_sentence(words: str) -> None:
    for task in SHOPPING.tasks("val"):
        if task.family == "ask-price":
            assert not evaluate(task.check, {"answer": words.format(expected_price(task))})


@pytest.mark.parametrize("words", ["1{}", "{}5", "{} or 12.50", "cheap", ""])
def test_a_wrong_price_is_refused(words: str) -> None:
    for task in SHOPPING.tasks("val"):
        if task.family == "ask-price":
            assert evaluate(task.check, {"answer": words.format(expected_price(task))})


def actions_of(task: Task, plan: tuple[PlanStep, ...]) -> list[Action]:
    trajectory = asyncio.run(run_plan(make, task, plan, seed=0))
    return [step.decision.action for step in trajectory.steps]


@pytest.mark.parametrize(
    ("detour", "solved"), [("into the cart and back", True), ("back to the list", False)]
)
def test_the_page_in_front_counts_not_the_one_opened_last(detour: str, solved: bool) -> None:
    task = next(
        task for task in SHOPPING.tasks("train") if task.family == "find" and "Pageturner" in task.goal
    )
    plan = tuple(SHOPPING.plan(task) or ())
    more = (PlanStep("tap", "Book bag"),) if solved else ()
    actions = actions_of(task, (*plan, *more))[:-1]
    actions += [Action(ActionKind.BACK), Action(ActionKind.DONE)]
    trajectory = asyncio.run(run_actions(make, task, actions, seed=0))
    assert trajectory.success == solved, trajectory.verdict.evidence
