"""`distrl warmstart`: clone demonstrations ahead of time, and tell how good the start is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from distrl import assembly, demonstrators
from distrl import run as runs
from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.evaluate import Evaluation
from distrl.records import Trajectory
from distrl.view.tables import evaluation_table
from distrl.warmstart import WarmStart, hopeless_families, tells_enough, warning

TURNS = 2  # episodes of each task, unless a number is given


def warm_start(
    config: RunConfig, *, split: str, episodes: int | None, fresh: bool, measure: bool, as_json: bool
) -> None:
    """Clone, or find the clone in the cache; then measure it family by family."""
    suite = assembly.make_suite(config)
    if measure and split not in suite.splits():
        raise ConfigError(
            f"suite {suite.name!r} has the splits {', '.join(suite.splits())}", f"--split {split}"
        )
    console = Console(stderr=as_json)
    begin = time.monotonic()
    with stages(console) as tick:
        policy, started = runs.warm_policy(config, tick, fresh=fresh)
        if started.file is None:
            raise ConfigError(
                "there is nothing to imitate: set warmstart.demonstrations above 0, or name warmstart.files",
                "warmstart",
            )
        seconds = time.monotonic() - begin
        weights = policy.export()
        results: list[Evaluation] = []
        if measure:
            count = episodes or TURNS * len(suite.tasks(split))
            results = [_measure(config, weights, split, count, greedy, tick) for greedy in (False, True)]
    if as_json:
        print(_as_json(started, seconds, results))
        return
    console.print(warm_start_sentence(started.metrics, seconds).capitalize() + ".")
    console.print(f"Kept in {started.file}", soft_wrap=True, highlight=False)
    if results:
        table = evaluation_table(results, ["sampled", "greedy"])
        table.title = f"the start on {suite.name}/{split}, 95 % intervals"
        console.print(table)
        families = hopeless_families(results)
        if families:
            console.print(f"[yellow]{warning(families, len(results[0].by_family))}[/yellow]")
        elif tells_enough(results):
            console.print(f"None of {len(results[0].by_family)} families starts near 0 %.")
        else:
            console.print("Too few episodes to tell which families start near 0 %.")


def _measure(
    config: RunConfig, weights: bytes, split: str, episodes: int, greedy: bool, tick: demonstrators.Progress
) -> Evaluation:
    """As `distrl eval` does it, so that both give the same numbers."""
    policy = assembly.make_policy(config, config.seed + assembly.EVALUATION_SEED)
    policy.load(weights, 0)
    done = 0

    def count(_: Trajectory) -> None:
        nonlocal done
        done += 1
        tick(f"{split}, {'greedy' if greedy else 'sampled'}", done, episodes)

    bench = assembly.make_bench(config)
    return asyncio.run(bench.measure(policy, split, episodes, greedy=greedy, on_episode=count))


def _as_json(started: WarmStart, seconds: float, results: Sequence[Evaluation]) -> str:
    summary = {
        "file": str(started.file),
        "cached": started.cached,
        "seconds": seconds,
        "metrics": started.metrics,
        "evaluations": results,
        "families_near_zero": hopeless_families(results),
    }
    return msgspec.json.format(msgspec.json.encode(summary), indent=2).decode()


@contextmanager
def stages(console: Console) -> Iterator[demonstrators.Progress]:
    """A progress bar for each stage of something that reports (stage, done, of)."""
    columns = (TextColumn("{task.description:15}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bars: dict[str, TaskID] = {}

        def tick(stage: str, done: int, of: int) -> None:
            if stage not in bars:
                bars[stage] = progress.add_task(stage, total=of)
            progress.update(bars[stage], completed=done, total=of)

        yield tick


def warm_start_sentence(metrics: dict[str, float], seconds: float) -> str:
    """What the warm start did, in words."""
    if metrics.get("cached"):
        return "taken from the cache of an earlier identical one"
    text = f"cloned {metrics['demonstrations']:.0f} demonstrations in {seconds:.0f} s"
    if skipped := metrics.get("skipped_steps"):
        text += f"; {skipped:.0f} of {skipped + metrics['steps']:.0f} steps left out, no words for them"
    return text
