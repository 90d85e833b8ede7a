"""Debian's real adb on simulated phones."""

import io
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from distrl.testing.phones import PrivateAdb, ServedPhones, free_port, served_phones

COUNT = 16


@pytest.fixture(scope="module")
def phones(adb: PrivateAdb) -> Iterator[ServedPhones]:
    with served_phones(COUNT) as running:
        for serial in running.serials:
            assert f"connected to {serial}" in adb.text("connect", serial)
        yield running


@pytest.fixture(scope="module")
def serial(phones: ServedPhones) -> str:
    return phones.serials[0]


def test_the_phones_are_listed(adb: PrivateAdb, phones: ServedPhones) -> None:
    rows = adb.text("devices", "-l").splitlines()
    for serial in phones.serials:
        row = next(row for row in rows if row.startswith(f"{serial} "))
        assert " device product:simphone_5 model:SP_412 device:simphone" in row


@pytest.mark.parametrize(
    ("line", "output", "code"),
    [
        ("echo hello; exit 3", "hello\n", 3),
        ("no-such-command", "/system/bin/sh: no-such-command: not found\n", 127),
        ("wm size", "Physical size: 412x732\n", 0),
        ("getprop sys.boot_completed", "1\n", 0),
        ("[ -d /sdcard ] && echo there; [ -d /nowhere ] || echo not", "there\nnot\n", 0),
        ("false; echo $?", "1\n", 0),
        ("echo a > /data/local/tmp/f; echo b >> /data/local/tmp/f; cat /data/local/tmp/f", "a\nb\n", 0),
        ("echo 'a > b; c | d'", "a > b; c | d\n", 0),
        ("sh -c 'echo inner'; su 0 echo outer", "inner\nouter\n", 0),
        ("dumpsys input | grep -o 'logicalFrame=.0, 0, 412, 732.'", "logicalFrame=[0, 0, 412, 732]\n", 0),
        ("ime list -s", "com.android.inputmethod.latin/.LatinIME\ncom.android.adbkeyboard/.AdbIME\n", 0),
    ],
)
def test_shell(adb: PrivateAdb, serial: str, line: str, output: str, code: int) -> None:
    done = adb.run("-s", serial, "shell", line)
    assert (done.stdout.decode(), done.returncode) == (output, code)


def test_the_first_shell_protocol_has_no_exit_codes(adb: PrivateAdb, serial: str) -> None:
    done = adb.run("-s", serial, "shell", "-x", "echo hello; exit 3")
    assert (done.stdout, done.returncode) == (b"hello\n", 0)


def test_a_shell_reads_lines_until_exit(adb: PrivateAdb, serial: str) -> None:
    done = adb.run("-s", serial, "shell", data=b"echo one\ngetprop ro.product.model\nexit 4\necho no\n")
    assert (done.stdout, done.returncode) == (b"one\nSP-412\n", 4)


def test_pictures(adb: PrivateAdb, serial: str) -> None:
    png = Image.open(io.BytesIO(adb.run("-s", serial, "exec-out", "screencap", "-p").stdout)).convert("RGB")
    raw = adb.run("-s", serial, "exec-out", "screencap").stdout
    width, height, form, _ = struct.unpack_from("<IIII", raw)
    assert (width, height, form, len(raw)) == (412, 732, 1, 16 + 412 * 732 * 4)
    assert Image.frombytes("RGBA", (width, height), raw[16:]).convert("RGB").tobytes() == png.tobytes()


def test_files_go_there_and_back(adb: PrivateAdb, phones: ServedPhones, tmp_path: Path) -> None:
    serial = phones.serials[1]
    content = bytes(range(256)) * 9000
    (tmp_path / "data.bin").write_bytes(content)
    for target in ("/sdcard/Download/data.bin", "/data/local/tmp/"):
        assert adb.run("-s", serial, "push", str(tmp_path / "data.bin"), target).returncode == 0
        path = target if target.endswith("bin") else target + "data.bin"
        assert adb.run("-s", serial, "pull", path, str(tmp_path / "back")).returncode == 0
        assert (tmp_path / "back").read_bytes() == content
    rows = adb.text("-s", serial, "shell", "content query --uri content://com.android.documentsui/files")
    assert "name=data.bin, path=/sdcard/Download/data.bin" in rows
    assert "data.bin" in adb.text("-s", serial, "ls", "/sdcard/Download")
    assert adb.run("-s", serial, "pull", "/sdcard/Recordings", str(tmp_path)).returncode == 0
    assert any((tmp_path / "Recordings").iterdir())
    refused = adb.run("-s", serial, "push", str(tmp_path / "data.bin"), "/system/data.bin")
    assert refused.returncode == 1
    assert b"Read-only" in refused.stdout + refused.stderr
    assert adb.run("-s", serial, "pull", "/nowhere", str(tmp_path)).returncode == 1


def test_root_and_back(adb: PrivateAdb, phones: ServedPhones) -> None:
    serial = phones.serials[2]
    for verb, user in (("root", "root"), ("root", "root"), ("unroot", "shell")):
        assert adb.run("-s", serial, verb).returncode == 0
        assert adb.run("-s", serial, "wait-for-device").returncode == 0
        assert adb.text("-s", serial, "shell", "whoami") == f"{user}\n"


def wait_for_focus(adb: PrivateAdb, serial: str, app: str) -> None:
    """Until the phone, back from wherever it was, shows an app; `wait-for-disconnect` may come too late."""
    deadline = time.monotonic() + 30
    while app not in adb.text("-s", serial, "shell", "dumpsys window | grep mCurrentFocus"):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_reconnect_disconnect_and_reboot(adb: PrivateAdb, phones: ServedPhones) -> None:
    serial = phones.serials[3]
    adb.text(
        "-s", serial, "shell", "settings put global kept 7; am start -n com.simphone.notes/.MainActivity"
    )
    adb.run("-s", serial, "reconnect", "device")
    time.sleep(0.5)  # the phone answers before it hangs up
    wait_for_focus(adb, serial, "notes")
    adb.run("-s", serial, "reboot")
    wait_for_focus(adb, serial, "launcher")
    assert adb.text("-s", serial, "shell", "settings get global kept") == "7\n"
    assert "disconnected" in adb.text("disconnect", serial)
    assert serial not in adb.text("devices")
    adb.run("connect", serial)
    assert adb.text("-s", serial, "get-state") == "device\n"


def test_sixteen_phones_at_once(adb: PrivateAdb, phones: ServedPhones) -> None:
    def use(index: int) -> tuple[str, bytes]:
        serial = phones.serials[index]
        for _ in range(3):
            adb.text("-s", serial, "shell", f"settings put global number {index}; input keyevent 3")
        return (
            adb.text("-s", serial, "shell", "settings get global number"),
            adb.run("-s", serial, "exec-out", "screencap").stdout[:4],
        )

    with ThreadPoolExecutor(COUNT) as pool:
        answers = list(pool.map(use, range(COUNT)))
    assert answers == [(f"{index}\n", struct.pack("<I", 412)) for index in range(COUNT)]


def test_phones_register_as_emulators_with_servers_that_come_and_go(adb: PrivateAdb) -> None:
    port = free_port() | 1
    with served_phones(2, port=port, step=2) as phones:
        phones.register(adb.port)
        serials = phones.farm.serials(emulators=True)
        assert serials == [f"emulator-{port - 1}", f"emulator-{port + 1}"]
        for serial in serials:
            assert adb.run("-s", serial, "wait-for-device").returncode == 0
        adb.run("-s", serials[0], "reconnect")
        adb.run("-s", serials[0], "wait-for-device")
        adb.run("kill-server")
        adb.run("start-server")
        for serial in serials:
            assert adb.run("-s", serial, "wait-for-device").returncode == 0
            assert adb.text("-s", serial, "shell", "whoami") == "shell\n"
