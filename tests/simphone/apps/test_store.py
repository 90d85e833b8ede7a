"""The store and the small apps in it, worked by hand and checked through the shell."""

from __future__ import annotations

import pytest

from distrl.simphone import Phone
from distrl.simphone.app import AnyApp
from distrl.simphone.apps.extras import EXTRAS
from distrl.simphone.hand import Hand

APPS = "content query --uri content://com.simphone.store/apps"
PACKAGES = "pm list packages com.simphone.extra"


def opened() -> Hand:
    hand = Hand(Phone(1))
    hand.phone.open_app("Store")
    return hand


def found(hand: Hand, words: str, label: str) -> None:
    """Look an app up and open its page."""
    hand.tap("open_search")
    hand.write("query", words)
    hand.phone.key("BACK")
    hand.tap(label)


def test_installing_takes_time_and_then_the_app_opens() -> None:
    hand = opened()
    assert "extra.packing" not in hand.phone.shell(PACKAGES).stdout
    assert not hand.phone.open_app("Packing List")
    found(hand, "packing", "Packing List")
    hand.tap("Install")
    assert hand.see("Cancel") is not None
    assert hand.see("Open") is None
    hand.phone.advance(60)
    hand.tap("Open")
    assert hand.phone.foreground == "com.simphone.extra.packing"
    assert "package:com.simphone.extra.packing" in hand.phone.shell(PACKAGES).stdout
    assert "installed=1" in hand.phone.shell(f"{APPS} --where \"label='Packing List'\"").stdout
    hand.phone.key("HOME")
    hand.phone.swipe(200, 500, 200, 200)
    assert hand.find("Packing List") is not None


def test_a_cancelled_download_leaves_nothing() -> None:
    hand = opened()
    found(hand, "packing", "Packing List")
    hand.tap("Install")
    hand.tap("Cancel")
    assert hand.see("Install") is not None
    assert "extra.packing" not in hand.phone.shell(PACKAGES).stdout


def test_uninstalling_asks_and_takes_the_data_along() -> None:
    hand = opened()
    hand.phone.open_app("Tally Counter")
    hand.tap("plus")
    hand.tap("plus")
    state = "content query --uri content://com.simphone.extra.tally/state"
    assert "value=2" in hand.phone.shell(state).stdout
    hand.phone.open_app("Store")
    found(hand, "tally", "Tally Counter")
    hand.tap("Uninstall")
    hand.tap("Cancel")
    assert "extra.tally" in hand.phone.shell(PACKAGES).stdout
    hand.tap("Uninstall")
    hand.tap("Uninstall")
    assert "extra.tally" not in hand.phone.shell(PACKAGES).stdout
    assert "installed=0" in hand.phone.shell(f"{APPS} --where \"label='Tally Counter'\"").stdout
    hand.tap("Install")
    hand.phone.advance(60)
    hand.tap("Open")
    assert "value=0" in hand.phone.shell(state).stdout


def test_system_apps_stay() -> None:
    hand = opened()
    found(hand, "notes", "Notes")
    assert hand.see("Open") is not None
    assert hand.see("Uninstall") is None


def test_updating_one_and_all() -> None:
    hand = opened()
    pending = f'{APPS} --where "update_available=1"'
    for label in ("Notes", "Mail", "Coin Flip"):
        line = "content update --uri content://com.simphone.store/apps --bind update_available:i:1"
        hand.phone.shell(f"{line} --where \"label='{label}'\"")
    before = hand.phone.shell(pending).stdout.count("Row:")
    assert before >= 3
    found(hand, "coin", "Coin Flip")
    hand.tap("Update")
    assert hand.phone.shell(pending).stdout.count("Row:") == before - 1
    hand.phone.key("BACK")
    hand.phone.key("BACK")
    hand.tap("My apps")
    hand.tap(f"Update all ({before - 1})")
    assert "No result" in hand.phone.shell(pending).stdout
    hand.phone.advance(60)
    assert hand.see("All apps are up to date") is not None


def test_the_wishlist() -> None:
    hand = opened()
    found(hand, "habit", "Habit List")
    row = f"{APPS} --projection wishlisted --where \"label='Habit List'\""
    before = hand.phone.shell(row).stdout
    hand.tap("wish")
    assert hand.phone.shell(row).stdout != before


def test_sorting_by_size() -> None:
    hand = opened()
    hand.tap("Categories")
    hand.tap("Health")
    hand.tap("Size")
    sizes = [text.split(" · ")[-1] for text in hand.texts() if text.endswith(" MB")]
    numbers = [int(size.split()[0]) for size in sizes]
    assert numbers == sorted(numbers)
    assert len(numbers) >= 3


@pytest.mark.parametrize("app", EXTRAS, ids=lambda app: app.label)
def test_every_small_app_opens_and_answers(app: AnyApp) -> None:
    phone = Phone(2)
    package = app.package
    phone.state.packages.append(package)
    assert phone.open_app(package)
    for node in phone.tree():
        if node.clickable and node.package == package:
            phone.tap(*node.centre)
            phone.type_text("Something\n")
            assert phone.foreground == package
    assert phone.shell(f"content query --uri content://{package}/state").code == 0


def test_a_restored_phone_goes_on_where_it_was() -> None:
    hand = opened()
    found(hand, "packing", "Packing List")
    hand.tap("Install")
    other = Hand(Phone(4))
    other.phone.restore(hand.phone.snapshot())
    assert other.phone.frame().tobytes() == hand.phone.frame().tobytes()
    other.phone.advance(60)
    other.tap("Open")
    assert other.phone.foreground == "com.simphone.extra.packing"
