"""Calls over sockets behave like calls, for the Protocols that cross processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from distrl.engine.rpc import Bytes, Service, methods_of, remote
from distrl.engine.sockets import SocketTransport, connect, serve
from distrl.errors import ConfigError, DistrlError, EngineError, PartUnavailable, WeightsError
from distrl.interfaces import (
    Drawn,
    Outdated,
    Permit,
    Policy,
    Replay,
    ReplayStats,
    Sample,
    TaskRecord,
    WeightStore,
)
from distrl.records import PolicyVersion, Trajectory
from distrl.testing.trajectories import make_trajectory

P = TypeVar("P")


class FakeReplay:
    """Remembers in a dictionary."""

    def __init__(self) -> None:
        self.held: dict[str, Trajectory] = {}
        self.priorities: dict[str, float] = {}
        self.version = 0

    async def add(self, trajectory: Trajectory) -> bool:
        new = trajectory.id not in self.held
        self.held[trajectory.id] = trajectory
        return new

    async def permit(self, worker: str, wanted: int) -> Permit:
        return Permit(wanted - 1, f"{worker} waits for the learner")

    async def sample(self, trajectories: int, version: int) -> Sample:
        self.version = version
        return Sample(tuple(Drawn(held, 0.5, 1.0) for held in list(self.held.values())[:trajectories]))

    async def set_priorities(self, priorities: dict[str, float]) -> None:
        self.priorities |= priorities

    async def outdated(self, trajectories: int, version: int, gap: int) -> Outdated:
        return Outdated(tuple(self.held.values())[:trajectories], len(self.held), 0.5, version - gap)

    async def published(self, version: int) -> None:
        self.version = version

    async def task_records(self) -> dict[str, TaskRecord]:
        return {"t": TaskRecord(3, 1)}

    async def stats(self) -> ReplayStats:
        return ReplayStats(len(self.held), 0, 0, 0, 0, 0, 0, 0, 0, self.version, 0.0, 0.5)


class FakeWeights:
    """Keeps weights in a list; number 404 is missing, 500 is a bug."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []
        self.gate = asyncio.Event()

    async def publish(self, weights: bytes, learner_step: int) -> PolicyVersion:
        self.kept.append(weights)
        return PolicyVersion("r", len(self.kept), learner_step, "digest")

    async def latest(self) -> PolicyVersion | None:
        await self.gate.wait()
        return None

    async def load(self, number: int) -> bytes:
        if number == 404:
            raise MissingWeights("version 404 is missing; list the folder")
        if number == 405:
            raise ConfigError(["one", "two"], "file.yaml")
        if number == 500:
            raise KeyError(number)
        return self.kept[number]


class MissingWeights(WeightsError):
    """An error of somebody's plug-in."""


@asynccontextmanager
async def served(
    target: object, protocol: Callable[..., P], folder: Path, deadline_s: float = 60.0
) -> AsyncIterator[P]:
    """A client of a target that is served meanwhile."""
    assert isinstance(protocol, type)
    server = await serve(target, protocol, str(folder / "s"))
    try:
        yield connect(protocol, str(folder / "s"), name="it", deadline_s=deadline_s)
    finally:
        await server.close()


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test's coroutine with a deadline."""

    async def within() -> None:
        await asyncio.wait_for(test(), 60)

    asyncio.run(within())


def test_replay_over_a_socket(tmp_path: Path) -> None:
    async def test() -> None:
        fake = FakeReplay()
        async with served(fake, Replay, tmp_path) as replay:
            assert isinstance(replay, Replay)
            trajectory = make_trajectory("a")
            assert await replay.add(trajectory) is True
            assert await replay.add(trajectory) is False
            assert await replay.permit("w", wanted=3) == Permit(2, "w waits for the learner")
            assert await replay.sample(4, version=7) == Sample((Drawn(trajectory, 0.5, 1.0),))
            await replay.set_priorities({"a": 0.25})
            await replay.published(8)
            assert await replay.task_records() == {"t": TaskRecord(3, 1)}
            assert (await replay.stats()).newest_version == 8
            assert fake.priorities == {"a": 0.25}

    run(test)


def test_weights_over_a_socket_in_megabytes(tmp_path: Path) -> None:
    async def test() -> None:
        async with served(FakeWeights(), WeightStore, tmp_path) as weights:
            data = bytes(range(256)) * 4096 * 32  # 32 MiB
            assert await weights.publish(data, 5) == PolicyVersion("r", 1, 5, "digest")
            assert await weights.load(0) == data
            small, large = await asyncio.gather(weights.publish(b"", 6), weights.load(0))
            assert small.number == 2
            assert large == data
            assert await weights.load(1) == b""
            await asyncio.gather(*(weights.publish(bytes([mark]) * 4_000_000, 7) for mark in range(5)))
            for number in range(2, 7):
                assert len(set(await weights.load(number))) == 1

    run(test)


def test_errors_arrive_as_what_they_were(tmp_path: Path) -> None:
    async def test() -> None:
        async with served(FakeWeights(), WeightStore, tmp_path) as weights:
            with pytest.raises(MissingWeights, match="version 404 is missing; list the folder"):
                await weights.load(404)
            with pytest.raises(EngineError, match=r"WeightStore.load failed with KeyError: 500"):
                await weights.load(500)
            with pytest.raises(ConfigError) as caught:
                await weights.load(405)
            assert str(caught.value) == str(ConfigError(["one", "two"], "file.yaml"))
            assert caught.value.faults == ["one", "two"]

    run(test)


def test_an_error_unknown_to_the_caller_arrives_as_its_closest_ancestor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        service = Service(FakeWeights(), WeightStore)
        monkeypatch.setattr("distrl.engine.rpc._family", lambda _: [DistrlError, EngineError, WeightsError])
        with pytest.raises(WeightsError, match="version 404 is missing") as caught:
            await remote(WeightStore, service).load(404)
        assert type(caught.value) is WeightsError

    run(test)


def test_arguments_are_checked_where_they_arrive(tmp_path: Path) -> None:
    async def test() -> None:
        fake = FakeReplay()
        async with served(fake, Replay, tmp_path) as replay:
            with pytest.raises(EngineError, match="Expected `int`"):
                await replay.published("seven")  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="missing a required argument: 'wanted'"):
                await replay.permit("w")  # type: ignore[call-arg]
            assert fake.version == 0

    run(test)


def test_any_transport_will_do() -> None:
    class Direct:
        """Hands the bytes over without a socket, as an actor would."""

        def __init__(self, service: Service) -> None:
            self.service = service
            self.calls: list[str] = []

        async def call(self, method: str, payload: Bytes) -> Bytes:
            self.calls.append(method)
            return bytes(await self.service.call(method, bytes(payload)))

    async def test() -> None:
        transport = Direct(Service(FakeReplay(), Replay))
        assert await remote(Replay, transport).permit("w", 2) == Permit(1, "w waits for the learner")
        assert transport.calls == ["permit"]

    run(test)


def test_slow_calls_do_not_hold_up_others_and_have_a_deadline(tmp_path: Path) -> None:
    async def test() -> None:
        fake = FakeWeights()
        async with served(fake, WeightStore, tmp_path, deadline_s=0.3) as weights:
            slow = asyncio.ensure_future(weights.latest())
            await asyncio.sleep(0)
            assert (await weights.publish(b"x", 1)).number == 1
            with pytest.raises(PartUnavailable, match=r"it did not answer latest\(\) within 0.3 s"):
                await slow
            fake.gate.set()
            assert await weights.latest() is None

    run(test)


def test_a_lost_connection_fails_its_calls_and_the_next_call_connects_anew(tmp_path: Path) -> None:
    async def test() -> None:
        address = str(tmp_path / "s")
        weights = connect(WeightStore, address, name="weights")
        with pytest.raises(PartUnavailable, match="weights cannot be reached"):
            await weights.latest()
        server = await serve(FakeWeights(), WeightStore, address)
        waiting = [asyncio.ensure_future(weights.latest()) for _ in range(3)]
        assert (await weights.publish(b"x", 1)).number == 1
        await server.close()
        for call in waiting:
            with pytest.raises(PartUnavailable, match="broke during the call"):
                await call
        assert not (tmp_path / "s").exists()
        server = await serve(FakeWeights(), WeightStore, address)
        assert (await weights.publish(b"y", 1)).number == 1
        await server.close()

    run(test)


def test_a_socket_left_by_a_crash_is_replaced(tmp_path: Path) -> None:
    async def test() -> None:
        abandoned = await serve(FakeReplay(), Replay, str(tmp_path / "s"))
        async with served(FakeReplay(), Replay, tmp_path) as replay:
            assert (await replay.stats()).trajectories == 0
        await abandoned.close()

    run(test)


def test_a_cancelled_call_leaves_the_connection_usable(tmp_path: Path) -> None:
    async def test() -> None:
        async with served(FakeWeights(), WeightStore, tmp_path) as weights:
            big = asyncio.ensure_future(weights.publish(bytes(8_000_000), 1))
            await asyncio.sleep(0.001)
            big.cancel()
            assert (await weights.publish(b"x", 1)).number in (1, 2)

    run(test)


def test_protocols_that_cannot_cross_are_refused() -> None:
    class Loose(Protocol):
        async def call(self, *things: int) -> int:
            """Takes anything."""

    class Vague(Protocol):
        async def call(self, thing: int):  # type: ignore[no-untyped-def]
            """Returns who knows what."""

    for protocol, text in ((Policy, "not an async method"), (Loose, "name and type"), (Vague, "return")):
        with pytest.raises(EngineError, match=text):
            methods_of(protocol)


def test_a_transport_can_be_closed(tmp_path: Path) -> None:
    async def test() -> None:
        server = await serve(FakeReplay(), Replay, str(tmp_path / "s"))
        transport = SocketTransport(str(tmp_path / "s"))
        replay = remote(Replay, transport)
        await replay.stats()
        transport.close()
        await asyncio.sleep(0.01)
        assert (await replay.stats()).trajectories == 0
        await server.close()

    run(test)
