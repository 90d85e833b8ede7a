"""Old priorities are computed anew in the background: all if there is time, never more than a share."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from distrl.config import RunConfig, resolve
from distrl.interfaces import Learnable, Outdated, Sample, StepFeatures
from distrl.learn import learner as learner_module
from distrl.learn.algorithms import a_ride, digirl
from distrl.learn.batches import Batcher
from distrl.learn.learner import Learner
from distrl.learn.refreshing import PORTION, Refresh, refresh_for
from distrl.replay import SqliteReplay, open_replay
from distrl.testing.corridor import CorridorPolicy, walk
from distrl.weights import FileWeights

DATA = walk(40, seed=1)


@dataclass
class Clock:
    """Time that passes when told to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Source:
    """Priorities out of thin air, which take a second for each portion."""

    clock: Clock
    value: float = 0.5
    asked: list[list[str]] = field(default_factory=list)

    def priorities(self, batch: Sequence[Learnable], features: Sequence[StepFeatures]) -> dict[str, float]:
        assert len(batch) == len(features)
        self.clock.now += 1.0
        self.asked.append([entry.id for entry in batch])
        return {entry.id: self.value for entry in batch}


def make_refresh(share: float = 0.1, value: float = 0.5) -> tuple[Refresh, Source]:
    clock = Clock()
    source = Source(clock, value)
    return Refresh(source, Batcher(CorridorPolicy()), gap=3, share=share, clock=clock), source


def portion(waiting: int = 20) -> Outdated:
    return Outdated(tuple(DATA[:PORTION]), waiting, 2.5, 7)


def test_the_share_of_time_is_kept_unless_the_learner_is_idle() -> None:
    refresh, source = make_refresh(share=0.1)
    portions = 0
    for _ in range(1000):  # an update takes 0.1 s
        source.clock.now += 0.1
        if refresh.is_due(version=5):
            with refresh.timed():
                assert len(refresh.evaluate(portion(), version=5)) == PORTION
            portions += 1
    assert refresh.metrics()["refresh_share"] == pytest.approx(0.1, abs=0.01)
    assert portions == len(source.asked) > 5
    assert not refresh.is_due(version=5)
    assert refresh.is_due(version=5, idle=True)
    before = refresh.metrics()["refresh_share"]
    with refresh.timed(idle=True):
        refresh.evaluate(portion(), version=5)
    assert refresh.metrics()["refresh_share"] < before  # idle time is free


def test_when_all_is_done_nobody_is_asked_until_the_next_version() -> None:
    refresh, source = make_refresh(share=1.0)
    source.clock.now = 100.0
    refresh.evaluate(portion(waiting=20), version=5)
    assert refresh.is_due(version=5)
    refresh.evaluate(portion(waiting=PORTION), version=5)
    assert not refresh.is_due(version=5)
    assert not refresh.is_due(version=5, idle=True)
    assert refresh.is_due(version=6)
    assert refresh.evaluate(Outdated((), 0, 1.0, 3), version=6) == {}
    assert not refresh.is_due(version=6)
    assert refresh.metrics()["priorities_refreshed"] == 2 * PORTION
    assert refresh.metrics()["priority_age_mean"] == 1.0
    assert refresh.metrics()["priority_age_max"] == 3.0


def test_priorities_that_are_no_numbers_are_left_and_not_asked_for_again() -> None:
    refresh, _ = make_refresh(value=float("nan"))
    assert refresh.evaluate(portion(), version=5) == {}
    assert not refresh.is_due(version=5, idle=True)


def configure(*overrides: str) -> RunConfig:
    fast = ["learner.publish_every=1", "learner.batch_trajectories=2", "budget.updates=60"]
    fast += ["replay.min_trajectories=1", "replay.slack=1000000000", "replay.max_version_gap=1000"]
    return resolve("laptop", None, [*fast, "algorithm.critic_warmup=2", "replay.alpha=1", *overrides])


@pytest.mark.parametrize(
    ("overrides", "wanted"),
    [
        ((), True),
        (("replay.refresh_gap=0",), False),
        (("replay.alpha=0",), False),
    ],
)
def test_priorities_that_play_no_role_are_not_refreshed(overrides: tuple[str, ...], wanted: bool) -> None:
    policy = CorridorPolicy()
    config = configure(*overrides)
    batcher = Batcher(policy)
    assert (refresh_for(a_ride.build(policy, config.algorithm), batcher, config) is not None) is wanted
    assert refresh_for(digirl.build(policy, config.algorithm), batcher, config) is None


@dataclass
class Recorder:
    """Keeps what the learner reports."""

    rows: list[dict[str, float]] = field(default_factory=list)

    def event(self, kind: str, **fields: object) -> None:
        pass

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:
        self.rows.append(values)


class Watched:
    """A replay that writes down how old its priorities are whenever the learner draws."""

    def __init__(self, inner: SqliteReplay, refuse_every: int) -> None:
        self._inner = inner
        self._refuse_every = refuse_every
        self._draws = 0
        self.ages: list[int] = []
        self.add, self.permit, self.stats = inner.add, inner.permit, inner.stats
        self.set_priorities, self.outdated = inner.set_priorities, inner.outdated
        self.published, self.task_records = inner.published, inner.task_records

    async def sample(self, trajectories: int, version: int) -> Sample:
        self._draws += 1
        if self._refuse_every and self._draws % self._refuse_every:
            return Sample((), "learner waits for workers")
        self.ages.append((await self.outdated(0, version, 0)).max_age)
        return await self._inner.sample(trajectories, version)


def train(folder: Path, config: RunConfig, *, refuse_every: int = 0) -> tuple[list[int], Recorder]:
    """A whole learner on a real replay; two trajectories of forty are so attractive that others starve."""

    async def go() -> tuple[list[int], Recorder]:
        policy, recorder = CorridorPolicy(), Recorder()
        inner = open_replay(folder / "replay.sqlite", config.replay)
        for trajectory in DATA:
            await inner.add(trajectory)
        await inner.set_priorities({entry.id: 1e-6 for entry in DATA[2:]})
        replay = Watched(inner, refuse_every)
        algorithm = a_ride.build(policy, config.algorithm)
        weights = FileWeights(folder / "weights", run="testing")
        checkpoint = folder / "learner.pt"
        await Learner(replay, weights, policy, algorithm, config, recorder, checkpoint, asyncio.Event()).run()
        inner.close()
        return replay.ages, recorder

    return asyncio.run(go())


def test_with_time_no_priority_stays_older_than_the_gap(tmp_path: Path) -> None:
    """A portion of 8 between two updates, a version after each, 40 trajectories: at most 5 versions late."""
    gap = 6
    config = configure(f"replay.refresh_gap={gap}", "replay.refresh_share=1")
    ages, recorder = train(tmp_path, config)
    assert max(ages) <= gap + len(DATA) / PORTION
    assert recorder.rows[-1]["priorities_refreshed"] > len(DATA)
    assert 0 < recorder.rows[-1]["priority_age_mean"] < recorder.rows[-1]["priority_age_max"]


def test_a_learner_that_waits_brings_all_priorities_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven refused draws before each update, and next to no share of the busy time."""
    monkeypatch.setattr(learner_module, "WAIT_S", 0.0)
    config = configure("replay.refresh_gap=6", "replay.refresh_share=1e-9", "budget.updates=20")
    ages, _ = train(tmp_path, config, refuse_every=8)
    assert max(ages) <= 6


def test_without_refresh_what_is_not_drawn_keeps_its_priority_for_ever(tmp_path: Path) -> None:
    ages, recorder = train(tmp_path, configure("replay.refresh_gap=0"))
    assert max(ages) > 50
    assert "priority_age_max" not in recorder.rows[-1]
