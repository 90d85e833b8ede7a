"""`distrl replay show`, `export` and `import`: looking at what was collected, and carrying it elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from distrl.errors import ConfigError, ReplayError
from distrl.recording import RunFolder
from distrl.records import Ending, Outcome, Trajectory
from distrl.replay import read_trajectory
from distrl.replay.browsing import Brief, Selection, briefs, resolve_id
from distrl.view.pictures import describe, save_animation

SHORT_ID = 8  # characters of an id that a table shows; an id that needs more is told so
COLOURS = {Outcome.SUCCESS: "green", Outcome.FAILURE: "red", Outcome.UNKNOWN: "yellow"}

console = Console()
Choice = TypeVar("Choice", bound=StrEnum)


def selection(outcome: str | None, task: str | None, ending: str | None = None) -> Selection:
    """What the options of a command ask for; a word that means nothing is answered with those that do."""
    return Selection(
        outcome=_choice(Outcome, outcome, "--outcome"),
        task=task or "",
        ending=_choice(Ending, ending, "--ending"),
    )


def _choice(kind: type[Choice], word: str | None, option: str) -> Choice | None:
    if word is None:
        return None
    try:
        return kind(word.replace("-", "_"))
    except ValueError:
        raise ConfigError(f"{word!r} is none of {', '.join(kind)}", option) from None


# --- show ---------------------------------------------------------------------------------------


def list_trajectories(run: Path, wanted: Selection, last: int, *, as_json: bool) -> None:
    """A line for each of the newest trajectories that are wanted; `last` 0 means all."""
    found = briefs(RunFolder.open(run).replay_file, wanted, last or None)
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    table = Table(box=None, pad_edge=False)
    for column in ("id", "task", "outcome", "ending", "steps", "policy", "device", "ended"):
        table.add_column(
            column,
            justify="right" if column in ("steps", "policy") else "left",
            no_wrap=column not in ("task", "ending"),
            overflow="fold",
            min_width=16 if column == "task" else None,
        )
    for brief in found:
        outcome = Text(brief.outcome, COLOURS[brief.outcome])
        ending = brief.ending.replace("_", " ")
        row = (Text(brief.id[:SHORT_ID]), Text(brief.task), outcome, ending, str(brief.steps))
        table.add_row(*row, _versions(brief), Text(brief.device), _clock(brief.ended_at))
    if not found:
        console.print("The replay holds no such trajectory.")
        return
    console.print(table)
    console.print(
        f"{len(found)} trajectories, newest last. One in detail: "
        f"[bold]distrl replay show {run} {found[-1].id[:SHORT_ID]}[/bold]",
        soft_wrap=True,
    )


def show_trajectory(run: Path, prefix: str, output: Path | None, *, as_json: bool) -> None:
    """One trajectory: what was asked, every step in words, and the verdict; on request as an animation."""
    file = RunFolder.open(run).replay_file
    trajectory = read_trajectory(file, resolve_id(file, prefix))
    if output is not None:
        save_animation(trajectory, output)
    if as_json:
        print(msgspec.json.encode(_plain(trajectory)).decode())
        return
    console.print(_facts(trajectory))
    if trajectory.steps:
        console.print(_steps(trajectory))
    if output is not None:
        console.print(f"Saved as [bold]{output}[/bold]", soft_wrap=True)


def _facts(trajectory: Trajectory) -> Table:
    verdict = trajectory.verdict
    seconds = trajectory.ended_at - trajectory.started_at
    facts: dict[str, str | Text] = {
        "trajectory": trajectory.id,
        "task": f"{trajectory.task.id}, split {trajectory.task.split}, seed {trajectory.seed}",
        "goal": trajectory.task.goal,
        "verdict": Text(f"{verdict.outcome}", COLOURS[verdict.outcome]) + f": {verdict.evidence}",
        "judge": f"{verdict.judge}, version {verdict.judge_version}",
        "ending": trajectory.ending.replace("_", " "),
        "by": f"{trajectory.worker} on {trajectory.device}, {_clock(trajectory.ended_at)}, {seconds:.1f} s",
        "answers": "\n".join(f"{name}: {answer.strip()}" for name, answer in trajectory.answers.items()),
    }
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for label, value in facts.items():
        table.add_row(label, Text(value) if isinstance(value, str) else value)
    return table


def _steps(trajectory: Trajectory) -> Table:
    faults = any(step.fault for step in trajectory.steps)
    table = Table(box=None, pad_edge=False)
    table.add_column("step", justify="right")
    table.add_column("action", overflow="fold")
    table.add_column("app", overflow="fold", style="dim")
    for column in ("log-prob", "version", "seconds"):
        table.add_column(column, justify="right")
    if faults:
        table.add_column("fault", overflow="fold", style="yellow")
    for index, step in enumerate(trajectory.steps):
        decision = step.decision
        table.add_row(
            str(index + 1),
            Text(describe(decision.action, step.observation)),
            Text(step.observation.app),
            f"{decision.logprob:.3f}",
            str(decision.version),
            f"{step.seconds:.2f}",
            *([Text(step.fault or "")] if faults else []),
        )
    return table


def _plain(trajectory: Trajectory) -> dict[str, object]:
    """A trajectory for programs, without pictures and accessibility trees; `export` has those."""
    return {
        "id": trajectory.id,
        "run": trajectory.run,
        "task": trajectory.task,
        "seed": trajectory.seed,
        "verdict": trajectory.verdict,
        "ending": trajectory.ending,
        "answers": trajectory.answers,
        "worker": trajectory.worker,
        "device": trajectory.device,
        "started_at": trajectory.started_at,
        "ended_at": trajectory.ended_at,
        "steps": [
            {
                "words": describe(step.decision.action, step.observation),
                "app": step.observation.app,
                "seconds": step.seconds,
                "fault": step.fault,
                "decision": step.decision,
            }
            for step in trajectory.steps
        ],
    }


def _versions(brief: Brief) -> str:
    if brief.oldest_version == brief.newest_version:
        return "–" if brief.oldest_version is None else str(brief.oldest_version)
    return f"{brief.oldest_version}–{brief.newest_version}"


def _clock(seconds: float) -> str:
    then = datetime.fromtimestamp(seconds)
    return then.strftime("%H:%M:%S" if then.date() == datetime.now().date() else "%Y-%m-%d %H:%M")


# --- export and import --------------------------------------------------------------------------


def export_replay(
    run: Path, out: Path, wanted: Selection, limit: int | None, *, images: bool, overwrite: bool
) -> None:
    """Write a run's trajectories to a Parquet file."""
    _need_pyarrow()
    from distrl.replay.exporting import export

    folder = RunFolder.open(run)
    if out.suffix != ".parquet":
        raise ConfigError(f"{out} should end in .parquet, for instance {out.stem}.parquet", "export")
    if not out.parent.is_dir():
        raise ConfigError(f"the folder {out.parent} does not exist; create it first", "export")
    if out.exists() and not overwrite:
        raise ConfigError(f"{out} exists; choose another name, or add --overwrite", "export")
    with _bar("exporting") as (progress, bar):
        result = export(
            folder.replay_file,
            out,
            config=folder.config_file.read_text(encoding="utf-8"),
            selection=wanted,
            limit=limit,
            images=images,
            progress=lambda done, of: progress.update(bar, completed=done, total=of),
        )
    console.print(
        f"{result.trajectories:,} trajectories in {result.rows:,} rows, {result.bytes / 1e6:,.1f} MB: "
        f"[bold]{out}[/bold]\n"
        f'Read it: datasets.load_dataset("parquet", data_files="{out}", split="train")',
        soft_wrap=True,
        highlight=False,
    )


def import_files(files: list[Path], run: Path) -> None:
    """Add exported trajectories to a run that nobody is training."""
    _need_pyarrow()
    from distrl.assembly import make_policy
    from distrl.replay.importing import count_rows, import_into, read_exports

    folder = RunFolder.open(run)
    total = count_rows(files)
    config = folder.config()
    with folder.lock(), _bar("importing rows") as (progress, bar):
        progress.update(bar, total=total)
        language = make_policy(config, config.seed).language

        def counted(trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
            for trajectory in trajectories:
                _check_language(trajectory, language)
                yield trajectory
                progress.advance(bar, len(trajectory.steps) + 1)

        result = import_into(folder.replay_file, config.replay, counted(read_exports(files)), run=folder.name)
    console.print(
        f"{result.added:,} trajectories added, {result.known:,} were known already.", highlight=False
    )
    if result.evicted:
        console.print(
            f"The replay was full, so the {result.evicted:,} oldest have left; a run holds at most "
            f"{config.replay.capacity:,} trajectories and {config.replay.capacity_gb:g} GB (replay.capacity, "
            "replay.capacity_gb)."
        )


def _check_language(trajectory: Trajectory, language: str) -> None:
    """Refuse what this run's learner could not make sense of."""
    for step in trajectory.steps:
        if trajectory.trainable and step.decision.language != language:
            raise ReplayError(
                f"trajectory {trajectory.id} was decided in the language {step.decision.language!r}, but the "
                f"run's policy speaks {language!r} and could not learn from it; nothing was imported"
            )


def _need_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ConfigError("Parquet needs pyarrow: pip install 'distrl[data]'", "replay") from error


@contextmanager
def _bar(label: str) -> Iterator[tuple[Progress, TaskID]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield progress, progress.add_task(label, total=None)
