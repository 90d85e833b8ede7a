import pytest

from distrl.config import DeviceConfig
from distrl.devices.adb.apps import find_package
from distrl.devices.adb.device import build
from distrl.devices.adb.options import read_options, read_serials
from distrl.errors import ConfigError


def test_serials() -> None:
    assert read_serials("emulator-5554, 127.0.0.1:5600-5602") == (
        "emulator-5554",
        "127.0.0.1:5600",
        "127.0.0.1:5601",
        "127.0.0.1:5602",
    )
    assert read_serials("R58M123ABC-1") == ("R58M123ABC-1",)
    assert read_serials("") == ()


def test_the_server_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "5999")
    assert read_options({}).port == 5999
    assert read_options({"server": "10.0.0.2:5037"}).host == "10.0.0.2"


def test_all_faults_are_named() -> None:
    bad = {
        "serial": "x",
        "server": "nowhere",
        "keyboard": "piano",
        "tree": "maybe",
        "apps": "Chrome",
        "settle_s": "0",
    }
    with pytest.raises(ConfigError) as caught:
        read_options(bad)
    assert len(caught.value.faults) == len(bad)
    with pytest.raises(ConfigError, match="--profile"):
        build(DeviceConfig(kind="adb", profile="emulator"))


def test_names_of_apps() -> None:
    installed = ("com.android.settings", "com.google.android.deskclock", "org.example.Weather")
    for name, package in (
        ("Settings", "com.android.settings"),
        ("clock", "com.google.android.deskclock"),
        ("weather", "org.example.Weather"),
        ("com.android.settings", "com.android.settings"),
        ("My Shop", "com.example.shop"),
        ("Nothing", "Nothing"),
    ):
        assert find_package(name, installed, {"my shop": "com.example.shop"}) == package
