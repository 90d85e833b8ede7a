"""One device, one policy, one task: an episode from the first look to the last probe."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

import msgspec

from distrl.collect.first_aid import EpisodeLimits, EpisodeTimes, FirstAid, OnFault
from distrl.errors import DeviceError
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

__all__ = ["UNJUDGED", "EpisodeLimits", "EpisodeTimes", "run_episode"]

UNJUDGED = Verdict(outcome=Outcome.UNKNOWN, judge="", judge_version="", evidence="not judged yet")


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
    on_fault: OnFault | None = None,
) -> Trajectory:
    """Run one episode and return it unjudged; a device's trouble becomes its ending, never an exception.

    A step whose fault was mended says so in `Step.fault`; `on_fault` hears of every fault.
    """
    times = times if times is not None else EpisodeTimes()
    # The wall clock may jump; durations come from the other one.
    started_at, start = time.time(), time.monotonic()
    aid = FirstAid(device, limits, times, on_fault)
    steps: list[Step] = []
    answers: dict[str, str] = {}
    final: Observation | None = None
    ending = Ending.STEP_LIMIT
    try:
        await aid.reset(task, seed)
        times.reset_s += time.monotonic() - start
        observation = await aid.look()
        for _ in range(task.max_steps):
            begin = time.monotonic()
            decision = await policy.decide(
                Situation(
                    goal=task.goal, past=tuple(steps), observation=observation, max_steps=task.max_steps
                )
            )
            times.policy_s += time.monotonic() - begin
            await aid.act(decision.action)
            after = await aid.look()
            step = Step(observation, decision, time.monotonic() - begin, aid.take_faults())
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
                answers[name] = await aid.probe(command)
        # Asked last: the answers above are the phone's that the agent used, or they count for nothing.
        await aid.require_same_system()
    except DeviceError:
        ending = Ending.DEVICE_LOST
    return Trajectory(
        id=uuid.uuid4().hex,
        run=run,
        task=task,
        seed=seed,
        steps=_with_late_fault(steps, aid.take_faults()),
        final=final,
        ending=ending,
        answers=answers,
        verdict=UNJUDGED,
        worker=worker,
        device=device.id,
        started_at=started_at,
        ended_at=started_at + time.monotonic() - start,
    )


def _with_late_fault(steps: list[Step], fault: str | None) -> tuple[Step, ...]:
    """The steps; a fault that came after the last of them is noted there."""
    if fault is None or not steps:
        return tuple(steps)
    before = f"{steps[-1].fault}, " if steps[-1].fault else ""
    return (*steps[:-1], msgspec.structs.replace(steps[-1], fault=before + fault))
