"""`distrl train`: set a run up, show it live, and say at the end what came of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.live import Live

from distrl import run as runs
from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.evaluate import Evaluation
from distrl.interfaces import Engine, PartStatus
from distrl.recording import Line, RunFolder
from distrl.view.board import Board
from distrl.view.evaluating import measure_all
from distrl.view.tables import evaluation_table
from distrl.view.warmstarting import stages, warm_start_sentence
from distrl.warmstart import stuck_families, warning

PLAIN_EVERY_S = 10.0  # between two lines when the output is not a terminal

console = Console()


def start(path: Path | None, config: RunConfig) -> None:
    """Create a run and train it."""
    folder = runs.create(path or next_free(Path("runs"), config.suite), config)
    console.print(f"New run in [bold]{folder.path}[/bold]")
    _train(folder)


def resume(path: Path, *, minutes: float | None, overrides: Sequence[str]) -> None:
    """Continue a run where it stopped; only its budget, and where it runs, may change."""
    folder = RunFolder.open(path)
    moves = [override for override in overrides if override.startswith(("engine=", "ray."))]
    others = [one for one in overrides if one not in moves and not one.startswith("budget.")]
    if others:
        raise ConfigError(
            "a resumed run keeps its configuration; only --minutes, --engine and --address can change, "
            f"not {', '.join(others)}",
            "--resume",
        )
    if moves:
        runs.move(folder, moves)
    if minutes is not None:
        runs.change_budget(folder, minutes)
    console.print(f"Continuing [bold]{folder.path}[/bold]")
    _train(folder)


def next_free(parent: Path, suite: str) -> Path:
    """The first folder runs/SUITE-N that does not exist."""
    stem = Path(suite).stem
    number = 1
    while (parent / f"{stem}-{number}").exists():
        number += 1
    return parent / f"{stem}-{number}"


def _train(folder: RunFolder) -> None:
    with folder.lock():
        _warm_start(folder)
        board = Board(folder.name, folder.config())
        try:
            with runs.running(folder) as engine:
                if console.is_terminal:
                    _follow_live(folder, engine, board)
                else:
                    _follow_plain(folder, engine, board)
        except KeyboardInterrupt:
            console.print(
                f"\nStopped; nothing is lost. Continue with: [bold]distrl train --resume {folder.path}[/bold]"
            )
            raise
        _conclude(folder, board)


def _warm_start(folder: RunFolder) -> None:
    begin = time.monotonic()
    with stages(console) as tick:
        metrics = runs.prepare(folder, tick)
    if metrics:
        console.print(f"Warm start: {warm_start_sentence(metrics, time.monotonic() - begin)}")


def _follow_live(folder: RunFolder, engine: Engine, board: Board) -> None:
    with Live(board.render(), console=console, auto_refresh=False) as live:

        def show(statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
            board.take(statuses, lines)
            live.update(board.render(), refresh=True)

        runs.follow(folder, engine, show)


def _follow_plain(folder: RunFolder, engine: Engine, board: Board) -> None:
    due = 0.0

    def show(statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        nonlocal due
        board.take(statuses, lines)
        for line in lines:
            if line.kind == "warning":
                console.print(f"warning: {line.fields.get('text')}", highlight=False, soft_wrap=True)
        if time.monotonic() >= due and board.history:
            console.print(board.line(), highlight=False, soft_wrap=True)
            due = time.monotonic() + PLAIN_EVERY_S

    runs.follow(folder, engine, show)


def _conclude(folder: RunFolder, board: Board) -> None:
    """Compare start and end on tasks that nobody has trained or tuned on, and name the next command."""
    config = folder.config()
    split, episodes = config.evaluation.final_split, config.evaluation.final_episodes
    jobs = [(split, version, greedy) for greedy in (False, True) for version in (0, None)]
    results = measure_all(folder, jobs, episodes)
    titles = ["start\nsampled", "end\nsampled", "start\ngreedy", "end\ngreedy"]
    table = evaluation_table(results, titles)
    table.title = f"{folder.name}: success on {config.suite}/{split}, {episodes} episodes, [95 % interval]"
    console.print(table)
    starts, ends = results[::2], results[1::2]
    if stuck := stuck_families(starts, ends):
        console.print(f"[yellow]{warning(stuck, len(ends[0].by_family), still=True)}[/yellow]")
    folder.save_evaluation("summary", msgspec.json.format(_summary(results, titles, board), indent=2))
    console.print(
        f"{board.total('episodes'):,.0f} trajectories collected, {board.learner.get('update') or 0:,.0f} "
        f"updates in {board.seconds / 60:.1f} minutes. Everything is in [bold]{folder.path}[/bold].\n"
        f"Watch it:     [bold]distrl play {folder.path} -o episode.gif[/bold]\n"
        f"Measure it:   [bold]distrl eval {folder.path} --split {split}[/bold]\n"
        f"Train longer: [bold]distrl train --resume {folder.path} "
        f"--minutes {2 * config.budget.minutes:g}[/bold]"
    )


def _summary(results: Sequence[Evaluation], titles: Sequence[str], board: Board) -> bytes:
    return msgspec.json.encode(
        {
            "evaluations": {
                title.replace("\n", ", "): result for title, result in zip(titles, results, strict=True)
            },
            "trajectories": board.total("episodes"),
            "steps": board.total("steps"),
            "updates": board.learner.get("update"),
            "training_s": board.seconds,
        }
    )
