"""The run's folder seen from other hosts: weights and records travel, and wait while it is away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from distrl.archive import Archive, ArchivedWeights, ArchiveKeeper, Mailing, RecordsByMail, desk_for
from distrl.config import resolve
from distrl.engine.parts import PartContext
from distrl.engine.rpc import Bytes, Service, remote
from distrl.errors import PartUnavailable, WeightsError
from distrl.interfaces import PartSpec
from distrl.recording import Reader, Recorder, RunFolder
from distrl.weights import FileWeights


class Wire:
    """Carries calls to the archive as bytes, counts them, and may be down."""

    def __init__(self, keeper: ArchiveKeeper) -> None:
        self._service = Service(keeper, Archive)
        self.answers: list[tuple[str, int]] = []
        self.down = 0  # calls that still fail

    async def call(self, method: str, payload: Bytes) -> Bytes:
        if self.down:
            self.down -= 1
            raise PartUnavailable("archive cannot be reached")
        answer = await self._service.call(method, payload)
        self.answers.append((method, len(answer)))
        return answer


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", resolve("tiny"))


@pytest.fixture
def weights(folder: RunFolder) -> FileWeights:
    return FileWeights(folder.weights, run="run", keep=2)


@pytest.fixture
def wire(folder: RunFolder, weights: FileWeights) -> Wire:
    return Wire(ArchiveKeeper(folder, weights, asyncio.Event()))


def version(number: int) -> bytes:
    """Weights of which a large part never changes."""
    return bytes(save({"frozen": torch.zeros(10_000), "adapter": torch.full((10,), float(number))}))


def test_weights_arrive_and_only_changes_travel(weights: FileWeights, wire: Wire) -> None:
    async def scene() -> None:
        away = ArchivedWeights(remote(Archive, wire))
        assert await away.latest() is None
        for number in range(3):
            published = weights.publish_sync(version(number), number)
            assert await away.latest() == published
            assert await away.load(number) == version(number)
        sizes = [size for method, size in wire.answers if method in ("load", "changes")]
        assert sizes[0] > 40_000
        assert max(sizes[1:]) < 1000

    asyncio.run(scene())


def test_a_version_that_is_far_behind_is_loaded_whole(weights: FileWeights, wire: Wire) -> None:
    async def scene() -> None:
        away = ArchivedWeights(remote(Archive, wire))
        weights.publish_sync(version(0), 0)
        weights.publish_sync(version(1), 1)
        await away.load(1)
        for number in range(2, 9):
            weights.publish_sync(version(number), number)
            await Wire.call(wire, "load", b"\x91" + bytes([number]))  # others ask, so that 1 is forgotten
        await away.latest()
        assert await away.load(8) == version(8)
        assert [method for method, _ in wire.answers][-2:] == ["changes", "load"]
        with pytest.raises(WeightsError, match="version 1"):
            await away.load(1)

    asyncio.run(scene())


def test_an_archive_that_is_away_for_a_while_costs_only_time(weights: FileWeights, wire: Wire) -> None:
    async def scene() -> None:
        away = ArchivedWeights(remote(Archive, wire))
        weights.publish_sync(version(0), 0)
        wire.down = 2
        first = await away.latest()
        wire.down = 2
        assert await away.load(0) == version(0)
        wire.down = 1
        assert await away.latest() == first

    asyncio.run(scene())


def test_nobody_publishes_from_afar(wire: Wire) -> None:
    with pytest.raises(WeightsError, match="published where"):
        asyncio.run(ArchivedWeights(remote(Archive, wire)).publish(b"", 0))


def test_records_travel_even_if_the_part_fails(folder: RunFolder, wire: Wire) -> None:
    records = RecordsByMail(remote(Archive, wire), "worker-7", clock=lambda: 12.5)

    class Failing:
        async def run(self) -> None:
            records.metrics("worker", {"episodes": 3.0, "odd": float("nan")}, label="x")
            records.event("device_lost", device="d")
            raise RuntimeError("the part failed")

    with pytest.raises(RuntimeError, match="the part failed"):
        asyncio.run(Mailing(Failing(), records).run())
    local = Recorder(folder, "worker-8", clock=lambda: 12.5)
    local.metrics("worker", {"episodes": 3.0, "odd": float("nan")}, label="x")
    local.event("device_lost", device="d")
    sent = (folder.records / "worker-7.jsonl").read_text()
    assert sent == local.file.read_text().replace("worker-8", "worker-7")
    assert len(Reader(folder).poll()) == 4


def test_records_wait_for_an_archive_that_is_away(folder: RunFolder, wire: Wire) -> None:
    async def scene() -> None:
        records = RecordsByMail(remote(Archive, wire), "worker-0")
        records.event("one")
        wire.down = 1
        with pytest.raises(PartUnavailable):
            await records.send()
        records.event("two")
        await records.send()
        await records.send()

    asyncio.run(scene())
    assert [line.kind for line in Reader(folder).poll()] == ["one", "two"]


def test_the_desk_of_a_part_depends_on_where_it_lives(folder: RunFolder, weights: FileWeights) -> None:
    def connect(protocol: object, name: str) -> object:
        assert (protocol, name) == (Archive, "archive")
        return object()

    spec = PartSpec("worker-0", "worker")
    for at_home in (True, False):
        context = PartContext(str(folder.path), 0, asyncio.Event(), connect, at_home)  # type: ignore[arg-type]
        desk = desk_for(spec, context, folder, weights)
        assert isinstance(desk.recorder, Recorder) == at_home
        assert (desk.weights is weights) == at_home
