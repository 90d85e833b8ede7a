"""Files of demonstrations: what was saved is read, bad lines are named, nothing measured is learnt from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from distrl.errors import TaskError
from distrl.records import Task, Trajectory, encode_json
from distrl.tasks.demonstrations import (
    Demonstration,
    WrittenEpisode,
    WrittenStep,
    check_ground,
    digest,
    read,
    save,
)
from distrl.tasks.suite import TaskSuite
from distrl.testing.trajectories import make_trajectory


def episodes(count: int) -> list[Trajectory]:
    return [make_trajectory(f"episode-{number}") for number in range(count)]


def written(task: str = "mine/train/a", *, goal: str = "", id: str = "") -> WrittenEpisode:
    step = WrittenStep(action="done", screen="1.png" if goal else "")
    return WrittenEpisode(task=task, goal=goal, id=id, outcome="success", steps=(step,))


def suite() -> TaskSuite:
    tasks = [
        Task(id=f"mine/{split}/a", goal=f"Do {split}", suite="mine", split=split, max_steps=5)
        for split in ("train", "val", "test")
    ]
    return TaskSuite("mine", "1", tasks, {}, splits=("train", "val", "test"))


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    both: list[Trajectory | WrittenEpisode] = [*episodes(2), written(id="by-hand")]
    assert save(path, both) == 3
    assert [entry.episode for entry in read(path)] == both
    assert [entry.id for entry in read(path)] == ["episode-0", "episode-1", "by-hand"]
    assert [file.name for file in tmp_path.iterdir()] == ["human.jsonl"]


def test_empty_lines_do_not_count_and_lines_are_counted_from_one(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    path.write_bytes(b"\n" + encode_json(episodes(1)[0]) + b"\n\n")
    (entry,) = read(path)
    assert entry.place == "human.jsonl, line 2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[1,"Task",{}]', "this is a Task"),
        ('[7,"Trajectory",{}]', "schema 7"),
        ("hello", "neither a written nor a recorded episode"),
        ('{"task": "a", "steps": [{"acton": "done"}]}', "unknown field `acton`"),
        ('{"task": "a", "steps": [{}]}', "missing required field `action`"),
        ('{"task": "a", "steps": []}', "has no steps"),
        ('{"task": "a", "goal": "b", "steps": [{"action": "done"}]}', "either `task`"),
        ('{"steps": [{"action": "done"}]}', "either `task`"),
        ('{"goal": "b", "steps": [{"action": "done"}]}', "which only a `task` allows"),
        ('{"task": "a", "steps": [{"action": "done", "screen": "1.png"}]}', "`outcome` is"),
        (
            '{"task": "a", "steps": [{"action": "back", "screen": "1.png"}, {"action": "done"}]}',
            "step 2 has no",
        ),
        ('{"task": "a", "outcome": "won", "steps": [{"action": "done"}]}', "Invalid enum value 'won'"),
    ],
)
def test_bad_lines_are_explained(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "human.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(TaskError, match="line 1: ") as raised:
        read(path)
    assert words in str(raised.value)


def test_all_bad_lines_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    path.write_bytes(b"one\n" + encode_json(episodes(1)[0]) + b"\n{}\n")
    with pytest.raises(TaskError, match=r"(?s)line 1.*line 3"):
        read(path)
    path.write_bytes(b"one\n" * 30)
    with pytest.raises(TaskError, match="and 22 more"):
        read(path)


def test_an_id_is_used_once_and_an_episode_has_steps(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    save(path, [episodes(1)[0], episodes(1)[0]])
    with pytest.raises(TaskError, match="line 2: the id 'episode-0' is that of line 1"):
        read(path)
    save(path, [msgspec.structs.replace(episodes(1)[0], steps=())])
    with pytest.raises(TaskError, match="has no steps"):
        read(path)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="cannot be read"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(TaskError, match="cannot be written"):
        save(tmp_path / "none" / "human.jsonl", episodes(1))
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(TaskError, match="holds no demonstrations"):
        read(tmp_path / "empty.jsonl")


def recorded(task: Task, id: str = "recorded") -> Trajectory:
    return msgspec.structs.replace(episodes(1)[0], task=task, id=id)


def foreign(split: str, goal: str) -> Task:
    return Task(id="x", goal=goal, suite="other", split=split, max_steps=5)


@pytest.mark.parametrize(
    ("episode", "words"),
    [
        (written("mine/test/a"), "is of split 'test'; who learns from what is measured"),
        (written("mine/val/a"), "is of split 'val'"),
        (written("mine/train/b"), "did you mean mine/train/a"),
        (written("", goal="do TEST "), "its goal is that of 'mine/test/a'"),
        (recorded(suite().tasks("val")[0]), "is of split 'val'"),
        (recorded(foreign("test", "Else")), "of split 'test' of suite 'other'"),
        (recorded(foreign("train", "Do test")), "its goal is that of 'mine/test/a'"),
        (recorded(msgspec.structs.replace(suite().tasks("train")[0], goal="Old")), "another goal by now"),
    ],
)
def test_what_is_measured_may_not_be_learnt_from(
    episode: Trajectory | WrittenEpisode, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "human.jsonl"
    save(path, [written(id="fine"), episode])
    with pytest.raises(TaskError, match="line 2: ") as raised:
        check_ground(read(path), suite(), str(path))
    assert words in str(raised.value)
    assert "line 1" not in str(raised.value)


def test_training_tasks_and_goals_of_ones_own_are_welcome(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    train = suite().tasks("train")[0]
    save(path, [written(), recorded(train), recorded(foreign("train", "Else"), "other")])
    assert [task.id for task in check_ground(read(path), suite(), "")] == [
        "mine/train/a",
        "mine/train/a",
        "x",
    ]
    own = Demonstration("", "mine-1", tmp_path, written("", goal="Water the plants"))
    (task,) = check_ground([own], suite(), "")
    assert (task.goal, task.split, task.check) == ("Water the plants", "train", ())


def test_the_digest_covers_actions_and_pictures(tmp_path: Path) -> None:
    picture = tmp_path / "1.png"
    picture.write_bytes(b"one")
    step = WrittenStep(action="done", screen="1.png")
    episode = WrittenEpisode(task="a", outcome="success", steps=(step,))
    before = digest([Demonstration("", "", tmp_path, episode)])
    picture.write_bytes(b"two")
    after = digest([Demonstration("", "", tmp_path, episode)])
    other = msgspec.structs.replace(episode, steps=(WrittenStep(action="back", screen="1.png"),))
    assert len({before, after, digest([Demonstration("", "", tmp_path, other)])}) == 3
