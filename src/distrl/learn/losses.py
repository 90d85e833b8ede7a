"""Every term that is minimised, as a pure function of tensors; each is a weighted mean over its rows.

N counts steps, B trajectories. Importance ratios enter as coefficients: no gradient flows through them.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from distrl.learn.returns import LARGEST_LOG_RATIO

# Advantages are differences of probabilities. Dividing by less than this would blow up the noise of a batch
# in which nothing was learnt.
SMALLEST_SCALE = 0.1


def clipped_ratio(log_rho: Tensor, rho_clip: float) -> Tensor:
    """min(ρ, ρ̄) as a constant, [N]."""
    return torch.exp(log_rho.detach().clamp(max=LARGEST_LOG_RATIO)).clamp(max=rho_clip)


def weighted_mean(values: Tensor, weight: Tensor) -> Tensor:
    """Σ w x / Σ w, a scalar; 0 when nothing has weight."""
    return (values * weight).sum() / weight.sum().clamp(min=1e-8)


def policy_gradient(
    logprob: Tensor, log_rho: Tensor, advantage: Tensor, weight: Tensor, *, rho_clip: float
) -> Tensor:
    """-E_μ[ min(ρ, ρ̄) A log π(a|s) ]; all [N]."""
    return -weighted_mean(clipped_ratio(log_rho, rho_clip) * advantage.detach() * logprob, weight)


def proximal_gain(
    log_ratio: Tensor, coefficient: Tensor, advantage: Tensor, weight: Tensor, *, clip: float
) -> Tensor:
    """-E_μ[ min(ρ̄, π_prox/μ) min(u A, clip(u, 1-ε, 1+ε) A) ] with u = π/π_prox; all [N].

    `log_ratio` is log u, `coefficient` the capped π_prox/μ; gradients flow through u alone.
    """
    ratio = torch.exp(log_ratio.clamp(max=LARGEST_LOG_RATIO))  # [N] u
    advantage = advantage.detach()
    gain = torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
    return -weighted_mean(coefficient.detach() * gain, weight)


def kl_penalty(
    logprob: Tensor, reference: Tensor, log_rho: Tensor, weight: Tensor, *, rho_clip: float
) -> Tensor:
    """A term whose gradient is that of KL(π‖π_ref), by the score function; all [N].

    ∇ KL(π‖π_ref) = E_π[ log(π/π_ref) ∇ log π ]. The estimate `reference_kl` must not be differentiated: with
    ρ held constant its gradient is that of the other divergence, KL(π_ref‖π).
    """
    return policy_gradient(logprob, log_rho, reference - logprob.detach(), weight, rho_clip=rho_clip)


@torch.no_grad()
def reference_kl(
    logprob: Tensor, reference: Tensor, log_rho: Tensor, weight: Tensor, *, rho_clip: float
) -> Tensor:
    """KL(π‖π_ref) ≈ E_μ[ min(ρ, ρ̄) (r - 1 - log r) ] with r = π_ref/π, never negative; all [N]."""
    gap = (reference - logprob).clamp(max=LARGEST_LOG_RATIO)  # [N] log r
    return weighted_mean(clipped_ratio(log_rho, rho_clip) * (torch.exp(gap) - 1 - gap), weight)


def entropy_bonus(entropy: Tensor, weight: Tensor) -> Tensor:
    """-E[H(π(·|s))], with H of the policy's own distribution and not of the stored action; all [N]."""
    return -weighted_mean(entropy, weight)


def validity_penalty(
    logprob: Tensor, log_rho: Tensor, invalid: Tensor, weight: Tensor, *, rho_clip: float
) -> Tensor:
    """A term whose gradient is that of E_π[P_invalid(a)], by the score function; all [N].

    P_invalid(a) of a stored action is the constant 1 or 0, so adding it to the loss would change nothing;
    ρ P_invalid(a) ∇ log π(a|s) is what lowers the probability of invalid actions.
    """
    return weighted_mean(clipped_ratio(log_rho, rho_clip) * invalid * logprob, weight)


def critic_cross_entropy(logits: Tensor, outcome: Tensor, weight: Tensor) -> Tensor:
    """Cross-entropy of both heads [N, 2] to the episode's outcome [N], averaged over the heads."""
    labels = outcome[:, None].expand_as(logits)  # [N, 2]
    losses = binary_cross_entropy_with_logits(logits, labels, reduction="none").mean(dim=1)  # [N]
    return weighted_mean(losses, weight)


def prior_cross_entropy(logits: Tensor, outcome: Tensor, weight: Tensor) -> Tensor:
    """Cross-entropy of the trajectory critic, one row for each trajectory; all [B]."""
    return weighted_mean(binary_cross_entropy_with_logits(logits, outcome, reduction="none"), weight)


def scale_advantages(advantage: Tensor, weight: Tensor, negative_scale: float) -> Tensor:
    """Centre over the batch, divide by max(std, 0.1), shrink what is negative; all [N]."""
    centred = advantage - weighted_mean(advantage, weight)
    scale = weighted_mean(centred.square(), weight).sqrt().clamp(min=SMALLEST_SCALE)
    return shrink_negatives(centred / scale, negative_scale)


def shrink_negatives(advantage: Tensor, negative_scale: float) -> Tensor:
    """Multiply what is negative by `negative_scale`, [N]."""
    return torch.where(advantage < 0, negative_scale * advantage, advantage)


def cloning_loss(logprob: Tensor, weight: Tensor) -> Tensor:
    """-E[log π(a|s)]; all [N]."""
    return -weighted_mean(logprob, weight)


@torch.no_grad()
def critic_prediction(logits: Tensor) -> Tensor:
    """V(s) ∈ (0, 1), the more pessimistic of the two heads: [N, 2] → [N]."""
    return torch.sigmoid(logits.min(dim=1).values)


@torch.no_grad()
def chance_cross_entropy(outcome: Tensor, weight: Tensor) -> Tensor:
    """The cross-entropy of always predicting the batch's own success rate: a critic above it is harmful."""
    rate = weighted_mean(outcome, weight).clamp(1e-6, 1 - 1e-6)
    return -(rate * rate.log() + (1 - rate) * (1 - rate).log())
