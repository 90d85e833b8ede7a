"""One run of the comparison, in a process of its own: `python bench/learning_run.py JOB.json`.

It does what `distrl train` does, with the same functions of `distrl.run`, and measures before and after.
Processor time is what the kernel has accounted to this process and to its children that have ended
(getrusage), and the engine waits for all of them; parts on other machines (the ray engine) are not counted.
"""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import signal
import stat
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import learning_rows as rows
import msgspec
from learning_rows import Cost, CurvePoint, Row, Scores

from distrl import assembly
from distrl import run as runs
from distrl.config import RunConfig, load
from distrl.errors import DistrlError
from distrl.interfaces import PartStatus
from distrl.recording import Line, RunFolder
from distrl.replay import read_stats
from distrl.view.board import Board

TRIED_PASSES = 3  # of cloning, to find out how long one takes
DECODINGS = {"sampled": False, "greedy": True}


class Job(msgspec.Struct, frozen=True):
    """What to run, and where to put what comes of it."""

    name: str
    config: str  # YAML
    splits: list[str]  # measured at the end
    start_splits: list[str]  # measured before training
    episodes: int
    cloning: bool  # imitate for the whole budget instead of learning by reinforcement
    folder: str  # for the run
    cache: str  # for measurements of starts that several runs share
    row: str  # the file to write


@dataclass
class Watch:
    """Takes in a run's records as they come."""

    board: Board
    began: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def show(self, statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        """One look, as `runs.follow` wants it."""
        self.board.take(statuses, [])
        for line in lines:
            self.board.take((), [line])
            if line.name == "evaluation":
                self.curve.append(self._point(line))
            elif line.kind == "warning":
                self.warnings.append(str(line.fields.get("text")))

    def _point(self, line: Line) -> CurvePoint:
        taken = line.t - (line.values.get("seconds") or 0.0)
        return CurvePoint(
            seconds=round(max(0.0, taken - self.began), 1),
            steps=self.board.total("steps"),
            decoding=str(line.fields.get("decoding")),
            success=round(line.values.get("success") or 0.0, 4),
        )


def work(job: Job) -> Row:
    """Do the job, from the warm start to the last measurement."""
    config = load(job.config, job.name)
    suite = assembly.make_suite(config)
    folder = _new_folder(Path(job.folder), config)
    with clocked() as warmstart:
        runs.prepare(folder, quiet)
    start = _start_scores(folder, job)
    watch = Watch(Board(folder.name, config))
    if job.cloning:
        _add_point(folder, config, watch, 0.0)
        longer = _passes(config, _fitting_passes(config))
        folder = _new_folder(folder.path.with_name(f"{folder.name}-cloned"), longer)
        with clocked() as training:
            runs.prepare(folder, quiet)
        _add_point(folder, config, watch, training.wall_s)
    else:
        with folder.lock(), clocked() as training, runs.running(folder) as engine:
            watch.began = time.time()
            runs.follow(folder, engine, watch.show)
    collected = (0, 0) if job.cloning else _collected(folder)
    return Row(
        schema=rows.SCHEMA,
        name=job.name,
        seed=config.seed,
        suite=suite.name,
        suite_version=suite.version,
        suite_digest=suite.digest(),
        settings=rows.settings_that_matter(config),
        code=rows.code_version(),
        machine=rows.this_machine(config.learner.device),
        warmstart=warmstart.cost(),
        training=training.cost(),
        environment_steps=collected[0],
        episodes=collected[1],
        updates=watch.board.learner.get("update") or 0.0,
        start=start,
        end=_scores(folder, job.splits, job.episodes, version=None),
        curve=watch.curve,
        warnings=sorted(set(watch.warnings)),
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _collected(folder: RunFolder) -> tuple[int, int]:
    """Steps and episodes in the replay's books; what was under way at the end is not among them."""
    stats = read_stats(folder.replay_file)
    return stats.collected_steps, stats.collected


# --- measuring ----------------------------------------------------------------------------------


def _scores(folder: RunFolder, splits: Sequence[str], episodes: int, *, version: int | None) -> Scores:
    return {
        split: {
            name: rows.score(runs.measure(folder, split, episodes, version=version, greedy=greedy))
            for name, greedy in DECODINGS.items()
        }
        for split in splits
    }


def _start_scores(folder: RunFolder, job: Job) -> Scores:
    """The warm start's scores; runs that start with the same weights share one measurement."""
    if not job.start_splits:
        return {}
    config = folder.config()
    parts = [
        runs.load_policy(folder, 0).export(),
        assembly.make_suite(config).digest().encode(),
        msgspec.json.encode((config.seed, job.start_splits, job.episodes, config.device.model_dump())),
    ]
    key = hashlib.blake2b(b"".join(hashlib.blake2b(part).digest() for part in parts), digest_size=16)
    stored = Path(job.cache) / f"start-{key.hexdigest()}.json"
    if stored.exists():
        return msgspec.json.decode(stored.read_bytes(), type=Scores)
    scores = _scores(folder, job.start_splits, job.episodes, version=0)
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_bytes(msgspec.json.encode(scores))
    return scores


@dataclass
class Clock:
    """Wall and processor time of a stretch of the program, once it is over."""

    wall_s: float = 0.0
    cpu_s: float = 0.0

    def cost(self) -> Cost:
        """As a row keeps it."""
        return Cost(round(self.wall_s, 1), round(self.cpu_s, 1))


@contextmanager
def clocked() -> Iterator[Clock]:
    """Time what happens inside."""
    clock, wall, cpu = Clock(), time.monotonic(), _cpu_s()
    try:
        yield clock
    finally:
        clock.wall_s, clock.cpu_s = time.monotonic() - wall, _cpu_s() - cpu


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


# --- cloning for as long as the others train ----------------------------------------------------


def _fitting_passes(config: RunConfig) -> int:
    """How many passes over the demonstrations fill the budget, on all cores; a few are tried out."""
    beats: list[tuple[float, int, int]] = []

    def note(stage: str, done: int, of: int) -> None:
        if stage == "cloning":
            beats.append((time.monotonic(), done, of))

    runs.warm_policy(_passes(config, TRIED_PASSES), note, fresh=True)
    return passes_within(60 * config.budget.minutes, beats)


def passes_within(seconds: float, beats: Sequence[tuple[float, int, int]]) -> int:
    """How many passes fit, given when each update (of so many) of TRIED_PASSES passes was done."""
    (first, skipped, _), (last, done, of) = beats[0], beats[-1]
    update_s = (last - first) / (done - skipped)
    return max(1, int(seconds / (update_s * of / TRIED_PASSES)))


def _passes(config: RunConfig, passes: int) -> RunConfig:
    return config.model_copy(update={"warmstart": config.warmstart.model_copy(update={"epochs": passes})})


def _add_point(folder: RunFolder, config: RunConfig, watch: Watch, seconds: float) -> None:
    for decoding, greedy in DECODINGS.items():
        result = runs.measure(folder, config.evaluation.split, config.evaluation.episodes, greedy=greedy)
        watch.curve.append(CurvePoint(round(seconds, 1), 0.0, decoding, round(result.rate.value, 4)))


def _new_folder(path: Path, config: RunConfig) -> RunFolder:
    """A run folder from the beginning: what a killed run has left is not continued, its clock has stopped."""
    shutil.rmtree(path, ignore_errors=True)
    return runs.create(path, config)


def quiet(stage: str, done: int, of: int) -> None:
    """Nobody looks at the progress of a benchmark's warm start."""


def stop_with_caller() -> None:
    """Stop like after Ctrl-C, with all parts, when whoever holds the other end of our input is gone."""
    if not stat.S_ISFIFO(os.fstat(0).st_mode):
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored, where a shell began us with &

    def mind() -> None:
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=mind, daemon=True).start()


def main() -> int:
    """Do the job in the file named on the command line."""
    stop_with_caller()
    job = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Job)
    try:
        rows.save(Path(job.row), work(job))
    except DistrlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
