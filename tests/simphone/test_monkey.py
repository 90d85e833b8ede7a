"""Thousands of random actions never raise nor lead to an impossible phone; BACK and HOME always lead out.

SIMPHONE_SOAK_S=600 pytest tests/simphone/test_monkey.py -k soak    # ten minutes instead of two seconds
"""

from __future__ import annotations

import os
import random
import time

import pytest

from distrl.simphone import Phone
from distrl.simphone.apps.registry import APPS
from distrl.simphone.permissions import ANSWERS, PERMISSIONS
from distrl.simphone.system.screen import app_of

HOME = "com.android.launcher3"
SOAK_S = float(os.environ.get("SIMPHONE_SOAK_S", "2"))
FIRST_SEED = int(os.environ.get("SIMPHONE_SOAK_SEED", "0"))
TROUBLES = ("off", "loading=0.5", "popups=0.2 drops=0.1", "popups=0.05 drops=0.3 loading=2 seed=4")


def strange_text(source: random.Random) -> str:
    return "".join(chr(source.choice((32, 39, 61, 10, 9731, 128512, 97, 48, 0, 38))) for _ in range(6))


def act(phone: Phone, source: random.Random) -> None:
    x, y = source.uniform(-20, 440), source.uniform(-20, 760)
    match source.randrange(11):
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
            phone.type_text(source.choice((strange_text(source), "a", "milk\n", "12")))
        case 8:
            keys = ("BACK", "BACK", "ENTER", "DEL", "TAB", "APP_SWITCH", "VOLUME_UP", "HOME")
            phone.key(source.choice(keys))
        case 9:
            # Inside the app in front: most of what is worth touching is there, not in the system's bars.
            inside = [node for node in phone.tree() if node.clickable and node.package == phone.foreground]
            if inside:
                phone.tap(*source.choice(inside).centre)
        case _:
            phone.open_app(source.choice(APPS).package)
            phone.advance(source.choice((0.1, 1.0, 60.0, 4000.0)))


def check(phone: Phone) -> None:
    """What holds for every phone, whatever was done to it."""
    state = phone.state
    packages = [task.package for task in state.tasks]
    assert HOME in packages
    assert len(set(packages)) == len(packages), "no app is open twice"
    for task in state.tasks:
        assert task.stack
        assert task.package == HOME or task.package in state.packages, f"{task.package} is open but removed"
        for entry in task.stack:
            assert entry.page in app_of(task.package).pages, f"{task.package} has no page {entry.page}"
            assert all(offset >= 0 for offset in entry.scroll.values())
    assert len(state.overlays) <= 3
    assert not state.keyboard.shown or state.focus, "a keyboard writes somewhere"
    assert len({one.id for one in state.notifications}) == len(state.notifications)
    for answers in state.permissions.values():
        assert set(answers) <= set(PERMISSIONS)
        assert set(answers.values()) <= set(ANSWERS)
    nodes = phone.tree()
    assert nodes
    for index, node in enumerate(nodes):
        left, top, right, bottom = node.bounds
        assert 0 <= left < right <= phone.width
        assert 0 <= top < bottom <= phone.height
        assert -1 <= node.parent < index


def leads_out(phone: Phone) -> None:
    snapshot = phone.snapshot()
    phone.shell("simphone trouble off")
    for _ in range(130):
        if phone.foreground == HOME:
            break
        phone.key("BACK")
    assert phone.foreground == HOME, "BACK leads out"
    phone.restore(snapshot)
    phone.shell("simphone trouble off")
    phone.key("HOME")
    assert phone.foreground == HOME, "HOME leads out"
    phone.restore(snapshot)


def play(seed: int, steps: int) -> None:
    source = random.Random(seed)
    phone = Phone(seed)
    phone.shell(f"simphone world {seed % 5}; simphone trouble {TROUBLES[seed % len(TROUBLES)]}")
    for step in range(steps):
        act(phone, source)
        if step % 5 == 0:
            check(phone)
        if step % 10 == 0:
            phone.frame(source.choice((1, 4)))
        if step % 100 == 99:
            snapshot = phone.snapshot()
            phone.restore(snapshot)
            assert phone.snapshot() == snapshot
            leads_out(phone)


@pytest.mark.parametrize("seed", range(8))
def test_random_actions(seed: int) -> None:
    play(seed, 300)


def test_soak() -> None:
    end, seed = time.monotonic() + SOAK_S, FIRST_SEED + 1000
    while time.monotonic() < end:
        try:
            play(seed, 400)
        except Exception as error:
            error.add_note(f"seed {seed}: SIMPHONE_SOAK_SEED={seed - 1000} repeats it")
            raise
        seed += 1
