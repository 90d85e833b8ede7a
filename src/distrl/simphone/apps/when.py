"""How lists write when something happened: a time today, a weekday this week, else a date."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from distrl.simphone.clock import UTC, moment
from distrl.simphone.state import State, setting

LATEST_MS = 4_000_000_000_000
DAY_MS = 86_400_000
HOUR_MS = 3_600_000
MINUTE_MS = 60_000


def _moment(date_ms: int) -> datetime:
    return datetime.fromtimestamp(min(max(0, date_ms), LATEST_MS) / 1000, UTC)


def time_text(state: State, date_ms: int) -> str:
    """The time of day, in the user's 12 or 24 hour format."""
    then = _moment(date_ms)
    if setting(state, "system", "time_12_24", "24") == "12":
        return f"{(then.hour - 1) % 12 + 1}:{then.minute:02d} {'AM' if then.hour < 12 else 'PM'}"
    return f"{then.hour:02d}:{then.minute:02d}"


def day_text(state: State, date_ms: int) -> str:
    """The day: Today, Yesterday, or a date."""
    then, now = _moment(date_ms), moment(state)
    days = (now.date() - then.date()).days
    if days in (0, 1):
        return ("Today", "Yesterday")[days]
    return f"{then.day} {then:%B}" + ("" if then.year == now.year else f" {then.year}")


def when_text(state: State, date_ms: int) -> str:
    """A short stamp for a list row."""
    today = int(state.now_s // 86_400)
    if min(max(0, date_ms), LATEST_MS) // DAY_MS == today:
        return time_text(state, date_ms)
    return _short_day(date_ms, today)


@lru_cache(maxsize=8192)
def _short_day(date_ms: int, today: int) -> str:
    """A weekday of the week before `today` (days since 1970), else a date."""
    then, now = _moment(date_ms), datetime.fromtimestamp(today * 86_400, UTC)
    days = (now.date() - then.date()).days
    if 0 < days < 7:
        return f"{then:%a}"
    return f"{then.day} {then:%b}" + ("" if then.year == now.year else f" {then.year}")


def now_ms(state: State) -> int:
    """The phone's clock in milliseconds."""
    return int(state.now_s * 1000)
