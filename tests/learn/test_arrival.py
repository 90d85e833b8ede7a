"""What is known of a trajectory on arrival decides how soon it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.interfaces import Drawn
from distrl.learn.algorithms.a_ride import build
from distrl.learn.arrival import SMALLEST_PRIORITY, a_ride_arrival, arrival_for
from distrl.learn.batches import Batcher
from distrl.learn.optimisers import split_parameters
from distrl.records import Step, Trajectory
from distrl.testing.corridor import CorridorPolicy, walk
from distrl.testing.trajectories import make_trajectory

CONFIG = AlgorithmConfig()


def decided(trajectory: Trajectory, logprobs: Sequence[float]) -> Trajectory:
    """The same, had its actions been taken with these log-probabilities."""
    replace = msgspec.structs.replace

    def retold(step: Step, logprob: float) -> Step:
        tokens = len(step.decision.tokens)
        return replace(step, decision=replace(step.decision, logprobs=(logprob / tokens,) * tokens))

    steps = (retold(*each) for each in zip(trajectory.steps, logprobs, strict=True))
    return replace(trajectory, steps=tuple(steps))


def sure(trajectory: Trajectory, chance: float) -> Trajectory:
    """The same, had every action been taken with this chance."""
    return decided(trajectory, [math.log(chance)] * len(trajectory.steps))


def test_an_unsure_success_comes_first_and_a_failure_last() -> None:
    success, failure = make_trajectory("a"), make_trajectory("b", success=False)
    ranked = [sure(success, 0.2), sure(success, 0.9), sure(failure, 0.2), sure(failure, 0.9)]
    values = [a_ride_arrival(each, CONFIG) for each in ranked]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_nothing_can_be_as_boring_as_not_to_be_drawn() -> None:
    boring = sure(make_trajectory("a", success=False), 1.0)
    silent = CONFIG.model_copy(update={"priority_error": 0.0, "priority_ratio": 0.0})
    assert a_ride_arrival(boring, silent) == pytest.approx(SMALLEST_PRIORITY)


def test_arriving_is_valued_as_by_a_critic_that_does_not_know() -> None:
    """The same number as from the learner, if V is one half, nothing was learnt since, and λ is 1."""
    policy = CorridorPolicy()
    _, critics = split_parameters(policy)
    with torch.no_grad():
        for parameter in critics:
            parameter.zero_()
    config = AlgorithmConfig(retrace_lambda=1.0, repeat_penalty=0.0, priority_entropy=0.0)
    algorithm = build(policy, config)
    for entry in walk(40, 1):
        prepared = Batcher(policy).prepare([Drawn(entry, 0.0, 1.0)])
        with torch.no_grad():
            own = policy.forward(prepared.features).logprob.tolist()
        acted = decided(entry, own)
        prepared = Batcher(policy).prepare([Drawn(acted, 0.0, 1.0)])
        computed = algorithm.priorities(prepared.learnables, prepared.features)
        assert a_ride_arrival(acted, config) == pytest.approx(computed[entry.id], rel=1e-4)


@pytest.mark.parametrize("kind", ["digirl", "filtered-bc", "ppo", "grpo"])
def test_who_draws_evenly_values_nothing_on_arrival(kind: str) -> None:
    assert arrival_for(AlgorithmConfig(kind=kind)) is None
    assert arrival_for(AlgorithmConfig(priority_lesson=0.0)) is None
    assert arrival_for(AlgorithmConfig()) is not None
