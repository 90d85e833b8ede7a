from collections.abc import Iterator

import pytest

from distrl.testing.phones import NO_ADB, PrivateAdb, has_adb, private_adb


@pytest.fixture(scope="module")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateAdb]:
    if not has_adb():
        pytest.skip(NO_ADB)
    with private_adb(tmp_path_factory.mktemp("home")) as server:
        yield server
