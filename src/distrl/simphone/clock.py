"""How the phone's clock is written."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import lru_cache

from distrl.simphone.state import State, setting

UTC = timezone.utc  # noqa: UP017  (datetime.UTC reads worse in annotations)


def moment(state: State) -> datetime:
    """The phone's date and time."""
    return datetime.fromtimestamp(state.now_s, UTC)


def clock_text(state: State) -> str:
    """The time as the status bar shows it, in the user's 12 or 24 hour format."""
    return _clock_text(int(state.now_s // 60), setting(state, "system", "time_12_24", "24") == "12")


@lru_cache(maxsize=2048)
def _clock_text(minute: int, twelve: bool) -> str:
    now = datetime.fromtimestamp(minute * 60, UTC)
    if twelve:
        return f"{(now.hour - 1) % 12 + 1}:{now.minute:02d} {'AM' if now.hour < 12 else 'PM'}"
    return f"{now.hour:02d}:{now.minute:02d}"


def date_text(state: State) -> str:
    """The date as the home screen shows it."""
    return _date_text(int(state.now_s // 86_400))


@lru_cache(maxsize=512)
def _date_text(day: int) -> str:
    now = datetime.fromtimestamp(day * 86_400, UTC)
    return f"{now:%A}, {now.day} {now:%B}"
