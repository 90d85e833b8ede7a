"""How far each tracker has got with a run's records, kept on disk so that no point is sent twice."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from distrl.recording import write_then_rename


class Mark(msgspec.Struct):
    """How far a tracker has got, kept on disk."""

    lines: dict[str, int] = {}  # by part of the run
    note: dict[str, str] = {}  # what the tracker itself must remember, such as its run's id


def read_mark(file: Path) -> Mark:
    """What was kept, or a new mark."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Mark)
    except FileNotFoundError:
        return Mark()


def write_mark(file: Path, mark: Mark) -> None:
    """Keep a mark; whoever is killed meanwhile has the former one."""
    write_then_rename(file, msgspec.json.encode(mark))


def mark_name(kind: str, project: str) -> str:
    """The file for a tracker with projects: another project begins anew."""
    return f"{kind}-{re.sub('[^A-Za-z0-9._-]', '-', project)}.json"
