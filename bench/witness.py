"""Workers under oath, for `faults.py`: they write down every fault dealt out, every label and every receipt.

A part builder for the engines `processes` and `ray`, which import it by name. Only workers differ from those
of an ordinary run: their phones tell which faults they suffer, a judge with direct access to the phone says
what is true, and acknowledged ids are noted once the replay has acknowledged them. Lines are written at once,
so `kill -9` loses none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from distrl import assembly, parts
from distrl.archive import Desk, desk_for
from distrl.collect.batching import BatchedPolicy, WorkerPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.ladder import RepairSettings
from distrl.collect.remote_policy import RemotePolicy
from distrl.collect.serving import PolicyService
from distrl.collect.worker import Worker, WorkerSettings
from distrl.config import RunConfig
from distrl.devices.simulated import SimulatedDevice
from distrl.engine.parts import BuiltPart, PartContext
from distrl.interfaces import Device, Judge, PartSpec, Permit, Replay, TaskRecord
from distrl.recording import RunFolder
from distrl.records import Condition, Ending, Outcome, Task, Trajectory, Verdict
from distrl.simphone import Phone
from distrl.simphone.trouble import NOTHING, PROFILES, Event, Trouble

BUILDER = "witness:build_part"
PLACE = "DISTRL_TESTIMONY"  # names the run's folder to workers on hosts that have only a copy of it
EASY_SHARE = 0.4  # of the two tasks below; the others are the suite's
# Solved by saying DONE at once, so that a policy that has learnt little gets both labels; and failed by a
# phone that has restarted, since its airplane mode is off again.
EASY = Task(
    id="leave-it-on",
    goal="Leave airplane mode on",
    suite="faults",
    split="train",
    max_steps=8,
    setup=("settings put global airplane_mode_on 1",),
    probes={"airplane": "settings get global airplane_mode_on"},
    check=(Condition("airplane", "equals", "1"),),
)
# The contrary: a phone that has restarted looks as if it had been done.
CONTRARY = msgspec.structs.replace(
    EASY, id="turn-it-off", goal="Turn airplane mode off", check=(Condition("airplane", "equals", "0"),)
)
FAULTLESS = "faultless"  # a file of this name in the run's folder leaves the profile's faults out


class Sworn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a worker's testimony."""

    t: float  # time.time()
    kind: str  # "up", "fault", "label", "receipt"
    id: str = ""  # of a trajectory
    fault: str = ""
    said: str = ""  # the label given
    true: str = ""  # the label that the phone's own state deserves


class Court(Protocol):
    """Who takes testimony."""

    def say(self, kind: str, *, id: str = "", fault: str = "", said: str = "", true: str = "") -> None:
        """Note it."""


class Testimony:
    """Appends lines to a file, each by one write."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(exist_ok=True)
        self._handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def say(self, kind: str, *, id: str = "", fault: str = "", said: str = "", true: str = "") -> None:
        """Write one line."""
        os.write(self._handle, msgspec.json.encode(Sworn(time.time(), kind, id, fault, said, true)) + b"\n")


def read_testimony(folder: Path) -> list[Sworn]:
    """What all workers of a run have said."""
    decode = msgspec.json.Decoder(Sworn).decode
    return [
        decode(line)
        for file in sorted((folder / "testimony").glob("*.jsonl"))
        for line in file.read_bytes().splitlines()
    ]


class SwornTrouble(Trouble):
    """Trouble of the profile `flaky` that is written down as it is dealt out.

    Delays and faults come from streams of their own, so that a phone's ordinary delays are the same, one by
    one, with faults and without.
    """

    def __init__(self, testimony: Court, *, faults: bool, seed: int) -> None:
        flaky = PROFILES["flaky"]
        super().__init__(msgspec.structs.replace(flaky, fault_probability=0.0), seed)
        at_once = msgspec.structs.replace(
            flaky, observe=NOTHING, act=NOTHING, reset=NOTHING, stall_probability=0.0
        )
        self._faults = Trouble(at_once, seed) if faults else None
        self._testimony = testimony

    def next(self, operation: str) -> Event:
        """The event for the next operation."""
        usual = super().next(operation)
        fault = self._faults.next(operation) if self._faults is not None else None
        if fault is None or fault.fault is None:
            return usual
        self._testimony.say("fault", fault=fault.fault)
        return Event(usual.delay_s + fault.delay_s, fault.fault)


class WitnessedDevice(SimulatedDevice):
    """A simulated phone that remembers which phone it was when the episode began."""

    began_with: Phone | None = None

    async def reset(self, task: Task, seed: int) -> None:
        """As usual."""
        await super().reset(task, seed)
        self.began_with = self.phone


@dataclass
class SwornJudge:
    """The run's judge, whose verdicts are compared with the phone's own state, read without any trouble."""

    judge_of_run: Judge
    devices: Sequence[WitnessedDevice]
    testimony: Court
    name: str = "check"
    version: str = "1"
    _by_id: dict[str, WitnessedDevice] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_id = {device.id: device for device in self.devices}

    async def judge(self, trajectory: Trajectory) -> Verdict:
        """The usual verdict."""
        verdict = await self.judge_of_run.judge(trajectory)
        true = await self._truth(trajectory)
        self.testimony.say("label", id=trajectory.id, said=str(verdict.outcome), true=true)
        return verdict

    async def _truth(self, trajectory: Trajectory) -> str:
        """What a judge says of the state that the phone really has; unknown if it is another phone now."""
        device = self._by_id[trajectory.device]
        phone = device.phone
        if phone is None or phone is not device.began_with or trajectory.ending is Ending.DEVICE_LOST:
            return str(Outcome.UNKNOWN)
        answers = {
            name: phone.shell(command).stdout for name, command in trajectory.task.probes.items() if command
        }
        honest = msgspec.structs.replace(trajectory, answers=answers)
        return str((await self.judge_of_run.judge(honest)).outcome)


@dataclass
class SwornReplay:
    """The part of a replay that a worker uses; notes a receipt when an id was acknowledged."""

    replay: Replay
    testimony: Testimony

    async def add(self, trajectory: Trajectory) -> bool:
        """Deliver."""
        new = await self.replay.add(trajectory)
        self.testimony.say("receipt", id=trajectory.id)
        return new

    async def permit(self, worker: str, wanted: int) -> Permit:
        """Ask."""
        return await self.replay.permit(worker, wanted)

    async def task_records(self) -> dict[str, TaskRecord]:
        """Ask."""
        return await self.replay.task_records()


def build_part(spec: PartSpec, context: PartContext) -> BuiltPart:
    """Any part of a run; workers under oath."""
    if spec.kind != "worker":
        if spec.kind != "replay":
            os.nice(5)  # the question is what is collected: on a small machine, that comes first
        return parts.build_part(spec, context)
    folder = RunFolder.open(Path(context.folder))
    config = folder.config()
    name = f"{spec.name}.{context.incarnation}"
    place = Path(os.environ.get(PLACE, folder.path))
    testimony = Testimony(place / "testimony" / f"{name}.jsonl")
    seed = config.seed + 1000 * (spec.index + 1) + 7_919 * context.incarnation
    devices = _devices(config, testimony, seed, faults=not (place / FAULTLESS).exists())
    desk = desk_for(spec, context, folder, assembly.open_weights(folder, config))
    testimony.say("up")
    return BuiltPart(desk.seat(_worker(name, context, desk, config, devices, testimony, seed)))


def _devices(config: RunConfig, testimony: Testimony, seed: int, *, faults: bool) -> list[WitnessedDevice]:
    return [
        WitnessedDevice(
            f"sim-{index}",
            SwornTrouble(testimony, faults=faults, seed=(seed + index) * 1_000_003 + index),
            seed=(seed + index) * 1_000_003 + index,
            time_scale=config.device.time_scale,
            picture_scale=config.device.picture_scale,
        )
        for index in range(config.collect.devices)
    ]


def _worker(
    name: str,
    context: PartContext,
    desk: Desk,
    config: RunConfig,
    devices: list[WitnessedDevice],
    testimony: Testimony,
    seed: int,
) -> Worker:
    members: Sequence[Device] = devices
    tasks = list(assembly.make_suite(config).tasks("train"))
    tasks += [EASY, CONTRARY] * round(len(tasks) * EASY_SHARE / (1 - EASY_SHARE) / 2)
    return Worker(
        WorkerSettings(
            name=name,
            run=Path(context.folder).name,
            limits=EpisodeLimits(config.collect.step_timeout_s, config.collect.episode_timeout_s),
            repair=RepairSettings(quarantine_s=config.repair.quarantine_s),
        ),
        devices=members,
        policy=_policy(context, desk, config, seed),
        curriculum=Curriculum(tasks, share=0.0, seed=seed),
        judge=SwornJudge(assembly.make_judge(config), devices, testimony),
        replay=SwornReplay(context.connect(Replay, "replay"), testimony),  # type: ignore[arg-type]
        recorder=desk.recorder,
        stopping=context.stopping,
    )


def _policy(context: PartContext, desk: Desk, config: RunConfig, seed: int) -> WorkerPolicy:
    """The policy in the worker, or a client of the service that decides for all."""
    if config.policy.serving == "service":
        names = [f"policy-{index}" for index in range(config.policy.services)]
        return RemotePolicy([context.connect(PolicyService, name) for name in names])
    return BatchedPolicy(assembly.make_policy(config, seed), desk.weights, max_batch=config.collect.max_batch)
