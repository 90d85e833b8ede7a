"""Errands through two apps: what one app shows decides what is to be done in another.

What has to be typed stands in the goal.
"""

from __future__ import annotations

from distrl.interfaces import PlanStep
from distrl.tasks.general import calendar, clock, mail, notes
from distrl.tasks.general.chats import ALL_SENT, TEXTS, chat, send, sent
from distrl.tasks.general.needs import NEEDS
from distrl.tasks.general.people import CONTACTS, NAMES, person
from distrl.tasks.general.settings import STATES, capital
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    clear,
    commit,
    equals,
    open_app,
    rows,
    tap,
    where,
    write,
)

DUTIES = (
    ("brings the cake", "Cake"),
    ("has the spare key", "Key"),
    ("drives on Friday", "Driver"),
    ("feeds the rabbits", "Rabbits"),
    ("collects the money", "Cash"),
    ("waters the plants", "Plants"),
    ("keeps the score", "Score"),
    ("opens the hall", "Hall"),
    ("books the court", "Court"),
    ("cooks on Sunday", "Cook"),
)
DUTY = ('My notes say who {}. Text that person: "{}"', 'Find out in my notes who {} and text them: "{}"')
UNSEEN_DUTY = ('I forgot who {}, but I noted it. That person should read "{}" by text',)


def duty(draw: Draw) -> Draft:
    """A note tells who gets the text."""
    (does, title), name = draw.pair(DUTIES, NAMES[::4])
    words = draw.any(TEXTS)
    others = draw.some([other for other in NAMES if other != name], 2)
    people = {who: person(draw, who) for who in (name, *others)}
    chats = [chat(who, people[who][0], draw.any(TEXTS)) for who in people]
    lines = [(title, f"{name} {does}")]
    lines += [(word, f"{who} {task}") for who, (task, word) in zip(
        others, draw.some([one for one in DUTIES if one[0] != does], 2), strict=True)]  # fmt: skip
    return Draft(
        goal=draw.say(DUTY, UNSEEN_DUTY).format(does, words),
        setup=(
            *(insert for _, insert in people.values()),
            *draw.mixed(chats),
            *(bind(notes.TABLE, title=one, body=text) for one, text in draw.mixed(lines)),
        ),
        probes={"sent": sent(people[name][0], words), "all": ALL_SENT},
        check=(rows("sent", 1), rows("all", 1)),
        plan=(
            open_app("Notes"),
            PlanStep("scroll_to", f"{name} {does}"),
            open_app("Messages"),
            tap(name),
            *send(words),
        ),
        level=3,
        distinct=name + words,
    )


OBEY = ("Do what {} asks me for by mail", "{} sent me a mail with a request about this phone: fulfil it")
UNSEEN_OBEY = ("Read what {} wants by mail, and set up the phone accordingly",)


def obey(draw: Draw) -> Draft:
    """A mail says which setting is to be changed."""
    (need, on), sender = draw.pair(STATES, mail.SENDERS)
    subject = draw.any(("A request", "Please", "Your phone", "One more thing"))
    other = draw.any([one for one in NEEDS if one.path != need.path])
    wishes = need.wishes_on if on else need.wishes_off
    body = capital(f"{draw.any(wishes)}. Thank you")
    return Draft(
        goal=draw.say(OBEY, UNSEEN_OBEY).format(sender),
        setup=(
            need.put(not on),
            other.put(True),
            mail.letter(sender, subject, body),
            mail.letter(
                draw.any([one for one in mail.SENDERS if one != sender]), subject, "Nothing new here."
            ),
        ),
        probes={"wanted": need.get, "other": other.get},
        check=(equals("wanted", need.value(on)), equals("other", other.value(True))),
        plan=(open_app("Mail"), tap(sender), *need.plan(on)),
        level=3,
        distinct=f"{need.key} {on}",
    )


DEPARTS = ("bus", "ferry", "train", "tram", "coach", "shuttle")
CATCH = (
    "{0} wrote when the {1} leaves. Have the phone ring at that time",
    "Set an alarm for the moment the {1} leaves; {0} texted me when",
)
UNSEEN_CATCH = ("{0} let me know by text at what time the {1} goes. The phone should ring then",)


def catch(draw: Draw) -> Draft:
    """A text tells the time of a new alarm."""
    (hour, minute), name = draw.pair(clock.TIMES, NAMES[::6])
    ride = draw.any(DEPARTS)
    other = draw.any([another for another in NAMES if another != name])
    phone, insert = person(draw, name)
    other_phone, other_insert = person(draw, other)
    late = draw.any([time for time in clock.TIMES if time != (hour, minute)])
    return Draft(
        goal=capital(draw.say(CATCH, UNSEEN_CATCH).format(name, ride)),
        setup=(
            *clock.plant(),
            insert,
            other_insert,
            chat(name, phone, f"The {ride} leaves at {clock.clock_text(hour, minute)}"),
            chat(other, other_phone, f"The {ride} back leaves at {clock.clock_text(*late)}"),
        ),
        probes={
            "alarm": where(clock.ALARMS, hour=str(hour), minutes=str(minute), enabled="1"),
            "all": clock.ALL_ALARMS,
        },
        check=(rows("alarm", 1), rows("all", 1)),
        plan=(
            open_app("Messages"),
            PlanStep("scroll_to", f"The {ride} leaves at {clock.clock_text(hour, minute)}"),
            *clock.new_alarm(hour, minute),
            commit("Save"),
        ),
        level=3,
        distinct=f"{hour} {minute}",
    )


BEFORE = (
    'The phone should ring when "{}" starts today',
    'Have the phone ring at the beginning of "{}", which is today',
)
UNSEEN_BEFORE = ('"{}" is on my agenda today. Let the phone ring when it starts',)


def begin(draw: Draw) -> Draft:
    """The calendar tells the time of a new alarm."""
    title, (hour, minute) = draw.pair(calendar.TITLES, clock.TIMES[48:])
    other = draw.any([another for another in calendar.TITLES if another != title])
    return Draft(
        goal=draw.say(BEFORE, UNSEEN_BEFORE).format(title),
        setup=(
            *clock.plant(),
            calendar.MONTH,
            clear(calendar.EVENTS),
            calendar.event(title, calendar.TODAY, clock.clock_text(hour, minute)),
            calendar.event(other, calendar.TODAY, draw.any(calendar.CLOCKS)),
        ),
        probes={
            "ring": where(clock.ALARMS, hour=str(hour), minutes=str(minute), enabled="1"),
            "all": clock.ALL_ALARMS,
        },
        check=(rows("ring", 1), rows("all", 1)),
        plan=(
            open_app("Calendar"),
            PlanStep("scroll_to", title),
            *clock.new_alarm(hour, minute),
            commit("Save"),
        ),
        level=3,
        distinct=f"{hour} {minute}",
    )


THEN = ('{}. Then tell {} by text: "{}"', 'Before you text "{2}" to {1}, do this: {0}')
UNSEEN_THEN = ('Two errands. {}. And {} should get the text "{}"',)


def wish_and_text(draw: Draw) -> Draft:
    """A setting and a text."""
    (need, on), name = draw.pair(STATES[2:], NAMES[::12])
    words = draw.any(TEXTS)
    phone, insert = person(draw, name)
    return Draft(
        goal=capital(draw.say(THEN, UNSEEN_THEN).format(need.wish(draw, on), name, words)),
        setup=(need.put(not on), insert, chat(name, phone, draw.any(TEXTS))),
        probes={"state": need.get, "sent": sent(phone, words), "all": ALL_SENT},
        check=(equals("state", need.value(on)), rows("sent", 1), rows("all", 1)),
        plan=(*need.plan(on), open_app("Messages"), tap(name), *send(words)),
        level=3,
    )


TITLE_PAIRS = tuple(zip(notes.TITLES[:32], notes.TITLES[32:], strict=True))
WHETHER = (
    'If {} is on, write a note "{}", otherwise a note "{}"',
    'Write a note that depends on {}: if it is on, "{}", if it is off, "{}"',
)
UNSEEN_WHETHER = ('Check {}. On means a note "{}", off means a note "{}"',)


def note_if(draw: Draw) -> Draft:
    """A setting decides which of two notes is written."""
    need, (title, other) = draw.pair(NEEDS[1:], TITLE_PAIRS)
    on = draw.any((True, False))
    said = (title, other) if on else (other, title)
    return Draft(
        goal=draw.say(WHETHER, UNSEEN_WHETHER).format(need.name, *said),
        setup=(need.put(on),),
        probes={
            "note": where(notes.TABLE, title=title),
            "other": where(notes.TABLE, title=other),
            "state": need.get,
        },
        check=(rows("note", 1), rows("other", 0), equals("state", need.value(on))),
        plan=(
            open_app("Settings"),
            *need.reach(),
            PlanStep("scroll_to", need.label),
            open_app("Notes"),
            tap("New note"),
            write(title, "Title"),
            commit("Save"),
        ),
        level=3,
        distinct=title,
    )


DEARER = (
    'Text "{2}" to {0} or {1}: to the one who is among my favourites',
    'Only one of {} and {} is a favourite of mine. Text that one: "{}"',
)
UNSEEN_DEARER = ('{} or {}? Whoever has a star should get the text "{}"',)


def dearer(draw: Draw) -> Draft:
    """Contacts tell which of two people gets the text."""
    name = draw.own(NAMES)
    other = draw.any([another for another in NAMES if another.split()[0] != name.split()[0]])
    words = draw.any(TEXTS)
    phone, insert = person(draw, name, starred="1")
    other_phone, other_insert = person(draw, other, starred="0")
    chats = [chat(name, phone, draw.any(TEXTS)), chat(other, other_phone, draw.any(TEXTS))]
    return Draft(
        goal=draw.say(DEARER, UNSEEN_DEARER).format(*draw.mixed((name, other)), words),
        setup=(
            f"content update --uri {CONTACTS} --bind starred:s:0",
            insert,
            other_insert,
            *draw.mixed(chats),
        ),
        probes={"sent": sent(phone, words), "all": ALL_SENT},
        check=(rows("sent", 1), rows("all", 1)),
        plan=(
            open_app("Contacts"),
            PlanStep("scroll_to", name),
            open_app("Messages"),
            tap(name),
            *send(words),
        ),
        level=3,
        distinct=name + words,
    )
