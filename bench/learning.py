"""Algorithms side by side: the same warm start, suite and time for all, one small JSON row for each run.

    python bench/learning.py --quick                                  # a first picture in ten minutes
    python bench/learning.py --suite general --minutes 15 --seeds 5 --plot curves.png
    python bench/learning.py --suite general --minutes 15 --seeds 5 --report      # what is there so far

Rows lie under bench/results/SUITE/ and are not made again (--no-resume makes them anew), so the table can
grow over days. What the names stand for is in bench/entries.yaml; settings found by bench/search.py are in
bench/settings.yaml. See docs/learning.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import learning_report
import learning_times
import msgspec
from learning_entries import HERE, TUNED, as_overrides, settings_of
from learning_jobs import Measuring, Plan, make_all
from rich.console import Console

from distrl.config import resolve
from distrl.errors import ConfigError, DistrlError
from distrl.tasks import find_suite

SPLITS = ("test", "test_template", "test_app")
QUICK = {"suite": "starter", "minutes": 1.0, "seeds": "1", "episodes": 64,
         "algorithms": "a-ride,digirl,filtered-bc,cloning"}  # fmt: skip
FULL = {"suite": "general", "minutes": 15.0, "seeds": "3", "episodes": 128,
        "algorithms": "a-ride,digirl,digirl-async,filtered-bc,cloning"}  # fmt: skip


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """What was asked for; `--quick` only changes defaults."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--suite", help="task suite (general; quick: starter)")
    add("--algorithms", help=f"names of bench/entries.yaml, with commas ({FULL['algorithms']})")
    add("--seeds", help="how many (0, 1, 2 for 3), or which: 0,4,7 or 4, (3; quick: 1)")
    add("--minutes", type=float, help="training time of each run (15; quick: 1)")
    add("--episodes", type=int, help="in each measurement of start and end (128; quick: 64)")
    add("--splits", default=",".join(SPLITS), help="measured at start and end, if the suite has them")
    add("--against", default="digirl", help="what the others are compared with")
    add("--target", type=float, metavar="PERCENT", help="tell when runs first reach this success on the way")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting for all entries")
    add("--preset", default="laptop", help="named defaults: laptop, tiny")
    add("--tuned", type=Path, default=TUNED, help="file of tuned settings (bench/settings.yaml)")
    add("--untuned", action="store_true", help="leave tuned settings out")
    add("--quick", action="store_true", help="ten minutes in all; its rows are kept with the work")
    add("--resume", action=argparse.BooleanOptionalAction, default=True, help="take rows that are there")
    add("--report", action="store_true", help="run nothing, report what is there")
    add("--json", action="store_true", help="print one JSON object")
    add("--plot", type=Path, metavar="FILE.png", help="learning curves as a picture")
    add("--results", type=Path, help="folder of the rows (bench/results)")
    add("--work", type=Path, default=Path("runs/bench"), help="folder of the runs while they are made")
    add("--keep-runs", action="store_true", help="keep the run folders")
    args = parser.parse_args(argv)
    for name, value in (QUICK if args.quick else FULL).items():
        if getattr(args, name) is None:
            setattr(args, name, value)
    if args.results is None:
        args.results = args.work / "quick" if args.quick else HERE / "results"
    return args


def read_seeds(text: str) -> list[int]:
    """A count, or a list with commas; a list of one ends with a comma."""
    try:
        numbers = [int(part) for part in text.removesuffix(",").split(",")]
    except ValueError:
        raise ConfigError(f"{text!r} is neither a count nor a list such as 0,1,2", "--seeds") from None
    seeds = numbers if "," in text else list(range(numbers[0]))
    if not seeds or min(seeds) < 0:
        raise ConfigError("at least one seed, and none below 0", "--seeds")
    return seeds


def plans(args: argparse.Namespace) -> list[Plan]:
    """All runs that are wanted, seed by seed, so that comparisons are possible early."""
    suite = find_suite(args.suite)
    results = args.results / suite.name
    tuned = None if args.untuned else args.tuned
    names = [name.strip() for name in args.algorithms.split(",") if name.strip()]
    common = [f"suite={args.suite}", f"budget.minutes={args.minutes}", *args.set]
    found = []
    for seed in read_seeds(args.seeds):
        for name in names:
            settings = as_overrides(settings_of(name, suite.name, tuned))
            config = resolve(args.preset, overrides=[*settings, *common, f"seed={seed}"])
            found.append(Plan(name, config, suite.digest(), results))
    return found


def compare(args: argparse.Namespace) -> int:
    """Make what is missing, then report; the exit status is 1 if a run failed."""
    console = Console(stderr=args.json)
    wanted = plans(args)
    if args.report:
        rows = [row for plan in wanted if (row := plan.row()) is not None]
        failed: list[str] = []
    else:
        splits = [split for split in args.splits.split(",") if split in find_suite(args.suite).splits()]
        measuring = Measuring(splits, splits, args.episodes, args.work, args.keep_runs)
        rows, failed = make_all(
            wanted, measuring, resume=args.resume, tell=lambda line: console.print(line, markup=False)
        )
    made = {(row.name, row.seed) for row in rows}
    missing = [plan.title for plan in wanted if (plan.name, plan.config.seed) not in made]
    result = learning_report.report(rows, args.against, missing)
    if args.target is not None:
        times = learning_times.arrivals(rows, args.target / 100)
        result = msgspec.structs.replace(result, arrivals=times)
    if args.json:
        print(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())
    else:
        _print(console, result)
        if args.target is not None:
            console.print(learning_times.times_table(result.arrivals, args.target / 100, args.against))
    if args.plot is not None:
        learning_report.plot(rows, args.plot, wanted[0].config.evaluation.split)
        console.print(f"Wrote {args.plot}")
    return 1 if failed else 0


def _print(console: Console, result: learning_report.Report) -> None:
    console.print(learning_report.success_table(result))
    console.print(learning_report.cost_table(result))
    if result.differences:
        console.print(learning_report.difference_table(result))
    for machine in result.machines:
        console.print(f"On {machine}.", highlight=False)
    if len(result.code) > 1:
        console.print(f"Made by different versions: {'; '.join(result.code)}.", highlight=False)
    if result.missing:
        console.print(f"Missing: {'; '.join(result.missing)}.", highlight=False)


def main() -> int:
    """Run the command line; bad input gives one sentence."""
    try:
        return compare(arguments())
    except DistrlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
