"""Cloning on several cores: helper processes compute the gradients of their shares of every batch.

Threads within a pass bring nothing for a network this small: an update of 64 steps takes as long with two as
with one. Helpers see the same weights, which lie in shared memory; the steps go to them once, after that only
their numbers, and gradients come back in shared memory too.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Self

import torch
import torch.multiprocessing
from torch import Tensor
from torch.nn import Parameter

from distrl.errors import PolicyError
from distrl.interfaces import StepFeatures, TrainablePolicy
from distrl.learn.optimisers import split_parameters

Build = Callable[[], TrainablePolicy]
ShareLoss = Callable[[Sequence[StepFeatures]], Tensor]  # summed over the steps
Prepare = Callable[[TrainablePolicy, Sequence[StepFeatures], int], ShareLoss]  # with a seed

GOODBYE_S = 5.0


class Crew:
    """Helpers for as long as the `with` block lasts; with none of them it hands every batch back whole.

    `build` and `prepare` must be importable, since helpers are processes that begin with nothing: they build
    the same policy, take over the weights of ours, and make the loss of their share with a seed of their own.
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        build: Build | None,
        prepare: Prepare,
        helpers: int,
        seed: int,
    ) -> None:
        self._parameters = parameters
        self._build = build
        self._prepare = prepare
        self._wanted = helpers if build is not None else 0
        self._seed = seed
        self._helpers: list[tuple[BaseProcess, Connection, Tensor]] = []

    def __enter__(self) -> Self:
        try:
            self._start()
        except (OSError, RuntimeError) as error:  # no shared memory left, no process to be had
            self._dismiss()
            raise PolicyError(
                f"the processes that clone together cannot be started ({error}); "
                "warmstart.processes=1 does without"
            ) from error
        return self

    def _start(self) -> None:
        if self._wanted:
            for parameter in self._parameters:
                parameter.data = parameter.data.share_memory_()  # type: ignore[no-untyped-call]
        context = torch.multiprocessing.get_context("spawn")
        size = sum(parameter.numel() for parameter in self._parameters)
        for number in range(1, self._wanted + 1):
            ours, theirs = context.Pipe()
            gradient = torch.zeros(size).share_memory_()  # type: ignore[no-untyped-call]
            weights = [parameter.data for parameter in self._parameters]
            work = (self._build, self._prepare, weights, gradient, theirs, self._seed + number)
            process = context.Process(target=_help, args=work, daemon=True)
            process.start()
            theirs.close()
            self._helpers.append((process, ours, gradient))

    def hand_out(self, steps: Sequence[StepFeatures]) -> None:
        """Give the helpers further steps, which are counted on from those before."""
        for _, channel, _ in self._helpers:
            with suppress(OSError):  # noticed when the next gradient does not come
                channel.send(steps)

    def deal(self, batch: Sequence[int]) -> list[int]:
        """Send the helpers their shares of a batch; returns the share that is left to us."""
        hands = 1 + len(self._helpers)
        for place, (_, channel, _) in enumerate(self._helpers, 1):
            with suppress(OSError):  # noticed when the gradient does not come
                channel.send((list(batch[place::hands]), len(batch)))
        return list(batch[::hands])

    def gradients(self) -> list[Tensor]:
        """The helpers' gradients of the batch that was dealt last, flat, in the order of the parameters."""
        for _, channel, _ in self._helpers:
            try:
                channel.recv()
            except (EOFError, OSError) as error:
                raise PolicyError(
                    "a process that helped to clone has died; start again, with warmstart.processes=1 if "
                    "memory is short"
                ) from error
        return [gradient for _, _, gradient in self._helpers]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._dismiss()

    def _dismiss(self) -> None:
        for process, channel, _ in self._helpers:
            channel.close()
            process.join(GOODBYE_S)
            if process.is_alive():
                process.kill()
        self._helpers.clear()


def _help(
    build: Build,
    prepare: Prepare,
    weights: Sequence[Tensor],
    gradient: Tensor,
    channel: Connection,
    seed: int,
) -> None:
    """A helper's life: until nobody sends shares any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us decides when to stop
    torch.set_num_threads(1)
    policy = build()
    actor, _ = split_parameters(policy)
    for parameter, shared in zip(actor, weights, strict=True):
        parameter.data = shared
    steps: list[StepFeatures] = []
    loss: ShareLoss = prepare(policy, steps, seed)
    with suppress(EOFError, OSError):
        while True:
            order = channel.recv()
            if isinstance(order, list):
                steps += order
                loss = prepare(policy, steps, seed)
                continue
            share, of = order
            _differentiate(actor, [steps[number] for number in share], of, loss, gradient)
            channel.send(None)


def _differentiate(
    actor: Sequence[Parameter], share: Sequence[StepFeatures], of: int, loss: ShareLoss, into: Tensor
) -> None:
    """The share's part in the gradient of the batch's mean loss."""
    into.zero_()
    if not share:
        return
    gradients = torch.autograd.grad(loss(share) / of, list(actor), allow_unused=True)
    place = 0
    for parameter, gradient in zip(actor, gradients, strict=True):
        if gradient is not None:
            into[place : place + parameter.numel()] = gradient.flatten()
        place += parameter.numel()
