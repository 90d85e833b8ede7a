"""One run of `collection.py`: so many devices, a latency profile, a mode; and what its records say."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from booked import BUILDER
from collection_bounds import (
    Episode,
    Round,
    Throughput,
    asynchronous,
    framework_of_a_step,
    split,
    synchronous,
)

from distrl import parts, run
from distrl.config import RunConfig, dump, resolve
from distrl.engine.processes import ProcessEngine
from distrl.recording import Line, Reader, RunFolder, write_then_rename

SETTLE_S = 60.0  # of the devices' time, in which the devices' common start is forgotten
BATCH = 12  # trajectories in one update
RATIO = 1.5  # steps trained for each step collected, in both modes
LAST_START_S = 600.0  # a worker that has not started by then, or a round that has not ended, never will


@dataclass(frozen=True)
class Cell:
    """What is to be run."""

    devices: int
    profile: str
    mode: str  # "async" or "sync"
    minutes: float
    time_scale: float = 1.0
    round_episodes: int = 1  # of each device, in a synchronous round
    suite: str = "general"
    seed: int = 0
    more: tuple[str, ...] = ()  # further settings

    @property
    def round_trajectories(self) -> int:
        """Trajectories in a synchronous round."""
        return self.devices * self.round_episodes

    @property
    def round_updates(self) -> int:
        """Updates after a round: as many as the asynchronous learner makes for as many trajectories."""
        return max(1, round(RATIO * self.round_trajectories / BATCH))

    def config(self) -> RunConfig:
        """The run's configuration; the two modes differ in nothing but the mode."""
        settings = [
            f"seed={self.seed}",
            f"suite={self.suite}",
            f"mode={self.mode}",
            f"round_trajectories={self.round_trajectories}",
            f"round_updates={self.round_updates}",
            f"collect.devices={self.devices}",
            f"device.time_scale={self.time_scale}",
            "device.picture_scale=0.25",
            "warmstart.demonstrations=150",
            "warmstart.epochs=4",
            "algorithm.lr=1e-12",  # trains as usual and learns nothing: else the policies would soon differ
            f"replay.ratio={RATIO}",
            f"replay.min_trajectories={BATCH}",
            f"learner.batch_trajectories={BATCH}",
            f"learner.publish_every={self.round_updates}",
            "budget.minutes=600",
            "tracking.tensorboard=false",
            *self.more,
        ]
        return resolve(overrides=settings)


@dataclass(frozen=True)
class Findings:
    """What came of a cell."""

    cell: Cell
    throughput: Throughput
    shares: dict[str, float]  # of the devices' time, by account
    durations: list[float]  # of the episodes counted
    training_s: float  # of a round; of as many trajectories when asynchronous
    learner: dict[str, float]  # shares of its time: training, waiting
    lag_mean_s: float
    rounds: int = 0

    @property
    def framework(self) -> float:
        """Its share of a step."""
        return framework_of_a_step(self.shares)


# --- running ------------------------------------------------------------------------------------


def measure(cell: Cell, place: Path) -> Findings:
    """Run a cell in a folder of its own, and read what it left."""
    folder = prepare(place, cell.config(), cell.profile)
    engine = ProcessEngine(str(folder.path), BUILDER)
    # Evaluation is left out: it takes the processor from both modes alike and changes neither.
    engine.start([spec for spec in parts.part_specs(folder.config()) if spec.kind != "evaluator"])
    try:
        start = _wait(folder, engine, lambda line: line.name == "ledger", time.time() + LAST_START_S)
        begin = start + SETTLE_S * cell.time_scale
        end = begin + 60 * cell.minutes
        while time.time() < end:
            check(engine)
            time.sleep(0.2)
        if (
            cell.mode == "sync"
        ):  # without its last round, which is likely to be a long one, it would look better
            _wait(folder, engine, lambda line: line.kind == "published" and line.t >= end, end + LAST_START_S)
    finally:
        engine.stop()
    return read(cell, Reader(folder).poll(), begin, end)


def prepare(path: Path, config: RunConfig, profile: str) -> RunFolder:
    """A run's folder with version 0 in it, cloned on phones that are not slow."""
    folder = run.create(path, config)
    run.prepare(folder, lambda *_: None)
    device = config.device.model_copy(update={"profile": profile})
    write_then_rename(folder.config_file, dump(config.model_copy(update={"device": device})).encode())
    return folder


def check(engine: ProcessEngine) -> None:
    """Give up if a part cannot be kept alive, or had to be revived: the figures would mean nothing."""
    for status in engine.poll():
        if status.state == "failed" or status.restarts:
            raise SystemExit(f"{status.name} failed: {status.error}; nothing was measured")


def _wait(folder: RunFolder, engine: ProcessEngine, wanted: Callable[[Line], bool], latest: float) -> float:
    """Wait until a line is recorded; returns when that was."""
    reader = Reader(folder)
    while time.time() < latest:
        check(engine)
        for line in reader.poll():
            if wanted(line):
                return line.t
        time.sleep(0.2)
    raise SystemExit(f"nothing happened for {LAST_START_S:g} s; see {folder.logs}")


# --- reading ------------------------------------------------------------------------------------


def read(cell: Cell, lines: Sequence[Line], begin: float, end: float) -> Findings:
    """The figures of a run between two moments; of whole rounds if it is synchronous."""
    episodes = episodes_of(lines)
    rounds: list[Round] = []
    if cell.mode == "sync":
        # The first round is that of the start.
        rounds = [one for one in rounds_of(lines, episodes)[1:] if one.opened < end]
        if not rounds:
            raise SystemExit(f"no round ended in {cell.minutes:g} minutes; give it more")
        begin, end = rounds[0].opened, rounds[-1].closed
        throughput = synchronous(rounds, cell.devices)
        counted = [each for one in rounds for each in one.episodes]
        training_s = sum(one.training_s for one in rounds) / len(rounds)
    else:
        throughput = asynchronous(episodes, cell.devices, begin, end)
        counted = [each for each in episodes if begin <= each.ended < end]
        training_s = _training(lines, begin, end) / max(1, len(counted)) * cell.round_trajectories
    if not counted:
        raise SystemExit(f"no episode ended in {cell.minutes:g} minutes; give it more")
    before, after, seconds = books_between(lines, begin, end)
    return Findings(
        cell=cell,
        throughput=throughput,
        shares=split(before, after, cell.devices * seconds),
        durations=[each.seconds for each in counted],
        training_s=training_s,
        learner=_learner(lines, begin, end),
        lag_mean_s=mean_lag(lines, begin, end),
        rounds=len(rounds),
    )


def episodes_of(lines: Sequence[Line]) -> list[Episode]:
    """All episodes that were delivered."""
    return [
        Episode(
            str(line.fields["device"]),
            float(str(line.fields["began"])),
            float(str(line.fields["ended"])),
            int(str(line.fields["steps"])),
        )
        for line in lines
        if line.kind == "episode"
    ]


def rounds_of(lines: Sequence[Line], episodes: Sequence[Episode]) -> list[Round]:
    """All complete rounds; each ends, and the next one opens, when the learner publishes."""
    openings = [line.t for line in lines if line.kind == "published"]
    start = min((each.began for each in episodes), default=math.inf)
    return [
        Round(
            opened,
            closed,
            [each for each in episodes if opened <= each.ended < closed],
            _training(lines, opened, closed),
        )
        for opened, closed in zip([start, *openings], openings, strict=False)
    ]


def _training(lines: Sequence[Line], begin: float, end: float) -> float:
    """Seconds of drawing and updating between two moments."""
    return sum(
        (line.values.get("sample_s") or 0.0) + (line.values.get("update_s") or 0.0)
        for line in lines
        if line.part == "learner" and line.name == "learner" and begin < line.t <= end
    )


def _learner(lines: Sequence[Line], begin: float, end: float) -> dict[str, float]:
    """How the learner spends its time: it trains, or it waits for workers."""
    training = _training(lines, begin, end) / (end - begin)
    return {"training": training, "waiting for workers": 1.0 - training}


def books_between(
    lines: Sequence[Line], begin: float, end: float
) -> tuple[dict[str, float], dict[str, float], float]:
    """The ledgers of all workers next to two moments, added up, and the seconds between them.

    Workers write at about the same time; the seconds are the mean of what passed between their readings.
    """
    first: dict[str, Line] = {}
    last: dict[str, Line] = {}
    for line in lines:
        if line.name == "ledger" and line.t <= begin:
            first[line.part] = line
        if line.name == "ledger" and line.t <= end:
            last[line.part] = line
    for line in reversed(lines):  # a window that opens before the first reading begins with that one
        if line.name == "ledger" and line.t > begin and first.get(line.part, line).t >= line.t:
            first[line.part] = line
    passed = [last[part].t - first[part].t for part in last]
    return _added(first), _added(last), sum(passed) / max(1, len(passed))


def _added(lines: Mapping[str, Line]) -> dict[str, float]:
    total: dict[str, float] = {}
    for line in lines.values():
        for account, seconds in line.values.items():
            total[account] = total.get(account, 0.0) + (seconds or 0.0)
    return total


def mean_lag(lines: Sequence[Line], begin: float, end: float) -> float:
    """By how much event loops are late on average."""
    lags = [
        line.values["lag_mean_s"] or 0.0 for line in lines if line.name == "ledger" and begin < line.t <= end
    ]
    return sum(lags) / max(1, len(lags))
