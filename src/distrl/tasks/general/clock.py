"""Tasks with the clock's alarms: in words, on some days, and relative to others."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.general.settings import capital
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
)

CLOCK = "content://com.android.deskclock"
ALARMS = f"{CLOCK}/alarms"
ALL_ALARMS = f"content query --uri {ALARMS}"
# Neither 8 o'clock, which the dialog shows at first, nor times whose minute looks like their hour.
TIMES = tuple(
    (hour, minute)
    for hour, minute in product((5, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22), range(0, 60, 5))
    if minute != hour
)
QUARTERS = tuple((hour, minute) for hour, minute in TIMES if minute in (15, 30, 45) and hour < 23)
NUMBERS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
LABELS = (
    "Swim class", "Pick up Tom", "Pills", "Train home", "Night shift", "Bread oven", "Choir", "Sauna",
    "Radio show", "Walk the dog", "Piano", "Fish market", "Exam", "Ferry", "Dialysis", "Karate",
)  # fmt: skip


def clock_text(hour: int, minute: int) -> str:
    """A time of day as the phone shows it."""
    return f"{hour:02d}:{minute:02d}"


def in_words(hour: int, minute: int) -> str:
    """A quarter of an hour as people say it: half past six in the evening."""
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    if minute == 45:
        return f"a quarter to {NUMBERS[(hour + 1) % 12]} {part}"
    return f"{'half' if minute == 30 else 'a quarter'} past {NUMBERS[hour % 12]} {part}"


def pick(hour: int, minute: int, at: tuple[int, int] = (8, 0)) -> tuple[PlanStep, ...]:
    """The touches in the dialog that asks for a time, which shows `at` at first."""
    steps = [tap("#minutes") if hour == at[0] else commit(f"{hour:02d}")]
    if minute != at[1]:
        steps.append(commit(f"{minute:02d}"))
    return (*steps, commit("OK"))


def plant(*alarms: dict[str, str]) -> tuple[str, ...]:
    """The commands that leave only these alarms on the phone."""
    return (clear(ALARMS), *(bind(ALARMS, **alarm) for alarm in alarms))


def new_alarm(hour: int, minute: int) -> tuple[PlanStep, ...]:
    """The way from anywhere to the form of a new alarm at a time."""
    return (open_app("Clock"), tap("Add alarm"), *pick(hour, minute))


ALARM = ("Set an alarm for {}", "Add an alarm at {}", "Create a new alarm for {}")
UNSEEN_ALARM = ("I need an alarm that goes off at {}", "An alarm at {}, please")


def alarm(draw: Draw) -> Draft:
    """A new alarm at a time in digits."""
    hour, minute = draw.own(TIMES)
    return Draft(
        goal=draw.say(ALARM, UNSEEN_ALARM).format(clock_text(hour, minute)),
        setup=plant(),
        probes={"alarm": where(ALARMS, hour=str(hour), minutes=str(minute), enabled="1"), "all": ALL_ALARMS},
        check=(rows("alarm", 1), rows("all", 1)),
        plan=(*new_alarm(hour, minute), commit("Save")),
    )


WAKE = ("Wake me at {}", "I have to get up at {}", "Ring me out of bed at {}")
UNSEEN_WAKE = ("Make sure I am up at {}", "At {} I must not be asleep any more")
ON_DAYS = {
    31: ("from Monday to Friday", "on working days", "on every day I go to the office"),
    96: ("on Saturdays and Sundays", "at the weekend", "on my free days, at weekends"),
}
DAYS = {31: ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), 96: ("Saturday", "Sunday")}


def wake(draw: Draw) -> Draft:
    """A new alarm at a time in words."""
    hour, minute = draw.own(QUARTERS)
    return Draft(
        goal=draw.say(WAKE, UNSEEN_WAKE).format(in_words(hour, minute)),
        setup=plant(),
        probes={
            "woken": where(ALARMS, hour=str(hour), minutes=str(minute), enabled="1", daysofweek="0"),
            "all": ALL_ALARMS,
        },
        check=(rows("woken", 1), rows("all", 1)),
        plan=(*new_alarm(hour, minute), commit("Save")),
        level=2,
    )


def weekly(draw: Draw) -> Draft:
    """A new alarm that repeats on some days."""
    (hour, minute), days = draw.pair(QUARTERS, DAYS)
    goal = f"{draw.say(WAKE, UNSEEN_WAKE)} {draw.say(ON_DAYS[days][:2], ON_DAYS[days][2:])}"
    wanted = {"hour": str(hour), "minutes": str(minute), "daysofweek": str(days), "enabled": "1"}
    return Draft(
        goal=goal.format(in_words(hour, minute)),
        setup=plant(),
        probes={"alarm": where(ALARMS, **wanted), "all": ALL_ALARMS},
        check=(rows("alarm", 1), rows("all", 1)),
        plan=(*new_alarm(hour, minute), *(switch(day, True) for day in DAYS[days]), commit("Save")),
        level=3,
        calm=True,
    )


USUAL = tuple(zip(LABELS, QUARTERS[3:], strict=False))  # what the alarms are for, and when they ring
LATER = (
    'My "{}" alarm is half an hour too early, correct it',
    'Let the alarm for "{}" ring thirty minutes later',
)
EARLIER = (
    'My "{}" alarm is half an hour too late, correct it',
    'Let the alarm for "{}" ring thirty minutes earlier',
)
UNSEEN_LATER = ('I can sleep half an hour more before "{}": change what wakes me',)
UNSEEN_EARLIER = ('I need half an hour more to get ready for "{}": change what wakes me',)


def shift(draw: Draw) -> Draft:
    """Move an alarm by half an hour; another one stays."""
    (label, (hour, minute)), later = draw.pair(USUAL, (True, False))
    if minute == 45 or hour == 12:
        minute = 30
    other = draw.any([name for name in LABELS if name != label])
    total = hour * 60 + minute + (30 if later else -30)
    new = total // 60, total % 60
    known, unseen = (LATER, UNSEEN_LATER) if later else (EARLIER, UNSEEN_EARLIER)
    old = {"hour": str(hour), "minutes": str(minute)}
    return Draft(
        goal=draw.say(known, unseen).format(label),
        setup=plant(
            {**old, "message": label, "enabled": "1"},
            {"hour": "23", "minutes": "5", "message": other, "enabled": "1"},
        ),
        probes={
            "alarm": where(ALARMS, message=label, hour=str(new[0]), minutes=str(new[1])),
            "other": where(ALARMS, message=other, hour="23"),
            "all": ALL_ALARMS,
        },
        check=(rows("alarm", 1), rows("other", 1), rows("all", 2)),
        plan=(
            open_app("Clock"),
            tap(label),
            tap("Change time"),
            *pick(*new, at=(hour, minute)),
            commit("Save"),
        ),
        level=3,
        distinct=f"{label} {later}",
    )


WHICH = {
    "earliest": (
        "the alarm that rings first in the day",
        "the earliest alarm",
        "whatever would wake me first",
    ),
    "latest": ("the alarm that rings last in the day", "the latest alarm", "whatever would wake me last"),
}
OFF = ("Switch off {}, but keep it", "Mute {} without deleting it", "{} should not ring for now")
GONE = ("Delete {}", "Get rid of {}", "Remove {} for good")
UNSEEN_OFF, UNSEEN_GONE = ("Deactivate {}; do not throw it away",), ("{} is no longer needed, throw it away",)


def extreme(draw: Draw) -> Draft:
    """Find the first or the last alarm of the day, and switch it off or delete it."""
    which, delete, label = draw.triple(WHICH, (True, False), LABELS)
    others = draw.some([name for name in LABELS if name != label], 3)
    times = sorted(draw.some(TIMES, 4))
    wanted, rest = (times[0], times[1:]) if which == "earliest" else (times[-1], times[:-1])
    alarms = [
        {"hour": str(hour), "minutes": str(minute), "message": name, "enabled": "1", "daysofweek": "127"}
        for (hour, minute), name in zip((wanted, *rest), (label, *others), strict=True)
    ]
    known, unseen = (GONE, UNSEEN_GONE) if delete else (OFF, UNSEEN_OFF)
    goal = draw.say(known, unseen).format(draw.say(WHICH[which][:2], WHICH[which][2:]))
    text = clock_text(*wanted)
    if delete:
        steps: tuple[PlanStep, ...] = (hold(text), tap("Delete"), commit("Delete", within="Delete alarm?"))
        check = (rows("alarm", 0), rows("on", 3))
    else:
        steps = (switch(text, False),)
        check = (rows("alarm", 1), rows("on", 3))
    return Draft(
        goal=capital(goal),
        setup=plant(*draw.mixed(alarms)),
        probes={
            "alarm": where(ALARMS, message=label, **({} if delete else {"enabled": "0"})),
            "on": where(ALARMS, enabled="1"),
        },
        check=check,
        plan=(open_app("Clock"), *steps),
        level=3,
        distinct=f"{wanted} {delete}",
    )


REST = (
    "Nothing should wake me for now, but keep all alarms",
    "Let me sleep in: no alarm may ring, but delete none",
)


def rest(draw: Draw) -> Draft:
    """All alarms are switched off."""
    labels = draw.own(tuple(zip(LABELS[::3], LABELS[1::3], LABELS[2::3], strict=False)))
    times = sorted(draw.some(TIMES, 3))
    alarms = [
        {"hour": str(hour), "minutes": str(minute), "message": label, "enabled": "1", "daysofweek": "127"}
        for (hour, minute), label in zip(times, labels, strict=True)
    ]
    return Draft(
        goal=f"{draw.any(REST)} ({', '.join(labels)})",
        setup=plant(*alarms),
        probes={
            "off": where(ALARMS, enabled="0"),
            **{label: where(ALARMS, message=label) for label in labels},
        },
        check=(rows("off", 3), *(rows(label, 1) for label in labels)),
        plan=(open_app("Clock"), *(switch(clock_text(*time), False) for time in times)),
        level=3,
        distinct=labels[0],
    )
