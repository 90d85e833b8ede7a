"""What is published may be an average over the last updates: less of the noise in which each of them ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn import Parameter


@contextmanager
def standing_in(parameters: Sequence[Parameter], values: Sequence[Tensor]) -> Iterator[None]:
    """Other values in a model's parameters for a while; nothing is copied."""
    own = [parameter.data for parameter in parameters]
    try:
        _point(parameters, values)
        yield
    finally:
        _point(parameters, own)


def _point(parameters: Sequence[Parameter], values: Sequence[Tensor]) -> None:
    for parameter, value in zip(parameters, values, strict=True):
        parameter.data = value


class Average:
    """The exponential average of a model's trainable parameters, over about `updates` updates.

    Until that many have been made it is the plain mean of all so far, the start included, which thus is
    neither forgotten too soon nor kept too long. Of a large model with adapters only the adapters are kept
    twice. With 0 updates nothing is kept, and the model speaks for itself.
    """

    def __init__(self, module: nn.Module, updates: int) -> None:
        self._module = module
        self._updates = updates
        self._seen = 1
        self._values: dict[str, Tensor] = {}
        self.restart()

    def restart(self) -> None:
        """Begin anew with the model as it is now."""
        self._seen = 1
        if self._updates:
            self._values = {name: each.detach().clone() for name, each in self._trainable().items()}

    @torch.no_grad()
    def update(self) -> None:
        """Take in the model after one more update."""
        if not self._updates:
            return
        self._seen = min(self._seen + 1, self._updates)
        for name, parameter in self._trainable().items():
            self._values[name].lerp_(parameter.data, 1 / self._seen)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """The average in the model's parameters, to export it."""
        trainable = self._trainable()
        with standing_in([trainable[name] for name in self._values], list(self._values.values())):
            yield

    def state_dict(self) -> dict[str, Tensor]:
        """What a checkpoint keeps; empty without averaging."""
        if not self._updates:
            return {}
        return {**self._values, _SEEN: torch.tensor(self._seen)}

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Continue from `state_dict`; without one (averaging was switched on since), begin anew."""
        trainable = self._trainable()
        if not self._updates or set(state) != {*trainable, _SEEN}:
            self.restart()
            return
        self._seen = int(state[_SEEN])
        self._values = {name: state[name].to(each.device, copy=True) for name, each in trainable.items()}

    def _trainable(self) -> dict[str, Parameter]:
        return {name: each for name, each in self._module.named_parameters() if each.requires_grad}


_SEEN = "updates seen"
