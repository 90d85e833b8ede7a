"""The Settings app: reads and writes Android's settings tables."""

from __future__ import annotations

from distrl.simphone.app import App, Context
from distrl.simphone.apps.settings.items import Level, Toggle
from distrl.simphone.apps.settings.pages import (
    SettingsData,
    build_choice,
    build_main,
    build_search,
    build_words,
    page_builder,
)
from distrl.simphone.apps.settings.tables import PAGES, STORED
from distrl.simphone.radios import set_airplane_mode
from distrl.simphone.scene import Message

TAPS_TO_DEVELOP = 7


def update(ctx: Context[SettingsData], message: Message) -> None:
    """Change a setting as the touched line says."""
    match message:
        case ("toggle", str(namespace), str(key)):
            item = STORED.get((namespace, key))
            if not isinstance(item, Toggle):
                return
            turn_on = ctx.setting(namespace, key, item.default) != item.on
            if key == "airplane_mode_on":
                set_airplane_mode(ctx.state, turn_on)
            else:
                ctx.put_setting(namespace, key, item.on if turn_on else item.off)
        case ("level", str(namespace), str(key), float(part)):
            item = STORED.get((namespace, key))
            if isinstance(item, Level):
                value = item.low + round(part * (item.high - item.low))
                ctx.put_setting(namespace, key, str(value))
        case ("choose", str(namespace), str(key), str(value)):
            ctx.put_setting(namespace, key, value)
            ctx.back()
        case ("save_words", str(namespace), str(key)):
            text = ctx.text("words", ctx.setting(namespace, key)).strip()
            ctx.put_setting(namespace, key, text)
            ctx.back()
        case ("count",):
            ctx.data.build_number_taps += 1
            left = TAPS_TO_DEVELOP - ctx.data.build_number_taps
            if left <= 0:
                ctx.put_setting("global", "development_settings_enabled", "1")
                ctx.toast("You are now a developer!")
            elif left <= 3:
                ctx.toast(f"You are {left} steps away from being a developer")
        case ("dismiss_tip",):
            ctx.data.tip_dismissed = True


SETTINGS = App(
    package="com.android.settings",
    label="Settings",
    icon="settings",
    colour=(96, 110, 128),
    data=SettingsData,
    fill=lambda _: SettingsData(),
    pages={
        "main": build_main,
        "search": build_search,
        "choice": build_choice,
        "words": build_words,
        **{name: page_builder(name) for name in PAGES},
    },
    update=update,
    intents={
        "android.settings.SETTINGS": "main",
        "android.settings.WIFI_SETTINGS": "wifi",
        "android.settings.BLUETOOTH_SETTINGS": "devices",
        "android.settings.AIRPLANE_MODE_SETTINGS": "network",
        "android.settings.WIRELESS_SETTINGS": "network",
        "android.settings.DISPLAY_SETTINGS": "display",
        "android.settings.SOUND_SETTINGS": "sound",
        "android.settings.BATTERY_SAVER_SETTINGS": "battery",
        "android.settings.LOCATION_SOURCE_SETTINGS": "location",
        "android.settings.ACCESSIBILITY_SETTINGS": "accessibility",
        "android.settings.DATE_SETTINGS": "datetime",
        "android.settings.LOCALE_SETTINGS": "language",
        "android.settings.DEVICE_INFO_SETTINGS": "about",
    },
    activity=".Settings",
)
