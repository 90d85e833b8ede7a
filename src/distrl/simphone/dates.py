"""How apps write dates and times of day; the phone lives in GMT, so a day is 86 400 seconds."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache

from distrl.simphone.clock import UTC
from distrl.simphone.state import BOOT_TIME_S, State, setting

DAY_S = 86_400
EPOCH = date(1970, 1, 1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
LATEST = date(2199, 12, 31)
"""Apps show no day after this one and none before 1970."""


def day_of(seconds: float) -> date:
    """The day a moment lies in."""
    days = int(min(seconds // DAY_S, (LATEST - EPOCH).days))
    return EPOCH + timedelta(days=max(0, days))


BOOT_DAY = day_of(BOOT_TIME_S)
"""The day on which every phone is switched on."""


def start_of(day: date) -> int:
    """The moment a day begins, in seconds since 1970."""
    return (day - EPOCH).days * DAY_S


def shifted(day: date, days: int) -> date:
    """The day so many days later, within what apps show."""
    place = min((LATEST - EPOCH).days, max(0, (day - EPOCH).days + days))
    return EPOCH + timedelta(days=place)


def month_shifted(day: date, months: int) -> date:
    """The first day of the month so many months later, within what apps show."""
    place = min(2199 * 12 + 11, max(1970 * 12, day.year * 12 + day.month - 1 + months))
    return date(place // 12, place % 12 + 1, 1)


def read_day(text: str) -> date | None:
    """The day written as 2024-05-14; None if it is not one that apps show."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        return None
    return day if EPOCH <= day <= LATEST else None


def uses_12_hours(state: State) -> bool:
    """Whether the user reads 7:30 PM rather than 19:30."""
    return setting(state, "system", "time_12_24", "24") == "12"


def time_text(hour: int, minute: int, twelve: bool) -> str:
    """A time of day as the user reads it."""
    if twelve:
        return f"{(hour - 1) % 12 + 1}:{minute:02d} {'AM' if hour < 12 else 'PM'}"
    return f"{hour:02d}:{minute:02d}"


def moment_text(seconds: float, twelve: bool) -> str:
    """Day and time of day, as lists of files show it."""
    moment = datetime.fromtimestamp(min(max(0.0, seconds), start_of(LATEST)), UTC)
    return f"{day_text(moment.date())}, {time_text(moment.hour, moment.minute, twelve)}"


def day_text(day: date) -> str:
    """A day, short: 14 May 2024."""
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def weekday_text(day: date) -> str:
    """A day with its weekday, short: Tue, 14 May."""
    return f"{WEEKDAYS[day.weekday()][:3]}, {day.day} {MONTHS[day.month - 1][:3]}"


@lru_cache(maxsize=2048)
def long_day_text(day: date) -> str:
    """A day in full: Tuesday, 14 May 2024."""
    return f"{WEEKDAYS[day.weekday()]}, {day.day} {MONTHS[day.month - 1]} {day.year}"
