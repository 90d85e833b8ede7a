"""`distrl demos`: record the expert, look at files of demonstrations, check them against a suite."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from distrl import assembly
from distrl.config import RunConfig
from distrl.demonstration_files import hand_over, read_files, shorten
from distrl.demonstrators import Order, Troupe, require_success
from distrl.errors import ConfigError
from distrl.records import Trajectory
from distrl.tasks.demonstrations import Demonstration, WrittenEpisode, read, save
from distrl.view.warmstarting import stages

console = Console()


def record(
    config: RunConfig,
    output: Path,
    *,
    split: str,
    count: int,
    noise: float,
    failures: bool,
    actions_only: bool,
) -> None:
    """Let the expert demonstrate, and write its episodes to a file."""
    stage = assembly.make_stage(config)
    suite = stage.suite
    if split not in suite.splits():
        raise ConfigError(
            f"suite {suite.name!r} has the splits {', '.join(suite.splits())}", f"--split {split}"
        )
    if output.exists():
        raise ConfigError(f"{output} exists already; choose another name, or remove it", "--output")
    with stages(console) as tick:
        order = Order(count, noise, config.seed, split)
        shown = Troupe(stage).show(order, tick)
    require_success(shown, order)
    kept = [trajectory for trajectory in shown if failures or trajectory.success]
    save(output, [shorten(trajectory) for trajectory in kept] if actions_only else kept)
    steps = sum(len(trajectory.steps) for trajectory in kept)
    left = f", {len(shown) - len(kept)} failed ones left out" if len(kept) < len(shown) else ""
    console.print(
        f"Wrote {len(kept)} episodes with {steps} steps to {output} "
        f"({output.stat().st_size / 1e6:.1f} MB){left}.",
        soft_wrap=True,
        highlight=False,
    )
    if split == "train":
        _suggest(config, [output])
    else:
        console.print(f"[yellow]Tasks of split {split!r} may not be learnt from; a warm start refuses them.")


def show(path: Path) -> None:
    """What a file holds, without asking any suite."""
    entries = read(path)
    table = Table(title=f"{path}", title_justify="left")
    table.add_column("task or goal", overflow="fold")
    for column in ("episodes", "steps", "success", "failure", "unsaid"):
        table.add_column(column, justify="right")
    table.add_column("screens")
    table.add_column("by")
    groups: dict[str, list[_Facts]] = {}
    for entry in entries:
        facts = _facts(entry)
        groups.setdefault(facts.task, []).append(facts)
    for task, episodes in groups.items():
        ended = Counter(facts.outcome for facts in episodes)
        table.add_row(
            Text(task),
            str(len(episodes)),
            str(sum(facts.steps for facts in episodes)),
            *(str(ended[outcome]) for outcome in ("success", "failure", "unsaid")),
            ", ".join(sorted({facts.screens for facts in episodes})),
            Text(", ".join(sorted({facts.by for facts in episodes}))),
        )
    console.print(table)
    everything = [facts for episodes in groups.values() for facts in episodes]
    solved = sum(facts.outcome == "success" for facts in everything)
    console.print(
        f"{len(everything)} episodes of {len(groups)} tasks, {sum(f.steps for f in everything)} steps, "
        f"{solved} successes. Fit for a suite? [bold]distrl demos check {path} --suite SUITE[/bold]",
        soft_wrap=True,
    )


def check(paths: Sequence[Path], config: RunConfig) -> None:
    """Whether a warm start on a suite could use the files, and what of them."""
    suite = assembly.make_suite(config)
    entries = read_files(paths, suite)
    policy = assembly.make_policy(config, config.seed)
    with stages(console) as tick:
        handed = asyncio.run(
            hand_over(
                entries,
                lambda: assembly.make_devices(config, config.collect.devices, config.seed),
                assembly.make_judge(config),
                tick,
            )
        )
    for sentence in handed.left_out:
        console.print(f"[yellow]not a solution:[/yellow] {sentence}", highlight=False, soft_wrap=True)
    translated = [policy.translate(trajectory) for trajectory in handed.solutions]
    steps = [step for trajectory in translated for step in trajectory.steps]
    mute = sum(not step.decision.tokens for step in steps)
    tasks = {trajectory.task.id for trajectory in handed.solutions}
    if not handed.solutions:
        raise ConfigError("there is no solution to imitate", ", ".join(map(str, paths)))
    console.print(
        f"{len(handed.solutions)} of {len(entries)} episodes solve {len(tasks)} tasks and are fit for "
        f"training on {suite.name}.\nThe policy has words for {len(steps) - mute} of {len(steps)} steps.",
        soft_wrap=True,
        highlight=False,
    )
    _suggest(config, paths)


@dataclass(frozen=True)
class _Facts:
    """What `show` tells about one episode."""

    task: str
    steps: int
    outcome: str
    screens: str
    by: str


def _facts(entry: Demonstration) -> _Facts:
    episode = entry.episode
    if isinstance(episode, Trajectory):
        verdict = str(episode.verdict.outcome)
        outcome = "unsaid" if verdict == "unknown" else verdict
        return _Facts(episode.task.id, len(episode.steps), outcome, "inside", episode.worker)
    return _written_facts(episode)


def _written_facts(episode: WrittenEpisode) -> _Facts:
    screens = "files" if episode.steps[0].screen else "to be repeated"
    return _Facts(
        episode.task or episode.goal, len(episode.steps), episode.outcome or "unsaid", screens, episode.by
    )


def _suggest(config: RunConfig, paths: Sequence[Path]) -> None:
    setting = f"'warmstart.files=[{', '.join(map(str, paths))}]'"
    console.print(
        Text.assemble("Use it: ", (f"distrl train --suite {config.suite} --set {setting}", "bold")),
        soft_wrap=True,
    )
