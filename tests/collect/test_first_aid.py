"""Faults in an episode: mended where the phone kept its state, its end otherwise, never a wrong label."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.collect.faults import Fault, has_stuck_app, is_black, kind_of
from distrl.errors import DeviceError, DeviceLost, DeviceTimeout
from distrl.imaging import encode_image
from distrl.records import Ending, Observation, Trajectory, UiNode
from distrl.testing.trajectories import make_observation, make_task

Make = Callable[..., Any]
BLACK = Observation(encode_image(Image.new("RGB", (8, 8), (3, 2, 4))), 8, 8, None, "", 0.0)


def run(device: Any, policy: Any, limits: EpisodeLimits | None = None) -> tuple[Trajectory, list[Fault]]:
    faults: list[Fault] = []

    async def go() -> Trajectory:
        client = BatchedPolicy(policy)
        server = asyncio.ensure_future(client.run())
        try:
            return await run_episode(
                device,
                client,
                make_task(max_steps=6),
                seed=1,
                run="r",
                worker="w",
                limits=limits or EpisodeLimits(),
                on_fault=faults.append,
            )
        finally:
            server.cancel()

    return asyncio.run(go()), faults


@pytest.mark.parametrize(("operation", "step"), [("observe", 0), ("act", 0), ("probe", 2), ("reset", 0)])
def test_a_lost_connection_is_mended_and_noted(
    mendable: Make, fake_policy: Make, fail_once: Make, operation: str, step: int
) -> None:
    device = mendable("d", fail_once(operation))
    trajectory, faults = run(device, fake_policy(3))
    assert trajectory.ending is Ending.AGENT_DONE
    assert device.applied == ["reconnect"]
    assert [bool(each.fault) for each in trajectory.steps] == [index == step for index in range(3)]
    assert trajectory.steps[step].fault == "disconnect"
    assert [(fault.kind, fault.operation, fault.survived) for fault in faults] == [
        ("disconnect", operation, True)
    ]


def test_an_action_is_never_carried_out_twice(mendable: Make, fake_policy: Make, fail_once: Make) -> None:
    device = mendable("d", fail_once("act", at=2))
    trajectory, _ = run(device, fake_policy(3))
    assert device.calls.count("act") == len(trajectory.steps) == 3


@pytest.mark.parametrize("operation", ["observe", "act", "probe"])
def test_a_restart_ends_the_episode(
    mendable: Make, fake_policy: Make, fail_once: Make, operation: str
) -> None:
    class Restarting:
        def __init__(self) -> None:
            self.fail = fail_once(operation)

        def __call__(self, called: str) -> None:
            try:
                self.fail(called)
            except DeviceLost:
                device.boots += 1
                raise

    device = mendable("d", Restarting())
    trajectory, faults = run(device, fake_policy(3))
    assert trajectory.ending is Ending.DEVICE_LOST
    assert not trajectory.trainable
    assert [(fault.kind, fault.survived) for fault in faults] == [("reboot", False)]


def test_a_restart_that_no_call_has_noticed_makes_no_label(mendable: Make, fake_policy: Make) -> None:
    def restart_before_the_probe(operation: str) -> None:
        device.boots += operation == "probe"

    device = mendable("d", restart_before_the_probe)
    trajectory, faults = run(device, fake_policy(3))
    assert trajectory.ending is Ending.DEVICE_LOST
    assert faults == [Fault("reboot", "boot_id", survived=False)]


def test_a_device_that_cannot_tell_that_it_kept_its_state_is_lost(
    fake_device: Make, fake_policy: Make, fail_once: Make
) -> None:
    trajectory, faults = run(fake_device("d", fail_once("observe")), fake_policy(3))
    assert trajectory.ending is Ending.DEVICE_LOST
    assert faults == [Fault("disconnect", "observe", survived=False)]


def test_too_many_faults_are_the_devices_end(mendable: Make, fake_policy: Make) -> None:
    def always(operation: str) -> None:
        if operation == "act":
            raise DeviceLost("a loose cable")

    trajectory, faults = run(mendable("d", always), fake_policy(9), EpisodeLimits(faults=2))
    assert trajectory.ending is Ending.DEVICE_LOST
    assert len(trajectory.steps) == 2
    assert [fault.survived for fault in faults] == [True, True, False]


def test_a_hang_is_mended_after_the_deadline(mendable: Make, fake_policy: Make, simulated_time: Make) -> None:
    device = mendable("d")
    observe, hangs = device.observe, [True]

    async def hang_once() -> Observation:
        if hangs:
            hangs.pop()
            await asyncio.Event().wait()
        return await observe()  # type: ignore[no-any-return]

    device.observe = hang_once

    async def go() -> Trajectory:
        client = BatchedPolicy(fake_policy(2))
        server = asyncio.ensure_future(client.run())
        trajectory = await run_episode(
            device, client, make_task(), seed=0, run="r", worker="w", limits=EpisodeLimits()
        )
        server.cancel()
        return trajectory

    trajectory = simulated_time(go())
    assert trajectory.ending is Ending.AGENT_DONE
    assert trajectory.steps[0].fault == "hang"


class Darkening:
    """A screen that is black from the n-th look on, for some looks."""

    def __init__(self, device: Any, at: int, looks: int) -> None:
        self.device, self.at, self.looks, self.seen = device, at, looks, 0

    async def __call__(self) -> Observation:
        self.seen += 1
        if self.at <= self.seen < self.at + self.looks:
            return BLACK
        return make_observation(self.seen)


@pytest.mark.parametrize(("looks", "survives"), [(2, True), (3, False)])
def test_a_black_screen_is_looked_at_again_and_never_shown_to_the_agent(
    mendable: Make, fake_policy: Make, looks: int, survives: bool
) -> None:
    device = mendable("d")
    device.observe = Darkening(device, at=2, looks=looks)
    trajectory, faults = run(device, fake_policy(3))
    assert (trajectory.ending is Ending.AGENT_DONE) is survives
    assert [(fault.kind, fault.survived) for fault in faults] == [("black_screen", survives)]
    assert not any(is_black(step.observation) for step in trajectory.steps)
    if survives:
        assert trajectory.steps[0].fault == "black_screen"


def test_what_is_black() -> None:
    assert is_black(BLACK)
    lit = Observation(encode_image(Image.new("RGB", (8, 8), (3, 2, 90))), 8, 8, None, "", 0.0)
    assert not is_black(lit)
    secret = Observation(BLACK.screenshot, 8, 8, make_observation().ui, "com.bank", 0.0)
    assert not is_black(secret)


def test_a_dialog_of_the_system_is_left_to_the_agent(mendable: Make, fake_policy: Make) -> None:
    frame = UiNode("android.widget.FrameLayout", "", "", "", "android", (0, 0, 8, 8))
    text = UiNode("android.widget.TextView", "Clock isn't responding", "", "", "android", (0, 0, 8, 4), 0)
    stuck = Observation(make_observation().screenshot, 8, 8, (frame, text), "android", 0.0)
    assert has_stuck_app(stuck)
    device = mendable("d")

    async def observe() -> Observation:
        return stuck

    device.observe = observe
    trajectory, faults = run(device, fake_policy(3))
    assert trajectory.ending is Ending.AGENT_DONE
    assert [fault.kind for fault in faults] == ["dialog"]
    assert device.applied == []


def test_kinds_of_errors() -> None:
    assert kind_of(DeviceTimeout("")) == kind_of(TimeoutError()) == "hang"
    assert kind_of(DeviceLost("")) == "disconnect"
    assert kind_of(DeviceError("")) == "error"


def test_a_clock_that_jumps_back_changes_no_duration(
    mendable: Make, fake_policy: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = iter(range(1000, 0, -1))
    monkeypatch.setattr(time, "time", lambda: 3600.0 * next(hours))
    trajectory, _ = run(mendable("d"), fake_policy(3))
    assert 0 <= trajectory.ended_at - trajectory.started_at < 60
    assert all(0 <= step.seconds < 60 for step in trajectory.steps)
    assert trajectory.ending is Ending.AGENT_DONE
