"""A whole worker with phones that fail all the time, in simulated time: nothing hangs, no label is wrong."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from distrl.collect.batching import BatchedPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.worker import Worker, WorkerSettings
from distrl.devices.simulated import SimulatedDevice
from distrl.interfaces import Permit, TaskRecord
from distrl.records import Condition, Ending, Outcome, Task, Trajectory, Verdict
from distrl.rewards.checks import CheckJudge
from distrl.simphone import Phone
from distrl.simphone.trouble import PROFILES, Trouble

Make = Callable[..., Any]

DEVICES, SECONDS = 6, 900.0
STORMY = msgspec.structs.replace(
    PROFILES["flaky"], fault_probability=0.05, fault_weights=(2.0, 3.0, 2.0, 3.0)
)
KEEP = Task(
    id="keep",
    goal="Leave airplane mode on",
    suite="testing",
    split="train",
    max_steps=8,
    setup=("settings put global airplane_mode_on 1",),
    probes={"airplane": "settings get global airplane_mode_on"},
    check=(Condition("airplane", "equals", "1"),),
)
# A phone that has restarted looks as if this had been done: its airplane mode is off again.
TURN_OFF = msgspec.structs.replace(KEEP, id="turn-off", check=(Condition("airplane", "equals", "0"),))


class Remembering(SimulatedDevice):
    """Knows which phone the episode began with."""

    began_with: Phone | None = None

    async def reset(self, task: Task, seed: int) -> None:
        await super().reset(task, seed)
        self.began_with = self.phone


class Honest:
    """Judges as usual, and compares with the state that the phone really has."""

    name, version = "check", "1"

    def __init__(self, devices: list[Remembering]) -> None:
        self.devices = {device.id: device for device in devices}
        self.labels: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def judge(self, trajectory: Trajectory) -> Verdict:
        verdict = await CheckJudge().judge(trajectory)
        self.labels[f"{trajectory.task.id} {verdict.outcome}"] += 1
        device = self.devices[trajectory.device]
        if verdict.outcome is not Outcome.UNKNOWN:
            same = device.phone is not None and device.phone is device.began_with
            real = device.phone.shell(KEEP.probes["airplane"]).stdout if device.phone else ""
            if not same or real != trajectory.answers["airplane"]:
                self.wrong.append(trajectory.id)
        return verdict


class Everything:
    """Takes every trajectory, holds nobody back, and writes nothing down."""

    def __init__(self) -> None:
        self.kept: list[Trajectory] = []
        self.fleet: dict[str, float] = {}

    async def add(self, trajectory: Trajectory) -> bool:
        self.kept.append(trajectory)
        return True

    async def permit(self, worker: str, wanted: int) -> Permit:
        return Permit(wanted)

    async def task_records(self) -> dict[str, TaskRecord]:
        return {}

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:
        self.fleet = values if name == "fleet" else self.fleet


def test_under_fire(fake_policy: Make, simulated_time: Make) -> None:
    devices = [
        Remembering(f"sim-{seed}", Trouble(STORMY, seed), paint=False, clock=lambda: 1.0)
        for seed in range(DEVICES)
    ]
    judge, replay = Honest(devices), Everything()

    async def go() -> None:
        stopping = asyncio.Event()
        worker = Worker(
            WorkerSettings("worker-0.0", "r", EpisodeLimits()),
            devices,
            BatchedPolicy(fake_policy(4)),
            Curriculum([KEEP, TURN_OFF], share=0.0, seed=0),
            judge,
            replay,  # type: ignore[arg-type]
            replay,
            stopping,
        )
        job = asyncio.ensure_future(worker.run())
        await asyncio.sleep(SECONDS)
        stopping.set()
        await job

    simulated_time(go())
    assert judge.wrong == []
    assert judge.labels["keep success"] > 10
    assert judge.labels["turn-off failure"] > 10
    assert judge.labels["keep failure"] == judge.labels["turn-off success"] == 0
    lost = [t for t in replay.kept if t.ending is Ending.DEVICE_LOST]
    assert len(lost) > 10
    assert not any(t.trainable for t in lost)
    mended = {step.fault for t in replay.kept if t.trainable for step in t.steps if step.fault}
    assert {"hang", "disconnect", "black_screen"} <= mended
    for kind in ("hang", "disconnect", "black_screen", "reboot"):
        assert replay.fleet[f"faults/{kind}"] > 0
    assert sum(replay.fleet[f"state/{state}"] for state in ("ready", "busy")) >= DEVICES - 2
