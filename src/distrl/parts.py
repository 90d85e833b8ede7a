"""The parts of a run, each built in the process where it lives."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from distrl import archive, plugins
from distrl.archive import Archive, ArchiveKeeper, Desk, desk_for
from distrl.assembly import (
    EVALUATION_SEED,
    make_bench,
    make_curriculum,
    make_devices,
    make_judge,
    make_limits,
    make_policy,
    make_repair,
    make_replacer,
    open_weights,
    use_threads,
)
from distrl.collect.batching import BatchedPolicy, WorkerPolicy
from distrl.collect.remote_policy import RemotePolicy
from distrl.collect.serving import PolicyServer, PolicyService
from distrl.collect.worker import Worker, WorkerSettings
from distrl.config import RunConfig
from distrl.engine.parts import BuiltPart, PartContext
from distrl.errors import EngineError, RunError
from distrl.evaluate import Evaluator
from distrl.interfaces import Algorithm, PartSpec, Replay, TrainablePolicy
from distrl.learn.arrival import arrival_for
from distrl.recording import Recorder, RunFolder
from distrl.replay import SqliteReplay, limiter_for, open_replay

if TYPE_CHECKING:  # what needs torch is imported where it is used: device hosts have none
    from distrl.learn.learner import Learner

BUILDER = "distrl.parts:build_part"
REPLAY_REPORT_S = 5.0


class ReplayPart:
    """The replay as a part: it works when called, tells how it stands, and ends when the run does."""

    def __init__(self, replay: SqliteReplay, recorder: Recorder, stopping: asyncio.Event) -> None:
        self._replay = replay
        self._recorder = recorder
        self._stopping = stopping

    async def run(self) -> None:
        """Stay until the run ends."""
        try:
            while not self._stopping.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), REPLAY_REPORT_S)
                stats = msgspec.structs.asdict(await self._replay.stats())
                with suppress(RunError):  # an unrecorded number is no reason to stop the replay
                    self._recorder.metrics("replay", stats)
        finally:
            self._replay.close()


def build_part(spec: PartSpec, context: PartContext) -> BuiltPart:
    """Build one part of the run in whose folder we are."""
    folder = RunFolder.open(Path(context.folder))
    config = folder.config()
    if spec.kind == "replay":
        replay = open_replay(
            folder.replay_file,
            config.replay,
            limiter=limiter_for(config),
            seed=config.seed,
            arrival=arrival_for(config.algorithm),
        )
        part = ReplayPart(replay, Recorder(folder, spec.name), context.stopping)
        return BuiltPart(part, service=replay, protocol=Replay)
    if spec.kind == "learner":
        return BuiltPart(_build_learner(spec, context, folder, config))
    if spec.kind == "worker":
        return _build_worker(spec, context, folder, config)
    if spec.kind == "archive":
        keeper = ArchiveKeeper(folder, open_weights(folder, config), context.stopping)
        return BuiltPart(keeper, service=keeper, protocol=Archive)
    if spec.kind == "policy":
        return _build_policy(spec, context, folder, config)
    if spec.kind == "evaluator":
        return BuiltPart(_build_evaluator(spec, context, folder, config))
    raise EngineError(f"nobody knows how to build a part of kind {spec.kind!r}")


def _build_learner(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Learner:
    from distrl.learn.learner import Learner

    policy: TrainablePolicy = make_policy(config, config.seed, config.learner.device)
    use_threads(config.learner.threads or config.threads)
    weights = open_weights(folder, config)
    algorithm: Algorithm = plugins.find("algorithms", config.algorithm.kind)(policy, config.algorithm)
    recorder = Recorder(folder, spec.name)
    rehearsed = rehearse(algorithm, policy, folder, config)
    recorder.event("rehearsing", steps=rehearsed)
    return Learner(
        replay=context.connect(Replay, "replay"),
        weights=weights,
        policy=policy,
        algorithm=algorithm,
        config=config,
        recorder=recorder,
        checkpoint=folder.checkpoint / "learner.pt",
        stopping=context.stopping,
    )


def rehearse(algorithm: Algorithm, policy: TrainablePolicy, folder: RunFolder, config: RunConfig) -> int:
    """Let an algorithm that can rehearse the warm start's demonstrations; how many steps there are."""
    from distrl.learn.rehearsal import Rehearsal, Rehearsing, unpack

    settings = config.algorithm
    if not (settings.rehearsal and isinstance(algorithm, Rehearsing) and folder.demonstrated.exists()):
        return 0
    steps = unpack(folder.demonstrated.read_bytes())
    if steps:
        count, disguise = settings.rehearsal_steps, config.warmstart.disguise
        algorithm.rehearse(Rehearsal(policy, steps, count=count, disguise=disguise, seed=config.seed))
    return len(steps)


def _build_worker(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> BuiltPart:
    # Restarts must not repeat the seeds of the life before.
    seed = config.seed + 1000 * (spec.index + 1) + 7_919 * context.incarnation
    desk = desk_for(spec, context, folder, open_weights(folder, config))
    worker = Worker(
        WorkerSettings(
            name=f"{spec.name}.{context.incarnation}",
            run=folder.name,
            limits=make_limits(config),
            repair=make_repair(config),
        ),
        devices=make_devices(config, config.collect.devices, seed, desk.recorder.event),
        policy=_worker_policy(context, desk, config, seed),
        curriculum=make_curriculum(config, seed),
        judge=make_judge(config, desk.recorder),
        replay=context.connect(Replay, "replay"),
        recorder=desk.recorder,
        stopping=context.stopping,
        replace=make_replacer(config, config.collect.devices, seed, desk.recorder.event),
    )
    return BuiltPart(desk.seat(worker))


def _worker_policy(context: PartContext, desk: Desk, config: RunConfig, seed: int) -> WorkerPolicy:
    """The policy in the worker itself, or a client of the services that decide for all workers."""
    if config.policy.serving == "service":
        services = [
            context.connect(PolicyService, f"policy-{index}") for index in range(config.policy.services)
        ]
        return RemotePolicy(services, max_batch=config.collect.max_batch)
    policy = make_policy(config, seed, config.policy.device)
    return BatchedPolicy(policy, desk.weights, max_batch=config.collect.max_batch)


def _build_policy(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> BuiltPart:
    seed = config.seed + 100 * (spec.index + 1) + 7_919 * context.incarnation
    desk = desk_for(spec, context, folder, open_weights(folder, config))
    decider = make_policy(config, seed, config.policy.device)
    policy = BatchedPolicy(decider, desk.weights, max_batch=config.collect.max_batch)
    server = PolicyServer(policy, context.stopping, desk.recorder)
    return BuiltPart(desk.seat(server), service=server, protocol=PolicyService)


def _build_evaluator(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Evaluator:
    recorder = Recorder(folder, spec.name)
    return Evaluator(
        make_bench(config, recorder),
        make_policy(config, config.seed + EVALUATION_SEED),
        open_weights(folder, config),
        recorder,
        context.stopping,
        split=config.evaluation.split,
        episodes=config.evaluation.episodes,
        every_s=config.evaluation.every_s,
    )


def part_specs(config: RunConfig) -> list[PartSpec]:
    """The parts of a run, services first."""
    workers = [
        PartSpec(name=f"worker-{index}", kind="worker", index=index, restarts=20)
        for index in range(config.collect.workers)
    ]
    serving = config.policy.services if config.policy.serving == "service" else 0
    services = [
        PartSpec(name=f"policy-{index}", kind="policy", index=index, restarts=20) for index in range(serving)
    ]
    if config.engine == "ray":  # workers may live on hosts that do not see the run's folder
        services.append(PartSpec(name=archive.NAME, kind="archive", restarts=20))
    return [
        PartSpec(name="replay", kind="replay", restarts=5),
        *services,
        PartSpec(name="learner", kind="learner", restarts=5),
        *workers,
        PartSpec(name="evaluator", kind="evaluator", restarts=5),
    ]
