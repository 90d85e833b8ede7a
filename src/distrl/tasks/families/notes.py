"""Tasks in the Notes app, and one that goes through two apps."""

from __future__ import annotations

from itertools import product

from distrl.tasks.families.settings import SWITCHES, TURN
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    commit,
    equals,
    hold,
    open_app,
    rows,
    switch,
    tap,
    where,
    write,
)

TABLE = "content://com.simphone.notes/notes"

TITLES = (
    "Dentist", "Car service", "Party plan", "Reading", "Workout", "Paint colours", "Taxes", "Holiday",
    "Plumber", "Choir", "Sourdough", "Bus times", "Piano lesson", "Recycling", "School run", "Chess club",
    "Tent", "Vaccines", "Dog walk", "Window sizes", "Camera lens", "Museum",
)  # fmt: skip
BODIES = (
    "Call before noon", "Bring the blue folder", "Ask for a receipt", "Two tickets please",
    "Every second Monday", "Code is 4417", "Meet at the station", "Pay by Friday", "Buy more flour",
    "Check the weather first", "Room 12 upstairs", "Needs new batteries",
)  # fmt: skip

CREATE = ('Create a note titled "{}"', 'Write a new note called "{}"', 'Add a note with the title "{}"')
CREATE_WITH_BODY = (
    'Create a note titled "{}" that says "{}"',
    'Write a note called "{}" with the text "{}"',
    'In Notes, add "{}" and write "{}" in it',
)


def create_note(draw: Draw) -> Draft:
    """A new note, with a title and sometimes a text."""
    title = draw.own(TITLES)
    if draw.any((True, False)):
        return Draft(
            goal=draw.any(CREATE).format(title),
            probes={"note": where(TABLE, title=title)},
            check=(rows("note", 1),),
            plan=(open_app("Notes"), tap("New note"), write(title, "Title"), commit("Save")),
        )
    body = draw.any(BODIES)
    return Draft(
        goal=draw.any(CREATE_WITH_BODY).format(title, body),
        probes={"note": where(TABLE, title=title, body=body), "titled": where(TABLE, title=title)},
        check=(rows("note", 1), rows("titled", 1)),
        plan=(
            open_app("Notes"),
            tap("New note"),
            write(title, "Title"),
            write(body, "Note"),
            commit("Save"),
        ),
        level=2,
    )


DELETE = (
    'Delete the note "{}"',
    'Remove my note called "{}"',
    'Get rid of the note "{}"',
    'Throw the "{}" note away',
)


def delete_note(draw: Draw) -> Draft:
    """One note goes, its neighbour stays."""
    title = draw.own(TITLES)
    other = draw.any([another for another in TITLES if another != title])
    return Draft(
        goal=draw.any(DELETE).format(title),
        setup=(
            bind(TABLE, title=title, body=draw.any(BODIES)),
            bind(TABLE, title=other, body=draw.any(BODIES)),
        ),
        probes={"note": where(TABLE, title=title), "other": where(TABLE, title=other)},
        check=(rows("note", 0), rows("other", 1)),
        plan=(open_app("Notes"), hold(title), tap("Delete"), commit("Delete", within="Delete note?")),
        level=2,
    )


BOTH = ('{}, then write a note called "{}"', '{} and create a note titled "{}"', '{}. Also add a note "{}"')


def setting_and_note(draw: Draw) -> Draft:
    """Two errands in two apps."""
    item, on = draw.any(tuple(product(SWITCHES, (True, False))))
    title = draw.own(TITLES)
    first = draw.any(TURN[on][:3]).format(item.spoken[0])
    return Draft(
        goal=draw.any(BOTH).format(first, title),
        setup=(item.put(not on),),
        probes={"state": item.get, "note": where(TABLE, title=title)},
        check=(equals("state", item.value(on)), rows("note", 1)),
        plan=(
            open_app("Settings"),
            tap(item.page),
            switch(item.label, on),
            open_app("Notes"),
            tap("New note"),
            write(title, "Title"),
            commit("Save"),
        ),
        level=3,
    )
