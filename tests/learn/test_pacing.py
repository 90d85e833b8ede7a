"""What fades: constant, then down to nothing when the budget is spent."""

from __future__ import annotations

from types import ModuleType

import pytest

from distrl.config import AlgorithmConfig
from distrl.interfaces import Algorithm, Drawn
from distrl.learn.algorithms import a_ride, digirl, filtered_bc, grpo, ppo
from distrl.learn.batches import Batcher
from distrl.learn.pacing import FadingWeight, Paced
from distrl.testing.corridor import CorridorPolicy, walk


@pytest.mark.parametrize(
    ("share", "progress", "left"),
    [
        (0.5, 0.0, 1.0),
        (0.5, 0.5, 1.0),
        (0.5, 0.75, 0.5),
        (0.5, 1.0, 0.0),
        (0.5, 1.3, 0.0),  # the last update may end after the budget
        (1.0, 0.25, 0.75),
        (0.0, 1.0, 1.0),
    ],
)
def test_falls_over_the_last_share(share: float, progress: float, left: float) -> None:
    weight = FadingWeight(0.02, share)
    assert weight.value == 0.02
    weight.pace(progress)
    assert weight.value == pytest.approx(0.02 * left)


def test_a_longer_budget_brings_it_back() -> None:
    weight = FadingWeight(0.02, 0.5)
    weight.pace(0.9)
    weight.pace(0.45)
    assert weight.value == 0.02


@pytest.mark.parametrize("module", [a_ride, ppo, grpo, digirl, filtered_bc], ids=lambda each: each.__name__)
def test_at_the_end_of_its_fade_nothing_moves_the_policy(module: ModuleType) -> None:
    for fade, still in ((0.5, True), (0.0, False)):
        policy = CorridorPolicy()
        config = AlgorithmConfig(lr=0.01, lr_fade=fade, critic_warmup=0, digirl_keep=1.0, group=2)
        algorithm: Algorithm = module.build(policy, config)
        assert isinstance(algorithm, Paced)
        algorithm.pace(1.0)
        batch = Batcher(policy).prepare([Drawn(entry, 1 / 60, 1.0) for entry in walk(60, 1)])
        before = policy.probabilities()
        algorithm.update(batch.learnables, batch.features, 0)
        assert bool((policy.probabilities() == before).all()) is still
