"""The pages of Settings that are more than a table: apps, networks, devices, lock, languages, search."""

from __future__ import annotations

import pytest

from distrl.simphone import Phone, navigation
from distrl.simphone.apps.settings.tables import PAGES
from distrl.simphone.hand import Hand
from distrl.simphone.radios import online

BLUETOOTH = "content query --uri content://com.android.settings/bluetooth"


def at(page: str, seed: int = 0, **args: str | int) -> tuple[Phone, Hand]:
    phone = Phone(seed)
    navigation.launch(phone.state, "com.android.settings", page, args)
    phone.touched()
    return phone, Hand(phone)


def get(phone: Phone, namespace: str, key: str) -> str:
    return phone.shell(f"settings get {namespace} {key}").stdout.strip()


def test_networks_are_joined_and_forgotten() -> None:
    phone, hand = at("wifi")
    hand.tap("Library")
    assert get(phone, "global", "wifi_network") == "Library"
    hand.tap("Office 4F")
    hand.write("Password", "short")
    hand.tap("Connect")
    assert get(phone, "global", "wifi_network") == "Library", "the password is too short"
    hand.write("password", "er than this")
    hand.tap("Connect")
    assert phone.shell("cmd wifi status").stdout == 'Wifi is enabled\nWifi is connected to "Office 4F"\n'
    hand.tap("Office 4F")
    hand.tap("Forget")
    assert get(phone, "global", "wifi_network") == ""
    assert "Office 4F\n" not in phone.shell("cmd wifi list-networks").stdout
    phone.shell("svc data disable")
    assert not online(phone.state)


def test_bluetooth_devices_are_paired_renamed_and_forgotten() -> None:
    phone, hand = at("devices")
    hand.tap("Bluetooth")
    hand.tap("Pair new device")
    hand.tap("Kitchen Speaker")
    hand.tap("Pair")
    assert "name=Kitchen Speaker" in phone.shell(f'{BLUETOOTH} --where "paired=1 AND connected=1"').stdout
    row = hand.find("Kitchen Speaker")
    gear = next(
        node
        for node in phone.tree()
        if node.class_name.endswith("ImageButton") and abs(node.centre[1] - row.centre[1]) < 20
    )
    phone.tap(*gear.centre)
    hand.tap("Rename")
    hand.tap("name")
    phone.clear_text()
    phone.type_text("Radio\n")
    assert "Radio connected=true" in phone.shell("dumpsys bluetooth_manager").stdout
    hand.tap("Forget")
    assert "Radio" not in phone.shell("dumpsys bluetooth_manager").stdout


def test_apps_are_silenced_stopped_and_permitted() -> None:
    phone, hand = at("apps")
    phone.open_app("Maps")
    phone.open_app("Settings")
    hand.tap("Maps")
    hand.tap("Notifications")
    assert phone.shell("cmd appops get com.simphone.maps POST_NOTIFICATION").stdout.endswith("ignore\n")
    hand.tap("Permissions")
    hand.tap("Location")
    hand.tap("Allow only while using the app")
    assert "granted=true" in phone.shell("dumpsys package com.simphone.maps | grep FINE_LOCATION").stdout
    phone.key("BACK")
    phone.key("BACK")
    hand.tap("Force stop")
    hand.tap("OK")
    assert "com.simphone.maps" not in phone.shell("dumpsys activity activities").stdout


def test_storage_is_cleared() -> None:
    phone, hand = at("app_storage", package="com.simphone.notes")
    notes = "content query --uri content://com.simphone.notes/notes"
    fresh = phone.shell(notes).stdout
    phone.shell("content delete --uri content://com.simphone.notes/notes")
    assert phone.shell(notes).stdout != fresh
    hand.tap("Clear storage")
    hand.tap("Delete")
    assert phone.shell(notes).stdout == fresh


def test_only_apps_from_the_store_can_be_uninstalled() -> None:
    phone, hand = at("app_info", package="com.simphone.extra.coin")
    hand.tap("Uninstall")
    hand.tap("OK")
    assert phone.shell("pm path com.simphone.extra.coin").code == 1
    phone, hand = at("app_info", package="com.simphone.notes")
    assert not hand.find("Uninstall").enabled
    assert phone.shell("pm uninstall com.simphone.notes").code == 1


def test_a_pin_is_entered_twice() -> None:
    phone, hand = at("screen_lock")
    hand.tap("PIN")
    hand.write("New PIN", "1234")
    hand.write("Re-enter PIN", "9999\n")
    assert get(phone, "secure", "screen_lock") == "swipe"
    hand.tap("again")
    phone.clear_text()
    phone.type_text("1234\n")
    assert get(phone, "secure", "screen_lock") == "pin"
    assert get(phone, "secure", "screen_lock_code") == "1234"


def test_languages_are_added_and_removed() -> None:
    phone, hand = at("language")
    for name in ("Italiano", "Nederlands"):
        hand.tap("Add a language")
        hand.tap(name)
    assert get(phone, "system", "additional_locales") == "it-IT,nl-NL"
    row = hand.find("Italiano")
    bin_ = next(
        node
        for node in phone.tree()
        if node.class_name.endswith("ImageButton") and abs(node.centre[1] - row.centre[1]) < 20
    )
    phone.tap(*bin_.centre)
    hand.tap("Remove")
    assert get(phone, "system", "additional_locales") == "nl-NL"


def test_style_changes_the_pixels() -> None:
    phone, hand = at("wallpaper")
    before = phone.frame().tobytes()
    hand.tap("Rose")
    assert get(phone, "secure", "theme_accent") == "rose"
    assert phone.frame().tobytes() != before
    phone.key("HOME")
    home = phone.frame().tobytes()
    phone.open_app("Settings")
    hand.tap("Wallpaper 5")
    phone.key("HOME")
    assert get(phone, "secure", "wallpaper") == "4"
    assert phone.frame().tobytes() != home


@pytest.mark.parametrize(
    ("query", "result", "lands_on"),
    [
        ("pin", "Screen lock", "Choose screen lock"),
        ("letters", "Font size", "Display"),
        ("headphones", "Pair new device", "Pair new device"),
        ("translation", "Add a language", "Add a language"),
        ("background", "Wallpaper", "Wallpaper & style"),
        ("melody", "Phone ringtone", "Sound & vibration"),
        ("weather", "Weather", "App info"),
    ],
)
def test_search_results_open_their_page(query: str, result: str, lands_on: str) -> None:
    _, hand = at("search")
    hand.write("Search settings", query)
    hand.tap(result)
    assert hand.see(lands_on) is not None


def test_some_settings_are_in_two_places() -> None:
    places: dict[str, set[str]] = {}
    for name, page in PAGES.items():
        for item in page.items:
            places.setdefault(getattr(item, "key", ""), set()).add(name)
    assert sum(len(pages) > 1 for key, pages in places.items() if key) >= 6
