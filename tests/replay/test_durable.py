"""The replay file survives kills, full disks and readers, and forgets what nobody uses."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from distrl.config import ReplayConfig, RunConfig
from distrl.errors import ReplayError
from distrl.interfaces import TaskRecord
from distrl.records import Ending, Trajectory
from distrl.replay import (
    RoundLimiter,
    SqliteReplay,
    iterate,
    limiter_for,
    open_replay,
    read_stats,
    read_trajectory,
)
from distrl.testing.trajectories import make_trajectory

FREE = ReplayConfig(min_trajectories=1, slack=10**9)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "replay.sqlite"


def add_all(replay: SqliteReplay, *trajectories: Trajectory) -> None:
    async def add() -> None:
        for trajectory in trajectories:
            assert await replay.add(trajectory)

    asyncio.run(add())


def count(file: Path, table: str) -> int:
    connection = sqlite3.connect(file)
    try:
        return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
    finally:
        connection.close()


# --- crashes

ADD_FOREVER = """
import asyncio, itertools, sys
from pathlib import Path
from distrl.config import ReplayConfig
from distrl.replay import open_replay
from distrl.testing.trajectories import make_trajectory

async def main():
    replay = open_replay(Path(sys.argv[1]), ReplayConfig())
    for number in itertools.count():
        await replay.add(make_trajectory(f"{sys.argv[2]}-{number}", seed=number % 50))
        print(f"{sys.argv[2]}-{number}", flush=True)

asyncio.run(main())
"""


def test_what_was_acknowledged_survives_kill_9(file: Path) -> None:
    acknowledged: set[str] = set()
    for life in ("first", "second"):
        process = subprocess.Popen(
            [sys.executable, "-c", ADD_FOREVER, str(file), life], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(40):
            acknowledged.add(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
        acknowledged.update(line.strip() for line in process.stdout if line.endswith("\n"))
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
    stored = {trajectory.id: trajectory for trajectory in iterate(file)}
    assert len(acknowledged) >= 80
    assert acknowledged <= stored.keys()
    stats = read_stats(file)
    assert stats.collected == stats.trajectories == len(stored)
    assert stored["first-7"] == make_trajectory("first-7", seed=7)


def test_a_process_that_dies_without_closing_loses_no_counter(file: Path) -> None:
    limiter = RoundLimiter(2)
    replay = open_replay(file, FREE, limiter=limiter)
    add_all(replay, make_trajectory("a"), make_trajectory("b"))
    asyncio.run(replay.sample(3, version=0))
    asyncio.run(replay.published(1))
    add_all(replay, make_trajectory("c"))
    again = open_replay(file, FREE, limiter=RoundLimiter(2))  # the first one was never closed
    assert asyncio.run(again.stats()).trained_steps == 9
    assert "1 of 2" in asyncio.run(again.sample(1, version=0)).reason


def test_waiting_times_add_up_over_restarts(file: Path) -> None:
    now = [0.0]
    for _ in range(2):
        replay = open_replay(file, FREE, limiter=RoundLimiter(1, clock=lambda: now[0]))
        asyncio.run(replay.sample(1, version=0))
        now[0] += 5
        assert asyncio.run(replay.stats()).learner_wait_s == now[0]
        replay.close()
    assert read_stats(file).learner_wait_s == 10.0


# --- eviction and pictures


def test_pictures_are_stored_once_and_leave_with_their_last_user(file: Path) -> None:
    replay = open_replay(file, FREE.model_copy(update={"capacity": 2}))
    add_all(replay, make_trajectory("a", seed=1), make_trajectory("b", seed=1))
    assert count(file, "blobs") == 4  # three steps and the final screen
    add_all(replay, make_trajectory("c", seed=2))
    assert count(file, "blobs") == 8
    add_all(replay, make_trajectory("d", seed=2))
    assert count(file, "blobs") == 4
    assert [one.id for one in iterate(file)] == ["c", "d"]
    assert count(file, "uses") == 8
    assert count(file, "bodies") == 2
    replay.close()


def test_the_same_screen_twice_in_a_trajectory_is_one_picture(file: Path) -> None:
    trajectory = make_trajectory("still")
    still = replace(trajectory, steps=(trajectory.steps[0],) * 3, final=trajectory.steps[0].observation)
    replay = open_replay(file, FREE)
    add_all(replay, still)
    assert count(file, "blobs") == 1
    replay.close()
    assert read_trajectory(file, "still") == still


def test_the_oldest_leave_when_the_file_grows_too_large(file: Path) -> None:
    limit = 400_000
    replay = open_replay(file, FREE.model_copy(update={"capacity_gb": limit / 1e9}))
    for number in range(30):
        add_all(replay, make_trajectory(f"t{number}", seed=number, size=(64, 64)))  # about 50 kB each
        assert asyncio.run(replay.stats()).bytes <= limit
    held = [one.id for one in iterate(file)]
    assert 4 <= len(held) <= 8
    assert held == [f"t{number}" for number in range(30 - len(held), 30)]
    drawn = asyncio.run(replay.sample(200, version=0)).drawn
    assert {one.trajectory.id for one in drawn} == set(held)
    replay.close()
    assert file.stat().st_size < 2 * limit


def test_the_newest_trajectory_stays_even_if_it_alone_is_too_large(file: Path) -> None:
    replay = open_replay(file, FREE.model_copy(update={"capacity_gb": 1e-9}))
    add_all(replay, make_trajectory("a"), make_trajectory("b"))
    assert [one.id for one in iterate(file)] == ["b"]
    replay.close()


def test_unusable_trajectories_are_kept_for_a_look(file: Path) -> None:
    lost = make_trajectory("lost", steps=0, ending=Ending.DEVICE_LOST)
    replay = open_replay(file, FREE)
    add_all(replay, lost)
    replay.close()
    assert read_trajectory(file, "lost") == lost


# --- readers


def test_readers_work_while_the_replay_is_written(file: Path) -> None:
    replay = open_replay(file, FREE.model_copy(update={"capacity": 20}))
    add_all(replay, *(make_trajectory(f"t{number}") for number in range(20)))
    reading = iterate(file)
    assert next(reading).id == "t0"
    add_all(replay, *(make_trajectory(f"u{number}") for number in range(10)))  # evicts t0 to t9
    assert [one.id for one in reading] == [f"t{number}" for number in range(10, 20)]
    assert read_stats(file).collected == 30
    with pytest.raises(ReplayError, match=r"t3 is not in the replay .* it has left it"):
        read_trajectory(file, "t3")
    with pytest.raises(ReplayError, match="was never in it"):
        read_trajectory(file, "elsewhere")
    replay.close()


def test_a_replay_opened_for_reading_refuses_to_add(file: Path) -> None:
    open_replay(file, FREE).close()
    replay = open_replay(file, FREE, read_only=True)
    with pytest.raises(ReplayError, match="reading only"):
        asyncio.run(replay.add(make_trajectory("a")))
    assert asyncio.run(replay.stats()).trajectories == 0
    replay.close()


def test_an_archive_nobody_can_write_to_can_be_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = open_replay(file, FREE)
    add_all(replay, make_trajectory("a"))
    replay.close()
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # chmod would not stop root
    reading = iterate(file)
    assert next(reading).id == "a"
    assert [inside.name for inside in file.parent.iterdir()] == [file.name]  # no -shm was made
    reading.close()  # type: ignore[attr-defined]


def test_closing_twice_is_fine(file: Path) -> None:
    replay = open_replay(file, FREE)
    replay.close()
    replay.close()
    with pytest.raises(ReplayError):
        asyncio.run(replay.add(make_trajectory("a")))


# --- faults


def test_a_missing_file_or_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="there is no replay at"):
        read_stats(tmp_path / "none.sqlite")
    with pytest.raises(ReplayError, match=r"the folder .* does not exist"):
        open_replay(tmp_path / "none" / "replay.sqlite", FREE)


def test_a_file_that_is_no_database_is_refused(file: Path) -> None:
    file.write_bytes(b"this is a letter, not a database " * 200)
    with pytest.raises(ReplayError, match="is not a replay"):
        open_replay(file, FREE)


def test_a_foreign_database_is_refused_and_left_alone(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(ReplayError, match="no table 'meta'"):
        open_replay(file, FREE)
    assert file.read_bytes() == before


def change(file: Path, statement: str) -> None:
    replay = open_replay(file, FREE)
    add_all(replay, make_trajectory("a"))
    replay.close()
    connection = sqlite3.connect(file)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE meta SET value = '99'", "has schema 99; this distrl reads schema 1"),
        ("DELETE FROM meta", "has no schema number"),
        ("DROP TABLE blobs", "lacks the table blobs"),
    ],
)
def test_another_schema_is_refused(file: Path, statement: str, message: str) -> None:
    change(file, statement)
    with pytest.raises(ReplayError, match=message):
        open_replay(file, FREE)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM blobs", "trajectory a .* is damaged .the picture"),
        ("UPDATE bodies SET body = x'00010203'", "trajectory a .* is damaged"),
        ("DELETE FROM bodies", "vanished"),
    ],
)
def test_a_damaged_trajectory_is_named_when_drawn(file: Path, statement: str, message: str) -> None:
    change(file, statement)
    replay = open_replay(file, FREE)
    with pytest.raises(ReplayError, match=message):
        asyncio.run(replay.sample(1, version=0))
    replay.close()


def test_damaged_pages_are_reported_in_a_sentence(file: Path) -> None:
    replay = open_replay(file, FREE)
    add_all(replay, *(make_trajectory(f"t{number}", seed=number, size=(32, 32)) for number in range(40)))
    replay.close()
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(bytes(data))
    with pytest.raises(ReplayError, match="is damaged"):
        open_replay(file, FREE)


def test_a_full_disk_is_told_and_loses_nothing(file: Path) -> None:
    replay = open_replay(file, FREE)
    add_all(replay, make_trajectory("small"))
    connection = replay._store.database.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    large = make_trajectory("large", size=(64, 64), seed=9)
    for _ in range(2):
        with pytest.raises(ReplayError, match="the disk is full; free space"):
            asyncio.run(replay.add(large))
    stats = asyncio.run(replay.stats())
    assert (stats.collected, stats.trajectories) == (1, 1)
    assert [one.trajectory.id for one in asyncio.run(replay.sample(1, version=0)).drawn] == ["small"]
    connection.execute("PRAGMA max_page_count = 1000000")
    add_all(replay, large)
    replay.close()
    assert [one.id for one in iterate(file)] == ["small", "large"]


def test_a_sample_of_nothing_is_refused(file: Path) -> None:
    replay = open_replay(file, FREE)
    with pytest.raises(ReplayError, match="at least one"):
        asyncio.run(replay.sample(0, version=0))
    replay.close()


# --- small things


def test_recent_results_are_the_last_twenty(file: Path) -> None:
    replay = open_replay(file, FREE.model_copy(update={"capacity": 1}))
    add_all(replay, *(make_trajectory(f"t{number}", success=number >= 25) for number in range(30)))
    record = asyncio.run(replay.task_records())["press-ok"]
    assert (record.tried, record.solved) == (20, 5)
    replay.close()


def test_results_of_tasks_drawn_anew_count_for_the_task_in_whose_place_they_were_drawn(file: Path) -> None:
    replay = open_replay(file, FREE)
    drawn = [make_trajectory(f"t{number}", success=number > 0) for number in range(3)]
    add_all(
        replay,
        *(replace(each, task=replace(each.task, id=f"press-ok#{place}")) for place, each in enumerate(drawn)),
    )
    assert asyncio.run(replay.task_records()) == {"press-ok": TaskRecord(tried=3, solved=2)}
    replay.close()


def test_new_trajectories_are_drawn_by_what_they_are_worth_on_arrival(file: Path) -> None:
    """And that is kept in the file: a restarted replay draws by it too."""
    config = FREE.model_copy(update={"alpha": 1.0})

    def draws(replay: SqliteReplay) -> Counter[str]:
        return Counter(drawn.trajectory.id for drawn in asyncio.run(replay.sample(4000, 0)).drawn)

    with closing(open_replay(file, config, arrival=lambda each: 9.0 if each.success else 1.0)) as replay:
        add_all(replay, make_trajectory("good"), make_trajectory("bad", success=False))
        assert draws(replay)["good"] == pytest.approx(3600, abs=2)
    with closing(open_replay(file, config)) as replay:
        assert draws(replay)["good"] == pytest.approx(3600, abs=2)


def test_the_limiter_follows_the_mode() -> None:
    assert isinstance(limiter_for(RunConfig(mode="sync")), RoundLimiter)
    assert not isinstance(limiter_for(RunConfig()), RoundLimiter)
