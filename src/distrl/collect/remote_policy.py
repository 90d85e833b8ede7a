"""Decisions from policy services elsewhere: a worker on a host without GPU needs no model, and no torch."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from distrl.collect.batching import QUIET_PASSES, BatchStats
from distrl.collect.serving import Done, Look, PolicyService
from distrl.errors import PartUnavailable, PolicyError
from distrl.records import FINAL_KINDS, Decision, Observation, Situation

EPISODES = 4096  # whose last look is remembered; a forgotten one sends its past again
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0  # between two tries while no service can be reached


@dataclass(frozen=True)
class Shown:
    """The last look of an episode: who was shown it, and what was decided."""

    episode: str
    service: int
    observation: Observation
    decision: Decision


@dataclass
class Request:
    """A look on its way, and who waits for the decision."""

    look: Look
    situation: Situation
    service: int
    answer: asyncio.Future[Decision]


class RemotePolicy:
    """Gets decisions from one or several policy services (a PolicyClient, and a WorkerPolicy).

    Looks that come up together travel in one call. An episode stays with one service, which remembers its
    past. While that service is down another one is asked, or the same again, until there is an answer: a
    worker only waits.
    """

    def __init__(self, services: Sequence[PolicyService], *, max_batch: int = 32) -> None:
        if not services:
            raise PolicyError("there is no policy service to ask; set policy.services to at least 1")
        self.stats = BatchStats()
        self.unavailable = 0  # calls that found no service
        self._services = services
        self._max_batch = max_batch
        self._version = -1
        self._next_service = random.randrange(len(services))
        self._shown: OrderedDict[int, Shown] = OrderedDict()  # by the identity of their observation
        self._waiting: list[deque[Request]] = [deque() for _ in services]
        self._arrived = asyncio.Event()
        self._calls: set[asyncio.Task[None]] = set()

    @property
    def version(self) -> int:
        """The newest version that has decided for this worker."""
        return self._version

    async def pull(self, *, now: bool = False) -> None:
        """Nothing: the services pull their weights themselves."""

    async def decide(self, situation: Situation) -> Decision:
        """The decision for one situation, as soon as a service has answered."""
        request = self._request(situation)
        self._submit(request)
        decision = await request.answer
        self._version = max(self._version, decision.version)
        if decision.action.kind not in FINAL_KINDS and situation.steps_left > 1:
            self._remember(Shown(request.look.episode, request.service, situation.observation, decision))
        return decision

    async def run(self) -> None:
        """Send what waits until cancelled."""
        try:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                await self._gather()
                for service, waiting in enumerate(self._waiting):
                    while waiting:
                        size = min(self._max_batch, len(waiting))
                        self._begin(service, [waiting.popleft() for _ in range(size)])
        finally:
            for call in self._calls:
                call.cancel()
            await asyncio.gather(*self._calls, return_exceptions=True)

    async def _gather(self) -> None:
        """Wait until the event loop has gone round a few times without a new look."""
        quiet = 0
        while quiet < QUIET_PASSES:
            self._arrived.clear()
            await asyncio.sleep(0)
            quiet = 0 if self._arrived.is_set() else quiet + 1

    # --- what is asked --------------------------------------------------------------------------

    def _request(self, situation: Situation) -> Request:
        """A look with only what is new, if the service of this episode was shown the look before."""
        known = None
        if situation.past:
            known = self._shown.pop(id(situation.past[-1].observation), None)
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        if known is not None and situation.past[-1].decision is known.decision:
            last = situation.past[-1]
            look = self._look(known.episode, situation, Done(last.decision, last.seconds, last.fault))
            return Request(look, situation, known.service, answer)
        look = _whole(self._look(uuid.uuid4().hex, situation, None), situation)
        return Request(look, situation, self._choose(), answer)

    def _look(self, episode: str, situation: Situation, last: Done | None) -> Look:
        return Look(
            episode=episode,
            goal=situation.goal,
            max_steps=situation.max_steps,
            number=len(situation.past),
            observation=situation.observation,
            last=last,
        )

    def _remember(self, shown: Shown) -> None:
        self._shown[id(shown.observation)] = shown
        if len(self._shown) > EPISODES:
            self._shown.popitem(last=False)

    def _choose(self) -> int:
        self._next_service = (self._next_service + 1) % len(self._services)
        return self._next_service

    # --- asking ---------------------------------------------------------------------------------

    def _submit(self, request: Request) -> None:
        self._waiting[request.service].append(request)
        self._arrived.set()

    def _begin(self, service: int, requests: list[Request]) -> None:
        call = asyncio.get_running_loop().create_task(self._ask(service, requests))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _ask(self, service: int, requests: list[Request]) -> None:
        """Call until there is an answer; whoever is asked after a failure is told the whole past."""
        pause_s = FIRST_PAUSE_S
        while requests := [request for request in requests if not request.answer.done()]:
            try:
                decisions = await self._services[service].decide(tuple(request.look for request in requests))
            except PartUnavailable:
                self.unavailable += 1
                await asyncio.sleep(pause_s)
                pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)
                service = self._choose()
                for request in requests:
                    request.service, request.look = service, _whole(request.look, request.situation)
            except Exception as error:
                # Whoever waits learns of it; the episode's owner decides what a broken policy means.
                for request in requests:
                    _refuse(request, error)
            else:
                self._answered(requests, decisions)
                return

    def _answered(self, requests: list[Request], decisions: Sequence[Decision | None]) -> None:
        self.stats.batches += 1
        for request, decision in zip(requests, decisions, strict=True):
            if decision is None:
                request.look = _whole(request.look, request.situation)
                self._submit(request)
            elif not request.answer.done():
                self.stats.decisions += 1
                request.answer.set_result(decision)


def _whole(look: Look, situation: Situation) -> Look:
    """The look with all of its past."""
    return Look(
        episode=look.episode,
        goal=look.goal,
        max_steps=look.max_steps,
        number=look.number,
        observation=look.observation,
        past=situation.past,
    )


def _refuse(request: Request, error: Exception) -> None:
    if not request.answer.done():
        request.answer.set_exception(error)
