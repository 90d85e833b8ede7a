"""A phone in time: its clocks, the latency profiles, and what goes wrong."""

import asyncio

import pytest

from distrl.simphone.served import Conduct, ServedPhone, Unplugged
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.trouble import PROFILES, Event, Trouble


class Wall:
    """A wall clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def passed_s(served: ServedPhone) -> float:
    return served.phone.state.now_s - BOOT_TIME_S


def run(served: ServedPhone, line: str) -> tuple[bytes, int]:
    return asyncio.run(served.run(line))


def test_the_clock_of_actions_moves_one_second_for_each_line_that_acts() -> None:
    served = ServedPhone("p", 0, Conduct(clock="actions"))
    run(served, "input tap 5 5")
    assert passed_s(served) == 1
    run(served, "input keyevent 67 67; input text a; am broadcast -a X")
    assert passed_s(served) == 2
    run(served, "monkey -p com.nobody 1")
    assert passed_s(served) == 3
    run(served, "sleep 2")
    assert passed_s(served) == 5
    run(served, "settings get global wifi_on; screencap; uiautomator dump; am force-stop com.simphone.notes")
    assert passed_s(served) == 5


def test_the_real_clock_follows_the_wall() -> None:
    wall = Wall()
    served = ServedPhone("p", 0, Conduct(clock="real"), now=wall)
    wall.now_s += 90
    output, _ = run(served, "date +%H:%M:%S")
    assert output == b"09:42:30\n"
    wall.now_s += 5
    run(served, "input tap 5 5")
    assert passed_s(served) == 95


def test_a_page_that_loads_for_ever_has_no_tree_on_the_real_clock() -> None:
    served = ServedPhone("p", 0, Conduct(clock="real", idle_timeout_s=0.01))
    run(served, "simphone loading 60; am start -n com.simphone.notes/.MainActivity")
    assert run(served, "uiautomator dump /dev/tty")[0] == b"ERROR: could not get idle state.\n"
    served = ServedPhone("p", 0, Conduct(clock="real"))
    run(served, "simphone loading 0.05; am start -n com.simphone.notes/.MainActivity")
    assert b"</hierarchy>" in run(served, "uiautomator dump /dev/tty")[0]


def test_snapshots_are_restored() -> None:
    served = ServedPhone("p", 0, Conduct(clock="actions"))
    run(served, "settings put global number 1; simphone snapshot clean; settings put global number 2")
    assert run(served, "simphone restore clean; settings get global number") == (b"1\n", 0)
    assert run(served, "simphone restore nothing")[1] == 1
    assert run(served, "simphone reset 9; simphone info")[0].startswith(b"seed=9 ")


class Scripted(Trouble):
    """Trouble that a test deals out itself."""

    def __init__(self, **events: Event) -> None:
        super().__init__(PROFILES["instant"], 0)
        self._events = events

    def next(self, operation: str) -> Event:
        return self._events.pop(operation, Event(0.0))


def troubled(**events: Event) -> ServedPhone:
    served = ServedPhone("p", 0, Conduct(profile="flaky", time_scale=0.0, clock="actions"))
    served._trouble = Scripted(**events)
    return served


@pytest.mark.parametrize("fault", ["disconnect", "reboot"])
def test_some_faults_cut_the_connections(fault: str) -> None:
    served = troubled(act=Event(0.0, fault))
    cuts: list[str] = []
    served.connections.add(lambda: cuts.append("cut"))
    before = run(served, "getprop ro.boottime.init")
    with pytest.raises(Unplugged):
        run(served, "input tap 5 5")
    assert cuts == ["cut"]
    assert (run(served, "getprop ro.boottime.init") == before) == (fault == "disconnect")


def test_a_hang_does_not_answer() -> None:
    served = troubled(observe=Event(0.0, "hang"))

    async def wait() -> None:
        await asyncio.wait_for(served.run("screencap"), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(wait())
    assert run(served, "screencap")[1] == 0


def test_a_black_screen_has_no_tree() -> None:
    served = troubled(observe=Event(0.0, "black_screen"))
    dark, _ = run(served, "screencap")
    assert not any(dark[16:4000:4])
    assert b"ERROR: null root node" in run(served, "uiautomator dump /dev/tty")[0]
    run(served, "screencap")
    assert b"</hierarchy>" in run(served, "uiautomator dump /dev/tty")[0]
