"""Tables for the terminal: tasks, replay, configuration, plug-ins, evaluations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

from distrl import config as configuration
from distrl import plugins
from distrl.config import RunConfig, Section
from distrl.errors import TaskError
from distrl.evaluate import Evaluation, Rate
from distrl.interfaces import Suite
from distrl.recording import RunFolder
from distrl.records import Task
from distrl.replay import read_stats
from distrl.tasks import find_suite, suite_of
from distrl.tasks.suite import Index

console = Console()


def list_tasks(name: str, split: str | None) -> None:
    """All tasks of a suite, or of one split."""
    suite = find_suite(name)
    splits = [split] if split else list(suite.splits())
    table = Table(title=f"{suite.name} v{suite.version}  ({suite.digest()[:12]})", title_justify="left")
    for column in ("task", "split", "family", "level", "steps", "goal"):
        table.add_column(column, overflow="fold", justify="right" if column in ("level", "steps") else "left")
    for each in splits:
        for task in suite.tasks(each):
            table.add_row(
                task.id, task.split, task.family, str(task.level), str(task.max_steps), Text(task.goal)
            )
    console.print(table)
    counts = ", ".join(f"{len(suite.tasks(each))} {each}" for each in splits)
    console.print(f"{counts}. One in detail: [bold]distrl tasks show TASK --suite {name}[/bold]")


def find_task(suite: Suite, task_id: str) -> Task:
    """A task by id, from any split; a near miss gets a suggestion."""
    from difflib import get_close_matches

    index = Index(suite)
    task = index.get(task_id)
    if task is None:
        near = get_close_matches(task_id, index.listed, 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; see: distrl tasks list {suite.name}"
        raise TaskError(f"suite {suite.name!r} has no task {task_id!r}{hint}")
    return task


def show_task(name: str | None, task_id: str) -> None:
    """One task in full; without a name, of the suite that its id begins with."""
    suite = find_suite(name or suite_of(task_id) or "starter")
    task = find_task(suite, task_id)
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("task", task.id)
    table.add_row("goal", Text(task.goal))
    table.add_row("split", f"{task.split}, family {task.family}, level {task.level}, {task.max_steps} steps")
    table.add_row("set-up", Text("\n".join(task.setup)))
    table.add_row("probes", Text("\n".join(f"{name}: {command}" for name, command in task.probes.items())))
    table.add_row("check", Text("\n".join(f"{c.probe} {c.op} {c.value!r}" for c in task.check)))
    plan = suite.plan(task)
    if plan is not None:
        lines = [" ".join(part for part in (s.do, s.target, s.value, s.within) if part) for s in plan]
        table.add_row("expert", Text("\n".join(lines)))
    console.print(table)
    if plan is not None:
        named = f" --suite {name}" if name else ""
        console.print(f"Watch the expert do it: [bold]distrl play{named} --task {task.id}[/bold]")


def replay_stats(run: Path, *, as_json: bool) -> None:
    """What a run's replay holds."""
    stats = read_stats(RunFolder.open(run).replay_file)
    if as_json:
        print(msgspec.json.encode(stats).decode())
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    share = stats.success / stats.trajectories if stats.trajectories else 0.0
    rows = {
        "trajectories held": f"{stats.trajectories:,}",
        "steps held": f"{stats.steps:,}",
        "size": f"{stats.bytes / 1e6:,.1f} MB",
        "successful": f"{share:.1%}",
        "unusable (device lost, unknown)": f"{stats.unusable:,}",
        "collected in all": f"{stats.collected:,} ({stats.collected_steps:,} steps)",
        "trained": f"{stats.trained_steps:,} steps",
        "trained per collected": f"{stats.trained_steps / max(1, stats.collected_steps):.2f}",
        "policy versions": f"{stats.oldest_version} to {stats.newest_version}",
    }
    for label, value in rows.items():
        table.add_row(label, value)
    console.print(table)


def show_config(run: Path | None, preset: str, file: Path | None, overrides: Sequence[str]) -> None:
    """Every setting, its value, and what it means; what differs from the default stands out."""
    if run is not None:
        config = RunFolder.open(run).config()
    else:
        config = configuration.resolve(preset, file, list(overrides))
    table = Table(box=None, pad_edge=False)
    table.add_column("setting", style="bold", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("meaning", style="dim")
    _add_settings(table, config, RunConfig(), "")
    console.print(table)


def _add_settings(table: Table, section: BaseModel, default: BaseModel, prefix: str) -> None:
    for name, field in type(section).model_fields.items():
        value, usual = getattr(section, name), getattr(default, name)
        if isinstance(value, Section):
            _add_settings(table, value, usual, f"{prefix}{name}.")
            continue
        if isinstance(value, tuple):
            value = [part.model_dump() if isinstance(part, BaseModel) else part for part in value]
        text = Text(json.dumps(value) if not isinstance(value, str) else value)
        if value != usual:
            text.stylize("bold yellow")
        table.add_row(prefix + name, text, field.description or "")


def list_plugins() -> None:
    """What is installed, by group."""
    table = Table(box=None, pad_edge=False)
    for column in ("group", "name", "from"):
        table.add_column(column)
    for group in plugins.GROUPS:
        for name, point in plugins.found(group).items():
            package = point.dist.name if point.dist else "?"
            table.add_row(group, name, f"{point.value} ({package})")
    console.print(table)


def evaluation_table(results: Sequence[Evaluation], titles: Sequence[str]) -> Table:
    """Evaluations side by side: overall, by level and by family."""
    table = Table(title_justify="left")
    table.add_column("success")
    for title in titles:
        table.add_column(title, justify="right")
    table.add_row("all", *(str(result.rate) for result in results), style="bold", end_section=True)
    for attribute, label in (("by_level", "level {}"), ("by_family", "{}")):
        groups = [getattr(result, attribute) for result in results]
        for name in sorted({name for group in groups for name in group}):
            cells = [_cell(group.get(name)) for group in groups]
            table.add_row(label.format(name), *cells)
        table.add_section()
    table.add_row("steps an episode", *(f"{result.mean_steps:.1f}" for result in results))
    table.add_row("said done", *(f"{result.said_done:.0%}" for result in results))
    if any(result.unknown for result in results):
        table.add_row("no verdict (left out)", *(str(result.unknown) for result in results))
    return table


def _cell(share: Rate | None) -> str:
    return "–" if share is None else f"{share.value:.0%} ({share.successes}/{share.episodes})"
