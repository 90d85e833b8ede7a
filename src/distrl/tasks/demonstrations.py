"""Demonstrations in files: one episode a line, so that people can bring episodes of their own.

A line is a `Trajectory` as `distrl.records.encode_json` writes it, `[1,"Trajectory",{…}]`; docs/tasks.md
describes the fields. Decisions need no tokens: a policy that learns from them spells the actions in its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from distrl.errors import RecordError, TaskError
from distrl.records import Trajectory, decode_json, encode_json


def save(path: str | Path, trajectories: Iterable[Trajectory]) -> int:
    """Write episodes to a file, all or nothing; returns how many there were."""
    path = Path(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    count = 0
    try:
        with temporary.open("wb") as file:
            for trajectory in trajectories:
                file.write(encode_json(trajectory) + b"\n")
                count += 1
        temporary.replace(path)
    except OSError as error:
        raise TaskError(f"demonstrations cannot be written to {path}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def load(path: str | Path) -> Iterator[Trajectory]:
    """The episodes of a file, one after the other; raises TaskError with the line that cannot be used."""
    path = Path(path)
    known: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                trajectory = _read(line, f"{path}, line {number}")
                if trajectory.id in known:
                    raise TaskError(
                        f"{path}, line {number}: the id {trajectory.id!r} is that of line "
                        f"{known[trajectory.id]}: give each episode its own"
                    )
                known[trajectory.id] = number
                yield trajectory
    except OSError as error:
        raise TaskError(f"demonstrations {path} cannot be read: {error.strerror}") from error


def _read(line: bytes, place: str) -> Trajectory:
    try:
        trajectory = decode_json(line, Trajectory)
    except RecordError as error:
        raise TaskError(f"{place}: {error}") from error
    if not trajectory.steps:
        raise TaskError(f"{place}: the episode {trajectory.id!r} has no steps: leave it out")
    return trajectory
