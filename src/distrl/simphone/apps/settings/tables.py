"""All settings of the phone, page by page, under the names and values that Android gives them.

Keys that Android does not keep in its settings tables (volumes, hotspot, NFC, time zone…) are kept there
too, so that one command reads them all.
"""

from __future__ import annotations

from distrl.simphone.apps.settings.items import Choice, Level, SettingsPage, Stored, Toggle, Words
from distrl.simphone.apps.settings.more_pages import MORE_PAGES
from distrl.simphone.apps.settings.phone_pages import PHONE_PAGES
from distrl.simphone.apps.settings.use_pages import USE_PAGES

PAGES: dict[str, SettingsPage] = {**USE_PAGES, **MORE_PAGES, **PHONE_PAGES}

MAIN_PAGES = tuple(name for name, page in PAGES.items() if page.icon)

STORED: dict[tuple[str, str], Stored] = {
    (item.namespace, item.key): item
    for page in PAGES.values()
    for item in page.items
    if isinstance(item, Toggle | Choice | Level | Words)
}

DEFAULTS: dict[str, dict[str, str]] = {
    "global": {
        "battery_level": "85",
        "device_provisioned": "1",
        "wifi_network": "Maple House",
        "wifi_saved": "Maple House|Corner Cafe",
    },
    "secure": {
        "android_id": "5f1d3a7b9c2e4680",
        "user_setup_complete": "1",
        "flashlight_enabled": "0",
        "screen_lock": "swipe",
        "theme_accent": "",
        "wallpaper": "",
    },
    "system": {"additional_locales": ""},
}
for (_namespace, _key), _item in STORED.items():
    DEFAULTS[_namespace][_key] = _item.default
