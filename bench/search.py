"""Settings for each algorithm: the same number of trials for all, scored on `val` only.

    python bench/search.py --suite general --algorithms a-ride,digirl,cloning --trials 12 --minutes 3

Trial 0 are the defaults; trials 1 to 3 move the learning rate alone, which decides most; the others are
spread evenly over RANGES. They are always the same, so a search can be continued and extended. Every trial is
one row under bench/results/search/SUITE/. The best of each algorithm, once all of its trials are there, is
written to bench/settings.yaml, where bench/learning.py finds it. The seed of the trials is none that results
are reported with.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml
from learning_entries import HERE, TUNED, Settings, as_overrides, read_yaml, settings_of
from learning_jobs import Measuring, Plan, make_all
from learning_rows import Row
from rich.console import Console
from rich.table import Table

from distrl.config import resolve
from distrl.errors import ConfigError, DistrlError
from distrl.recording import write_then_rename
from distrl.tasks import find_suite

SEED = 1000  # of the trials' runs
ALONE = (2 / 3, 0.0, 1.0)  # where in its range trials 1 to 3 try the learning rate
# Multiples of their roots, whole numbers left out, lie more evenly than random points: a few trials already
# try low, middle and high values of each setting (Richtmyer's sequence).
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
HEADER = (
    "# Written by bench/search.py: the best of equally many trials for each algorithm, by success on val.\n"
)


@dataclass(frozen=True)
class Range:
    """Between which values a setting is tried."""

    low: float
    high: float
    log: bool = False
    whole: bool = False

    def at(self, share: float) -> float | int:
        """The value at a share of the way from low to high; three significant digits say enough."""
        if self.log:
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + share * (self.high - self.low)
        return round(value) if self.whole else float(f"{value:.3g}")


LR = Range(5e-5, 1.58e-3, log=True)
CRITIC_LR = Range(1e-4, 2e-3, log=True)
ENTROPY = Range(0.001, 0.05, log=True)
RATIO = Range(0.5, 4.0, log=True)
BATCH = Range(8, 32, log=True, whole=True)

RANGES: dict[str, dict[str, Range]] = {  # the learning rate comes first
    "a-ride": {
        "algorithm.lr": LR,
        "algorithm.critic_lr": CRITIC_LR,
        "algorithm.entropy": ENTROPY,
        "algorithm.retrace_lambda": Range(0.5, 1.0),
        "algorithm.negative_scale": Range(0.0, 1.0),
        "algorithm.imitation": Range(0.0, 3.0),
        "replay.alpha": Range(0.3, 1.0),
        "replay.ratio": RATIO,
        "learner.batch_trajectories": BATCH,
    },
    "digirl": {
        "algorithm.lr": LR,
        "algorithm.critic_lr": CRITIC_LR,
        "algorithm.digirl_keep": Range(0.05, 1.0, log=True),
        "algorithm.digirl_lambda": Range(0.0, 1.0),
        "round_trajectories": Range(24, 192, log=True, whole=True),
        "round_updates": Range(4, 48, log=True, whole=True),
    },
    "filtered-bc": {
        "algorithm.lr": LR,
        "algorithm.keep_quantile": Range(0.0, 0.95),
        "replay.ratio": RATIO,
        "replay.capacity": Range(300, 3000, log=True, whole=True),
        "learner.batch_trajectories": BATCH,
    },
    "ppo": {
        "algorithm.lr": LR,
        "algorithm.critic_lr": CRITIC_LR,
        "algorithm.entropy": ENTROPY,
        "algorithm.clip": Range(0.1, 0.4),
        "algorithm.gae_lambda": Range(0.8, 1.0),
        "replay.ratio": RATIO,
        "learner.batch_trajectories": BATCH,
    },
    "grpo": {
        "algorithm.lr": LR,
        "algorithm.entropy": ENTROPY,
        "algorithm.clip": Range(0.1, 0.4),
        "replay.ratio": RATIO,
        "learner.batch_trajectories": BATCH,
    },
    "cloning": {
        "warmstart.lr": Range(3e-4, 5e-3, log=True),
        "warmstart.batch_steps": Range(32, 256, log=True, whole=True),
    },
}
RANGES["digirl-async"] = {
    **{key: value for key, value in RANGES["digirl"].items() if not key.startswith("round_")},
    "replay.ratio": RATIO,
    "learner.batch_trajectories": BATCH,
}


def trial_settings(name: str, trial: int) -> Settings:
    """What a trial changes; trial 0 nothing, and each other one always the same."""
    if name not in RANGES:
        raise ConfigError(f"no ranges are declared for {name!r}; known: {', '.join(RANGES)}", "--algorithms")
    if trial == 0:
        return {}
    if trial <= len(ALONE):
        key, rates = next(iter(RANGES[name].items()))
        return {key: rates.at(ALONE[trial - 1])}
    return {
        key: range.at((random.Random(f"{name} {key}").random() + trial * math.sqrt(prime)) % 1)
        for (key, range), prime in zip(RANGES[name].items(), PRIMES, strict=False)
    }


def points(row: Row) -> tuple[float, float]:
    """What a trial is worth: success on `val`, sampled; if equal, greedy."""
    both = row.end["val"]
    return both["sampled"].success, both["greedy"].success


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--suite", default="general", help="task suite")
    add("--algorithms", default="a-ride,digirl,digirl-async,filtered-bc,cloning", help="names, with commas")
    add("--trials", type=int, default=12, help="for each algorithm, the defaults among them")
    add("--minutes", type=float, default=3.0, help="training time of each trial")
    add("--episodes", type=int, default=256, help="on val, to score a trial")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting for all trials")
    add("--preset", default="laptop", help="named defaults: laptop, tiny")
    add("--results", type=Path, default=HERE / "results" / "search", help="folder of the rows")
    add("--tuned", type=Path, default=TUNED, help="file to write the best settings to")
    add("--work", type=Path, default=Path("runs/bench"), help="folder of the runs while they are made")
    args = parser.parse_args(argv)
    if args.trials < 1:
        raise ConfigError("at least one", "--trials")
    return args


def plans(args: argparse.Namespace) -> list[tuple[str, Settings, Plan]]:
    """All trials: name, what is tried, and the run; trial by trial, so that all algorithms advance alike."""
    suite = find_suite(args.suite)
    found = []
    names = [name.strip() for name in args.algorithms.split(",") if name.strip()]
    for trial in range(args.trials):
        for name in names:
            tried = trial_settings(name, trial)
            overrides = as_overrides({**settings_of(name, suite.name, tuned=None), **tried})
            common = [f"suite={args.suite}", f"budget.minutes={args.minutes}", f"seed={SEED}", *args.set]
            config = resolve(args.preset, overrides=[*overrides, *common])
            plan = Plan(name, config, suite.digest(), args.results / suite.name, label=f"{name}-t{trial}")
            found.append((name, tried, plan))
    return found


def search(args: argparse.Namespace) -> int:
    """Make the trials that are missing, show all, write down the best; 1 if a trial failed."""
    console = Console()
    wanted = plans(args)
    measuring = Measuring(["val"], [], args.episodes, args.work)
    rows, failed = make_all(
        [plan for _, _, plan in wanted],
        measuring,
        resume=True,
        tell=lambda line: console.print(line, markup=False),
    )
    by_name = {row.name: row for row in rows}
    suite = find_suite(args.suite).name
    best = read_yaml(args.tuned)
    for name in dict.fromkeys(name for name, _, _ in wanted):
        trials = [
            (tried, by_name[plan.label])
            for each, tried, plan in wanted
            if each == name and plan.label in by_name
        ]
        console.print(_table(name, trials))
        if len(trials) < args.trials:
            console.print(f"{name}: trials are missing, so its settings stay as they were.")
            continue
        tried, row = max(trials, key=lambda trial: points(trial[1]))
        best.setdefault(suite, {})[name] = _entry(tried, row, args)
    write_then_rename(args.tuned, (HEADER + yaml.safe_dump(best, sort_keys=True)).encode())
    console.print(f"The best of each is in {args.tuned}.")
    return 1 if failed else 0


def _entry(tried: Settings, row: Row, args: argparse.Namespace) -> dict[str, object]:
    sampled, greedy = points(row)
    return {
        "settings": tried,
        "trials": args.trials,
        "minutes": args.minutes,
        "trial": row.name,
        "val": {"sampled": sampled, "greedy": greedy, "episodes": row.end["val"]["sampled"].episodes},
        "suite_digest": row.suite_digest[:12],
        "date": datetime.now(UTC).date().isoformat(),
    }


def _table(name: str, trials: list[tuple[Settings, Row]]) -> Table:
    table = Table(title=f"{name}: success on val in %, best first", title_justify="left")
    for column in ("trial", "sampled", "greedy"):
        table.add_column(column, justify="right")
    table.add_column("settings", overflow="fold")
    for tried, row in sorted(trials, key=lambda trial: points(trial[1]), reverse=True):
        sampled, greedy = points(row)
        words = ", ".join(f"{key} {value}" for key, value in tried.items()) or "defaults"
        table.add_row(row.name.rpartition("-t")[2], f"{100 * sampled:.1f}", f"{100 * greedy:.1f}", words)
    return table


def main() -> int:
    """Run the command line; bad input gives one sentence."""
    try:
        return search(arguments())
    except DistrlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
