"""Policies elsewhere: a worker cannot tell them from its own, whatever happens to them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest

from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.collect.remote_policy import RemotePolicy
from distrl.collect.serving import EpisodeMemory, Look, PolicyServer, PolicyService
from distrl.engine.rpc import Bytes, Service, remote
from distrl.errors import PartUnavailable, PolicyError
from distrl.records import Decision, Situation, Trajectory
from distrl.testing.trajectories import make_decision, make_observation, make_task


class Watching:
    """A policy that keeps the situations it was given."""

    language = "testing"
    version = 3

    def __init__(self, length: int = 4) -> None:
        self.seen: list[Situation] = []
        self._length = length

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
        self.seen += situations
        return [make_decision(3, final=len(s.past) + 1 >= self._length) for s in situations]

    def load(self, weights: bytes, version: int) -> None:
        raise AssertionError("nobody publishes here")


class Wire:
    """Carries calls as bytes, counts them, and may be down."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.sizes: list[int] = []
        self.down = 0  # calls that still fail
        self.lost = 0  # calls whose answer still gets lost
        self.restart()

    def restart(self) -> None:
        self.server = PolicyServer(BatchedPolicy(self.policy), asyncio.Event())
        self._service = Service(self.server, PolicyService)
        self.job = asyncio.ensure_future(self.server.run())

    async def call(self, method: str, payload: Bytes) -> Bytes:
        self.sizes.append(len(payload))
        if self.down:
            self.down -= 1
            raise PartUnavailable("policy-0 cannot be reached")
        answer = await self._service.call(method, payload)
        if self.lost:
            self.lost -= 1
            raise PartUnavailable("the answer did not arrive")
        return answer


@asynccontextmanager
async def serving(*wires: Wire) -> AsyncIterator[RemotePolicy]:
    client = RemotePolicy([remote(PolicyService, wire) for wire in wires])
    job = asyncio.ensure_future(client.run())
    try:
        yield client
    finally:
        for task in [job, *(wire.job for wire in wires)]:
            task.cancel()
        await asyncio.gather(job, *(wire.job for wire in wires), return_exceptions=True)


async def episode(device: Any, client: Any) -> Trajectory:
    return await run_episode(
        device, client, make_task(max_steps=9), seed=0, run="r", worker="w", limits=EpisodeLimits()
    )


def without_clock(situation: Situation) -> tuple[object, ...]:
    return (
        situation.goal,
        situation.max_steps,
        situation.observation.screenshot,
        [(step.observation.screenshot, step.decision) for step in situation.past],
    )


def test_a_service_sees_what_a_policy_in_the_worker_sees(fake_device: Callable[..., Any]) -> None:
    async def scene() -> None:
        here = Watching()
        local = BatchedPolicy(here)
        job = asyncio.ensure_future(local.run())
        own = await episode(fake_device("d"), local)
        job.cancel()
        wire = Wire(Watching())
        async with serving(wire) as client:
            served = await episode(fake_device("d"), client)
            assert client.version == 3
        assert [step.decision for step in served.steps] == [step.decision for step in own.steps]
        assert list(map(without_clock, wire.policy.seen)) == list(map(without_clock, here.seen))
        assert [len(situation.past) for situation in wire.policy.seen] == [0, 1, 2, 3]
        assert wire.policy.seen[-1].past == served.steps[:-1]
        # Else what a policy computed for earlier screens could not be found again by their identity.
        for before, after in pairwise(wire.policy.seen):
            assert after.past[-1].observation is before.observation
            assert all(one is other for one, other in zip(before.past, after.past, strict=False))

    asyncio.run(scene())


def test_the_past_does_not_travel_again(fake_device: Callable[..., Any]) -> None:
    async def scene() -> None:
        wire = Wire(Watching(length=9))
        async with serving(wire) as client:
            await episode(fake_device("d"), client)
        assert len(wire.sizes) == 9
        assert max(wire.sizes) < 2 * min(wire.sizes)

    asyncio.run(scene())


def test_looks_of_many_devices_share_calls_and_passes(fake_device: Callable[..., Any]) -> None:
    async def scene() -> None:
        wire = Wire(Watching(length=5))
        async with serving(wire) as client:
            done = await asyncio.gather(*(episode(fake_device(f"d{n}"), client) for n in range(8)))
        assert [len(trajectory.steps) for trajectory in done] == [5] * 8
        assert len(wire.sizes) <= 10
        assert client.stats.decisions == 40

    asyncio.run(scene())


@pytest.mark.parametrize("trouble", ["down", "lost", "restart"])
def test_episodes_survive_a_service_in_trouble(fake_device: Callable[..., Any], trouble: str) -> None:
    async def scene() -> None:
        wire = Wire(Watching(length=6))

        class Troubling:
            """Decides as the client does, after trouble in mid-episode."""

            async def decide(self, situation: Situation) -> Decision:
                if len(situation.past) == 3:
                    if trouble == "restart":
                        wire.job.cancel()
                        wire.restart()
                    else:
                        setattr(wire, trouble, 2)
                return await client.decide(situation)

        async with serving(wire) as client:
            done = await episode(fake_device("d"), Troubling())
        assert len(done.steps) == 6
        assert client.unavailable == (0 if trouble == "restart" else 2)
        assert without_clock(wire.policy.seen[-1]) == without_clock(done.situations()[-1])

    asyncio.run(scene())


def test_another_service_takes_over(fake_device: Callable[..., Any]) -> None:
    async def scene() -> None:
        first, second = Wire(Watching(length=6)), Wire(Watching(length=6))
        async with serving(first, second) as client:
            episodes = [asyncio.ensure_future(episode(fake_device(f"d{n}"), client)) for n in range(4)]
            while not first.policy.seen or not second.policy.seen:
                await asyncio.sleep(0)
            first.down = 10**9
            done = await asyncio.gather(*episodes)
        assert [len(trajectory.steps) for trajectory in done] == [6] * 4
        finals = [s for s in first.policy.seen + second.policy.seen if len(s.past) == 5]
        assert len(finals) == 4

    asyncio.run(scene())


def test_a_broken_policy_is_an_error_for_whoever_asked(fake_device: Callable[..., Any]) -> None:
    class Broken(Watching):
        def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
            raise PolicyError("these weights are for another policy")

    async def scene() -> None:
        async with serving(Wire(Broken())) as client:
            with pytest.raises(PolicyError, match="for another policy"):
                await episode(fake_device("d"), client)

    asyncio.run(scene())


def look(episode: str, number: int, *, past: bool = False) -> Look:
    return Look(episode, "g", 9, number, make_observation(number), past=() if past else None)


def test_memory_is_bounded_and_says_what_it_does_not_know() -> None:
    memory = EpisodeMemory(capacity=3000)
    assert memory.complete(look("unknown", 4)) is None
    for number in range(50):
        assert memory.complete(look(f"e{number}", 0)) is not None
    assert 0 < len(memory) < 50
    assert memory.complete(look("e0", 1)) is None
    memory.forget("e49")
    memory.forget("e49")


def test_a_worker_with_a_policy_service_needs_no_torch() -> None:
    code = (
        "import sys, distrl.run, distrl.collect.worker, distrl.collect.remote_policy, distrl.tasks.general, "
        "distrl.devices.simulated, distrl.rewards.checks; print('torch' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
