"""One device, one policy, one task: an episode from the first look to the last probe."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from distrl.errors import DeviceError, DeviceTimeout
from distrl.interfaces import Device, PolicyClient
from distrl.records import (
    FINAL_KINDS,
    Ending,
    Observation,
    Outcome,
    Situation,
    Step,
    Task,
    Trajectory,
    Verdict,
)

T = TypeVar("T")

UNJUDGED = Verdict(outcome=Outcome.UNKNOWN, judge="", judge_version="", evidence="not judged yet")


@dataclass(frozen=True)
class EpisodeLimits:
    """Deadlines of an episode; past the first the device is lost, past the second the episode is cut."""

    step_timeout_s: float = 60.0
    episode_timeout_s: float = 1800.0


@dataclass
class EpisodeTimes:
    """Where the time of episodes went, in seconds; summed over episodes by whoever owns it."""

    device_s: float = 0.0
    policy_s: float = 0.0
    reset_s: float = 0.0


async def run_episode(
    device: Device,
    policy: PolicyClient,
    task: Task,
    *,
    seed: int,
    run: str,
    worker: str,
    limits: EpisodeLimits,
    times: EpisodeTimes | None = None,
    on_step: Callable[[Step], None] | None = None,
) -> Trajectory:
    """Run one episode and return it unjudged; a device's trouble becomes its ending, never an exception."""
    times = times if times is not None else EpisodeTimes()
    started_at, start = time.time(), time.monotonic()
    steps: list[Step] = []
    answers: dict[str, str] = {}
    final: Observation | None = None

    async def ask(awaitable: Awaitable[T]) -> T:
        """Await the device under the step deadline, and book the time."""
        begin = time.monotonic()
        try:
            async with asyncio.timeout(limits.step_timeout_s):
                return await awaitable
        except TimeoutError as error:
            raise DeviceTimeout(f"{device.id} did not answer within {limits.step_timeout_s:g} s") from error
        finally:
            times.device_s += time.monotonic() - begin

    ending = Ending.STEP_LIMIT
    try:
        await ask(device.reset(task, seed))
        times.reset_s += time.monotonic() - start
        observation = await ask(device.observe())
        for _ in range(task.max_steps):
            begin = time.monotonic()
            decision = await policy.decide(
                Situation(
                    goal=task.goal, past=tuple(steps), observation=observation, max_steps=task.max_steps
                )
            )
            times.policy_s += time.monotonic() - begin
            await ask(device.act(decision.action))
            after = await ask(device.observe())
            step = Step(observation=observation, decision=decision, seconds=time.monotonic() - begin)
            steps.append(step)
            final = observation = after
            if on_step is not None:
                on_step(step)
            if decision.action.kind in FINAL_KINDS:
                ending = Ending.AGENT_DONE
                break
            if time.monotonic() - start > limits.episode_timeout_s:
                ending = Ending.TIME_LIMIT
                break
        for name, command in task.probes.items():
            if command:
                answers[name] = await ask(device.probe(command))
    except DeviceError:
        ending = Ending.DEVICE_LOST
    return Trajectory(
        id=uuid.uuid4().hex,
        run=run,
        task=task,
        seed=seed,
        steps=tuple(steps),
        final=final,
        ending=ending,
        answers=answers,
        verdict=UNJUDGED,
        worker=worker,
        device=device.id,
        started_at=started_at,
        ended_at=time.time(),
    )
