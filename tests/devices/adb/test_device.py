"""Phones behind Debian's real adb: the contract, and equality with the same phone in this process."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.config import DeviceConfig
from distrl.devices.adb.device import AdbDevice, build
from distrl.devices.simulated import build as build_simulated
from distrl.errors import DeviceError, DeviceLost, TaskError
from distrl.records import Action, ActionKind, Decision, Ending, Observation, Point, Situation, Task
from distrl.simphone.served import Conduct
from distrl.testing.device_contract import DEVICE_CONTRACT, EVERYTHING, Clause
from distrl.testing.phones import NO_ADB, PrivateAdb, ServedPhones, has_adb, private_adb, served_phones

Make = Callable[..., AdbDevice]

TASK = Task(
    "airplane",
    "Turn on airplane mode",
    "testing",
    "train",
    10,
    setup=("simphone world 3", "settings put global airplane_mode_on 0"),
    probes={"airplane": "settings get global airplane_mode_on"},
)


@pytest.mark.parametrize("clause", DEVICE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Clause, make: Make) -> None:
    asyncio.run(clause(make, TASK))


def seen(observation: Observation) -> tuple[object, ...]:
    return observation.screenshot, observation.ui, observation.app, observation.width, observation.height


def test_everything_looks_as_in_this_process(make: Make) -> None:
    async def run() -> None:
        near, far = build_simulated(DeviceConfig()), make()
        for device in (near, far):
            await device.open()
        try:
            for seed, trouble in (
                (5, ()),
                (6, ("simphone trouble popups=0.4 drops=0.2 loading=1.5 seed=2",)),
            ):
                task = Task("t", "Do it", "testing", "train", 9, setup=(*TASK.setup, *trouble))
                for device in (near, far):
                    await device.reset(task, seed)
                assert seen(await near.observe()) == seen(await far.observe())
                for action in (*EVERYTHING, *TOUR):
                    for device in (near, far):
                        await device.act(action)
                    assert seen(await near.observe()) == seen(await far.observe()), action
        finally:
            await far.close()

    asyncio.run(run())


TOUR = (
    Action(ActionKind.OPEN_APP, text="Notes"),
    Action(ActionKind.WAIT),
    Action(ActionKind.TAP, point=Point(0.5, 0.1)),
    Action(ActionKind.TYPE, text="milk; 'eggs' & \"ham\" | $HOME %s %d > x\\"),
    Action(ActionKind.TYPE, text="Grüße, 東京"),
    Action(ActionKind.SWIPE, point=Point(0.5, 0.0), to=Point(0.5, 0.5)),
    Action(ActionKind.BACK),
    Action(ActionKind.OPEN_APP, text="com.android.settings"),
    Action(ActionKind.WAIT),
    Action(ActionKind.TAP, point=Point(0.5, 0.5)),
    Action(ActionKind.SWIPE, point=Point(0.5, 0.8), to=Point(0.5, 0.8)),
)


def test_typing_without_adbkeyboard(make: Make) -> None:
    async def run() -> str:
        device = make(keyboard="ascii")
        await device.open()
        try:
            await device.reset(TASK, 0)
            await device.act(Action(ActionKind.OPEN_APP, text="Contacts"))
            view = await device.observe()
            field = next(node for node in view.ui or () if node.editable)
            left, top, right, bottom = field.bounds
            middle = Point((left + right) / 2 / view.width, (top + bottom) / 2 / view.height)
            await device.act(Action(ActionKind.TAP, point=middle))
            for text in ("first", 'it\'s 5 %s; Grüße & "more"'):
                await device.observe()
                await device.act(Action(ActionKind.TYPE, text=text))
            return next(node.text for node in (await device.observe()).ui or () if node.editable)
        finally:
            await device.close()

    assert asyncio.run(run()) == 'it\'s 5 %s; Grue & "more"'


def test_probes_and_set_ups_fail_with_the_command(make: Make) -> None:
    async def run() -> None:
        device = make()
        await device.open()
        try:
            await device.reset(TASK, 0)
            assert await device.probe("settings get global airplane_mode_on | grep 7") == ""
            assert await device.probe("") == ""
            with pytest.raises(DeviceError, match="no-such-command"):
                await device.probe("no-such-command")
            bad = Task("bad", "Do it", "t", "train", 5, setup=("true", "no-such-command 7", "true"))
            with pytest.raises(
                TaskError, match="task bad: set-up command `no-such-command 7` failed with code 127"
            ):
                await device.reset(bad, 0)
            unclosed = Task("bad", "Do it", "t", "train", 5, setup=("echo 'oops",))
            with pytest.raises((TaskError, DeviceError), match="quoted"):
                await device.reset(unclosed, 0)
        finally:
            await device.close()

    asyncio.run(run())


def test_a_tree_that_never_comes_is_given_up_and_the_picture_remains(adb: PrivateAdb, make: Make) -> None:
    async def look(device: AdbDevice) -> Observation:
        await device.open()
        try:
            await device.reset(Task("t", "Wait", "t", "train", 5, setup=("simphone loading 60",)), 0)
            await device.act(Action(ActionKind.OPEN_APP, text="Notes"))
            return await device.observe()
        finally:
            await device.close()

    with served_phones(1, Conduct(clock="real", idle_timeout_s=0.02)) as slow:
        given_up = asyncio.run(look(make(serials=slow.serials[0], settle_s="1.5")))
    assert given_up.ui is None
    assert given_up.app == "com.simphone.notes"
    with served_phones(1, Conduct(clock="real")) as loading:
        device = make(serials=loading.serials[0])
        device_task = Task("t", "Wait", "t", "train", 5, setup=("simphone loading 0.1",))

        async def wait() -> Observation:
            await device.open()
            await device.reset(device_task, 0)
            await device.act(Action(ActionKind.OPEN_APP, text="Notes"))
            seen_after = await device.observe()
            await device.close()
            return seen_after

        assert len(asyncio.run(wait()).ui or ()) > 10


def test_without_trees_two_equal_pictures_are_enough(make: Make) -> None:
    async def run() -> Observation:
        device = make(tree="off")
        await device.open()
        await device.reset(TASK, 0)
        view = await device.observe()
        await device.close()
        return view

    view = asyncio.run(run())
    assert view.ui is None
    assert view.app == "com.android.launcher3"


def test_one_phone_one_user(make: Make, phones: ServedPhones) -> None:
    async def run() -> None:
        devices = [make(index=1) for _ in phones.serials]
        for device in devices:
            await device.open()
        assert sorted(device.id for device in devices) == sorted(phones.serials)
        with pytest.raises(DeviceLost, match="all 4 phones are in use"):
            await make().open()
        freed = devices[2].id
        for device in devices[2:]:
            await device.close()
        again = make(index=2)
        await again.open()
        assert again.id in (freed, devices[3].id)
        for device in (*devices, again):
            await device.close()

    asyncio.run(run())


def test_repairs(make: Make) -> None:
    async def run() -> None:
        device = make()
        await device.open()
        await device.reset(TASK, 0)
        await device.act(Action(ActionKind.OPEN_APP, text="Notes"))
        before = await device.boot_id()
        await device.repair("reconnect")
        assert await device.boot_id() == before
        assert (await device.observe()).app == "com.simphone.notes"
        await device.repair("restart_app")
        assert (await device.observe()).app == "com.android.launcher3"
        await device.repair("reboot")
        assert await device.boot_id() != before
        await device.reset(TASK, 0)
        await device.observe()
        with pytest.raises(DeviceError, match="no remedy"):
            await device.repair("kick it")
        await device.close()

    asyncio.run(run())


def test_a_phone_that_dies_is_lost_until_it_is_back(adb: PrivateAdb, make: Make) -> None:
    with served_phones(1) as mortal:
        device = make(serials=mortal.serials[0])

        async def begin() -> None:
            await device.open()
            await device.reset(TASK, 0)
            mortal.kill(0)
            with pytest.raises(DeviceLost):
                await device.observe()
            with pytest.raises(DeviceLost):
                await device.act(Action(ActionKind.HOME))
            await device.close()
            mortal.revive(0)
            await device.open()
            await device.reset(TASK, 0)
            await device.observe()
            await device.close()

        asyncio.run(begin())


def test_a_dead_adb_server_costs_one_episode_at_most(tmp_path: Path) -> None:
    """The server is killed in mid-episode; the device starts another one by itself."""
    if not has_adb():
        pytest.skip(NO_ADB)
    with private_adb(tmp_path) as own, served_phones(1) as phones:
        options = {"serials": phones.serials[0], "server": f"127.0.0.1:{own.port}"}
        device = build(DeviceConfig(kind="adb", options=options))

        class Killer:
            """A policy that kills the adb server before its third decision of the first episode."""

            decisions = 0

            async def decide(self, situation: Situation) -> Decision:
                self.decisions += 1
                if self.decisions == 3:
                    own.run("kill-server")
                kind = ActionKind.DONE if len(situation.past) == 4 else ActionKind.HOME
                return Decision(Action(kind), "", (), (), 0, "own")

        async def run() -> list[Ending]:
            policy, endings = Killer(), []
            await device.open()
            for _ in range(3):
                limits = EpisodeLimits(step_timeout_s=20)
                trajectory = await run_episode(
                    device, policy, TASK, seed=1, run="r", worker="w", limits=limits
                )
                endings.append(trajectory.ending)
                if trajectory.ending is Ending.DEVICE_LOST:
                    await device.close()
                    await device.open()
            await device.close()
            return endings

        endings = asyncio.run(run())
    assert endings[1:] == [Ending.AGENT_DONE] * 2
