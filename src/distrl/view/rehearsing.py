"""`--dry-run`: what an agent would do on the devices, without sending them anything."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape

from distrl import assembly
from distrl import run as runs
from distrl.agents.expert import Expert
from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.config import RunConfig
from distrl.demonstrators import ExpertClient
from distrl.errors import TaskError
from distrl.interfaces import Device, PolicyClient
from distrl.recording import RunFolder
from distrl.records import Ending, Task
from distrl.view.tables import find_task

STEPS = 5  # of each device: the screen does not change, so more would only repeat them

console = Console()


def rehearse_training(config: RunConfig) -> None:
    """A few steps on every device of the first worker, with the policy as training would build it."""
    policy = assembly.make_policy(config, config.seed)
    console.print("The policy is new and untrained, so what it would do is random.")
    _rehearse(config, config.collect.devices, config.seed, None, BatchedPolicy(policy))


def rehearse_run(path: Path, config: RunConfig | None = None, *, devices: int | None = None) -> None:
    """A few steps on a run's devices, with its newest policy; nothing is added to the run."""
    folder = RunFolder.open(path)
    config = config or folder.config()
    policy = BatchedPolicy(runs.load_policy(folder))
    _rehearse(config, devices or config.collect.devices, config.seed, None, policy)


def rehearse_play(
    path: Path | None, task_id: str | None, suite: str | None, seed: int, overrides: dict[str, str]
) -> None:
    """A few steps of one episode: the policy of a run plays, or else the scripted expert."""
    folder = RunFolder.open(path) if path is not None else None
    config = folder.config() if folder is not None else RunConfig()
    device = config.device.model_copy(update=overrides)
    config = config.model_copy(update={"suite": suite or config.suite, "device": device})
    policy = BatchedPolicy(runs.load_policy(folder)) if folder is not None else None
    _rehearse(config, 1, seed, task_id, policy)


def _rehearse(
    config: RunConfig, count: int, seed: int, task_id: str | None, policy: BatchedPolicy | None
) -> None:
    config = config.model_copy(update={"safety": config.safety.model_copy(update={"dry_run": True})})
    suite = assembly.make_suite(config)
    if task_id is not None:
        tasks = [find_task(suite, task_id)] * count
    else:
        tasks = random.Random(seed).choices(list(suite.tasks("train")), k=count)
    devices = assembly.make_devices(config, count, seed, _print)

    def client(task: Task) -> PolicyClient:
        if policy is not None:
            return policy
        plan = suite.plan(task)
        if plan is None:
            raise TaskError(f"task {task.id} has no expert plan; give a run whose policy should play")
        return ExpertClient(Expert(plan, seed=seed))

    console.print(f"Dry run on {len(devices)} devices: they are looked at, and sent nothing.")
    lost = asyncio.run(_run(devices, tasks, client, policy, seed))
    console.print(
        f"Done: {len(devices) - lost} of {len(devices)} devices could be used; nothing was changed."
    )
    if lost:
        raise SystemExit(1)


async def _run(
    devices: list[Device],
    tasks: list[Task],
    client: Callable[[Task], PolicyClient],
    policy: BatchedPolicy | None,
    seed: int,
) -> int:
    """One short episode on each device; returns how many devices were lost."""
    server = asyncio.ensure_future(policy.run()) if policy is not None else None
    lost = 0
    try:
        for device, task in zip(devices, tasks, strict=False):
            await device.open()
            # Probes are questions that a task's author wrote: not even those are asked.
            brief = msgspec.structs.replace(task, max_steps=min(STEPS, task.max_steps), probes={}, check=())
            console.print(f"[bold]{device.id}[/bold]: {escape(task.goal)}", highlight=False)
            trajectory = await run_episode(
                device,
                client(task),
                brief,
                seed=seed,
                run="dry-run",
                worker="dry-run",
                limits=EpisodeLimits(),
            )
            lost += trajectory.ending is Ending.DEVICE_LOST
    finally:
        if server is not None:
            server.cancel()
        for device in devices:
            await device.close()
    return lost


def _print(kind: str, **fields: object) -> None:
    """One line for each thing that would have been sent."""
    assert kind == "dry_run"
    why = f"  [yellow]would be refused: {escape(str(fields['why']))}[/yellow]" if fields["why"] else ""
    console.print(f"  would: {escape(str(fields['action']))}{why}", highlight=False, soft_wrap=True)
