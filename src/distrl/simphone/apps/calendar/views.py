"""The calendar's views: a month, the agenda, a search, and one event."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache

from distrl.simphone.app import Context, go
from distrl.simphone.apps.calendar.data import CalendarData, Event
from distrl.simphone.apps.pickers import month_cells, weekday_heads
from distrl.simphone.dates import (
    DAY_S,
    MONTHS,
    day_of,
    day_text,
    long_day_text,
    month_shifted,
    read_day,
    shifted,
    start_of,
    time_text,
    uses_12_hours,
    weekday_text,
)
from distrl.simphone.theme import Role
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Column,
    Divider,
    Empty,
    FloatingButton,
    Gap,
    Grid,
    IconButton,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Surface,
    Text,
    Widget,
)
from distrl.simphone.widgets.keys import DayCell

Ctx = Context[CalendarData]
REMINDERS = {
    -1: "No reminder", 0: "At time of event", 5: "5 minutes before", 10: "10 minutes before",
    15: "15 minutes before", 30: "30 minutes before", 60: "1 hour before", 1440: "1 day before",
}  # fmt: skip
ICONS: dict[str, tuple[str, Role]] = {
    "Personal": ("person", "primary"),
    "Work": ("work", "faint"),
    "Family": ("home", "primary"),
    "Sports": ("sports_tennis", "faint"),
}


def reminder_text(minutes: int) -> str:
    """When the phone reminds of an event."""
    return REMINDERS.get(minutes, f"{minutes} minutes before")


def first_weekday(ctx: Ctx) -> int:
    """0 if weeks start on Monday, 6 if on Sunday."""
    return 6 if ctx.data.preferences.get("week_start") == "Sunday" else 0


def chosen_day(ctx: Ctx) -> date:
    """The day that the main page has marked."""
    return read_day(ctx.arg_str("day")) or day_of(ctx.minute_s)


def clock_text(ctx: Ctx, seconds: int) -> str:
    """The time of day of a moment."""
    return time_text(seconds % DAY_S // 3600, seconds % 3600 // 60, uses_12_hours(ctx.state))


def span_text(ctx: Ctx, event: Event) -> str:
    """When an event takes place, without its day."""
    if event.all_day:
        return "All day"
    return f"{clock_text(ctx, event.start)} – {clock_text(ctx, event.end)}"


def _event_row(ctx: Ctx, event: Event, day: str = "") -> Row:
    icon, role = ICONS.get(event.calendar, ("event", "faint"))
    parts = [part for part in (day, span_text(ctx, event), event.location) if part]
    return Row(
        title=event.title or "(No title)",
        subtitle=" · ".join(parts),
        icon=icon,
        icon_role=role,
        on_tap=go("event", id=event.id),
        on_long_press=("hold", event.id),
    )


def _bar(ctx: Ctx, title: str) -> AppBar:
    agenda = ctx.data.preferences.get("view") == "agenda"
    actions = [
        IconButton("today", ("today",), "", "today", "text"),
        IconButton("calendar_month" if agenda else "view_agenda", ("view",), "", "view", "text"),
        IconButton("search", go("search"), "Search", "search", "text"),
    ]
    return AppBar(title, False, actions, go("menu"))


def build_main(ctx: Ctx) -> Surface:
    """The month or the agenda, whichever the user prefers."""
    add = FloatingButton("add", ("new",), "New event")
    if ctx.data.preferences.get("view") == "agenda":
        return Page(Column(_agenda(ctx), "agenda", 88), _bar(ctx, "Agenda"), button=add)
    return Page(Column(_month(ctx), "month", 88), _bar(ctx, "Calendar"), button=add)


def _month(ctx: Ctx) -> list[Widget]:
    day, today = chosen_day(ctx), day_of(ctx.minute_s)
    month = read_day(ctx.arg_str("month")) or day
    events = ctx.data.shown()
    days = month_cells(month, first_weekday(ctx))
    begin, finish = start_of(days[0]), start_of(days[-1]) + DAY_S
    near = [event for event in events if event.start < finish and event.end >= begin]
    busy: Counter[int] = Counter()
    for event in near:
        last = max(event.start, event.end - 1) // DAY_S
        busy.update(range(max(begin, event.start) // DAY_S, min(finish // DAY_S, last + 1)))
    counts = tuple([busy[number] for number in range(begin // DAY_S, finish // DAY_S)])
    head = Across(
        [
            Text(f"{MONTHS[month.month - 1]} {month.year}", 17, bold=True, name="month_name"),
            IconButton("chevron_left", ("leaf", -1), "Previous month", "prev"),
            IconButton("chevron_right", ("leaf", 1), "Next month", "next"),
        ],
        (0, 48, 48),
    )
    found = [event for event in events if event.on(day)]
    rows: list[Widget] = [_event_row(ctx, event) for event in found]
    if not rows:
        rows.append(Text("No events on this day", 14, "faint", pad_y=10))
    body: list[Widget] = [
        head,
        weekday_heads(first_weekday(ctx)),
        _days(days, counts, day, today, month.month),
        Divider(16),
    ]
    return [*body, SectionHeader(_named(day, today)), *rows]


@lru_cache(maxsize=512)
def _days(days: tuple[date, ...], counts: tuple[int, ...], chosen: date, today: date, month: int) -> Grid:
    """The days of a month with their events' dots; a phone shows the same month many times over."""
    cells = []
    for day, count in zip(days, counts, strict=True):
        noted = f", {count} event{'' if count == 1 else 's'}" if count else ""
        message, text = ("day", day.isoformat()), long_day_text(day) + noted
        cells.append(DayCell(day.day, message, text, day == chosen, day == today, day.month != month, count))
    return Grid(cells, 7, 0, 10)


def _named(day: date, today: date) -> str:
    near = {0: "Today", 1: "Tomorrow", -1: "Yesterday"}.get((day - today).days, "")
    return f"{near}, {weekday_text(day)}" if near else f"{weekday_text(day)} {day.year}"


def _agenda(ctx: Ctx) -> list[Widget]:
    today = day_of(ctx.minute_s)
    earlier = bool(ctx.arg("earlier", False))
    body: list[Widget] = []
    past = [event for event in ctx.data.shown() if event.end <= start_of(today)]
    if past:
        word = "Hide earlier events" if earlier else "Show earlier events"
        body.append(Row(title=word, icon="history", on_tap=("earlier",), title_role="primary"))
    last = None
    for event in ctx.data.shown():
        if event.end <= start_of(today) and not earlier:
            continue
        day = day_of(event.start)
        if day != last:
            body.append(SectionHeader(_named(day, today)))
            last = day
        body.append(_event_row(ctx, event))
    if last is None:
        body.append(Empty("event_available", "Nothing planned"))
    return body


def build_search(ctx: Ctx) -> Surface:
    """Events whose title, place or notes contain what was typed."""
    query = ctx.text("query").strip().lower()
    body: list[Widget] = []
    if query:
        body += [
            _event_row(ctx, event, day_text(day_of(event.start)))
            for event in ctx.data.shown()
            if query in f"{event.title}\n{event.location}\n{event.notes}".lower()
        ]
    if not body:
        body.append(Empty("search", "No events found" if query else "Search your events"))
    return Page(Column(body, "found_events"), AppBar(field=SearchBar("query", "Search events", pad_x=8)))


def when_text(ctx: Ctx, event: Event) -> str:
    """Day and time of an event in full."""
    first, last = day_of(event.start), day_of(max(event.start, event.end - 1))
    if first == last:
        return f"{long_day_text(first)}\n{span_text(ctx, event)}"
    if event.all_day:
        return f"{weekday_text(first)} – {weekday_text(last)}\nAll day"
    start, end = clock_text(ctx, event.start), clock_text(ctx, event.end)
    return f"{weekday_text(first)}, {start} –\n{weekday_text(day_of(event.end))}, {end}"


def build_event(ctx: Ctx) -> Surface:
    """Everything about one event."""
    event = ctx.data.find(ctx.arg_int("id"))
    if event is None:
        return Page(Column([Empty("event_busy", "This event no longer exists")]), AppBar("Event"))
    actions = [
        IconButton("edit", go("edit", id=event.id), "", "edit", "text"),
        IconButton("delete", go("delete", id=event.id), "", "delete", "text"),
    ]
    body: list[Widget] = [
        Gap(4),
        Text(event.title or "(No title)", 22, bold=True, pad_y=8, name="title"),
        Row(title="When", subtitle=when_text(ctx, event), icon="schedule"),
    ]
    if event.location:
        body.append(Row(title="Location", subtitle=event.location, icon="location_on"))
    body.append(Row(title="Reminder", subtitle=reminder_text(event.reminder), icon="notifications"))
    body.append(Row(title="Calendar", subtitle=event.calendar, icon=ICONS.get(event.calendar, ("event",))[0]))
    if event.notes:
        body.append(Row(title="Notes", subtitle=event.notes, icon="notes", lines=6))
    return Page(Column(body, "event"), AppBar("", actions=actions, on_menu=go("event_menu", id=event.id)))


def answer_views(ctx: Ctx, day: date, word: str, value: str | int) -> None:
    """Move the month's mark: to a day, to today, or to another month."""
    args = ctx.entry.args
    month = read_day(ctx.arg_str("month")) or day
    if word == "day":
        args["day"], args["month"] = str(value), f"{str(value)[:8]}01"
    elif word == "today":
        args.pop("day", None)
        args.pop("month", None)
        ctx.entry.scroll.clear()
    elif word == "leaf" and isinstance(value, int):
        args["month"] = month_shifted(month, value).isoformat()


def next_hour(ctx: Ctx, day: date) -> int:
    """The next full hour of today, or nine o'clock on another day."""
    today = day_of(ctx.minute_s)
    if day != today:
        return start_of(day) + 9 * 3600
    return min(start_of(shifted(today, 1)) - 3600, int(ctx.minute_s // 3600 + 1) * 3600)
