"""The learner's loop, with a replay and weights that live in memory."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

from distrl.config import RunConfig, resolve
from distrl.errors import DistrlError, PartUnavailable, RunError
from distrl.interfaces import (
    Algorithm,
    Drawn,
    Learnable,
    Outdated,
    Permit,
    ReplayStats,
    Sample,
    StepFeatures,
    TaskRecord,
    Update,
)
from distrl.learn import learner as learner_module
from distrl.learn.algorithms import a_ride, digirl, grpo, ppo
from distrl.learn.checkpoints import spare
from distrl.learn.learner import Learner
from distrl.records import PolicyVersion, Trajectory
from distrl.testing.corridor import CorridorPolicy, walk

DATA = walk(60, seed=1)


@dataclass
class MemoryReplay:
    """Hands out the same stream of samples to whoever has drawn as often."""

    drawn: int = 0
    empty_first: int = 0
    fail_first: int = 0
    priorities: dict[str, float] = field(default_factory=dict)
    versions: list[int] = field(default_factory=list)
    after_sample: Callable[[int], None] = lambda _: None

    async def sample(self, trajectories: int, version: int) -> Sample:
        if self.fail_first:
            self.fail_first -= 1
            raise PartUnavailable("the replay is being restarted")
        if self.empty_first:
            self.empty_first -= 1
            return Sample(drawn=(), reason="too few trajectories")
        chosen = np.random.default_rng(self.drawn).integers(0, len(DATA), trajectories)
        self.drawn += 1
        self.after_sample(self.drawn)
        return Sample(drawn=tuple(Drawn(DATA[index], 0.1, 1.0) for index in chosen))

    async def set_priorities(self, priorities: dict[str, float]) -> None:
        self.priorities |= priorities

    async def outdated(self, trajectories: int, version: int, gap: int) -> Outdated:
        return Outdated((), 0, 0.0, 0)

    async def published(self, version: int) -> None:
        self.versions.append(version)

    async def add(self, trajectory: Trajectory) -> bool:
        raise NotImplementedError

    async def permit(self, worker: str, wanted: int) -> Permit:
        raise NotImplementedError

    async def task_records(self) -> dict[str, TaskRecord]:
        return {}

    async def stats(self) -> ReplayStats:
        return ReplayStats(0, 0, 0, 10 * self.drawn, 0, 0, 0, 0, 0, 0, 0.0, 0.0)


@dataclass
class MemoryWeights:
    """Versions in a list."""

    stored: list[tuple[PolicyVersion, bytes]] = field(default_factory=list)

    async def publish(self, weights: bytes, learner_step: int) -> PolicyVersion:
        digest = hashlib.sha256(weights).hexdigest()
        version = PolicyVersion("testing", len(self.stored), learner_step, digest)
        self.stored.append((version, weights))
        return version

    async def latest(self) -> PolicyVersion | None:
        return self.stored[-1][0] if self.stored else None

    async def load(self, number: int) -> bytes:
        return self.stored[number][1]


@dataclass
class MemoryRecorder:
    """Events and metrics in lists."""

    events: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    rows: list[dict[str, float]] = field(default_factory=list)

    def event(self, kind: str, **fields: object) -> None:
        self.events.append((kind, fields))

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:
        assert name == "learner"
        assert not labels
        self.rows.append(values)

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]


@dataclass
class Bench:
    """A learner with everything around it; `start` may be called again for another life."""

    folder: Path
    config: RunConfig
    replay: MemoryReplay = field(default_factory=MemoryReplay)
    weights: MemoryWeights = field(default_factory=MemoryWeights)
    recorder: MemoryRecorder = field(default_factory=MemoryRecorder)
    policy: CorridorPolicy = field(default_factory=CorridorPolicy)
    algorithm: Algorithm | None = None

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def start(self, *, stop_after: int | None = None) -> None:
        """One life of a learner; its policy starts from other weights each time, to be overwritten."""

        async def live() -> None:
            stopping = asyncio.Event()
            start = self.replay.drawn

            def after_sample(drawn: int) -> None:
                if stop_after is not None and drawn - start >= stop_after:
                    stopping.set()

            self.replay.after_sample = after_sample
            algorithm = self.algorithm or a_ride.build(self.policy, self.config.algorithm)
            await Learner(
                self.replay,
                self.weights,
                self.policy,
                algorithm,
                self.config,
                self.recorder,
                self.checkpoint,
                stopping,
            ).run()

        asyncio.run(live())


def configure(*overrides: str) -> RunConfig:
    fast = ["learner.publish_every=4", "learner.batch_trajectories=6", "budget.updates=10"]
    return resolve("laptop", None, [*fast, "algorithm.critic_warmup=2", "algorithm.lr=0.01", *overrides])


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, configure())


def test_publishes_hands_priorities_back_and_finishes(bench: Bench) -> None:
    bench.start()
    assert [version.learner_step for version, _ in bench.weights.stored] == [0, 4, 8, 10]
    assert bench.replay.versions == [0, 1, 2, 3]
    assert bench.replay.drawn == 10
    assert set(bench.replay.priorities) <= {entry.id for entry in DATA}
    assert len(bench.replay.priorities) > 10
    assert bench.recorder.kinds()[-1] == "finished"
    assert [row["update"] for row in bench.recorder.rows] == list(range(1, 11))
    assert bench.weights.stored[-1][1] == bench.policy.export()


def test_a_synchronous_round_ends_with_a_version(bench: Bench) -> None:
    bench.config = configure("mode=sync", "round_updates=5")
    bench.start()
    assert [version.learner_step for version, _ in bench.weights.stored] == [0, 5, 10]


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_digirl_runs_in_either_mode(bench: Bench, mode: str) -> None:
    bench.config = configure(f"mode={mode}", "round_updates=5", "algorithm.kind=digirl")
    bench.algorithm = digirl.build(bench.policy, bench.config.algorithm)
    bench.start()
    assert [row["update"] for row in bench.recorder.rows] == list(range(1, 11))
    assert max(row["kept_steps"] for row in bench.recorder.rows) > 0
    # Even priorities: however high replay.alpha is, the replay draws evenly.
    assert set(bench.replay.priorities.values()) == {1.0}
    assert torch.load(bench.checkpoint, weights_only=True)


def test_goes_on_from_published_weights_when_there_is_no_checkpoint(bench: Bench) -> None:
    warm = CorridorPolicy(seed=7)
    asyncio.run(bench.weights.publish(warm.export(), 0))
    bench.config = configure("budget.updates=1", "algorithm.critic_warmup=5")
    bench.start()
    assert bench.replay.versions[0] == 0
    assert (bench.policy.probabilities() == warm.probabilities()).all()


@pytest.mark.parametrize("budget", ["budget.trajectories=50", "budget.minutes=1e-9"])
def test_every_budget_ends_the_run(bench: Bench, budget: str) -> None:
    bench.config = configure("budget.updates=1000", budget)
    bench.start()
    assert bench.replay.drawn == (5 if "trajectories" in budget else 0)
    assert bench.recorder.kinds()[-1] == "finished"


@pytest.mark.parametrize("averaged", [0, 5])
def test_a_resumed_run_equals_an_uninterrupted_one(bench: Bench, tmp_path: Path, averaged: int) -> None:
    bench.config = configure(f"learner.average_updates={averaged}")
    whole = Bench(tmp_path / "whole", bench.config)
    torch.manual_seed(1)  # of which steps are learnt from
    whole.start()

    torch.manual_seed(1)
    bench.start(stop_after=3)
    assert bench.recorder.kinds()[-1] == "stopped"
    torch.manual_seed(2)  # every life goes on with the numbers of the one before
    bench.policy = CorridorPolicy(seed=5)  # another life: whatever it starts from is overwritten
    bench.start(stop_after=4)
    bench.policy = CorridorPolicy(seed=6)
    bench.start()
    assert bench.policy.export() == whole.policy.export()
    assert bench.weights.stored[-1][1] == whole.weights.stored[-1][1]
    assert (whole.weights.stored[-1][1] == whole.policy.export()) == (averaged == 0)
    assert [version.learner_step for version, _ in bench.weights.stored] == [0, 4, 8, 10]
    assert bench.recorder.kinds().count("resumed") == 2


def test_the_entropy_bonus_fades_with_the_budget_in_every_life(bench: Bench) -> None:
    bench.config = configure("algorithm.entropy=0.5", "algorithm.entropy_fade=0.5")
    bench.start(stop_after=7)
    bench.start()
    weights = [row["entropy_weight"] for row in bench.recorder.rows]
    assert weights == pytest.approx([0.5] * 6 + [0.4, 0.3, 0.2, 0.1], abs=0.01)


@pytest.mark.parametrize("module", [ppo, grpo])
def test_so_it_does_for_ppo_and_grpo(bench: Bench, module: ModuleType) -> None:
    bench.config = configure("algorithm.entropy=0.5", "algorithm.entropy_fade=1", "collect.group=2")
    bench.algorithm = module.build(bench.policy, bench.config.algorithm)
    bench.start()
    learnt = [row for row in bench.recorder.rows if "entropy_weight" in row]  # GRPO skips what is all alike
    assert len(learnt) > 2
    for row in learnt:
        assert row["entropy_weight"] == pytest.approx(0.5 * (11 - row["update"]) / 10, abs=0.01)


def test_random_numbers_go_on_where_they_stopped(bench: Bench) -> None:
    torch.manual_seed(42)
    expected = torch.rand(3)
    torch.manual_seed(42)
    bench.start(stop_after=1)
    torch.manual_seed(0)
    bench.start(stop_after=1)
    assert torch.equal(torch.rand(3), expected)


def test_time_trained_adds_up_over_lives(bench: Bench) -> None:
    bench.start(stop_after=2)
    before = bench.recorder.rows[-1]["seconds"]
    bench.start(stop_after=1)
    assert bench.recorder.rows[-1]["seconds"] > before


def test_weights_that_the_learner_has_lost_are_superseded(bench: Bench) -> None:
    bench.start(stop_after=2)
    asyncio.run(bench.weights.publish(CorridorPolicy(seed=3).export(), 8))
    bench.start(stop_after=1)
    steps = [version.learner_step for version, _ in bench.weights.stored]
    assert steps == [0, 8, 2]
    assert bench.replay.versions[-1] == 2


def test_finishing_twice_publishes_once(bench: Bench) -> None:
    bench.start()
    bench.start()
    assert len(bench.weights.stored) == 4


def test_a_truncated_checkpoint_falls_back_to_the_one_before(bench: Bench) -> None:
    bench.start(stop_after=2)
    bench.start(stop_after=2)
    bench.checkpoint.write_bytes(bench.checkpoint.read_bytes()[:1000])
    bench.start(stop_after=1)
    told = [fields for kind, fields in bench.recorder.events if kind == "checkpoint_damaged"]
    assert [fields["path"] for fields in told] == [str(bench.checkpoint)]
    resumed = [fields["updates"] for kind, fields in bench.recorder.events if kind == "resumed"]
    assert resumed == [2, 2]


def test_no_readable_checkpoint_is_an_error(bench: Bench) -> None:
    bench.start(stop_after=1)
    bench.start(stop_after=1)
    for path in (bench.checkpoint, spare(bench.checkpoint)):
        path.write_bytes(b"not a checkpoint")
    with pytest.raises(RunError, match="no checkpoint can be read"):
        bench.start()


def test_a_checkpoint_of_another_policy_is_an_error(bench: Bench) -> None:
    bench.start(stop_after=1)
    bench.policy.module.register_buffer("more", bench.policy.module.get_parameter("head.bias").detach())
    with pytest.raises(RunError, match="does not fit"):
        bench.start()


def test_checkpoints_are_written_on_the_way(bench: Bench) -> None:
    bench.config = configure("learner.checkpoint_every_s=1e-9", "algorithm.lr=1e-3")
    seen: list[bool] = []
    publish = bench.weights.publish

    async def watched(weights: bytes, learner_step: int) -> PolicyVersion:
        seen.append(bench.checkpoint.exists())
        return await publish(weights, learner_step)

    bench.weights.publish = watched  # type: ignore[method-assign]
    bench.start()
    assert seen == [False, True, True, True]


def test_an_empty_replay_is_waited_for_and_the_reason_told_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner_module, "WAIT_S", 0.0)
    bench.replay.empty_first = 5
    bench.start()
    told = [fields for kind, fields in bench.recorder.events if kind == "learner_waiting"]
    assert told == [{"reason": "too few trajectories"}]
    assert bench.replay.drawn == 10


def test_a_restarting_replay_is_tried_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner_module, "FIRST_RETRY_S", 0.001)
    bench.replay.fail_first = 4
    bench.start()
    assert bench.recorder.rows[-1]["retries"] == 4
    assert bench.recorder.kinds()[-1] == "finished"


def test_a_replay_that_stays_away_is_given_up(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner_module, "FIRST_RETRY_S", 0.001)
    monkeypatch.setattr(learner_module, "GIVE_UP_S", 0.0)
    bench.replay.fail_first = 1000
    with pytest.raises(PartUnavailable):
        bench.start()


@dataclass
class Anchor:
    """An algorithm that notes which weights it was shown as the reference, and changes the policy."""

    policy: CorridorPolicy
    shown: list[bytes] = field(default_factory=list)

    def hold_reference(self) -> None:
        self.shown.append(self.policy.export())

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        with torch.no_grad():
            self.policy.module.get_parameter("head.bias").add_(1.0)
        return Update(metrics={"loss": 1.0}, priorities={})

    def state_dict(self) -> dict[str, object]:
        return {}

    def load_state_dict(self, state: dict[str, object]) -> None:
        assert state == {}


@pytest.mark.parametrize("published", [0, 1, 3])
def test_the_reference_is_version_0_in_every_life(bench: Bench, published: int) -> None:
    """Whether the run is new, warm-started or resumed; what is trained is the newest all the same."""
    for seed in range(published):
        asyncio.run(bench.weights.publish(CorridorPolicy(seed=20 + seed).export(), 0))
    bench.config = configure("algorithm.kl=0.1")
    bench.algorithm = anchor = Anchor(bench.policy)
    bench.start(stop_after=3)
    newest = bench.weights.stored[max(0, published - 1)][1]
    before = CorridorPolicy()
    before.load(newest, 0)
    grown = bench.policy.module.get_parameter("head.bias") - before.module.get_parameter("head.bias")
    assert grown.tolist() == pytest.approx([3.0] * 4, abs=1e-4)
    trained = bench.policy.export()
    bench.start(stop_after=1)
    assert anchor.shown == [bench.weights.stored[0][1]] * 2
    assert bench.policy.export() != trained


def test_without_a_kl_term_no_reference_is_loaded(bench: Bench) -> None:
    bench.algorithm = anchor = Anchor(bench.policy)
    bench.start(stop_after=1)
    assert anchor.shown == []


@dataclass
class Breaking:
    """An algorithm whose updates break, all of them or the first few."""

    broken: int
    metrics: dict[str, float]
    done: int = 0

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        assert len(batch) == len(features)
        assert version >= 0
        self.done += 1
        return Update(metrics=self.metrics if self.done <= self.broken else {"loss": 1.0}, priorities={})

    def state_dict(self) -> dict[str, object]:
        return {}

    def load_state_dict(self, state: dict[str, object]) -> None:
        assert state == {}


@pytest.mark.parametrize("metrics", [{"skipped": 1.0}, {"loss": float("nan")}, {"loss": float("inf")}])
def test_a_few_broken_updates_are_skipped_and_counted(bench: Bench, metrics: dict[str, float]) -> None:
    bench.algorithm = Breaking(9, metrics)
    bench.start()
    assert bench.recorder.kinds().count("update_skipped") == 9
    assert bench.recorder.rows[-1]["updates_skipped"] == 9
    assert bench.recorder.rows[-1]["update"] == 10


def test_ten_broken_updates_in_a_row_end_the_run_with_a_sentence(bench: Bench) -> None:
    bench.algorithm = Breaking(10, {"skipped": 1.0})
    with pytest.raises(DistrlError, match=r"10 updates in a row.*lower algorithm\.lr"):
        bench.start()
    assert "finished" not in bench.recorder.kinds()


def test_unhealthy_training_is_warned_of(bench: Bench) -> None:
    bench.config = configure("budget.updates=60")
    bench.algorithm = Breaking(60, {"ratio_below_half": 0.9})
    bench.start()
    warnings = [fields["text"] for kind, fields in bench.recorder.events if kind == "warning"]
    assert len(warnings) == 1
    assert "stale" in str(warnings[0])
