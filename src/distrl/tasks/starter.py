"""The starter suite: a few tasks of each kind, enough to see an agent learn within minutes."""

from __future__ import annotations

from distrl.tasks.families import contacts, notes, settings, shop
from distrl.tasks.suite import TaskSuite
from distrl.tasks.templates import Recipe, build_suite

RECIPE = Recipe(
    name="starter",
    version="1",
    templates={
        "toggle": settings.toggle,
        "make-sure": settings.make_sure,
        "slider": settings.slider,
        "choice": settings.choice,
        "device-name": settings.device_name,
        "create-note": notes.create_note,
        "delete-note": notes.delete_note,
        "setting-and-note": notes.setting_and_note,
        "add-contact": contacts.add_contact,
        "star-contact": contacts.star_contact,
        "find-product": shop.find_product,
        "cheapest": shop.cheapest,
        "add-to-cart": shop.add_to_cart,
        "checkout": shop.checkout,
    },
    counts={"train": 8, "val": 2, "test": 2},
)


def build() -> TaskSuite:
    """The suite called `starter`."""
    return build_suite(RECIPE)
