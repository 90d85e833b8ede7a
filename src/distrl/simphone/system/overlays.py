"""Windows of the system over everything else: the shade, questions and notices that no app owns.

Show one with `navigation.overlay(state, page, **args)`; `stubborn=True` makes it resist BACK and HOME until a
button is pressed. A new kind of window is one more page in SYSTEM_UI_APP.
"""

from __future__ import annotations

import msgspec

from distrl.simphone.app import App, Context
from distrl.simphone.navigation import SYSTEM_UI
from distrl.simphone.radios import set_airplane_mode, set_radio
from distrl.simphone.scene import Message
from distrl.simphone.widgets import BottomSheet, Chip, Chips, Dialog, Surface, Text


class SystemData(msgspec.Struct):
    """What the system's own windows remember."""

    dismissed: int = 0


# Quick settings: label, icon, namespace, key, value when on, value when off.
TILES = (
    ("Wi-Fi", "wifi", "global", "wifi_on", "1", "0"),
    ("Bluetooth", "bluetooth", "global", "bluetooth_on", "1", "0"),
    ("Airplane mode", "airplanemode_active", "global", "airplane_mode_on", "1", "0"),
    ("Do Not Disturb", "do_not_disturb_on", "global", "zen_mode", "1", "0"),
    ("Auto-rotate", "screen_rotation", "system", "accelerometer_rotation", "1", "0"),
    ("Battery Saver", "battery_saver", "global", "low_power", "1", "0"),
    ("Location", "location_on", "secure", "location_mode", "3", "0"),
    ("Dark theme", "dark_mode", "secure", "ui_night_mode", "2", "1"),
)


def build_shade(ctx: Context[SystemData]) -> Surface:
    """Quick settings, pulled down from the status bar."""
    chips = [
        Chip(label, ("tile", number), ctx.setting(namespace, key) == on, icon)
        for number, (label, icon, namespace, key, on, _) in enumerate(TILES)
    ]
    return BottomSheet([Chips(chips, wrap=True), Text("No notifications", role="faint")], "Quick settings")


def build_notice(ctx: Context[SystemData]) -> Surface:
    """A plain notice with one button, or two when `decline` is given."""
    actions: list[tuple[str, Message]] = []
    if ctx.arg("decline"):
        actions.append((ctx.arg_str("decline"), ("dismiss",)))
    actions.append((ctx.arg_str("accept", "OK"), ("dismiss",)))
    return Dialog(
        ctx.arg_str("title", "Notice"),
        ctx.arg_str("text"),
        actions=actions,
        stubborn=bool(ctx.arg("stubborn", False)),
    )


def update(ctx: Context[SystemData], message: Message) -> None:
    """Answer touches on the system's windows."""
    match message:
        case ("dismiss",):
            ctx.data.dismissed += 1
            if ctx.state.overlays:
                ctx.state.overlays.pop()
        case ("tile", int(number)) if 0 <= number < len(TILES):
            _, _, namespace, key, on, off = TILES[number]
            turn_on = ctx.setting(namespace, key) != on
            if key == "airplane_mode_on":
                set_airplane_mode(ctx.state, turn_on)
            elif key in ("wifi_on", "bluetooth_on"):
                set_radio(ctx.state, key, turn_on)
            else:
                ctx.put_setting(namespace, key, on if turn_on else off)


SYSTEM_UI_APP = App(
    package=SYSTEM_UI,
    label="System UI",
    icon="android",
    colour=(90, 90, 90),
    data=SystemData,
    fill=lambda _: SystemData(),
    pages={"main": build_notice, "notice": build_notice, "shade": build_shade},
    update=update,
    in_launcher=False,
)
