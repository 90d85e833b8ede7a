"""Settings, Notes, Contacts and the shop, worked by hand and checked through the shell."""

from __future__ import annotations

import pytest

from distrl.simphone import Phone, navigation
from distrl.simphone.apps.settings.items import Choice, Link, Toggle
from distrl.simphone.apps.settings.tables import MAIN_PAGES, PAGES
from distrl.simphone.hand import Hand

NOTES = "content query --uri content://com.simphone.notes/notes"
CONTACTS = "content query --uri content://com.android.contacts/contacts"
CART = "content query --uri content://com.simphone.browser/cart"
ORDERS = "content query --uri content://com.simphone.browser/orders"

TOGGLES = [(name, item) for name, page in PAGES.items() for item in page.items if isinstance(item, Toggle)]
CHOICES = [(name, item) for name, page in PAGES.items() for item in page.items if isinstance(item, Choice)]


def settings_page(phone: Phone, name: str) -> Hand:
    navigation.launch(phone.state, "com.android.settings", name)
    phone.touched()
    return Hand(phone)


def test_there_are_settings_enough() -> None:
    toggles = {(item.namespace, item.key) for _, item in TOGGLES}
    assert len(toggles | {(item.namespace, item.key) for _, item in CHOICES}) >= 70
    assert len(PAGES) >= 20


def test_every_page_can_be_reached_by_touch() -> None:
    linked = {item.page for page in PAGES.values() for item in page.items if isinstance(item, Link)}
    for name, page in PAGES.items():
        assert page.icon or name in linked or name == "developer", name
    phone = Phone(0)
    for name in MAIN_PAGES:
        phone.key("HOME")
        phone.shell("am force-stop com.android.settings")
        phone.open_app("Settings")
        hand = Hand(phone)
        hand.tap(PAGES[name].title)
        bar = next(node for node in phone.tree() if node.resource_id.endswith("action_bar_title"))
        assert bar.text == PAGES[name].title


@pytest.mark.parametrize(("page", "item"), TOGGLES, ids=lambda value: getattr(value, "key", value))
def test_toggles_agree_with_the_shell(page: str, item: Toggle) -> None:
    phone = Phone(0)
    hand = settings_page(phone, page)
    get = f"settings get {item.namespace} {item.key}"
    before = phone.shell(get).stdout.strip()
    hand.tap(item.title)
    after = phone.shell(get).stdout.strip()
    assert {before, after} == {item.on, item.off}
    hand.find(item.title)
    row = next(node for node in phone.tree() if node.text == item.title)
    switch = next(node for node in phone.tree() if node.checkable and node.parent == row.parent)
    assert switch.checked == (after == item.on)
    phone.shell(f"settings put {item.namespace} {item.key} {before}")
    hand.find(item.title)
    row = next(node for node in phone.tree() if node.text == item.title)
    switch = next(node for node in phone.tree() if node.checkable and node.parent == row.parent)
    assert switch.checked == (before == item.on)


@pytest.mark.parametrize(("page", "item"), CHOICES, ids=lambda value: getattr(value, "key", value))
def test_choices_write_their_value(page: str, item: Choice) -> None:
    phone = Phone(0)
    hand = settings_page(phone, page)
    hand.tap(item.title)
    value, word = item.options[-1]
    hand.tap(word)
    assert phone.shell(f"settings get {item.namespace} {item.key}").stdout == f"{value}\n"
    assert hand.see(word) is not None


def test_airplane_mode_switches_the_radios() -> None:
    phone = Phone(0)
    hand = settings_page(phone, "network")
    hand.tap("Airplane mode")
    assert phone.shell("settings get global wifi_on").stdout == "0\n"
    hand.tap("Airplane mode")
    assert phone.shell("settings get global wifi_on").stdout == "1\n"


def test_settings_search_leads_to_the_page() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Settings")
    hand.tap("Search settings")
    hand.write("Search settings", "gps")
    hand.tap("Use location")
    assert hand.see("Location services") is not None


def test_dark_theme_changes_the_pixels() -> None:
    phone = Phone(0)
    phone.open_app("Settings")
    phone.shell("settings put secure ui_night_mode 1")
    light = phone.frame().getpixel((5, 100))
    phone.shell("settings put secure ui_night_mode 2")
    dark = phone.frame().getpixel((5, 100))
    assert isinstance(light, tuple)
    assert isinstance(dark, tuple)
    assert sum(light) > 600 > 150 > sum(dark)


def test_notes_are_written_edited_pinned_and_deleted() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    hand.tap("New note")
    hand.write("Title", "Plan")
    hand.write("Note", "Paint the door")
    hand.tap("Save")
    assert "title=Plan, body=Paint the door, pinned=0" in phone.shell(NOTES).stdout
    hand.tap("Plan")
    hand.tap("pin")
    hand.write("Plan", " B")
    hand.tap("Save")
    assert "title=Plan B, body=Paint the door, pinned=1" in phone.shell(NOTES).stdout
    hand.tap("Plan B")
    hand.tap("delete")
    hand.tap("Delete")
    assert "Plan B" not in phone.shell(NOTES).stdout
    assert hand.see("New note") is not None


def test_contacts_are_added_starred_edited_and_deleted() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Contacts")
    hand.tap("Create contact")
    hand.tap("Save")
    assert hand.see("Add a name first") is not None
    hand.write("Name", "Aaron Test")
    hand.write("Phone", "555 1")
    hand.tap("Save")
    hand.tap("star")
    assert "display_name=Aaron Test, phone=555 1, email=, starred=1" in phone.shell(CONTACTS).stdout
    hand.tap("Edit contact")
    hand.write("Email", "a@b.example")
    hand.tap("Save")
    assert "email=a@b.example" in phone.shell(CONTACTS).stdout
    hand.tap("More options")
    hand.tap("Delete")
    hand.tap("Delete")
    assert "Aaron Test" not in phone.shell(CONTACTS).stdout


def test_contact_search_narrows_the_list() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    name = phone.shell(f"{CONTACTS} --projection display_name").stdout.splitlines()[0].split("=", 1)[1]
    phone.open_app("Contacts")
    hand.write("Search contacts", name.lower())
    titles = [node.text for node in phone.tree() if node.resource_id == "android:id/title"]
    assert titles == [name]


def test_shopping_from_search_to_order() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Browser")
    hand.tap("Larkspur Market")
    hand.write("Search Larkspur Market", "hoodie\n")
    hand.tap("Sort: Relevance")
    hand.tap("Price: low to high")
    names = [node.text for node in phone.tree() if node.resource_id == "android:id/title"]
    assert all("Hoodie" in name for name in names)
    hand.tap(names[0])
    hand.tap("Add to cart")
    assert hand.see("Choose a size first") is not None
    phone.swipe(206, 250, 206, 700)
    choices = [node for node in phone.tree() if node.class_name.endswith("RadioButton")]
    size, colour = choices[0], choices[-1]
    phone.tap(*size.centre)
    phone.tap(*colour.centre)
    hand.tap("more")
    hand.tap("Add to cart")
    cart = phone.shell(CART).stdout
    assert f"name={names[0]}, options=Size={size.text};Colour={colour.text}, quantity=2" in cart
    phone.shell("am start -d https://larkspur.market/cart")
    hand.tap("Checkout")
    hand.write("Full name", "Ann Lee")
    hand.write("Delivery address", "1 Hill Road")
    phone.key("BACK")
    hand.tap("Express")
    hand.tap("Place order")
    assert hand.see("Thank you for your order") is not None
    order = phone.shell(ORDERS).stdout
    assert "name=Ann Lee, address=1 Hill Road, delivery=Express, payment=Card" in order
    assert phone.shell(CART).stdout == "No result found.\n"


def test_filters_limit_the_results() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.shell("am start -d https://larkspur.market/search")
    assert hand.see("80 results for all products") is not None
    hand.tap("Filter")
    hand.tap("Under $30")
    hand.tap("Show results")
    assert hand.see("80 results for all products") is None
    hand.tap("Filter (1)")
    hand.tap("Clear")
    phone.key("BACK")
    assert hand.see("80 results for all products") is not None


def test_the_browser_goes_where_it_is_told() -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Browser")
    hand.write("Search or type web address", "larkspur.market/cart\n")
    assert hand.see("Your cart is empty") is not None
    phone.key("BACK")
    hand.write("Search or type web address", "clothing\n")
    hand.tap("Larkspur Market")
    assert (
        "larkspur.market" in phone.shell("content query --uri content://com.simphone.browser/history").stdout
    )
    phone.shell("cmd connectivity airplane-mode enable")
    assert hand.see("Retry") is not None
