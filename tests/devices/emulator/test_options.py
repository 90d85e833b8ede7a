from pathlib import Path

import pytest

from distrl.config import DeviceConfig, resolve
from distrl.devices.emulator.device import build
from distrl.devices.emulator.options import find_avd_home, read_options
from distrl.devices.emulator.process import arguments
from distrl.errors import ConfigError


def test_all_faults_are_told_at_once() -> None:
    bad = {
        "port": "5555",
        "ram_mb": "much",
        "screen": "paper",
        "tree": "green",
        "snapshot": "a b",
        "size": "1",
    }
    with pytest.raises(ConfigError) as caught:
        read_options(bad)
    assert len(caught.value.faults) == 6
    with pytest.raises(ConfigError, match=r"device\.profile"):
        build(DeviceConfig(kind="emulator", profile="flaky"))


def test_numbers_and_switches_may_be_written_without_quotes() -> None:
    config = resolve(overrides=["device.options.port=5600", "device.options.tree=off"])
    read = read_options(config.device.options)
    assert (read.port, read.adb.tree) == (5600, False)


def test_options_of_adb_are_passed_on() -> None:
    read = read_options({"server": "127.0.0.1:5999", "reset": "pm clear x", "settle_s": "3"})
    assert (read.adb.port, read.adb.reset, read.adb.settle_s) == (5999, "pm clear x", 3.0)
    with pytest.raises(ConfigError, match="serials"):
        read_options({"serials": "emulator-5554"})


def test_how_the_emulator_is_called() -> None:
    options = read_options({"arguments": "-wipe-data -prop 'a=b c'", "screen": "grpc", "snapshot": "mine"})
    cold = " ".join(arguments("distrl_5556", options, 5556, cold=True))
    warm = arguments("distrl_5556", options, 5556, cold=False)
    assert cold.startswith("-avd distrl_5556 -port 5556 -no-window -no-audio -no-boot-anim")
    assert "-no-snapshot-load" in cold
    assert "-snapshot" not in cold.split()
    assert warm[warm.index("-snapshot") + 1] == "mine"
    assert warm[warm.index("-grpc") + 1] == "8556"
    assert warm[-3:] == ["-wipe-data", "-prop", "a=b c"]


def test_where_avds_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANDROID_AVD_HOME", "ANDROID_EMULATOR_HOME", "ANDROID_USER_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert find_avd_home("") == Path.home() / ".android" / "avd"
    monkeypatch.setenv("ANDROID_USER_HOME", "/u")
    assert find_avd_home("") == Path("/u/avd")
    monkeypatch.setenv("ANDROID_AVD_HOME", "/a")
    assert find_avd_home("") == Path("/a")
    assert find_avd_home("/given") == Path("/given")
