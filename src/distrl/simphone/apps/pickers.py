"""The dialogs that ask for a time of day and for a day; an app lists them among its pages.

Open one with `ask_time` or `ask_day`; the answer lands in the arguments of the page below, under the key that
was given: minutes since midnight, or a day as 2024-05-14.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import TypeVar

import msgspec

from distrl.simphone import navigation
from distrl.simphone.app import Context
from distrl.simphone.dates import (
    BOOT_DAY,
    MONTHS,
    WEEKDAYS,
    day_of,
    long_day_text,
    month_shifted,
    read_day,
    start_of,
    uses_12_hours,
    weekday_text,
)
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    Across,
    Chip,
    Chips,
    Dialog,
    Gap,
    Grid,
    IconButton,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.widgets.keys import DayCell, Key

D = TypeVar("D", bound=msgspec.Struct)


def ask_time(ctx: Context[D], key: str, hour: int, minute: int) -> None:
    """Open the dialog for a time of day."""
    ctx.go("pick_time", key=key, hour=hour, minute=minute, part="hour")


def ask_day(ctx: Context[D], key: str, day: date, first_weekday: int = 0) -> None:
    """Open the dialog for a day; `first_weekday` is 0 for Monday, 6 for Sunday."""
    month = day.replace(day=1).isoformat()
    ctx.go("pick_day", key=key, day=day.isoformat(), month=month, first=first_weekday)


def _forget_typed(ctx: Context[D]) -> None:
    navigation.unfocus(ctx.state)
    ctx.entry.fields.clear()


# -- the time of day -----------------------------------------------------------------------------------


def build_time(ctx: Context[D]) -> Dialog:
    """Hours, then minutes, on a number grid with steppers, or typed."""
    hour, minute, part = ctx.arg_int("hour") % 24, ctx.arg_int("minute") % 60, ctx.arg_str("part", "hour")
    twelve = uses_12_hours(ctx.state)
    shown_hour = (hour - 1) % 12 + 1 if twelve else hour
    cancel_ok = [("Cancel", ("@back",)), ("OK", ("picked_time",))]
    halves = Chips(
        [Chip("AM", ("half", 0), hour < 12), Chip("PM", ("half", 12), hour >= 12)], "halves", wrap=True
    )
    body: list[Widget] = []
    if part == "keys":
        hours = TextField("typed_hour", "Hour", f"{shown_hour:02d}", numeric=True, size=22)
        minutes = TextField("typed_minute", "Minute", f"{minute:02d}", numeric=True, size=22)
        body = [Across([hours, minutes])]
        foot: list[Widget] = [IconButton("schedule", ("part", "hour"), "", "toggle_mode"), Gap(1)]
        widths: tuple[int, ...] = (48, 0)
    else:
        digits = (Key(f"{shown_hour:02d}", ("part", "hour"), "tonal", size=34, tall=64, radius=12,
                      selected=part == "hour", description="Hour", name="hours"),
                  Text(":", 34, align=CENTRE, pad_x=0),
                  Key(f"{minute:02d}", ("part", "minute"), "tonal", size=34, tall=64, radius=12,
                      selected=part == "minute", description="Minute", name="minutes"))  # fmt: skip
        body = [Across(digits, (0, 28, 0), 40), Gap(8)]
        choices = (range(1, 13) if twelve else range(24)) if part == "hour" else range(0, 60, 5)
        now = shown_hour if part == "hour" else minute
        body.append(Grid([_number(part, n, n == now) for n in choices], 6, 4, 14))
        foot = [
            IconButton("keyboard", ("part", "keys"), "", "toggle_mode"), Gap(1),
            IconButton("remove", ("step", -1), "", "minus"), IconButton("add", ("step", 1), "", "plus"),
        ]  # fmt: skip
        widths = (48, 0, 48, 48)
    if twelve:
        body.append(halves)
    body.append(Across(foot, widths, 12))
    return Dialog("Enter time" if part == "keys" else "Select time", body=body, actions=cancel_ok)


def _number(part: str, number: int, chosen: bool) -> Key:
    return Key(f"{number:02d}", ("number", part, number), selected=chosen, tall=40)


def _typed_time(ctx: Context[D], hour: int, minute: int, twelve: bool) -> tuple[int, int] | None:
    """What stands in the two fields; None if it is no time of day."""
    shown = (hour - 1) % 12 + 1 if twelve else hour
    hours, minutes = ctx.text("typed_hour", str(shown)).strip(), ctx.text("typed_minute", str(minute)).strip()
    if not (hours.isdecimal() and minutes.isdecimal() and len(hours) <= 2 and len(minutes) <= 2):
        return None
    hour_typed, minute_typed = int(hours), int(minutes)
    if minute_typed > 59 or hour_typed > 23 or (twelve and not 1 <= hour_typed <= 12):
        return None
    if twelve:
        hour_typed = hour_typed % 12 + (12 if hour >= 12 else 0)
    return hour_typed, minute_typed


def _answer_time(ctx: Context[D], message: Message) -> None:
    args = ctx.entry.args
    hour, minute = ctx.arg_int("hour") % 24, ctx.arg_int("minute") % 60
    twelve = uses_12_hours(ctx.state)
    match message:
        case ("part", str(part)):
            if ctx.arg_str("part") == "keys":
                hour, minute = _typed_time(ctx, hour, minute, twelve) or (hour, minute)
            args.update(part=part, hour=hour, minute=minute)
            _forget_typed(ctx)
        case ("number", "hour", int(number)):
            args["hour"] = number % 12 + (12 if hour >= 12 else 0) if twelve else number
            args["part"] = "minute"
        case ("number", "minute", int(number)):
            args["minute"] = number
        case ("step", int(step)) if ctx.arg_str("part") == "hour":
            args["hour"] = (hour + step) % 24
        case ("step", int(step)):
            args["minute"] = (minute + step) % 60
        case ("half", int(offset)):
            args["hour"] = hour % 12 + offset
        case ("picked_time",):
            found = (hour, minute)
            if ctx.arg_str("part") == "keys":
                typed = _typed_time(ctx, hour, minute, twelve)
                if typed is None:
                    ctx.toast("Enter a valid time")
                    return
                found = typed
            ctx.below().args[ctx.arg_str("key", "time")] = found[0] * 60 + found[1]
            ctx.back()


# -- the day -------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def month_cells(month: date, first_weekday: int) -> tuple[date, ...]:
    """The days of a month's grid: whole weeks, from the week of its first day to that of its last."""
    start = month.replace(day=1)
    before = (start.weekday() - first_weekday) % 7
    count = (month_shifted(start, 1) - start).days or 31
    return tuple(start + timedelta(days=number - before) for number in range(-(-(before + count) // 7) * 7))


@lru_cache(maxsize=7)
def weekday_heads(first_weekday: int) -> Grid:
    """The letters above a month's grid."""
    names = [WEEKDAYS[(first_weekday + number) % 7][0] for number in range(7)]
    return Grid([Text(name, 12, "faint", align=CENTRE, pad_x=0, pad_y=2) for name in names], 7, 0, 10)


def build_day(ctx: Context[D]) -> Dialog:
    """A month to leaf through and tap in, or a field to type the day into."""
    day = read_day(ctx.arg_str("day")) or BOOT_DAY
    month = read_day(ctx.arg_str("month")) or day
    actions = [("Cancel", ("@back",)), ("OK", ("picked_day",))]
    if ctx.arg("typing", False):
        field = TextField("typed_day", "Date (YYYY-MM-DD)", day.isoformat(), "calendar_today")
        toggle = Across([IconButton("calendar_month", ("typing",), "", "toggle_mode"), Gap(1)], (48, 0), 12)
        return Dialog("Enter date", body=[field, toggle], actions=actions)
    first = ctx.arg_int("first")
    today = day_of(ctx.minute_s)
    cells = [
        DayCell(
            cell.day, ("day", cell.isoformat()), long_day_text(cell), cell == day, cell == today,
            cell.month != month.month, tall=38,
        )
        for cell in month_cells(month, first)
    ]  # fmt: skip
    head = Across(
        [
            Text(f"{MONTHS[month.month - 1]} {month.year}", 15, bold=True, pad_x=0),
            IconButton("edit", ("typing",), "", "toggle_mode", size=20),
            IconButton("chevron_left", ("leaf", -1), "Previous month", "prev"),
            IconButton("chevron_right", ("leaf", 1), "Next month", "next"),
        ],
        (0, 40, 40, 40),
        18,
    )
    body: list[Widget] = [head, weekday_heads(first), Grid(cells, 7, 0, 10)]
    return Dialog(f"{weekday_text(day)} {day.year}", body=body, actions=actions)


def _answer_day(ctx: Context[D], message: Message) -> None:
    args = ctx.entry.args
    day = read_day(ctx.arg_str("day")) or BOOT_DAY
    month = read_day(ctx.arg_str("month")) or day
    typed = read_day(ctx.text("typed_day", day.isoformat())) if ctx.arg("typing", False) else day
    match message:
        case ("typing",):
            if typed is not None:
                args["day"], args["month"] = typed.isoformat(), typed.replace(day=1).isoformat()
            args["typing"] = not ctx.arg("typing", False)
            _forget_typed(ctx)
        case ("leaf", int(months)):
            args["month"] = month_shifted(month, months).isoformat()
        case ("day", str(text)):
            args["day"] = text
            args["month"] = f"{text[:8]}01"
        case ("picked_day",) if typed is None:
            ctx.toast("Enter a date as YYYY-MM-DD")
        case ("picked_day",) if typed is not None:
            ctx.below().args[ctx.arg_str("key", "day")] = typed.isoformat()
            ctx.back()


def answer(ctx: Context[D], message: Message) -> bool:
    """Let the dialogs answer their own messages; False if the message is not theirs."""
    if ctx.page == "pick_time":
        _answer_time(ctx, message)
    elif ctx.page == "pick_day":
        _answer_day(ctx, message)
    else:
        return False
    return True


def minutes_at(ctx: Context[D], key: str, otherwise: int) -> int:
    """The time of day that was picked for this page, in minutes since midnight."""
    return ctx.arg_int(key, otherwise) % (24 * 60)


def moment_at(day: date, minutes: int) -> int:
    """A day and minutes since midnight as seconds since 1970."""
    return start_of(day) + minutes * 60
