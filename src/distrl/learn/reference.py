"""The policy that training started from, remembered so that it is not left too far behind."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor
from torch.nn import Parameter

from distrl.interfaces import Learnable, StepFeatures, TrainablePolicy
from distrl.learn.averaging import standing_in

REMEMBERED = 4096  # trajectories whose log-probabilities are kept: a few numbers each


@runtime_checkable
class Anchored(Protocol):
    """An algorithm with a term that keeps the policy near a reference; optional beside Algorithm."""

    def hold_reference(self) -> None:
        """Take the policy as it is now for the reference."""


class Reference:
    """π_ref: a copy of the actor's trainable parameters, put into the policy for passes without gradient.

    Only what is trained is copied, so that of a large model with adapters the reference costs an adapter.
    log π_ref of a stored action never changes: each trajectory is evaluated once.
    """

    def __init__(self, policy: TrainablePolicy, actor: Sequence[Parameter], *, held: bool) -> None:
        self._policy = policy
        self._actor = list(actor)
        self._copies: list[Tensor] | None = None
        self._known: OrderedDict[str, Tensor] = OrderedDict()
        if held:
            self.hold()

    def hold(self) -> None:
        """Take the policy as it is now for the reference."""
        self._copies = [parameter.detach().clone() for parameter in self._actor]
        self._known.clear()

    @torch.no_grad()
    def logprob(self, batch: Sequence[Learnable], features: Sequence[StepFeatures]) -> Tensor | None:
        """log π_ref of the stored actions, [N]; None, at no cost, when no reference is held."""
        if self._copies is None:
            return None
        missing = {entry.id: index for index, entry in enumerate(batch) if entry.id not in self._known}
        if missing:
            with standing_in(self._actor, self._copies):
                found = self._policy.forward([features[index] for index in missing.values()]).logprob.float()
            lengths = [len(batch[index].versions) for index in missing.values()]
            self._known.update(zip(missing, torch.split(found, lengths), strict=True))
        for entry in batch:
            self._known.move_to_end(entry.id)
        result = torch.cat([self._known[entry.id] for entry in batch])
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return result
