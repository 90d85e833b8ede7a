"""Demonstrations from files, made whole: actions understood, pictures read, missing screens seen anew.

A written episode without screens is repeated on a device: the same task, seed and actions give the same
screens on a simulated phone, and the task's own check then tells whether it is a solution.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from PIL import Image, UnidentifiedImageError

from distrl.agents.languages import Language, OwnLanguage, find_language
from distrl.demonstrators import Episode, Progress, run_episodes
from distrl.errors import ConfigError, TaskError
from distrl.interfaces import Device, Judge, Suite
from distrl.records import (
    FINAL_KINDS,
    ActionKind,
    Decision,
    Ending,
    Observation,
    Outcome,
    Screenshot,
    Situation,
    Step,
    Task,
    Trajectory,
    UiNode,
    Verdict,
)
from distrl.tasks import demonstrations as files
from distrl.tasks.demonstrations import Demonstration, WrittenEpisode, WrittenStep


@dataclass(frozen=True)
class Handed:
    """What files of demonstrations come to."""

    solutions: list[Trajectory]
    left_out: list[str]  # why the others are of no use for imitation, a sentence each


def read_files(paths: Sequence[str | Path], suite: Suite) -> list[tuple[Demonstration, Task]]:
    """The demonstrations of all files with their tasks; raises TaskError at the first file with faults."""
    found: list[tuple[Demonstration, Task]] = []
    for path in paths:
        entries = files.read(path)
        tasks = files.check_ground(entries, suite, str(path))
        faults = [fault for entry in entries for fault in _action_faults(entry)]
        if faults:
            raise TaskError(files.together(str(path), faults))
        found += zip(entries, tasks, strict=True)
    return found


async def hand_over(
    entries: Sequence[tuple[Demonstration, Task]],
    devices: Callable[[], Sequence[Device]],
    judge: Judge,
    progress: Progress,
) -> Handed:
    """Whole trajectories from demonstrations; those without screens are repeated on the devices."""
    ready: dict[int, Trajectory] = {}
    bare: list[int] = []
    for index, (entry, task) in enumerate(entries):
        if isinstance(entry.episode, Trajectory):
            ready[index] = msgspec.structs.replace(entry.episode, task=task)
        elif entry.episode.steps[0].screen:
            ready[index] = _as_trajectory(entry, entry.episode, task)
        else:
            bare.append(index)
    episodes = [_repetition(*entries[index]) for index in bare]
    if episodes:
        repeated = await run_episodes(
            episodes, devices(), judge, "repeater", lambda done: progress("repeating", done, len(bare))
        )
        for index, trajectory in zip(bare, repeated, strict=True):
            ready[index] = msgspec.structs.replace(trajectory, id=entries[index][0].id)
    solutions, left_out = [], []
    for index, (entry, _) in enumerate(entries):
        trajectory = await _judged(ready[index], judge)
        if trajectory.success:
            solutions.append(trajectory)
        else:
            verdict = trajectory.verdict
            left_out.append(f"{entry.place}: {verdict.outcome}, {verdict.evidence}")
    return Handed(solutions, left_out)


async def _judged(trajectory: Trajectory, judge: Judge) -> Trajectory:
    """The task's check has the last word; where it cannot tell, the file's own verdict stands."""
    verdict = await judge.judge(trajectory)
    if verdict.outcome is Outcome.UNKNOWN:
        return trajectory
    return msgspec.structs.replace(trajectory, verdict=verdict)


def shorten(trajectory: Trajectory) -> WrittenEpisode:
    """A trajectory as a written episode without screens, to be repeated where it is used."""
    language = OwnLanguage()
    return WrittenEpisode(
        id=trajectory.id,
        task=trajectory.task.id,
        seed=trajectory.seed,
        steps=tuple(
            WrittenStep(
                action=language.render(decision.action),
                slip=decision.slip,
                meant="" if decision.meant is None else language.render(decision.meant),
            )
            for decision in (step.decision for step in trajectory.steps)
        ),
        outcome="success" if trajectory.success else "failure",
        by=trajectory.worker,
    )


class Repeater:
    """Does what an episode's actions say, one after the other; the last one ends the episode."""

    def __init__(self, episode: WrittenEpisode) -> None:
        self._steps = episode.steps
        self._language = find_language(episode.language)

    async def decide(self, situation: Situation) -> Decision:
        """The next of the actions."""
        return _decision(self._steps[len(situation.past)], situation.observation, self._language)


def _repetition(entry: Demonstration, task: Task) -> Episode:
    assert isinstance(entry.episode, WrittenEpisode)
    return task, entry.episode.seed, Repeater(entry.episode)


def _action_faults(entry: Demonstration) -> list[str]:
    """Actions that mean nothing, and pictures that are not there or are none, in words."""
    episode = entry.episode
    if isinstance(episode, Trajectory):
        return []
    line = entry.place.rpartition(", ")[2]
    try:
        language = find_language(episode.language)
    except ConfigError as error:
        return [f"{line}: {error.faults[0]}"]
    faults = []
    ended = False
    for number, step in enumerate(episode.steps, 1):
        try:
            seen = _observation(entry, step) if step.screen else _NOTHING_SEEN
        except TaskError as error:
            faults.append(f"{line}, step {number}: {error}")
            continue
        decision = _decision(step, seen, language)
        understood = ((step.action, decision.action), (step.meant, decision.meant))
        senseless = [said for said, action in understood if action and action.kind is ActionKind.INVALID]
        if senseless:
            said = _text(senseless[0])[:60]
            faults.append(f"{line}, step {number}: {said!r} means nothing in the language {language.name!r}")
        elif ended:
            faults.append(f"{line}, step {number}: the action before it has ended the episode")
        ended = decision.action.kind in FINAL_KINDS
    if not faults and not ended and not episode.steps[0].screen:
        faults.append(f"{line}: an episode to be repeated ends with `done` or an answer; add it")
    return faults


def _as_trajectory(entry: Demonstration, episode: WrittenEpisode, task: Task) -> Trajectory:
    """An episode that came with its screens; its outcome is what the file says."""
    language = find_language(episode.language)
    steps = []
    for step in episode.steps:
        seen = _observation(entry, step)
        steps.append(Step(seen, _decision(step, seen, language), seconds=0.0))
    ended = steps[-1].decision.action.kind in FINAL_KINDS
    return Trajectory(
        id=entry.id,
        run="demonstrations",
        task=task,
        seed=episode.seed,
        steps=tuple(steps),
        final=None,
        ending=Ending.AGENT_DONE if ended else Ending.STEP_LIMIT,
        answers={},
        verdict=Verdict(
            outcome=Outcome(episode.outcome),
            judge=episode.by,
            judge_version="",
            evidence="as the file says",
        ),
        worker=episode.by,
        device="",
        started_at=0.0,
        ended_at=0.0,
    )


def _observation(entry: Demonstration, step: WrittenStep) -> Observation:
    data = files.read_picture(entry.folder / step.screen)
    try:
        with Image.open(io.BytesIO(data)) as picture:
            width, height, encoding = picture.width, picture.height, (picture.format or "").lower()
    except (UnidentifiedImageError, OSError) as error:
        raise TaskError(f"{step.screen} is not a picture") from error
    if encoding not in ("png", "jpeg"):
        raise TaskError(f"{step.screen} is neither PNG nor JPEG")
    screen_width, screen_height = step.size or (width, height)
    nodes = None
    if step.ui is not None:
        nodes = tuple(UiNode(**msgspec.structs.asdict(node)) for node in step.ui)
    return Observation(
        screenshot=Screenshot(data=data, encoding=encoding, width=width, height=height),
        width=screen_width,
        height=screen_height,
        ui=nodes,
        app=step.app,
        captured_at=0.0,
    )


_NOTHING_SEEN = Observation(
    screenshot=Screenshot(data=b"", encoding="png", width=0, height=0),
    width=1080,
    height=2400,
    ui=None,
    app="",
    captured_at=0.0,
)


def _text(action: files.Action) -> str:
    """The action as its language reads it; languages of JSON may be written without quotes around them."""
    return action if isinstance(action, str) else msgspec.json.encode(action).decode()


def _decision(step: WrittenStep, seen: Observation, language: Language) -> Decision:
    text = _text(step.action)
    return Decision(
        action=language.parse(text, seen),
        output=text,
        tokens=(),
        logprobs=(),
        version=0,
        language=language.name,
        slip=step.slip or bool(step.meant),
        meant=language.parse(_text(step.meant), seen) if step.meant else None,
    )
