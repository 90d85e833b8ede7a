"""The pages about what one does with the phone: network, devices, notifications, battery, display, sound."""

from __future__ import annotations

from distrl.simphone.apps.settings.items import (
    Choice,
    Fact,
    Heading,
    Level,
    Link,
    SettingsPage,
    Toggle,
    Words,
)
from distrl.simphone.apps.settings.more_pages import (
    ALARM_SOUND,
    AUTO_ROTATE,
    DARK_THEME,
    DISPLAY_SIZE,
    FONT_SIZE,
    NOTIFICATION_SOUND,
    RINGER_MODE,
    RINGTONE,
)

USE_PAGES: dict[str, SettingsPage] = {
    "network": SettingsPage(
        "Network & internet",
        (
            Link("Internet", "wifi", "Wi-Fi networks", "wifi", "wifi wireless wlan"),
            Toggle("Airplane mode", "global", "airplane_mode_on", icon="airplanemode_active", words="flight"),
            Toggle(
                "Mobile data",
                "global",
                "mobile_data",
                "1",
                "Use cellular data",
                "swap_vert",
                words="cellular",
            ),
            Toggle(
                "Roaming", "global", "data_roaming", "0", "Use data abroad", "public", words="abroad travel"
            ),
            Toggle(
                "Wi-Fi hotspot",
                "global",
                "wifi_ap_on",
                "0",
                "Share this phone's connection",
                "wifi_tethering",
                words="tethering share internet",
            ),
            Link("Data usage", "data_usage", "1.8 GB this month", "data_usage", "traffic limit warning"),
            Toggle("Data Saver", "global", "data_saver_on", "0", "Limit background data", "data_saver_on"),
            Choice(
                "Private DNS",
                "global",
                "private_dns_mode",
                (("off", "Off"), ("opportunistic", "Automatic"), ("hostname", "Provider hostname")),
                "opportunistic",
                "dns",
            ),
        ),
        "wifi",
        "Wi-Fi, mobile, data usage, hotspot",
    ),
    "wifi": SettingsPage(
        "Internet",
        (
            Toggle("Wi-Fi", "global", "wifi_on", "1", icon="wifi", words="wireless wlan internet"),
            Toggle(
                "Notify for public networks",
                "global",
                "wifi_networks_available_notification_on",
                "1",
                "Tell me when a strong network is near",
                "notifications",
            ),
        ),
    ),
    "devices": SettingsPage(
        "Connected devices",
        (
            Toggle("Bluetooth", "global", "bluetooth_on", "0", "Pair headphones, watches, cars", "bluetooth"),
            Toggle(
                "NFC", "secure", "nfc_on", "1", "Touch to pay and share", "nfc", words="contactless payment"
            ),
            Words("Device name", "global", "device_name", "Simphone 5", "smartphone"),
            Toggle("Nearby Share", "secure", "nearby_sharing_on", "0", "Visible to contacts", "share"),
        ),
        "devices",
        "Bluetooth, NFC, pairing",
    ),
    "notifications": SettingsPage(
        "Notifications",
        (
            Toggle(
                "Notification dots",
                "secure",
                "notification_badging",
                "1",
                "On app icons",
                "circle_notifications",
            ),
            Toggle(
                "Bubbles", "secure", "notification_bubbles", "1", "Floating conversations", "bubble_chart"
            ),
            Toggle(
                "Show on lock screen", "secure", "lock_screen_show_notifications", "1", "All contents", "lock"
            ),
            Toggle(
                "Notification history",
                "secure",
                "notification_history_enabled",
                "0",
                "",
                "history",
                words="past old",
            ),
            Link("Do Not Disturb", "dnd", "Who may interrupt", "do_not_disturb_on", "quiet zen silence"),
        ),
        "notifications",
        "Dots, bubbles, apps",
    ),
    "battery": SettingsPage(
        "Battery",
        (
            Fact("Battery level", "{battery}% - about 1 day left"),
            Toggle(
                "Battery Saver",
                "global",
                "low_power",
                "0",
                "Extends battery life",
                "battery_saver",
                words="power",
            ),
            Toggle(
                "Battery percentage",
                "system",
                "status_bar_show_battery_percent",
                "0",
                "Show in status bar",
                "percent",
            ),
            Toggle(
                "Adaptive Battery",
                "global",
                "adaptive_battery_management_enabled",
                "1",
                "Limit apps you rarely use",
                "auto_mode",
            ),
        ),
        "battery_full",
        "85%",
    ),
    "display": SettingsPage(
        "Display",
        (
            Level(
                "Brightness level", "system", "screen_brightness", 1, 255, "102", "brightness_6", "bright dim"
            ),
            Toggle(
                "Adaptive brightness",
                "system",
                "screen_brightness_mode",
                "1",
                "Adjusts to the light around you",
            ),
            DARK_THEME,
            FONT_SIZE,
            DISPLAY_SIZE,
            AUTO_ROTATE,
            Choice(
                "Screen timeout",
                "system",
                "screen_off_timeout",
                (
                    ("15000", "15 seconds"),
                    ("30000", "30 seconds"),
                    ("60000", "1 minute"),
                    ("120000", "2 minutes"),
                    ("300000", "5 minutes"),
                    ("600000", "10 minutes"),
                    ("1800000", "30 minutes"),
                ),
                "60000",
                words="sleep lock",
            ),
            Toggle(
                "Night Light",
                "secure",
                "night_display_activated",
                "0",
                "Tints the screen amber",
                words="warm",
            ),
            Toggle("Screen saver", "secure", "screensaver_enabled", "1"),
            Link("Wallpaper & style", "wallpaper", "Colours, themed icons", words="background picture"),
        ),
        "brightness_6",
        "Dark theme, font size, brightness",
    ),
    "sound": SettingsPage(
        "Sound & vibration",
        (
            Level("Media volume", "system", "volume_music", 0, 15, "7", "music_note", "loud"),
            Level("Ring volume", "system", "volume_ring", 0, 7, "5", "notifications_active", "loud ringtone"),
            Level("Alarm volume", "system", "volume_alarm", 0, 7, "6", "alarm", "loud"),
            Level("Notification volume", "system", "volume_notification", 0, 7, "5", "notifications", "loud"),
            RINGER_MODE,
            RINGTONE,
            NOTIFICATION_SOUND,
            ALARM_SOUND,
            Toggle("Vibrate for calls", "system", "vibrate_when_ringing", "0", words="vibration"),
            Toggle(
                "Do Not Disturb",
                "global",
                "zen_mode",
                "0",
                "Only get notified by important people",
                words="quiet",
            ),
            Link("Do Not Disturb rules", "dnd", "Calls, messages, alarms", words="exceptions interrupt"),
            Heading("System sounds"),
            Toggle("Touch sounds", "system", "sound_effects_enabled", "1"),
            Toggle("Dial pad tones", "system", "dtmf_tone", "1"),
            Toggle("Screen locking sound", "system", "lockscreen_sounds_enabled", "1"),
            Toggle("Charging sounds", "secure", "charging_sounds_enabled", "1"),
        ),
        "volume_up",
        "Volume, vibration, Do Not Disturb",
    ),
}
