"""The kill loop of `faults.py`: one training in which random processes die at random moments."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fault_runs import Outing, configure, create, examine, kill_one, start
from witness import BUILDER, PLACE

from distrl.engine import lives
from distrl.interfaces import Engine
from distrl.recording import Reader, RunFolder

STALLED_S = 300.0  # without an update for this long, training hangs
RAY_KINDS = ("worker", "learner", "replay", "evaluator", "policy", "archive", "host")


class Ground(Protocol):
    """Where a training runs, and what can be killed there."""

    settings: tuple[str, ...]  # that the training needs there
    updates: int  # learner updates for each kill

    def start(self, folder: RunFolder) -> Engine:
        """All parts under way."""

    def strike(self, engine: Engine, source: random.Random) -> str:
        """Kill something; returns its kind, or nothing if there was nothing to kill at the moment."""

    def tick(self) -> None:
        """Some time has passed."""


class Processes:
    """This machine, and any process of the training."""

    settings: tuple[str, ...] = ()
    updates = 20

    def start(self, folder: RunFolder) -> Engine:
        """All parts under way."""
        return start(folder)

    def strike(self, engine: Engine, source: random.Random) -> str:
        """Kill one of them."""
        return kill_one(engine, source).split("-")[0]

    def tick(self) -> None:
        """Nothing happens by itself."""


@dataclass
class RayHosts:
    """A Ray cluster on this machine; any actor of the training may be killed, and any device host.

    Kinds are dealt like cards, so that none is killed twice before each was killed once.
    """

    place: Path
    workers: int
    settings: tuple[str, ...] = ("engine=ray", "ray.elastic=true", "policy.serving=service")
    updates: int = 40  # a restarted part needs seconds to come up: kills should not all fall into one of them
    _deck: list[str] = field(default_factory=list)

    @contextmanager
    def cluster(self) -> Iterator[None]:
        """The head and the hosts, for as long as this lasts."""
        from fault_ray import ray_hosts

        with ray_hosts(self.workers, {PLACE: str(self.place)}) as self._hosts:
            yield

    def start(self, folder: RunFolder) -> Engine:
        """All parts under way."""
        from fault_ray import ray_engine

        return start(folder, ray_engine(folder, BUILDER))

    def strike(self, engine: Engine, source: random.Random) -> str:
        """Kill one of a kind that has been spared so far."""
        if not self._deck:
            self._deck = source.sample(RAY_KINDS, len(RAY_KINDS))
        kind = self._deck[-1]
        struck = self._hosts.lose(source) if kind == "host" else bool(kill_one(engine, source, kind))
        return self._deck.pop() if struck else ""

    def tick(self) -> None:
        """A host that was lost is followed by another one."""
        self._hosts.tick()


def kill_loop(kills: int, place: Path, seed: int, *, ray: bool = False) -> dict[str, object]:
    """Train for a number of updates while something is killed `kills` times; then look at the end."""
    lives.LONGEST_BACKOFF_S = 2.0  # pauses for a part that keeps dying are of no interest here
    if not ray:
        return _train(Processes(), kills, place / "kills", seed)
    ground = RayHosts(place / "kills", workers=2)
    with ground.cluster():
        return _train(ground, kills, place / "kills", seed)


def _train(ground: Ground, kills: int, path: Path, seed: int) -> dict[str, object]:
    updates = ground.updates * kills
    budget = (f"budget.updates={updates}", "learner.checkpoint_every_s=0.5")
    folder = create(path, configure(8, 2, 0.02, seed, *budget, *ground.settings))
    launched, begin = time.time(), time.monotonic()
    engine = ground.start(folder)
    try:
        killed = _kill_until_finished(engine, ground, folder, kills, updates, random.Random(seed))
    finally:
        engine.stop()
    outing = Outing(launched, time.time() - launched)
    examine(folder, outing, launched)
    lines = Reader(folder).poll()
    ends = [line for line in lines if line.kind == "finished"]
    return {
        "kills_wanted": kills,
        "kills": killed.total(),
        "killed": dict(sorted(killed.items())),
        "updates_wanted": updates,
        "updates_reached": ends[-1].fields.get("updates") if ends else None,
        "seconds": time.monotonic() - begin,
        "learner_resumed": sum(line.kind == "resumed" for line in lines),
        "trajectories": outing.episodes,
        "receipts": outing.receipts,
        "lost_acknowledged": outing.missing,
        "labels": outing.labels,
        "wrong_labels": outing.wrong_labels,
        "successes": outing.successes,
        "faults_dealt": dict(Counter(kind for _, kind in outing.faults)),
    }


def _kill_until_finished(
    engine: Engine, ground: Ground, folder: RunFolder, kills: int, updates: int, source: random.Random
) -> Counter[str]:
    """See a training through, killing on the way; returns how often which kind was killed."""
    thresholds = sorted(source.uniform(0, 0.9) * updates for _ in range(kills))
    reader, killed, reached, due = Reader(folder), Counter[str](), 0.0, 0.0
    moved = time.monotonic()
    while True:
        for line in reader.poll():
            if line.name == "learner":
                reached, moved = line.values.get("update") or reached, time.monotonic()
        if time.monotonic() - moved > STALLED_S:
            raise SystemExit(f"training hangs: no update for {STALLED_S:g} s after update {reached:g}")
        if thresholds and reached >= thresholds[0] and not due:
            due = time.monotonic() + source.uniform(0, 1.5)  # anywhere, a restart included
        if due and time.monotonic() >= due and (kind := ground.strike(engine, source)):
            killed[kind] += 1
            thresholds.pop(0)
            due = 0.0
        ground.tick()
        statuses = engine.poll()
        failed = [status for status in statuses if status.state == "failed"]
        if failed:
            raise SystemExit(f"{failed[0].name} failed: {failed[0].error}")
        if any(status.name == "learner" and status.state == "finished" for status in statuses):
            return killed
        time.sleep(0.02)
