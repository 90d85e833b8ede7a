"""Lists of goals in plain text, one on each line, as Android-in-the-Wild and DigiRL write them.

Such a task has a goal and nothing else: no set-up, no check, no plan. Only a model judge can tell whether it
was reached. Every task is named after its goal, so lines may be added and moved without renaming the others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from distrl.errors import TaskError
from distrl.records import Task
from distrl.tasks.suite import TaskSuite

DEFAULT_MAX_STEPS = 15
LONGEST_GOAL = 1000  # characters; what is longer is no instruction but another kind of file
SHARE = 0.1  # of the training goals, for each of val and test that has no list of its own
SHOWN_FAULTS = 5
ENDING = ".txt"
TRAIN, DEALT = "train", ("test", "val")

_REPEATS = (
    "A goal may stand only once; to keep it where it comes first, see `repeats: once` in docs/tasks.md."
)
_SPLIT_NAME = re.compile(r"(?P<name>.*?)[-_. ]?(?P<split>train|val|test)", re.IGNORECASE)


class Line(NamedTuple):
    """A goal, and where it was read."""

    goal: str
    place: str


Lists = Mapping[str, Sequence[Path]]  # split → its files; the order decides where a repeated goal stays


def load_list(path: str | Path) -> TaskSuite:
    """The suite in a text file, or in a folder with train.txt; one TaskError lists every fault."""
    path = Path(path)
    if path.is_dir():
        files = {split: [path / f"{split}{ENDING}"] for split in (TRAIN, *DEALT)}
        present = {split: named for split, named in files.items() if split == TRAIN or named[0].is_file()}
        return build_lists(path.resolve().name, present)
    name, lists = _with_siblings(path)
    return build_lists(name, lists)


def _with_siblings(path: Path) -> tuple[str, Lists]:
    """A list by itself; or, if it is called …train.txt, with …val.txt and …test.txt beside it."""
    found = _SPLIT_NAME.fullmatch(path.stem)
    if found is None or found["split"].lower() != TRAIN:
        return path.stem, {TRAIN: [path]}
    lists = {TRAIN: [path]}
    for split in DEALT:
        sibling = path.with_name(f"{path.stem[: found.start('split')]}{split}{ENDING}")
        if sibling.is_file():
            lists[split] = [sibling]
    return found["name"] or path.resolve().parent.name, lists


def build_lists(
    name: str, lists: Lists, *, version: str = "1", max_steps: int = DEFAULT_MAX_STEPS, once: bool = False
) -> TaskSuite:
    """A suite of lists; with `once`, a goal that is there again is left out instead of being a fault."""
    faults: list[str] = []
    repeats = False
    seen: dict[str, str] = {}  # goal without regard to case → where it stands
    goals: dict[str, list[str]] = {}
    for split, files in lists.items():
        for line in (line for file in files for line in _read(file, faults)):
            first = seen.setdefault(line.goal.casefold(), line.place)
            if first == line.place:
                goals.setdefault(split, []).append(line.goal)
            elif not once:
                faults.append(f"{line.place}: the goal of {first} again")
                repeats = True
    if not faults:
        goals = _deal(goals, faults, ", ".join(str(file) for files in lists.values() for file in files))
    if faults:
        shown = "".join(f"\n  - {fault}" for fault in faults[:SHOWN_FAULTS])
        more = f"\n  and {len(faults) - SHOWN_FAULTS} more" if len(faults) > SHOWN_FAULTS else ""
        advice = f"\n{_REPEATS}" if repeats else ""
        raise TaskError(f"task list {name!r} has {len(faults)} fault(s):{shown}{more}{advice}")
    tasks = [_task(name, split, goal, max_steps) for split, found in goals.items() for goal in found]
    return TaskSuite(name, version, tasks, {})


def _read(file: Path, faults: list[str]) -> list[Line]:
    """The goals of a file; blank lines and those that start with # are none."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        faults.append(f"{file} cannot be read: {error.strerror}")
        return []
    except UnicodeDecodeError:
        faults.append(f"{file} is not text in UTF-8")
        return []
    lines: list[Line] = []
    for number, raw in enumerate(text.split("\n"), 1):
        goal, place = raw.strip(), f"{file.name}, line {number}"
        if not goal or goal.startswith("#"):
            continue
        if any(ord(character) < 32 and character != "\t" for character in goal):
            faults.append(
                f"{place}: there are characters that cannot be shown; a goal is one line of plain text"
            )
        elif len(goal) > LONGEST_GOAL:
            faults.append(f"{place}: {len(goal)} characters are too many for a goal (at most {LONGEST_GOAL})")
        else:
            lines.append(Line(goal, place))
    if not lines and not faults:
        faults.append(f"{file} holds no goal; write one on each line")
    return lines


def _deal(goals: dict[str, list[str]], faults: list[str], source: str) -> dict[str, list[str]]:
    """Give a tenth of the training goals to each of val and test that has none.

    A goal's own fingerprint decides, so a goal that is added to the list moves no other one from training
    into a test, as long as the list is long enough for both to have some anyway.
    """
    wanting = [split for split in DEALT if split not in goals]
    ranked = sorted(goals.get(TRAIN, []), key=_fraction)
    if len(ranked) <= len(wanting):
        have = f"{len(ranked)} training goal{'' if len(ranked) == 1 else 's'}"
        faults.append(f"{have} in {source} cannot be dealt out to {', '.join((TRAIN, *wanting))}; add goals")
        return goals
    owner: dict[str, str] = {}
    taken = 0
    for place, split in enumerate(wanting, 1):
        below = sum(_fraction(goal) < place * SHARE for goal in ranked)
        end = min(max(taken + 1, below), len(ranked) - len(wanting) + place - 1)
        owner |= dict.fromkeys(ranked[taken:end], split)
        taken = end
    dealt: dict[str, list[str]] = {split: [] for split in (TRAIN, *sorted(wanting, reverse=True))}
    for goal in goals[TRAIN]:
        dealt[owner.get(goal, TRAIN)].append(goal)
    return dealt | {split: found for split, found in goals.items() if split != TRAIN}


def _digest(goal: str) -> str:
    return hashlib.sha256(goal.casefold().encode()).hexdigest()


def _fraction(goal: str) -> float:
    """A number from 0 to 1 that belongs to the goal alone."""
    return int(_digest(goal)[:12], 16) / 16**12


def _task(suite: str, split: str, goal: str, max_steps: int) -> Task:
    words = re.sub(r"[^a-z0-9]+", "-", goal.lower())[:40].strip("-")
    name = "-".join(filter(None, (words, _digest(goal)[:6])))
    return Task(
        id=f"{suite}/{split}/{name}", goal=goal, suite=suite, split=split, max_steps=max_steps, family=suite
    )
