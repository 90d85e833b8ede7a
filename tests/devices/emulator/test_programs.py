"""The stand-ins on the command line: what they print and how they end."""

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest

from distrl.devices.emulator.console import Console
from distrl.errors import DeviceError, DeviceLost
from distrl.testing.sdk.folder import IMAGE, make_sdk

Run = subprocess.CompletedProcess[str]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANDROID_AVD_HOME", str(tmp_path / "avds"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return make_sdk(tmp_path / "sdk")


def avdmanager(root: Path, *words: str, typed: str = "") -> Run:
    program = str(root / "cmdline-tools/latest/bin/avdmanager")
    return subprocess.run(
        [program, *words], input=typed, capture_output=True, text=True, check=False, timeout=30
    )


def emulator(root: Path, *words: str) -> Run:
    program = str(root / "emulator/emulator")
    return subprocess.run([program, *words], capture_output=True, text=True, check=False, timeout=30)


def test_avdmanager(root: Path) -> None:
    made = avdmanager(root, "create", "avd", "-n", "one", "-k", IMAGE, typed="no\n")
    assert (made.returncode, "custom hardware profile" in made.stdout) == (0, True)
    again = avdmanager(root, "create", "avd", "-n", "one", "-k", IMAGE, "-d", "pixel_6")
    assert (again.returncode, "already exists" in again.stderr) == (1, True)
    assert avdmanager(root, "create", "avd", "-n", "one", "-k", IMAGE, "-d", "pixel_6", "-f").returncode == 0
    wrong = avdmanager(root, "create", "avd", "-n", "two", "-k", "system-images;no;such;image")
    assert (wrong.returncode, "Package path is not valid" in wrong.stderr) == (1, True)
    assert avdmanager(root, "list", "avd", "-c").stdout == "one\n"
    assert avdmanager(root, "delete", "avd", "-n", "one").returncode == 0
    assert avdmanager(root, "delete", "avd", "-n", "one").returncode == 1


def test_emulator_refuses_as_the_real_one_does(root: Path) -> None:
    unknown = emulator(root, "-avd", "nobody")
    assert (unknown.returncode, "PANIC: Unknown AVD name [nobody]" in unknown.stderr) == (1, True)
    assert emulator(root, "-no-such").stderr.startswith("unknown option: -no-such")
    assert emulator(root, "-avd").returncode == 1
    assert emulator(root, "-list-avds").stdout.strip() == ""
    assert emulator(root, "-version").stdout.startswith("Android emulator version")


def test_the_console_wants_the_token(root: Path, tmp_path: Path) -> None:
    avdmanager(root, "create", "avd", "-n", "one", "-k", IMAGE, "-d", "pixel_6")
    port = 18000 + 2 * (os.getpid() % 500)

    async def talk() -> None:
        console = Console(port)
        deadline = time.monotonic() + 30
        while True:
            try:
                assert await console.ask("avd name", 5.0) == ["one"]
                break
            except DeviceLost:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)
        await console.ask("avd snapshot save here", 5.0)
        assert "here" in " ".join(await console.ask("avd snapshot list", 5.0))
        with pytest.raises(DeviceError, match="refuses `avd snapshot load there`: Device does not have"):
            await console.ask("avd snapshot load there", 5.0)
        token = tmp_path / ".emulator_console_auth_token"
        known = token.read_text()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"kill\nauth nonsense\nquit\n")
        said = (await asyncio.wait_for(reader.read(), 20)).decode()
        assert said.count("KO") == 2
        assert known not in said
        await console.ask("kill", 5.0)

    program = [str(root / "emulator/emulator"), "-avd", "one", "-port", str(port), "-no-window"]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL) as process:
        try:
            asyncio.run(talk())
            assert process.wait(20) == 0
        finally:
            process.kill()
