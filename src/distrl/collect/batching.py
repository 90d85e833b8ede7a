"""Decisions for many devices at once: requests that arrive together share one forward pass."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from distrl.errors import WeightsError
from distrl.interfaces import Policy, WeightStore
from distrl.records import Decision, Situation

QUIET_PASSES = 3  # loop passes without a new request after which a batch goes out


@dataclass
class BatchStats:
    """How well batching works; counts since the start."""

    decisions: int = 0
    batches: int = 0
    forward_s: float = 0.0
    pulls: int = 0
    pulled_bytes: int = 0


class WorkerPolicy(Protocol):
    """What a worker asks of the policy that its episodes share, be it here or elsewhere (a PolicyClient)."""

    stats: BatchStats

    @property
    def version(self) -> int:
        """The newest version that has decided here."""

    async def decide(self, situation: Situation) -> Decision:
        """The decision for one situation, made together with whatever else is waiting."""

    async def pull(self, *, now: bool = False) -> None:
        """Use the newest weights, if that is this object's own concern."""

    async def run(self) -> None:
        """Serve requests until cancelled."""


@dataclass
class BatchedPolicy:
    """A policy in this process, shared by all of a worker's episodes (a PolicyClient).

    A batch goes out when it is full, or when the event loop has gone round a few times without a new request:
    no timer, so nothing waits when devices are slow and nothing is split up when they are fast. New weights
    are pulled between two batches, so a version never changes within one decision.
    """

    policy: Policy
    weights: WeightStore | None = None
    max_batch: int = 32
    greedy: bool = False
    pull_every_s: float = 0.25
    stats: BatchStats = field(default_factory=BatchStats)
    _waiting: deque[tuple[Situation, asyncio.Future[Decision]]] = field(default_factory=deque)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _next_pull: float = 0.0

    @property
    def version(self) -> int:
        """The number of the weights in use."""
        return self.policy.version

    async def decide(self, situation: Situation) -> Decision:
        """The decision for one situation, once its batch has been through the model."""
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._waiting.append((situation, future))
        self._arrived.set()
        return await future

    async def run(self) -> None:
        """Serve requests until cancelled."""
        while True:
            await self._arrived.wait()
            await self._gather()
            await self.pull()
            self._forward()
            if not self._waiting:
                self._arrived.clear()

    async def _gather(self) -> None:
        """Wait for more requests; at least one pass, or the rest of the worker would starve behind them."""
        quiet = 0
        while quiet < QUIET_PASSES:
            before = len(self._waiting)
            await asyncio.sleep(0)
            if len(self._waiting) >= self.max_batch:
                return
            quiet = quiet + 1 if len(self._waiting) == before else 0

    def _forward(self) -> None:
        size = min(self.max_batch, len(self._waiting))
        batch = [self._waiting.popleft() for _ in range(size)]
        batch = [(situation, future) for situation, future in batch if not future.done()]
        if not batch:
            return
        begin = time.monotonic()
        try:
            decisions = self.policy.decide([situation for situation, _ in batch], greedy=self.greedy)
        except Exception as error:
            # Whoever waits learns of it; the episode's owner decides what a broken policy means.
            for _, future in batch:
                future.set_exception(error)
            return
        self.stats.forward_s += time.monotonic() - begin
        self.stats.batches += 1
        self.stats.decisions += len(batch)
        for (_, future), decision in zip(batch, decisions, strict=True):
            future.set_result(decision)

    async def pull(self, *, now: bool = False) -> None:
        """Load the newest weights if there are newer ones than those in use."""
        if self.weights is None or (not now and time.monotonic() < self._next_pull):
            return
        self._next_pull = time.monotonic() + self.pull_every_s
        latest = await self.weights.latest()
        if latest is None or latest.number == self.policy.version:
            return
        try:
            data = await self.weights.load(latest.number)
        except WeightsError:
            return  # a newer version has replaced it meanwhile; the next pull finds that one
        self.policy.load(data, latest.number)
        self.stats.pulls += 1
        self.stats.pulled_bytes += len(data)
