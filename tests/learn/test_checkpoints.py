"""A checkpoint is whole or absent; a damaged one gives way to the one before, loudly."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from distrl.errors import RunError
from distrl.learn.checkpoints import Checkpoint, restore, save, spare


def checkpoint(updates: int) -> Checkpoint:
    return Checkpoint(
        module={"weight": torch.full((1000,), float(updates))},
        algorithm={"kind": "testing", "nested": {"betas": (0.9, 0.999), "step": 3, "foreach": None}},
        average={"weight": torch.zeros(1000)},
        updates=updates,
        version=updates // 2,
        seconds=1.5,
        rng=torch.get_rng_state(),
    )


@pytest.fixture
def damage() -> list[str]:
    """What was told of damaged files."""
    return []


def saved_twice(folder: Path) -> Path:
    path = folder / "deeper" / "checkpoint.pt"
    save(path, checkpoint(1))
    save(path, checkpoint(2))
    return path


def test_what_was_saved_comes_back(tmp_path: Path, damage: list[str]) -> None:
    path = saved_twice(tmp_path)
    found = restore(path, lambda *_: damage.append("told"))
    assert found is not None
    assert found.updates == 2
    assert torch.equal(found.module["weight"], torch.full((1000,), 2.0))
    assert found.algorithm == checkpoint(2).algorithm
    assert damage == []
    assert sorted(entry.name for entry in path.parent.iterdir()) == [
        "checkpoint.previous.pt",
        "checkpoint.pt",
    ]


def test_without_any_there_is_nothing_to_restore(tmp_path: Path) -> None:
    assert restore(tmp_path / "checkpoint.pt", lambda *_: None) is None


def test_a_crash_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    path = saved_twice(tmp_path)
    path.replace(spare(path))
    found = restore(path, lambda *_: None)
    assert found is not None
    assert found.updates == 2


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = data.index(torch.full((4,), 2.0).numpy().tobytes())
    data[middle + 2] ^= 0xFF
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("harm", [_truncate, _empty, _flip])
def test_a_damaged_checkpoint_gives_way_to_the_one_before(tmp_path: Path, harm: object) -> None:
    path = saved_twice(tmp_path)
    assert callable(harm)
    harm(path)
    told: list[tuple[Path, str]] = []
    found = restore(path, lambda which, why: told.append((which, why)))
    assert found is not None
    assert found.updates == 1
    assert [which for which, _ in told] == [path]
    # The next save must not make the damaged file the spare.
    save(path, checkpoint(3))
    _truncate(path)
    again = restore(path, lambda *_: None)
    assert again is not None
    assert again.updates == 1


def test_two_damaged_checkpoints_are_an_error_not_a_fresh_start(tmp_path: Path) -> None:
    path = saved_twice(tmp_path)
    _truncate(path)
    _truncate(spare(path))
    with pytest.raises(RunError, match=r"no checkpoint can be read.*move them away"):
        restore(path, lambda *_: None)
    assert path.exists()
