"""Weights that fade: constant, then down to nothing when the budget is spent."""

from __future__ import annotations

import pytest

from distrl.config import AlgorithmConfig
from distrl.learn.algorithms import a_ride, digirl, filtered_bc, grpo, ppo
from distrl.learn.pacing import FadingWeight, Paced
from distrl.testing.corridor import CorridorPolicy


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


def test_those_with_an_entropy_bonus_are_paced() -> None:
    policy, config = CorridorPolicy(), AlgorithmConfig()
    for module, paced in ((a_ride, True), (ppo, True), (grpo, True), (digirl, False), (filtered_bc, False)):
        assert isinstance(module.build(policy, config), Paced) is paced
