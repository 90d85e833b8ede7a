"""Calendar: events by month or as an agenda; add, edit, search and delete them."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import App, Context, go
from distrl.simphone.apps import pickers
from distrl.simphone.apps.calendar import editor, views
from distrl.simphone.apps.calendar.data import CALENDARS, TABLES, CalendarData, fill
from distrl.simphone.apps.calendar.views import REMINDERS, chosen_day, first_weekday, reminder_text
from distrl.simphone.apps.columns import whole
from distrl.simphone.dates import day_of, read_day
from distrl.simphone.scene import Message
from distrl.simphone.widgets import AppBar, Column, Dialog, Menu, Page, Row, SectionHeader, Surface, Widget

Ctx = Context[CalendarData]


def build_menu(ctx: Ctx) -> Surface:
    """Where else to go."""
    del ctx
    return Menu(
        [
            ("Go to date…", ("go_to",)),
            ("Calendars to show", ("open", "calendars")),
            ("Settings", ("open", "settings")),
        ]
    )


def build_calendars(ctx: Ctx) -> Surface:
    """Which calendars are shown."""
    hidden = ctx.data.hidden()
    rows = [
        Row(title=name, trailing="checkbox", checked=name not in hidden, on_tap=("show", name))
        for name in ctx.shuffled(CALENDARS, "calendars")
    ]
    return Dialog("Calendars to show", body=rows, actions=[("Done", ("@back",))])


def build_settings(ctx: Ctx) -> Surface:
    """The calendar's preferences."""
    sunday = first_weekday(ctx) == 6
    reminder = whole(ctx.data.preferences, "default_reminder", 10)
    rows: list[Widget] = [
        SectionHeader("View"),
        Row(title="Week starts on Sunday", trailing="switch", checked=sunday, on_tap=("week_start",)),
        SectionHeader("New events"),
        Row(title="Default reminder", subtitle=reminder_text(reminder), on_tap=go("default_reminder")),
    ]
    return Page(Column(rows, "settings"), AppBar("Calendar settings"))


def build_default_reminder(ctx: Ctx) -> Surface:
    """The reminder that new events start with."""
    now = ctx.data.preferences.get("default_reminder", "10")
    rows = [
        Row(title=text, trailing="radio", checked=str(minutes) == now, on_tap=("default_reminder", minutes))
        for minutes, text in REMINDERS.items()
    ]
    return Dialog("Default reminder", body=rows, actions=[("Cancel", ("@back",))])


def build_event_menu(ctx: Ctx) -> Surface:
    """What else can be done with an event."""
    number = ctx.arg_int("id")
    return Menu([("Duplicate", ("duplicate", number)), ("Delete", ("ask_delete", number))])


def build_hold(ctx: Ctx) -> Surface:
    """What can be done with an event that was held."""
    number = ctx.arg_int("id")
    event = ctx.data.find(number)
    rows = [
        Row(title="Edit", icon="edit", on_tap=("edit_held", number)),
        Row(title="Duplicate", icon="content_copy", on_tap=("duplicate", number)),
        Row(title="Delete", icon="delete", on_tap=("ask_delete", number)),
    ]
    return Dialog(event.title if event is not None else "Event", body=rows)


def build_delete(ctx: Ctx) -> Surface:
    """The question before an event goes."""
    event = ctx.data.find(ctx.arg_int("id"))
    text = (
        f"“{event.title}” will be removed from your calendar." if event is not None else "It will be removed."
    )
    actions = [("Cancel", ("@back",)), ("Delete", ("delete", ctx.arg_int("id")))]
    return Dialog("Delete event?", text, actions=actions)


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget, and swipes over the month."""
    if pickers.answer(ctx, message):
        return
    data, preferences = ctx.data, ctx.data.preferences
    match message:
        case (("day" | "leaf") as word, (str() | int()) as value) if ctx.page == "main":
            views.answer_views(ctx, chosen_day(ctx), word, value)
        case ("today",):
            views.answer_views(ctx, chosen_day(ctx), "today", 0)
        case ("@swipe", ("left" | "right") as way) if ctx.page == "main":
            views.answer_views(ctx, chosen_day(ctx), "leaf", 1 if way == "left" else -1)
        case ("view",):
            preferences["view"] = "month" if preferences.get("view") == "agenda" else "agenda"
            ctx.entry.scroll.clear()
        case ("earlier",):
            ctx.entry.args["earlier"] = not ctx.arg("earlier", False)
        case ("new",):
            ctx.go("edit", id=0, on=chosen_day(ctx).isoformat())
        case ("go_to",):
            day = read_day(str(ctx.below().args.get("day", ""))) or day_of(ctx.now_s)
            ctx.below().args.pop("month", None)
            ctx.back()
            preferences["view"] = "month"
            pickers.ask_day(ctx, "day", day, first_weekday(ctx))
        case ("open", str(page)):
            ctx.replace(page)
        case ("show", str(name)):
            hidden = data.hidden()
            hidden = [other for other in hidden if other != name] if name in hidden else [*hidden, name]
            preferences["hidden_calendars"] = ",".join(hidden)
        case ("week_start",):
            preferences["week_start"] = "Monday" if first_weekday(ctx) == 6 else "Sunday"
        case ("default_reminder", int(minutes)):
            preferences["default_reminder"] = str(minutes)
            ctx.back()
        case _:
            _answer_event(ctx, message)
            editor.answer_editor(ctx, message)


def _answer_event(ctx: Ctx, message: Message) -> None:
    """Answer what has to do with one event."""
    match message:
        case ("hold", int(number)):
            ctx.go("hold", id=number)
        case ("edit_held", int(number)):
            ctx.replace("edit", id=number)
        case ("duplicate", int(number)) if (event := ctx.data.find(number)) is not None:
            ctx.data.add(msgspec.structs.replace(event))
            ctx.back()
            ctx.toast("Event duplicated")
        case ("ask_delete", int(number)):
            ctx.replace("delete", id=number)
        case ("delete", int(number)):
            ctx.data.remove(number)
            ctx.back()
            if ctx.top_page() == "event":
                ctx.back()
            ctx.toast("Event deleted")


CALENDAR = App(
    package="com.android.calendar",
    label="Calendar",
    icon="calendar_month",
    colour=(196, 74, 60),
    data=CalendarData,
    fill=fill,
    pages={
        "main": views.build_main,
        "event": views.build_event,
        "search": views.build_search,
        "edit": editor.build_edit,
        "reminder": editor.build_reminder,
        "calendar": editor.build_calendar,
        "pick_day": pickers.build_day,
        "pick_time": pickers.build_time,
        "menu": build_menu,
        "calendars": build_calendars,
        "settings": build_settings,
        "default_reminder": build_default_reminder,
        "event_menu": build_event_menu,
        "hold": build_hold,
        "delete": build_delete,
    },
    update=update,
    swiped=frozenset({"main"}),
    tables=TABLES,
    activity=".AllInOneActivity",
)
