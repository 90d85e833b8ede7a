"""Metrics that several algorithms report under the same names, so that their curves can be compared."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from distrl.config import AlgorithmConfig
from distrl.learn import losses
from distrl.learn.batches import StepTable


@torch.no_grad()
def staleness(log_rho: Tensor) -> dict[str, float]:
    """How far the current policy is from the one that acted: log ρ = log π - log μ, [N]."""
    rho = losses.clipped_ratio(log_rho, math.inf)  # [N]
    return {
        "kl": float(-log_rho.mean()),
        "ratio_mean": float(rho.mean()),
        "ratio_below_half": float((rho < 0.5).float().mean()),
    }


@torch.no_grad()
def critic_quality(value: Tensor, table: StepTable) -> dict[str, float]:
    """How well V(s), [N], foretells the outcome, and what guessing would achieve."""
    right = (value > 0.5) == (table.success > 0.5)
    return {
        "critic_accuracy": float(right.float().mean()),
        "critic_chance": float(losses.chance_cross_entropy(table.success, table.weight)),
        "value_mean": float(value.mean()),
    }


@torch.no_grad()
def divergence(
    logprob: Tensor, reference: Tensor | None, log_rho: Tensor, table: StepTable, config: AlgorithmConfig
) -> dict[str, float]:
    """How far the current policy is from its reference; nothing without one. All [N]."""
    if reference is None:
        return {}
    found = losses.reference_kl(logprob.float(), reference, log_rho, table.weight, rho_clip=config.rho_clip)
    return {"kl_reference": float(found)}
