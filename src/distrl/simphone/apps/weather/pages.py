"""The weather pages: a city's forecast, and one day of it."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import Context, go
from distrl.simphone.apps.places import PLACES
from distrl.simphone.apps.weather import forecast
from distrl.simphone.apps.weather.data import WeatherData
from distrl.simphone.apps.weather.forecast import CONDITIONS, DAYS_AHEAD, Day
from distrl.simphone.dates import (
    BOOT_DAY,
    WEEKDAYS,
    day_of,
    long_day_text,
    read_day,
    shifted,
    time_text,
    uses_12_hours,
)
from distrl.simphone.scene import CENTRE, IMAGE_VIEW, LINEAR, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import (
    AppBar,
    Card,
    Column,
    Divider,
    Empty,
    FloatingButton,
    Gap,
    Icon,
    IconButton,
    Page,
    Row,
    SectionHeader,
    Strip,
    Surface,
    Text,
    Widget,
)

Ctx = Context[WeatherData]


def degrees(ctx: Ctx, celsius: int) -> str:
    """A temperature in the user's unit, without the unit's letter."""
    shown = forecast.in_fahrenheit(celsius) if _fahrenheit(ctx) else celsius
    return f"{shown}°".replace("-", "−")


def _fahrenheit(ctx: Ctx) -> bool:
    return ctx.data.preferences.get("temperature_unit") == "F"


def speed(ctx: Ctx, kmh: int) -> str:
    """A speed in the user's unit."""
    miles = ctx.data.preferences.get("wind_unit") == "mph"
    return f"{forecast.in_mph(kmh)} mph" if miles else f"{kmh} km/h"


class DayRow(msgspec.Struct, frozen=True, gc=False):
    """A day of the forecast: weekday, icon (only pixels tell which), chance of rain, high and low."""

    name: str
    icon: str
    rain: str
    high: str
    low: str
    on_tap: Message

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.title) + 28

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        row = scene.add(LINEAR, x, y, width, height, name="day", tap=self.on_tap)
        before = scene.inside(row)
        top, right = y + (height - look.line_height(look.title)) // 2, x + width - 16
        share = look.sp(48)
        scene.label(x + 16, top, width - 2 * share - 130, self.name, look.title, look.text, name="weekday")
        left = right - 2 * share - 92
        middle = y + (height - 24) // 2
        scene.icon(left, middle, self.icon, 24, look.primary)
        scene.add(IMAGE_VIEW, left, middle, 24, 24)
        small_top = y + (height - look.line_height(look.small)) // 2
        scene.label(left + 30, small_top, 56, self.rain, look.small, look.faint)
        scene.label(right - 2 * share, top, share, self.high, look.title, look.text, align=2, name="high")
        scene.label(right - share, top, share, self.low, look.title, look.faint, align=2, name="low")
        scene.parent = before


def _day_name(ctx: Ctx, ahead: int) -> str:
    when = shifted(day_of(ctx.minute_s), ahead)
    return ("Today", "Tomorrow")[ahead] if ahead < 2 else f"{WEEKDAYS[when.weekday()]} {when.day}"


def _hours(ctx: Ctx, city: str) -> list[Widget]:
    """The next 24 hours, each as a small column."""
    start = int(ctx.minute_s // 3600)
    columns: list[Widget] = []
    for number in range(24):
        when = day_of((start + number) * 3600)
        hour = forecast.hour(ctx.world.seed, city, when, (start + number) % 24)
        label = "Now" if number == 0 else _hour_text(ctx, hour.hour)
        columns.append(
            Card(
                [
                    Text(label, 12, "faint", align=CENTRE, pad_x=0, pad_y=0),
                    Icon(CONDITIONS[hour.condition][0], 22, "primary"),
                    Text(degrees(ctx, hour.temperature), 15, bold=True, align=CENTRE, pad_x=0, pad_y=0),
                ],
                pad_x=0,
            )
        )
    return columns


def _hour_text(ctx: Ctx, hour: int) -> str:
    if uses_12_hours(ctx.state):
        return f"{(hour - 1) % 12 + 1} {'AM' if hour < 12 else 'PM'}"
    return f"{hour:02d}:00"


def _warning(ctx: Ctx, city: str) -> list[Widget]:
    """A card that some phones show above the forecast until it is dismissed."""
    data = ctx.data.preferences
    if (
        ctx.chance(f"warning {city}") > 0.4
        or data.get("warnings") != "1"
        or data.get("warning_dismissed") == "1"
    ):
        return []
    row = Row(
        title="Pollen alert",
        subtitle="High grass pollen count until this evening.",
        icon="warning",
        end_icon="close",
        on_end=("dismiss",),
    )
    return [Card([row], inner=0, outlined=True)]


def build_main(ctx: Ctx) -> Surface:
    """The city that comes first, or another saved one."""
    city = ctx.arg_str("city") or ctx.data.first
    at_home = ctx.page == "main"
    manage = IconButton("list", go("cities"), "", "cities", "text")
    if city not in PLACES:
        body: list[Widget] = [Empty("location_off", "Add a city to see its weather")]
        add = FloatingButton("add", go("add"), "Add city")
        return Page(Column(body), AppBar("Weather", False, [manage], go("menu", city="")), button=add)
    star = IconButton(
        "star" if city == ctx.data.first else "star_border",
        ("first", city),
        "",
        "star",
        "primary" if city == ctx.data.first else "faint",
        selected=city == ctx.data.first,
    )
    today = day_of(ctx.minute_s)
    now = forecast.hour(ctx.world.seed, city, today, int(ctx.minute_s % 86_400 // 3600))
    day = forecast.day(ctx.world.seed, city, today)
    unit = "F" if _fahrenheit(ctx) else "C"
    days: list[Widget] = []
    for ahead in range(DAYS_AHEAD):
        when = shifted(today, ahead)
        coming = forecast.day(ctx.world.seed, city, when)
        days.append(
            DayRow(
                _day_name(ctx, ahead),
                CONDITIONS[coming.condition][0],
                f"{coming.rain_percent}%",
                degrees(ctx, coming.high),
                degrees(ctx, coming.low),
                go("day", city=city, date=when.isoformat()),
            )
        )
    body = [
        *_warning(ctx, city),
        Gap(8),
        Text(f"{degrees(ctx, now.temperature)}{unit}", 60, align=CENTRE, pad_y=0, name="temperature"),
        Text(now.condition, 17, align=CENTRE, name="condition"),
        Text(f"High {degrees(ctx, day.high)} · Low {degrees(ctx, day.low)}", 14, "faint", align=CENTRE),
        SectionHeader("Next hours"),
        Strip(_hours(ctx, city), "hours", max(62, ctx.look.sp(58))),
        SectionHeader("10-day forecast"),
        *days,
    ]
    bar = AppBar(city, not at_home, [star, manage], go("menu", city=city))
    return Page(Column(body, "weather"), bar)


def _facts(ctx: Ctx, day: Day) -> list[tuple[str, str, str]]:
    twelve = uses_12_hours(ctx.state)
    return [
        ("umbrella", "Chance of rain", f"{day.rain_percent}%"),
        ("air", "Wind", speed(ctx, day.wind_kmh)),
        ("water_drop", "Humidity", f"{day.humidity_percent}%"),
        ("wb_sunny", "UV index", str(day.uv_index)),
        ("wb_twilight", "Sunrise", time_text(day.sunrise // 60, day.sunrise % 60, twelve)),
        ("nights_stay", "Sunset", time_text(day.sunset // 60, day.sunset % 60, twelve)),
    ]


def build_day(ctx: Ctx) -> Surface:
    """One day in one city."""
    city, when = ctx.arg_str("city"), read_day(ctx.arg_str("date")) or BOOT_DAY
    if city not in PLACES:
        return Page(Column([Empty("location_off", "No such city")]), AppBar("Weather"))
    day = forecast.day(ctx.world.seed, city, when)
    body: list[Widget] = [
        Text(long_day_text(when), 15, "faint", align=CENTRE),
        Icon(CONDITIONS[day.condition][0], 72, "primary", pad_y=8),
        Text(day.condition, 20, align=CENTRE),
        Text(
            f"High {degrees(ctx, day.high)} · Low {degrees(ctx, day.low)}",
            17,
            bold=True,
            align=CENTRE,
            pad_y=8,
        ),
        Divider(16),
    ]
    for icon, title, value in ctx.shuffled(_facts(ctx, day), "weather_facts"):
        body.append(Row(title=title, subtitle=value, icon=icon))
    return Page(Column(body, "day_details"), AppBar(city))
