"""Runs to be made one after the other, each in a process of its own, each leaving one row."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import learning_rows as rows
import msgspec
from learning_entries import CLONING
from learning_run import Job

from distrl.config import RunConfig, dump
from distrl.errors import RunError

RUNNER = Path(__file__).resolve().parent / "learning_run.py"


@dataclass(frozen=True)
class Plan:
    """One run that is wanted."""

    name: str
    config: RunConfig
    suite_digest: str
    results: Path  # folder of the row
    label: str = ""  # in the row's file name, instead of `name`

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.label or self.name}, seed {self.config.seed}"

    def row(self) -> rows.Row | None:
        """The row, if the run was made before."""
        settings = rows.settings_that_matter(self.config)
        return rows.find(self.results, self.label or self.name, self.config.seed, self.suite_digest, settings)


@dataclass(frozen=True)
class Measuring:
    """What is measured before and after each run, and where the runs lie meanwhile."""

    splits: list[str]
    start_splits: list[str]
    episodes: int
    work: Path
    keep_runs: bool = False


def make(plan: Plan, measuring: Measuring) -> rows.Row:
    """Make one run; raises RunError with the end of its log when it fails."""
    label = plan.label or plan.name
    settings = rows.settings_that_matter(plan.config)
    file = rows.file_name(label, plan.config.seed, settings)
    work = measuring.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    stem = work / Path(file).stem
    row = plan.results.absolute() / file
    job = Job(
        name=label,
        config=dump(plan.config),
        splits=measuring.splits,
        start_splits=measuring.start_splits,
        episodes=measuring.episodes,
        cloning=plan.name == CLONING,
        folder=str(stem),
        cache=str(work / "starts"),
        row=str(row),
    )
    stem.with_suffix(".job").write_bytes(msgspec.json.encode(job))
    log = stem.with_suffix(".log")
    command = [sys.executable, str(RUNNER), str(stem.with_suffix(".job"))]
    with (
        log.open("wb") as output,
        # A pipe, so that the run notices when we are gone.
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT) as process,
    ):
        status = process.wait()
    if status != 0:
        lines = log.read_text(errors="replace").splitlines()[-3:]
        raise RunError(f"{plan.title} failed (log: {log}): {' / '.join(lines) or f'status {status}'}")
    if not measuring.keep_runs:
        for folder in work.glob(f"{stem.name}*"):
            if folder.is_dir():
                shutil.rmtree(folder, ignore_errors=True)
    return rows.load(row)


def make_all(
    plans: Sequence[Plan], measuring: Measuring, *, resume: bool, tell: Callable[[str], None]
) -> tuple[list[rows.Row], list[str]]:
    """All rows that could be had, and what went wrong with the others."""
    found: list[rows.Row] = []
    failed: list[str] = []
    for number, plan in enumerate(plans, 1):
        head = f"[{number}/{len(plans)}] {plan.title}"
        row = plan.row() if resume else None
        if row is not None:
            tell(f"{head}: there already, {_headline(row)}")
            found.append(row)
            continue
        tell(f"{head}: {plan.config.budget.minutes:g} min of training …")
        begin = time.monotonic()
        try:
            row = make(plan, measuring)
        except RunError as error:
            failed.append(str(error))
            tell(f"{head}: {error}")
            continue
        found.append(row)
        tell(f"{head}: {_headline(row)} ({(time.monotonic() - begin) / 60:.1f} min in all)")
    return found, failed


def _headline(row: rows.Row) -> str:
    parts = []
    for split, both in row.end.items():
        scores = " / ".join(f"{100 * score.success:.0f}" for score in both.values())
        parts.append(f"{split} {scores} %")
    return ", ".join(parts) + " sampled / greedy"
