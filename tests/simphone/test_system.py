"""The system's own screens: home pages, drawer, shade, notifications, recents, keyboard, windows that ask."""

from __future__ import annotations

import pytest

from distrl.simphone import Phone, permissions
from distrl.simphone.app import Context
from distrl.simphone.apps.registry import APPS, BY_PACKAGE
from distrl.simphone.hand import Hand
from distrl.simphone.marks import Sheet
from distrl.simphone.navigation import front
from distrl.simphone.store import Store
from distrl.simphone.system import recents
from distrl.simphone.system.shade import TILES
from distrl.simphone.theme import Look

HOME = "com.android.launcher3"


def shade(phone: Phone) -> Hand:
    phone.swipe(206, 5, 206, 300)
    return Hand(phone)


def icons(phone: Phone) -> list[str]:
    return [node.description for node in phone.tree() if node.resource_id.endswith("/icon")]


def test_home_pages_hold_every_app_once() -> None:
    phone = Phone(3)
    first = icons(phone)
    dock, seen = first[-4:], first[:-4]
    for _ in range(5):
        phone.swipe(350, 400, 60, 400)
        seen += [name for name in icons(phone)[:-4] if name not in seen]
    assert icons(phone)[-4:] == dock
    wanted = {app.label for app in APPS if app.package in phone.state.packages}
    assert set(seen) | set(dock) == wanted
    for _ in range(5):
        phone.swipe(60, 400, 350, 400)
    assert icons(phone) == first


def test_the_drawer_finds_apps() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.swipe(206, 560, 206, 250)
    assert icons(phone) == sorted(icons(phone))
    hand.write("Search apps", "ote")
    assert icons(phone) == ["Notes"]
    phone.key("ENTER")
    assert phone.foreground == "com.simphone.notes"


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: str(tile[0]))
def test_tiles_change_their_setting(tile: tuple[str, ...]) -> None:
    label, _, namespace, key, on, off, page = tile
    phone = Phone(0)
    hand = shade(phone)
    get = f"settings get {namespace} {key}"
    before = phone.shell(get).stdout.strip()
    hand.tap(label)
    after = phone.shell(get).stdout.strip()
    assert {before, after} == {on, off}
    assert hand.find(label).checked == (after == on)
    if page:
        hand.hold(label)
        assert phone.foreground == "com.android.settings"


def test_brightness_in_the_shade() -> None:
    phone = Phone(0)
    slider = shade(phone).find("Display brightness")
    left, top, right, bottom = slider.bounds
    phone.tap(right - 1, (top + bottom) // 2)
    assert phone.shell("settings get system screen_brightness").stdout == "255\n"
    phone.tap(left, (top + bottom) // 2)
    assert phone.shell("settings get system screen_brightness").stdout == "1\n"


def test_notifications_come_are_opened_and_go() -> None:
    phone = Phone(0)
    phone.shell("simphone notify com.simphone.notes Reminder 'Call Ann'")
    phone.shell("cmd notification post -t Hello tag 'Some text'")
    assert any("Notes notification: Reminder" in node.description for node in phone.tree())
    dump = phone.shell("dumpsys notification --noredact").stdout
    assert "pkg=com.simphone.notes" in dump
    assert "android.title=String (Reminder)" in dump
    hand = shade(phone)
    hand.tap("Reminder")
    assert phone.foreground == "com.simphone.notes"
    assert "Reminder" not in phone.shell("dumpsys notification").stdout
    hand = shade(phone)
    x, y = hand.find("Hello").centre
    phone.swipe(x, y, x + 200, y)
    assert "Hello" not in phone.shell("dumpsys notification").stdout
    phone.shell("simphone notify com.simphone.mail One; simphone notify com.simphone.mail Two")
    hand.tap("Clear all")
    assert phone.shell("cmd notification list").stdout == ""
    assert phone.foreground == "com.simphone.notes"


def test_the_cross_dismisses_a_notification() -> None:
    phone = Phone(0)
    phone.state.notifications.clear()
    phone.shell("simphone notify com.simphone.mail One")
    hand = shade(phone)
    hand.tap("Dismiss")
    assert hand.see("No notifications") is not None


def test_an_app_posts_and_asks() -> None:
    phone = Phone(0)
    phone.open_app("Notes")
    app = BY_PACKAGE["com.simphone.notes"]
    ctx = Context(phone.store, app, front(phone.state).stack[-1])
    ctx.notify("Done", "All notes are saved")
    assert phone.state.notifications[0].package == "com.simphone.notes"
    ctx.ask("camera")
    phone.touched()
    hand = Hand(phone)
    assert hand.see("Allow Notes to take pictures and record video?") is not None
    hand.tap("Only this time")
    assert ctx.allowed("camera")
    ctx.ask("camera")
    assert not phone.state.overlays, "it does not ask twice"
    phone.shell("am force-stop com.simphone.notes")
    assert not permissions.allowed(phone.state, "com.simphone.notes", "camera"), "once is over"


@pytest.mark.parametrize(
    ("button", "granted"),
    [("While using the app", "true"), ("Only this time", "true"), ("Don't allow", "false")],
)
def test_permission_answers_are_kept(button: str, granted: str) -> None:
    phone = Phone(0)
    phone.shell("simphone dialog permission com.simphone.maps location")
    Hand(phone).tap(button)
    dump = phone.shell("dumpsys package com.simphone.maps | grep ACCESS_FINE_LOCATION").stdout
    assert f"granted={granted}" in dump
    assert phone.foreground == HOME


def test_a_silenced_app_posts_nothing() -> None:
    phone = Phone(0)
    phone.shell("simphone notify com.simphone.mail Before")
    phone.shell("cmd appops set com.simphone.mail POST_NOTIFICATION ignore")
    phone.shell("simphone notify com.simphone.mail After")
    assert not [one for one in phone.state.notifications if one.package == "com.simphone.mail"]
    assert phone.shell("cmd appops get com.simphone.mail POST_NOTIFICATION").stdout.endswith("ignore\n")


def test_recents_build_pages_only_for_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone(1)
    for name in ("Notes", "Contacts"):
        phone.open_app(name)
    built: list[str] = []
    build = recents.preview

    def noted(store: Store, package: str, look: Look) -> Sheet:
        built.append(package)
        return build(store, package, look)

    monkeypatch.setattr(recents, "preview", noted)
    phone.key("APP_SWITCH")
    assert {"Notes", "Contacts"} <= {node.text for node in phone.tree()}
    assert not built
    first = phone.frame().tobytes()
    assert built == ["com.android.contacts", "com.simphone.notes"]
    phone.frame(4)
    assert len(built) == 2
    # A card shows its page as it is when one looks, and the picture's number changes with it.
    version = phone.frame_version
    phone.shell("content delete --uri content://com.android.contacts/contacts")
    assert phone.frame_version != version
    assert phone.frame().tobytes() != first


def test_recents_show_cards_and_close_them() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    for name in ("Settings", "Notes", "Contacts"):
        phone.open_app(name)
    phone.key("APP_SWITCH")
    x, y = hand.find("Contacts").centre
    phone.swipe(x, y, x - 150, y)
    assert hand.see("Contacts") is None
    hand.tap("Clear all")
    phone.key("APP_SWITCH")
    assert hand.see("No recent items") is not None
    assert [task.package for task in phone.state.tasks] == [HOME]


def test_an_app_that_does_not_respond() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    phone.shell("simphone dialog anr com.simphone.notes")
    assert hand.see("Notes isn't responding") is not None
    hand.tap("Wait")
    assert phone.foreground == "com.simphone.notes"
    phone.shell("simphone dialog anr com.simphone.notes")
    hand.tap("Close app")
    assert phone.foreground == HOME


def test_the_keyboard_has_symbols_and_says_what_enter_does() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    hand.tap("Search notes")
    for key in ("Symbols", "@", "More symbols", "_", "€", "Letters", "Shift", "Q", "w"):
        hand.tap(key)
    assert next(node.text for node in phone.tree() if node.focused) == "@_€Qw"
    assert hand.see("Done") is None
    assert next(node for node in phone.tree() if node.description == "Search").clickable
    phone.key("BACK")
    hand.tap("New note")
    hand.tap("Note")
    assert hand.see("Enter") is not None


def test_held_icons_lead_to_app_info_and_uninstall() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.swipe(206, 560, 206, 250)
    hand.hold("Coin Flip")
    hand.tap("App info")
    assert hand.see("Force stop") is not None
    phone.key("HOME")
    phone.swipe(206, 560, 206, 250)
    hand.hold("Coin Flip")
    hand.tap("Uninstall")
    hand.tap("OK")
    assert "coin" not in phone.shell("pm list packages").stdout
    phone.swipe(206, 560, 206, 250)
    hand.hold("Notes")
    assert hand.see("Uninstall") is None


def test_a_window_gives_the_keyboard_back() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    hand.write("Search notes", "mil")
    phone.shell("simphone dialog update")
    assert hand.see("Space") is None
    hand.tap("Later")
    phone.type_text("k")
    assert next(node.text for node in phone.tree() if node.focused) == "milk"
