"""Muon: momentum whose every step is turned into the nearest matrix with orthonormal rows or columns.

A gradient of a weight matrix is mostly a few directions; made orthonormal, all directions move alike, and
more is learnt from the same steps (Jordan et al., 2024, kellerjordan.github.io/posts/muon; the scale is that
of Liu et al., arXiv 2502.16982, doubled; docs/learning.md has what it brings here). `torch.optim.Muon`
computes in bfloat16, which not every processor has instructions for; this one computes in the parameters'
own precision.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn import Parameter

MOMENTUM = 0.95
ITERATIONS = 5
COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of the quintic that pulls singular values to between 0.7 and 1.2
SCALE = 0.4  # root mean square of a step at learning rate 1, about Adam's own: one learning rate fits both


class Muon(torch.optim.Optimizer):
    """Muon with Nesterov momentum, for matrices only."""

    def __init__(self, parameters: Iterable[Parameter], lr: float) -> None:
        matrices = list(parameters)
        odd = [tuple(matrix.shape) for matrix in matrices if matrix.ndim != 2]
        if odd:
            raise ValueError(f"Muon turns matrices only, not tensors of shape {odd[0]}")
        super().__init__(matrices, {"lr": lr})

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """Move every matrix that has a gradient."""
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                state = self.state[matrix]
                if not state:
                    state["momentum"] = torch.zeros_like(matrix)
                momentum: Tensor = state["momentum"].lerp_(matrix.grad, 1 - MOMENTUM)
                direction = orthogonal(matrix.grad.lerp(momentum, MOMENTUM))
                matrix.add_(direction, alpha=-group["lr"] * SCALE * max(matrix.shape) ** 0.5)


def orthogonal(matrix: Tensor) -> Tensor:
    """About the U Vᵀ of a matrix U S Vᵀ, by Newton and Schulz's iteration: no decomposition is needed."""
    first, second, third = COEFFICIENTS
    flat = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T  # products of the shorter side
    flat = flat / flat.norm().clamp_min(1e-7)
    for _ in range(ITERATIONS):
        square = flat @ flat.T
        update = torch.addmm(square, square, square, beta=second, alpha=third)
        flat = torch.addmm(flat, update, flat, beta=first)
    return flat if matrix.shape[0] <= matrix.shape[1] else flat.T
