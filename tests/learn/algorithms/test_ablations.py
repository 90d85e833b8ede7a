"""Each ingredient of A-RIDE is switched off by the configuration alone, and is then really off."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from unittest import mock

import msgspec
import numpy as np
import pytest
import torch

from distrl.config import RunConfig, resolve
from distrl.interfaces import Drawn, Learnable, StepFeatures
from distrl.learn.algorithms import a_ride
from distrl.learn.batches import Batcher
from distrl.testing.corridor import CorridorOutput, CorridorPolicy, success_probability, walk

FAST = ["algorithm.lr=0.01", "algorithm.critic_lr=0.02", "algorithm.critic_warmup=5"]
AT_ONCE = ["algorithm.lr=0.01", "algorithm.critic_warmup=0"]
OFF = {
    "retrace": "algorithm.retrace=false",
    "entropy": "algorithm.entropy=0",
    "validity": "algorithm.invalid_penalty=0",
    "curriculum": "algorithm.curriculum_weight=0",
    "imitation": "algorithm.imitation=0",
    "rehearsal": "algorithm.rehearsal=0",
    "choice of steps": "algorithm.learn_share=1",
    "priorities": "replay.alpha=0",
    "what trajectories can teach": "algorithm.priority_lesson=0",
}
Entries = Callable[[list[Learnable]], list[Learnable]]


def configure(*overrides: str) -> RunConfig:
    return resolve("laptop", None, list(overrides))


def actor_after(
    *overrides: str, entries: Entries = list, prior: float = 0.0, entropy: float = 1.0
) -> torch.Tensor:
    """The actor's parameters after one update on a fixed batch; `entropy` multiplies the policy's own."""
    torch.manual_seed(0)  # of which steps are learnt from
    policy = CorridorPolicy()
    with torch.no_grad():
        policy.module.get_parameter("trajectory_critic.bias").fill_(prior)
    batch = Batcher(policy).prepare([Drawn(entry, 1 / 60, 1.0) for entry in walk(60, 1)])
    algorithm = a_ride.build(policy, configure(*AT_ONCE, *overrides).algorithm)
    forward = policy.forward

    def louder(features: Sequence[StepFeatures]) -> CorridorOutput:
        output = forward(features)
        return dataclasses.replace(output, entropy=entropy * output.entropy)

    with mock.patch.object(policy, "forward", louder):
        algorithm.update(entries(batch.learnables), batch.features, 0)
    return torch.cat(
        [value.flatten() for name, value in policy.module.state_dict().items() if "critic" not in name]
    )


def all_valid(batch: list[Learnable]) -> list[Learnable]:
    return [msgspec.structs.replace(entry, invalid=(False,) * len(entry.versions)) for entry in batch]


@pytest.mark.parametrize("switch", OFF.values(), ids=OFF.keys())
def test_a_ride_learns_without_each_of_its_ingredients(switch: str) -> None:
    policy = CorridorPolicy()
    data = walk(300, 1)
    batcher = Batcher(policy)
    algorithm = a_ride.build(policy, configure(*FAST, switch).algorithm)
    for number in range(150):
        chosen = np.random.default_rng(number).integers(0, len(data), 24)
        batch = batcher.prepare([Drawn(data[index], 1 / len(data), 1.0) for index in chosen])
        algorithm.update(batch.learnables, batch.features, 3)
    assert success_probability(policy) > 0.9


def test_without_retrace_lambda_plays_no_role() -> None:
    short, long = "algorithm.retrace_lambda=0", "algorithm.retrace_lambda=1"
    assert not torch.equal(actor_after(short), actor_after(long))
    assert torch.equal(actor_after(OFF["retrace"], short), actor_after(OFF["retrace"], long))


def test_without_the_entropy_bonus_entropy_plays_no_role() -> None:
    assert not torch.equal(actor_after(), actor_after(entropy=50.0))
    assert torch.equal(actor_after(OFF["entropy"]), actor_after(OFF["entropy"], entropy=50.0))


def test_without_the_validity_penalty_invalid_actions_are_like_others() -> None:
    assert not torch.equal(actor_after(), actor_after(entries=all_valid))
    assert torch.equal(actor_after(OFF["validity"]), actor_after(OFF["validity"], entries=all_valid))


def test_without_the_curriculum_the_trajectory_critic_plays_no_role() -> None:
    assert not torch.equal(actor_after(prior=-3.0), actor_after(prior=3.0))
    off = OFF["curriculum"]
    assert torch.equal(actor_after(off, prior=-3.0), actor_after(off, prior=3.0))


def test_even_drawing_is_the_replays_affair() -> None:
    assert configure(OFF["priorities"]).replay.alpha == 0
    assert configure(OFF["priorities"]).algorithm == configure().algorithm
