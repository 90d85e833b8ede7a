"""Asynchronous against synchronous collection: the same devices, latencies, policy and training.

    python bench/collection.py             # 8, 32, 128 devices, three profiles, 8 minutes a run: 3 hours
    python bench/collection.py --quick     # 32 devices, the middle profile, 4 minutes a run: 13 minutes
    python bench/collection.py --quick --round-episodes 2    # rounds of two episodes a device
    python bench/collection.py --quick --simulated           # in simulated time, which no other load disturbs

Devices are simulated phones under the frozen profiles `emulator-low`, `emulator` and `emulator-high`: two
seconds a step on average, with little, middling and much variance, at real speed unless `--time-scale` says
otherwise. The learner trains meanwhile, 1.5 steps for each one collected in either mode, with a learning rate
of nearly nothing: episodes of a policy that learns grow shorter, and the modes would differ in more than
the mode. Synchronous is a round: every device runs one episode, all wait for the last one, the learner
trains, all start again.

Beside each rate stands its bound, computed from the durations of the very episodes that were recorded:
devices / mean duration, or the longest of each round and the training after it. A device's time is divided
into what the profile dealt out (device), asking the policy (policy), being held back (waiting, by reason),
and the rest (framework). Exit status 1 if a target is missed: 2.4 times at 32 devices under `emulator`, both
modes at 95 % of their bounds or better, framework under 5 % of a step.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collection_bounds import expected_ratio
from collection_cells import Cell, Findings, measure
from collection_simulation import simulate

PROFILES = ("emulator-low", "emulator", "emulator-high")
MIDDLE = "emulator"
SIZES = (8, 32, 128)
TARGET_RATIO, TARGET_SHARE, TARGET_FRAMEWORK = 2.4, 0.95, 0.05


@dataclass(frozen=True)
class Comparison:
    """Both modes with the same devices."""

    asynchronous: Findings
    synchronous: Findings

    @property
    def ratio(self) -> float:
        """How many times more trajectories a minute the asynchronous mode collected."""
        return self.asynchronous.throughput.per_minute / self.synchronous.throughput.per_minute

    @property
    def steps_ratio(self) -> float:
        """The same in steps a second; apart from the other where episodes' lengths differ by chance."""
        return self.asynchronous.throughput.steps_per_s / self.synchronous.throughput.steps_per_s

    @property
    def expected(self) -> float:
        """What the durations of both modes' episodes make one expect of long runs; luck left out."""
        cell = self.synchronous.cell
        durations = [*self.asynchronous.durations, *self.synchronous.durations]
        return expected_ratio(durations, cell.devices, cell.round_episodes, self.synchronous.training_s)


def compare(cells: Sequence[Cell], place: Path, *, simulated: bool = False) -> Iterator[Comparison]:
    """Run each cell in both modes, one after the other."""
    for number, cell in enumerate(cells):
        found = []
        for mode in ("async", "sync"):
            print(f"{cell.devices} devices, {cell.profile}, {mode} …", file=sys.stderr, flush=True)
            one = replace(cell, mode=mode)
            found.append(simulate(one) if simulated else measure(one, place / f"cell-{number}-{mode}"))
        yield Comparison(*found)


# --- telling ------------------------------------------------------------------------------------


def verdicts(comparisons: Sequence[Comparison]) -> dict[str, bool]:
    """What must hold."""
    findings = [each for one in comparisons for each in (one.asynchronous, one.synchronous)]
    met = {
        f"{_name(each)}: at least {TARGET_SHARE:.0%} of its bound": each.throughput.share >= TARGET_SHARE
        for each in findings
    }
    for each in findings:
        met[f"{_name(each)}: framework under {TARGET_FRAMEWORK:.0%} of a step"] = (
            each.framework < TARGET_FRAMEWORK
        )
    for one in comparisons:
        if is_headline(one):
            met[f"asynchronous at least {TARGET_RATIO} times synchronous"] = one.ratio >= TARGET_RATIO
    return met


def is_headline(one: Comparison) -> bool:
    """Whether this is the comparison that the target is about."""
    return one.asynchronous.cell.devices == 32 and one.asynchronous.cell.profile == MIDDLE


def _name(findings: Findings) -> str:
    cell = findings.cell
    return f"{cell.devices} devices, {cell.profile}, {cell.mode}"


def figures(one: Comparison) -> dict[str, object]:
    """A comparison for machines."""
    return {
        "devices": one.asynchronous.cell.devices,
        "profile": one.asynchronous.cell.profile,
        "async_over_sync": one.ratio,
        "async_over_sync_in_steps": one.steps_ratio,
        "expected_async_over_sync": one.expected,
        "async": _figures(one.asynchronous),
        "sync": _figures(one.synchronous),
    }


def _figures(findings: Findings) -> dict[str, object]:
    reached = findings.throughput
    return {
        "trajectories_per_minute": reached.per_minute,
        "bound_trajectories_per_minute": reached.bound_per_minute,
        "share_of_bound": reached.share,
        "steps_per_s": reached.steps_per_s,
        "episodes": reached.episodes,
        "seconds": reached.seconds,
        "mean_episode_s": sum(findings.durations) / len(findings.durations),
        "mean_steps": reached.steps / reached.episodes,
        "rounds": findings.rounds,
        "training_s_per_round": findings.training_s,
        "time_of_devices": findings.shares,
        "framework_of_a_step": findings.framework,
        "time_of_learner": findings.learner,
        "lag_mean_s": findings.lag_mean_s,
    }


HEAD = (
    f"{'devices':>7} {'profile':13} {'mode':5} {'traj/min':>8} {'bound':>7} {'share':>6} {'steps/s':>7}"
    f" {'device':>7} {'policy':>7} {'waiting':>7} {'framew.':>7} {'of a step':>9} {'learner trains':>14}"
)


def row(findings: Findings) -> str:
    """A line of the table."""
    cell, reached, shares = findings.cell, findings.throughput, findings.shares
    waiting = sum(share for account, share in shares.items() if account.startswith("waiting/"))
    return (
        f"{cell.devices:7} {cell.profile:13} {cell.mode:5} {reached.per_minute:8.1f}"
        f" {reached.bound_per_minute:7.1f} {reached.share:6.1%} {reached.steps_per_s:7.1f}"
        f" {shares['device']:7.1%} {shares['policy']:7.1%} {waiting:7.1%} {shares['framework']:7.1%}"
        f" {findings.framework:9.1%} {findings.learner['training']:14.1%}"
    )


def show(one: Comparison) -> None:
    """Both modes of a comparison, for people."""
    for each in (one.asynchronous, one.synchronous):
        print(row(each))
        for account, share in each.shares.items():
            if account.startswith("waiting/") and share >= 0.0005:
                print(f"{'':27} {share:.1%} {account.removeprefix('waiting/')}")
    print(
        f"{'':27} {one.ratio:.2f} times more asynchronously ({one.steps_ratio:.2f} in steps);"
        f" {one.expected:.2f} expected of long runs"
        f" (mean episode {sum(one.asynchronous.durations) / len(one.asynchronous.durations):.1f} s,"
        f" {one.synchronous.rounds} rounds)",
        flush=True,
    )


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one cell: 32 devices, middle profile")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--minutes", type=float, help="of each run; 8, or 4 with --quick")
    parser.add_argument("--devices", type=int, nargs="+", default=None, help="how many; 8 32 128")
    parser.add_argument("--profiles", nargs="+", choices=PROFILES, default=None, help="which; all three")
    parser.add_argument(
        "--time-scale",
        type=float,
        default=1.0,
        help="multiplies every delay; below 1 computing weighs more: look at `framew.` and `policy`",
    )
    parser.add_argument(
        "--simulated",
        action="store_true",
        help="in simulated time: episodes of 4 to 15 steps, decisions in no time, updates of half a second",
    )
    parser.add_argument("--round-episodes", type=int, default=1, help="of each device in a round; 1")
    parser.add_argument("--suite", default="general", help="whose tasks; general")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any other setting")
    return parser.parse_args(words)


def cells_of(args: argparse.Namespace) -> list[Cell]:
    """What is to be run; each in both modes."""
    sizes = args.devices or ((32,) if args.quick else SIZES)
    profiles = args.profiles or ((MIDDLE,) if args.quick else PROFILES)
    minutes = args.minutes or (4.0 if args.quick else 8.0)
    return [
        Cell(
            devices=size,
            profile=profile,
            mode="async",
            minutes=minutes,
            time_scale=args.time_scale,
            round_episodes=args.round_episodes,
            suite=args.suite,
            seed=args.seed,
            more=tuple(args.set),
        )
        for profile in profiles
        for size in sizes
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; the exit status is 1 if something must hold and does not."""
    args = arguments(words)
    done: list[Comparison] = []
    if not args.json:
        print(HEAD)
    with tempfile.TemporaryDirectory(prefix="distrl-collection-") as place:
        for one in compare(cells_of(args), Path(place), simulated=args.simulated):
            done.append(one)
            if not args.json:
                show(one)
    met = verdicts(done)
    headline = next((one.ratio for one in done if is_headline(one)), None)
    if args.json:
        report = {
            "async_over_sync_32": headline,
            "time_scale": args.time_scale,
            "simulated": args.simulated,
            "round_episodes": args.round_episodes,
            "suite": args.suite,
            "cells": [figures(one) for one in done],
            "met": met,
        }
        print(json.dumps(report))
    else:
        for name, holds in met.items():
            print(f"{'ok' if holds else 'MISSED':8} {name}")
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
