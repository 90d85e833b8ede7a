"""Which steps of a batch are worth a gradient: most of its cost is spent on steps that teach nothing.

The gradient of a step's loss is its coefficient times ∇ log π(a|s), and the latter vanishes where the policy
is sure of the action: its size is at most about 1 - π(a|s). Steps are drawn in proportion to that bound and
weighted by the inverse of their chance, so that the expected gradient is that of all of them (importance
sampling by an upper bound of the gradient's norm: Katharopoulos and Fleuret, arXiv 1803.00942).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from distrl.interfaces import StepFeatures

# Share of the chances that is dealt evenly: any step can be drawn, and no weight exceeds 1/(EVENLY · share).
EVENLY = 0.1


@torch.no_grad()
def chances(worth: Tensor, share: float) -> Tensor:
    """The chance of each step to be kept, at most 1, which add up to a share of all; [N]."""
    wanted = max(1.0, share * len(worth))
    even = torch.full_like(worth, EVENLY * wanted / len(worth))
    worth = worth.clamp_min(0) + 1e-12 * (worth.max() + 1e-12)
    chance = even + (wanted - even.sum()) * worth / worth.sum()
    for _ in range(8):  # what is beyond 1 goes to the others, in proportion
        sure = chance >= 1
        left = wanted - float(sure.sum())
        rest = float(chance[~sure].sum())
        if rest <= 0 or left <= 0:
            break
        chance = torch.where(sure, torch.ones_like(chance), chance * left / rest)
    return chance.clamp(max=1)


@torch.no_grad()
def draw(chance: Tensor) -> Tensor:
    """The rows that are kept, in order: each with its own chance, as many as these add up to, or one more.

    Chances are laid end to end, and points at a distance of 1 from each other, the first one random, pick.
    """
    start = float(torch.rand(()))
    edges = (torch.cumsum(chance.double(), 0) + start).floor()  # [N]
    before = torch.cat([edges.new_zeros(1), edges[:-1]])
    return (edges > before).nonzero().squeeze(1)


def take(features: Sequence[StepFeatures], lengths: Sequence[int], rows: Tensor) -> list[StepFeatures]:
    """The features of some steps, counted through all trajectories; trajectories without any are left out."""
    taken: list[StepFeatures] = []
    first = 0
    for each, length in zip(features, lengths, strict=True):
        own = rows[(rows >= first) & (rows < first + length)] - first
        first += length
        if len(own):
            index = own.cpu().numpy()
            taken.append({name: array[index] for name, array in each.items()})
    return taken
