"""A gradient step that can be refused: compute, clip and look at the gradient before anything moves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor
from torch.nn import Parameter

from distrl.errors import PolicyError
from distrl.interfaces import TrainablePolicy


@runtime_checkable
class ActorCritic(Protocol):
    """A module that says which of its parameters act and which only judge."""

    def actor_parameters(self) -> Iterable[Parameter]:
        """Everything that changes what the policy does, the trunk included."""

    def critic_parameters(self) -> Iterable[Parameter]:
        """The critics' heads."""


def split_parameters(policy: TrainablePolicy) -> tuple[list[Parameter], list[Parameter]]:
    """The policy's trainable parameters: those of the actor, those of the critics."""
    module = policy.module
    if not isinstance(module, ActorCritic):
        raise PolicyError(
            f"{type(module).__name__} cannot be trained: give it actor_parameters() and critic_parameters()"
        )
    actor = [parameter for parameter in module.actor_parameters() if parameter.requires_grad]
    critic = [parameter for parameter in module.critic_parameters() if parameter.requires_grad]
    return actor, critic


class Descent:
    """Adam on one group of parameters.

    Gradients are taken for these parameters only, so a critic's loss never reaches the actor's trunk, and the
    other way round, whatever the graph looks like.
    """

    def __init__(self, parameters: Iterable[Parameter], lr: float, clip: float) -> None:
        self._parameters = list(parameters)
        self._clip = clip
        self._adam = torch.optim.Adam(self._parameters, lr=lr)

    def differentiate(self, loss: Tensor, *, keep_graph: bool = False) -> float:
        """Store the clipped gradient of a loss; returns its norm before clipping, not finite if broken."""
        gradients = torch.autograd.grad(loss, self._parameters, retain_graph=keep_graph, allow_unused=True)
        for parameter, gradient in zip(self._parameters, gradients, strict=True):
            parameter.grad = gradient
        norm = torch.nn.utils.clip_grad_norm_(self._parameters, self._clip)
        return float(norm) if bool(torch.isfinite(loss.detach())) else math.nan

    def step(self) -> None:
        """Move along the stored gradient."""
        self._adam.step()

    def set_lr(self, lr: float) -> None:
        """Use another learning rate from the next step on."""
        for group in self._adam.param_groups:
            group["lr"] = lr

    def state_dict(self) -> dict[str, object]:
        """Adam's moments and counters."""
        return dict(self._adam.state_dict())

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""
        self._adam.load_state_dict(state)
