"""A run: the one place where concrete devices, policies, replay, learner and engine meet."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from distrl import plugins
from distrl.collect.batching import BatchedPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.worker import Worker, WorkerSettings
from distrl.config import RunConfig, dump
from distrl.engine.parts import BuiltPart, PartContext
from distrl.errors import EngineError, RunError
from distrl.evaluate import Bench, Evaluation, Evaluator
from distrl.interfaces import (
    Algorithm,
    Device,
    Engine,
    Judge,
    PartSpec,
    PartStatus,
    Replay,
    Suite,
    TrainablePolicy,
)
from distrl.learn.learner import Learner
from distrl.recording import Line, Reader, Recorder, RunFolder, write_then_rename
from distrl.records import Trajectory
from distrl.replay import limiter_for, open_replay
from distrl.tasks import find_suite
from distrl.warmstart import Imitator, Progress, warm_start
from distrl.weights import FileWeights

BUILDER = "distrl.run:build_part"
EVALUATION_SEED = 20_000  # offsets the evaluator's seeds from those of training


# --- from the configuration to objects ----------------------------------------------------------


def make_suite(config: RunConfig) -> Suite:
    """The task suite of a run."""
    return find_suite(config.suite)


def make_devices(config: RunConfig, count: int, seed: int) -> list[Device]:
    """Devices of the configured kind, not yet opened."""
    build = plugins.find("devices", config.device.kind)
    return [build(config.device, index=index, seed=seed + index) for index in range(count)]


def make_policy(config: RunConfig, seed: int) -> Imitator:
    """The policy of a run, with fresh weights; `seed` also drives its sampling."""
    _use_threads(config.threads)
    policy: Imitator = plugins.find("policies", config.policy.kind)(config.policy, seed=seed)
    return policy


def _use_threads(count: int) -> None:
    import torch  # here, because the replay's process needs no torch

    torch.set_num_threads(count)


def make_judge(config: RunConfig) -> Judge:
    """The judge that programmatic suites need."""
    judge: Judge = plugins.find("judges", "check")(require_done=config.collect.require_done)
    return judge


def make_bench(config: RunConfig) -> Bench:
    """The fixed conditions under which the run's policies are measured."""
    seed = config.seed + EVALUATION_SEED
    return Bench(
        suite=make_suite(config),
        devices=make_devices(config, config.evaluation.devices, seed),
        judge=make_judge(config),
        limits=_limits(config),
        seed=config.seed,
    )


def _limits(config: RunConfig) -> EpisodeLimits:
    return EpisodeLimits(config.collect.step_timeout_s, config.collect.episode_timeout_s)


def _weights(folder: RunFolder, config: RunConfig) -> FileWeights:
    return FileWeights(folder.weights, run=folder.name, keep=config.learner.keep_versions)


# --- the parts, built where they live -----------------------------------------------------------


class ReplayPart:
    """The replay as a part: it works when called, and ends when the run does."""

    def __init__(self, close: Callable[[], None], stopping: asyncio.Event) -> None:
        self._close = close
        self._stopping = stopping

    async def run(self) -> None:
        """Stay until the run ends."""
        try:
            await self._stopping.wait()
        finally:
            self._close()


def build_part(spec: PartSpec, context: PartContext) -> BuiltPart:
    """Build one part of the run in whose folder we are."""
    folder = RunFolder.open(Path(context.folder))
    config = folder.config()
    if spec.kind == "replay":
        replay = open_replay(folder.replay_file, config.replay, limiter=limiter_for(config), seed=config.seed)
        return BuiltPart(ReplayPart(replay.close, context.stopping), service=replay, protocol=Replay)
    if spec.kind == "learner":
        return BuiltPart(_build_learner(spec, context, folder, config))
    if spec.kind == "worker":
        return BuiltPart(_build_worker(spec, context, folder, config))
    if spec.kind == "evaluator":
        return BuiltPart(_build_evaluator(spec, context, folder, config))
    raise EngineError(f"nobody knows how to build a part of kind {spec.kind!r}")


def _build_learner(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Learner:
    policy: TrainablePolicy = make_policy(config, config.seed)
    weights = _weights(folder, config)
    algorithm: Algorithm = plugins.find("algorithms", config.algorithm.kind)(policy, config.algorithm)
    return Learner(
        replay=context.connect(Replay, "replay"),
        weights=weights,
        policy=policy,
        algorithm=algorithm,
        config=config,
        recorder=Recorder(folder, spec.name),
        checkpoint=folder.checkpoint / "learner.pt",
        stopping=context.stopping,
    )


def _build_worker(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Worker:
    # Restarts must not repeat the seeds of the life before.
    seed = config.seed + 1000 * (spec.index + 1) + 7_919 * context.incarnation
    return Worker(
        WorkerSettings(
            name=f"{spec.name}.{context.incarnation}",
            run=folder.name,
            limits=_limits(config),
        ),
        devices=make_devices(config, config.collect.devices, seed),
        policy=BatchedPolicy(
            make_policy(config, seed), _weights(folder, config), max_batch=config.collect.max_batch
        ),
        curriculum=Curriculum(make_suite(config).tasks("train"), share=config.collect.curriculum, seed=seed),
        judge=make_judge(config),
        replay=context.connect(Replay, "replay"),
        recorder=Recorder(folder, spec.name),
        stopping=context.stopping,
    )


def _build_evaluator(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Evaluator:
    return Evaluator(
        make_bench(config),
        make_policy(config, config.seed + EVALUATION_SEED),
        _weights(folder, config),
        Recorder(folder, spec.name),
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
    return [
        PartSpec(name="replay", kind="replay", restarts=5),
        PartSpec(name="learner", kind="learner", restarts=5),
        *workers,
        PartSpec(name="evaluator", kind="evaluator", restarts=5),
    ]


# --- a run from start to end --------------------------------------------------------------------


def create(path: Path, config: RunConfig) -> RunFolder:
    """A new run folder with its configuration; everything the run needs is looked up first."""
    make_suite(config)
    make_policy(config, config.seed)
    plugins.find("algorithms", config.algorithm.kind)
    plugins.find("engines", config.engine)
    make_devices(config, 1, config.seed)
    return RunFolder.create(path, config)


def change_budget(folder: RunFolder, minutes: float) -> None:
    """Give a run another number of minutes in all; the rest of its configuration stays."""
    config = folder.config()
    budget = config.budget.model_copy(update={"minutes": minutes, "updates": None, "trajectories": None})
    write_then_rename(folder.config_file, dump(config.model_copy(update={"budget": budget})).encode())


def prepare(folder: RunFolder, progress: Progress) -> dict[str, float]:
    """Publish version 0, warm-started, unless the run has weights already."""
    config = folder.config()
    weights = _weights(folder, config)
    if weights.latest_sync() is not None:
        return {}
    policy = make_policy(config, config.seed)
    _use_threads(config.warmstart.threads or os.cpu_count() or 1)
    metrics = warm_start(
        make_suite(config),
        lambda: make_devices(config, config.collect.devices, config.seed),
        make_judge(config),
        policy,
        config,
        progress,
    )
    weights.publish_sync(policy.export(), 0)
    return metrics


@contextmanager
def running(folder: RunFolder) -> Iterator[Engine]:
    """The run's engine with all parts started; stops them on the way out, whatever happens."""
    config = folder.config()
    engine: Engine = plugins.find("engines", config.engine)(folder=str(folder.path), builder=BUILDER)
    try:
        engine.start(part_specs(config))
        yield engine
    finally:
        engine.stop()


def follow(
    folder: RunFolder,
    engine: Engine,
    show: Callable[[Sequence[PartStatus], Sequence[Line]], None],
    tick_s: float = 0.25,
) -> None:
    """Watch the parts until the learner has finished; raises EngineError when one cannot be kept alive."""
    reader = Reader(folder)
    while True:
        statuses = engine.poll()
        show(statuses, reader.poll())
        for status in statuses:
            if status.state == "failed":
                raise EngineError(
                    f"{status.name} failed and was not revived: {status.error}\n"
                    f"The log is {folder.path}/logs/{status.name}.log; continue with: "
                    f"distrl train --resume {folder.path}"
                )
            if status.name == "learner" and status.state == "finished":
                return
        time.sleep(tick_s)


def measure(
    folder: RunFolder,
    split: str,
    episodes: int,
    *,
    version: int | None = None,
    greedy: bool = False,
    on_episode: Callable[[Trajectory], None] | None = None,
    devices: int | None = None,
) -> Evaluation:
    """Evaluate a version of a run (the newest by default) and keep the result in its folder."""
    config = folder.config()
    if devices is not None:
        config = config.model_copy(
            update={"evaluation": config.evaluation.model_copy(update={"devices": devices})}
        )
    policy = load_policy(folder, version)
    result = asyncio.run(
        make_bench(config).measure(policy, split, episodes, greedy=greedy, on_episode=on_episode)
    )
    decoding = "greedy" if greedy else "sampled"
    name = f"{split}-v{result.policy_version:06d}-{decoding}"
    folder.save_evaluation(name, msgspec.json.format(msgspec.json.encode(result), indent=2))
    return result


def load_policy(folder: RunFolder, version: int | None = None) -> Imitator:
    """The policy of a run with the weights of a version, the newest by default."""
    config = folder.config()
    weights = _weights(folder, config)
    latest = weights.latest_sync()
    if latest is None:
        raise RunError(
            f"{folder.path} has no weights yet; train it first: distrl train --resume {folder.path}"
        )
    number = latest.number if version is None else version
    policy = make_policy(config, config.seed + EVALUATION_SEED)
    policy.load(weights.load_sync(number), number)
    return policy
