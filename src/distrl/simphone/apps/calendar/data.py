"""The events of the calendar, and the tables that show them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag, whole
from distrl.simphone.apps.preferences import preference_table
from distrl.simphone.chance import generator
from distrl.simphone.dates import BOOT_DAY, DAY_S, LATEST, day_of, read_day, shifted, start_of
from distrl.simphone.world import World

CALENDARS = ("Personal", "Work", "Family", "Sports")
PREFERENCES = {"view": "month", "week_start": "Monday", "default_reminder": "10", "hidden_calendars": ""}
TITLES: dict[str, tuple[str, ...]] = {
    "Personal": ("Dentist", "Haircut", "Optician", "Book club", "Cinema", "Car service", "Pick up parcel"),
    "Work": ("Team meeting", "Budget review", "Project kick-off", "Interview", "Training", "Team lunch"),
    "Family": ("Parents' evening", "Family dinner", "School play", "Vet appointment", "Picnic"),
    "Sports": ("Yoga", "Football practice", "Swimming", "Climbing", "Tennis match"),
}
PLACES = (
    "", "Room 4", "Room 12", "Harbour Café", "Elm Street 5", "Town hall", "Main library", "Riverside park",
    "Sports centre", "Video call", "Clinic, 2nd floor",
)  # fmt: skip


class Event(msgspec.Struct):
    """One event; `start` and `end` in seconds since 1970, `reminder` in minutes before (-1: none)."""

    id: int
    title: str
    start: int
    end: int
    location: str = ""
    all_day: bool = False
    reminder: int = 10
    calendar: str = CALENDARS[0]
    notes: str = ""

    def on(self, day: date) -> bool:
        """Whether it takes place on a day."""
        begin = start_of(day)
        return self.start < begin + DAY_S and (self.end > begin or self.start >= begin)


class CalendarData(msgspec.Struct):
    """All events, in no particular order."""

    events: list[Event]
    next_id: int
    preferences: dict[str, str] = msgspec.field(default_factory=lambda: dict(PREFERENCES))

    def find(self, event_id: int) -> Event | None:
        """An event by its number."""
        return next((event for event in self.events if event.id == event_id), None)

    def add(self, event: Event) -> Event:
        """Add an event under the next number."""
        event.id = self.next_id
        self.next_id += 1
        self.events.append(event)
        return event

    def remove(self, event_id: int) -> None:
        """Delete an event."""
        self.events = [event for event in self.events if event.id != event_id]

    def hidden(self) -> list[str]:
        """The calendars that are not shown."""
        return [name for name in self.preferences.get("hidden_calendars", "").split(",") if name]

    def shown(self) -> list[Event]:
        """The events of the calendars that are shown, by time."""
        hidden = self.hidden()
        found = [event for event in self.events if event.calendar not in hidden]
        return sorted(found, key=lambda event: (event.start, not event.all_day, event.id))


def fill(world: World) -> CalendarData:
    """The events of a world: some before today, most in the weeks to come, with like titles among them."""
    random = generator("calendar", world.seed)
    data = CalendarData([], 1)
    data.preferences["view"] = random.choice(("month", "month", "agenda"))
    meals = ("Lunch", "Coffee", "Dinner", "Call")
    for number in range(22):
        day = shifted(BOOT_DAY, random.randint(-6, 3) if number < 7 else random.randint(0, 40))
        calendar = random.choice(CALENDARS)
        title = random.choice(TITLES[calendar])
        if number % 5 == 0:
            title = f"{random.choice(meals)} with {random.choice(world.people).name.split()[0]}"
            calendar = "Personal"
        start = start_of(day) + 60 * random.choice((480, 540, 555, 600, 660, 750, 840, 930, 1020, 1110, 1140))
        length = 60 * random.choice((30, 45, 60, 90, 120))
        reminder = random.choice((-1, 0, 10, 30, 60))
        data.add(Event(0, title, start, start + length, random.choice(PLACES), False, reminder, calendar))
    for _ in range(3):
        day = shifted(BOOT_DAY, random.randint(-3, 30))
        title = random.choice(("Day off", "Birthday", "Bank holiday", "Anniversary", "Recycling day"))
        if title == "Birthday":
            title = f"{random.choice(world.people).name.split()[0]}'s birthday"
        start = start_of(day)
        data.add(Event(0, title, start, start + DAY_S, "", True, -1, random.choice(CALENDARS[:3])))
    return data


def _clock(seconds: int) -> str:
    return f"{seconds % DAY_S // 3600:02d}:{seconds % 3600 // 60:02d}"


def _rows(data: CalendarData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": event.id,
            "title": event.title,
            "dtstart": event.start * 1000,
            "dtend": event.end * 1000,
            "eventLocation": event.location,
            "allDay": int(event.all_day),
            "description": event.notes,
            "calendar_displayName": event.calendar,
            "reminder": event.reminder,
            "date": day_of(event.start).isoformat(),
            "start": _clock(event.start),
            "end": _clock(event.end),
        }
        for event in sorted(data.events, key=lambda event: (event.start, event.id))
    ]


def _seconds(text: str) -> int | None:
    """A time of day such as 14:30, in seconds."""
    hours, _, minutes = text.partition(":")
    if hours.isdecimal() and minutes.isdecimal() and len(text) <= 5 and int(hours) < 24 and int(minutes) < 60:
        return int(hours) * 3600 + int(minutes) * 60
    return None


def _bind(event: Event, bound: Mapping[str, str]) -> None:
    """Set the bound columns; `date`, `start` and `end` are another way to say `dtstart` and `dtend`."""
    length = max(0, event.end - event.start)
    event.start = whole(bound, "dtstart", event.start * 1000) // 1000
    day = read_day(bound.get("date", "")) or day_of(event.start)
    if "date" in bound or "start" in bound:
        clock = _seconds(bound.get("start", ""))
        event.start = start_of(day) + (clock if clock is not None else event.start % DAY_S)
    event.end = whole(bound, "dtend", (event.start + length) * 1000) // 1000
    clock = _seconds(bound.get("end", ""))
    if clock is not None:
        event.end = start_of(day_of(event.start)) + clock
    event.all_day = flag(bound, "allDay", event.all_day)
    event.start = min(start_of(LATEST), max(0, event.start))
    if event.all_day:
        event.start = start_of(day_of(event.start))
        event.end = max(event.start + DAY_S, -(-event.end // DAY_S) * DAY_S)
    event.end = min(start_of(LATEST) + DAY_S, max(event.start, event.end))
    event.title = bound.get("title", event.title)
    event.location = bound.get("eventLocation", event.location)
    event.notes = bound.get("description", event.notes)
    event.reminder = whole(bound, "reminder", event.reminder)
    if bound.get("calendar_displayName", "") in CALENDARS:
        event.calendar = bound["calendar_displayName"]


def _insert(data: CalendarData, bound: Mapping[str, str]) -> None:
    noon = start_of(BOOT_DAY) + DAY_S // 2
    event = Event(0, "", noon, noon + 3600)
    _bind(event, bound)
    data.add(event)


def _update(data: CalendarData, row: int, bound: Mapping[str, str]) -> None:
    event = data.find(row)
    if event is not None:
        _bind(event, bound)


TABLES: dict[str, Table[CalendarData]] = {
    "events": Table(_rows, _insert, _update, CalendarData.remove),
    "preferences": preference_table(lambda data: data.preferences, PREFERENCES),
}
