"""The loss of imitating steps that somebody has shown: the warm start's, and of rehearsing them later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from distrl.interfaces import PolicyOutput, StepFeatures, TrainablePolicy
from distrl.learn import losses

HINDSIGHT = 0.3  # how much learning where touches lead counts beside imitation

Change = Callable[[StepFeatures], StepFeatures]


@runtime_checkable
class Disguising(Protocol):
    """A policy that can tell mere values in its features from what matters, and replace them by others."""

    def disguise(self, steps: Sequence[StepFeatures], share: float, seed: int) -> Change:
        """A function that changes that share of the steps it is given."""


@runtime_checkable
class Retrospective(Protocol):
    """A policy that also learns where a touch leads, whatever it was meant for."""

    def hindsight(self, features: Sequence[StepFeatures]) -> Tensor:
        """How well it would have found each touch, had it looked for what the touch brought up: logs, [N]."""


def imitate(policy: TrainablePolicy, steps: Sequence[StepFeatures]) -> tuple[PolicyOutput, Tensor]:
    """What the policy makes of steps, and the loss."""
    output = policy.forward(steps)
    logprob = output.logprob.float()
    loss = losses.cloning_loss(logprob, torch.ones_like(logprob))
    if isinstance(policy, Retrospective):
        loss = loss - HINDSIGHT * policy.hindsight(steps).float().mean()
    return output, loss


def disguising(policy: TrainablePolicy, steps: Sequence[StepFeatures], share: float, seed: int) -> Change:
    """What replaces mere values in that share of the steps, if the policy knows how."""
    if share and isinstance(policy, Disguising):
        return policy.disguise(steps, share, seed)
    return _unchanged


def _unchanged(step: StepFeatures) -> StepFeatures:
    return step
