"""The phone's files, as the shell, adb and the Files app see them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.simphone import Phone, storage
from distrl.simphone.shell.words import Operator, split


@given(st.binary(max_size=200))
def test_what_is_written_is_read_again_even_from_a_snapshot(content: bytes) -> None:
    phone = Phone(0)
    assert storage.write(phone.store, "/data/local/tmp/x", content)
    phone.restore(phone.snapshot())
    assert storage.read(phone.store, "/data/local/tmp/x") == content


CASES = [
    ("mkdir -p /sdcard/a/b; touch /sdcard/a/b/c; ls /sdcard/a/b", "c\n", 0),
    ("mkdir /sdcard/a/b", "mkdir: '/sdcard/a/b': No such file or directory\n", 1),
    ("echo x > /sdcard/f; cp /sdcard/f /mnt/sdcard/g; mv /sdcard/g /sdcard/Music; cat /sdcard/Music/g",
     "x\n", 0),
    ("echo x > /system/f", "/system/bin/sh: can't create /system/f: Read-only file system\n", 1),
    ("rm /sdcard/Music", "rm: /sdcard/Music: is a directory\n", 1),
    ("rm -r /sdcard/Music; ls /sdcard/Music", "ls: /sdcard/Music: No such file or directory\n", 1),
    ("rm -f /sdcard/nothing && echo fine", "fine\n", 0),
    ("rm -r /sdcard/Music/*; ls /sdcard/Music", "", 0),
    ("[ -f /sdcard/nothing ] || echo none", "none\n", 0),
    ("echo abc > /sdcard/f; wc -c /sdcard/f", "4\n", 0),
    ("echo abc > /sdcard/f; md5sum /sdcard/f", "0bee89b07a248e27c83fc3d5951213c1  -\n", 0),
    ("screencap -p /sdcard/s.png; ls /sdcard/s.png", "/sdcard/s.png\n", 0),
]  # fmt: skip


@pytest.mark.parametrize(("line", "stdout", "code"), CASES)
def test_files_from_the_shell(line: str, stdout: str, code: int) -> None:
    result = Phone(0).shell(line)
    assert (result.stdout, result.code) == (stdout, code)


def test_the_files_app_shows_what_the_shell_makes_and_removes() -> None:
    phone = Phone(0)
    query = "content query --uri content://com.android.documentsui/files --where \"name='new folder'\""
    phone.shell("mkdir '/sdcard/new folder'")
    assert "path=/sdcard/new folder" in phone.shell(query).stdout
    phone.shell("rm -r '/sdcard/new folder'")
    assert phone.shell(query).stdout == "No result found.\n"


def test_words() -> None:
    assert split("a 'b;c' \"d > e\" f\\ g>h 2>&1|i&&j\nk") == [
        "a", "b;c", "d > e", "f g", ">", "h", "2>&1", "|", "i", "&&", "j", ";", "k",
    ]  # fmt: skip
    assert [word for word in split("echo ';' ; x") if isinstance(word, Operator)] == [";"]
    with pytest.raises(ValueError, match=r"substring|quoted"):
        split("echo 'open")


def test_any_text_is_typed_through_adbkeyboard() -> None:
    phone = Phone(0)
    phone.open_app("Notes")
    field = next(node for node in phone.tree() if node.editable)
    phone.tap(*field.centre)
    broadcast = "am broadcast -a ADB_INPUT_B64 --es msg R3LDvMOfZQ=="
    phone.shell(broadcast)
    assert not any(node.text == "Grüße" for node in phone.tree())
    phone.shell(f"ime set com.android.adbkeyboard/.AdbIME; {broadcast}")
    assert any(node.text == "Grüße" for node in phone.tree())
    phone.shell("am broadcast -a ADB_CLEAR_TEXT")
    assert not any(node.text == "Grüße" for node in phone.tree())


def test_files_that_the_shell_made_are_the_files_apps_and_move_and_go_with_it() -> None:
    phone = Phone(0)
    phone.shell("mkdir -p /sdcard/from /sdcard/to; echo hello > /sdcard/from/a.txt")
    files = storage._shown(phone.store)
    file = files.at("/sdcard/from/a.txt")
    assert file is not None
    files.move(file, "/sdcard/to")
    phone.restore(phone.snapshot())
    assert phone.shell("cat /sdcard/from/a.txt").code == 1
    assert phone.shell("cat /sdcard/to/a.txt").stdout == "hello\n"
    files = storage._shown(phone.store)
    files.remove(file.id)
    assert phone.shell("ls /sdcard/to").stdout == ""
    assert phone.shell("[ -e /sdcard/to/a.txt ]").code == 1


def test_content_is_never_another_files() -> None:
    phone = Phone(0)
    phone.shell("echo hello > /sdcard/a.txt; pm clear com.android.documentsui; mkdir /sdcard/d")
    new = storage._shown(phone.store).add("/sdcard/b.bin", 3)
    assert storage.read(phone.store, new.path) == bytes(3)
