"""Tasks in Notes: writing, and finding the note that is meant by what stands in it."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    clear,
    commit,
    hold,
    open_app,
    rows,
    switch,
    tap,
    where,
    write,
)

TABLE = "content://com.simphone.notes/notes"
EVERYTHING = f"content query --uri {TABLE}"

TITLES = tuple(
    f"{first} {second}"
    for first, second in product(
        ("Summer", "Family", "Office", "Garden", "Weekend", "School", "Kitchen", "Harbour"),
        ("plans", "ideas", "budget", "wishes", "errands", "recipes", "dates", "sizes"),
    )
)
BODIES = (
    "Call before noon", "Bring the blue folder", "Ask for a receipt", "Two tickets please",
    "Every second Monday", "Meet at the station", "Pay by Friday", "Buy more flour", "Check the tyres first",
    "Room 12 upstairs", "Needs new batteries", "Ask Nora for help", "Start before dawn", "No nuts, no milk",
)  # fmt: skip

CREATE = ('Create a note titled "{}"', 'Write a new note called "{}"', 'Add a note with the title "{}"')
UNSEEN_CREATE = ('A fresh note is needed, headed "{}"',)


def create(draw: Draw) -> Draft:
    """A new note with a title."""
    title = draw.own(TITLES)
    return Draft(
        goal=draw.say(CREATE, UNSEEN_CREATE).format(title),
        probes={"note": where(TABLE, title=title)},
        check=(rows("note", 1),),
        plan=(open_app("Notes"), tap("New note"), write(title, "Title"), commit("Save")),
    )


REMEMBER = (
    'Under the heading "{}", jot down "{}"', 'Help me remember: "{1}". File it as "{0}"',
    'Write down "{1}" and name it "{0}"',
)  # fmt: skip
UNSEEN_REMEMBER = ('My memory is bad. Take down "{1}" for me, headed "{0}"',)


def remember(draw: Draw) -> Draft:
    """A new note with a title and a text."""
    title, body = draw.pair(TITLES, BODIES)
    return Draft(
        goal=draw.say(REMEMBER, UNSEEN_REMEMBER).format(title, body),
        probes={"written": where(TABLE, title=title, body=body), "titled": where(TABLE, title=title)},
        check=(rows("written", 1), rows("titled", 1)),
        plan=(
            open_app("Notes"),
            tap("New note"),
            write(title, "Title"),
            write(body, "Note"),
            commit("Save"),
        ),
        level=2,
    )


# What stands in a note, and what it is about in other words.
SUBJECTS = (
    ("Saw, nails, a hammer, wood glue", "tools"), ("Oats, rye flour, yeast, salt", "baking"),
    ("Passport, visa, sun cream", "travelling"), ("Brushes, canvas, turquoise", "painting"),
    ("Racket, shoes, towel", "sport"), ("Leash, bowl, biscuits", "a dog"),
    ("Violin, stand, rosin", "music"), ("Rent, power, insurance", "money"),
    ("Aspirin, plaster, thermometer", "health"), ("Tulips, spade, compost", "gardening"),
    ("Lens, tripod, film", "photography"), ("Tyres, oil, wipers", "a car"),
    ("Candles, balloons, cake", "a party"), ("Rod, hooks, worms", "fishing"),
    ("Chalk, rope, harness", "climbing"), ("Chapter three, essay, exam", "studying"),
)  # fmt: skip
PLACES = ("Misc", "To do", "List", "Untidy")
TREAT = {
    "delete": (
        (
            "Throw away the note about {}",
            "I am done with {}: the note can go",
            "No more {}: get rid of what I noted about it",
        )
    ),
    "pin": (
        (
            "The note about {} should always stay on top",
            "Keep what I noted about {} at the top",
            "Fasten the note on {} above all others",
        )
    ),
}


def about(draw: Draw) -> Draft:
    """Several notes have the same title; only their text tells which one is meant."""
    (body, meaning), verb, title = draw.triple(SUBJECTS, TREAT, PLACES)
    others = [text for text, _ in draw.some([one for one in SUBJECTS if one[0] != body], 2)]
    steps: tuple[PlanStep, ...] = (hold(body), commit("Pin"))
    if verb == "delete":
        steps = (hold(body), tap("Delete"), commit("Delete", within="Delete note?"))
    pinned = {} if verb == "delete" else {"pinned": "1"}
    *known, unseen = TREAT[verb]
    return Draft(
        goal=draw.say(known, (unseen,)).format(meaning),
        setup=(clear(TABLE), *(bind(TABLE, title=title, body=text) for text in draw.mixed([body, *others]))),
        probes={
            "note": where(TABLE, body=body, **pinned),
            "first": where(TABLE, body=others[0], pinned="0"),
            "second": where(TABLE, body=others[1], pinned="0"),
        },
        check=(rows("note", 0 if verb == "delete" else 1), rows("first", 1), rows("second", 1)),
        plan=(open_app("Notes"), *steps),
        level=3,
        distinct=body + verb,
    )


REPLACE = (
    'What I noted about {} is outdated: it should say "{}" and nothing else',
    'In the note about {}, put "{}" in place of what is there',
)
UNSEEN_REPLACE = ('Overwrite the text of the note on {} with "{}"',)


def replace(draw: Draw) -> Draft:
    """Another text for the note that is meant; its title stays."""
    (body, meaning), new = draw.pair(SUBJECTS, BODIES)
    title = draw.any(PLACES)
    other = draw.any([text for text, _ in SUBJECTS if text != body])
    return Draft(
        goal=draw.say(REPLACE, UNSEEN_REPLACE).format(meaning, new),
        setup=(clear(TABLE), *(bind(TABLE, title=title, body=text) for text in draw.mixed([body, other]))),
        probes={
            "note": where(TABLE, title=title, body=new),
            "other": where(TABLE, title=title, body=other),
            "all": EVERYTHING,
        },
        check=(rows("note", 1), rows("other", 1), rows("all", 2)),
        plan=(open_app("Notes"), tap(body), write(new, "#body"), commit("Save")),
        level=3,
        distinct=new + body,
    )


ONLY = ('Of all my notes, keep only "{}"', 'Every note except "{}" may go')


def keep_only(draw: Draw) -> Draft:
    """All notes but one are deleted."""
    title = draw.own(TITLES)
    others = draw.some([other for other in TITLES if other != title], 2)
    gone = [step for other in others for step in _delete(other)]
    return Draft(
        goal=draw.any(ONLY).format(title),
        setup=(clear(TABLE), *(bind(TABLE, title=one, body=draw.any(BODIES)) for one in (title, *others))),
        probes={"kept": where(TABLE, title=title), "all": EVERYTHING},
        check=(rows("kept", 1), rows("all", 1)),
        plan=(open_app("Notes"), *gone),
        level=3,
        distinct=title,
    )


def _delete(title: str) -> tuple[PlanStep, ...]:
    return (hold(title), tap("Delete"), commit("Delete", within="Delete note?"))


UNPIN = ('The note "{}" need not stay on top any longer', 'Let "{}" sink back among the other notes')
UNSEEN_UNPIN = ('The note "{}" should lose its place above the others',)


def unpin(draw: Draw) -> Draft:
    """Loosen one of two pinned notes; the icon has no words."""
    title = draw.own(TITLES)
    other = draw.any([another for another in TITLES if another != title])
    return Draft(
        goal=draw.say(UNPIN, UNSEEN_UNPIN).format(title),
        setup=tuple(bind(TABLE, title=one, body=draw.any(BODIES), pinned="1") for one in (title, other)),
        probes={
            "note": where(TABLE, title=title, pinned="0"),
            "other": where(TABLE, title=other, pinned="1"),
        },
        check=(rows("note", 1), rows("other", 1)),
        plan=(open_app("Notes"), tap(title), switch("#pin", False)),
        level=2,
        distinct=title,
    )
