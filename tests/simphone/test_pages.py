"""A page or screen from memory is the one that would be built and composed anew."""

from __future__ import annotations

import gc
import random

import pytest

from distrl.simphone import Phone
from distrl.simphone.app import Context
from distrl.simphone.apps.registry import APPS, BY_PACKAGE
from distrl.simphone.navigation import front, top
from distrl.simphone.scene import Scene
from distrl.simphone.state import Entry
from distrl.simphone.store import Store
from distrl.simphone.system import pages, screen
from distrl.simphone.system.screen import compose


def shown(scene: Scene) -> tuple[object, ...]:
    return scene.nodes, scene.targets, scene.fields, scene.areas, scene.flicks, scene.marks()


def anew(phone: Phone) -> Scene:
    """The screen without any memory of pages."""
    store = phone._store
    kept, status, store.pages, store.status = store.pages, store.status, {}, None
    scene = compose(store)
    store.pages, store.status = kept, status
    return scene


def act(phone: Phone, source: random.Random) -> None:
    draw = source.random()
    clickable = [node for node in phone.tree() if node.clickable]
    if draw < 0.62 and clickable:
        phone.tap(*source.choice(clickable).centre)
    elif draw < 0.74:
        phone.swipe(206, 560, 206, source.choice((200, 500)))
    elif draw < 0.80:
        phone.type_text(source.choice(("a", "12", "shoes")))
    elif draw < 0.84:
        phone.swipe(206, 2, 206, 400)
    else:
        phone.key(source.choice(("BACK", "HOME", "ENTER", "APP_SWITCH", "VOLUME_UP", "DEL")))


@pytest.mark.parametrize("seed", range(4))
def test_memory_never_shows_what_has_changed(seed: int) -> None:
    source = random.Random(seed)
    phone = Phone(seed)
    phone.shell(f"simphone world {seed}")
    phone.shell("simphone trouble popups=0.05 drops=0.02")
    saved = phone.snapshot()
    for step in range(260):
        if step % 20 == 0:
            phone.open_app(source.choice(APPS).label)
        elif step % 97 == 0:
            phone.restore(saved)
        elif step % 31 == 0:
            phone.shell("settings put secure ui_night_mode 2; simphone notify com.simphone.notes One more")
        else:
            act(phone, source)
        phone.advance(source.choice((0.4, 1.0, 1.0, 31.0)))
        assert shown(phone.scene()) == shown(anew(phone))


def test_a_page_that_reads_the_open_pages_is_not_remembered() -> None:
    phone = Phone(4)
    phone.open_app("Browser")
    front(phone.state).stack.append(Entry("tabs"))
    phone.touched()
    phone.tree()
    phone.key("APP_SWITCH")  # now another app is in front
    assert shown(phone.scene()) == shown(anew(phone))
    assert not any("'tabs'" in key for key in phone._store.pages)


def test_a_screen_is_composed_once_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone(3)
    phone.open_app("Contacts")
    before = phone.scene()
    composed: list[int] = []
    original = screen._compose

    def noted(store: Store, layers: list[pages.Layer]) -> Scene:
        composed.append(len(layers))
        return original(store, layers)

    monkeypatch.setattr(screen, "_compose", noted)
    phone.advance(1.0)
    assert phone.scene() is before
    phone.advance(60.0)  # the clock shows another minute
    assert phone.scene() is not before
    assert composed == [1]


def test_a_page_built_anew_that_has_not_changed_keeps_its_screen() -> None:
    phone = Phone(3)
    phone.open_app("Contacts")
    before = phone.scene()
    phone.touched()  # something may have changed
    assert phone.scene() is before
    for line in (
        "settings put secure ui_night_mode 2",
        "settings put secure theme_accent green",
        "simphone notify com.simphone.notes One more",
        "content delete --uri content://com.android.contacts/contacts",
    ):
        phone.shell(line)
        changed = phone.scene()
        assert changed is not before, line
        assert shown(changed) == shown(anew(phone))
        before = changed


def test_previews_of_pages_that_have_not_changed_follow_the_look() -> None:
    phone = Phone(3)
    phone.shell("settings put secure ui_night_mode 1")
    phone.open_app("Contacts")
    phone.key("APP_SWITCH")
    phone.frame()
    phone.shell("settings put secure ui_night_mode 2")
    dark = phone.frame().tobytes()
    phone.restore(phone.snapshot())  # forgets all pages
    assert phone.frame().tobytes() == dark


def test_a_phone_that_is_reset_leaves_no_garbage_to_search_for() -> None:
    phone = Phone(6)
    gc.collect()
    before = sum(type(thing) is Store for thing in gc.get_objects())
    gc.disable()
    try:
        for app in APPS:
            phone.open_app(app.label)
            phone.tree()
        phone.shell("ls /sdcard; dumpsys bluetooth_manager")
        phone.key("APP_SWITCH")
        phone.frame()
        phone.reset(7)
        phone.tree()
        phone.frame()
        assert sum(type(thing) is Store for thing in gc.get_objects()) == before
    finally:
        gc.enable()


def test_the_memory_of_pages_is_bounded_and_ends_with_the_store() -> None:
    phone = Phone(5)
    for app in APPS:
        if app.preinstalled:
            phone.open_app(app.label)
            phone.tree()
    assert 0 < len(phone._store.pages) <= pages.PAGES_KEPT
    phone.restore(phone.snapshot())
    assert not phone._store.pages


def test_pages_that_answer_no_swipe_would_not_change_by_one() -> None:
    phone = Phone(2)
    for app in BY_PACKAGE.values():
        if not phone.open_app(app.label) or "main" in app.swiped:
            continue
        assert front(phone.state).package == app.package
        for direction in ("up", "down", "left", "right"):
            before = phone.snapshot()
            app.update(Context(phone.store, app, top(phone.state)), ("@swipe", direction))
            assert phone.snapshot() == before
