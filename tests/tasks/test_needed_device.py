import pytest

from distrl.assembly import fitted
from distrl.config import dump, load, resolve
from distrl.errors import ConfigError
from distrl.tasks import needed_device


def test_a_suite_may_name_the_kind_of_device_it_needs() -> None:
    assert needed_device("miniwob") == "browser"
    assert needed_device("starter") is None
    assert needed_device("some/tasks.yaml") is None


def test_it_is_chosen_unless_the_user_has_chosen() -> None:
    assert fitted(resolve(overrides=["suite=miniwob"])).device.kind == "browser"
    assert fitted(resolve(overrides=["suite=miniwob", "device.kind=browser"])).device.kind == "browser"
    assert fitted(resolve()).device.kind == "simulated"
    options = fitted(resolve(overrides=["suite=miniwob", "device.picture_scale=0.25"])).device
    assert (options.kind, options.picture_scale) == ("browser", 0.25)


@pytest.mark.parametrize(
    "overrides",
    [
        ["device.kind=simulated"],
        ["device.kind=adb"],
        ["collect.devices=1", "device.pools=[{kind: browser, count: 1}, {kind: adb, count: 1}]"],
    ],
)
def test_another_choice_is_one_sentence(overrides: list[str]) -> None:
    with pytest.raises(ConfigError, match="add --device browser"):
        fitted(resolve(overrides=["suite=miniwob", *overrides]))


def test_a_stored_configuration_stays_as_it_is() -> None:
    stored = load(dump(fitted(resolve(overrides=["suite=miniwob"]))), "config.yaml")
    assert fitted(stored) == stored
