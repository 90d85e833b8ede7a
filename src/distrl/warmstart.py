"""The warm start: demonstrations of training tasks, the expert's or people's, are imitated by the policy.

The result depends only on the suite, the demonstrations, the policy, the devices' pictures, the settings and
the code that shapes it, so it is kept in a cache under the digest of those. How many processes share the work
changes what falls to chance, not how good the result is, and is left out.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

import distrl
from distrl.config import RunConfig
from distrl.demonstration_files import hand_over, read_files
from distrl.demonstrators import Order, Progress, Pupil, Stage, Troupe, require_success
from distrl.errors import TaskError
from distrl.evaluate import Evaluation
from distrl.interfaces import Suite, TrainablePolicy
from distrl.learn.cloning import Costs, clone
from distrl.learn.rehearsal import pack
from distrl.recording import cache_folder, write_then_rename
from distrl.records import Task, Trajectory
from distrl.tasks.demonstrations import Demonstration, digest

Entries = Sequence[tuple[Demonstration, Task]]

# What the demonstrations and their imitation go through; a change there makes a new warm start.
SHAPING_CODE = (
    "agents",
    "devices",
    "simphone",
    "collect/episode.py",
    "learn/cloning.py",
    "learn/crew.py",
    "learn/imitating.py",
    "learn/losses.py",
    "learn/muon.py",
    "learn/optimisers.py",
    "demonstrators.py",
    "demonstration_files.py",
    "warmstart.py",
)

MOST_PROCESSES = 4  # that clone together unless told otherwise; a share of a batch gets small
ANOTHER_SEED = 1_000_003  # added for every further order, which has other phones and tasks
ENOUGH_TO_TELL = 4  # demonstrations of a family, from which one sees how hard it is
NEAR_ZERO = 0.05  # success below which a family has next to nothing to learn from
FEW_EPISODES = 3  # of a family; fewer do not tell


class Imitator(TrainablePolicy, Protocol):
    """A policy that can spell an expert's actions in its own tokens."""

    def translate(self, trajectory: Trajectory) -> Trajectory:
        """The same trajectory with the policy's tokens in every decision that it has words for."""


@dataclass(frozen=True)
class WarmStart:
    """What came of a warm start."""

    file: Path | None  # of the cache; None if the configuration asks for no warm start
    cached: bool
    metrics: dict[str, float]

    @property
    def steps(self) -> Path | None:
        """The file of the steps that were imitated, for those who want to rehearse them."""
        return _steps_file(self.file) if self.file else None


def _steps_file(weights: Path) -> Path:
    return weights.with_suffix(".steps")


def warm_start(
    stage: Stage,
    policy: Imitator,
    config: RunConfig,
    progress: Progress,
    *,
    build: Callable[[], Imitator] | None = None,
    anew: Callable[[], Stage] | None = None,
    fresh: bool = False,
) -> WarmStart:
    """Clone demonstrations into the policy, or take the weights of an earlier identical warm start.

    `build` and `anew` make the same policy and the same stage in processes that help; `fresh` does not look
    into the cache, but renews what is there.
    """
    suite = stage.suite
    entries = read_files(config.warmstart.files, suite)
    if not config.warmstart.demonstrations and not entries:
        return WarmStart(None, False, {})
    stored = cache_folder("warmstart") / f"{_digest(suite, policy, config, entries)}.safetensors"
    if stored.exists() and _steps_file(stored).exists() and not fresh:
        policy.load(stored.read_bytes(), 0)
        return WarmStart(stored, True, {"cached": 1.0})
    helpers = (config.warmstart.processes or min(MOST_PROCESSES, _cores())) - 1
    handed = _handed(stage, config, entries, progress) if entries else []
    stored.parent.mkdir(parents=True, exist_ok=True)
    with Troupe(stage, anew, helpers if config.warmstart.demonstrations else 0) as troupe:
        families = {task.family for task in suite.tasks("train")}
        expert = _Lessons(troupe, families, policy, config, progress)
        first = [*map(policy.translate, handed), *expert.first()]
        metrics = clone(
            policy,
            first,
            config.warmstart,
            seed=config.seed,
            progress=lambda done, of, _: progress("cloning", done, of),
            more=expert.further if expert.left else None,
            build=build,
            helpers=helpers,
            keep=lambda steps: write_then_rename(_steps_file(stored), pack(steps)),
        )
    write_then_rename(stored, policy.export())
    return WarmStart(stored, False, {**metrics, "cached": 0.0})


def _cores() -> int:
    """The cores that this process may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _handed(stage: Stage, config: RunConfig, entries: Entries, progress: Progress) -> list[Trajectory]:
    """The solutions of files; what failed is nothing to imitate."""
    handed = asyncio.run(hand_over(entries, stage.devices, stage.judge, progress))
    if not handed.solutions:
        raise TaskError(
            f"none of the {len(entries)} demonstrations in {', '.join(config.warmstart.files)} is a "
            f"solution ({handed.left_out[0]}); see: distrl demos check"
        )
    return handed.solutions


class _Lessons:
    """The expert's solutions: the first ones evenly over all families, the others where they are needed."""

    def __init__(
        self, troupe: Troupe, families: set[str], policy: Imitator, config: RunConfig, progress: Progress
    ) -> None:
        self._troupe = troupe
        self._families = families
        self._policy = policy
        self._config = config
        self._progress = progress
        self._orders = 0
        self._shown: set[str] = set()  # tasks
        self.left = config.warmstart.demonstrations

    def first(self) -> list[Trajectory]:
        """Solutions of all families alike, enough of them to tell which are hard."""
        if not self.left:
            return []
        evenly = math.ceil(self.left * self._config.warmstart.evenly)
        count = min(self.left, max(evenly, ENOUGH_TO_TELL * len(self._families)))
        shown = self._ask(order := self._order(count))
        require_success(shown, order)
        return shown

    def further(self, costs: Costs) -> list[Trajectory]:
        """The rest: a few of all families tell how hard each is to imitate, by which the others are dealt.

        Families that the pupil's slips spoilt altogether count as the hardest.
        """
        probe = self._ask(self._later(min(self.left, ENOUGH_TO_TELL * len(self._families))))
        if not self.left:
            return probe
        found = costs(probe)
        most = max(found.values(), default=1.0)
        shares = {family: found.get(family, most) for family in sorted(self._families)}
        return [*probe, *self._ask(replace(self._later(self.left), shares=shares))]

    def _later(self, count: int) -> Order:
        """What is asked for once the pupil has learnt a little."""
        order, share = self._order(count), self._config.warmstart.pupil
        if share and isinstance(self._policy, Pupil):
            return replace(order, noise=share, pupil=self._policy.export())
        return order

    def _order(self, count: int) -> Order:
        config = self._config.warmstart
        seed = self._config.seed + self._orders * ANOTHER_SEED
        return Order(count, config.noise, seed, shown=frozenset(self._shown))

    def _ask(self, order: Order) -> list[Trajectory]:
        total = self._config.warmstart.demonstrations
        before = total - self.left
        self.left -= order.count
        self._orders += 1
        shown = self._troupe.show(order, lambda stage, done, _: self._progress(stage, before + done, total))
        solved = [trajectory for trajectory in shown if trajectory.success]
        self._shown |= {trajectory.task.id for trajectory in solved}
        return [self._policy.translate(trajectory) for trajectory in solved]


def _digest(suite: Suite, policy: Imitator, config: RunConfig, entries: Entries) -> str:
    """Fingerprint of everything the warm start depends on; the fresh weights stand for the architecture."""
    parts = [
        suite.name,
        suite.digest(),
        hashlib.blake2b(policy.export()).hexdigest(),
        config.policy.model_dump_json(),
        config.warmstart.model_dump_json(exclude={"files", "processes"}),
        digest(entry for entry, _ in entries),
        config.device.model_dump_json(include={"kind", "picture_scale", "options"}),
        str(config.collect.require_done),
        str(config.seed),
        _code_digest(),
    ]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


@cache
def _code_digest() -> str:
    """Fingerprint of SHAPING_CODE as it is installed."""
    package = Path(distrl.__file__).parent
    total = hashlib.blake2b(digest_size=16)
    for name in SHAPING_CODE:
        place = package / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            total.update(str(file.relative_to(package)).encode() + file.read_bytes())
    return total.hexdigest()


def tells_enough(evaluations: Iterable[Evaluation]) -> bool:
    """Whether there were enough episodes to say something about most families."""
    counts: dict[str, int] = {}
    for evaluation in evaluations:
        for family, rate in evaluation.by_family.items():
            counts[family] = counts.get(family, 0) + rate.episodes
    return 2 * sum(count >= FEW_EPISODES for count in counts.values()) > len(counts)


def hopeless_families(evaluations: Iterable[Evaluation]) -> list[str]:
    """The families that hardly ever succeed, over all evaluations together, if these tell enough."""
    solved: dict[str, int] = {}
    tried: dict[str, int] = {}
    for evaluation in evaluations:
        for family, rate in evaluation.by_family.items():
            solved[family] = solved.get(family, 0) + rate.successes
            tried[family] = tried.get(family, 0) + rate.episodes
    return [
        family
        for family in sorted(tried)
        if tried[family] >= FEW_EPISODES and solved[family] < NEAR_ZERO * tried[family]
    ]


def stuck_families(starts: Iterable[Evaluation], ends: Iterable[Evaluation]) -> list[str]:
    """The families that hardly ever succeed, before training and after it."""
    ends_low = set(hopeless_families(ends))
    return [family for family in hopeless_families(starts) if family in ends_low]


def warning(families: Sequence[str], of: int, *, still: bool = False) -> str:
    """What a person should know about families near zero, `still` after training; empty if there are none."""
    if not families:
        return ""
    names = ", ".join(families[:12]) + (f" and {len(families) - 12} more" if len(families) > 12 else "")
    return (
        f"{len(families)} of {of} families {'are still' if still else 'start'} near 0 %: {names}. Where next "
        "to nothing succeeds there is next to nothing to learn from; give the warm start more demonstrations "
        "(warmstart.demonstrations, warmstart.files) or more passes (warmstart.epochs)."
    )
