"""The clock's alarm pages: the list, the editor, and the questions they ask."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import Context, go
from distrl.simphone.apps.clock.data import RINGTONES, Alarm, ClockData
from distrl.simphone.apps.clock.tabs import clock_tabs
from distrl.simphone.apps.pickers import ask_time, minutes_at
from distrl.simphone.dates import WEEKDAYS, time_text, uses_12_hours
from distrl.simphone.scene import LINEAR, MEDIUM, SWITCH, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import (
    AppBar,
    Card,
    Column,
    Dialog,
    Divider,
    Empty,
    FloatingButton,
    Gap,
    Grid,
    IconButton,
    Page,
    Row,
    SectionHeader,
    Surface,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.widgets.controls import paint_switch
from distrl.simphone.widgets.keys import Key

Ctx = Context[ClockData]
WEEK, WORKING, FREE = 127, 31, 96


def days_text(days: int) -> str:
    """When an alarm repeats, in words."""
    named = {0: "Once", WEEK: "Every day", WORKING: "Weekdays", FREE: "Weekends"}
    return named.get(days) or ", ".join(
        name[:3] for number, name in enumerate(WEEKDAYS) if days >> number & 1
    )


def when_text(ctx: Ctx, alarm: Alarm) -> str:
    """Its days, or for a single alarm whether it would go off today or tomorrow."""
    if alarm.days or not alarm.enabled:
        return days_text(alarm.days)
    past = (alarm.hour * 60 + alarm.minute) * 60 <= ctx.minute_s % 86_400
    return "Tomorrow" if past else "Today"


class AlarmCard(msgspec.Struct, frozen=True, gc=False):
    """An alarm in the list: label, large time, days, and a switch that answers on its own."""

    alarm_id: int
    time: str
    label: str
    days: str
    on: bool

    def height(self, look: Look, width: int) -> int:
        del width
        label = look.line_height(look.sp(13)) + 2 if self.label else 0
        return label + look.line_height(look.sp(32)) + look.line_height(look.sp(13)) + 30

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, top, across, tall = x + 16, y + 4, width - 32, height - 8
        scene.fill(left, top, across, tall, look.container if self.on else look.card, 16)
        card = scene.add(
            LINEAR, left, top, across, tall, name="alarm", tap=go("alarm", id=self.alarm_id),
            long_press=("hold", self.alarm_id),
        )  # fmt: skip
        before = scene.inside(card)
        strong = look.on_container if self.on else look.faint
        line, small, room = top + 11, look.sp(13), across - 110
        if self.label:
            scene.label(left + 16, line, room, self.label, small, strong, MEDIUM, name="label")
            line += look.line_height(small) + 2
        size = look.sp(32)
        scene.label(left + 16, line, room, self.time, size, strong, name="digital_clock")
        line += look.line_height(size)
        scene.label(left + 16, line, across - 32, self.days, small, strong, name="days")
        right, middle = left + across - 60, y + (height - 26) // 2
        paint_switch(scene, right, middle, self.on)
        scene.add(
            SWITCH, right, middle, 44, 26, "ON" if self.on else "OFF", "", "onoff",
            ("toggle", self.alarm_id), checkable=True, checked=self.on,
        )  # fmt: skip
        scene.parent = before


def _card(ctx: Ctx, alarm: Alarm) -> AlarmCard:
    time = time_text(alarm.hour, alarm.minute, uses_12_hours(ctx.state))
    return AlarmCard(alarm.id, time, alarm.label, when_text(ctx, alarm), alarm.enabled)


def build_main(ctx: Ctx) -> Surface:
    """All alarms, by time or as they were added."""
    alarms = list(ctx.data.alarms)
    if ctx.data.preferences.get("sort_alarms") != "added":
        alarms.sort(key=lambda alarm: (alarm.hour, alarm.minute, alarm.id))
    body: list[Widget] = [Gap(4)]
    if ctx.chance("clock_tip") < 0.4 and ctx.data.preferences.get("tip_dismissed") != "1":
        tip = Row(
            title="Sleep better",
            subtitle="Go to bed at the same time every day.",
            icon="bedtime",
            end_icon="close",
            on_end=("dismiss_tip",),
        )
        body.append(Card([tip], inner=0, outlined=True))
    body += [_card(ctx, alarm) for alarm in alarms]
    if not alarms:
        body.append(Empty("alarm_off", "No alarms"))
    return Page(
        Column(body, "alarms_list", 88),
        AppBar("Alarms", back=False, on_menu=go("menu")),
        clock_tabs(0),
        FloatingButton("add", ("new_alarm",), "Add alarm"),
    )


def draft(ctx: Ctx) -> Alarm:
    """The alarm as the editor shows it: as saved, with what was changed on this page since."""
    saved = ctx.data.alarm(ctx.arg_int("id")) or Alarm(0, 8, 0)
    time = minutes_at(ctx, "time", saved.hour * 60 + saved.minute)
    return Alarm(
        saved.id,
        time // 60,
        time % 60,
        ctx.arg_int("days", saved.days) & WEEK,
        saved.enabled,
        ctx.text("label", saved.label).strip(),
        bool(ctx.arg("vibrate", saved.vibrate)),
        ctx.arg_str("ringtone", saved.ringtone),
    )


def build_alarm(ctx: Ctx) -> Surface:
    """The editor of one alarm; a new one has the number 0."""
    alarm = draft(ctx)
    saved = ctx.data.alarm(alarm.id)
    time = time_text(alarm.hour, alarm.minute, uses_12_hours(ctx.state))
    days = [
        Key(name[0], ("day", number), "raised", "", name, selected=bool(alarm.days >> number & 1), tall=46)
        for number, name in _week(ctx)
    ]
    body: list[Widget] = [
        Gap(8),
        Key(time, ("ask_time",), size=50, tall=92, description="Change time", name="time"),
        SectionHeader("Repeat"),
        Grid(days, 7, 7),
        Text(days_text(alarm.days), 13, "faint"),
        TextField("label", "Label", saved.label if saved else "", "label"),
        Divider(16),
        Row(
            title="Ringtone",
            subtitle=alarm.ringtone,
            icon="music_note",
            on_tap=go("ringtone", now=alarm.ringtone),
        ),
        Row(
            title="Vibrate",
            icon="vibration",
            trailing="switch",
            checked=alarm.vibrate,
            on_tap=("vibrate",),
            on_toggle=("vibrate",),
        ),
    ]
    actions = [IconButton("check", ("save_alarm",), "Save", "save", "primary")]
    if alarm.id:
        actions.insert(0, IconButton("delete", go("delete_alarm", id=alarm.id), "", "delete"))
    return Page(Column(body, "editor"), AppBar("Edit alarm" if alarm.id else "New alarm", actions=actions))


def _week(ctx: Ctx) -> list[tuple[int, str]]:
    days = list(enumerate(WEEKDAYS))
    return [days[6], *days[:6]] if ctx.data.preferences.get("week_start") == "Sunday" else days


def build_ringtone(ctx: Ctx) -> Surface:
    """The choice of a sound, in this phone's order."""
    now = ctx.arg_str("now")
    rows = [
        Row(title=name, trailing="radio", checked=name == now, on_tap=("ringtone", name))
        for name in ctx.shuffled(RINGTONES, "ringtones")
    ]
    return Dialog("Ringtone", body=rows, actions=[("Cancel", ("@back",))])


def build_hold(ctx: Ctx) -> Surface:
    """What can be done with an alarm that was held."""
    alarm = ctx.data.alarm(ctx.arg_int("id"))
    if alarm is None:
        return Dialog("Alarm", "This alarm no longer exists.", actions=[("OK", ("@back",))])
    rows = [
        Row(title="Duplicate", icon="content_copy", on_tap=("duplicate", alarm.id)),
        Row(title="Delete", icon="delete", on_tap=("ask_delete", alarm.id)),
    ]
    return Dialog(time_text(alarm.hour, alarm.minute, uses_12_hours(ctx.state)), alarm.label, body=rows)


def build_delete(ctx: Ctx) -> Surface:
    """The question before an alarm goes."""
    alarm = ctx.data.alarm(ctx.arg_int("id"))
    time = time_text(alarm.hour, alarm.minute, uses_12_hours(ctx.state)) if alarm is not None else "one"
    return Dialog(
        "Delete alarm?",
        f"The alarm at {time} will be removed.",
        actions=[("Cancel", ("@back",)), ("Delete", ("delete_alarm", ctx.arg_int("id")))],
    )


def until_text(ctx: Ctx, alarm: Alarm) -> str:
    """How long until an alarm goes off, ignoring its days."""
    seconds = ((alarm.hour * 60 + alarm.minute) * 60 - ctx.now_s) % 86_400
    minutes = max(1, int(seconds // 60))
    hours = f"{minutes // 60} h " if minutes >= 60 else ""
    return f"Alarm set for {hours}{minutes % 60} min from now"


def answer_alarms(ctx: Ctx, message: Message) -> None:
    """Answer what was touched on the alarm pages."""
    data = ctx.data
    match message:
        case ("toggle", int(number)) if (alarm := data.alarm(number)) is not None:
            alarm.enabled = not alarm.enabled
            if alarm.enabled and not alarm.days:
                ctx.toast(until_text(ctx, alarm))
        case ("new_alarm",):
            ctx.go("alarm", id=0)
            ask_time(ctx, "time", 8, 0)
        case ("ask_time",):
            alarm = draft(ctx)
            ask_time(ctx, "time", alarm.hour, alarm.minute)
        case ("day", int(number)):
            ctx.entry.args["days"] = draft(ctx).days ^ (1 << number)
        case ("vibrate",):
            ctx.entry.args["vibrate"] = not draft(ctx).vibrate
        case ("ringtone", str(name)):
            ctx.below().args["ringtone"] = name
            ctx.back()
        case ("save_alarm",):
            _save(ctx)
        case ("hold", int(number)):
            ctx.go("hold", id=number)
        case ("duplicate", int(number)) if (alarm := data.alarm(number)) is not None:
            data.alarms.append(msgspec.structs.replace(alarm, id=data.number()))
            ctx.back()
        case ("ask_delete", int(number)):
            ctx.replace("delete_alarm", id=number)
        case ("delete_alarm", int(number)):
            data.remove_alarm(number)
            ctx.back()
            if ctx.top_page() == "alarm":
                ctx.back()
            ctx.toast("Alarm deleted")
        case ("dismiss_tip",):
            data.preferences["tip_dismissed"] = "1"


def _save(ctx: Ctx) -> None:
    alarm = draft(ctx)
    saved = ctx.data.alarm(alarm.id)
    if saved is None or (saved.hour, saved.minute) != (alarm.hour, alarm.minute):
        alarm.enabled = True
    for place, known in enumerate(ctx.data.alarms):
        if known.id == alarm.id:
            ctx.data.alarms[place] = alarm
            break
    else:
        alarm.id = ctx.data.number()
        ctx.data.alarms.append(alarm)
    ctx.back()
    ctx.toast("Alarm saved" if alarm.days or not alarm.enabled else until_text(ctx, alarm))
