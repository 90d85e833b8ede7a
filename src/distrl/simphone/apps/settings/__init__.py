"""The Settings app: reads and writes Android's settings tables."""

from __future__ import annotations

from distrl.simphone.app import App
from distrl.simphone.apps.settings import app_pages, networks, personal
from distrl.simphone.apps.settings.data import TABLES, Ctx, SettingsData, fill
from distrl.simphone.apps.settings.items import Level, Toggle
from distrl.simphone.apps.settings.pages import (
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


def update(ctx: Ctx, message: Message) -> None:
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
        case _:
            for answers in (networks.update_networks, app_pages.update_apps, personal.update_personal):
                if answers(ctx, message):
                    return


SETTINGS = App(
    package="com.android.settings",
    label="Settings",
    icon="settings",
    colour=(96, 110, 128),
    data=SettingsData,
    fill=fill,
    pages={
        "main": build_main,
        "search": build_search,
        "choice": build_choice,
        "words": build_words,
        "network_info": networks.build_network_info,
        "wifi_password": networks.build_password,
        "pair_list": networks.build_pair_list,
        "pair": networks.build_pair,
        "device_info": networks.build_device_info,
        "rename": networks.build_rename,
        "app_info": app_pages.build_app_info,
        "app_permissions": app_pages.build_app_permissions,
        "app_permission": app_pages.build_app_permission,
        "app_storage": app_pages.build_app_storage,
        "force_stop": app_pages.build_force_stop,
        "clear_storage": app_pages.build_clear_storage,
        "screen_lock": personal.build_screen_lock,
        "lock_code": personal.build_lock_code,
        "add_language": personal.build_add_language,
        "remove_language": personal.build_remove_language,
        **{name: page_builder(name) for name in PAGES},
    },
    update=update,
    tables=TABLES,
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
        "android.settings.APPLICATION_SETTINGS": "apps",
        "android.settings.MANAGE_DEFAULT_APPS_SETTINGS": "default_apps",
        "android.settings.INTERNAL_STORAGE_SETTINGS": "storage",
        "android.settings.SECURITY_SETTINGS": "security",
        "android.settings.ZEN_MODE_SETTINGS": "dnd",
        "android.settings.DATA_USAGE_SETTINGS": "data_usage",
        "android.settings.ALL_APPS_NOTIFICATION_SETTINGS": "notifications",
    },
    activity=".Settings",
)
