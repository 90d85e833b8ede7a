"""Off-policy corrected values and advantages: pure functions on padded tensors, without gradients.

Everything is [B, T]: B trajectories, padded to the longest one's T steps; `mask` is 1 on real steps and 0 on
padding, which always follows the real steps. The state after the last real step is terminal: V(s_H) = 0.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

# exp(20) is far beyond every cap in use, and finite in every float type.
LARGEST_LOG_RATIO = 20.0


class RetraceReturns(NamedTuple):
    """What a critic and a policy learn from, all [B, T] and 0 on padding."""

    targets: Tensor  # v_t, the corrected value of s_t
    advantages: Tensor  # A_t = r_t + γ v_{t+1} - V(s_t)
    deltas: Tensor  # δ_t = r_t + γ V(s_{t+1}) - V(s_t), the critic's surprise


@torch.no_grad()
def retrace(
    values: Tensor,
    rewards: Tensor,
    log_rhos: Tensor,
    mask: Tensor,
    *,
    lambda_: float,
    discount: float,
    rho_clip: float,
) -> RetraceReturns:
    """Retrace(λ) for state values, exact for V^π when ρ̄ = ∞.

    v_t = V(s_t) + Σ_{k≥t} γ^{k-t} (Π_{i=t..k-1} c_i) min(ρ̄, ρ_k) δ_k   with   c_i = λ min(1, ρ_i),

    computed backwards as  v_t - V(s_t) = min(ρ̄, ρ_t) δ_t + γ c_t (v_{t+1} - V(s_{t+1})).
    """
    values, rewards = values * mask, rewards * mask  # [B, T]
    rhos = torch.exp(log_rhos.clamp(max=LARGEST_LOG_RATIO)) * mask  # [B, T]
    weights = rhos.clamp(max=rho_clip)  # [B, T] min(ρ̄, ρ_k)
    traces = lambda_ * rhos.clamp(max=1.0)  # [B, T] c_i
    deltas = _deltas(values, rewards, mask, discount)  # [B, T]

    corrections = torch.zeros_like(values)  # [B, T] v_t - V(s_t)
    correction = torch.zeros_like(values[:, 0])  # [B]
    for t in reversed(range(values.shape[1])):
        correction = weights[:, t] * deltas[:, t] + discount * traces[:, t] * correction
        corrections[:, t] = correction

    targets = values + corrections  # [B, T]
    advantages = (rewards + discount * _following(targets) - values) * mask  # [B, T]
    return RetraceReturns(targets, advantages, deltas)


@torch.no_grad()
def one_step(values: Tensor, rewards: Tensor, mask: Tensor, *, discount: float) -> RetraceReturns:
    """Plain one-step returns, A_t = δ_t: what is left when Retrace is switched off."""
    values, rewards = values * mask, rewards * mask  # [B, T]
    deltas = _deltas(values, rewards, mask, discount)  # [B, T]
    return RetraceReturns(values + deltas, deltas, deltas)


@torch.no_grad()
def generalised_advantages(
    values: Tensor, rewards: Tensor, mask: Tensor, *, lambda_: float, discount: float
) -> Tensor:
    """GAE(γ, λ): A_t = Σ_{k≥t} (γλ)^{k-t} δ_k, [B, T]; values of the policy that acted, whoever asks."""
    values, rewards = values * mask, rewards * mask  # [B, T]
    deltas = _deltas(values, rewards, mask, discount)  # [B, T]
    advantages = torch.zeros_like(values)  # [B, T]
    advantage = torch.zeros_like(values[:, 0])  # [B]
    for t in reversed(range(values.shape[1])):
        advantage = deltas[:, t] + discount * lambda_ * advantage
        advantages[:, t] = advantage
    return advantages * mask


def _deltas(values: Tensor, rewards: Tensor, mask: Tensor, discount: float) -> Tensor:
    return (rewards + discount * _following(values) - values) * mask  # [B, T]


def _following(values: Tensor) -> Tensor:
    """The value of the next state, 0 after the end; padding is 0 already, so V(s_H) = 0 holds."""
    return torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], dim=1)  # [B, T]
