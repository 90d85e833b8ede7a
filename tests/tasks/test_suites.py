"""The suites `general` and `web-shopping` on simulated phones.

A sample of every family is tried here; with DISTRL_FULL=1 every task of every split is.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, defaultdict

import pytest

from distrl.agents.heuristic import HeuristicPolicy
from distrl.config import DeviceConfig
from distrl.devices.simulated import SimulatedDevice
from distrl.devices.simulated import build as build_device
from distrl.interfaces import Suite, VaryingSuite
from distrl.records import Task
from distrl.tasks import find_suite
from distrl.testing.suite_contract import (
    SIBLINGS,
    all_tasks,
    doing_nothing_fails,
    run_decisions,
    run_plan,
    siblings_solutions_fail,
    stopping_early_fails,
    the_expert_solves_it,
)

FULL = bool(os.environ.get("DISTRL_FULL"))
pytestmark = [pytest.mark.timeout(0)] if FULL else []  # a family then takes minutes
SUITES: dict[str, Suite] = {name: find_suite(name) for name in ("general", "web-shopping")}
SPLITS = ("train", "val", "test", "test_template", "test_app")
DIGESTS = {
    "general": "8a86292fd4a8b0dc8dd1e558fbd4f00ce7a30495604d637292608baaf9efb061",
    "web-shopping": "9b392d5d9ba94a813af9a9fa6181ebaccca792cf2f22bdca70ed098f70007e25",
}
"""The suites are frozen: results are comparable only as long as these do not change."""


def make() -> SimulatedDevice:
    return build_device(DeviceConfig(options={"pictures": "off"}))


def tasks_by_family(suite: Suite) -> dict[str, list[Task]]:
    families: dict[str, list[Task]] = defaultdict(list)
    for task in all_tasks(suite):
        families[task.family].append(task)
    return families


def sample(tasks: list[Task], count: int) -> list[Task]:
    """Some tasks, the first and the last among them, so that several splits occur; with FULL, all."""
    if FULL or len(tasks) <= count:
        return tasks
    return [tasks[place * (len(tasks) - 1) // (count - 1)] for place in range(count)]


FAMILIES = [(name, family) for name, suite in SUITES.items() for family in tasks_by_family(suite)]


@pytest.mark.parametrize(("name", "family"), FAMILIES, ids=lambda word: str(word))
def test_contract(name: str, family: str) -> None:
    suite = SUITES[name]
    siblings = 12 if FULL else SIBLINGS

    async def run() -> None:
        for task in sample(tasks_by_family(suite)[family], 2):
            await the_expert_solves_it(make, suite, task)
            await doing_nothing_fails(make, suite, task)
            await stopping_early_fails(make, suite, task)
            await siblings_solutions_fail(make, suite, task, siblings)

    asyncio.run(run())


@pytest.mark.parametrize("name", SUITES)
def test_the_suite_is_frozen(name: str) -> None:
    assert SUITES[name].digest() == DIGESTS[name], (
        f"{name} has changed. Its version 1 is frozen: make a version 2 and rerun every published result"
    )


@pytest.mark.parametrize("name", SUITES)
def test_training_goes_on_beyond_the_listed_tasks_and_never_with_those_held_back(name: str) -> None:
    suite = SUITES[name]
    assert isinstance(suite, VaryingSuite)
    held = [task for split in SPLITS[1:] for task in suite.tasks(split)]
    goals = {task.goal.casefold() for task in held}
    required = {requirement(task) for task in held}
    drawn = [suite.vary(task, 5) for task in suite.tasks("train")]
    assert not goals & {task.goal.casefold() for task in drawn}
    assert not required & {requirement(task) for task in drawn}
    assert {task.split for task in drawn} == {"train"}
    listed = {task.goal for task in suite.tasks("train")}
    assert sum(task.goal not in listed for task in drawn) > len(drawn) / 2
    for task, other in zip(suite.tasks("train"), drawn, strict=True):
        assert (other.origin, other.family, other.level) == (task.id, task.family, other.level)


def requirement(task: Task) -> tuple[tuple[str, str, str], ...]:
    """What a task checks, whatever its probes are called."""
    return tuple(sorted((task.probes[one.probe], one.op, one.value) for one in task.check))


@pytest.mark.parametrize("name", SUITES)
def test_the_expert_solves_what_is_drawn_anew(name: str) -> None:
    suite = SUITES[name]
    assert isinstance(suite, VaryingSuite)
    families = {task.family: task for task in suite.tasks("train")}  # the last of each

    async def run() -> None:
        for number, task in enumerate(families.values()):
            for seed in range(20 if FULL else 1):
                await the_expert_solves_it(make, suite, suite.vary(task, 1000 * number + seed))

    asyncio.run(run())


@pytest.mark.parametrize("name", SUITES)
def test_splits_are_disjoint(name: str) -> None:
    tasks = all_tasks(SUITES[name])
    assert len({task.id for task in tasks}) == len(tasks)
    assert len({task.goal.casefold() for task in tasks}) == len(tasks)
    # The same requirement under other names of probes would be the same task in other words.
    asked = Counter(
        (task.split, tuple(sorted((task.probes[c.probe], c.op, c.value) for c in task.check)))
        for task in tasks
    )
    splits: dict[object, set[str]] = defaultdict(set)
    for split, required in asked:
        splits[required].add(split)
    shared = [required for required, found in splits.items() if len(found) > 1]
    assert not shared


@pytest.mark.parametrize(
    ("name", "steps", "least"),
    [
        ("general", 15, {"train": 600, "val": 100, "test": 128, "test_template": 100, "test_app": 64}),
        ("web-shopping", 20, {"train": 500, "val": 100, "test": 128, "test_template": 100, "test_app": 64}),
    ],
)
def test_splits_are_large_and_hard_enough(name: str, steps: int, least: dict[str, int]) -> None:
    suite = SUITES[name]
    assert suite.splits() == SPLITS
    for split, count in least.items():
        tasks = suite.tasks(split)
        assert len(tasks) >= count
        assert {task.level for task in tasks} == {1, 2, 3}
        assert sum(task.level == 3 for task in tasks) >= 0.4 * len(tasks)
        assert sum(task.family.startswith("carry-") for task in tasks) <= 0.1 * len(tasks)
        assert {task.max_steps for task in tasks} == {steps}
        assert all(suite.plan(task) for task in tasks)


def test_what_is_new_in_test_app_is_new() -> None:
    opened: dict[str, set[str]] = defaultdict(set)
    for name, suite in SUITES.items():
        for task in all_tasks(suite):
            part = "new" if task.split == "test_app" else "known"
            for step in suite.plan(task) or ():
                if step.do == "open_app" or step.target in (
                    "Ridgeline Outdoor",
                    "Larkspur Market",
                    "Voltaic",
                ):
                    opened[f"{name} {part}"].add(step.target)
    assert "Files" in opened["general new"]
    assert "Files" not in opened["general known"]
    assert "Ridgeline Outdoor" in opened["web-shopping new"]
    assert "Ridgeline Outdoor" not in opened["web-shopping known"]
    assert "Ridgeline" not in " ".join(
        task.goal for split in SPLITS[:4] for task in SUITES["web-shopping"].tasks(split)
    )


def test_only_carrying_families_type_what_the_goal_does_not_say() -> None:
    for suite in SUITES.values():
        for task in all_tasks(suite):
            typed = [step.value for step in suite.plan(task) or () if step.do == "type"]
            new = [text for text in typed if text.casefold() not in task.goal.casefold()]
            assert bool(new) == task.family.startswith("carry-"), task


@pytest.mark.parametrize("name", SUITES)
def test_matching_words_solves_almost_nothing_of_the_hardest_level(name: str) -> None:
    policy = HeuristicPolicy()
    hardest = [task for task in all_tasks(SUITES[name]) if task.level == 3]
    tried = sample(hardest, 100)

    async def run() -> int:
        solved = 0
        for task in tried:
            trajectory = await run_decisions(make, task, lambda seen: policy.decide([seen])[0], seed=0)
            solved += trajectory.success
        return solved

    assert asyncio.run(run()) <= 0.1 * len(tried)


@pytest.mark.parametrize("name", SUITES)
def test_the_expert_mostly_solves_tasks_in_spite_of_noise(name: str) -> None:
    suite = SUITES[name]
    tried = sample(all_tasks(suite), 100)

    async def run() -> int:
        solved = 0
        for seed, task in enumerate(tried):
            trajectory = await run_plan(make, task, suite.plan(task) or (), seed, noise=0.15)
            solved += trajectory.success
        return solved

    assert asyncio.run(run()) >= 0.7 * len(tried)
