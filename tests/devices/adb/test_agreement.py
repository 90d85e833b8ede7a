"""The same agent, tasks and seeds: in this process, and behind the real adb."""

import asyncio
from collections.abc import Callable, Sequence

from distrl.agents.heuristic import HeuristicPolicy
from distrl.collect.episode import EpisodeLimits
from distrl.config import DeviceConfig
from distrl.devices.adb.device import AdbDevice
from distrl.devices.simulated import build as build_simulated
from distrl.evaluate import fixed_episodes, run_all
from distrl.interfaces import Device
from distrl.records import Action
from distrl.rewards.checks import build as build_judge
from distrl.tasks import find_suite


def test_actions_and_answers_are_equal(make: Callable[..., AdbDevice]) -> None:
    episodes = fixed_episodes(find_suite("general").tasks("val"), 8, seed=3)

    def run(devices: Sequence[Device]) -> list[tuple[list[Action], object, dict[str, str]]]:
        judge, limits = build_judge(require_done=True), EpisodeLimits()
        done = asyncio.run(run_all(HeuristicPolicy(), devices, episodes, judge, limits=limits, greedy=True))
        return [([step.decision.action for step in one.steps], one.ending, one.answers) for one in done]

    near = run([build_simulated(DeviceConfig(), index=index) for index in range(4)])
    far = run([make(index=index) for index in range(4)])
    assert sum(len(actions) for actions, _, _ in near) > 20
    assert near == far
