"""Weather: now, by the hour and by the day, in as many cities as are saved."""

from __future__ import annotations

from distrl.simphone.app import App, Context, go
from distrl.simphone.apps.places import PLACES, matching
from distrl.simphone.apps.weather import forecast
from distrl.simphone.apps.weather.data import TABLES, WeatherData, fill
from distrl.simphone.apps.weather.forecast import CONDITIONS
from distrl.simphone.apps.weather.pages import build_day, build_main, degrees
from distrl.simphone.dates import day_of
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    AppBar,
    Column,
    Dialog,
    Empty,
    FloatingButton,
    Menu,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Surface,
    Widget,
)

Ctx = Context[WeatherData]


def build_menu(ctx: Ctx) -> Surface:
    """What can be done with the shown city, and where else to go."""
    city = ctx.arg_str("city")
    items: list[tuple[str, Message]] = [("Add city", ("open", "add")), ("Settings", ("open", "settings"))]
    if city in ctx.data.cities:
        items.append(("Remove this city", ("ask_remove", city)))
    return Menu(items)


def build_cities(ctx: Ctx) -> Surface:
    """The saved cities."""
    today, hour = day_of(ctx.minute_s), int(ctx.minute_s % 86_400 // 3600)
    rows: list[Widget] = []
    for city in (name for name in ctx.data.cities if name in PLACES):
        now = forecast.hour(ctx.world.seed, city, today, hour)
        rows.append(
            Row(
                title=city,
                end_text=degrees(ctx, now.temperature),
                subtitle=f"{PLACES[city].country}{' · Default' if city == ctx.data.first else ''}",
                icon=CONDITIONS[now.condition][0],
                icon_role="primary",
                on_tap=go("city", city=city),
                on_long_press=("hold", city),
                end_icon="more_vert",
                on_end=go("city_menu", city=city),
            )
        )
    if not rows:
        rows.append(Empty("location_off", "No saved cities"))
    add = FloatingButton("add", go("add"), "Add city")
    return Page(Column(rows, "cities_list", 88), AppBar("Saved cities"), button=add)


def build_city_menu(ctx: Ctx) -> Surface:
    """What can be done with a saved city."""
    city = ctx.arg_str("city")
    rows = [
        Row(title="Set as default", icon="star", on_tap=("first_here", city)),
        Row(title="Remove", icon="delete", on_tap=("ask_remove", city)),
    ]
    return Dialog(city or "City", body=rows)


def build_remove(ctx: Ctx) -> Surface:
    """The question before a city goes."""
    city = ctx.arg_str("city")
    actions = [("Cancel", ("@back",)), ("Remove", ("remove", city))]
    return Dialog("Remove city?", f"{city} will no longer be among your cities.", actions=actions)


def build_add(ctx: Ctx) -> Surface:
    """A search for a city to save."""
    query = ctx.text("query").strip()
    found = matching(query) if query else ctx.shuffled(list(PLACES), "popular")[:8]
    body: list[Widget] = [SearchBar("query", "Search for a city or country")]
    if not query:
        body.append(SectionHeader("Popular"))
    for city in found:
        saved = city in ctx.data.cities
        body.append(
            Row(
                title=city,
                subtitle=PLACES[city].country,
                icon="location_on",
                end_icon="check" if saved else "add",
                end_role="primary",
                on_tap=("add", city),
            )
        )
    if not found:
        body.append(Empty("search_off", "No city found"))
    return Page(Column(body, "found_cities"), AppBar("Add city"))


def build_settings(ctx: Ctx) -> Surface:
    """Units and warnings."""
    values = ctx.data.preferences

    def choice(title: str, key: str, value: str) -> Row:
        return Row(
            title=title, trailing="radio", checked=values.get(key) == value, on_tap=("set", key, value)
        )

    warnings = values.get("warnings") == "1"
    body: list[Widget] = [
        SectionHeader("Temperature"),
        choice("Celsius (°C)", "temperature_unit", "C"),
        choice("Fahrenheit (°F)", "temperature_unit", "F"),
        SectionHeader("Wind speed"),
        choice("Kilometres per hour", "wind_unit", "km/h"),
        choice("Miles per hour", "wind_unit", "mph"),
        SectionHeader("Notices"),
        Row(
            title="Weather warnings",
            subtitle="Show alerts above the forecast",
            trailing="switch",
            checked=warnings,
            on_tap=("set", "warnings", "0" if warnings else "1"),
        ),
    ]
    return Page(Column(body, "settings"), AppBar("Weather settings"))


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    data = ctx.data
    match message:
        case ("add", str(city)) if city in data.cities:
            ctx.toast(f"{city} is already saved")
        case ("add", str(city)):
            data.add(city)
            ctx.back()
            ctx.toast(f"{city} added")
        case (("first" | "first_here") as word, str(city)):
            if city not in data.cities:
                data.add(city)
            data.first = city
            if word == "first_here":
                ctx.back()
            ctx.toast(f"{city} is now the default city")
        case ("hold", str(city)):
            ctx.go("city_menu", city=city)
        case ("ask_remove", str(city)):
            ctx.replace("remove", city=city)
        case ("remove", str(city)):
            data.remove(city)
            ctx.back()
            if ctx.top_page() == "city":
                ctx.back()
            ctx.toast(f"{city} removed")
        case ("open", str(page)):
            ctx.replace(page)
        case ("set", str(key), str(value)):
            data.preferences[key] = value
        case ("dismiss",):
            data.preferences["warning_dismissed"] = "1"


WEATHER = App(
    package="com.simphone.weather",
    label="Weather",
    icon="wb_sunny",
    colour=(44, 132, 196),
    data=WeatherData,
    fill=fill,
    pages={
        "main": build_main,
        "city": build_main,
        "day": build_day,
        "cities": build_cities,
        "city_menu": build_city_menu,
        "add": build_add,
        "remove": build_remove,
        "settings": build_settings,
        "menu": build_menu,
    },
    update=update,
    tables=TABLES,
)
