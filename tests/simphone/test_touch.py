"""Fingers, keys and the keyboard."""

from __future__ import annotations

import pytest

from distrl.simphone import Phone
from distrl.simphone.hand import Hand


def field_text(phone: Phone) -> str:
    return next(node.text for node in phone.tree() if node.focused)


def test_typing_needs_the_focus() -> None:
    phone = Phone(0)
    phone.open_app("Notes")
    before = phone.snapshot()
    phone.type_text("milk")
    assert phone.snapshot() == before
    Hand(phone).write("Search notes", "milk")
    assert field_text(phone) == "milk"


def test_the_soft_keyboard_writes() -> None:
    phone = Phone(0)
    phone.open_app("Notes")
    hand = Hand(phone)
    hand.tap("Search notes")
    for key in ("Shift", "H", "e", "y", "Space", "Symbols", "1"):
        hand.tap(key)
    assert field_text(phone) == "Hey 1"
    hand.tap("Delete")
    phone.key("DEL")
    assert field_text(phone) == "Hey"


def test_enter_submits_or_breaks_the_line() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    hand.tap("New note")
    hand.write("Note", "one")
    phone.key("ENTER")
    phone.type_text("two")
    hand.tap("Save")
    rows = phone.shell(
        "content query --uri content://com.simphone.notes/notes --where \"body LIKE 'one%'\""
    ).stdout
    assert "body=one\ntwo" in rows


def test_back_closes_the_keyboard_first() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    hand.tap("Search notes")
    assert hand.see("Space") is not None
    phone.key("BACK")
    assert hand.see("Space") is None
    assert phone.foreground == "com.simphone.notes"
    phone.key("BACK")
    assert phone.foreground == "com.android.launcher3"


def test_the_keyboard_never_hides_the_field() -> None:
    phone = Phone(0)
    phone.shell("settings put system font_scale 1.3")
    hand = Hand(phone)
    phone.open_app("Contacts")
    hand.tap("Create contact")
    hand.tap("Email")
    field = next(node for node in phone.tree() if node.focused)
    keyboard = next(node for node in phone.tree() if node.resource_id.endswith("keyboard_view"))
    assert field.bounds[3] <= keyboard.bounds[1]


def test_tab_goes_to_the_next_field() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Contacts")
    hand.tap("Create contact")
    hand.write("Name", "Ann")
    phone.key("TAB")
    phone.type_text("123")
    hand.tap("Save")
    assert "phone=123" in phone.shell("content query --uri content://com.android.contacts/contacts").stdout


@pytest.mark.parametrize("key", ["HOME", "KEYCODE_HOME", "3"])
def test_home_key(key: str) -> None:
    phone = Phone(0)
    phone.open_app("Settings")
    phone.key(key)
    assert phone.foreground == "com.android.launcher3"


def test_recents_open_and_close_apps() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Settings")
    phone.open_app("Notes")
    phone.key("APP_SWITCH")
    hand.tap("Settings")
    assert phone.foreground == "com.android.settings"
    phone.key("APP_SWITCH")
    hand.tap("Dismiss")
    assert hand.see("Settings") is None
    assert hand.see("Notes") is not None


def test_swipes_open_the_drawer_and_the_shade() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.swipe(206, 560, 206, 250)
    hand.tap("Notes")
    assert phone.foreground == "com.simphone.notes"
    phone.swipe(206, 5, 206, 300)
    assert hand.see("Quick settings") is not None
    hand.tap("Airplane mode")
    assert phone.shell("settings get global airplane_mode_on").stdout == "1\n"
    phone.key("BACK")
    assert phone.foreground == "com.simphone.notes"


def test_a_slider_follows_the_finger() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Settings")
    hand.tap("Display")
    left, top, right, bottom = hand.find("Brightness level").bounds
    slider = next(node for node in phone.tree() if node.class_name.endswith("SeekBar"))
    left, top, right, bottom = slider.bounds
    phone.tap(right - 1, (top + bottom) / 2)
    assert int(phone.shell("settings get system screen_brightness").stdout) > 250
    phone.swipe(right - 1, (top + bottom) / 2, left - 50, top)
    assert phone.shell("settings get system screen_brightness").stdout == "1\n"


@pytest.mark.parametrize("place", [(-5, -5), (1e9, 1e9), (float("nan"), 3), (float("inf"), float("-inf"))])
def test_touching_nothing_does_nothing(place: tuple[float, float]) -> None:
    phone = Phone(0)
    phone.open_app("Settings")
    before = phone.snapshot()
    phone.tap(*place)
    phone.long_press(*place)
    assert phone.snapshot() == before
    phone.swipe(*place, *place)
    phone.key("NO_SUCH_KEY")
    phone.key("")
    assert phone.snapshot() == before
