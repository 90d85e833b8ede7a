"""The shade: quick settings, brightness and notifications, pulled down from the status bar."""

from __future__ import annotations

import msgspec

from distrl.simphone import draw, navigation, notifications
from distrl.simphone.app import Context
from distrl.simphone.apps.registry import BY_PACKAGE
from distrl.simphone.clock import date_text
from distrl.simphone.radios import set_airplane_mode, set_radio
from distrl.simphone.scene import (
    IMAGE_BUTTON,
    LINEAR,
    MEDIUM,
    REGULAR,
    SWITCH,
    TEXT_VIEW,
    Message,
    Scene,
)
from distrl.simphone.state import Notification, State
from distrl.simphone.theme import Colour, Look
from distrl.simphone.widgets import (
    Across,
    Button,
    Gap,
    Grid,
    SectionHeader,
    Slider,
    Surface,
    Text,
    TopSheet,
    Widget,
)

# Quick settings: label, icon, namespace, key, value when on, value when off, page of Settings behind it.
TILES = (
    ("Wi-Fi", "wifi", "global", "wifi_on", "1", "0", "wifi"),
    ("Bluetooth", "bluetooth", "global", "bluetooth_on", "1", "0", "devices"),
    ("Airplane mode", "airplanemode_active", "global", "airplane_mode_on", "1", "0", "network"),
    ("Mobile data", "swap_vert", "global", "mobile_data", "1", "0", "network"),
    ("Do Not Disturb", "do_not_disturb_on", "global", "zen_mode", "1", "0", "sound"),
    ("Torch", "flashlight_on", "secure", "flashlight_enabled", "1", "0", ""),
    ("Auto-rotate", "screen_rotation", "system", "accelerometer_rotation", "1", "0", "display"),
    ("Battery Saver", "battery_saver", "global", "low_power", "1", "0", "battery"),
    ("Location", "location_on", "secure", "location_mode", "3", "0", "location"),
    ("Dark theme", "dark_mode", "secure", "ui_night_mode", "2", "1", "display"),
)
BRIGHTEST = 255
SYSTEM_LABEL, SYSTEM_ICON = "Android System", "android"


def notification_icon(one: Notification) -> str:
    """The icon of the app that posted a notification."""
    app = BY_PACKAGE.get(one.package)
    return app.icon if app is not None else SYSTEM_ICON


def notification_label(one: Notification) -> str:
    """The name of the app that posted a notification."""
    app = BY_PACKAGE.get(one.package)
    return app.label if app is not None else SYSTEM_LABEL


class Tile(msgspec.Struct, frozen=True, gc=False):
    """A quick setting: a pill with an icon, its name and whether it is on."""

    label: str
    icon: str
    on: bool
    on_tap: Message
    on_long_press: Message

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.body) + look.line_height(look.small) + 14

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        paper, ink = (look.primary, look.on_primary) if self.on else (look.raised, look.text)
        scene.fill(x, y, width, height, paper, min(22, height // 2))
        scene.icon(x + 14, y + (height - 22) // 2, self.icon, 22, ink)
        inner, top = width - 56, y + 6
        scene.text(x + 46, top, inner, self.label, look.body, ink, MEDIUM)
        scene.text(
            x + 46, top + look.line_height(look.body), inner, "On" if self.on else "Off", look.small, ink
        )
        scene.add(
            SWITCH, x, y, width, height, self.label, "", "tile", self.on_tap, self.on_long_press,
            checkable=True, checked=self.on,
        )  # fmt: skip


class NotificationCard(msgspec.Struct, frozen=True, gc=False):
    """One notification: who, when, what; touch it to go there, throw it aside or close it to be rid of it."""

    number: int
    icon: str
    colour: Colour
    source: str
    title: str
    text: str

    def _lines(self, look: Look, width: int) -> tuple[str, ...]:
        return draw.wrap(self.text, look.body, REGULAR, width - 104, 3) if self.text else ()

    def height(self, look: Look, width: int) -> int:
        lines = 1 + len(self._lines(look, width))
        return look.line_height(look.small) + lines * look.line_height(look.body) + 30

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, across, tall = x + 12, width - 24, height - 6
        scene.fill(left, y, across, tall, look.raised, 16)
        card = scene.add(
            LINEAR, left, y, across, tall, name="notification", tap=("open_notification", self.number)
        )
        scene.flick(left, y, across, tall, ("dismiss_notification", self.number))
        before = scene.inside(card)
        scene.fill(left + 12, y + 12, 28, 28, self.colour, 14)
        scene.icon(left + 18, y + 18, self.icon, 16, (255, 255, 255))
        text_left, inner, top = left + 52, width - 104, y + 10
        scene.label(text_left, top, inner, self.source, look.small, look.faint, name="app_name_text")
        top += look.line_height(look.small) + 2
        scene.label(text_left, top, inner, self.title, look.body, look.text, MEDIUM, name="android:id/title")
        step = look.line_height(look.body)
        lines = self._lines(look, width)
        for number, line in enumerate(lines):
            scene.text(text_left, top + step * (number + 1), inner, line, look.body, look.faint)
        if lines:
            scene.add(
                TEXT_VIEW, text_left, top + step, inner, step * len(lines), self.text, name="android:id/text"
            )
        right = left + across - 40
        scene.icon(right + 10, y + 12, "close", 18, look.faint)
        scene.add(
            IMAGE_BUTTON, right, y, 40, 40, "", "Dismiss", "dismiss", ("dismiss_notification", self.number)
        )
        scene.parent = before


def _card(ctx: Context[msgspec.Struct], one: Notification) -> NotificationCard:
    app = BY_PACKAGE.get(one.package)
    colour = app.colour if app is not None else (90, 98, 110)
    minutes = int(max(0.0, ctx.now_s - one.posted_s) // 60)
    age = "now" if minutes < 1 else f"{minutes} min" if minutes < 60 else f"{minutes // 60} h"
    return NotificationCard(
        one.id, notification_icon(one), colour, f"{notification_label(one)} • {age}", one.title, one.text
    )


def build_shade(ctx: Context[msgspec.Struct]) -> Surface:
    """Tiles, brightness, notifications."""
    state = ctx.state
    tiles = [
        Tile(label, icon, ctx.setting(namespace, key) == on, ("tile", number), ("tile_page", number))
        for number, (label, icon, namespace, key, on, _, _) in enumerate(TILES)
    ]
    level = ctx.setting("system", "screen_brightness", "102")
    part = (int(level) if level.isdecimal() else 102) / BRIGHTEST
    body: list[Widget] = [
        Across([Text(date_text(state), 14, "faint"), Text("Quick settings", 14, bold=True, align=2)]),
        Gap(4),
        Grid(tiles, 2, 8, 12),
        Slider(part, ("brightness",), "Display brightness", "brightness_6", "brightness"),
        SectionHeader("Notifications"),
    ]
    if state.notifications:
        body += [_card(ctx, one) for one in state.notifications]
        body.append(Button("Clear all", ("clear_notifications",), "text", name="dismiss_text"))
    else:
        body.append(Text("No notifications", 14, "faint", pad_y=10))
    return TopSheet(body)


def turn(state: State, number: int) -> None:
    """Switch a quick setting over."""
    _, _, namespace, key, on, off, _ = TILES[number]
    table = state.settings.setdefault(namespace, {})
    turn_on = table.get(key) != on
    if key == "airplane_mode_on":
        set_airplane_mode(state, turn_on)
    elif key in ("wifi_on", "bluetooth_on"):
        set_radio(state, key, turn_on)
    else:
        table[key] = on if turn_on else off


def update_shade(ctx: Context[msgspec.Struct], message: Message) -> bool:
    """Answer touches on the shade; False if the message is not about it."""
    state = ctx.state
    match message:
        case ("tile", int(number)) if 0 <= number < len(TILES):
            turn(state, number)
        case ("tile_page", int(number)) if 0 <= number < len(TILES):
            if TILES[number][-1]:
                navigation.close_overlay(state)
                navigation.launch(state, "com.android.settings", TILES[number][-1])
        case ("brightness", float(part)):
            ctx.put_setting("system", "screen_brightness", str(max(1, round(part * BRIGHTEST))))
        case ("open_notification", int(number)):
            navigation.close_overlay(state)
            notifications.open_page(state, number)
        case ("dismiss_notification", int(number)):
            notifications.dismiss(state, number)
        case ("clear_notifications",):
            state.notifications = []
            navigation.close_overlay(state)
        case ("@swipe", "up") if ctx.page == "shade":
            navigation.close_overlay(state)
        case _:
            return False
    return True
