"""Episodes whose tasks are set up and scored by a (stand-in) AndroidWorld in a process beside the phone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.config import DeviceConfig
from distrl.errors import ConfigError, DeviceError, DeviceTimeout, TaskError
from distrl.imaging import encode_image
from distrl.interfaces import Device, Repairable
from distrl.records import (
    Action,
    ActionKind,
    Decision,
    Observation,
    Outcome,
    Point,
    Situation,
    Task,
    Trajectory,
    Verdict,
)
from distrl.rewards.checks import CheckJudge
from distrl.tasks.androidworld import AndroidWorldSuite
from distrl.tasks.androidworld.client import AndroidWorldProcess, find_python
from distrl.tasks.androidworld.device import AndroidWorldDevice, WorldOptions, build, read_options

DONE, TAP = Action(ActionKind.DONE), Action(ActionKind.TAP, Point(0.5, 0.5))
WHITE = encode_image(Image.new("RGB", (4, 4), "white"))


class PlainPhone:
    """A phone that a touch switches on."""

    def __init__(self, file: Path, serial: str = "emulator-5554") -> None:
        self.id = "not yet known"
        self._serial = serial
        self._file = file
        self.set_up: list[tuple[str, ...]] = []
        self.is_open = False

    async def open(self) -> None:
        self.id, self.is_open = self._serial, True

    async def reset(self, task: Task, seed: int) -> None:
        self.set_up.append(task.setup)
        self._file.write_text("clean")

    async def observe(self) -> Observation:
        node_free: tuple[()] = ()
        return Observation(WHITE, 4, 4, node_free, "app", 0.0)

    async def act(self, action: Action) -> None:
        if action.kind is ActionKind.TAP:
            self._file.write_text("on")

    async def probe(self, command: str) -> str:
        return f"phone: {command}"

    async def close(self) -> None:
        self.is_open = False


class RepairablePhone(PlainPhone):
    """One that knows remedies."""

    def remedies(self) -> tuple[str, ...]:
        return ("reconnect", "reboot")

    async def repair(self, remedy: str) -> None:
        self.set_up.append((remedy,))

    async def boot_id(self) -> str:
        return "1"


class Script:
    """Takes one action after the other."""

    def __init__(self, *actions: Action) -> None:
        self._actions = list(actions)

    async def decide(self, situation: Situation) -> Decision:
        return Decision(self._actions[len(situation.past)], "", (), (), 0, "none")


def make(file: Path, phone: Device | None = None, patience_s: float = 30.0) -> AndroidWorldDevice:
    options = WorldOptions(patience_s=patience_s)
    return AndroidWorldDevice(phone or PlainPhone(file), AndroidWorldProcess(find_python()), options)


def task_of(kind: str) -> Task:
    return next(task for task in AndroidWorldSuite().tasks("test") if task.family == kind)


async def episode(device: Device, kind: str, *actions: Action) -> tuple[Trajectory, Verdict]:
    trajectory = await run_episode(
        device, Script(*actions), task_of(kind), seed=0, run="r", worker="w", limits=EpisodeLimits()
    )
    return trajectory, await CheckJudge().judge(trajectory)


def with_device(
    file: Path, use: Callable[[AndroidWorldDevice], Coroutine[Any, Any, None]], **named: Any
) -> None:
    async def run() -> None:
        device = make(file, **named)
        await device.open()
        try:
            await use(device)
        finally:
            await device.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("kind", "actions", "outcome"),
    [
        ("TurnOn", (TAP, DONE), Outcome.SUCCESS),
        ("TurnOn", (DONE,), Outcome.FAILURE),
        ("TurnOn", (TAP, Action(ActionKind.IMPOSSIBLE)), Outcome.FAILURE),  # reached, but not said
        ("Half", (DONE,), Outcome.FAILURE),
        ("Ask", (Action(ActionKind.ANSWER, text="three"),), Outcome.SUCCESS),
        ("Ask", (Action(ActionKind.ANSWER, text="four"),), Outcome.FAILURE),
    ],
)
def test_androidworld_decides(
    phone_file: Path, kind: str, actions: Sequence[Action], outcome: Outcome
) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        _, verdict = await episode(device, kind, *actions)
        assert verdict.outcome is outcome, verdict.evidence

    with_device(phone_file, use)


def test_the_task_before_is_torn_down_and_the_phone_cleaned(phone_file: Path) -> None:
    seen: list[str] = []

    class Watching(PlainPhone):
        async def reset(self, task: Task, seed: int) -> None:
            seen.append(phone_file.read_text() if phone_file.exists() else "")
            await super().reset(task, seed)

    phone = Watching(phone_file)

    async def use(device: AndroidWorldDevice) -> None:
        assert device.id == "emulator-5554"
        for _ in range(2):
            _, verdict = await episode(device, "TurnOn", TAP, DONE)
            assert verdict.outcome is Outcome.SUCCESS

    with_device(phone_file, use, phone=phone)
    assert seen == ["", "torn down"]
    assert phone.set_up == [(), ()]  # AndroidWorld's own command is not for the phone's shell
    assert phone_file.read_text() == "torn down"
    assert not phone.is_open


def test_a_process_that_dies_costs_one_episode(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        trajectory, verdict = await episode(device, "Crash", DONE)
        assert verdict.outcome is Outcome.UNKNOWN
        assert not trajectory.answers
        _, verdict = await episode(device, "TurnOn", TAP, DONE)
        assert verdict.outcome is Outcome.SUCCESS

    with_device(phone_file, use)


def test_what_the_process_said_last_is_in_the_error(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        await device.reset(task_of("Crash"), 0)
        with pytest.raises(DeviceError, match="has ended: Segmentation fault, or so"):
            await device.probe("androidworld score")
        with pytest.raises(DeviceError, match="lost with its task"):
            await device.probe("androidworld score")

    with_device(phone_file, use)


def test_one_that_hangs_is_given_up(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        await device.reset(task_of("Hang"), 0)
        device._options = WorldOptions(patience_s=0.2)
        with pytest.raises(DeviceTimeout, match=r"did not score within 0\.2 s"):
            await device.probe("androidworld score")
        device._options = WorldOptions(patience_s=30)
        await device.reset(task_of("TurnOn"), 0)
        assert await device.probe("androidworld score") == "0"

    with_device(phone_file, use)


def test_a_task_that_cannot_be_set_up_says_why(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        with pytest.raises(DeviceError, match=r"could not begin: RuntimeError: the app is not installed$"):
            await device.reset(task_of("Refuse"), 0)
        with pytest.raises(DeviceError, match="lost with its task"):
            await device.probe("androidworld score")
        await device.reset(task_of("TurnOn"), 0)

    with_device(phone_file, use)


def test_a_goal_that_has_changed_stops_the_run(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        task = msgspec.structs.replace(task_of("TurnOn"), goal="Turn it off.")
        with pytest.raises(TaskError, match=r"now asks for 'Turn it on\.', the suite for 'Turn it off\.'"):
            await device.reset(task, 0)
        with pytest.raises(TaskError, match="none of AndroidWorld's"):
            await device.reset(msgspec.structs.replace(task, setup=()), 0)

    with_device(phone_file, use)


def test_a_phone_with_snapshots_gets_another_process_for_every_episode(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        device._options = WorldOptions(phone="emulator", patience_s=30)
        for _ in range(2):
            await device.reset(task_of("TurnOn"), 0)
            assert phone_file.read_text() == "off"
            assert await device.probe("androidworld score") == "0"

    with_device(phone_file, use)
    assert phone_file.read_text() == "off"  # nobody tears down what a snapshot undoes


def test_other_probes_are_the_phones(phone_file: Path) -> None:
    async def use(device: AndroidWorldDevice) -> None:
        assert await device.probe("getprop") == "phone: getprop"

    with_device(phone_file, use)


def test_only_emulators(phone_file: Path) -> None:
    phone = PlainPhone(phone_file, "R58M12")
    with pytest.raises(ConfigError, match="drives emulators only, and R58M12 is none"):
        asyncio.run(make(phone_file, phone).open())
    assert not phone.is_open


def test_remedies_are_the_phones_and_a_reboot_ends_the_task(phone_file: Path) -> None:
    assert not isinstance(make(phone_file), Repairable)

    async def use(device: AndroidWorldDevice) -> None:
        assert isinstance(device, Repairable)
        await device.reset(task_of("TurnOn"), 0)
        await device.repair("reconnect")
        assert await device.probe("androidworld score") == "0"
        await device.repair("reboot")
        with pytest.raises(DeviceError, match="lost with its task"):
            await device.probe("androidworld score")

    phone = RepairablePhone(phone_file)
    with_device(phone_file, use, phone=phone)
    assert phone.set_up == [(), ("reconnect",), ("reboot",)]


def test_options_are_checked_and_the_rest_handed_on(
    phone_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del phone_file
    adb = tmp_path / "adb"
    adb.write_text("#!/bin/sh\n")
    adb.chmod(0o755)
    with pytest.raises(ConfigError) as caught:
        read_options({"phone": "x", "world_tree": "y", "world_s": "0", "adb": "/none", "server": "localhost"})
    assert len(caught.value.faults) == 5
    monkeypatch.delenv("ANDROID_ADB_SERVER_PORT", raising=False)
    options = {"adb": str(adb), "world_s": "20", "server": "127.0.0.1:5999", "serials": "emulator-5560"}
    assert read_options(options) == WorldOptions("adb", "uiautomator", 20.0, str(adb), 5999)
    assert build(DeviceConfig(kind="androidworld", options=options)).id == "emulator-5560"
    booted = build(DeviceConfig(options={"adb": str(adb), "phone": "emulator", "port": "5600"}))
    assert booted.id == "emulator-5600"
    with pytest.raises(ConfigError, match="no option 'colour'"):
        build(DeviceConfig(kind="androidworld", options={"adb": str(adb), "colour": "red"}))
