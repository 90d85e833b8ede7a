"""A gradient step touches its own parameters, is clipped, and can be refused."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from distrl.agents.small.policy import SmallPolicy
from distrl.config import PolicyConfig
from distrl.errors import PolicyError
from distrl.learn.muon import Muon, orthogonal
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters
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


@pytest.mark.parametrize("shape", [(8, 8), (5, 40), (40, 5)])
def test_a_turned_matrix_has_the_same_directions_and_singular_values_near_one(shape: tuple[int, int]) -> None:
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    turned = orthogonal(matrix)
    values = torch.diagonal(left.T @ turned @ right.T)
    assert 0.6 < float(values.min()) <= float(values.max()) < 1.3
    assert torch.allclose(turned, left @ torch.diag(values) @ right, atol=1e-4)


def test_a_turned_step_is_as_long_for_any_gradient_and_shape() -> None:
    for shape, size in (((16, 64), 1e-4), ((64, 16), 1e3)):
        matrix = nn.Parameter(torch.zeros(shape))
        matrix.grad = torch.randn(shape, generator=torch.Generator().manual_seed(2)) * size
        Muon([matrix], lr=0.01).step()
        assert 0.003 < float(matrix.detach().square().mean().sqrt()) < 0.005
        assert float((matrix.detach() * matrix.grad).sum()) < 0


def test_muon_refuses_what_is_no_matrix() -> None:
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        Muon([nn.Parameter(torch.zeros(3))], lr=0.1)


def test_matrices_are_turned_and_the_rest_is_left_to_adam() -> None:
    bias, matrix = nn.Parameter(torch.zeros(4)), nn.Parameter(torch.zeros(4, 4))
    descent = Descent([bias, matrix], lr=0.1, clip=10.0, matrices=[matrix])
    descent.differentiate((2 * bias).sum() + (torch.diag(torch.tensor([9.0, 1.0, 1.0, 1.0])) * matrix).sum())
    descent.step()
    assert bias.tolist() == pytest.approx([-0.1] * 4, rel=1e-4)  # Adam's first step
    moved = torch.diagonal(matrix.detach())
    assert float(moved[0] / moved[1]) < 2  # though the gradient is nine times as large


def test_a_descent_goes_on_from_its_state_and_refuses_another_kind() -> None:
    def trained(
        steps: int, state: dict[str, object] | None = None, at: nn.Parameter | None = None
    ) -> Descent:
        matrix = at if at is not None else nn.Parameter(torch.eye(4))
        descent = Descent([matrix], lr=0.1, clip=1.0, matrices=[matrix])
        if state is not None:
            descent.load_state_dict(state)
        for _ in range(steps):
            descent.differentiate((matrix @ torch.arange(4.0)).square().sum())
            descent.step()
        return descent

    straight, broken = nn.Parameter(torch.eye(4)), nn.Parameter(torch.eye(4))
    trained(4, at=straight)
    trained(2, trained(2, at=broken).state_dict(), at=broken)
    assert torch.equal(straight, broken)
    with pytest.raises(ValueError, match="state of muon, not of adam"):
        Descent([nn.Parameter(torch.zeros(2))], lr=0.1, clip=1.0).load_state_dict(trained(1).state_dict())


def test_only_a_module_that_names_its_matrices_is_moved_by_muon() -> None:
    assert layer_matrices(CorridorPolicy(), "muon") == []
    small = SmallPolicy(PolicyConfig(width=32, layers=1))
    named = {id(matrix) for matrix in layer_matrices(small, "muon")}
    assert named
    assert id(small.module.get_parameter("actor.trunk.table")) not in named
    assert layer_matrices(small, "adam") == []
