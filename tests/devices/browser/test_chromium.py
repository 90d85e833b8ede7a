"""One browser for many devices, and what becomes of it when something dies."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.devices.browser.chromium import find_chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.options import read_options
from distrl.errors import ConfigError, DeviceError, DeviceLost
from distrl.records import Action, ActionKind, Decision, Ending, Point, Situation, Task

Make = Callable[..., BrowserDevice]
PageTask = Callable[..., Task]


def pid_of(device: BrowserDevice) -> int:
    """The process of a device's browser."""
    assert device._lease is not None
    return device._lease.browser.process.pid


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


def test_devices_share_a_browser_which_ends_with_the_last(make: Make, page_task: PageTask) -> None:
    async def run() -> tuple[int, int]:
        one, two = make(0), make(1)
        await asyncio.gather(one.open(), two.open())
        pids = pid_of(one), pid_of(two)
        await one.close()
        await two.reset(page_task("<p>Still here"), 0)
        assert (await two.observe()).ui
        await two.close()
        return pids

    first, second = asyncio.run(run())
    assert first == second
    assert gone(first)


def test_tabs_share_nothing(make: Make, page_task: PageTask) -> None:
    async def run() -> None:
        one, two = make(0), make(1)
        await asyncio.gather(one.open(), two.open())
        await one.reset(page_task("<script>name = 'mine'</script>"), 0)
        await two.reset(page_task(""), 0)
        assert await two.probe("eval name") == ""
        await one.reset(page_task(""), 0)
        assert await one.probe("eval name") == ""
        await asyncio.gather(one.close(), two.close())

    asyncio.run(run())


class TapsThenCalls:
    """A policy that taps, and does something else before its second decision."""

    def __init__(self, accident: Callable[[], object]) -> None:
        self._accident = accident

    async def decide(self, situation: Situation) -> Decision:
        """Tap, an accident, tap, done."""
        if len(situation.past) == 1:
            self._accident()
        kind = ActionKind.DONE if len(situation.past) == 2 else ActionKind.TAP
        action = Action(kind, point=Point(0.5, 0.5) if kind is ActionKind.TAP else None)
        return Decision(action, "", (), (), 0, "testing")


async def episode(device: BrowserDevice, task: Task, accident: Callable[[], object] = int) -> Ending:
    trajectory = await run_episode(
        device, TapsThenCalls(accident), task, seed=0, run="r", worker="w", limits=EpisodeLimits()
    )
    return trajectory.ending


def test_a_killed_chromium_costs_one_episode(make: Make, page_task: PageTask) -> None:
    async def run() -> None:
        device, task = make(), page_task("<p>Here")
        await device.open()
        pid = pid_of(device)
        assert await episode(device, task, lambda: os.killpg(pid, signal.SIGKILL)) is Ending.DEVICE_LOST
        assert await episode(device, task) is Ending.AGENT_DONE
        assert pid_of(device) != pid
        await device.close()

    asyncio.run(run())


def test_a_crashed_tab_costs_one_episode_and_its_neighbours_none(make: Make, page_task: PageTask) -> None:
    async def run() -> None:
        device, neighbour, task = make(0), make(1), page_task("<p>Here")
        await asyncio.gather(device.open(), neighbour.open())
        await neighbour.reset(task, 0)

        def crash() -> None:
            assert device._lease is not None
            assert device._tab is not None
            device._lease.browser.pipe.send("Page.crash", {}, device._tab._session)

        assert await episode(device, task, crash) is Ending.DEVICE_LOST
        assert await episode(device, task) is Ending.AGENT_DONE
        assert (await neighbour.observe()).ui
        assert pid_of(device) == pid_of(neighbour)
        await asyncio.gather(device.close(), neighbour.close())

    asyncio.run(run())


def test_a_closed_browser_can_be_opened_again(make: Make, page_task: PageTask) -> None:
    async def run() -> None:
        device = make()
        await device.open()
        await device.reset(page_task(""), 0)
        os.killpg(pid_of(device), signal.SIGKILL)
        with pytest.raises(DeviceLost):
            await device.observe()
        await device.close()
        await device.open()
        await device.reset(page_task("<p>Back"), 0)
        assert (await device.observe()).ui
        await device.close()

    asyncio.run(run())


HOLDER = """
import asyncio
from distrl.config import DeviceConfig
from distrl.devices.browser.device import build
async def run():
    device = build(DeviceConfig(kind="browser"))
    await device.open()
    print(device._lease.browser.process.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(run())
"""


def test_no_browser_outlives_a_killed_process(chromium: str) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    pid = int(holder.stdout.readline())
    assert not gone(pid)
    holder.kill()
    holder.communicate()
    deadline = time.monotonic() + 30
    while not gone(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert gone(pid)


def test_a_missing_chromium_is_named() -> None:
    with pytest.raises(DeviceError, match="no program 'no-such-browser'"):
        find_chromium("no-such-browser")


def test_options_are_checked_all_at_once() -> None:
    with pytest.raises(ConfigError) as found:
        read_options({"screen": "big", "pointer": "nose", "sites": "Shop", "settle_s": "-1", "colour": "red"})
    assert len(found.value.faults) == 5
    options = read_options({"sites": "Shop=https://shop.example/,Wiki=http://wiki.example:8080/start"})
    assert options.kind.hosts == ("shop.example", "wiki.example")
