"""The clock's stopwatch, world clock, cities and settings pages."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.clock.data import PREFERENCES, ClockData
from distrl.simphone.apps.clock.tabs import clock_tabs
from distrl.simphone.apps.places import PLACES, matching
from distrl.simphone.clock import clock_text, date_text
from distrl.simphone.dates import time_text, uses_12_hours
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Column,
    Dialog,
    Divider,
    Empty,
    FloatingButton,
    Gap,
    Menu,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Slider,
    Surface,
    Text,
    Widget,
)
from distrl.simphone.widgets.keys import Key

Ctx = Context[ClockData]

CHOICES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "snooze_minutes": ("Snooze length", ("1", "5", "10", "15", "20", "30"), "minutes"),
    "silence_after_minutes": ("Silence after", ("1", "5", "10", "15", "25", "Never"), "minutes"),
    "week_start": ("Start week on", ("Monday", "Sunday"), ""),
}
"""For each preference with a few values: its title, the values and their unit."""


def watch_text(seconds: float) -> str:
    """A measured time with hundredths: 1:05.32."""
    hundredths = int(seconds * 100 + 1e-3)
    minutes, rest = divmod(hundredths, 6000)
    hours = f"{minutes // 60}:{minutes % 60:02d}" if minutes >= 60 else str(minutes)
    return f"{hours}:{rest // 100:02d}.{rest % 100:02d}"


def build_stopwatch(ctx: Ctx) -> Surface:
    """The measured time, its laps, and three round keys."""
    watch = ctx.data.stopwatch
    elapsed, running = watch.elapsed(ctx.now_s), bool(watch.started_at_s)
    touched = running or elapsed > 0
    middle = Key(
        "", ("go" if not running else "halt",), "filled", "pause" if running else "play_arrow", tall=60
    )
    reset = Key("", ("zero",), "raised", "refresh", tall=60, enabled=touched)
    lap = Key("", ("lap",), "raised", "flag", tall=60, enabled=running)
    body: list[Widget] = [
        Gap(40),
        Text(watch_text(elapsed), 56, align=CENTRE, pad_y=16, name="stopwatch_time"),
        Gap(16),
        Across([reset, Gap(1), middle, Gap(1), lap], (60, 32, 100, 32, 60), 64),
        Gap(20),
    ]
    splits = [0.0, *watch.splits]
    for number in range(len(watch.splits), 0, -1):
        took = watch_text(splits[number] - splits[number - 1])
        body.append(Row(title=f"# {number}   {took}", end_text=watch_text(splits[number])))
    return Page(Column(body, "laps_list"), AppBar("Stopwatch", back=False, on_menu=go("menu")), clock_tabs(3))


def _shift_text(minutes: int, local_day: int) -> str:
    sign = "+" if minutes >= 0 else "−"
    hours, rest = divmod(abs(minutes), 60)
    day = {0: "Today", 1: "Tomorrow", -1: "Yesterday"}.get(local_day, "")
    return f"{day}, {sign}{hours}{f':{rest:02d}' if rest else ''} h"


def _city_row(ctx: Ctx, name: str) -> Row:
    offset = PLACES[name].offset_minutes
    there = int(ctx.minute_s // 60) + offset
    day = there // 1440 - int(ctx.minute_s // 86_400)
    time = time_text(there % 1440 // 60, there % 60, uses_12_hours(ctx.state))
    return Row(
        title=f"{time}   {name}",
        subtitle=_shift_text(offset, day),
        on_tap=go("city", name=name),
        on_long_press=("ask_remove_city", name),
        bold=True,
    )


def build_world(ctx: Ctx) -> Surface:
    """The time here and in the chosen cities."""
    seconds = f":{int(ctx.now_s) % 60:02d}" if ctx.data.preferences.get("show_seconds") == "1" else ""
    cities = [name for name in ctx.data.cities if name in PLACES]
    body: list[Widget] = [
        Text(clock_text(ctx.state) + seconds, 54, align=CENTRE, pad_y=6, name="digital_clock"),
        Text(date_text(ctx.state), 15, "faint", align=CENTRE),
        Gap(12),
        Divider(16),
        *(_city_row(ctx, name) for name in cities),
    ]
    if not cities:
        body.append(Empty("public", "Add a city to see its time"))
    return Page(
        Column(body, "cities_list", 88),
        AppBar("World clock", back=False, on_menu=go("menu")),
        clock_tabs(1),
        FloatingButton("add", go("cities"), "Add city"),
    )


def build_city(ctx: Ctx) -> Surface:
    """A chosen city."""
    name = ctx.arg_str("name")
    place = PLACES.get(name)
    where = place.country if place is not None else ""
    actions = [("Remove", ("remove_city", name)), ("Close", ("@back",))]
    return Dialog(name, where, body=[_city_row(ctx, name)] if place is not None else (), actions=actions)


def build_remove_city(ctx: Ctx) -> Surface:
    """The question before a city goes."""
    name = ctx.arg_str("name")
    actions = [("Cancel", ("@back",)), ("Remove", ("remove_city", name))]
    return Dialog("Remove city?", f"{name} will no longer be shown.", actions=actions)


def build_cities(ctx: Ctx) -> Surface:
    """All cities, to be ticked; a search narrows them down."""
    found = matching(ctx.text("query"))
    body: list[Widget] = [SearchBar("query", "Search for a city")]
    letter = ""
    for name in found:
        if name[0] != letter and not ctx.text("query"):
            letter = name[0]
            body.append(SectionHeader(letter))
        chosen = name in ctx.data.cities
        body.append(
            Row(
                title=name,
                subtitle=PLACES[name].country,
                trailing="checkbox",
                checked=chosen,
                on_tap=("city", name),
            )
        )
    if not found:
        body.append(Empty("search_off", "No city found"))
    return Page(Column(body, "all_cities"), AppBar("Cities"))


def build_menu(ctx: Ctx) -> Surface:
    """What can be done with the whole clock."""
    by_time = ctx.data.preferences.get("sort_alarms") != "added"
    order = "Sort alarms by date added" if by_time else "Sort alarms by time"
    items: list[tuple[str, Message]] = [("Settings", ("settings",))]
    return Menu([(order, ("sort",)), *items] if ctx.below().page == "main" else items)


def build_settings(ctx: Ctx) -> Surface:
    """The clock's preferences."""
    values = {**PREFERENCES, **ctx.data.preferences}
    volume = int(values["alarm_volume"]) if values["alarm_volume"].isdecimal() else 0
    seconds = values["show_seconds"] == "1"

    def choice(key: str) -> Row:
        title, _, unit = CHOICES[key]
        value = values[key]
        return Row(title=title, subtitle=_with_unit(value, unit), on_tap=go("choice", key=key))

    body: list[Widget] = [
        SectionHeader("Clock"),
        Row(title="Display time with seconds", trailing="switch", checked=seconds, on_tap=("seconds",)),
        SectionHeader("Alarms"),
        choice("silence_after_minutes"),
        choice("snooze_minutes"),
        Row(title="Alarm volume", subtitle=f"{volume}%"),
        Slider(volume / 100, ("volume",), "Alarm volume", "volume_up"),
        choice("week_start"),
    ]
    return Page(Column(body, "settings"), AppBar("Clock settings"))


def _with_unit(value: str, unit: str) -> str:
    if not unit or not value.isdecimal():
        return value
    return f"{value} {unit if value != '1' else unit.removesuffix('s')}"


def build_choice(ctx: Ctx) -> Surface:
    """The values of one preference."""
    key = ctx.arg_str("key")
    title, values, unit = CHOICES.get(key, ("", (), ""))
    now = ctx.data.preferences.get(key, "")
    rows = [
        Row(
            title=_with_unit(value, unit),
            trailing="radio",
            checked=value == now,
            on_tap=("choose", key, value),
        )
        for value in values
    ]
    return Dialog(title, body=rows, actions=[("Cancel", ("@back",))])


def answer_others(ctx: Ctx, message: Message) -> None:
    """Answer what was touched on these pages."""
    data, watch, now = ctx.data, ctx.data.stopwatch, ctx.now_s
    match message:
        case ("go",) if not watch.started_at_s:
            watch.started_at_s = now
        case ("halt",) if watch.started_at_s:
            watch.measured_s, watch.started_at_s = watch.elapsed(now), 0.0
        case ("lap",) if watch.started_at_s and len(watch.splits) < 99:
            watch.splits.append(watch.elapsed(now))
        case ("zero",):
            watch.measured_s, watch.started_at_s, watch.splits = 0.0, 0.0, []
        case ("city", str(name)) if name in data.cities:
            data.cities.remove(name)
        case ("city", str(name)) if name in PLACES:
            data.cities.append(name)
        case ("ask_remove_city", str(name)):
            ctx.go("remove_city", name=name)
        case ("remove_city", str(name)):
            data.cities = [city for city in data.cities if city != name]
            ctx.back()
        case ("sort",):
            by_time = data.preferences.get("sort_alarms") != "added"
            data.preferences["sort_alarms"] = "added" if by_time else "time"
            ctx.back()
        case ("settings",):
            ctx.replace("settings")
        case ("seconds",):
            data.preferences["show_seconds"] = "0" if data.preferences.get("show_seconds") == "1" else "1"
        case ("volume", float(fraction)):
            data.preferences["alarm_volume"] = str(round(fraction * 100))
        case ("choose", str(key), str(value)):
            data.preferences[key] = value
            ctx.back()
