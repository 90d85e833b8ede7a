"""What faults cost: 128 flaky phones and killed processes, against the same run without either.

    python bench/faults.py                 # 128 phones at real speed, five minutes a run: about 15 minutes
    python bench/faults.py --quick         # the same in three minutes, with 32 phones in processes
    python bench/faults.py --kills 100     # kill -9 of a random process, a hundred times in one training
    python bench/faults.py --kills 5 --engine ray    # of actors and hosts; then of the head, and --resume

First a worker with 128 phones in simulated time, where only the framework's own losses can be seen; then a
whole training in processes, with phones that are slow in real time and processes that are killed.

Compared are usable steps per second: steps of trajectories that can be trained on. The bound is what the
injected downtime alone would leave: the faultless run's rate times (1 - downtime / (phones x seconds)), where
each fault that was dealt out is down for

    hang           the profile's 60 s           reboot         the profile's 25 to 28 s, 26.5 s
    black screen   two more looks               disconnect     one operation, as long as connecting takes
    worker killed  its phones, for as long as a worker needed to start in the faultless run

all in the time scale of the run. What else a fault may cost counts against the framework: parts of episodes
that are run again, pauses before restarts, waiting for a replay that restarts. Exit status 1 if a trajectory
that a worker had a receipt for is missing from the replay, a label is wrong, or a target is missed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from fault_kills import kill_loop
from fault_ray import lose_head
from fault_runs import FLAKY, Outing, configure, create, examine, kill_one, start
from fault_simulation import simulate

TARGET = 0.95  # of what the injected downtime leaves
DOWN_S = {
    "hang": FLAKY.hang_s,
    "reboot": sum(FLAKY.reboot_s) / 2,
    "black_screen": 2 * FLAKY.observe.mean_s,
    "disconnect": FLAKY.observe.mean_s,
}


Figures = dict[str, dict[str, object]]  # by part of the bench, then by name


@dataclass
class Plan:
    """One comparison."""

    devices: int
    workers: int
    seconds: float
    scale: float
    kills: tuple[str, ...]  # kinds of parts to kill, at random moments
    seed: int


def go_out(path: Path, plan: Plan, *, faulty: bool) -> Outing:
    """One run of the plan's length, with faults and kills or without either."""
    config = configure(plan.devices, plan.workers, plan.scale, plan.seed)
    folder = create(path, config, faultless=not faulty)
    source = random.Random(plan.seed)
    kinds = source.sample(plan.kills, len(plan.kills)) if faulty else []
    moments = sorted(source.uniform(0.1, 0.9) * plan.seconds for _ in kinds)
    launched = time.time()
    engine = start(folder)
    started, begin = time.time(), time.monotonic()
    outing = Outing(started, plan.seconds)
    try:
        while time.monotonic() - begin < plan.seconds:
            if moments and time.monotonic() - begin >= moments[0]:
                moments.pop(0)
                outing.kills.append((time.time(), kill_one(engine, source, kinds[len(outing.kills)])))
            for status in engine.poll():
                if status.state == "failed":
                    raise SystemExit(f"{status.name} failed: {status.error}")
            time.sleep(0.1)
    finally:
        engine.stop()
    examine(folder, outing, launched)
    return outing


def downtime_of_faults(faults: list[tuple[float, str]], scale: float, end: float) -> dict[str, float]:
    """Phone-seconds that faults took away before the run's end, by kind; the docstring above says how."""
    down: dict[str, float] = {}
    for at, kind in faults:
        down[kind] = down.get(kind, 0.0) + min(DOWN_S[kind] * scale, end - at)
    return down


def downtime_s(plan: Plan, faulty: Outing, start_s: float) -> dict[str, float]:
    """Phone-seconds that faults and kills took away before the run's end."""
    end = faulty.started + faulty.seconds
    down = downtime_of_faults(faulty.faults, plan.scale, end)
    for at, name in faulty.kills:
        if name.startswith("worker"):
            seconds = min(start_s, end - at) * plan.devices / plan.workers
            down["worker killed"] = down.get("worker killed", 0.0) + seconds
    return down


def simulate_both(devices: int, seconds: float, seed: int) -> dict[str, object]:
    """The same comparison in simulated time, where no processor is short and no process is killed."""
    calm = simulate(devices, seconds, seed, faults=False)
    rough = simulate(devices, seconds, seed, faults=True)
    down = downtime_of_faults(rough.faults, 1.0, seconds)
    share = sum(down.values()) / (devices * seconds)
    return {
        "devices": devices,
        "simulated_seconds": seconds,
        "faultless_usable_steps_per_s": calm.usable_steps / seconds,
        "faulty_usable_steps_per_s": rough.usable_steps / seconds,
        "downtime_share": share,
        "share_of_bound": rough.usable_steps / (calm.usable_steps * (1 - share)),
        "faults_dealt": dict(Counter(kind for _, kind in rough.faults)),
        "episodes": rough.episodes,
        "episodes_run_again": rough.lost_episodes,
        "labels": dict(rough.labels),
        "wrong_labels": rough.wrong_labels + calm.wrong_labels,
        "between_faults_s": rough.fleet["between_faults_s"],
        "mend_s": _under(rough.fleet, "mend_s/"),
        "rung_s": _under(rough.fleet, "rung_s/"),
    }


def _under(numbers: dict[str, float], prefix: str) -> dict[str, float]:
    return {key.removeprefix(prefix): value for key, value in numbers.items() if key.startswith(prefix)}


def compare(plan: Plan, place: Path) -> dict[str, object]:
    """Both runs of a plan, and what became of the difference."""
    calm = go_out(place / "calm", plan, faulty=False)
    rough = go_out(place / "rough", plan, faulty=True)
    down = downtime_s(plan, rough, calm.start_s)
    share = sum(down.values()) / (plan.devices * plan.seconds)
    bound = calm.usable_per_s * (1 - share)
    return {
        "devices": plan.devices,
        "seconds": plan.seconds,
        "time_scale": plan.scale,
        "faultless_usable_steps_per_s": calm.usable_per_s,
        "faulty_usable_steps_per_s": rough.usable_per_s,
        "faultless_steps_per_s": calm.steps / calm.seconds,
        "faulty_steps_per_s": rough.steps / rough.seconds,
        "downtime_share": share,
        "downtime_s": down,
        "bound_usable_steps_per_s": bound,
        "share_of_bound": rough.usable_per_s / bound if bound else 0.0,
        "faults_dealt": dict(Counter(kind for _, kind in rough.faults)),
        "killed": [name for _, name in rough.kills],
        "worker_start_s": calm.start_s,
        "mend_s": {key: max(values) for key, values in sorted(rough.mend_s.items())},
        "episodes": rough.episodes,
        "episodes_run_again": rough.lost_episodes,
        "successes": rough.successes,
        "receipts": rough.receipts,
        "lost_acknowledged": rough.missing + calm.missing,
        "labels": rough.labels,
        "wrong_labels": rough.wrong_labels + calm.wrong_labels,
    }


# --- telling ------------------------------------------------------------------------------------


def verdicts(figures: Figures) -> dict[str, bool]:
    """What must hold, whichever parts were run."""
    met = {"no wrong label": all(part.get("wrong_labels", 0) == 0 for part in figures.values())}
    real = [part for name, part in figures.items() if name != "simulated_time"]
    met["no acknowledged trajectory lost"] = all(part["lost_acknowledged"] == 0 for part in real)
    if part := figures.get("kill_loop"):
        met["training ended where it should"] = part["updates_reached"] == part["updates_wanted"]
        met["every kill took place"] = part["kills"] == part["kills_wanted"]
    if part := figures.get("head_lost"):
        told = part["exit_status"] == 1 and "--resume" in str(part["sentence"])
        met["without the head, training stops with a sentence"] = told
        resumed = part["exit_status_of_resume"] == 0 and part["resumed_at_update"] is not None
        ended = part["updates_reached"] == part["updates_wanted"]
        met["it resumes, and ends where it should"] = resumed and ended
    for name in ("simulated_time", "processes"):
        # A short run has too few faults to be judged by its rate; its labels and receipts count all the same.
        if name in figures and not figures[name].get("short"):
            holds = float(str(figures[name]["share_of_bound"])) >= TARGET
            met[f"{name}: at least {TARGET:.0%} of what the downtime leaves"] = holds
    return met


def show(figures: Figures, met: dict[str, bool]) -> None:
    """A table for people."""
    for title, part in figures.items():
        print(title.replace("_", " "))
        for name, value in part.items():
            if isinstance(value, dict):
                value = ", ".join(f"{key} {_number(each)}" for key, each in sorted(value.items()))
            print(f"  {name:30} {', '.join(value) if isinstance(value, list) else _number(value)}")
    for name, holds in met.items():
        print(f"{'ok' if holds else 'MISSED':8} {name}")


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) and abs(value) < 100 else str(value)


def main() -> int:
    """Print the figures; the exit status is 1 if something must hold and does not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="ten simulated minutes, and 40 s with 32 phones")
    parser.add_argument("--simulated", action="store_true", help="only the part in simulated time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--kills", type=int, default=0, help="the kill loop instead, with this many kills")
    parser.add_argument(
        "--engine", choices=("processes", "ray"), default="processes", help="of the kill loop"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.engine == "ray" and not args.kills:
        parser.error("--engine ray is for the kill loop: say how many kills, such as --kills 5")
    kinds = ("worker", "learner", "replay", "evaluator")
    plan = (
        Plan(32, 4, 40.0, 0.5, kinds, args.seed) if args.quick else Plan(128, 4, 300.0, 1.0, kinds, args.seed)
    )
    figures: Figures = {}
    with tempfile.TemporaryDirectory(prefix="distrl-faults-") as place:
        if args.kills:
            figures["kill_loop"] = kill_loop(args.kills, Path(place), args.seed, ray=args.engine == "ray")
            if args.engine == "ray":
                figures["head_lost"] = lose_head(Path(place) / "head", args.seed)
        else:
            figures["simulated_time"] = simulate_both(128, 600.0 if args.quick else 3600.0, args.seed)
            if not args.simulated:
                figures["processes"] = {"short": args.quick, **compare(plan, Path(place))}
    met = verdicts(figures)
    if args.json:
        print(json.dumps({"figures": figures, "met": met}))
    else:
        show(figures, met)
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
