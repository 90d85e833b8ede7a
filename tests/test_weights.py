"""Weights come back as they were published, and a crash never leaves half a version."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save

from distrl import recording
from distrl import weights as weights_module
from distrl.errors import WeightsError
from distrl.interfaces import WeightStore
from distrl.weights import FileWeights, apply_changes, changes_between


@pytest.fixture
def store(tmp_path: Path) -> FileWeights:
    return FileWeights(tmp_path / "weights", "run", keep=3)


def numbers(store: FileWeights) -> list[int]:
    return [version.number for version in store.versions()]


@settings(max_examples=30, deadline=None)
@given(data=st.binary(max_size=5000))
def test_bytes_out_are_bytes_in(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    store: WeightStore = FileWeights(tmp_path_factory.mktemp("weights"), "run")

    async def there_and_back() -> bytes:
        version = await store.publish(data, learner_step=7)
        assert await store.latest() == version
        assert (version.run, version.number, version.learner_step) == ("run", 0, 7)
        return await store.load(version.number)

    assert asyncio.run(there_and_back()) == data


def test_nothing_published_yet(store: FileWeights) -> None:
    assert store.latest_sync() is None
    assert store.versions() == []
    with pytest.raises(WeightsError, match=r"version 0 is not in .*; kept are none"):
        store.load_sync(0)


def test_the_first_and_the_newest_are_kept(store: FileWeights) -> None:
    store.keep_always.add(4)
    for step in range(10):
        store.publish_sync(bytes([step]), step)
    assert numbers(store) == [0, 4, 7, 8, 9]
    assert store.load_sync(0) == b"\x00"
    assert store.load_sync(9) == b"\x09"
    with pytest.raises(WeightsError, match="ask for the latest"):
        store.load_sync(5)
    assert sorted(file.name for file in store.folder.iterdir()) == sorted(
        f"{number:06d}.{ending}" for number in (0, 4, 7, 8, 9) for ending in ("json", "safetensors")
    )


def test_another_process_continues_the_numbers(store: FileWeights) -> None:
    for step in range(5):
        store.publish_sync(b"x", step)
    resumed = FileWeights(store.folder, "run", keep=3)
    assert resumed.publish_sync(b"y", 99).number == 5


@pytest.mark.parametrize("damage", [b"", b"other", b"weights and more"])
def test_damaged_weights_are_refused(store: FileWeights, damage: bytes) -> None:
    store.publish_sync(b"weights", 0)
    (store.folder / "000000.safetensors").write_bytes(damage)
    with pytest.raises(WeightsError, match="its digest is not that of version 0"):
        store.load_sync(0)


def test_a_damaged_record_is_refused(store: FileWeights) -> None:
    store.publish_sync(b"weights", 0)
    (store.folder / "000000.json").write_bytes(b"{")
    with pytest.raises(WeightsError, match="cannot be read"):
        store.latest_sync()
    with pytest.raises(WeightsError, match="cannot be read"):
        store.versions()


def test_a_crash_before_the_record_leaves_the_former_version(
    store: FileWeights, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.publish_sync(b"first", 0)
    write = recording.write_then_rename

    def killed_before_record(path: Path, data: bytes) -> None:
        if path.suffix == ".json":
            raise KeyboardInterrupt
        write(path, data)

    monkeypatch.setattr(weights_module, "write_then_rename", killed_before_record)
    with pytest.raises(KeyboardInterrupt):
        store.publish_sync(b"never announced", 1)
    monkeypatch.undo()
    assert numbers(store) == [0]
    assert store.publish_sync(b"second", 1).number == 1
    assert store.load_sync(1) == b"second"


def test_a_full_disk_is_told_and_keeps_the_former_version(
    store: FileWeights, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.publish_sync(b"first", 0)

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(weights_module, "write_then_rename", full)
    with pytest.raises(WeightsError, match=r"version 1 cannot be published in .*: No space left"):
        store.publish_sync(b"second", 1)
    assert numbers(store) == [0]


PUBLISH_FOREVER = """
import itertools, sys
from pathlib import Path
from distrl.weights import FileWeights

store = FileWeights(Path(sys.argv[1]), "run", keep=2)
for step in itertools.count():
    print(store.publish_sync(bytes([step % 256]) * 200_000, step).number, flush=True)
"""


def test_kill_9_never_leaves_half_a_version(store: FileWeights) -> None:
    last = -1
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", PUBLISH_FOREVER, str(store.folder)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(12):
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.stdout.close()
        process.wait()
        latest = store.latest_sync()
        assert latest is not None
        assert latest.number >= last
        for version in store.versions():
            assert len(store.load_sync(version.number)) == 200_000


# --- only what changed --------------------------------------------------------------------------


def tensors(**values: float) -> bytes:
    return bytes(save({name: torch.full((100,), value) for name, value in values.items()}))


def test_changes_hold_only_the_tensors_that_differ() -> None:
    base, following = tensors(a=1, b=2, c=3), tensors(a=1, b=5, d=4)
    changes = changes_between(base, following)
    assert set(changes.tensors) == {"b", "d"}
    assert apply_changes(base, changes) == following
    assert changes_between(base, base).tensors == {}
    assert apply_changes(base, changes_between(base, base)) == base


def test_changes_for_other_weights_are_refused() -> None:
    changes = changes_between(tensors(a=1, b=2), tensors(a=1, b=3))
    with pytest.raises(WeightsError, match="'a'"):
        apply_changes(tensors(b=2), changes)
    with pytest.raises(WeightsError, match="safetensors"):
        apply_changes(b"nothing of the kind", changes)
