"""Tasks in Contacts: who is meant has to be found out, and namesakes stay as they are."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    commit,
    open_app,
    rows,
    switch,
    tap,
    where,
    write,
)

CONTACTS = "content://com.android.contacts/contacts"
# Names that no simulated world draws, so that each is on the phone once.
FIRST = (
    "Tilda",
    "Orson",
    "Maren",
    "Caspian",
    "Odette",
    "Linus",
    "Bettina",
    "Rufus",
    "Saskia",
    "Ottilie",
    "Ephraim",
    "Wilma",
)
LAST = (
    "Marsh",
    "Pike",
    "Winterbourne",
    "Ashdown",
    "Loomis",
    "Fenwick",
    "Sorrel",
    "Hartnell",
    "Quill",
    "Badger",
)
NAMES = tuple(f"{first} {last}" for first, last in product(FIRST, LAST))


def person(draw: Draw, name: str, **columns: str) -> tuple[str, str]:
    """A contact's phone number, and the command that puts the contact on the phone."""
    phone = f"555{draw.number(1000000, 9999999)}"
    return phone, bind(CONTACTS, display_name=name, phone=phone, **columns)


def namesake(draw: Draw, name: str) -> str:
    """Somebody else with the same first name."""
    return draw.any([other for other in NAMES if other != name and other.split()[0] == name.split()[0]])


ADD = ("Add a contact named {} with the number {}", "Create a new contact: {}, phone {}")
KEEP = ("I just met {}, the number is {}. Keep it for me", "Do not let me forget how to reach {}: {}")
UNSEEN_KEEP = ("{} gave me a card that says {}. Put that into the phone", "Make {} reachable for me under {}")


def add(draw: Draw) -> Draft:
    """A new person with a phone number."""
    name, phone = draw.own(NAMES), f"555{draw.number(1000, 9999)}"
    phrase = draw.say((*ADD, *KEEP), UNSEEN_KEEP)
    return Draft(
        goal=phrase.format(name, phone),
        probes={
            "person": where(CONTACTS, display_name=name, phone=phone),
            "named": where(CONTACTS, display_name=name),
        },
        check=(rows("person", 1), rows("named", 1)),
        plan=(
            open_app("Contacts"),
            tap("Create contact"),
            write(name, "Name"),
            write(phone, "Phone"),
            commit("Save"),
        ),
        level=1 if phrase in ADD else 2,
    )


CLOSER = {
    True: ("{} is dear to me: always show this person first", "Mark {} as somebody I love to call"),
    False: (
        "{} is no longer dear to me: do not show this person first",
        "{} lost my favour: no star any more",
    ),
}
UNSEEN_CLOSER = {
    True: ("Put {} among the people I like best",),
    False: ("Take {} out of the people I like best",),
}


def star(draw: Draw) -> Draft:
    """Star or unstar one person, but not the namesake."""
    name, on = draw.pair(NAMES, (True, False))
    other = namesake(draw, name)
    before, after = str(int(not on)), str(int(on))
    return Draft(
        goal=draw.say(CLOSER[on], UNSEEN_CLOSER[on]).format(name),
        setup=(person(draw, name, starred=before)[1], person(draw, other, starred=before)[1]),
        probes={
            "person": where(CONTACTS, display_name=name, starred=after),
            "namesake": where(CONTACTS, display_name=other, starred=before),
        },
        check=(rows("person", 1), rows("namesake", 1)),
        plan=(open_app("Contacts"), write(name, "#query"), tap(name), switch("#star", on)),
        level=2,
        distinct=f"{name} {on}",
    )


CALLER = (
    "Somebody with the number {} keeps ringing. Find out who it is and mark the person as a favourite",
    "Whoever answers at {} should be among my favourites",
)
UNSEEN_CALLER = ("I have {} on a slip of paper. Star the person behind it",)
STRANGER = (
    "Whoever answers at {} is nobody I need to know any more: delete the entry",
    "The entry behind {} can go, remove that person",
)
UNSEEN_STRANGER = ("I have {} on a slip of paper. Erase the person behind it",)


def by_number(draw: Draw) -> Draft:
    """Find a person by a number, and star or delete the person."""
    name, delete = draw.pair(NAMES, (True, False))
    other = namesake(draw, name)
    phone, insert = person(draw, name)
    known, unseen = (STRANGER, UNSEEN_STRANGER) if delete else (CALLER, UNSEEN_CALLER)
    steps: tuple[PlanStep, ...] = (switch("#star", True),)
    if delete:
        steps = (tap("More options"), tap("Delete"), commit("Delete", within="Delete contact?"))
    return Draft(
        goal=draw.say(known, unseen).format(phone),
        setup=(insert, person(draw, other)[1]),
        probes={
            "person": where(CONTACTS, display_name=name, **({} if delete else {"starred": "1"})),
            "namesake": where(CONTACTS, display_name=other, starred="0"),
        },
        check=(rows("person", 0 if delete else 1), rows("namesake", 1)),
        plan=(open_app("Contacts"), write(phone, "#query"), tap(name), *steps),
        level=3,
    )


MOVED = (
    "{} has got another number: {}",
    "From now on {} is reached at {}",
    "The number I have for {} is wrong, it is {}",
)
UNSEEN_MOVED = ("{} changed the phone company and answers at {} now",)


def new_number(draw: Draw) -> Draft:
    """Change a person's number instead of adding a second entry."""
    name, phone = draw.own(NAMES), f"555{draw.number(1000, 9999)}"
    other = namesake(draw, name)
    other_phone, insert = person(draw, other)
    return Draft(
        goal=draw.say(MOVED, UNSEEN_MOVED).format(name, phone),
        setup=(person(draw, name)[1], insert),
        probes={
            "changed": where(CONTACTS, display_name=name, phone=phone),
            "entries": where(CONTACTS, display_name=name),
            "namesake": where(CONTACTS, display_name=other, phone=other_phone),
        },
        check=(rows("changed", 1), rows("entries", 1), rows("namesake", 1)),
        plan=(
            open_app("Contacts"),
            write(name, "#query"),
            tap(name),
            tap("Edit contact"),
            write(phone, "Phone"),
            commit("Save"),
        ),
        level=3,
    )
