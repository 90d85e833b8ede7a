"""What is half solved comes more often, families vouch for tasks not met yet, and groups stay together."""

import itertools

import pytest
from msgspec.structs import replace

from distrl.collect.curriculum import Curriculum
from distrl.interfaces import TaskRecord
from distrl.records import Task
from distrl.testing.trajectories import make_task

TASKS = [make_task(f"task-{number}") for number in range(20)]


@pytest.mark.parametrize("group", [1, 3, 8])
def test_a_task_is_dealt_as_often_in_a_row_as_asked(group: int) -> None:
    curriculum = Curriculum(TASKS, share=0.5, seed=1, group=group)
    dealt = [curriculum.draw().id for _ in range(40 * group)]
    groups = [dealt[start : start + group] for start in range(0, len(dealt), group)]
    assert all(len(set(one)) == 1 for one in groups)
    assert len({one[0] for one in groups}) > 10
    assert any(first[0] != second[0] for first, second in itertools.pairwise(groups))


def test_groups_follow_what_is_half_solved() -> None:
    curriculum = Curriculum(TASKS, share=1.0, seed=1, group=4)
    curriculum.learn({task.id: TaskRecord(20, 10 if number < 2 else 20) for number, task in enumerate(TASKS)})
    dealt = [curriculum.draw().id for _ in range(400)]
    assert sum(one in ("task-0", "task-1") for one in dealt) > 80  # evenly it would be 40


def test_a_family_speaks_for_tasks_that_nobody_has_tried() -> None:
    hard = [make_task(f"hard-{number}", family="hard") for number in range(10)]
    easy = [make_task(f"easy-{number}", family="easy") for number in range(10)]
    curriculum = Curriculum([*hard, *easy], share=1.0, seed=1)
    curriculum.learn({"hard-0": TaskRecord(20, 8), "easy-0": TaskRecord(20, 20)})
    dealt = [curriculum.draw() for _ in range(400)]
    untried = [task.family for task in dealt if not task.id.endswith("-0")]
    assert untried.count("hard") > 2 * untried.count("easy")


def test_a_task_that_differs_from_its_family_comes_to_speak_for_itself() -> None:
    tasks = [make_task(f"task-{number}", family="all") for number in range(10)]
    curriculum = Curriculum(tasks, share=1.0, seed=1)
    records = {task.id: TaskRecord(30, 30) for task in tasks}
    curriculum.learn(records | {"task-3": TaskRecord(30, 15)})
    dealt = [curriculum.draw().id for _ in range(400)]
    assert dealt.count("task-3") > 150  # evenly it would be 40


def test_the_episodes_of_a_group_differ() -> None:
    curriculum = Curriculum(TASKS, share=0.5, seed=1, group=4)
    seeds = set()
    for _ in range(4):
        curriculum.draw()
        seeds.add(curriculum.vary(TASKS[0])[1])
    assert len(seeds) == 4


def test_another_task_is_met_in_its_place_where_that_is_possible() -> None:
    def elsewhere(task: Task, seed: int) -> Task:
        return replace(task, setup=(f"world {seed}",))

    curriculum = Curriculum(TASKS, share=0.5, seed=1, vary=elsewhere)
    met = [curriculum.vary(TASKS[0]) for _ in range(3)]
    assert len({seed for _, seed in met}) == 3
    assert [task.setup for task, _ in met] == [(f"world {seed}",) for _, seed in met]
    assert {task.id for task, _ in met} == {TASKS[0].id}
    assert Curriculum(TASKS, share=0.5, seed=1).vary(TASKS[0])[0] is TASKS[0]
