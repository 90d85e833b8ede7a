"""The run's folder for parts on other hosts: weights come from it, records go into it, through a service."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

from distrl.engine.parts import PartContext
from distrl.errors import PartUnavailable, RunError, WeightsError
from distrl.interfaces import Part, PartSpec, WeightStore
from distrl.recording import Line, Recorder, RunFolder
from distrl.records import PolicyVersion
from distrl.weights import Changes, FileWeights, apply_changes, changes_between, digest_of

T = TypeVar("T")

NAME = "archive"
SEND_EVERY_S = 0.5
LAST_WORDS_S = 5.0  # that a part which ends waits for the archive
LINES_HELD = 10_000  # while the archive is away; older ones are dropped
VERSIONS_HELD = 3

log = logging.getLogger(__name__)


class Archive(Protocol):
    """What parts on other hosts need of the run's folder."""

    async def latest(self) -> PolicyVersion | None:
        """The newest version of the weights, if any."""

    async def load(self, number: int) -> bytes:
        """The weights of a version."""

    async def changes(self, number: int, base: int) -> Changes | None:
        """What a version has that another has not; None if that other is not kept any more."""

    async def record(self, part: str, lines: tuple[Line, ...]) -> None:
        """Write down what a part has recorded."""


class ArchiveKeeper:
    """Offers the Archive of a run's folder (a Part)."""

    def __init__(self, folder: RunFolder, weights: FileWeights, stopping: asyncio.Event) -> None:
        self._folder = folder
        self._weights = weights
        self._stopping = stopping
        self._recorders: dict[str, Recorder] = {}
        self._held: OrderedDict[int, bytes] = OrderedDict()

    async def run(self) -> None:
        """Stay until the run ends; the work is done in the calls."""
        try:
            await self._stopping.wait()
        finally:
            for recorder in self._recorders.values():
                recorder.close()

    async def latest(self) -> PolicyVersion | None:
        """The newest version of the weights, if any."""
        return self._weights.latest_sync()

    async def load(self, number: int) -> bytes:
        """The weights of a version."""
        if number not in self._held:
            self._held[number] = self._weights.load_sync(number)
            if len(self._held) > VERSIONS_HELD:
                self._held.popitem(last=False)
        return self._held[number]

    async def changes(self, number: int, base: int) -> Changes | None:
        """What a version has that another has not; None if that other is not kept any more."""
        try:
            known = await self.load(base)
        except WeightsError:
            return None
        return changes_between(known, await self.load(number))

    async def record(self, part: str, lines: tuple[Line, ...]) -> None:
        """Write down what a part has recorded."""
        if part not in self._recorders:
            self._recorders[part] = Recorder(self._folder, part)
        for line in lines:
            try:
                self._recorders[part].append(line)
            except RunError as error:  # the part elsewhere can do nothing about our disk
                log.error("%s", error)


# --- away from home -----------------------------------------------------------------------------


async def reach(call: Callable[[], Awaitable[T]]) -> T:
    """Call the archive until it answers: while it restarts, the part waits."""
    pause_s = 0.05
    while True:
        try:
            return await call()
        except PartUnavailable:
            await asyncio.sleep(pause_s)
            pause_s = min(2.0, 2 * pause_s)


class ArchivedWeights:
    """The run's weights from afar (a WeightStore); of a new version only the changed tensors travel."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._latest: PolicyVersion | None = None
        self._held: tuple[int, bytes] | None = None  # the version loaded last

    async def publish(self, weights: bytes, learner_step: int) -> PolicyVersion:  # noqa: ARG002
        """Refused: the learner lives at home."""
        raise WeightsError("weights are published where the run's folder is; run the learner there")

    async def latest(self) -> PolicyVersion | None:
        """The newest version; while the archive is away, the one that was newest before."""
        if self._latest is None:
            self._latest = await reach(self._archive.latest)
            return self._latest
        with suppress(PartUnavailable):
            self._latest = await self._archive.latest()
        return self._latest

    async def load(self, number: int) -> bytes:
        """The weights of a version, checked against its digest."""
        weights = await self._load_changes(number)
        if weights is None or not self._is_right(number, weights):
            weights = await reach(lambda: self._archive.load(number))
        if not self._is_right(number, weights):
            raise WeightsError(f"version {number} arrived damaged; it is asked for again")
        self._held = (number, weights)
        return weights

    async def _load_changes(self, number: int) -> bytes | None:
        if self._held is None:
            return None
        base, held = self._held
        changes = await reach(lambda: self._archive.changes(number, base))
        return apply_changes(held, changes) if changes is not None else None

    def _is_right(self, number: int, weights: bytes) -> bool:
        """Whether the digest fits, as far as we know it."""
        if self._latest is None or self._latest.number != number:
            return True
        return digest_of(weights) == self._latest.digest


class RecordsByMail:
    """Records what a part does, and sends it to the archive; as `Recorder` does in the run's folder."""

    def __init__(self, archive: Archive, part: str, clock: Callable[[], float] = time.time) -> None:
        self.part = part
        self._archive = archive
        self._clock = clock
        self._lines: deque[Line] = deque(maxlen=LINES_HELD)

    def event(self, kind: str, **fields: object) -> None:
        """Record that something happened."""
        self._lines.append(Line(t=self._clock(), part=self.part, kind=kind, fields=fields))

    def metrics(self, name: str, values: dict[str, float], **labels: object) -> None:
        """Record numbers under a name; those that are not finite are kept as such, without a value."""
        finite = {key: float(value) if math.isfinite(value) else None for key, value in values.items()}
        self._lines.append(Line(self._clock(), self.part, "metrics", name, finite, labels))

    async def send(self) -> None:
        """Send what has been recorded; what the archive has not confirmed is kept."""
        lines = tuple(self._lines)
        if lines:
            await self._archive.record(self.part, lines)
            for _ in lines:
                self._lines.popleft()

    async def run(self) -> None:
        """Send again and again until cancelled."""
        while True:
            await asyncio.sleep(SEND_EVERY_S)
            with suppress(PartUnavailable):
                await self.send()


class Mailing:
    """A part whose records are sent home while it runs, and once more when it has ended (a Part)."""

    def __init__(self, part: Part, records: RecordsByMail) -> None:
        self._part = part
        self._records = records

    async def run(self) -> None:
        """Run the part."""
        sending = asyncio.ensure_future(self._records.run())
        try:
            await self._part.run()
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            with suppress(PartUnavailable, TimeoutError):
                async with asyncio.timeout(LAST_WORDS_S):
                    await self._records.send()


@dataclass(frozen=True)
class Desk:
    """Where a part finds weights and writes records, at home or away; the part cannot tell."""

    weights: WeightStore
    recorder: Recorder | RecordsByMail

    def seat(self, part: Part) -> Part:
        """The part as it should be run."""
        return Mailing(part, self.recorder) if isinstance(self.recorder, RecordsByMail) else part


def desk_for(spec: PartSpec, context: PartContext, folder: RunFolder, weights: FileWeights) -> Desk:
    """The run's folder itself, or the archive for a part that lives on another host."""
    if context.at_home:
        return Desk(weights, Recorder(folder, spec.name))
    archive = context.connect(Archive, NAME)
    return Desk(ArchivedWeights(archive), RecordsByMail(archive, spec.name))
