"""Mixed pools: every kind in its number, unique indices, and the default unchanged."""

from __future__ import annotations

import pytest

from distrl.assembly import make_devices
from distrl.config import RunConfig, dump, load, resolve
from distrl.devices.pools import members
from distrl.errors import ConfigError

POOLS = (
    "device.pools=[{kind: simulated, count: 4, profile: flaky}, {kind: adb, count: 2, options: {port: '1'}}]"
)


def mixed(*more: str) -> RunConfig:
    return resolve(overrides=[POOLS, "collect.devices=6", *more])


def test_without_pools_all_are_of_one_kind() -> None:
    config = resolve()
    assert [(m.config, m.index) for m in members(config, 3)] == [(config.device, i) for i in range(3)]


def test_pools_take_turns_and_count_their_own() -> None:
    chosen = members(mixed(), 6)
    assert [(m.config.kind, m.index) for m in chosen if m.config.kind == "adb"] == [("adb", 0), ("adb", 1)]
    simulated = [m for m in chosen if m.config.kind == "simulated"]
    assert [m.index for m in simulated] == [0, 1, 2, 3]
    assert {m.config.profile for m in simulated} == {"flaky"}
    assert chosen[1].config.kind == "adb"  # among the first few already
    assert chosen[1].config.options == {"port": "1"}
    assert chosen[1].config.profile == "instant"  # as in `device`


def test_there_are_never_more_than_the_pools_name() -> None:
    assert len(members(mixed(), 16)) == 6
    assert len(members(mixed(), 3)) == 3


def test_two_pools_of_one_kind_have_different_devices() -> None:
    pools = "device.pools=[{kind: simulated, count: 2}, {kind: simulated, count: 2, profile: flaky}]"
    config = resolve(overrides=[pools, "collect.devices=4"])
    assert len({device.id for device in make_devices(config, 4, 0)}) == 4


def test_a_total_that_differs_is_explained() -> None:
    with pytest.raises(ConfigError, match=r"set collect\.devices to 6"):
        members(mixed("collect.devices=7"), 7)


def test_pools_survive_the_run_folder() -> None:
    config = mixed()
    assert load(dump(config), "test") == config
