"""Demonstrations in files: one episode a line, so that people can bring episodes of their own.

A line is either *recorded*, a `Trajectory` as `distrl.records.encode_json` writes it, `[1,"Trajectory",{…}]`,
or *written* by a person or a converter, `{"task": …, "steps": [{"action": "tap 0.5 0.2"}, …]}`.
docs/demonstrations.md describes both. A file is used as a whole or not at all, and never if it shows how to
solve what an agent is measured on.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

import msgspec

from distrl.errors import RecordError, TaskError
from distrl.interfaces import Suite
from distrl.records import Record, Task, Trajectory, decode_json, encode_json
from distrl.tasks.suite import Index

MOST_FAULTS = 8  # told at once; the rest are counted
OWN_STEPS = 30  # allowed in a task that only the file knows
Action = str | dict[str, object]


class WrittenNode(Record, frozen=True, omit_defaults=True, rename={"class_name": "class"}):
    """One element of the accessibility tree, with only what is known about it; bounds in screen pixels."""

    bounds: tuple[int, int, int, int]
    class_name: str = "android.view.View"
    text: str = ""
    description: str = ""
    resource_id: str = ""
    package: str = ""
    parent: int = -1
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    editable: bool = False
    focused: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    enabled: bool = True
    password: bool = False


class WrittenStep(Record, frozen=True, omit_defaults=True):
    """One action, and the screen on which it was done, unless the episode is to be repeated on a device."""

    action: Action  # as the episode's language has it
    screen: str = ""  # a PNG or JPEG file, relative to the demonstrations' own folder
    ui: tuple[WrittenNode, ...] | None = None
    app: str = ""
    size: tuple[int, int] | None = None  # of the screen that `ui` refers to; by default that of the picture
    slip: bool = False  # happened, but is not to be imitated
    meant: Action = ""  # what is to be imitated in place of a slip


class WrittenEpisode(Record, frozen=True, omit_defaults=True, kw_only=True):
    """An episode in as few words as possible; a task of the suite, or a goal of its own."""

    task: str = ""  # id of a training task of the suite
    goal: str = ""  # instead of `task`, for what no suite knows
    seed: int = 0  # of the phone's variation
    language: str = "distrl"  # of the actions
    outcome: Literal["success", "failure", ""] = ""
    by: str = "somebody"
    id: str = ""
    steps: tuple[WrittenStep, ...]


@dataclass(frozen=True)
class Demonstration:
    """One line of a file."""

    place: str  # for sentences: "human.jsonl, line 3"
    id: str
    folder: Path  # that picture files are relative to
    episode: Trajectory | WrittenEpisode


def save(path: str | Path, episodes: Iterable[Trajectory | WrittenEpisode]) -> int:
    """Write episodes to a file, all or nothing; returns how many there were."""
    path = Path(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    count = 0
    try:
        with temporary.open("wb") as file:
            for episode in episodes:
                recorded = isinstance(episode, Trajectory)
                file.write((encode_json(episode) if recorded else msgspec.json.encode(episode)) + b"\n")
                count += 1
        temporary.replace(path)
    except OSError as error:
        raise TaskError(f"demonstrations cannot be written to {path}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def read(path: str | Path) -> list[Demonstration]:
    """All episodes of a file; raises one TaskError that names every line which cannot be used, and why."""
    path = Path(path)
    found: list[Demonstration] = []
    faults: list[str] = []
    lines_of: dict[str, int] = {}
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise TaskError(f"demonstrations {path} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            episode = _read(line)
        except RecordError as error:
            faults.append(f"line {number}: {error}")
            continue
        id = episode.id or f"{path.stem}-{number}"
        if id in lines_of:
            faults.append(f"line {number}: the id {id!r} is that of line {lines_of[id]}: give each its own")
        lines_of.setdefault(id, number)
        found.append(Demonstration(f"{path.name}, line {number}", id, path.parent, episode))
    if faults:
        raise TaskError(together(str(path), faults))
    if not found:
        raise TaskError(f"{path} holds no demonstrations")
    return found


def _read(line: bytes) -> Trajectory | WrittenEpisode:
    if line.lstrip().startswith(b"["):
        trajectory = decode_json(line, Trajectory)
        if not trajectory.steps:
            raise RecordError(f"the episode {trajectory.id!r} has no steps: leave it out")
        return trajectory
    try:
        written = msgspec.json.decode(line, type=WrittenEpisode)
    except msgspec.ValidationError as error:
        raise RecordError(f"the episode is not as it should be: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"neither a written nor a recorded episode ({error})") from error
    return _sensible(written)


def _sensible(written: WrittenEpisode) -> WrittenEpisode:
    """The same episode, if its parts fit together."""
    if bool(written.task) == bool(written.goal.strip()):
        raise RecordError("give either `task` (an id of the suite) or a `goal` of its own")
    if not written.steps:
        raise RecordError("the episode has no steps: leave it out")
    bare = [number for number, step in enumerate(written.steps, 1) if not step.screen]
    if bare and len(bare) < len(written.steps):
        raise RecordError(f"step {bare[0]} has no `screen`, though others have: give it to all steps or none")
    if bare and written.goal:
        raise RecordError("without `screen` an episode is repeated on a device, which only a `task` allows")
    if not bare and not written.outcome:
        raise RecordError("say how it ended: `outcome` is success or failure")
    if bare and any(step.ui is not None for step in written.steps):
        raise RecordError("`ui` needs a `screen` beside it")
    return written


def together(source: str, faults: Sequence[str]) -> str:
    """Several faults of a file in one message; nothing of the file is used then."""
    shown = [f"  - {fault}" for fault in faults[:MOST_FAULTS]]
    more = len(faults) - len(shown)
    tail = [f"  … and {more} more"] if more else []
    return "\n".join([f"{source} cannot be used:", *shown, *tail])


def digest(demonstrations: Iterable[Demonstration]) -> str:
    """A fingerprint of everything that the demonstrations say and show."""
    total = hashlib.blake2b(digest_size=16)
    for demonstration in demonstrations:
        total.update(msgspec.json.encode(demonstration.episode))
        for file in pictures(demonstration):
            total.update(read_picture(file))
    return total.hexdigest()


def pictures(demonstration: Demonstration) -> list[Path]:
    """The files of a written episode's screens, in order."""
    if isinstance(demonstration.episode, Trajectory):
        return []
    return [demonstration.folder / step.screen for step in demonstration.episode.steps if step.screen]


def read_picture(file: Path) -> bytes:
    """A picture's bytes; raises TaskError if there is no such file."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise TaskError(f"the screen {file} cannot be read: {error.strerror}") from error


class Ground:
    """What may be demonstrated for a suite: training tasks and goals of one's own, never what is measured."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite.name
        self._tasks = Index(suite)
        self._measured = {
            task.goal.strip().lower(): task for task in self._tasks.listed.values() if task.split != "train"
        }

    def task(self, demonstration: Demonstration) -> Task:
        """The task that was demonstrated; raises TaskError if it is unknown or kept for measuring."""
        episode = demonstration.episode
        if isinstance(episode, WrittenEpisode):
            return self._known(episode.task) if episode.task else self._own(demonstration.id, episode)
        task = episode.task
        if task.suite == self._suite:
            known = self._known(task.id)
            if known.goal != task.goal:
                raise TaskError(f"task {task.id!r} has another goal by now; record it anew")
            return known
        if task.split != "train":
            raise TaskError(f"task {task.id!r} is of split {task.split!r} of suite {task.suite!r}; {_WHY}")
        return self._unmeasured(task)

    def _known(self, id: str) -> Task:
        task = self._tasks.get(id)
        if task is None:
            near = get_close_matches(id, self._tasks.listed, 1)
            hint = f"did you mean {near[0]}?" if near else f"see: distrl tasks list {self._suite}"
            raise TaskError(f"suite {self._suite!r} has no task {id!r}; {hint}")
        if task.split != "train":
            raise TaskError(f"task {id!r} is of split {task.split!r}; {_WHY}")
        return task

    def _own(self, id: str, episode: WrittenEpisode) -> Task:
        return self._unmeasured(
            Task(
                id=id,
                goal=episode.goal.strip(),
                suite="demonstrations",
                split="train",
                max_steps=max(OWN_STEPS, len(episode.steps)),
                family="demonstrations",
            )
        )

    def _unmeasured(self, task: Task) -> Task:
        same = self._measured.get(task.goal.strip().lower())
        if same is not None:
            raise TaskError(f"its goal is that of {same.id!r}, a task of split {same.split!r}; {_WHY}")
        return task


_WHY = "who learns from what is measured makes the measurement worthless: leave it out"


def check_ground(demonstrations: Sequence[Demonstration], suite: Suite, source: str) -> list[Task]:
    """The task of each demonstration; one TaskError names all that may not be learnt from."""
    ground = Ground(suite)
    tasks: list[Task] = []
    faults: list[str] = []
    for demonstration in demonstrations:
        try:
            tasks.append(ground.task(demonstration))
        except TaskError as error:
            faults.append(f"{demonstration.place.rpartition(', ')[2]}: {error}")
    if faults:
        raise TaskError(together(source, faults))
    return tasks
