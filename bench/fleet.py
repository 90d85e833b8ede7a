"""A thousand phones on one small host: how much of what the phones could deliver arrives.

    python bench/fleet.py                  # 1,024 phones in two workers, 10 minutes
    python bench/fleet.py --minutes 60     # whether memory stays flat over an hour
    python bench/fleet.py --quick          # three minutes

Simulated phones under the frozen profile `emulator`, at real speed: a step (looking and acting) takes two
seconds on average, resets come on top. The host decides for all of them with the small policy, which sees
tree and picture, judges, and stores every trajectory durably; no learner runs, as on a device host. A phone
draws only when it is looked at, at the quarter size that the policy sees.

Ideal is  phones / mean device time per step,  with the time that the profile dealt out for looks, actions and
resets and nothing else; the share of ideal is thus the part of all phones' time that is the phones' own. Exit
status 1 if it is under 90 %, or if a worker's or the replay's memory grows by more than 5 % an hour in a run
of half an hour or more; its first third is left out of that, in which the phones' caches of drawings fill.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from booked import BUILDER
from collection_bounds import split
from collection_cells import SETTLE_S, books_between, check, episodes_of, prepare
from fleet_watch import Watch, between, cores, growth_mb_per_hour

from distrl import parts
from distrl.config import RunConfig, resolve
from distrl.engine.processes import ProcessEngine
from distrl.recording import Line, Reader

PROFILE = "emulator"
LOOK_EVERY_S = 5.0
TARGET_SHARE, TARGET_GROWTH = 0.90, 0.05
LONG_MINUTES = 30.0  # a shorter run does not tell whether memory is flat


@dataclass(frozen=True)
class Plan:
    """What is to be run."""

    phones: int
    workers: int
    minutes: float
    time_scale: float = 1.0
    settle_s: float = SETTLE_S
    seed: int = 0
    more: tuple[str, ...] = ()  # further settings

    def config(self) -> RunConfig:
        """The run's configuration; nobody is ever held back, and the replay turns over many times an hour."""
        settings = [
            f"seed={self.seed}",
            "suite=general",
            f"collect.workers={self.workers}",
            f"collect.devices={self.phones // self.workers}",
            "collect.max_batch=64",
            f"device.time_scale={self.time_scale}",
            "device.picture_scale=0.25",
            "warmstart.demonstrations=150",
            "warmstart.epochs=4",
            "replay.capacity=1000",
            "replay.ratio=0.1",
            "replay.slack=1000000000",
            *self.more,
        ]
        return resolve(overrides=settings)


def go(plan: Plan, place: Path) -> dict[str, object]:
    """Run the fleet, and tell how it went."""
    folder = prepare(place / "fleet", plan.config(), PROFILE)
    engine = ProcessEngine(str(folder.path), BUILDER)
    engine.start([spec for spec in parts.part_specs(folder.config()) if spec.kind in ("replay", "worker")])
    watch = Watch()
    begin = time.time() + plan.settle_s
    end = begin + 60 * plan.minutes
    try:
        while time.time() < end:
            check(engine)
            watch.look({status.name: status.pid for status in engine.poll() if status.pid})
            time.sleep(min(LOOK_EVERY_S, max(0.1, end - time.time())))
    finally:
        engine.stop()
    return report(plan, Reader(folder).poll(), watch, begin, end)


# --- telling ------------------------------------------------------------------------------------


def report(plan: Plan, lines: Sequence[Line], watch: Watch, begin: float, end: float) -> dict[str, object]:
    """The figures between two moments."""
    before, after, seconds = books_between(lines, begin, end)
    shares = split(before, after, plan.phones * seconds)
    ended = [each for each in episodes_of(lines) if begin <= each.ended < end]
    steps = sum(each.steps for each in ended)
    lags = [line.values for line in lines if line.name == "ledger" and begin < line.t <= end]
    inside = {name: between(looks, begin, end) for name, looks in watch.looks.items()}
    filled = begin + (end - begin) / 3
    machine = cores(between(watch.machine, begin, end))
    own = {name: cores(looks) for name, looks in inside.items()}
    steps_per_s = steps / (end - begin)
    return {
        "phones": plan.phones,
        "workers": plan.workers,
        "minutes": plan.minutes,
        "time_scale": plan.time_scale,
        "steps_per_s": steps_per_s,
        "ideal_steps_per_s": steps_per_s / shares["device"] if shares["device"] else 0.0,
        "share_of_ideal": shares["device"],
        "mean_device_s_per_step": plan.phones * shares["device"] / steps_per_s if steps_per_s else 0.0,
        "trajectories_per_minute": 60 * len(ended) / (end - begin),
        "time_of_phones": shares,
        "lag_mean_s": _mean([values["lag_mean_s"] or 0.0 for values in lags]),
        "lag_max_s": max((values["lag_max_s"] or 0.0 for values in lags), default=0.0),
        "cores": own,
        "cpu_ms_per_step": 1000 * sum(own.values()) / steps_per_s if steps_per_s else 0.0,
        "cores_of_others": max(0.0, machine - sum(own.values())),
        "cores_there": os.cpu_count(),
        "memory_mb": {name: looks[-1].memory_mb for name, looks in inside.items() if looks},
        "memory_growth_mb_per_hour": {
            name: growth_mb_per_hour(between(looks, filled, end)) for name, looks in inside.items()
        },
        "memory_over_time_mb": {
            name: [round(look.memory_mb) for look in looks[:: max(1, len(looks) // 12)]]
            for name, looks in watch.looks.items()
        },
    }


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def verdicts(figures: dict[str, object]) -> dict[str, bool]:
    """What must hold."""
    share, minutes = figures["share_of_ideal"], figures["minutes"]
    memory, growth = figures["memory_mb"], figures["memory_growth_mb_per_hour"]
    assert isinstance(share, float)
    assert isinstance(minutes, float)
    assert isinstance(memory, dict)
    assert isinstance(growth, dict)
    met = {f"at least {TARGET_SHARE:.0%} of ideal": share >= TARGET_SHARE}
    if minutes >= LONG_MINUTES:
        for name, megabytes in memory.items():
            holds = growth[name] <= TARGET_GROWTH * megabytes
            met[f"memory of {name} grows by at most {TARGET_GROWTH:.0%} an hour"] = holds
    return met


def show(figures: dict[str, object], met: dict[str, bool]) -> None:
    """A table for people."""
    for name, value in figures.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {_short(each)}" for key, each in value.items())
        print(f"{name:28} {f'{value:.4g}' if isinstance(value, float) else value}")
    for name, holds in met.items():
        print(f"{'ok' if holds else 'MISSED':8} {name}")


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three minutes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--minutes", type=float, help="10, or 3 with --quick; after a minute to settle")
    parser.add_argument("--phones", type=int, default=1024)
    parser.add_argument("--workers", type=int, default=2, help="processes that share the phones; 2")
    parser.add_argument("--time-scale", type=float, default=1.0, help="multiplies every delay; 1")
    parser.add_argument("--settle", type=float, default=SETTLE_S, help="seconds before measuring; 60")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any other setting")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; the exit status is 1 if something must hold and does not."""
    args = arguments(words)
    minutes = args.minutes or (3.0 if args.quick else 10.0)
    plan = Plan(args.phones, args.workers, minutes, args.time_scale, args.settle, args.seed, tuple(args.set))
    with tempfile.TemporaryDirectory(prefix="distrl-fleet-") as place:
        figures = go(plan, Path(place))
    met = verdicts(figures)
    if args.json:
        print(json.dumps({**figures, "met": met}))
    else:
        show(figures, met)
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
