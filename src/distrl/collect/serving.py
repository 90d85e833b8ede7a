"""A policy as a service: one model decides for the devices of many workers.

A decision needs an episode's whole past, but the past does not travel with every request: the service
remembers it, so that a request holds one new screen and what was done on the screen before. A service that
does not know an episode (it was restarted, or another one served it so far) says so, and is told everything.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from distrl.collect.batching import BatchedPolicy
from distrl.records import FINAL_KINDS, Decision, Observation, Record, Situation, Step

MEMORY_BYTES = 1 << 30  # of screens remembered; the episodes that waited longest are forgotten first
NODE_BYTES = 400  # about what one element of an accessibility tree occupies


class Done(Record, frozen=True):
    """What happened on the screen before this one: a Step without its observation."""

    decision: Decision
    seconds: float
    fault: str | None = None


class Look(Record, frozen=True):
    """One request: a situation, with as much of the past as the service does not have yet."""

    episode: str
    goal: str
    max_steps: int
    number: int  # of decisions made before this one
    observation: Observation
    last: Done | None = None  # since the look before, which the service was shown
    past: tuple[Step, ...] | None = None  # all of it, for a service that may not know this episode


class PolicyService(Protocol):
    """Decides for the devices of many workers."""

    async def decide(self, looks: tuple[Look, ...]) -> tuple[Decision | None, ...]:
        """One decision for each look; None where its past is unknown here and must be sent along."""


@dataclass(frozen=True)
class Remembered:
    """An episode as the service knows it: what was done, and the screen that was decided on last."""

    past: tuple[Step, ...]
    observation: Observation
    bytes: int


class EpisodeMemory:
    """The pasts of the episodes under way, up to a number of bytes."""

    def __init__(self, capacity: int = MEMORY_BYTES) -> None:
        self._capacity = capacity
        self._episodes: OrderedDict[str, Remembered] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._episodes)

    def complete(self, look: Look) -> Situation | None:
        """The whole situation behind a look, or None when its past is not known."""
        past = self._past(look)
        if past is None:
            return None
        self.forget(look.episode)
        size = _size(look.observation) + sum(_size(step.observation) for step in past)
        self._episodes[look.episode] = Remembered(past, look.observation, size)
        self._bytes += size
        while self._bytes > self._capacity and len(self._episodes) > 1:
            self.forget(next(iter(self._episodes)))
        return Situation(look.goal, past, look.observation, look.max_steps)

    def forget(self, episode: str) -> None:
        """Free what is remembered of an episode, if anything is."""
        known = self._episodes.pop(episode, None)
        if known is not None:
            self._bytes -= known.bytes

    def _past(self, look: Look) -> tuple[Step, ...] | None:
        if look.past is not None or look.number == 0:
            return look.past or ()
        known = self._episodes.get(look.episode)
        if known is None:
            return None
        if len(known.past) == look.number:  # asked again, because the answer did not arrive
            return known.past
        if len(known.past) != look.number - 1 or look.last is None:
            return None
        done = look.last
        return (*known.past, Step(known.observation, done.decision, done.seconds, done.fault))


def _size(observation: Observation) -> int:
    return len(observation.screenshot.data) + NODE_BYTES * len(observation.ui or ())


class ServiceRecorder(Protocol):
    """Where a policy service writes what it does."""

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None: ...


class PolicyServer:
    """Offers a PolicyService: batches what all workers ask, and pulls weights (a Part)."""

    def __init__(
        self,
        policy: BatchedPolicy,
        stopping: asyncio.Event,
        recorder: ServiceRecorder | None = None,
        *,
        memory: EpisodeMemory | None = None,
        report_every_s: float = 1.0,
    ) -> None:
        self._policy = policy
        self._stopping = stopping
        self._recorder = recorder
        self._memory = memory if memory is not None else EpisodeMemory()
        self._report_every_s = report_every_s
        self._unknown = 0  # looks that had to be sent again with their past
        self._ready = asyncio.Event()

    async def decide(self, looks: tuple[Look, ...]) -> tuple[Decision | None, ...]:
        """One decision for each look; None where its past is unknown here and must be sent along."""
        await self._ready.wait()
        return tuple(await asyncio.gather(*(self._decide_one(look) for look in looks)))

    async def _decide_one(self, look: Look) -> Decision | None:
        situation = self._memory.complete(look)
        if situation is None:
            self._unknown += 1
            return None
        decision = await self._policy.decide(situation)
        if decision.action.kind in FINAL_KINDS or situation.steps_left <= 1:
            self._memory.forget(look.episode)
        return decision

    async def run(self) -> None:
        """Serve until told to stop."""
        await self._policy.pull(now=True)
        self._ready.set()
        jobs = [asyncio.ensure_future(job) for job in (self._policy.run(), self._report())]
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            done, _ = await asyncio.wait([stopping, *jobs], return_when=asyncio.FIRST_COMPLETED)
            for job in done - {stopping}:
                job.result()  # a job that ended did so by an error: let the engine see it
        finally:
            for job in [stopping, *jobs]:
                job.cancel()
            await asyncio.gather(stopping, *jobs, return_exceptions=True)
            self._write_report()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(self._report_every_s)
            self._write_report()

    def _write_report(self) -> None:
        if self._recorder is None:
            return
        stats = self._policy.stats
        self._recorder.metrics(
            "policy",
            {
                "decisions": float(stats.decisions),
                "forward_s": stats.forward_s,
                "batch_size": stats.decisions / max(1, stats.batches),
                "episodes": float(len(self._memory)),
                "unknown": float(self._unknown),
                "pulls": float(stats.pulls),
                "pulled_bytes": float(stats.pulled_bytes),
                "version": float(self._policy.version),
            },
        )
