"""Calendar: month and agenda, the form with its pickers, search, through the screen and the shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.simphone.apps.conftest import Hand

APP = "com.android.calendar"
Open = Callable[..., "Hand"]


@pytest.fixture
def calendar(hand: Open) -> Hand:
    """A phone with two known events, showing the month."""
    opened = hand(APP)
    opened.bind("delete", "events")
    opened.bind("update", "preferences", "name='view'", value="month")
    opened.bind("insert", "events", title="Dentist", date="2024-05-21", start="14:30", end="15:00")
    opened.bind(
        "insert",
        "events",
        title="Dentist",
        dtstart=1_715_868_000_000,
        dtend=1_715_871_600_000,
        eventLocation="Oak 4",
    )
    return opened


def test_inserted_events_are_on_their_days(calendar: Hand) -> None:
    assert calendar.find("16").description == "Thursday, 16 May 2024, 1 event"
    calendar.tap("16")
    assert calendar.sees("14:00 – 15:00 · Oak 4")
    calendar.tap("21")
    assert calendar.sees("14:30 – 15:00")
    assert "date=2024-05-16, start=14:00, end=15:00" in calendar.rows("events", "eventLocation='Oak 4'")


def test_a_new_event_with_picked_day_and_times(calendar: Hand) -> None:
    calendar.tap("Next month", "12", "New event")
    calendar.write("title", "Paint the fence")
    calendar.tap("Start date", "18", "OK", "Start time", "16", "45", "OK", "Save")
    assert "date=2024-06-18, start=16:45, end=17:45" in calendar.rows("events", "title='Paint the fence'")
    assert calendar.sees("June 2024")


def test_end_time_reminder_and_calendar(calendar: Hand) -> None:
    calendar.tap("20", "New event")
    calendar.write("title", "Choir")
    calendar.tap("End time", "20", "30", "OK", "Reminder", "1 hour before", "Calendar", "Family", "Save")
    row = calendar.rows("events", "title='Choir'")
    assert "start=09:00, end=20:30" in row
    assert "calendar_displayName=Family, reminder=60" in row


def test_an_event_needs_a_title_and_may_last_all_day(calendar: Hand) -> None:
    calendar.tap("20", "New event", "Save")
    assert calendar.sees("Add a title first")
    calendar.write("title", "Fair")
    calendar.tap("All day", "End date", "toggle_mode")
    calendar.write("typed_day", "2024-05-22")
    calendar.tap("OK", "Save")
    row = calendar.rows("events", "title='Fair'")
    assert "allDay=1" in row
    start, days = 1_716_163_200_000, 3 * 86_400_000
    assert f"dtstart={start}, dtend={start + days}" in row
    calendar.tap("22")
    assert calendar.sees("Fair")


def test_edit_keeps_the_length_when_the_start_moves(calendar: Hand) -> None:
    calendar.tap("21", "Dentist", "edit", "Start time", "09", "00", "OK")
    middle = calendar.phone.snapshot()
    calendar.tap("Save")
    assert "start=09:00, end=09:30" in calendar.rows("events", "date='2024-05-21'")
    calendar.phone.restore(middle)
    assert "start=14:30" in calendar.rows("events", "date='2024-05-21'")
    calendar.tap("Save")
    assert "start=09:00" in calendar.rows("events", "date='2024-05-21'")


def test_the_right_one_of_two_is_deleted(calendar: Hand) -> None:
    calendar.tap("view")
    calendar.tap_nth("Dentist", 1)
    calendar.tap("delete", "Cancel", "delete", "Delete")
    assert "date=2024-05-16" in calendar.rows("events")
    assert "date=2024-05-21" not in calendar.rows("events")


def test_search_and_hidden_calendars(calendar: Hand) -> None:
    calendar.tap("More options", "Calendars to show", "Personal", "Done", "Search")
    calendar.write("query", "dent")
    assert calendar.sees("No events found")
    calendar.bind("update", "preferences", "name='hidden_calendars'", value="")
    assert calendar.sees("Dentist")


def test_go_to_a_date_and_back_to_today(calendar: Hand) -> None:
    calendar.tap("More options", "Go to date…", "toggle_mode")
    calendar.write("typed_day", "2025-02-30")
    calendar.tap("OK")
    assert calendar.sees("Enter date"), "there is no 30 February"
    calendar.write("typed_day", "2025-02-28")
    calendar.tap("OK")
    assert calendar.sees("February 2025")
    calendar.tap("today")
    assert calendar.sees("May 2024")
    calendar.phone.swipe(300, 600, 100, 600)
    assert calendar.sees("June 2024")


@pytest.mark.parametrize("seed", range(3))
def test_monkey(hand: Open, seed: int) -> None:
    hand(APP, seed, seed).monkey(seed, 150)
