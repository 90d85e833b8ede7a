"""A run: the one place where concrete devices, policies, replay, learner and engine meet."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from distrl import archive, plugins
from distrl.archive import Archive, ArchiveKeeper, Desk, desk_for
from distrl.collect.batching import BatchedPolicy, WorkerPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.ladder import REOPEN, REPLACE, RepairSettings
from distrl.collect.remote_policy import RemotePolicy
from distrl.collect.serving import PolicyServer, PolicyService
from distrl.collect.worker import Worker, WorkerSettings
from distrl.config import RunConfig, SafetyConfig, dump, resolve
from distrl.devices.guard import Note, guard, quiet
from distrl.devices.pools import Member, members
from distrl.engine.parts import BuiltPart, PartContext
from distrl.errors import ConfigError, EngineError, RunError
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
from distrl.recording import Line, Reader, Recorder, RunFolder, write_then_rename
from distrl.records import Trajectory
from distrl.replay import SqliteReplay, limiter_for, open_replay
from distrl.rewards.checks import CheckJudge, require_checks
from distrl.rewards.watching import JudgeRecorder, WatchedJudge
from distrl.tasks import find_suite, needed_device
from distrl.tracking import tracked
from distrl.weights import FileWeights

if TYPE_CHECKING:  # what needs torch is imported where it is used: device hosts have none
    from distrl.demonstrators import Progress, Stage
    from distrl.learn.learner import Learner
    from distrl.warmstart import Imitator, WarmStart

BUILDER = "distrl.run:build_part"
REPLAY_REPORT_S = 5.0
EVALUATION_SEED = 20_000  # offsets the evaluator's seeds from those of training


# --- from the configuration to objects ----------------------------------------------------------


def make_suite(config: RunConfig) -> Suite:
    """The task suite of a run."""
    return find_suite(config.suite)


def fitted(config: RunConfig) -> RunConfig:
    """The configuration with the kind of device that its suite needs, unless the user has chosen a kind."""
    needed = needed_device(config.suite)
    chosen = {pool.kind for pool in config.device.pools} or {config.device.kind}
    if needed is None or chosen == {needed}:
        return config
    if config.device.pools or "kind" in config.device.model_fields_set:
        raise ConfigError(
            f"the tasks of {config.suite!r} run only on devices of kind {needed!r}; add --device {needed}, "
            f"or leave the kind out (it is {', '.join(sorted(chosen))} now)",
            "device.kind",
        )
    return config.model_copy(update={"device": config.device.model_copy(update={"kind": needed})})


def make_devices(config: RunConfig, count: int, seed: int, note: Note | None = None) -> list[Device]:
    """The configured devices, guarded where they may hold a person's data, and not yet opened."""
    config = fitted(config)
    chosen = members(config, count)
    return [_make_device(member, seed + slot, config.safety, note) for slot, member in enumerate(chosen)]


def _make_device(member: Member, seed: int, safety: SafetyConfig, note: Note | None = None) -> Device:
    settings = quiet(member.config, safety)
    device: Device = plugins.find("devices", settings.kind)(settings, index=member.index, seed=seed)
    return guard(device, settings, safety, note)


def _replacer(config: RunConfig, count: int, seed: int, note: Note | None = None) -> Callable[[int], Device]:
    """What makes another device for one of `count` slots: of the same kind, with another seed each time."""
    config = fitted(config)
    chosen, replaced = members(config, count), itertools.count(1)
    return lambda slot: _make_device(
        chosen[slot], seed + slot + 100_003 * next(replaced), config.safety, note
    )


def make_policy(config: RunConfig, seed: int, device: str = "cpu") -> Imitator:
    """The policy of a run, with fresh weights; `seed` also drives its sampling."""
    _use_threads(config.threads)
    policy: Imitator = plugins.find("policies", config.policy.kind)(config.policy, seed=seed)
    if device != "cpu":
        policy.module.to(_torch_device(device))
    return policy


def _torch_device(name: str) -> str:
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ConfigError(f"{name!r} is asked for, but torch finds no GPU; use `auto` or `cpu`", "device")
    try:
        return str(torch.device(name))
    except RuntimeError as error:
        raise ConfigError(f"{name!r} is no device of torch; use cpu, cuda or auto", "device") from error


def _use_threads(count: int) -> None:
    import torch  # here, because the replay's process needs no torch

    torch.set_num_threads(count)


def make_judge(config: RunConfig, recorder: JudgeRecorder | None = None) -> Judge:
    """The judge of a run; one with a recorder tells there when it reaches no verdicts, and what it costs."""
    judge: Judge = plugins.find("judges", config.judge.kind)(
        config.judge, require_done=config.collect.require_done
    )
    return judge if recorder is None else WatchedJudge(judge, recorder)


def make_bench(config: RunConfig, recorder: JudgeRecorder | None = None) -> Bench:
    """The fixed conditions under which the run's policies are measured."""
    seed = config.seed + EVALUATION_SEED
    return Bench(
        suite=make_suite(config),
        devices=make_devices(config, config.evaluation.devices, seed),
        judge=make_judge(config, recorder),
        limits=_limits(config),
        seed=config.seed,
        repair=_repair(config),
        replace=_replacer(config, config.evaluation.devices, seed),
    )


def _limits(config: RunConfig) -> EpisodeLimits:
    return EpisodeLimits(
        config.collect.step_timeout_s,
        config.collect.episode_timeout_s,
        reconnect_timeout_s=config.repair.reconnect_s,
        faults=config.repair.faults_per_episode,
        black_looks=config.repair.black_looks,
    )


def _repair(config: RunConfig) -> RepairSettings:
    repair = config.repair
    return RepairSettings(
        deadlines_s={
            "reconnect": repair.reconnect_s,
            "restart_app": repair.restart_app_s,
            "restore_snapshot": repair.restore_snapshot_s,
            "reboot": repair.reboot_s,
            REOPEN: repair.reboot_s,
            REPLACE: repair.replace_s,
        },
        tries=repair.tries,
        good_episodes=repair.good_episodes,
        quarantine_s=repair.quarantine_s,
        longest_quarantine_s=repair.longest_quarantine_s,
    )


def _weights(folder: RunFolder, config: RunConfig) -> FileWeights:
    return FileWeights(folder.weights, run=folder.name, keep=config.learner.keep_versions)


# --- the parts, built where they live -----------------------------------------------------------


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
        replay = open_replay(folder.replay_file, config.replay, limiter=limiter_for(config), seed=config.seed)
        part = ReplayPart(replay, Recorder(folder, spec.name), context.stopping)
        return BuiltPart(part, service=replay, protocol=Replay)
    if spec.kind == "learner":
        return BuiltPart(_build_learner(spec, context, folder, config))
    if spec.kind == "worker":
        return _build_worker(spec, context, folder, config)
    if spec.kind == "archive":
        keeper = ArchiveKeeper(folder, _weights(folder, config), context.stopping)
        return BuiltPart(keeper, service=keeper, protocol=Archive)
    if spec.kind == "policy":
        return _build_policy(spec, context, folder, config)
    if spec.kind == "evaluator":
        return BuiltPart(_build_evaluator(spec, context, folder, config))
    raise EngineError(f"nobody knows how to build a part of kind {spec.kind!r}")


def _build_learner(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Learner:
    from distrl.learn.learner import Learner

    policy: TrainablePolicy = make_policy(config, config.seed, config.learner.device)
    _use_threads(config.learner.threads or config.threads)
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


def _build_worker(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> BuiltPart:
    # Restarts must not repeat the seeds of the life before.
    seed = config.seed + 1000 * (spec.index + 1) + 7_919 * context.incarnation
    desk = desk_for(spec, context, folder, _weights(folder, config))
    worker = Worker(
        WorkerSettings(
            name=f"{spec.name}.{context.incarnation}",
            run=folder.name,
            limits=_limits(config),
            repair=_repair(config),
        ),
        devices=make_devices(config, config.collect.devices, seed, desk.recorder.event),
        policy=_worker_policy(context, desk, config, seed),
        curriculum=Curriculum(
            make_suite(config).tasks("train"),
            share=config.collect.curriculum,
            seed=seed,
            group=config.collect.group,
        ),
        judge=make_judge(config, desk.recorder),
        replay=context.connect(Replay, "replay"),
        recorder=desk.recorder,
        stopping=context.stopping,
        replace=_replacer(config, config.collect.devices, seed, desk.recorder.event),
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
    desk = desk_for(spec, context, folder, _weights(folder, config))
    decider = make_policy(config, seed, config.policy.device)
    policy = BatchedPolicy(decider, desk.weights, max_batch=config.collect.max_batch)
    server = PolicyServer(policy, context.stopping, desk.recorder)
    return BuiltPart(desk.seat(server), service=server, protocol=PolicyService)


def _build_evaluator(spec: PartSpec, context: PartContext, folder: RunFolder, config: RunConfig) -> Evaluator:
    recorder = Recorder(folder, spec.name)
    return Evaluator(
        make_bench(config, recorder),
        make_policy(config, config.seed + EVALUATION_SEED),
        _weights(folder, config),
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


# --- a run from start to end --------------------------------------------------------------------


def create(path: Path, config: RunConfig) -> RunFolder:
    """A new run folder with its configuration; everything the run needs is looked up first."""
    from distrl.demonstration_files import read_files

    config, suite = fitted(config), make_suite(config)
    if config.judge.kind == CheckJudge.name:
        require_checks(suite.tasks("train"), config.suite)
    make_judge(config)
    read_files(config.warmstart.files, suite)
    make_policy(config, config.seed)
    plugins.find("algorithms", config.algorithm.kind)
    plugins.find("engines", config.engine)
    make_devices(config, config.collect.devices if config.device.pools else 1, config.seed)
    return RunFolder.create(path, config)


def change_budget(folder: RunFolder, minutes: float) -> None:
    """Give a run another number of minutes in all; the rest of its configuration stays."""
    config = folder.config()
    budget = config.budget.model_copy(update={"minutes": minutes, "updates": None, "trajectories": None})
    write_then_rename(folder.config_file, dump(config.model_copy(update={"budget": budget})).encode())


def move(folder: RunFolder, overrides: list[str]) -> None:
    """Have a run continue elsewhere: with another engine, or on another cluster."""
    config = resolve(file=folder.config_file, overrides=overrides)
    plugins.find("engines", config.engine)
    write_then_rename(folder.config_file, dump(config).encode())


def prepare(folder: RunFolder, progress: Progress) -> dict[str, float]:
    """Publish version 0, warm-started, unless the run has weights already."""
    config = folder.config()
    weights = _weights(folder, config)
    if weights.latest_sync() is not None:
        return {}
    policy, started = warm_policy(config, progress)
    weights.publish_sync(policy.export(), 0)
    return started.metrics


def warm_policy(config: RunConfig, progress: Progress, *, fresh: bool = False) -> tuple[Imitator, WarmStart]:
    """The policy that a run starts with, and how it came about; `fresh` does not take it from the cache."""
    from distrl.warmstart import warm_start

    config = fitted(config)
    policy = make_policy(config, config.seed)
    started = warm_start(
        make_stage(config),
        policy,
        config,
        progress,
        build=partial(make_policy, config, config.seed),
        anew=partial(make_stage, config) if simulated(config) else None,
        fresh=fresh,
    )
    return policy, started


def make_stage(config: RunConfig) -> Stage:
    """What the expert needs to demonstrate."""
    from distrl.demonstrators import Stage

    devices = partial(make_devices, config, config.collect.devices, config.seed)
    return Stage(make_suite(config), devices, make_judge(config))


def simulated(config: RunConfig) -> bool:
    """Whether every process can have devices of its own."""
    return config.device.kind == "simulated" and not config.device.pools


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
    with tracked(folder) as tracking:
        while True:
            statuses = engine.poll()
            lines = reader.poll()
            tracking.take(lines)
            show(statuses, lines)
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
