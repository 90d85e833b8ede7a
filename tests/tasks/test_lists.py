from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.errors import TaskError
from distrl.interfaces import Suite
from distrl.tasks import find_suite
from distrl.tasks.lists import build_lists, load_list

ERRANDS = [f"Search for hotels in town {number}" for number in range(200)]


def write(file: Path, *lines: str) -> str:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def goals(suite: Suite, split: str) -> list[str]:
    return [task.goal for task in suite.tasks(split)]


def faults(path: str | Path) -> str:
    with pytest.raises(TaskError) as caught:
        load_list(path)
    return str(caught.value)


def test_every_line_is_a_goal_as_written(tmp_path: Path) -> None:
    lines = ["# errands", "How do I get to the nearest Target?", "", "  Open the clock\r", "Prix à Zürich?"]
    suite = find_suite(write(tmp_path / "errands.txt", *lines))
    assert isinstance(suite, Suite)
    assert (suite.name, suite.splits()) == ("errands", ("train", "val", "test"))
    found = [task for split in suite.splits() for task in suite.tasks(split)]
    assert {task.goal for task in found} == {lines[1], "Open the clock", lines[4]}
    assert all(task.id.startswith(f"errands/{task.split}/") for task in found)
    assert {(task.max_steps, task.check, task.family) for task in found} == {(15, (), "errands")}


def test_one_list_is_dealt_out_always_the_same_way(tmp_path: Path) -> None:
    suite = load_list(write(tmp_path / "a.txt", *ERRANDS))
    sizes = {split: len(suite.tasks(split)) for split in suite.splits()}
    assert sum(sizes.values()) == 200
    assert all(8 < sizes[split] < 35 for split in ("val", "test"))
    moved = load_list(write(tmp_path / "a.txt", *reversed(ERRANDS), "One more errand"))
    for split in suite.splits():
        assert set(goals(suite, split)) - {"One more errand"} == set(goals(moved, split)) - {
            "One more errand"
        }
    assert goals(moved, "train")[0] == ERRANDS[-1]  # in the order of the file
    assert suite.digest() != moved.digest()
    assert suite.digest() == load_list(write(tmp_path / "a.txt", *ERRANDS)).digest()


@given(st.integers(3, 12), st.integers(0, 1000))
def test_short_lists_leave_no_split_empty(count: int, salt: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "few.txt", *(f"Errand {salt} {number}" for number in range(count)))
        suite = load_list(path)
    sizes = [len(suite.tasks(split)) for split in ("train", "val", "test")]
    assert sum(sizes) == count
    assert min(sizes) >= 1


def test_lists_named_after_their_splits_belong_together(tmp_path: Path) -> None:
    train = write(tmp_path / "general_train.txt", *ERRANDS[:100])
    write(tmp_path / "general_test.txt", "Open Reddit", "Open the clock")
    suite = load_list(train)
    assert suite.name == "general"
    assert goals(suite, "test") == ["Open Reddit", "Open the clock"]
    assert len(suite.tasks("train")) + len(suite.tasks("val")) == 100
    assert suite.tasks("val")


def test_a_folder_of_lists(tmp_path: Path) -> None:
    folder = tmp_path / "aitw"
    folder.mkdir()
    write(folder / "train.txt", "Open Reddit")
    write(folder / "val.txt", "Open the clock")
    write(folder / "test.txt", "Open the camera")
    suite = find_suite(str(folder))
    assert (suite.name, [len(suite.tasks(split)) for split in suite.splits()]) == ("aitw", [1, 1, 1])


def test_faults_name_file_and_line(tmp_path: Path) -> None:
    train = write(tmp_path / "train.txt", "Open Reddit", "", "open reddit", "x" * 2000, "a\x00b")
    write(tmp_path / "test.txt", "Open the clock", "Open Reddit")
    message = faults(train)
    for expected in (
        "has 4 fault(s)",
        "train.txt, line 3: the goal of train.txt, line 1 again",
        "train.txt, line 4: 2000 characters are too many",
        "train.txt, line 5: there are characters that cannot be shown",
        "test.txt, line 2: the goal of train.txt, line 1 again",
        "`repeats: once`",
    ):
        assert expected in message


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "holds no goal"),
        (b"# nothing\n\n", "holds no goal"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"One\n", "1 training goal in"),
        (b"One\nTwo\n", "cannot be dealt out to train, test, val; add goals"),
    ],
)
def test_what_is_no_list(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    assert expected in faults(tmp_path / "a.txt")


def test_a_missing_list_is_one_sentence(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in faults(tmp_path / "none.txt")
    with pytest.raises(TaskError, match="no suite"):
        find_suite(str(tmp_path))  # a folder without train.txt


def test_a_yaml_file_names_lists_and_sets_the_rest(tmp_path: Path) -> None:
    write(tmp_path / "train.txt", *ERRANDS[:50], "Open Reddit", ERRANDS[0])
    write(tmp_path / "more.txt", "Open the camera")
    write(tmp_path / "test.txt", "Open the clock", "Open Reddit")
    lists = ["lists:", "  test: test.txt", "  train: [train.txt, more.txt]"]
    path = write(tmp_path / "aitw.yaml", "suite: aitw", "max_steps: 10", "repeats: once", *lists)
    suite = find_suite(path)
    assert (suite.name, suite.tasks("train")[0].max_steps) == ("aitw", 10)
    assert goals(suite, "test") == [
        "Open the clock",
        "Open Reddit",
    ]  # named first, so it keeps what both have
    assert "Open the camera" in [*goals(suite, "train"), *goals(suite, "val")]
    assert len(suite.tasks("train")) + len(suite.tasks("val")) == 51


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["lists: a.txt", "repeats: often"], "line 2: repeats = 'often': should be refuse or once"),
        (["lists: a.txt", "tasks: []"], "either `tasks` or `lists`"),
        (["repeats: once", "tasks: [{id: a, goal: b}]"], "of which there are none"),
        (["lists: {train: {a: b}}"], "train should be a list"),
        (["lists: {test: a.txt}"], "0 training goals in"),
    ],
)
def test_faults_in_such_a_file(tmp_path: Path, lines: list[str], expected: str) -> None:
    write(tmp_path / "a.txt", "Open Reddit")
    with pytest.raises(TaskError) as caught:
        find_suite(write(tmp_path / "suite.yaml", *lines))
    assert expected in str(caught.value)


def test_goals_in_another_script_have_ids_of_their_own(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "a.txt", "打开时钟", "打开设置", "打开相机"))
    suite = build_lists("zh", {"train": [path]})
    assert len({task.id for split in suite.splits() for task in suite.tasks(split)}) == 3
