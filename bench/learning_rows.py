"""One finished run as one small JSON file, which says all that is needed to compare it and to repeat it."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from pathlib import Path

import msgspec

import distrl
from distrl.config import RunConfig, Section
from distrl.errors import RunError
from distrl.evaluate import Evaluation
from distrl.recording import write_then_rename

SCHEMA = 1
# What decides how a run learns; the seed and what is only measured or shown are left out.
MATTERS = ("suite", "threads", "mode", "round_", "device.", "collect.", "policy.", "warmstart.", "algorithm.",
           "replay.", "learner.", "budget.", "evaluation.every_s", "evaluation.episodes")  # fmt: skip
MERELY_KEPT = ("learner.keep_versions", "learner.checkpoint_every_s")
# Settings that came later with a default that changes what is learnt: what they stand for in older rows.
BEFORE = {
    "algorithm.imitation": 0.0,
    "algorithm.learn_share": 1.0,
    "algorithm.priority_lesson": 0.0,
    "algorithm.rehearsal": 0.0,
}


class Score(msgspec.Struct, frozen=True):
    """Success on a split; the interval knows which episodes share a task."""

    success: float
    low: float
    high: float
    episodes: int
    tasks: int
    mean_steps: float
    said_done: float
    by_family: dict[str, str]  # "3/4": solved of tried
    by_level: dict[str, str]


class CurvePoint(msgspec.Struct, frozen=True):
    """An evaluation while training."""

    seconds: float  # of training, when the version was taken
    steps: float  # done in the environment by then
    decoding: str  # "sampled" or "greedy"
    success: float


class Machine(msgspec.Struct, frozen=True):
    """Where it ran."""

    cores: int
    processor: str
    python: str
    gpu: str = ""  # what the learner computed on, if not on the processor

    def __str__(self) -> str:
        gpu = f", updates on {self.gpu}" if self.gpu else ""
        return f"{self.cores} cores, {self.processor}{gpu}"


class Cost(msgspec.Struct, frozen=True):
    """Seconds by the clock, and of processor time of all processes together."""

    wall_s: float
    cpu_s: float


Scores = dict[str, dict[str, Score]]  # split → decoding → score


class Row(msgspec.Struct, frozen=True):
    """A finished run."""

    schema: int
    name: str
    seed: int
    suite: str
    suite_version: str
    suite_digest: str
    settings: dict[str, object]  # all that matter, defaults included
    code: str  # version, commit, and whether files had changed since
    machine: Machine
    warmstart: Cost
    training: Cost
    environment_steps: int  # of collected episodes
    episodes: int
    updates: float
    start: Scores
    end: Scores
    curve: list[CurvePoint]
    warnings: list[str]
    finished_at: str


def score(result: Evaluation) -> Score:
    """What a row keeps of an evaluation."""
    return Score(
        success=round(result.rate.value, 4),
        low=round(result.rate.low, 4),
        high=round(result.rate.high, 4),
        episodes=result.rate.episodes,
        tasks=result.rate.tasks,
        mean_steps=round(result.mean_steps, 2),
        said_done=round(result.said_done, 3),
        by_family={name: f"{rate.successes}/{rate.episodes}" for name, rate in result.by_family.items()},
        by_level={name: f"{rate.successes}/{rate.episodes}" for name, rate in result.by_level.items()},
    )


def settings_that_matter(config: RunConfig) -> dict[str, object]:
    """The settings on which a run's result depends, by their full names."""
    return {
        name: value
        for name, value in _flat(config).items()
        if name.startswith(MATTERS) and name not in MERELY_KEPT
    }


def _flat(section: Section, prefix: str = "") -> dict[str, object]:
    plain = section.model_dump(mode="json")  # as it comes back from a file: lists, no tuples
    values: dict[str, object] = {}
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, Section):
            values |= _flat(value, f"{prefix}{name}.")
        else:
            values[prefix + name] = plain[name]
    return values


def digest(settings: dict[str, object]) -> str:
    """Eight characters that name a set of settings."""
    data = msgspec.json.encode(settings, order="sorted")
    return hashlib.blake2b(data, digest_size=4).hexdigest()


def file_name(name: str, seed: int, settings: dict[str, object]) -> str:
    """Where the row of a run lies in its suite's folder."""
    return f"{name}-s{seed}-{digest(settings)}.json"


def save(path: Path, row: Row) -> None:
    """Write a row; a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_then_rename(path, msgspec.json.format(msgspec.json.encode(row), indent=1) + b"\n")


def load(path: Path) -> Row:
    """A row from its file."""
    try:
        row = msgspec.json.decode(path.read_bytes(), type=Row)
    except (OSError, msgspec.DecodeError) as error:
        raise RunError(f"{path} is not a row of results: {error}") from error
    if row.schema != SCHEMA:
        raise RunError(f"{path} has schema {row.schema}; this program reads {SCHEMA}")
    return row


def find(folder: Path, name: str, seed: int, suite_digest: str, settings: dict[str, object]) -> Row | None:
    """The row of this very run, if there is one; what could not be set then must be as it was done then."""
    defaults = settings_that_matter(RunConfig()) | BEFORE
    for path in sorted(folder.glob(f"{name}-s{seed}-*.json")):
        row = load(path)
        new = settings.keys() - row.settings.keys()
        if (
            (row.name, row.seed, row.suite_digest) == (name, seed, suite_digest)
            and all(settings.get(key) == value for key, value in row.settings.items() if key in settings)
            and all(settings[key] == defaults[key] for key in new)
        ):
            return row
    return None


def code_version() -> str:
    """The version of distrl, and the commit if it is a checkout."""
    here = Path(__file__).resolve().parent

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    commit = git("rev-parse", "--short=12", "HEAD")
    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no", "../src") else ""
    return f"{distrl.__version__} {commit}{changed}".strip()


def this_machine(learner: str) -> Machine:
    """What runs it, given the learner's device as configured."""
    import torch

    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return Machine(
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        processor=names[0] if names else platform.processor(),
        python=platform.python_version(),
        gpu=torch.cuda.get_device_name() if learner != "cpu" and torch.cuda.is_available() else "",
    )
