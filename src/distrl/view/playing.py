"""`distrl play`: one episode, live in the terminal, and as an animation."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from distrl import assembly
from distrl import run as runs
from distrl.agents.expert import Expert
from distrl.collect.batching import BatchedPolicy
from distrl.collect.episode import EpisodeLimits, run_episode
from distrl.config import RunConfig
from distrl.demonstrators import ExpertClient
from distrl.errors import TaskError
from distrl.imaging import decode_image, draw_action
from distrl.interfaces import PolicyClient, Suite
from distrl.recording import RunFolder
from distrl.records import Decision, Observation, Outcome, Step, Task, Trajectory
from distrl.tasks import suite_of
from distrl.view.pictures import describe, save_animation, terminal_picture
from distrl.view.tables import find_task

STYLES = {Outcome.SUCCESS: "bold green", Outcome.FAILURE: "bold red", Outcome.UNKNOWN: "bold yellow"}


def play(
    path: Path | None,
    task_id: str | None,
    suite_name: str | None,
    *,
    seed: int,
    greedy: bool,
    delay_s: float,
    output: Path | None,
    profile: str | None,
) -> None:
    """Run one episode and show it."""
    folder = RunFolder.open(path) if path is not None else None
    config = folder.config() if folder is not None else RunConfig()
    device_settings = {"picture_scale": 1.0} | ({"profile": profile} if profile else {})
    config = config.model_copy(
        update={
            "suite": suite_name or suite_of(task_id or "") or config.suite,
            "device": config.device.model_copy(update=device_settings),
        }
    )
    suite = assembly.make_suite(config)
    task = find_task(suite, task_id) if task_id else random.Random(seed).choice(list(suite.tasks("test")))
    trajectory = asyncio.run(_watch(folder, config, suite, task, seed, greedy, delay_s))
    if output is not None:
        save_animation(trajectory, output)
        Console().print(f"Wrote {output}")


async def _watch(
    folder: RunFolder | None,
    config: RunConfig,
    suite: Suite,
    task: Task,
    seed: int,
    greedy: bool,
    delay_s: float,
) -> Trajectory:
    device = assembly.make_devices(config, 1, seed)[0]
    judge = assembly.make_judge(config)
    server = None
    client: PolicyClient
    if folder is not None:
        batched = BatchedPolicy(runs.load_policy(folder), greedy=greedy)
        server = asyncio.ensure_future(batched.run())
        client, who = batched, f"{folder.name} version {batched.policy.version}"
    else:
        plan = suite.plan(task)
        if plan is None:
            raise TaskError(f"task {task.id} has no expert plan; give a run whose policy should play")
        client, who = ExpertClient(Expert(plan, seed=seed)), "the expert"
    screen = Screen(task, who, delay_s)
    try:
        await device.open()
        with Live(console=screen.console, auto_refresh=False) as screen.live:
            trajectory = await run_episode(
                device,
                client,
                task,
                seed=seed,
                run="play",
                worker="play",
                limits=EpisodeLimits(),
                on_step=screen.show,
            )
            trajectory = msgspec.structs.replace(trajectory, verdict=await judge.judge(trajectory))
            screen.finish(trajectory)
    finally:
        if server is not None:
            server.cancel()
        await device.close()
    return trajectory


class Screen:
    """The phone on the left, what the agent did on the right."""

    def __init__(self, task: Task, who: str, delay_s: float) -> None:
        self.console = Console()
        self.live: Live | None = None
        self._task = task
        self._who = who
        self._delay_s = delay_s
        self._lines: list[Text] = []

    def show(self, step: Step) -> None:
        """Draw one step with the touch on the screen."""
        action = step.decision.action
        number = len(self._lines) + 1
        chance = f"  p={_probability(step.decision):.2f}" if step.decision.logprobs else ""
        self._lines.append(Text(f"{number:2d} {describe(action, step.observation)}{chance}"))
        self._draw(step.observation, step)
        time.sleep(self._delay_s)

    def finish(self, trajectory: Trajectory) -> None:
        """Draw the last screen and the verdict."""
        verdict = trajectory.verdict
        self._lines.append(Text(f"{verdict.outcome}: {verdict.evidence}", STYLES[verdict.outcome]))
        if trajectory.final is not None:
            self._draw(trajectory.final, None)

    def _draw(self, observation: Observation, step: Step | None) -> None:
        image = decode_image(observation.screenshot)
        if step is not None:
            image = draw_action(image, step.decision.action)
        rows = max(16, self.console.size.height - 4)
        columns = min(self.console.size.width // 2, rows * 2 * image.width // image.height)
        layout = Table.grid(padding=(0, 2))
        layout.add_row(
            terminal_picture(image, columns),
            Group(Panel(Text(self._task.goal), title=self._who, subtitle=self._task.id), *self._lines),
        )
        if self.live is not None:
            self.live.update(layout, refresh=True)


def _probability(decision: Decision) -> float:
    import math

    return math.exp(decision.logprob)
