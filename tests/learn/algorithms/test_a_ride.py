"""The parts of A-RIDE that a learning curve would not show."""

from __future__ import annotations

import math

import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.interfaces import Drawn, Update
from distrl.learn.algorithms.a_ride import ARide, build, curriculum_weights
from distrl.learn.arrival import SMALLEST_PRIORITY
from distrl.learn.batches import Batcher, learnable, tabulate
from distrl.learn.losses import scale_advantages
from distrl.learn.optimisers import split_parameters
from distrl.records import Trajectory
from distrl.testing.corridor import CLUMSY, DONE, FORWARD, NONSENSE, CorridorPolicy, walk

CONFIG = AlgorithmConfig(lr=0.01, critic_lr=0.02, critic_warmup=0, learn_share=1)


def update(policy: CorridorPolicy, algorithm: ARide, data: list[Trajectory], version: int = 0) -> Update:
    batch = Batcher(policy).prepare([Drawn(entry, 1 / len(data), 1.0) for entry in data])
    return algorithm.update(batch.learnables, batch.features, version)


def change(before: dict[str, torch.Tensor], policy: CorridorPolicy, prefix: str) -> float:
    after = policy.module.state_dict()
    return max(float((after[key] - before[key]).abs().max()) for key in before if key.startswith(prefix))


def test_warm_up_trains_the_critics_alone() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"critic_warmup": 2}))
    for warming_up in (True, True, False):
        before = {key: value.clone() for key, value in policy.module.state_dict().items()}
        metrics = update(policy, algorithm, walk(20, 1)).metrics
        assert metrics["warming_up"] == warming_up
        assert (change(before, policy, "head") == 0) is warming_up
        assert (change(before, policy, "trunk") == 0) is warming_up
        assert change(before, policy, "step_critic") > 0
        assert change(before, policy, "trajectory_critic") > 0


def test_the_critics_learn_to_predict() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"critic_warmup": 1000}))
    data = walk(200, 1)
    losses = [update(policy, algorithm, data).metrics for _ in range(150)]
    assert losses[-1]["critic_loss"] < losses[-1]["critic_chance"] < losses[0]["critic_loss"]
    # The trajectory critic sees the same first cell each time: the best it can learn is the success rate.
    rate = sum(entry.success for entry in data) / len(data)
    chance = -(rate * math.log(rate) + (1 - rate) * math.log(1 - rate))
    assert losses[-1]["prior_loss"] == pytest.approx(chance, abs=0.02)


def test_on_the_sampling_version_every_ratio_is_one() -> None:
    policy = CorridorPolicy()
    with torch.no_grad():
        for parameter in policy.module.parameters():
            parameter.zero_()
        policy.module.get_parameter("head.bias").copy_(torch.from_numpy(CLUMSY).log())
    metrics = update(policy, build(policy, CONFIG), walk(20, 1)).metrics
    assert metrics["ratio_mean"] == pytest.approx(1, abs=1e-4)
    assert metrics["kl"] == pytest.approx(0, abs=1e-4)
    assert metrics["ratio_below_half"] == 0


def test_only_invalid_actions_lose_probability_to_the_validity_penalty() -> None:
    """All failures and no critic: the penalty is the only thing that can tell actions apart."""
    data = [entry for entry in walk(200, 1) if not entry.success]
    chances = {}
    for penalty in (0.0, 2.0):
        policy = CorridorPolicy()
        algorithm = build(
            policy,
            CONFIG.model_copy(
                update={"invalid_penalty": penalty, "negative_scale": 0.0, "entropy": 0.0, "retrace": False}
            ),
        )
        for _ in range(30):
            update(policy, algorithm, data)
        chances[penalty] = policy.probabilities()[0]
    assert chances[2.0][NONSENSE] < 0.5 * chances[0.0][NONSENSE]
    assert chances[2.0][FORWARD] > chances[0.0][FORWARD]


def test_the_entropy_bonus_keeps_the_policy_exploring() -> None:
    entropy = {}
    for bonus in (0.0, 1.0):
        policy = CorridorPolicy()
        algorithm = build(policy, CONFIG.model_copy(update={"entropy": bonus}))
        metrics = [update(policy, algorithm, walk(100, 1)).metrics for _ in range(40)]
        entropy[bonus] = metrics[-1]["entropy"]
    assert entropy[0.0] < 1.0 < entropy[1.0]


def test_at_the_end_of_its_fade_the_entropy_bonus_is_gone() -> None:
    ends = {}
    for bonus, fade in ((0.0, 0.5), (1.0, 0.5), (1.0, 0.0)):
        policy = CorridorPolicy()
        algorithm = build(policy, CONFIG.model_copy(update={"entropy": bonus, "entropy_fade": fade}))
        algorithm.pace(1.0)
        metrics = [update(policy, algorithm, walk(100, 1)).metrics for _ in range(3)]
        ends[bonus, fade] = policy.export()
        assert metrics[-1]["entropy_weight"] == (bonus if fade == 0 else 0.0)
    assert ends[1.0, 0.5] == ends[0.0, 0.5] != ends[1.0, 0.0]


def test_repeats_cost_advantage() -> None:
    """Nonsense again and again on an unchanged screen; only the repeat penalty differs."""
    data = walk(60, 1, [0.3, 0.1, 0.1, 0.5])
    left = {}
    for penalty in (0.0, 1.0):
        policy = CorridorPolicy()
        algorithm = build(
            policy,
            CONFIG.model_copy(
                update={"repeat_penalty": penalty, "invalid_penalty": 0.0, "negative_scale": 1.0}
            ),
        )
        metrics = [update(policy, algorithm, data).metrics for _ in range(30)]
        assert metrics[0]["repeat_rate"] > 0.1
        left[penalty] = policy.probabilities()[0, NONSENSE]
    assert left[1.0] < left[0.0]


def test_advantages_that_vanish_do_not_explode() -> None:
    noise = 1e-6 * torch.randn(50)
    scaled = scale_advantages(noise, torch.ones(50), negative_scale=1.0)
    assert float(scaled.abs().max()) < 1e-4
    assert not scale_advantages(torch.full((5,), 0.3), torch.ones(5), 1.0).any()


def test_advantages_are_centred_scaled_and_shrunk_below_zero() -> None:
    advantage = torch.tensor([1.0, 0.0, -1.0, 0.0])
    weight = torch.tensor([1.0, 1.0, 1.0, 1.0])
    scaled = scale_advantages(advantage, weight, negative_scale=0.25)
    top = math.sqrt(2)
    assert scaled.tolist() == pytest.approx([top, 0.0, -0.25 * top, 0.0])
    # A weight of 0 takes a step out of mean and scale alike.
    weight = torch.tensor([1.0, 1.0, 0.0, 0.0])
    assert scale_advantages(advantage, weight, 1.0)[:2].tolist() == pytest.approx([1.0, -1.0])


def test_unexpected_successes_count_most() -> None:
    success, failure = (
        next(entry for entry in walk(100, 1) if entry.success is wanted) for wanted in (True, False)
    )
    table = tabulate([learnable(entry, 1.0) for entry in (success, success, failure, failure)])
    prior = torch.tensor([0.1, 0.9, 0.1, 0.9])
    ends = torch.tensor(table.lengths).cumsum(0) - 1
    weights = curriculum_weights(prior, table, strength=0.5)
    assert weights[ends].tolist() == pytest.approx([1.45, 1.05, 0.95, 0.55])
    assert curriculum_weights(prior, table, strength=0.0).tolist() == [1.0] * sum(table.lengths)


@pytest.mark.parametrize("term", ["priority_error", "priority_ratio", "priority_entropy"])
def test_each_priority_term_lies_between_zero_and_its_weight(term: str) -> None:
    policy = CorridorPolicy()
    off = {"priority_error": 0.0, "priority_ratio": 0.0, "priority_entropy": 0.0, "priority_lesson": 0.0}
    data = walk(50, 1)
    priorities = update(policy, build(policy, CONFIG.model_copy(update={**off, term: 2.0})), data).priorities
    assert priorities.keys() == {entry.id for entry in data}
    assert all(SMALLEST_PRIORITY < value <= 2.0 + SMALLEST_PRIORITY for value in priorities.values())
    assert len({round(value, 6) for value in priorities.values()}) > 1


def test_surprises_have_priority() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"critic_warmup": 1000}))
    data = walk(200, 1)
    for _ in range(100):
        priorities = update(policy, algorithm, data).priorities
    mean = {
        wanted: sum(priorities[entry.id] for entry in data if entry.success is wanted)
        / sum(entry.success is wanted for entry in data)
        for wanted in (True, False)
    }
    assert mean[True] > mean[False]  # successes are rare here, so the critic does not expect them


def test_what_teaches_more_has_priority() -> None:
    """Successes before failures, which the loss shrinks; unsure actions before sure ones."""
    policy = CorridorPolicy()
    only = {"priority_error": 0.0, "priority_ratio": 0.0, "priority_entropy": 0.0, "priority_lesson": 1.0}
    data = walk(100, 1)

    def priorities() -> dict[str, float]:
        algorithm = build(policy, CONFIG.model_copy(update={**only, "lr": 1e-9}))
        return update(policy, algorithm, data).priorities

    first = priorities()
    successes = [first[entry.id] for entry in data if entry.success]
    failures = [first[entry.id] for entry in data if not entry.success]
    assert min(successes) > max(failures)
    learner = build(policy, CONFIG.model_copy(update={"lr": 0.05}))
    for _ in range(60):
        update(policy, learner, data)
    later = priorities()
    assert all(later[entry.id] < first[entry.id] / 2 for entry in data if entry.success)


def test_a_priority_does_not_depend_on_what_else_was_drawn() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG)
    data = walk(30, 1)
    batch = Batcher(policy).prepare([Drawn(entry, 0.0, 1.0) for entry in data])
    together = algorithm.priorities(batch.learnables, batch.features)
    for learnable_, features in zip(batch.learnables, batch.features, strict=True):
        alone = algorithm.priorities([learnable_], [features])
        assert alone[learnable_.id] == pytest.approx(together[learnable_.id], rel=1e-4)


def test_all_promised_metrics_are_there() -> None:
    policy = CorridorPolicy()
    metrics = update(policy, build(policy, CONFIG), walk(10, 1), version=4).metrics
    promised = """policy_loss critic_loss critic_accuracy prior_loss entropy kl ratio_mean ratio_below_half
        advantage_std grad_norm version_gap_mean version_gap_max success_in_batch invalid_rate"""
    assert set(promised.split()) <= metrics.keys()
    assert all(math.isfinite(value) for value in metrics.values())
    assert metrics["version_gap_mean"] == metrics["version_gap_max"] == 4


def test_an_episode_of_a_single_step_is_learnt_from() -> None:
    policy = CorridorPolicy()
    before = policy.probabilities()[0, DONE]
    short = [entry for entry in walk(100, 1) if len(entry.steps) == 1][:4]
    long = [entry for entry in walk(100, 1) if entry.success][:4]
    algorithm = build(policy, CONFIG)
    for _ in range(20):
        update(policy, algorithm, short + long)
    assert policy.probabilities()[0, DONE] < before


def gradient(share: float, seed: int) -> torch.Tensor:
    """What moves the policy in its first update, from a share of the steps."""
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"learn_share": share, "grad_clip": 1e9}))
    torch.manual_seed(seed)
    metrics = update(policy, algorithm, walk(20, 1)).metrics
    assert metrics["learnt_steps"] == pytest.approx(share, abs=0.02)
    grads = [parameter.grad for parameter in split_parameters(policy)[0]]
    return torch.cat([grad.flatten() for grad in grads if grad is not None])


def test_a_share_of_the_steps_gives_the_gradient_of_all_on_average() -> None:
    whole = gradient(1.0, 0)
    shares = torch.stack([gradient(0.35, seed) for seed in range(400)])
    off = (shares.mean(0) - whole).norm() / whole.norm()
    alone = (shares - whole).norm(dim=1).mean() / whole.norm()
    assert off < 3 * alone / math.sqrt(len(shares))
    assert alone < 0.8


def test_a_share_of_the_steps_is_enough_to_learn_from() -> None:
    data = walk(200, 1)
    reached = {}
    for share in (1.0, 0.25):
        torch.manual_seed(0)
        policy = CorridorPolicy()
        algorithm = build(policy, CONFIG.model_copy(update={"learn_share": share}))
        before = policy.probabilities()[0, FORWARD]
        for _ in range(60):
            update(policy, algorithm, data)
        reached[share] = policy.probabilities()[0, FORWARD] - before
    assert reached[0.25] > 0.6 * reached[1.0] > 0.1


def test_successes_are_imitated_where_advantages_say_nothing() -> None:
    """Nothing but successes, which the critics expect: what is left to learn from is that they worked."""
    data = [entry for entry in walk(400, 1) if entry.success][:12]
    moved = {}
    for weight in (0.0, 1.0):
        policy = CorridorPolicy()
        changed = {"imitation": weight, "entropy": 0.0, "retrace_lambda": 1.0, "curriculum_weight": 0.0}
        algorithm = build(policy, CONFIG.model_copy(update={**changed, "critic_warmup": 300}))
        for _ in range(300):
            update(policy, algorithm, data)
        before = policy.probabilities()[0, FORWARD]
        for _ in range(5):
            update(policy, algorithm, data)
        moved[weight] = policy.probabilities()[0, FORWARD] - before
    assert moved[1.0] > 0.05 > abs(moved[0.0])
