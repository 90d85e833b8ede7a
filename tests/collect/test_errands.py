"""A list of episodes on devices that break: every one is run, and no fault counts as the agent's failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits
from distrl.collect.errands import Errand, Errands
from distrl.collect.ladder import RepairSettings
from distrl.errors import DeviceError, DeviceLost, JudgeError
from distrl.interfaces import Device, Judge
from distrl.records import Ending, Outcome, Trajectory, Verdict
from distrl.testing.trajectories import make_task

Make = Callable[..., Any]


class FakeJudge:
    """Success, unless the device was lost."""

    name, version = "fake", "1"

    async def judge(self, trajectory: Trajectory) -> Verdict:
        lost = trajectory.ending is Ending.DEVICE_LOST
        return Verdict(Outcome.UNKNOWN if lost else Outcome.SUCCESS, self.name, self.version, "")


class BrokenJudge(FakeJudge):
    async def judge(self, trajectory: Trajectory) -> Verdict:
        raise JudgeError("the judge is out to lunch")


async def run(
    devices: Sequence[Device],
    policy: Any,
    *,
    episodes: int = 6,
    judge: Judge | None = None,
    replace: Callable[[int], Device] | None = None,
    told: list[Trajectory] | None = None,
) -> list[Trajectory]:
    batched = BatchedPolicy(policy)
    errands = Errands(
        [Errand(make_task(f"task-{index}"), index, batched) for index in range(episodes)],
        devices,
        judge or FakeJudge(),
        run="test",
        worker="tester",
        limits=EpisodeLimits(step_timeout_s=60.0),
        repair=RepairSettings(quarantine_s=5.0),
        replace=replace,
        on_episode=None if told is None else told.append,
    )
    server = asyncio.ensure_future(batched.run())
    try:
        return await errands.run()
    finally:
        server.cancel()


def no_cable(operation: str) -> None:
    raise DeviceLost("pulled the cable")


def all_solved(found: list[Trajectory], episodes: int = 6) -> bool:
    tasks = [trajectory.task.id for trajectory in found]
    return tasks == [f"task-{index}" for index in range(episodes)] and all(each.success for each in found)


def test_every_episode_is_run_once_and_told(
    simulated_time: Make, fake_device: Make, fake_policy: Make
) -> None:
    devices, told = [fake_device("a"), fake_device("b")], list[Trajectory]()
    found = simulated_time(run(devices, fake_policy(), told=told))
    assert all_solved(found)
    assert len(told) == 6
    assert {trajectory.device for trajectory in found} == {"a", "b"}
    assert all(device.calls[-1] == "close" for device in devices)


def test_nothing_to_do_opens_nothing(simulated_time: Make, fake_device: Make, fake_policy: Make) -> None:
    device = fake_device("a")
    assert simulated_time(run([device], fake_policy(), episodes=0)) == []
    assert device.calls == []


def test_a_lost_episode_is_run_again_after_the_repair(
    simulated_time: Make, mendable: Make, fake_policy: Make, fail_once: Make
) -> None:
    device = mendable("a", fail_once("reset", at=2))
    assert all_solved(simulated_time(run([device], fake_policy())))
    assert device.applied[0] == "reconnect"


def test_a_device_that_hangs_is_left_to_the_ladder_and_the_others_do_the_work(
    simulated_time: Make, fake_policy: Make, fake_device: Make
) -> None:
    class Hanging(type(fake_device("x"))):  # type: ignore[misc]
        async def observe(self) -> Any:
            await asyncio.sleep(1e6)

    found = simulated_time(run([Hanging("a"), fake_device("b")], fake_policy()))
    assert all_solved(found)
    assert {trajectory.device for trajectory in found} == {"b"}


def test_a_device_that_cannot_be_repaired_is_replaced(
    simulated_time: Make, fake_device: Make, fake_policy: Make
) -> None:
    class DiesForGood:
        dead = False

        def __call__(self, operation: str) -> None:
            self.dead |= operation == "act"
            if self.dead:
                raise DeviceLost("battery on fire")

    found = simulated_time(
        run([fake_device("old", DiesForGood())], fake_policy(), replace=lambda slot: fake_device("new"))
    )
    assert all_solved(found)
    assert {trajectory.device for trajectory in found} == {"new"}


def test_an_episode_that_no_device_survives_has_no_verdict(
    simulated_time: Make, mendable: Make, fake_policy: Make
) -> None:
    class ThirdTask:
        resets = 0

        def __call__(self, operation: str) -> None:
            self.resets += operation == "reset"
            if operation == "reset" and self.resets >= 2:
                raise DeviceLost("this task crashes the phone")

    found = simulated_time(run([mendable("a", ThirdTask())], fake_policy(), episodes=2))
    assert [trajectory.ending for trajectory in found] == [Ending.AGENT_DONE, Ending.DEVICE_LOST]
    assert found[1].verdict.outcome is Outcome.UNKNOWN


def test_without_any_device_that_opens_it_is_said_at_once(
    simulated_time: Make, fake_device: Make, fake_policy: Make
) -> None:
    with pytest.raises(DeviceError, match="cannot open the device: pulled the cable"):
        simulated_time(run([fake_device("a", no_cable)], fake_policy()))
    with pytest.raises(DeviceError, match="cannot open any of the 2 devices: pulled"):
        simulated_time(run([fake_device("a", no_cable), fake_device("b", no_cable)], fake_policy()))


def test_devices_that_all_stay_broken_end_it_with_a_sentence(
    simulated_time: Make, fake_device: Make, fake_policy: Make
) -> None:
    class DiesAfter:
        def __init__(self, calls: int) -> None:
            self.left = calls

        def __call__(self, operation: str) -> None:
            self.left -= 1
            if self.left < 0:
                raise DeviceLost("gone for good")

    devices = [fake_device("a", DiesAfter(30)), fake_device("b", DiesAfter(10))]
    with pytest.raises(DeviceError, match="all 2 devices stay broken, the last because no remedy lasts"):
        simulated_time(run(devices, fake_policy(), episodes=50))


def test_an_error_of_the_judge_is_the_callers(
    simulated_time: Make, fake_device: Make, fake_policy: Make
) -> None:
    device = fake_device("a")
    with pytest.raises(JudgeError, match="out to lunch"):
        simulated_time(run([device], fake_policy(), judge=BrokenJudge()))
    assert device.calls[-1] == "close"
