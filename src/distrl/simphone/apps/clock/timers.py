"""The clock's timer pages: the timers, and the keypad that sets a new one."""

from __future__ import annotations

import math

from distrl.simphone.app import Context, go
from distrl.simphone.apps.clock.data import ClockData, Timer
from distrl.simphone.apps.clock.tabs import clock_tabs
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Button,
    Card,
    Chip,
    Chips,
    Column,
    Dialog,
    Empty,
    FloatingButton,
    Gap,
    Grid,
    Page,
    ProgressBar,
    Row,
    Surface,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.widgets.keys import Key

Ctx = Context[ClockData]
PRESETS = ((60, "1 min"), (180, "3 min"), (300, "5 min"), (600, "10 min"), (900, "15 min"), (1800, "30 min"),
           (3600, "1 hour"))  # fmt: skip


def span_text(seconds: float) -> str:
    """A span as a timer shows it: 4:05, 1:00:00, −0:03."""
    whole = math.ceil(abs(seconds)) if seconds > 0 else math.floor(abs(seconds))
    hours, rest = divmod(whole, 3600)
    text = f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"
    return f"−{text}" if seconds < 0 and whole else text


def length_text(seconds: int) -> str:
    """A length in words: 1 h 5 min, 90 s."""
    hours, minutes, rest = seconds // 3600, seconds % 3600 // 60, seconds % 60
    parts = ((hours, "h"), (minutes, "min"), (rest, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number)


def _card(ctx: Ctx, timer: Timer) -> Card:
    left = timer.remaining(ctx.now_s)
    running, over = bool(timer.ends_at_s), left <= 0
    state = "Time's up" if over else {"running": "Running", "paused": "Paused", "ready": "Ready"}[timer.state]
    head = Row(
        title=timer.label or f"{length_text(timer.length_s)} timer",
        subtitle=state,
        on_tap=go("timer_label", id=timer.id),
        end_icon="close",
        on_end=go("delete_timer", id=timer.id),
        bold=True,
    )
    if over:
        buttons: list[Widget] = [
            Button("Stop", ("reset", timer.id)),
            Button("+1:00", ("more", timer.id), "tonal"),
        ]
    else:
        word = "Pause" if running else "Resume" if timer.state == "paused" else "Start"
        buttons = [
            Button(word, ("pause" if running else "start", timer.id), pad_x=6),
            Button("+1:00", ("more", timer.id), "tonal", pad_x=6),
            Button("Reset", ("reset", timer.id), "outlined", pad_x=6, enabled=timer.state != "ready"),
        ]
    return Card(
        [
            head,
            Text(span_text(left), 44, "error" if over else "text", align=CENTRE, pad_y=2, name="timer_text"),
            ProgressBar(max(0.0, left) / max(1, timer.length_s, left)),
            Across(buttons, pad_x=8),
        ]
    )


def build_timer(ctx: Ctx) -> Surface:
    """All timers."""
    body: list[Widget] = [Gap(4), *(_card(ctx, timer) for timer in ctx.data.timers)]
    if not ctx.data.timers:
        body += [Empty("hourglass_empty", "No timers yet"), Gap(12)]
        body.append(Button("Set a timer", go("timer_new"), "tonal"))
    return Page(
        Column(body, "timers_list", 88),
        AppBar("Timer", back=False, on_menu=go("menu")),
        clock_tabs(2),
        FloatingButton("add", go("timer_new"), "Add timer") if ctx.data.timers else None,
    )


def _typed_s(ctx: Ctx) -> int:
    digits = ctx.arg_str("digits").rjust(6, "0")
    return int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])


def build_new(ctx: Ctx) -> Surface:
    """The keypad: digits enter from the right into hours, minutes and seconds."""
    digits = ctx.arg_str("digits").rjust(6, "0")
    time = f"{digits[:2]}h {digits[2:4]}m {digits[4:]}s"
    signs = [*"123456789", "00", "0"]
    keys = [Key(sign, ("digit", sign), "raised", tall=52, size=22) for sign in signs]
    keys.append(Key("", ("erase",), "tonal", "backspace", tall=52, name="delete"))
    chips = [Chip(word, ("preset", seconds)) for seconds, word in PRESETS]
    body: list[Widget] = [
        Text(time, 38, "text" if _typed_s(ctx) else "faint", align=CENTRE, pad_y=12, name="timer_setup_time"),
        Chips(ctx.shuffled(chips, "timer_presets"), "presets"),
        Gap(8),
        Grid(keys, 3, 8, 56),
        Gap(8),
        Button("Start", ("start_new",), icon="play_arrow", enabled=_typed_s(ctx) > 0, pad_x=56),
    ]
    return Page(Column(body, "timer_setup"), AppBar("New timer"))


def build_label(ctx: Ctx) -> Surface:
    """The name of a timer."""
    timer = ctx.data.timer(ctx.arg_int("id"))
    field = TextField("label", "Label", timer.label if timer is not None else "", on_submit=("save_label",))
    return Dialog("Timer label", body=[field], actions=[("Cancel", ("@back",)), ("OK", ("save_label",))])


def build_delete(ctx: Ctx) -> Surface:
    """The question before a timer goes."""
    timer = ctx.data.timer(ctx.arg_int("id"))
    name = (timer.label or f"{length_text(timer.length_s)} timer") if timer is not None else "It"
    return Dialog(
        "Delete timer?",
        f"{name} will be removed.",
        actions=[("Cancel", ("@back",)), ("Delete", ("drop_timer", ctx.arg_int("id")))],
    )


def answer_timers(ctx: Ctx, message: Message) -> None:
    """Answer what was touched on the timer pages."""
    data, now = ctx.data, ctx.now_s
    args = ctx.entry.args
    match message:
        case ("digit", str(sign)):
            args["digits"] = (ctx.arg_str("digits") + sign).lstrip("0")[:6]
        case ("erase",):
            args["digits"] = ctx.arg_str("digits")[:-1]
        case ("preset", int(seconds)):
            args["digits"] = f"{seconds // 3600:02d}{seconds % 3600 // 60:02d}{seconds % 60:02d}".lstrip("0")
        case ("start_new",) if _typed_s(ctx) > 0:
            timer = data.add_timer(_typed_s(ctx))
            timer.ends_at_s = now + timer.length_s
            ctx.back()
        case ("save_label",) if (found := data.timer(ctx.arg_int("id"))) is not None:
            found.label = ctx.text("label", found.label).strip()
            ctx.back()
        case ("drop_timer", int(number)):
            data.remove_timer(number)
            ctx.back()
        case (str(word), int(number)) if (found := data.timer(number)) is not None:
            _drive(found, word, now)


def _drive(timer: Timer, word: str, now: float) -> None:
    left = timer.remaining(now)
    if word == "start" and not timer.ends_at_s:
        timer.ends_at_s = now + left
    elif word == "pause" and timer.ends_at_s:
        timer.left_s, timer.ends_at_s = max(0.0, left), 0.0
    elif word == "reset":
        timer.left_s, timer.ends_at_s = float(timer.length_s), 0.0
    elif word == "more" and left < 359_000:
        if timer.ends_at_s:
            timer.ends_at_s = max(timer.ends_at_s, now) + 60
        else:
            timer.left_s += 60
