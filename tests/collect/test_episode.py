"""Episodes: every ending, and a device's trouble never looks like the agent's failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.errors import PolicyError
from distrl.records import Ending, Outcome, Trajectory
from distrl.testing.trajectories import make_task

Make = Callable[..., Any]


def run(device: Any, policy: Any, limits: EpisodeLimits | None = None, max_steps: int = 6) -> Trajectory:
    async def go() -> Trajectory:
        client = BatchedPolicy(policy)
        server = asyncio.ensure_future(client.run())
        try:
            return await run_episode(
                device,
                client,
                make_task(max_steps=max_steps),
                seed=1,
                run="r",
                worker="w",
                limits=limits or EpisodeLimits(),
            )
        finally:
            server.cancel()

    return asyncio.run(go())


def test_agent_says_done(fake_device: Make, fake_policy: Make) -> None:
    trajectory = run(fake_device("d"), fake_policy(3))
    assert trajectory.ending is Ending.AGENT_DONE
    assert len(trajectory.steps) == 3
    assert trajectory.answers == {"pressed": "1"}
    assert trajectory.final is not None
    assert trajectory.verdict.outcome is Outcome.UNKNOWN


def test_step_limit(fake_device: Make, fake_policy: Make) -> None:
    trajectory = run(fake_device("d"), fake_policy(99), max_steps=4)
    assert trajectory.ending is Ending.STEP_LIMIT
    assert len(trajectory.steps) == 4


def test_each_step_holds_what_was_seen_before_acting(fake_device: Make, fake_policy: Make) -> None:
    trajectory = run(fake_device("d"), fake_policy(3))
    pictures = [step.observation.screenshot.data for step in trajectory.steps]
    assert len(set(pictures)) == 3
    assert trajectory.final is not None
    assert trajectory.final.screenshot.data not in pictures


@pytest.mark.parametrize("operation", ["reset", "observe", "act", "probe"])
def test_a_lost_device_is_an_ending_and_never_trainable(
    fake_device: Make, fake_policy: Make, fail_once: Make, operation: str
) -> None:
    trajectory = run(fake_device("d", fail_once(operation)), fake_policy(3))
    assert trajectory.ending is Ending.DEVICE_LOST
    assert not trajectory.trainable


def test_a_hanging_device_is_lost_after_the_deadline(fake_device: Make, fake_policy: Make) -> None:
    device = fake_device("d")

    async def hang(action: object) -> None:
        await asyncio.Event().wait()

    device.act = hang
    trajectory = run(device, fake_policy(3), EpisodeLimits(step_timeout_s=0.05))
    assert trajectory.ending is Ending.DEVICE_LOST


def test_an_endless_episode_is_cut(fake_device: Make, fake_policy: Make) -> None:
    trajectory = run(fake_device("d"), fake_policy(99), EpisodeLimits(episode_timeout_s=0.0))
    assert trajectory.ending is Ending.TIME_LIMIT
    assert len(trajectory.steps) == 1
    assert not trajectory.trainable


def test_a_broken_policy_is_not_hidden(fake_device: Make, fake_policy: Make) -> None:
    policy = fake_policy(3)

    def broken(situations: object, *, greedy: bool = False) -> list[object]:
        raise PolicyError("no weights")

    policy.decide = broken
    with pytest.raises(PolicyError, match="no weights"):
        run(fake_device("d"), policy)
