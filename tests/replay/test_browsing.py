"""A replay can be looked into by brief lines and by the beginnings of ids, also while it is written."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from distrl.config import ReplayConfig
from distrl.errors import ReplayError
from distrl.records import Ending, Outcome
from distrl.replay import open_replay
from distrl.replay.browsing import Selection, briefs, resolve_id
from distrl.testing.trajectories import make_trajectory


@pytest.fixture
def file(tmp_path: Path) -> Path:
    async def fill() -> None:
        replay = open_replay(tmp_path / "replay.sqlite", ReplayConfig(capacity=4))
        for trajectory in (
            make_trajectory("gone"),
            make_trajectory("abc1", task="shop/buy-1", version=(3, 4, 5)),
            make_trajectory("abc2", task="shop/buy-2", success=False),
            make_trajectory("abd", task="notes/new", outcome=Outcome.UNKNOWN),
            make_trajectory("empty", task="notes/new", steps=0, ending=Ending.DEVICE_LOST, success=False),
        ):
            await replay.add(trajectory)
        replay.close()

    asyncio.run(fill())
    return tmp_path / "replay.sqlite"


def ids(file: Path, selection: Selection, last: int | None = None) -> list[str]:
    return [brief.id for brief in briefs(file, selection, last)]


def test_a_brief_tells_what_a_trajectory_is(file: Path) -> None:
    first, *_, last = briefs(file)
    assert (first.id, first.task, first.steps) == ("abc1", "shop/buy-1", 3)
    assert (first.oldest_version, first.newest_version) == (3, 5)
    assert (first.outcome, first.ending, first.device) == (Outcome.SUCCESS, Ending.AGENT_DONE, "device-0")
    assert (last.steps, last.oldest_version, last.newest_version) == (0, None, None)


def test_selections_and_the_newest(file: Path) -> None:
    assert ids(file, Selection()) == ["abc1", "abc2", "abd", "empty"]
    assert ids(file, Selection(), last=2) == ["abd", "empty"]
    assert ids(file, Selection(outcome=Outcome.FAILURE)) == ["abc2", "empty"]
    assert ids(file, Selection(outcome=Outcome.FAILURE), last=1) == ["empty"]
    assert ids(file, Selection(task="buy")) == ["abc1", "abc2"]
    assert ids(file, Selection(ending=Ending.DEVICE_LOST)) == ["empty"]
    assert ids(file, Selection(outcome=Outcome.SUCCESS, task="notes")) == []


def test_a_unique_beginning_is_enough(file: Path) -> None:
    assert resolve_id(file, "e") == "empty"
    assert resolve_id(file, "abc1") == "abc1"
    with pytest.raises(ReplayError, match=r"3 trajectories begin with 'ab' \(abc1, abc2, abd\)"):
        resolve_id(file, "ab")
    with pytest.raises(ReplayError, match="holds 4 trajectories, and 'gone' has left it"):
        resolve_id(file, "gone")
    with pytest.raises(ReplayError, match="'xyz' is not among them"):
        resolve_id(file, "xyz")


def test_a_whole_id_names_itself_though_another_begins_with_it(tmp_path: Path) -> None:
    async def fill() -> None:
        replay = open_replay(tmp_path / "r.sqlite", ReplayConfig())
        await replay.add(make_trajectory("t1"))
        await replay.add(make_trajectory("t10"))
        replay.close()

    asyncio.run(fill())
    assert resolve_id(tmp_path / "r.sqlite", "t1") == "t1"


def test_a_damaged_body_is_named(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("UPDATE bodies SET body = x'0001' WHERE number = (SELECT MAX(number) FROM bodies)")
    connection.commit()
    connection.close()
    with pytest.raises(ReplayError, match=r"trajectory empty in .* is damaged"):
        briefs(file)
