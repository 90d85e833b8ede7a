import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from distrl.config import DeviceConfig
from distrl.devices.emulator.device import EmulatorDevice, build
from distrl.testing.phones import NO_ADB, PrivateAdb, has_adb, private_adb
from distrl.testing.sdk.folder import make_sdk

Make = Callable[..., EmulatorDevice]


@pytest.fixture(scope="module")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateAdb]:
    if not has_adb():
        pytest.skip(NO_ADB)
    with private_adb(tmp_path_factory.mktemp("home")) as server:
        yield server


@pytest.fixture(scope="module")
def options(adb: PrivateAdb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Stand-ins for the SDK's programs, a folder for AVDs, and ports that nobody uses."""
    root = tmp_path_factory.mktemp("android")
    port = 10000 + 130 * (os.getpid() % 60)  # below the ports that the system gives to connections
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", adb.environment["HOME"])
        patch.setenv("DISTRL_STANDIN_CLOCK", "actions")
        yield {
            "sdk": str(make_sdk(root / "sdk")),
            "avd_home": str(root / "avds"),
            "server": f"127.0.0.1:{adb.port}",
            "port": str(port),
            "boot_s": "40",  # so that a test that fails says why
        }


@pytest.fixture
def make(options: dict[str, str]) -> Iterator[Make]:
    """Builds emulators; whatever still runs afterwards is ended."""
    before = set(running())
    numbers = itertools.count()

    def build_device(index: int | None = None, **changes: str) -> EmulatorDevice:
        chosen = next(numbers) if index is None else index
        return build(DeviceConfig(kind="emulator", options=options | changes), index=chosen)

    yield build_device
    left = [pid for pid in running() if pid not in before]
    for pid in left:
        os.kill(pid, 9)
    assert not left, "emulators were left running"


def running() -> list[int]:
    """Process ids of stand-in emulators that are children of this process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
            line = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue  # it has just ended
        if words[1] == str(os.getpid()) and words[0] != "Z" and b"distrl.testing.sdk.emulator" in line:
            found.append(int(path.parent.name))
    return found
