"""Thousands of random actions never raise, and BACK and HOME always lead out."""

from __future__ import annotations

import random

import pytest

from distrl.simphone import Phone
from distrl.simphone.apps.registry import APPS

HOME = "com.android.launcher3"


def strange_text(source: random.Random) -> str:
    return "".join(chr(source.choice((32, 39, 61, 10, 9731, 128512, 97, 48, 0, 38))) for _ in range(6))


def act(phone: Phone, source: random.Random) -> None:
    x, y = source.uniform(-20, 440), source.uniform(-20, 760)
    match source.randrange(10):
        case 0 | 1 | 2 | 3:
            clickable = [node for node in phone.tree() if node.clickable]
            phone.tap(*source.choice(clickable).centre)
        case 4:
            phone.tap(x, y)
        case 5:
            phone.long_press(x, y)
        case 6:
            phone.swipe(x, y, source.uniform(-20, 440), source.uniform(-20, 760))
        case 7:
            phone.type_text(strange_text(source))
        case 8:
            phone.key(source.choice(("BACK", "ENTER", "DEL", "TAB", "APP_SWITCH", "VOLUME_UP")))
        case _:
            phone.open_app(source.choice(APPS).package)
            phone.advance(source.choice((0.1, 1.0, 60.0)))


@pytest.mark.parametrize("seed", range(6))
def test_random_actions(seed: int) -> None:
    source = random.Random(seed)
    phone = Phone(seed)
    if seed % 2:
        phone.shell("simphone loading 0.5")
    for step in range(600):
        act(phone, source)
        assert phone.tree()
        if step % 10 == 0:
            phone.frame()
        if step % 100 == 99:
            phone.restore(phone.snapshot())
            _leads_out(phone)


def _leads_out(phone: Phone) -> None:
    snapshot = phone.snapshot()
    for _ in range(60):
        if phone.foreground == HOME:
            break
        phone.key("BACK")
    assert phone.foreground == HOME, "BACK leads out"
    phone.restore(snapshot)
    phone.key("HOME")
    assert phone.foreground == HOME, "HOME leads out"
    phone.restore(snapshot)
