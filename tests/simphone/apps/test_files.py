"""Files: open, sort, search, rename, move, copy, delete, through the screen and the shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.simphone.apps.conftest import Hand

APP = "com.android.documentsui"
Open = Callable[..., "Hand"]


@pytest.fixture
def files(hand: Open) -> Hand:
    """A phone with a few known files."""
    opened = hand(APP)
    opened.bind("delete", "files")
    for path, size in (
        ("Download/alpha.pdf", 3000),
        ("Download/beta.txt", 90),
        ("Download/gamma.jpg", 500_000),
    ):
        opened.bind("insert", "files", path=f"/sdcard/{path}", size=size)
    opened.bind("insert", "files", path="/sdcard/Documents/Work/alpha.pdf", size=7, modified=1_700_000_000)
    return opened


def titles(files: Hand) -> list[str]:
    return [node.text for node in files.phone.tree() if node.resource_id == "android:id/title"]


def open_folder(files: Hand, name: str) -> None:
    """Open a folder from the first page, where a chip may bear the same name."""
    files.scroll_to(name)
    while name not in titles(files):
        files.phone.swipe(200, 560, 200, 460)
    place = next(
        node for node in files.phone.tree() if (node.text, node.resource_id) == (name, "android:id/title")
    )
    files.phone.tap(*place.centre)


def actions_of(files: Hand, name: str) -> None:
    """Touch the three dots at the end of a file's row."""
    files.phone.tap(382, files.find(name).centre[1] + 8)


def test_folders_above_an_inserted_file_come_into_being(files: Hand) -> None:
    assert "path=/sdcard/Documents/Work, parent=/sdcard/Documents" in files.rows("files", "is_dir=1")
    open_folder(files, "Documents")
    files.tap("Work")
    assert files.sees("7 B, 14 Nov 2023")
    files.phone.key("BACK")
    files.phone.key("BACK")
    assert files.sees("Files")


def test_sorting_is_kept(files: Hand) -> None:
    open_folder(files, "Download")
    assert titles(files) == ["alpha.pdf", "beta.txt", "gamma.jpg"]
    files.tap("More options", "Sort by…", "Size (largest first)")
    assert titles(files) == ["gamma.jpg", "alpha.pdf", "beta.txt"]
    assert "name=sort, value=size" in files.rows("preferences")


def test_rename_refuses_taken_names(files: Hand) -> None:
    open_folder(files, "Download")
    actions_of(files, "beta.txt")
    files.tap("Rename")
    files.write("name", "alpha.pdf")
    files.tap_nth("Rename", 1)
    assert files.sees("This name is already taken")
    files.write("name", "letter.txt")
    files.tap_nth("Rename", 1)
    assert "path=/sdcard/Download/letter.txt" in files.rows("files")
    assert "beta.txt" not in files.rows("files")


def test_several_files_are_moved_into_a_new_folder(files: Hand) -> None:
    open_folder(files, "Download")
    files.hold("alpha.pdf")
    files.tap("gamma.jpg")
    assert files.sees("2 selected")
    files.tap("move", "Up one level", "new_folder")
    files.write("name", "Trip")
    files.tap("Create", "Trip")
    middle = files.phone.snapshot()
    files.tap("Move here")
    moved = files.rows("files", "parent='/sdcard/Trip'")
    assert "alpha.pdf" in moved
    assert "gamma.jpg" in moved
    files.phone.restore(middle)
    assert "No result" in files.rows("files", "parent='/sdcard/Trip'")
    files.tap("Move here")
    assert files.rows("files", "parent='/sdcard/Trip'") == moved


def test_copy_keeps_both_and_numbers_the_twin(files: Hand) -> None:
    open_folder(files, "Download")
    actions_of(files, "alpha.pdf")
    files.tap("Copy to…", "Copy here")
    assert "path=/sdcard/Download/alpha (1).pdf" in files.rows("files", "size=3000")
    assert files.rows("files", "size=3000").count("Row:") == 2


def test_a_folder_cannot_be_moved_into_itself(files: Hand) -> None:
    open_folder(files, "Documents")
    files.hold("Work")
    files.tap("move", "Move here")
    assert files.sees("These items cannot be put here")
    assert "path=/sdcard/Documents/Work/alpha.pdf" in files.rows("files")


def test_deleting_a_folder_takes_all_that_is_in_it(files: Hand) -> None:
    open_folder(files, "Documents")
    files.hold("Work")
    files.tap("delete", "Cancel")
    assert "Work" in files.rows("files")
    files.tap("delete", "Delete")
    assert "Work" not in files.rows("files")


def test_search_finds_files_anywhere(files: Hand) -> None:
    files.tap("Search")
    files.write("query", "ALPHA")
    assert titles(files) == ["alpha.pdf", "alpha.pdf"]
    files.tap_nth("alpha.pdf", 1)
    files.tap("info")
    assert files.sees("Location")


def test_a_renamed_folder_takes_its_files_along(files: Hand) -> None:
    files.bind("update", "files", "path='/sdcard/Documents'", name="Papers")
    assert "path=/sdcard/Papers/Work/alpha.pdf" in files.rows("files")


def test_worlds_differ_and_are_the_same_again(hand: Open) -> None:
    one, two, other = (hand(APP, 1, world).rows("files") for world in (1, 1, 2))
    assert one == two
    assert one != other


@pytest.mark.parametrize("seed", range(3))
def test_monkey(hand: Open, seed: int) -> None:
    hand(APP, seed, seed).monkey(seed, 150)
