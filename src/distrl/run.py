"""A run from start to end: created, warm-started, trained by its parts, measured."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from distrl import plugins
from distrl.assembly import (
    EVALUATION_SEED,
    fitted,
    make_bench,
    make_devices,
    make_judge,
    make_policy,
    make_stage,
    make_suite,
    open_weights,
    simulated,
)
from distrl.config import RunConfig, dump, resolve
from distrl.errors import EngineError, RunError
from distrl.evaluate import Evaluation
from distrl.interfaces import Engine, PartStatus
from distrl.parts import BUILDER, part_specs
from distrl.recording import Line, Reader, RunFolder, write_then_rename
from distrl.records import Trajectory
from distrl.rewards.checks import CheckJudge, require_checks
from distrl.tracking import tracked

if TYPE_CHECKING:
    from distrl.demonstrators import Progress
    from distrl.warmstart import Imitator, WarmStart


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
    weights = open_weights(folder, config)
    if weights.latest_sync() is not None:
        return {}
    policy, started = warm_policy(config, progress)
    if started.steps is not None:
        folder.save_demonstrated(started.steps.read_bytes())
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
    weights = open_weights(folder, config)
    latest = weights.latest_sync()
    if latest is None:
        raise RunError(
            f"{folder.path} has no weights yet; train it first: distrl train --resume {folder.path}"
        )
    number = latest.number if version is None else version
    policy = make_policy(config, config.seed + EVALUATION_SEED)
    policy.load(weights.load_sync(number), number)
    return policy
