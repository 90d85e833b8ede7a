"""The learner's state on disk: written whole or not at all, with the one before kept as a spare.

A checkpoint is a `torch.save` of plain dicts, numbers and tensors, loadable with `weights_only=True`.
"""

from __future__ import annotations

import os
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from distrl.errors import RunError

FORMAT = 1
_Unreadable = (
    RuntimeError,
    pickle.UnpicklingError,
    EOFError,
    OSError,
    zipfile.BadZipFile,
    KeyError,
    ValueError,
)


@dataclass(frozen=True)
class Checkpoint:
    """Everything a learner needs to go on as if it had never stopped."""

    module: dict[str, Tensor]
    algorithm: dict[str, object]
    average: dict[str, Tensor]  # of the weights, as it is published; empty without one
    updates: int
    version: int  # the newest published when this was written
    seconds: float  # trained so far
    rng: Tensor  # torch's random state


def open_state(state: dict[str, object], kind: str, *names: str) -> tuple[list[dict[str, Any]], int]:
    """The named parts of an algorithm's state, and its updates; RunError if another algorithm wrote it."""
    parts, updates = [state.get(name) for name in names], state.get("updates", 0)
    found = [part for part in parts if isinstance(part, dict)]
    if state.get("kind") != kind or len(found) < len(names) or not isinstance(updates, int):
        raise RunError(f"the checkpoint was written by {state.get('kind')!r}, not by {kind}")
    return found, updates


def spare(path: Path) -> Path:
    """Where the checkpoint before the current one is kept."""
    return path.with_name(f"{path.stem}.previous{path.suffix}")


def save(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; a crash at any moment leaves this one or the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp")
    with temporary.open("wb") as file:
        torch.save({"format": FORMAT, **vars(checkpoint)}, file)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        path.replace(spare(path))
    temporary.replace(path)


def restore(path: Path, on_damage: Callable[[Path, str], None]) -> Checkpoint | None:
    """The newest readable checkpoint, None if there never was one.

    `on_damage` is told of each that cannot be read; if none is left, RunError says what to do.
    """
    damaged: list[Path] = []
    for candidate in (path, spare(path)):
        if not candidate.exists():
            continue
        try:
            checkpoint = _read(candidate)
        except _Unreadable as error:
            damaged.append(candidate)
            on_damage(candidate, _first_line(error))
            continue
        for broken in damaged:  # out of the way, or the next save would make it the spare
            broken.replace(broken.with_name(f"{broken.name}.damaged"))
        return checkpoint
    if damaged:
        raise RunError(
            f"no checkpoint can be read, damaged: {', '.join(map(str, damaged))}; move them away to go on "
            "from the newest published weights"
        )
    return None


def _read(path: Path) -> Checkpoint:
    with zipfile.ZipFile(path) as archive:  # torch.load itself checks no checksums
        broken = archive.testzip()
    if broken is not None:
        raise ValueError(f"the checksum of {broken} does not match")
    values = torch.load(path, map_location="cpu", weights_only=True)
    if values["format"] != FORMAT:
        raise RunError(f"{path} has format {values['format']}; this distrl reads format {FORMAT}")
    values.setdefault("average", {})  # written before weights could be averaged
    return Checkpoint(**{name: values[name] for name in Checkpoint.__dataclass_fields__})


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
