"""`distrl eval`: measure a run's policy, with progress, tables or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from distrl import assembly
from distrl import run as runs
from distrl.errors import ConfigError
from distrl.evaluate import Evaluation
from distrl.recording import RunFolder
from distrl.records import Trajectory
from distrl.view.tables import evaluation_table


def evaluate(
    path: Path,
    split: str,
    episodes: int,
    version: int | None,
    decodings: Sequence[bool],
    devices: int | None,
    *,
    as_json: bool,
) -> None:
    """Measure and print; the results are also kept in the run's folder."""
    folder = RunFolder.open(path)
    suite = assembly.make_suite(folder.config())
    if split not in suite.splits():
        raise ConfigError(
            f"suite {suite.name!r} has the splits {', '.join(suite.splits())}", f"--split {split}"
        )
    jobs = [(split, version, greedy) for greedy in decodings]
    results = measure_all(folder, jobs, episodes, devices=devices, quiet=as_json)
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(results), indent=2).decode())
        return
    console = Console()
    titles = ["greedy" if result.greedy else "sampled" for result in results]
    table = evaluation_table(results, titles)
    first = results[0]
    table.title = f"{folder.name} version {first.policy_version} on {first.suite}/{split}, 95 % intervals"
    console.print(table)
    console.print(f"[dim]kept in {folder.path}/evaluations/[/dim]")


def measure_all(
    folder: RunFolder,
    jobs: Sequence[tuple[str, int | None, bool]],
    episodes: int,
    *,
    devices: int | None = None,
    quiet: bool = False,
) -> list[Evaluation]:
    """Several evaluations (split, version, greedy), one after the other, under one progress bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True, disable=quiet, console=Console(stderr=True)) as progress:
        bar = progress.add_task("evaluating", total=episodes * len(jobs))

        def tick(_: Trajectory) -> None:
            progress.advance(bar)

        results = []
        for split, version, greedy in jobs:
            progress.update(bar, description=f"evaluating {split}, {'greedy' if greedy else 'sampled'}")
            results.append(
                runs.measure(
                    folder, split, episodes, version=version, greedy=greedy, on_episode=tick, devices=devices
                )
            )
    return results
