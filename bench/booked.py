"""Workers that keep books, for `collection.py` and `fleet.py`; all else is as in an ordinary run.

A part builder for the `processes` engine, which imports it by name.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from ledger import BookedPolicy, BookedReplay, BookedTrouble, Bookkeeper, Ledger

from distrl import assembly, parts
from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits
from distrl.collect.worker import Worker, WorkerSettings
from distrl.config import RunConfig
from distrl.devices.simulated import SimulatedDevice
from distrl.engine.parts import BuiltPart, PartContext
from distrl.interfaces import Device, PartSpec, Replay
from distrl.recording import Recorder, RunFolder
from distrl.simphone.trouble import PROFILES

BUILDER = "booked:build_part"


@dataclass
class BookedWorker:
    """A worker and its bookkeeper (a Part)."""

    worker: Worker
    bookkeeper: Bookkeeper

    async def run(self) -> None:
        """Until the worker ends."""
        books = asyncio.ensure_future(self.bookkeeper.run())
        try:
            await self.worker.run()
        finally:
            books.cancel()


def build_part(spec: PartSpec, context: PartContext) -> BuiltPart:
    """Any part of a run; workers keep books."""
    if spec.kind != "worker":
        return parts.build_part(spec, context)
    folder = RunFolder.open(Path(context.folder))
    config = folder.config()
    seed = config.seed + 1000 * (spec.index + 1) + 7_919 * context.incarnation
    ledger, recorder = Ledger(), Recorder(folder, spec.name)
    weights = assembly.open_weights(folder, config)
    policy = BatchedPolicy(assembly.make_policy(config, seed), weights, max_batch=config.collect.max_batch)
    worker = Worker(
        WorkerSettings(
            name=f"{spec.name}.{context.incarnation}",
            run=folder.name,
            limits=EpisodeLimits(config.collect.step_timeout_s, config.collect.episode_timeout_s),
        ),
        devices=_devices(config, ledger, seed, spec.index),
        policy=BookedPolicy(policy, ledger),
        curriculum=assembly.make_curriculum(config, seed),
        judge=assembly.make_judge(config),
        replay=BookedReplay(context.connect(Replay, "replay"), ledger, recorder),  # type: ignore[arg-type]
        recorder=recorder,
        stopping=context.stopping,
    )
    return BuiltPart(BookedWorker(worker, Bookkeeper(ledger, recorder)))


def _devices(config: RunConfig, ledger: Ledger, seed: int, worker: int) -> list[Device]:
    """Phones as a run makes them, with delays that are booked and names that are unique in the run."""
    scale, profile = config.device.time_scale, PROFILES[config.device.profile]
    devices: list[Device] = []
    for index in range(config.collect.devices):
        own = (seed + index) * 1_000_003 + index
        phone = SimulatedDevice(
            f"sim-{worker}-{index}",
            BookedTrouble(profile, own, ledger, scale),
            seed=own,
            time_scale=scale,
            picture_scale=config.device.picture_scale,
        )
        devices.append(phone)
    return devices
