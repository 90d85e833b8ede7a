"""A gradient step that can be refused: compute, clip and look at the gradient before anything moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, cast, runtime_checkable

import torch
from torch import Tensor
from torch.nn import Parameter

from distrl.errors import PolicyError
from distrl.interfaces import TrainablePolicy
from distrl.learn.muon import Muon
from distrl.learn.pacing import FadingWeight


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


@contextmanager
def frozen(parameters: Sequence[Parameter]) -> Iterator[None]:
    """No gradients for these parameters: a forward pass then costs no more than a look."""
    for parameter in parameters:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in parameters:
            parameter.requires_grad_(True)


@runtime_checkable
class Layered(Protocol):
    """A module that knows which of its parameters are matrices between layers; Muon moves those."""

    def layer_matrices(self) -> Iterable[Parameter]:
        """Weights that turn one activation into the next; no tables of embeddings, no biases."""


def layer_matrices(policy: TrainablePolicy, optimiser: str) -> list[Parameter]:
    """What Muon is to move: nothing if another optimiser is asked for, or if the module does not say."""
    module = policy.module
    return list(module.layer_matrices()) if optimiser == "muon" and isinstance(module, Layered) else []


class Descent:
    """Adam on one group of parameters, and Muon on those of them that are named in `matrices`.

    Gradients are taken for these parameters only, so a critic's loss never reaches the actor's trunk, and the
    other way round, whatever the graph looks like. With a `fade` the learning rate falls to 0 over the last
    such share of a run, for whoever tells it how the run goes on (`pace`).
    """

    def __init__(
        self,
        parameters: Iterable[Parameter],
        lr: float,
        clip: float,
        matrices: Iterable[Parameter] = (),
        fade: float = 0.0,
    ) -> None:
        self._parameters = list(parameters)
        self._clip = clip
        self._lr = FadingWeight(lr, fade)
        chosen = {id(matrix) for matrix in matrices}
        turned = [parameter for parameter in self._parameters if id(parameter) in chosen]
        rest = [parameter for parameter in self._parameters if id(parameter) not in chosen]
        self._optimisers: dict[str, torch.optim.Optimizer] = {}
        if rest:
            self._optimisers["adam"] = torch.optim.Adam(rest, lr=lr)
        if turned:
            self._optimisers["muon"] = Muon(turned, lr=lr)

    def differentiate(
        self, loss: Tensor, *, keep_graph: bool = False, others: Callable[[], Sequence[Tensor]] = tuple
    ) -> float:
        """Store the clipped gradient of a loss; returns its norm before clipping, not finite if broken.

        `others`, asked when ours is there, gives flat gradients that are added to it.
        """
        gradients = torch.autograd.grad(loss, self._parameters, retain_graph=keep_graph, allow_unused=True)
        for parameter, gradient in zip(self._parameters, gradients, strict=True):
            parameter.grad = gradient
        for flat in others():
            self._add(flat)
        norm = torch.nn.utils.clip_grad_norm_(self._parameters, self._clip)
        return float(norm) if bool(torch.isfinite(loss.detach())) else math.nan

    def _add(self, flat: Tensor) -> None:
        place = 0
        for parameter in self._parameters:
            added = flat[place : place + parameter.numel()].view_as(parameter)
            parameter.grad = added.clone() if parameter.grad is None else parameter.grad + added
            place += parameter.numel()

    def step(self) -> None:
        """Move along the stored gradient."""
        for optimiser in self._optimisers.values():
            optimiser.step()

    def pace(self, progress: float) -> None:
        """Use the learning rate that belongs to this point of the run."""
        self._lr.pace(progress)
        self.set_lr(self._lr.value)

    def set_lr(self, lr: float) -> None:
        """Use another learning rate from the next step on."""
        for optimiser in self._optimisers.values():
            for group in optimiser.param_groups:
                group["lr"] = lr

    def state_dict(self) -> dict[str, object]:
        """Moments and counters of each optimiser, by its name."""
        return {name: optimiser.state_dict() for name, optimiser in self._optimisers.items()}

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`; raises ValueError if it is of other optimisers."""
        if state.keys() != self._optimisers.keys():
            written, wanted = ", ".join(sorted(state)), ", ".join(sorted(self._optimisers))
            raise ValueError(f"the checkpoint holds the state of {written}, not of {wanted}")
        for name, optimiser in self._optimisers.items():
            optimiser.load_state_dict(cast("dict[str, object]", state[name]))
