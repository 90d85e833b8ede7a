from collections.abc import Callable
from urllib.parse import quote

import pytest

from distrl.config import DeviceConfig
from distrl.devices.browser.chromium import find_chromium
from distrl.devices.browser.device import BrowserDevice, build
from distrl.errors import DeviceError
from distrl.records import Task

Make = Callable[..., BrowserDevice]
PageTask = Callable[..., Task]


@pytest.fixture(scope="session")
def chromium() -> str:
    try:
        return find_chromium()
    except DeviceError as error:
        pytest.skip(str(error))


@pytest.fixture
def make(chromium: str) -> Make:
    """Builds a device; options by name."""

    def build_device(index: int = 0, **options: str) -> BrowserDevice:
        return build(DeviceConfig(kind="browser", options=options), index=index)

    return build_device


@pytest.fixture
def page_task() -> PageTask:
    """A task whose page is given as HTML; `state` is a script whose value is the probe's answer."""

    def make_task(body: str, *setup: str, state: str = "0") -> Task:
        html = f"<!doctype html><meta name=viewport content='width=device-width'><title>T</title>{body}"
        return Task(
            "page",
            "Do it",
            "testing",
            "train",
            10,
            setup=(*setup, f"goto data:text/html;charset=utf-8,{quote(html)}"),
            probes={"state": f"eval {state}"},
        )

    return make_task
