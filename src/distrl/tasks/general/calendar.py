"""Tasks in the calendar: days by date and by their distance from today, a Tuesday in May 2024."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    clear,
    commit,
    equals,
    hold,
    open_app,
    prefer,
    rows,
    tap,
    where,
    write,
)

CALENDAR = "content://com.android.calendar"
EVENTS, PREFERENCES = f"{CALENDAR}/events", f"{CALENDAR}/preferences"
ALL = f"content query --uri {EVENTS}"
TODAY = date(2024, 5, 14)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH = prefer(PREFERENCES, "view", "month")

TITLES = tuple(
    f"{first} {second}"
    for first, second in product(
        ("Garden", "Chess", "Choir", "Budget", "Pottery", "Judo", "Book", "Robotics"),
        ("evening", "course", "meeting", "club", "lunch", "trip"),
    )
)
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
CLOCKS = ("08:00", "09:30", "11:00", "13:00", "14:30", "16:00", "17:30", "19:00")


def on_screen(day: date) -> str:
    """What the screen calls a day, in part: its cell also counts events."""
    return f"~{WEEKDAYS[day.weekday()]}, {day.day} May {day.year}"


def event(title: str, day: date, start: str, **columns: str) -> str:
    """The command that puts an event of an hour into the calendar."""
    end = f"{int(start[:2]) + 1:02d}{start[2:]}"
    return bind(EVENTS, title=title, date=day.isoformat(), start=start, end=end, **columns)


def new_event(title: str, day: date) -> tuple[PlanStep, ...]:
    """From anywhere to a new event."""
    return (
        open_app("Calendar"),
        tap(on_screen(day)),
        tap("New event"),
        write(title, "Title"),
        commit("Save"),
    )


ADD = ('Put "{}" into the calendar on {}', 'Add the event "{}" on {} to my calendar')
NOTE_DAY = ('Keep {1} free for "{0}"', '"{}" takes place on {}: mark the day', 'Plan "{}" for {}')
UNSEEN_DAY = ('I promised to be at "{}" on {}. Do not let me miss it', 'Reserve {1} for "{0}"')


def add(draw: Draw) -> Draft:
    """A new event on a day of this month."""
    title, number = draw.pair(TITLES, range(15, 32))
    day, phrase = date(2024, 5, number), draw.say((*ADD, *NOTE_DAY), UNSEEN_DAY)
    return Draft(
        goal=phrase.format(title, f"{number} May"),
        setup=(MONTH, clear(EVENTS)),
        probes={"event": where(EVENTS, title=title, date=day.isoformat()), "all": ALL},
        check=(rows("event", 1), rows("all", 1)),
        plan=new_event(title, day),
        level=1 if phrase in ADD else 2,
    )


def distance_words() -> tuple[tuple[date, str], ...]:
    """Days of this month and how far they are from today, in words."""
    found = [(TODAY + timedelta(days=1), "tomorrow"), (TODAY + timedelta(days=2), "the day after tomorrow")]
    found += [
        (TODAY + timedelta(days=2 + number), f"in {word} days")
        for number, word in enumerate(NUMBERS[1:], start=1)
    ]
    found += [
        (TODAY + timedelta(days=7), "a week from today"),
        (TODAY + timedelta(days=14), "two weeks from today"),
    ]
    for ahead in range(1, 6):
        day = TODAY + timedelta(days=ahead)
        found.append((day, f"this {WEEKDAYS[day.weekday()]}"))
    for ahead in range(6, 13):
        day = TODAY + timedelta(days=ahead)
        found.append((day, f"on {WEEKDAYS[day.weekday()]} of next week"))
    return tuple(found)


DAYS = distance_words()


SOON = (
    'There is "{}" {}, write it into my agenda',
    'I am going to "{}" {}: mark the day',
    'Keep time for "{}" {}',
)
UNSEEN_SOON = ('I promised to be at "{}" {}. Do not let me miss it', 'Save the date: "{}" {}')


def relative(draw: Draw) -> Draft:
    """A new event on a day that is given by its distance from today."""
    title, (day, words) = draw.pair(TITLES, DAYS)
    return Draft(
        goal=draw.say(SOON, UNSEEN_SOON).format(title, words),
        setup=(MONTH, clear(EVENTS)),
        probes={"event": where(EVENTS, title=title, date=day.isoformat()), "all": ALL},
        check=(rows("event", 1), rows("all", 1)),
        plan=new_event(title, day),
        level=3,
    )


CANCEL = ('"{}" on {} is cancelled, strike it out', 'I will not go to "{}" on {}: take it out')
UNSEEN_CANCEL = ('"{}" on {} has fallen through, free that day',)


def cancel(draw: Draw) -> Draft:
    """Delete one of two events with the same title."""
    title, number = draw.pair(TITLES, range(15, 31))
    day = date(2024, 5, number)
    other = draw.any([date(2024, 5, other) for other in range(15, 31) if other != number])
    start = draw.any(CLOCKS)
    return Draft(
        goal=draw.say(CANCEL, UNSEEN_CANCEL).format(title, f"{number} May"),
        setup=(MONTH, clear(EVENTS), event(title, day, start), event(title, other, start)),
        probes={
            "gone": where(EVENTS, title=title, date=day.isoformat()),
            "kept": where(EVENTS, title=title, date=other.isoformat()),
        },
        check=(rows("gone", 0), rows("kept", 1)),
        plan=(
            open_app("Calendar"),
            tap(on_screen(day)),
            tap(title),
            tap("#delete"),
            commit("Delete", within="Delete event?"),
        ),
        level=2,
        distinct=f"{title} {day}",
    )


FIRST_LAST = {
    True: ("I want to sleep late {}: drop whatever comes first that day", "Cancel my first appointment {}"),
    False: ("I want to leave early {}: drop whatever comes last that day", "Cancel my last appointment {}"),
}
UNSEEN_FIRST_LAST = {
    True: ("Clear the first thing on my agenda {}",),
    False: ("Clear the last thing on my agenda {}",),
}


def first_of_day(draw: Draw) -> Draft:
    """Delete the first or the last event of a day."""
    title, (day, words), first = draw.triple(TITLES, DAYS, (True, False))
    others = draw.some([other for other in TITLES if other != title], 2)
    starts = sorted(draw.some(CLOCKS, 3))
    if not first:
        starts.reverse()
    events = [event(one, day, start) for one, start in zip((title, *others), starts, strict=True)]
    known, unseen = FIRST_LAST[first], UNSEEN_FIRST_LAST[first]
    return Draft(
        goal=draw.say(known, unseen).format(words),
        setup=(MONTH, clear(EVENTS), *draw.mixed(events)),
        probes={"gone": where(EVENTS, title=title), "all": ALL},
        check=(rows("gone", 0), rows("all", 2)),
        plan=(
            open_app("Calendar"),
            tap(on_screen(day)),
            hold(title),
            tap("Delete"),
            commit("Delete", within="Delete event?"),
        ),
        level=3,
        distinct=f"{day} {first} {title}",
    )


REMIND = {
    "0": ("At time of event", "right when it starts"),
    "5": ("5 minutes before", "five minutes ahead"),
    "15": ("15 minutes before", "a quarter of an hour ahead"),
    "30": ("30 minutes before", "half an hour ahead"),
    "60": ("1 hour before", "sixty minutes ahead"),
    "1440": ("1 day before", "a day ahead"),
    "-1": ("No reminder", ""),
}
WARN = ('Warn me of "{}" {}', 'The phone should tell me about "{}" {}')
UNSEEN_WARN = ('As to "{}", nudge me {}',)
NEVER = ('Let "{}" come without any warning', 'The phone should not tell me about "{}" at all')
UNSEEN_NEVER = ('As to "{}", no nudge is needed',)


def remind(draw: Draw) -> Draft:
    """Change when the phone reminds of an event of today."""
    title, minutes = draw.pair(TITLES, REMIND)
    word, said = REMIND[minutes]
    known, unseen = (WARN, UNSEEN_WARN) if said else (NEVER, UNSEEN_NEVER)
    other = draw.any([another for another in TITLES if another != title])
    return Draft(
        goal=draw.say(known, unseen).format(title, said),
        setup=(
            MONTH,
            clear(EVENTS),
            event(title, TODAY, "17:30", reminder="10"),
            event(other, TODAY, "19:00", reminder="10"),
        ),
        probes={
            "event": where(EVENTS, title=title, reminder=minutes),
            "other": where(EVENTS, title=other, reminder="10"),
        },
        check=(rows("event", 1), rows("other", 1)),
        plan=(
            open_app("Calendar"),
            tap(title),
            tap("#edit"),
            tap("Reminder"),
            commit(word),
            commit("Save"),
        ),
        level=3,
        distinct=title + minutes,
    )


WEEK = {
    "Sunday": ("My week begins on Sunday: let the month show it so",),
    "Monday": ("My week begins on Monday: let the month show it so",),
}


def week_start(draw: Draw) -> Draft:
    """The calendar's own settings, behind a menu."""
    day = draw.own(tuple(WEEK))
    return Draft(
        goal=draw.any(WEEK[day]),
        setup=(prefer(PREFERENCES, "week_start", "Monday" if day == "Sunday" else "Sunday"),),
        probes={
            "start": f"content query --uri {PREFERENCES} --projection value --where \"name='week_start'\""
        },
        check=(equals("start", f"Row: 0 value={day}"),),
        plan=(
            open_app("Calendar"),
            tap("More options"),
            tap("Settings"),
            PlanStep("set", "Week starts on Sunday", "on" if day == "Sunday" else "off"),
        ),
        level=2,
    )
