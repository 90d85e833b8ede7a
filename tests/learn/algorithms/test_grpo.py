"""Groups: who is compared with whom, and what happens to those who stand out in nothing."""

from __future__ import annotations

import msgspec
import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.interfaces import Drawn, Update
from distrl.learn.algorithms.grpo import GRPO, Groups, build, group_advantage, outcome
from distrl.learn.batches import Batcher, learnable
from distrl.records import Trajectory
from distrl.testing.corridor import CorridorPolicy, walk

CONFIG = AlgorithmConfig(lr=0.01, group=4)
WALKS = walk(200, 1)
SUCCESSES = [entry for entry in WALKS if entry.success]
FAILURES = [entry for entry in WALKS if not entry.success]


def of_task(entry: Trajectory, task: str) -> Trajectory:
    return msgspec.structs.replace(entry, task=msgspec.structs.replace(entry.task, id=task))


def update(policy: CorridorPolicy, algorithm: GRPO, data: list[Trajectory]) -> Update:
    batch = Batcher(policy).prepare([Drawn(entry, 0.1, 1.0) for entry in data])
    return algorithm.update(batch.learnables, batch.features, version=4)


def test_the_advantage_is_a_leave_one_out_difference_in_deviations() -> None:
    # One success in four: std = √(1/4 · 3/4).
    assert group_advantage(1.0, [0.0, 0.0, 0.0]) == pytest.approx(1 / 0.1875**0.5)
    assert group_advantage(0.0, [1.0, 0.0, 0.0]) == pytest.approx(-(1 / 3) / 0.1875**0.5)
    assert group_advantage(0.5, [0.49]) == pytest.approx(0.01 / 0.1)  # tiny spreads are not blown up


@pytest.mark.parametrize(("own", "others"), [(1.0, []), (0.0, [0.0, 0.0]), (1.0, [1.0])])
def test_without_company_or_spread_there_is_no_advantage(own: float, others: list[float]) -> None:
    assert group_advantage(own, others) == 0


def test_the_baseline_does_not_depend_on_the_episode_itself() -> None:
    """Over a group, leave-one-out differences sum to 0: nobody is better than average on the whole."""
    returns = [1.0, 0.0, 1.0, 0.0, 0.0]
    total = sum(group_advantage(own, returns[:i] + returns[i + 1 :]) for i, own in enumerate(returns))
    assert total == pytest.approx(0)


def test_a_group_holds_the_latest_distinct_episodes_of_its_task() -> None:
    groups = Groups(3)
    entries = [learnable(entry, 1.0) for entry in WALKS[:6]]
    for number, entry in enumerate(entries[:4]):
        groups.add(entry, float(number))
    assert list(groups.held["corridor"].values()) == [1.0, 2.0, 3.0]
    groups.add(entries[1], 1.0)  # drawn again: the latest, not a second one
    assert list(groups.held["corridor"].values()) == [2.0, 3.0, 1.0]
    assert groups.others(entries[2]) == [3.0, 1.0]
    assert groups.others(entries[0]) == [3.0, 1.0]  # long gone, compared with two others all the same
    assert groups.others(msgspec.structs.replace(entries[0], task="another")) == []


def test_tasks_are_not_compared_with_each_other() -> None:
    policy = CorridorPolicy()
    weights = policy.export()
    data = [of_task(SUCCESSES[0], "easy"), of_task(SUCCESSES[1], "easy")]
    data += [of_task(FAILURES[0], "hard"), of_task(FAILURES[1], "hard"), of_task(FAILURES[2], "alone")]
    metrics = update(policy, build(policy, CONFIG), data).metrics
    assert (metrics["grouped"], metrics["kept"], metrics["group_size"]) == (0.8, 0.0, 1.8)
    assert "policy_loss" not in metrics
    assert policy.export() == weights  # not even the entropy bonus moves it


def test_groups_form_over_several_draws() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG)
    assert update(policy, algorithm, FAILURES[:1]).metrics["kept"] == 0
    first = update(policy, algorithm, SUCCESSES[:1]).metrics
    assert (first["kept"], first["group_size"]) == (1, 2)
    assert first["advantage_mean"] == pytest.approx(2, abs=0.1)
    resumed = build(policy, CONFIG)
    resumed.load_state_dict(algorithm.state_dict())
    assert update(policy, resumed, FAILURES[1:2]).metrics["group_size"] == 3


def test_a_success_gains_where_others_fail_and_a_failure_loses() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"entropy": 0.0, "negative_scale": 1.0}))
    success, failure = SUCCESSES[0], FAILURES[0]

    def likelihood(entry: Trajectory) -> float:
        with torch.no_grad():
            return float(policy.forward([policy.featurize(entry)]).logprob.sum())

    before = likelihood(success) - likelihood(failure)
    update(policy, algorithm, [success, failure])
    assert likelihood(success) - likelihood(failure) > before


def test_a_discount_tells_short_successes_from_long_ones() -> None:
    short, long = sorted(SUCCESSES, key=lambda entry: len(entry.steps))[:: len(SUCCESSES) - 1]
    returns = [outcome(learnable(entry, 1.0), 0.9) for entry in (short, long, FAILURES[0])]
    assert returns[0] > returns[1] > returns[2] == 0
    assert outcome(learnable(long, 1.0), 1.0) == 1
