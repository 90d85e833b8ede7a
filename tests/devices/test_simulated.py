import asyncio

import numpy as np
import pytest

from distrl.agents.touches import touch
from distrl.config import DeviceConfig
from distrl.devices.simulated import SimulatedDevice, build, to_ui_node
from distrl.errors import ConfigError, DeviceError, DeviceLost, TaskError
from distrl.imaging import decode_array
from distrl.records import Action, ActionKind, Task
from distrl.simphone import Phone
from distrl.simphone.trouble import PROFILES, Event, Trouble
from distrl.testing.device_contract import DEVICE_CONTRACT, Clause
from distrl.testing.repair_contract import REPAIR_CONTRACT

TASK = Task(
    "airplane",
    "Turn on airplane mode",
    "testing",
    "train",
    10,
    setup=("simphone world 3", "settings put global airplane_mode_on 0"),
    probes={"airplane": "settings get global airplane_mode_on"},
)


def make() -> SimulatedDevice:
    return build(DeviceConfig(), index=1, seed=2)


@pytest.mark.parametrize("clause", DEVICE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Clause) -> None:
    asyncio.run(clause(make, TASK))


@pytest.mark.parametrize("clause", REPAIR_CONTRACT, ids=lambda clause: clause.__name__)
def test_repairs(clause: Clause) -> None:
    asyncio.run(clause(make, TASK))


class Scripted(Trouble):
    """Trouble that a test deals out itself, one event for each operation named, nothing otherwise."""

    def __init__(self, **events: Event) -> None:
        super().__init__(PROFILES["instant"], 0)
        self._events = events

    def next(self, operation: str) -> Event:
        return self._events.pop(operation, Event(0.0, None))


async def start(device: SimulatedDevice) -> SimulatedDevice:
    await device.open()
    await device.reset(TASK, 0)
    return device


def test_typing_replaces_what_the_field_holds() -> None:
    async def run() -> str:
        device = await start(make())
        await device.act(Action(ActionKind.OPEN_APP, text="Contacts"))
        seen = await device.observe()
        field = next(node for node in seen.ui or () if node.editable)
        await device.act(touch(ActionKind.TAP, field, seen))
        await device.act(Action(ActionKind.TYPE, text="first"))
        await device.act(Action(ActionKind.TYPE, text="second"))
        nodes = (await device.observe()).ui or ()
        return next(node.text for node in nodes if node.editable)

    assert asyncio.run(run()) == "second"


def test_probes_that_fail_are_the_devices_fault_but_finding_nothing_is_an_answer() -> None:
    async def run() -> None:
        device = await start(make())
        assert await device.probe("settings get global airplane_mode_on | grep 7") == ""
        assert await device.probe("") == ""
        for bad in ("no-such-command", "content query --uri content://nobody/nothing"):
            with pytest.raises(DeviceError, match=bad):
                await device.probe(bad)

    asyncio.run(run())


def test_a_failing_set_up_names_the_command() -> None:
    async def run() -> None:
        device = make()
        await device.open()
        await device.reset(Task("bad", "Do it", "t", "train", 5, setup=("no-such-command 7",)), 0)

    with pytest.raises(TaskError, match="task bad: set-up command `no-such-command 7`"):
        asyncio.run(run())


def test_the_picture_is_shrunk_and_kept_until_the_screen_changes() -> None:
    async def run() -> None:
        device = await start(make())
        first, second = await device.observe(), await device.observe()
        assert (first.screenshot.width, first.width) == (206, 412)
        assert second.screenshot is first.screenshot
        assert second.ui is first.ui
        await device.act(Action(ActionKind.OPEN_APP, text="Settings"))
        third = await device.observe()
        assert third.screenshot != first.screenshot
        assert third.app != first.app

    asyncio.run(run())


def test_the_tree_is_the_phones_own() -> None:
    phone = Phone(seed=4)
    for node in phone.tree():
        ours = to_ui_node(node)
        for name in ours.__struct_fields__:
            assert getattr(ours, name) == getattr(node, name), name


def test_the_clock_can_be_given() -> None:
    device = SimulatedDevice("sim", Scripted(), clock=lambda: 1234.5)

    async def run() -> float:
        return (await (await start(device)).observe()).captured_at

    assert asyncio.run(run()) == 1234.5


@pytest.mark.parametrize("fault", ["disconnect", "reboot"])
def test_a_lost_device_stays_lost_until_opened_again(fault: str) -> None:
    device = SimulatedDevice("sim", Scripted(act=Event(0.0, fault)))

    async def run() -> None:
        await start(device)
        with pytest.raises(DeviceLost, match=fault):
            await device.act(Action(ActionKind.HOME))
        with pytest.raises(DeviceLost, match="open it"):
            await device.observe()
        await start(device)
        await device.observe()

    asyncio.run(run())


def test_a_reconnected_phone_has_kept_its_state_and_a_rebooted_one_has_not() -> None:
    async def run(fault: str) -> tuple[bool, str]:
        device = await start(SimulatedDevice("sim", Scripted(act=Event(0.0, fault))))
        before = await device.boot_id()
        await device.probe("settings put global airplane_mode_on 1")
        with pytest.raises(DeviceLost):
            await device.act(Action(ActionKind.HOME))
        with pytest.raises(DeviceLost):
            await device.boot_id()
        await device.repair("reconnect")
        same = await device.boot_id() == before
        return same, (await device.probe("settings get global airplane_mode_on")).strip()

    assert asyncio.run(run("disconnect")) == (True, "1")
    assert asyncio.run(run("reboot")) == (False, "0")


def test_remedies_end_a_black_screen_and_reboot_changes_the_boot_id() -> None:
    async def run() -> None:
        for remedy in make().remedies():
            device = await start(SimulatedDevice("sim", Scripted(observe=Event(0.0, "black_screen"))))
            before = await device.boot_id()
            assert (await device.observe()).ui is None
            await device.repair(remedy)
            assert (await device.observe()).ui
            assert (await device.boot_id() == before) is (remedy != "reboot")

    asyncio.run(run())


def test_a_phone_that_is_switched_off_cannot_be_repaired() -> None:
    async def run() -> None:
        device = await start(make())
        await device.close()
        with pytest.raises(DeviceLost, match="open it"):
            await device.repair("reconnect")

    asyncio.run(run())


def test_a_hang_outlasts_a_deadline_and_can_be_cancelled() -> None:
    device = SimulatedDevice("sim", Scripted(observe=Event(0.0, "hang")))

    async def run() -> None:
        await start(device)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(device.observe(), 0.01)
        await device.observe()

    asyncio.run(run())


def test_a_black_screen_shows_nothing_for_a_while() -> None:
    device = SimulatedDevice("sim", Scripted(observe=Event(0.0, "black_screen")))

    async def run() -> None:
        await start(device)
        dark = await device.observe()
        assert dark.ui is None
        assert not np.any(decode_array(dark.screenshot))
        await device.observe()
        assert (await device.observe()).ui

    asyncio.run(run())


def test_delays_are_scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    device = SimulatedDevice("sim", Scripted(observe=Event(8.0, None)), time_scale=0.25)

    async def run() -> None:
        await start(device)
        slept.clear()
        await device.observe()

    asyncio.run(run())
    assert slept == [2.0]


def test_bad_config_is_explained() -> None:
    with pytest.raises(ConfigError, match="instant"):
        build(DeviceConfig(profile="no-such-profile"))
    with pytest.raises(ConfigError, match="turbo"):
        build(DeviceConfig(options={"turbo": "1"}))


def test_without_pictures_only_the_tree_is_there() -> None:
    async def run() -> None:
        device = await start(build(DeviceConfig(options={"pictures": "off"})))
        seen = await device.observe()
        assert seen.ui
        assert (seen.screenshot.width, seen.screenshot.height) == (1, 1)

    asyncio.run(run())
    with pytest.raises(ConfigError, match="on or off"):
        build(DeviceConfig(options={"pictures": "maybe"}))


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_every_profile_runs(profile: str) -> None:
    async def run() -> None:
        device = build(DeviceConfig(profile=profile, time_scale=0.0))
        await device.open()
        for _ in range(5):
            try:
                await asyncio.wait_for(device.reset(TASK, 0), 0.05)
                await asyncio.wait_for(device.observe(), 0.05)
            except DeviceLost:
                await device.open()
            except TimeoutError:
                continue

    asyncio.run(run())
