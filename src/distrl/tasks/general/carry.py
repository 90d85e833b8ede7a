"""Errands in which a text has to be carried from one app to another: it does not stand in the goal."""

from __future__ import annotations

from distrl.tasks.general import mail, notes
from distrl.tasks.general.chats import ALL_SENT, TEXTS, chat, send, sent
from distrl.tasks.general.people import NAMES, person
from distrl.tasks.templates import (
    Draft,
    Draw,
    commit,
    open_app,
    rows,
    tap,
    where,
    write,
)

CODE = (
    'Store just the code that {} mailed me as a note with the title "{}"',
    'Write a note "{1}" with nothing but the code from the mail of {0}',
)
UNSEEN_CODE = ('{} mailed me a code. Keep only that under "{}" in my notes',)


def carry_code(draw: Draw) -> Draft:
    """A code goes from a mail into a note."""
    title, sender = draw.pair(notes.TITLES, mail.SENDERS)
    code = str(draw.number(100000, 999999))
    other = draw.any([one for one in mail.SENDERS if one != sender])
    return Draft(
        goal=draw.say(CODE, UNSEEN_CODE).format(sender, title),
        setup=(
            mail.letter(other, "Your code", f"Use {draw.number(100000, 999999)} to sign in."),
            mail.letter(sender, "Your code", f"Use {code} to sign in."),
        ),
        probes={
            "note": where(notes.TABLE, title=title, body=code),
            "titled": where(notes.TABLE, title=title),
        },
        check=(rows("note", 1), rows("titled", 1)),
        plan=(
            open_app("Mail"),
            tap(sender),
            open_app("Notes"),
            tap("New note"),
            write(title, "Title"),
            write(code, "Note"),
            commit("Save"),
        ),
        level=3,
    )


GIVE = ("Text {1} just the number of {0}", "{1} wants to ring {0}: text over the number, nothing else")
UNSEEN_GIVE = ("How can {0} be reached? Let {1} know by text, just the digits",)


def carry_number(draw: Draw) -> Draft:
    """A number goes from Contacts into a text."""
    name = draw.own(NAMES)
    other = draw.any([another for another in NAMES if another.split()[0] != name.split()[0]])
    phone, insert = person(draw, name)
    other_phone, other_insert = person(draw, other)
    return Draft(
        goal=draw.say(GIVE, UNSEEN_GIVE).format(name, other),
        setup=(insert, other_insert, chat(other, other_phone, draw.any(TEXTS))),
        probes={"sent": sent(other_phone, phone), "all": ALL_SENT},
        check=(rows("sent", 1), rows("all", 1)),
        plan=(
            open_app("Contacts"),
            write(name, "#query"),
            tap(name),
            open_app("Messages"),
            tap(other),
            *send(phone),
        ),
        level=3,
    )
