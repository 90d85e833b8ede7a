from collections.abc import Callable, Iterator

import pytest

from distrl.config import DeviceConfig
from distrl.devices.adb.device import AdbDevice, build
from distrl.testing.phones import NO_ADB, PrivateAdb, ServedPhones, has_adb, private_adb, served_phones

Make = Callable[..., AdbDevice]


@pytest.fixture(scope="session")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateAdb]:
    if not has_adb():
        pytest.skip(NO_ADB)
    with private_adb(tmp_path_factory.mktemp("home")) as server:
        yield server


@pytest.fixture(scope="session")
def phones() -> Iterator[ServedPhones]:
    with served_phones(4) as running:
        yield running


@pytest.fixture
def make(adb: PrivateAdb, phones: ServedPhones) -> Make:
    """Builds a device on the given phones, by default on the four of the session."""

    def build_device(index: int = 0, serials: str = "", **options: str) -> AdbDevice:
        chosen = {"serials": serials or ",".join(phones.serials), "server": f"127.0.0.1:{adb.port}"} | options
        return build(DeviceConfig(kind="adb", options=chosen), index=index)

    return build_device
