"""Trainings under fire, for `faults.py`: how they are started, killed and examined."""

from __future__ import annotations

import os
import random
import signal
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import msgspec
from witness import BUILDER, FAULTLESS, read_testimony

from distrl import parts, run
from distrl.config import RunConfig, dump, resolve
from distrl.engine.processes import ProcessEngine
from distrl.interfaces import Engine
from distrl.recording import Reader, RunFolder, write_then_rename
from distrl.records import Outcome
from distrl.replay import iterate
from distrl.replay.store import Store
from distrl.simphone.trouble import PROFILES

FLAKY = PROFILES["flaky"]


@dataclass
class Outing:
    """What one run brought."""

    started: float
    seconds: float
    usable_steps: int = 0
    steps: int = 0
    episodes: int = 0
    lost_episodes: int = 0
    successes: int = 0
    receipts: int = 0
    missing: int = 0  # acknowledged, and not in the replay
    labels: int = 0
    wrong_labels: int = 0
    faults: list[tuple[float, str]] = field(default_factory=list)  # when which was dealt out
    kills: list[tuple[float, str]] = field(default_factory=list)  # when which part was killed
    mend_s: dict[str, list[float]] = field(default_factory=dict)  # medians of the workers, by kind
    start_s: float = 0.0  # a worker's, from the engine's start to its first permit

    @property
    def usable_per_s(self) -> float:
        """Steps per second that can be trained on."""
        return self.usable_steps / self.seconds


# --- running ------------------------------------------------------------------------------------


def configure(devices: int, workers: int, scale: float, seed: int, *more: str) -> RunConfig:
    """A small policy that learns while phones are flaky; nobody is ever held back by the other side."""
    settings = [
        f"seed={seed}",
        f"collect.workers={workers}",
        f"collect.devices={devices // workers}",
        "collect.max_batch=64",
        f"collect.step_timeout_s={FLAKY.hang_s * max(scale, 0.01)}",
        f"repair.quarantine_s={5 * scale + 0.05}",
        f"device.time_scale={scale}",
        "device.picture_scale=0.25",
        "warmstart.demonstrations=64",
        "warmstart.epochs=6",
        "replay.capacity=1000000",
        "replay.slack=1000000000",
        "replay.ratio=0.1",
        "evaluation.devices=4",
        "budget.minutes=600",
        "budget.updates=1000000",
        *more,
    ]
    return resolve("tiny", overrides=settings)


def create(path: Path, config: RunConfig, *, faultless: bool = False) -> RunFolder:
    """A run's folder with version 0 in it, cloned on phones without trouble."""
    folder = run.create(path, config)
    run.prepare(folder, lambda *_: None)
    device = config.device.model_copy(update={"profile": "flaky"})
    write_then_rename(folder.config_file, dump(config.model_copy(update={"device": device})).encode())
    if faultless:
        (path / FAULTLESS).touch()
    return folder


def start(folder: RunFolder, engine: Engine | None = None) -> Engine:
    """The run's parts, in processes unless an engine is given; they may be killed as often as one likes."""
    engine = engine or ProcessEngine(str(folder.path), BUILDER, first_backoff_s=0.2)
    specs = parts.part_specs(folder.config())
    engine.start([msgspec.structs.replace(spec, restarts=1_000_000) for spec in specs])
    return engine


def kill_one(engine: Engine, source: random.Random, kind: str = "") -> str:
    """Kill -9 a random process, of a kind if one is asked for; returns the part's name, or nothing."""
    alive = [status for status in engine.poll() if status.pid and status.name.startswith(kind)]
    if not alive:
        return ""
    victim = source.choice(alive)
    with suppress(ProcessLookupError):
        os.kill(victim.pid, signal.SIGKILL)
    return victim.name


# --- examining ----------------------------------------------------------------------------------


def examine(folder: RunFolder, outing: Outing, launched: float) -> None:
    """Compare what workers swore with what the replay holds."""
    sworn = read_testimony(folder.path)
    end = outing.started + outing.seconds
    firsts = [line.t for line in sworn if line.kind == "up"][: folder.config().collect.workers]
    outing.start_s = median(firsts) - launched if firsts else 0.0
    outing.faults = [(line.t, line.fault) for line in sworn if line.kind == "fault" and line.t < end]
    labels = [line for line in sworn if line.kind == "label"]
    outing.labels = len(labels)
    outing.wrong_labels = sum(line.said != line.true for line in labels)
    receipts = [line.id for line in sworn if line.kind == "receipt"]
    outing.receipts = len(receipts)
    with closing(Store(folder.replay_file, read_only=True)) as store:
        outing.missing = sum(not store.was_seen(name) for name in receipts)
    for trajectory in iterate(folder.replay_file):
        if not outing.started <= trajectory.ended_at < end:
            continue
        outing.episodes += 1
        outing.steps += len(trajectory.steps)
        outing.usable_steps += len(trajectory.steps) if trajectory.trainable else 0
        outing.lost_episodes += not trajectory.trainable
        outing.successes += trajectory.verdict.outcome is Outcome.SUCCESS
    fleets = {line.part: line for line in Reader(folder).poll() if line.name == "fleet"}
    for line in fleets.values():
        for key, value in line.values.items():
            if key.startswith("mend_s/") and value is not None:
                outing.mend_s.setdefault(key.removeprefix("mend_s/"), []).append(value)
