"""Tasks in the Contacts app."""

from __future__ import annotations

from itertools import product

from distrl.tasks.templates import Draft, Draw, bind, commit, open_app, rows, switch, tap, where, write

TABLE = "content://com.android.contacts/contacts"

# Names that no simulated world draws, so that each is on the phone once.
FIRST = ("Tilda", "Orson", "Maren", "Caspian", "Odette", "Linus", "Bettina", "Rufus", "Saskia", "Ottilie")
LAST = ("Marsh", "Pike", "Winterbourne", "Ashdown", "Loomis", "Fenwick", "Sorrel", "Hartnell")
NAMES = tuple(f"{first} {last}" for first, last in product(FIRST, LAST))

ADD = (
    "Add a contact named {} with the number {}",
    "Save {}'s phone number {} in my contacts",
    "Create a new contact: {}, phone {}",
)


def add_contact(draw: Draw) -> Draft:
    """A new person with a phone number."""
    name, phone = draw.own(NAMES), f"555{draw.number(1000, 9999)}"
    return Draft(
        goal=draw.any(ADD).format(name, phone),
        probes={
            "person": where(TABLE, display_name=name, phone=phone),
            "named": where(TABLE, display_name=name),
        },
        check=(rows("person", 1), rows("named", 1)),
        plan=(
            open_app("Contacts"),
            tap("Create contact"),
            write(name, "Name"),
            write(phone, "Phone"),
            commit("Save"),
        ),
        level=2,
    )


STAR = {
    True: ("Add {} to my favourites", "Star the contact {}", "Mark {} as a favourite"),
    False: ("Remove {} from my favourites", "Unstar the contact {}", "{} should no longer be a favourite"),
}


def star_contact(draw: Draw) -> Draft:
    """Star or unstar one person, but not the namesake."""
    name, on = draw.own(tuple(product(NAMES, (True, False))))
    namesake = draw.any([other for other in NAMES if other != name and other.split()[0] == name.split()[0]])
    before, after = str(int(not on)), str(int(on))
    return Draft(
        goal=draw.any(STAR[on]).format(name),
        setup=(
            bind(TABLE, display_name=name, phone=f"555{draw.number(1000, 9999)}", starred=before),
            bind(TABLE, display_name=namesake, phone=f"555{draw.number(1000, 9999)}", starred=before),
        ),
        probes={
            "person": where(TABLE, display_name=name, starred=after),
            "namesake": where(TABLE, display_name=namesake, starred=before),
        },
        check=(rows("person", 1), rows("namesake", 1)),
        plan=(open_app("Contacts"), write(name, "#query"), tap(name), switch("#star", on)),
        level=2,
    )
