"""MiniWoB++: what the suite holds, and a handful of its environments in a real Chromium."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from distrl.agents.expert import Expert
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.config import DeviceConfig
from distrl.demonstrators import ExpertClient, run_episodes
from distrl.devices.browser.chromium import find_chromium
from distrl.devices.browser.device import BrowserDevice, build
from distrl.errors import DeviceError, TaskError
from distrl.interfaces import PlanStep, Suite
from distrl.records import Outcome, Task, Trajectory
from distrl.rewards.checks import CheckJudge
from distrl.tasks import find_suite
from distrl.tasks.miniwob import SPLITS, MiniwobSuite
from distrl.tasks.miniwob.pages import LEFT_OUT

SUITE = MiniwobSuite()
TASKS = {split: SUITE.tasks(split) for split in SUITE.splits()}
ENVIRONMENTS = 121
WITH_PLANS = 24
TRIED = (
    "choose-list",
    "click-checkboxes",
    "click-dialog-2",
    "click-test",
    "email-inbox-delete",
    "enter-text",
    "login-user",
)


@pytest.fixture(scope="session")
def pages() -> Path:
    """The folder of MiniWoB++'s pages."""
    spec = find_spec("miniwob")
    if spec is None or spec.origin is None:
        pytest.skip("needs the pages of MiniWoB++: pip install miniwob")
    return Path(spec.origin).parent / "html" / "miniwob"


@pytest.fixture(scope="session")
def browser(pages: Path) -> None:
    """Skips where there is nothing to show pages with."""
    try:
        find_chromium()
    except DeviceError as error:
        pytest.skip(str(error))


def make() -> BrowserDevice:
    return build(DeviceConfig(kind="browser"))


def first(env: str, number: int = 0) -> Task:
    return [task for task in TASKS["train"] if task.family == env][number]


def test_the_suite_is_what_the_documentation_says() -> None:
    assert isinstance(find_suite("miniwob"), Suite)
    families = {task.family for task in TASKS["train"]}
    assert len(families) == ENVIRONMENTS
    assert {split: len(tasks) for split, tasks in TASKS.items()} == {
        split: count * ENVIRONMENTS for split, (_, count) in SPLITS.items()
    }
    assert len({task.family for task in TASKS["train"] if SUITE.plan(task)}) == WITH_PLANS
    assert MiniwobSuite().digest() == SUITE.digest()
    with pytest.raises(TaskError, match="no split 'dev'"):
        SUITE.tasks("dev")


def test_no_seed_is_in_two_splits_and_no_id_is_used_twice() -> None:
    seeds = {split: {int(task.id.rpartition("-")[2]) for task in tasks} for split, tasks in TASKS.items()}
    assert not seeds["train"] & seeds["val"]
    assert not seeds["train"] & seeds["test"]
    assert not seeds["val"] & seeds["test"]
    ids = [task.id for tasks in TASKS.values() for task in tasks]
    assert len(set(ids)) == len(ids)


def test_every_page_of_the_package_is_in_or_left_out_for_a_reason(pages: Path) -> None:
    shipped = {page.stem for page in pages.glob("*.html")}
    assert {task.family for task in TASKS["train"]} == shipped - LEFT_OUT.keys()
    assert {env for env in LEFT_OUT if not env.startswith("flight.")} <= shipped


def run(episodes: list[tuple[Task, tuple[PlanStep, ...]]]) -> list[Trajectory]:
    """The expert's episodes with these plans, judged."""
    return asyncio.run(
        run_episodes(
            [(task, 0, ExpertClient(Expert(plan))) for task, plan in episodes],
            [make(), make()],
            CheckJudge(),
            "testing",
            lambda done: None,
        )
    )


@pytest.mark.usefixtures("browser")
def test_plans_solve_their_own_task_and_nothing_else_does() -> None:
    own = [(first(env), SUITE.plan(first(env)) or ()) for env in TRIED]
    changing = [env for env in TRIED if first(env).goal != first(env, 1).goal]
    others = [(first(env), SUITE.plan(first(env, 1)) or ()) for env in changing]
    nothing: list[tuple[Task, tuple[PlanStep, ...]]] = [(first(env), ()) for env in TRIED]
    found = run([*own, *others, *nothing])
    outcomes = {
        (kind, one.task.family): one.verdict
        for kind, trajectories in (
            ("own", found[: len(own)]),
            ("other", found[len(own) : -len(nothing)]),
            ("nothing", found[-len(nothing) :]),
        )
        for one in trajectories
    }
    for (kind, env), verdict in outcomes.items():
        expected = Outcome.SUCCESS if kind == "own" else Outcome.FAILURE
        assert verdict.outcome is expected, (kind, env, verdict.evidence)


@pytest.mark.usefixtures("browser")
def test_a_page_that_asks_for_something_else_does_not_begin() -> None:
    task = first("click-button")
    other = msgspec.structs.replace(
        task, setup=(*task.setup[:-1], task.setup[-1].replace("Click", "Do not click"))
    )

    async def begin() -> None:
        device = make()
        await device.open()
        try:
            await device.reset(other, 0)
        finally:
            await device.close()

    with pytest.raises(TaskError, match="require"):
        asyncio.run(begin())


@pytest.mark.usefixtures("browser")
def test_rewards_are_the_pages_own_and_time_costs_nothing() -> None:
    task = first("click-test")

    async def play() -> Trajectory:
        device = make()
        await device.open()
        try:
            client = ExpertClient(Expert(SUITE.plan(task) or ()))
            limits = EpisodeLimits()
            trajectory = await run_episode(device, client, task, seed=0, run="r", worker="w", limits=limits)
            assert await device.probe("eval core.EPISODE_MAX_TIME > 1e9") == "true"
            return trajectory
        finally:
            await device.close()

    trajectory = asyncio.run(play())
    assert trajectory.answers == {"done": "true", "reward": "1"}
    assert trajectory.final is not None
    assert "START" in {node.text for node in trajectory.final.ui or ()}  # the cover of a page that is done
