import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.collect.fleet import Slot
from distrl.collect.ladder import RepairSettings
from distrl.devices.emulator.device import EmulatorDevice
from distrl.devices.emulator.slots import started, state_folder, stop_orphans
from distrl.errors import DeviceError, DeviceLost
from distrl.records import Action, ActionKind, Decision, Ending, Situation, Task
from distrl.testing.phones import PrivateAdb

Make = Callable[..., EmulatorDevice]
TASK = Task(
    id="t", goal="Look around.", suite="s", split="train", max_steps=4, setup=("simphone world 1",),
    probes={"wifi": "settings get global wifi_on"},
)  # fmt: skip
PATIENCE_S = 180.0  # much more than any of these tests needs
LITTER = "/sdcard/Download/litter.txt"


class Waits:
    """A policy client that does nothing in particular, but may be told to do something at a step."""

    def __init__(self, step: int = -1, work: Callable[[], None] = lambda: None) -> None:
        self._left = step
        self._work = work

    async def decide(self, situation: Situation) -> Decision:
        if self._left == 0:
            self._work()
        self._left -= 1
        return Decision(Action(ActionKind.WAIT), "", (), (), 0, "distrl")


def pid_of(device: EmulatorDevice) -> int:
    assert device._process is not None
    return device._process.pid


async def litter(device: EmulatorDevice) -> str:
    return await device.probe(f"ls {LITTER} 2>&1 | grep -c 'No such' || true")


def test_from_nothing_to_an_episode_and_back(make: Make, options: dict[str, str]) -> None:
    async def live() -> None:
        first, second = make(), make()
        await asyncio.gather(first.open(), second.open())
        assert first.id != second.id
        folders = sorted(path.name for path in Path(options["avd_home"]).glob("*.avd"))
        made_at = [(Path(options["avd_home"]) / name / "config.ini").stat().st_mtime_ns for name in folders]
        for device in (first, second):
            await device.reset(TASK, 1)
            await device.probe(f"echo x > {LITTER}")
            before = await device.boot_id()
            await device.repair("restore_snapshot")
            assert (await litter(device)).strip() == "1"
            assert await device.boot_id() != before
        await first.close()
        await first.close()
        await first.open()  # again: the AVD and its snapshot are still there
        await first.reset(TASK, 2)
        assert (await first.observe()).ui
        again = [(Path(options["avd_home"]) / name / "config.ini").stat().st_mtime_ns for name in folders]
        assert again == made_at
        await asyncio.gather(first.close(), second.close())
        with pytest.raises(DeviceLost):
            await first.observe()

    asyncio.run(asyncio.wait_for(live(), PATIENCE_S))


def test_every_episode_begins_from_the_snapshot(make: Make) -> None:
    async def live() -> None:
        device = make()
        await device.open()
        await device.reset(TASK, 0)
        loads: list[str] = []
        await device.probe(f"echo x > {LITTER}")
        ids = [await device.boot_id()]
        for seed in (1, 2):
            await device.reset(TASK, seed)
            ids.append(await device.boot_id())
            loads.append((await litter(device)).strip())
        assert loads == ["1", "1"]
        assert len(set(ids)) == 3
        await device.close()

    asyncio.run(asyncio.wait_for(live(), PATIENCE_S))


def test_a_snapshot_that_cannot_be_loaded_means_a_cold_boot(make: Make, options: dict[str, str]) -> None:
    async def live() -> None:
        device = make()
        await device.open()
        await device.reset(TASK, 0)
        before = pid_of(device)
        avd = Path(options["avd_home"]) / f"distrl_{device.id.removeprefix('emulator-')}.avd"
        (avd / "snapshots" / "distrl_clean" / "ram.bin").write_bytes(b"rubbish")
        with pytest.raises(DeviceError, match="refuses"):
            await device.repair("restore_snapshot")
        await device.reset(TASK, 0)
        assert pid_of(device) != before
        await device.repair("restore_snapshot")  # there is a good one again
        await device.close()

    asyncio.run(asyncio.wait_for(live(), PATIENCE_S))


def test_a_dialog_over_the_home_screen_is_not_clean(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        device = make()
        await device.open()
        assert device._adb is not None
        await device._adb.probe("simphone dialog anr com.android.settings")
        monkeypatch.setattr("distrl.devices.emulator.device._GO_HOME", "true")  # here HOME closes dialogs
        object.__setattr__(device._options, "boot_s", 0.5)
        with pytest.raises(DeviceError, match=r"not clean.*respond"):
            await device._verify(device._adb)
        await device.close()

    asyncio.run(asyncio.wait_for(live(), PATIENCE_S))


def test_a_crash_in_mid_episode_costs_that_episode_only(make: Make) -> None:
    async def live() -> None:
        device, other = make(), make()
        slot = Slot(0, device, RepairSettings(), lambda *_: None, replace=None, clock=lambda: 0.0)
        await asyncio.gather(slot.boot(), other.open())
        limits = EpisodeLimits()

        async def episode(on: EmulatorDevice, policy: Waits) -> Ending:
            done = await run_episode(on, policy, TASK, seed=0, run="r", worker="w", limits=limits)
            return done.ending

        crash = Waits(1, lambda: os.kill(pid_of(device), signal.SIGKILL))
        slot.begin_episode()
        lost, unharmed = await asyncio.gather(episode(device, crash), episode(other, Waits()))
        assert (lost, unharmed) == (Ending.DEVICE_LOST, Ending.STEP_LIMIT)
        await slot.end_episode(lost=True)
        assert slot.state == "ready"
        assert await episode(device, Waits()) is Ending.STEP_LIMIT
        await asyncio.gather(device.close(), other.close())

    asyncio.run(asyncio.wait_for(live(), PATIENCE_S))


def test_orphans_of_a_killed_owner_are_stopped_by_the_next_start(
    make: Make, adb: PrivateAdb, options: dict[str, str], tmp_path: Path
) -> None:
    owner = tmp_path / "owner.py"
    owner.write_text(
        textwrap.dedent(f"""
        import asyncio
        from distrl.config import DeviceConfig
        from distrl.devices.emulator.device import build

        async def live():
            for index in range(2):
                device = build(DeviceConfig(kind="emulator", options={options!r}), index=index)
                await device.open()
                print(device._process.pid, flush=True)
            await asyncio.sleep(600)

        asyncio.run(live())
        """)
    )
    with subprocess.Popen([sys.executable, str(owner)], stdout=subprocess.PIPE, text=True) as process:
        try:  # or a check that fails would wait for the owner to wake up
            assert process.stdout is not None
            orphans = [int(process.stdout.readline()) for _ in range(2)]
            stop_orphans(state_folder())
            assert all(started(pid) for pid in orphans)  # they have an owner
        finally:
            process.kill()
    assert all(started(pid) for pid in orphans)  # nobody has stopped them yet

    async def live() -> None:
        device = make(0)
        await device.open()
        assert not any(started(pid) for pid in orphans)
        await device.reset(TASK, 0)
        await device.close()

    asyncio.run(asyncio.wait_for(live(), PATIENCE_S))


def test_what_is_wrong_is_said(make: Make, options: dict[str, str], tmp_path: Path) -> None:
    async def fails(match: str, **changes: str) -> None:
        device = make(**changes)
        with pytest.raises(DeviceError, match=match):
            await device.open()

    asyncio.run(fails("no Android emulator in", sdk=str(tmp_path)))
    asyncio.run(fails("sdkmanager", image="system-images;android-1;x;y"))
    asyncio.run(fails("avdmanager made no AVD.*no-such", hardware="no-such"))
    asyncio.run(fails("there is no AVD 'mine'", avd="mine"))
    asyncio.run(fails("status 1; it said: please use -help", arguments="-no-such-option"))
