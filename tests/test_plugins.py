"""Plug-ins: distrl's own are found, and a name that is not there gives one sentence."""

import pytest

from distrl import plugins
from distrl.errors import ConfigError


@pytest.mark.parametrize("group", plugins.GROUPS)
def test_every_group_has_something_that_loads(group: str) -> None:
    names = plugins.found(group)
    assert names
    for name in names:
        assert callable(plugins.find(group, name))


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(ConfigError, match=r"known: .*simulated"):
        plugins.find("devices", "toaster")
