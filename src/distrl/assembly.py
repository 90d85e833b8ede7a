"""From a configuration to the objects it names: suite, devices, policy, judge, limits, weights."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from distrl import plugins
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.ladder import REOPEN, REPLACE, RepairSettings
from distrl.config import RunConfig, SafetyConfig
from distrl.devices.guard import Note, guard, quiet
from distrl.devices.pools import Member, members
from distrl.errors import ConfigError
from distrl.evaluate import Bench
from distrl.interfaces import Device, Judge, Suite, VaryingSuite
from distrl.recording import RunFolder
from distrl.rewards.watching import JudgeRecorder, WatchedJudge
from distrl.tasks import find_suite, needed_device
from distrl.weights import FileWeights

if TYPE_CHECKING:  # what needs torch is imported where it is used: device hosts have none
    from distrl.demonstrators import Stage
    from distrl.warmstart import Imitator

EVALUATION_SEED = 20_000  # offsets the evaluator's seeds from those of training


def make_suite(config: RunConfig) -> Suite:
    """The task suite of a run."""
    return find_suite(config.suite)


def make_curriculum(config: RunConfig, seed: int) -> Curriculum:
    """What a worker with this seed is to do next."""
    suite, group = make_suite(config), config.collect.group
    vary = config.collect.vary and group == 1  # the episodes of a group are of the same task
    return Curriculum(
        suite.tasks("train"),
        share=config.collect.curriculum,
        seed=seed,
        group=group,
        vary=suite.vary if vary and isinstance(suite, VaryingSuite) else None,
    )


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


def make_replacer(
    config: RunConfig, count: int, seed: int, note: Note | None = None
) -> Callable[[int], Device]:
    """What makes another device for one of `count` slots: of the same kind, with another seed each time."""
    config = fitted(config)
    chosen, replaced = members(config, count), itertools.count(1)
    return lambda slot: _make_device(
        chosen[slot], seed + slot + 100_003 * next(replaced), config.safety, note
    )


def make_policy(config: RunConfig, seed: int, device: str = "cpu") -> Imitator:
    """The policy of a run, with fresh weights; `seed` also drives its sampling."""
    use_threads(config.threads)
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


def use_threads(count: int) -> None:
    """How many threads torch may use in this process."""
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
        limits=make_limits(config),
        seed=config.seed,
        repair=make_repair(config),
        replace=make_replacer(config, config.evaluation.devices, seed),
    )


def make_limits(config: RunConfig) -> EpisodeLimits:
    """The deadlines of an episode."""
    return EpisodeLimits(
        config.collect.step_timeout_s,
        config.collect.episode_timeout_s,
        reconnect_timeout_s=config.repair.reconnect_s,
        faults=config.repair.faults_per_episode,
        black_looks=config.repair.black_looks,
    )


def make_repair(config: RunConfig) -> RepairSettings:
    """How devices are brought back."""
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


def open_weights(folder: RunFolder, config: RunConfig) -> FileWeights:
    """The versions of a run's weights."""
    return FileWeights(folder.weights, run=folder.name, keep=config.learner.keep_versions)


def make_stage(config: RunConfig) -> Stage:
    """What the expert needs to demonstrate."""
    from distrl.demonstrators import Stage

    devices = partial(make_devices, config, config.collect.devices, config.seed)
    pupil = partial(make_policy, config, config.seed)
    return Stage(make_suite(config), devices, make_judge(config), pupil)


def simulated(config: RunConfig) -> bool:
    """Whether every process can have devices of its own."""
    return config.device.kind == "simulated" and not config.device.pools
