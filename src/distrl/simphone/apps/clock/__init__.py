"""Clock: alarms, timers, a stopwatch, and the time in other cities."""

from __future__ import annotations

from distrl.simphone.app import App, Context
from distrl.simphone.apps import pickers
from distrl.simphone.apps.clock import alarms, others, timers
from distrl.simphone.apps.clock.data import TABLES, ClockData, fill
from distrl.simphone.scene import Message


def update(ctx: Context[ClockData], message: Message) -> None:
    """Answer a touched widget: the pages' words do not overlap, so each part takes what it knows."""
    if pickers.answer(ctx, message):
        return
    match message:
        case ("tab", str(page)):
            if page != ctx.page:
                ctx.replace(page)
        case _:
            alarms.answer_alarms(ctx, message)
            timers.answer_timers(ctx, message)
            others.answer_others(ctx, message)


CLOCK = App(
    package="com.android.deskclock",
    label="Clock",
    icon="schedule",
    colour=(74, 78, 160),
    data=ClockData,
    fill=fill,
    pages={
        "main": alarms.build_main,
        "world": others.build_world,
        "timer": timers.build_timer,
        "stopwatch": others.build_stopwatch,
        "alarm": alarms.build_alarm,
        "pick_time": pickers.build_time,
        "ringtone": alarms.build_ringtone,
        "hold": alarms.build_hold,
        "delete_alarm": alarms.build_delete,
        "timer_new": timers.build_new,
        "timer_label": timers.build_label,
        "delete_timer": timers.build_delete,
        "city": others.build_city,
        "cities": others.build_cities,
        "remove_city": others.build_remove_city,
        "menu": others.build_menu,
        "settings": others.build_settings,
        "choice": others.build_choice,
    },
    update=update,
    tables=TABLES,
    intents={
        "android.intent.action.SHOW_ALARMS": "main",
        "android.intent.action.SET_ALARM": "alarm",
        "android.intent.action.SHOW_TIMERS": "timer",
        "android.intent.action.SET_TIMER": "timer_new",
    },
    activity=".DeskClock",
)
