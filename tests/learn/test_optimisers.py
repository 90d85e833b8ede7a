"""A gradient step touches its own parameters, is clipped, and can be refused."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from distrl.errors import PolicyError
from distrl.learn.optimisers import Descent, split_parameters
from distrl.testing.corridor import CorridorPolicy


def test_a_loss_reaches_only_the_parameters_of_its_group() -> None:
    shared, head = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    Descent([head], lr=0.1, clip=1.0).differentiate((shared * head).sum())
    assert shared.grad is None
    assert head.grad is not None


def test_the_gradient_is_clipped_and_its_norm_reported() -> None:
    parameter = nn.Parameter(torch.zeros(1))
    assert Descent([parameter], lr=0.1, clip=0.5).differentiate(10 * parameter.sum()) == pytest.approx(10)
    assert parameter.grad is not None
    assert float(parameter.grad) == pytest.approx(0.5, rel=1e-3)


def test_a_broken_loss_or_gradient_is_told_before_anything_moves() -> None:
    parameter = nn.Parameter(torch.zeros(1))
    descent = Descent([parameter], lr=0.1, clip=1.0)
    assert not math.isfinite(descent.differentiate(parameter.sum() + math.nan))
    assert not math.isfinite(descent.differentiate(parameter.sqrt().sum()))
    assert float(parameter.detach()) == 0.0


def test_parameters_are_split_and_a_module_that_cannot_is_refused() -> None:
    policy = CorridorPolicy()
    actor, critic = split_parameters(policy)
    assert len(actor) + len(critic) == len(list(policy.module.parameters()))
    policy.module = nn.Linear(1, 1)
    with pytest.raises(PolicyError, match="Linear cannot be trained"):
        split_parameters(policy)
