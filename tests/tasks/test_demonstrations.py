"""Demonstrations go to a file and come back; what cannot be used is named with its line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from distrl.errors import TaskError
from distrl.records import Trajectory, encode_json
from distrl.tasks.demonstrations import load, save
from distrl.testing.trajectories import make_trajectory


def episodes(count: int) -> list[Trajectory]:
    return [make_trajectory(f"episode-{number}") for number in range(count)]


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    written = episodes(3)
    assert save(path, written) == 3
    assert list(load(path)) == written
    assert [file.name for file in tmp_path.iterdir()] == ["human.jsonl"]


def test_empty_lines_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    path.write_bytes(b"\n" + encode_json(episodes(1)[0]) + b"\n\n")
    assert len(list(load(path))) == 1


def test_a_damaged_line_is_named_and_those_before_it_are_given(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    path.write_bytes(encode_json(episodes(1)[0]) + b'\n[1,"Trajectory",{"id":3}]\n')
    found = load(path)
    assert next(found).id == "episode-0"
    with pytest.raises(TaskError, match="line 2"):
        next(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'[1,"Task",{}]\n', "this is a Task"),
        (b'[7,"Trajectory",{}]\n', "schema 7"),
        (b"hello\n", "damaged"),
    ],
)
def test_foreign_lines_are_explained(tmp_path: Path, text: bytes, words: str) -> None:
    path = tmp_path / "human.jsonl"
    path.write_bytes(text)
    with pytest.raises(TaskError, match=f"line 1: .*{words}"):
        list(load(path))


def test_an_id_is_used_once_and_an_episode_has_steps(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    save(path, [episodes(1)[0], episodes(1)[0]])
    with pytest.raises(TaskError, match="line 2: the id 'episode-0' is that of line 1"):
        list(load(path))
    save(path, [msgspec.structs.replace(episodes(1)[0], steps=())])
    with pytest.raises(TaskError, match="has no steps"):
        list(load(path))


def test_a_missing_file_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="cannot be read"):
        list(load(tmp_path / "none.jsonl"))
    with pytest.raises(TaskError, match="cannot be written"):
        save(tmp_path / "none" / "human.jsonl", episodes(1))
