"""The starter suite on simulated phones: the expert solves everything, and nothing less does."""

from __future__ import annotations

import asyncio
import os

import pytest

from distrl.config import DeviceConfig
from distrl.devices.simulated import SimulatedDevice
from distrl.devices.simulated import build as build_device
from distrl.interfaces import Suite
from distrl.records import Task
from distrl.tasks.starter import build
from distrl.testing.suite_contract import SUITE_CONTRACT, Clause, all_tasks, run_plan

SUITE = build()
TASKS = all_tasks(SUITE)
FAMILIES = 14
# The first tasks of each family and split; with DISTRL_FULL=1 all.
TRIED = TASKS if os.environ.get("DISTRL_FULL") else [task for task in TASKS if task.id.endswith("-00")]


def make() -> SimulatedDevice:
    return build_device(DeviceConfig(options={"pictures": "off"}))


@pytest.mark.parametrize("clause", SUITE_CONTRACT, ids=lambda clause: clause.__name__)
@pytest.mark.parametrize("task", TRIED, ids=lambda task: task.id)
def test_contract(clause: Clause, task: Task) -> None:
    asyncio.run(clause(make, SUITE, task))


def test_the_expert_mostly_solves_tasks_in_spite_of_noise() -> None:
    async def run() -> int:
        solved = 0
        for seed, task in enumerate(SUITE.tasks("train")):
            trajectory = await run_plan(make, task, SUITE.plan(task) or (), seed, noise=0.1)
            solved += trajectory.success
        return solved

    assert asyncio.run(run()) >= 0.8 * len(SUITE.tasks("train"))


def test_the_suite_is_what_the_documentation_says() -> None:
    assert isinstance(SUITE, Suite)
    assert (SUITE.name, SUITE.version) == ("starter", "1")
    assert {split: len(SUITE.tasks(split)) for split in SUITE.splits()} == {
        "train": 112,
        "val": 28,
        "test": 28,
    }
    assert {task.level for task in TASKS} == {1, 2, 3}
    assert {task.max_steps for task in TASKS} == {15, 20}
    assert all(SUITE.plan(task) for task in TASKS)


def test_the_suite_is_always_the_same() -> None:
    assert build().digest() == SUITE.digest()


def test_splits_share_neither_ids_nor_goals() -> None:
    assert len({task.id for task in TASKS}) == len(TASKS)
    assert len({(task.family, task.goal) for task in TASKS}) == len(TASKS)
    assert len({(task.family, str(task.probes), task.check) for task in TASKS}) == len(TASKS)


def test_every_family_is_in_every_split() -> None:
    families = [{task.family for task in SUITE.tasks(split)} for split in SUITE.splits()]
    assert families[0] == families[1] == families[2]
    assert len(families[0]) == FAMILIES


def test_every_task_has_its_own_world() -> None:
    worlds = [task.setup[0] for task in TASKS]
    assert all(world.startswith("simphone world ") for world in worlds)
    assert len(set(worlds)) == len(worlds)
