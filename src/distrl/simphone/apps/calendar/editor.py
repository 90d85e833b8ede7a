"""The form for a new event or a known one, and the choices it offers."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.calendar.data import CALENDARS, CalendarData, Event
from distrl.simphone.apps.calendar.views import REMINDERS, clock_text, first_weekday, next_hour, reminder_text
from distrl.simphone.apps.columns import whole
from distrl.simphone.apps.pickers import ask_day, ask_time, minutes_at, moment_at
from distrl.simphone.dates import DAY_S, LATEST, day_of, long_day_text, read_day, start_of
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    AppBar,
    Column,
    Dialog,
    Divider,
    Gap,
    IconButton,
    Page,
    Row,
    Surface,
    TextField,
    Widget,
)

Ctx = Context[CalendarData]


def _saved(ctx: Ctx) -> Event:
    """The event that is edited, or what a new one starts from."""
    known = ctx.data.find(ctx.arg_int("id"))
    if known is not None:
        return known
    start = next_hour(ctx, read_day(ctx.arg_str("on")) or day_of(ctx.minute_s))
    reminder = whole(ctx.data.preferences, "default_reminder", 10)
    return Event(0, "", start, start + 3600, reminder=reminder)


def draft(ctx: Ctx) -> Event:
    """The event as the form shows it: as saved, with what was changed on this page since."""
    saved = _saved(ctx)
    all_day = bool(ctx.arg("all_day", saved.all_day))
    day = read_day(ctx.arg_str("start_day")) or day_of(saved.start)
    start = moment_at(day, minutes_at(ctx, "start", saved.start % DAY_S // 60))
    usual = start + max(0, saved.end - saved.start)
    if saved.all_day and not all_day:
        start = moment_at(day, minutes_at(ctx, "start", 9 * 60))
        usual = start + 3600
    last = usual - 1 if saved.all_day and all_day else usual
    end_day = read_day(ctx.arg_str("end_day")) or day_of(last)
    end = moment_at(end_day, minutes_at(ctx, "end", usual % DAY_S // 60))
    if all_day:
        start = start_of(day)
        end = max(start, start_of(end_day)) + DAY_S
    elif end < start:
        end = start + 3600
    return Event(
        saved.id,
        ctx.text("title", saved.title).strip(),
        start,
        min(end, start_of(LATEST) + DAY_S),
        ctx.text("location", saved.location).strip(),
        all_day,
        ctx.arg_int("reminder", saved.reminder),
        ctx.arg_str("calendar", saved.calendar),
        ctx.text("notes", saved.notes).strip(),
    )


def build_edit(ctx: Ctx) -> Surface:
    """The form; a new event has the number 0."""
    saved, event = _saved(ctx), draft(ctx)
    last = event.end - 1 if event.all_day else event.end

    def moment(word: str, seconds: int) -> list[Widget]:
        lower = word.lower()
        day = Row(
            title=f"{word} date",
            subtitle=long_day_text(day_of(seconds)),
            icon="event",
            on_tap=("ask_day", lower),
        )
        if event.all_day:
            return [day]
        time = Row(
            title=f"{word} time",
            subtitle=clock_text(ctx, seconds),
            icon="schedule",
            on_tap=("ask_time", lower),
        )
        return [day, time]

    body: list[Widget] = [
        Gap(4),
        TextField("title", "Title", saved.title),
        Row(
            title="All day",
            icon="wb_sunny",
            trailing="switch",
            checked=event.all_day,
            on_tap=("all_day",),
            on_toggle=("all_day",),
        ),
        *moment("Start", event.start),
        *moment("End", last),
        Divider(16),
        TextField("location", "Location", saved.location, "location_on"),
        Row(
            title="Reminder",
            subtitle=reminder_text(event.reminder),
            icon="notifications",
            on_tap=go("reminder", now=event.reminder),
        ),
        Row(
            title="Calendar",
            subtitle=event.calendar,
            icon="palette",
            on_tap=go("calendar", now=event.calendar),
        ),
        TextField("notes", "Notes", saved.notes, rows=3),
    ]
    save = IconButton("check", ("save",), "Save", "save", "primary")
    title = "Edit event" if saved.id else "New event"
    return Page(Column(body, "form", 32), AppBar(title, actions=[save]))


def build_reminder(ctx: Ctx) -> Surface:
    """When to be reminded."""
    now = ctx.arg_int("now", -1)
    rows = [
        Row(title=text, trailing="radio", checked=minutes == now, on_tap=("reminder", minutes))
        for minutes, text in REMINDERS.items()
    ]
    return Dialog("Reminder", body=rows, actions=[("Cancel", ("@back",))])


def build_calendar(ctx: Ctx) -> Surface:
    """Which calendar an event belongs to."""
    now = ctx.arg_str("now")
    rows = [
        Row(title=name, trailing="radio", checked=name == now, on_tap=("calendar", name))
        for name in ctx.shuffled(CALENDARS, "calendars")
    ]
    return Dialog("Calendar", body=rows, actions=[("Cancel", ("@back",))])


def answer_editor(ctx: Ctx, message: Message) -> None:
    """Answer what was touched in the form or its dialogs."""
    args = ctx.entry.args
    match message:
        case ("all_day",):
            args["all_day"] = not draft(ctx).all_day
        case ("ask_day", ("start" | "end") as word):
            event = draft(ctx)
            seconds = event.start if word == "start" else event.end - (1 if event.all_day else 0)
            ask_day(ctx, f"{word}_day", day_of(seconds), first_weekday(ctx))
        case ("ask_time", ("start" | "end") as word):
            event = draft(ctx)
            minutes = (event.start if word == "start" else event.end) % DAY_S // 60
            ask_time(ctx, word, minutes // 60, minutes % 60)
        case ("reminder", int(minutes)):
            ctx.below().args["reminder"] = minutes
            ctx.back()
        case ("calendar", str(name)):
            ctx.below().args["calendar"] = name
            ctx.back()
        case ("save",):
            _save(ctx)


def _save(ctx: Ctx) -> None:
    event = draft(ctx)
    if not event.title:
        ctx.toast("Add a title first")
        return
    if event.id:
        ctx.data.events = [event if other.id == event.id else other for other in ctx.data.events]
    else:
        ctx.data.add(event)
    ctx.back()
    ctx.toast("Event saved")
