"""The parts of PPO that a learning curve would not show."""

from __future__ import annotations

import msgspec
import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.interfaces import Drawn, Update
from distrl.learn.algorithms.ppo import PPO, build
from distrl.learn.batches import Batcher
from distrl.records import Trajectory
from distrl.testing.corridor import BACK, FORWARD, NONSENSE, CorridorPolicy, walk

CONFIG = AlgorithmConfig(lr=0.01, critic_lr=0.02, critic_warmup=0)


def update(
    policy: CorridorPolicy,
    algorithm: PPO,
    data: list[Trajectory],
    *,
    weights: list[float] | None = None,
    doubt: float = 0.0,
) -> Update:
    """One update; `doubt` is taken off every stored log-probability, as if μ had been less sure."""
    chances = weights or [1.0] * len(data)
    batch = Batcher(policy).prepare(
        [Drawn(entry, 0.1, weight) for entry, weight in zip(data, chances, strict=True)]
    )
    learnables = [
        msgspec.structs.replace(entry, behaviour_logprob=tuple(x - doubt for x in entry.behaviour_logprob))
        for entry in batch.learnables
    ]
    return algorithm.update(learnables, batch.features, version=4)


def actor(policy: CorridorPolicy) -> torch.Tensor:
    return torch.cat([v.flatten() for k, v in policy.module.state_dict().items() if "critic" not in k])


def test_warm_up_trains_the_critic_alone() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"critic_warmup": 2}))
    for warming_up in (True, True, False):
        before = actor(policy)
        metrics = update(policy, algorithm, walk(20, 1)).metrics
        assert metrics["warming_up"] == warming_up
        assert torch.equal(actor(policy), before) is warming_up


def test_the_clip_is_about_the_policy_met_and_not_about_the_one_that_acted() -> None:
    """However unlike μ the policy is, the first step is not clipped: that is what decoupling is for."""
    policy = CorridorPolicy()
    config = CONFIG.model_copy(update={"epochs": 1, "minibatches": 1, "clip": 0.01})
    before = actor(policy)
    metrics = update(policy, build(policy, config), walk(30, 1), doubt=3.0).metrics
    assert metrics["ratio_mean"] > 5
    assert metrics["clipped"] == 0
    assert not torch.equal(actor(policy), before)


def test_what_became_unlikely_before_the_update_counts_little() -> None:
    """min(ρ̄, π_prox/μ) of one trajectory, by its stored log-probabilities; capped from above."""
    success, failure = (next(x for x in walk(100, 1) if x.success is wanted) for wanted in (True, False))

    def forward_chance(doubt: float) -> float:
        policy = CorridorPolicy()
        config = CONFIG.model_copy(update={"epochs": 1, "minibatches": 1, "grad_clip": 1e9, "entropy": 0.0})
        return update(policy, build(policy, config), [success, failure], doubt=doubt).metrics["grad_norm"]

    assert forward_chance(-5.0) < 0.1 * forward_chance(0.0)
    assert forward_chance(10.0) == pytest.approx(forward_chance(20.0))


def test_importance_weights_of_the_replay_are_respected() -> None:
    """A trajectory without weight might as well not be in the batch; what PPO reports is drawn evenly."""
    data = walk(12, 1)
    config = CONFIG.model_copy(update={"epochs": 1, "minibatches": 1})
    with_it, without = CorridorPolicy(), CorridorPolicy()
    weights = [1.0] * 8 + [0.0] * 4
    report = update(with_it, build(with_it, config), data, weights=weights)
    update(without, build(without, config), data[:8])
    assert torch.allclose(actor(with_it), actor(without), atol=1e-6)
    assert report.priorities == {entry.id: 1.0 for entry in data}


@pytest.mark.parametrize(("penalty", "action"), [("invalid_penalty", NONSENSE), ("repeat_penalty", BACK)])
def test_shaping_costs_advantage_where_it_happens(penalty: str, action: int) -> None:
    chances = [0.2, 0.2, 0.1, 0.5] if action == NONSENSE else [0.2, 0.6, 0.1, 0.1]
    data = walk(60, 1, chances)
    left = {}
    for size in (0.0, 1.0):
        policy = CorridorPolicy()
        off = {"invalid_penalty": 0.0, "repeat_penalty": 0.0, "negative_scale": 1.0}
        algorithm = build(policy, CONFIG.model_copy(update=off | {penalty: size}))
        for _ in range(10):
            update(policy, algorithm, data)
        left[size] = policy.probabilities()[0, action] / policy.probabilities()[0, FORWARD]
    assert left[1.0] < left[0.0]


def test_the_critic_is_judged_before_it_has_seen_the_answers() -> None:
    data = walk(30, 1)
    first = {}
    for epochs in (1, 10):
        policy = CorridorPolicy()
        algorithm = build(policy, CONFIG.model_copy(update={"epochs": epochs}))
        first[epochs] = update(policy, algorithm, data).metrics["critic_loss"]
    assert first[1] == first[10]
