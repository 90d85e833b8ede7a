"""Clock: alarms, timers, stopwatch and cities through the screen and the shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from distrl.simphone.node import Node

if TYPE_CHECKING:
    from tests.simphone.apps.conftest import Hand

APP = "com.android.deskclock"
Open = Callable[..., "Hand"]


def clear_alarms(clock: Hand) -> None:
    clock.bind("delete", "alarms")


def test_new_alarm_from_the_number_grid(hand: Open) -> None:
    clock = hand(APP)
    clock.tap("Add alarm", "06", "45", "OK", "Monday", "Wednesday")
    clock.write("label", "Swim")
    clock.tap("Vibrate", "Save")
    found = clock.rows("alarms", "hour=6 AND minutes=45 AND message='Swim'")
    assert "daysofweek=5, enabled=1, vibrate=0" in found


def test_steppers_and_typing_set_odd_minutes(hand: Open) -> None:
    clock = hand(APP)
    clock.tap("Add alarm", "17", "30", "plus", "plus", "minus", "OK", "Save")
    assert "hour=17, minutes=31" in clock.rows("alarms")
    clock.tap("Add alarm", "toggle_mode")
    clock.write("typed_hour", "25")
    clock.tap("OK")
    assert clock.sees("Enter time"), "25 o'clock is refused"
    clock.write("typed_hour", "5")
    clock.write("typed_minute", "07")
    clock.tap("OK", "Save")
    assert "hour=5, minutes=7" in clock.rows("alarms")


def test_twelve_hours_with_halves(hand: Open) -> None:
    clock = hand(APP)
    clock.phone.shell("settings put system time_12_24 12")
    clock.tap("Add alarm", "12", "00", "AM", "OK", "Save")
    clock.tap("Add alarm", "07", "15", "PM", "OK", "Save")
    assert "hour=0, minutes=0" in clock.rows("alarms")
    assert "hour=19, minutes=15" in clock.rows("alarms")


def test_inserted_alarms_can_be_switched_edited_and_deleted(hand: Open) -> None:
    clock = hand(APP)
    clear_alarms(clock)
    clock.bind("insert", "alarms", hour=7, minutes=5, message="Bus", enabled=0, daysofweek=31)
    clock.bind("insert", "alarms", hour=21, minutes=50, message="Pills", enabled=1)
    assert clock.sees("07:05")
    assert clock.sees("Weekdays")
    assert clock.sees("Today")
    clock.tap_nth("onoff", 0)
    assert "message=Bus" in clock.rows("alarms", "enabled=1 AND hour=7")
    clock.tap("Pills")
    clock.tap("Change time", "22", "OK", "Ringtone", "Marimba", "Save")
    assert "hour=22, minutes=50" in clock.rows("alarms", "ringtone='Marimba'")
    clock.tap("Bus", "delete", "Cancel")
    assert clock.sees("Edit alarm")
    clock.tap("delete", "Delete")
    assert "Bus" not in clock.rows("alarms")
    clock.hold("22:50")
    clock.tap("Duplicate")
    assert clock.rows("alarms").count("hour=22") == 2


def test_timer_counts_on_the_phones_own_clock(hand: Open) -> None:
    clock = hand(APP)
    clock.bind("delete", "timers")
    clock.tap("Timer", "Set a timer", "1", "3", "0", "Start")
    assert "length=90, state=running" in clock.rows("timers")
    clock.phone.advance(31)
    assert clock.sees("0:59")
    clock.tap("Pause")
    clock.phone.advance(100)
    assert clock.sees("0:59")
    assert "state=paused, remaining=59" in clock.rows("timers")
    clock.tap("+1:00", "Resume")
    saved = clock.phone.snapshot()
    clock.phone.advance(200)
    assert clock.sees("Time's up")
    clock.phone.restore(saved)
    assert clock.sees("1:59")
    clock.tap("Reset")
    assert "state=ready" in clock.rows("timers")


def test_stopwatch_measures_laps(hand: Open) -> None:
    clock = hand(APP)
    clock.tap("Stopwatch")
    play, lap, reset = (node.centre for node in _round_keys(clock))
    clock.phone.tap(*play)
    clock.phone.advance(12.5)
    clock.phone.tap(*lap)
    clock.phone.advance(65)
    clock.phone.tap(*play)
    assert clock.sees("1:17.50")
    assert "split_ms=12500" in clock.rows("laps")
    assert "state=paused, elapsed_ms=77500" in clock.rows("stopwatch")
    clock.phone.tap(*reset)
    assert "state=reset" in clock.rows("stopwatch")


def _round_keys(clock: Hand) -> list[Node]:
    keys = [
        node for node in clock.phone.tree() if node.class_name.endswith("ImageButton") and node.package == APP
    ]
    reset, play, lap = sorted((key for key in keys if not key.description), key=lambda key: key.bounds[0])
    return [play, lap, reset]


def test_cities_are_added_by_search_and_removed_by_holding(hand: Open) -> None:
    clock = hand(APP)
    clock.bind("delete", "cities")
    clock.bind("insert", "cities", name="Tokyo")
    clock.tap("World clock", "Add city")
    clock.write("query", "norw")
    clock.tap("Oslo")
    clock.phone.key("BACK")
    assert "name=Oslo" in clock.rows("cities")
    assert clock.sees("11:41   Oslo")
    clock.hold("18:41   Tokyo")
    clock.tap("Remove")
    assert "Tokyo" not in clock.rows("cities")


def test_settings_are_kept(hand: Open) -> None:
    clock = hand(APP)
    clock.tap("More options", "Settings", "Snooze length", "20 minutes", "Display time with seconds")
    assert "name=snooze_minutes, value=20" in clock.rows("preferences")
    assert "name=show_seconds, value=1" in clock.rows("preferences")


@pytest.mark.parametrize("seed", range(3))
def test_monkey(hand: Open, seed: int) -> None:
    hand(APP, seed, seed).monkey(seed, 150)
