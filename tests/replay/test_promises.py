"""What the replay promises when the disk is at its end, or somebody has cut the file."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from distrl.config import ReplayConfig
from distrl.errors import ReplayError
from distrl.replay import iterate, open_replay, read_stats
from distrl.testing.trajectories import make_trajectory


def filled(file: Path, count: int) -> Path:
    async def add() -> None:
        replay = open_replay(file, ReplayConfig())
        for number in range(count):
            await replay.add(make_trajectory(f"t{number}", seed=number, size=(32, 32)))
        replay.close()

    asyncio.run(add())
    return file


def read_all(file: Path) -> None:
    for trajectory in iterate(file):
        number = int(trajectory.id[1:])
        assert trajectory == make_trajectory(trajectory.id, seed=number, size=(32, 32))


@pytest.mark.parametrize("share", [0.9, 0.5, 0.1, 0.01])
def test_a_truncated_file_is_a_sentence_and_never_wrong_data(tmp_path: Path, share: float) -> None:
    file = filled(tmp_path / "replay.sqlite", 30)
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(ReplayError, match=r"replay\.sqlite"):
        read_all(file)


# The kernel refuses to let any file grow beyond 1.5 MB, which a process meets like a full disk.
ADD_UNTIL_FULL = """
import asyncio, itertools, resource, signal, sys
from pathlib import Path
from distrl.config import ReplayConfig
from distrl.errors import ReplayError
from distrl.replay import open_replay
from distrl.testing.trajectories import make_trajectory

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))

async def main():
    replay = open_replay(Path(sys.argv[1]), ReplayConfig())
    for number in itertools.count():
        try:
            await replay.add(make_trajectory(f"t{number}", seed=number, size=(32, 32)))
        except ReplayError as error:
            print(error)
            return
        print(f"t{number}", flush=True)

asyncio.run(main())
"""


def test_a_disk_that_takes_no_more_costs_no_acknowledged_trajectory(tmp_path: Path) -> None:
    file = tmp_path / "replay.sqlite"
    out = subprocess.run(
        [sys.executable, "-c", ADD_UNTIL_FULL, str(file)], capture_output=True, text=True, timeout=120
    )
    *acknowledged, sentence = out.stdout.splitlines()
    assert len(acknowledged) > 5, out.stderr
    assert sentence.startswith(f"the replay {file}")
    assert "disk" in sentence
    stored = {trajectory.id: trajectory for trajectory in iterate(file)}
    assert list(stored) == acknowledged
    for number, name in enumerate(acknowledged):
        assert stored[name] == make_trajectory(name, seed=number, size=(32, 32))
    assert read_stats(file).collected == len(acknowledged)


def test_both_capacities_hold_together(tmp_path: Path) -> None:
    async def add(capacity: int, capacity_gb: float) -> int:
        config = ReplayConfig(capacity=capacity, capacity_gb=capacity_gb)
        replay = open_replay(tmp_path / f"{capacity}-{capacity_gb}.sqlite", config)
        for number in range(40):
            await replay.add(make_trajectory(f"t{number}", seed=number, size=(32, 32)))
            stats = await replay.stats()
            assert stats.trajectories <= capacity
            assert stats.bytes <= capacity_gb * 1e9
        replay.close()
        return stats.trajectories

    assert asyncio.run(add(10, 1.0)) == 10
    assert asyncio.run(add(1000, 300_000 / 1e9)) < 30
