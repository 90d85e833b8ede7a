"""Pages that refine others: Do Not Disturb, text and display, default apps, storage, wallpaper, gestures."""

from __future__ import annotations

from distrl.simphone.apps.settings.items import Choice, Fact, Heading, Link, SettingsPage, Toggle

TUNES = (("dawn", "Dawn"), ("ripple", "Ripple"), ("marimba", "Marimba"), ("orbit", "Orbit"), ("", "None"))
CHIMES = (("pebble", "Pebble"), ("drop", "Drop"), ("knock", "Knock"), ("chirp", "Chirp"), ("", "None"))
ALARMS = (("sunrise", "Sunrise"), ("bell", "Bell"), ("rooster", "Rooster"), ("pulse", "Pulse"))
PEOPLE = (
    ("anyone", "Anyone"),
    ("contacts", "Contacts"),
    ("starred", "Starred contacts"),
    ("none", "No one"),
)
FONT_SIZES = (("0.85", "Small"), ("1.0", "Default"), ("1.15", "Large"), ("1.3", "Largest"))
DISPLAY_SIZES = (("374", "Small"), ("420", "Default"), ("460", "Large"), ("500", "Larger"))

FONT_SIZE = Choice("Font size", "system", "font_scale", FONT_SIZES, "1.0", words="text size letters")
DISPLAY_SIZE = Choice(
    "Display size", "secure", "display_density_forced", DISPLAY_SIZES, "420", words="zoom icons bigger"
)
DARK_THEME = Toggle("Dark theme", "secure", "ui_night_mode", "1", on="2", off="1", words="night mode black")
AUTO_ROTATE = Toggle(
    "Auto-rotate screen", "system", "accelerometer_rotation", "0", words="rotation landscape"
)
RINGTONE = Choice("Phone ringtone", "system", "ringtone", TUNES, "dawn", "music_note", "melody call")
NOTIFICATION_SOUND = Choice(
    "Default notification sound", "system", "notification_sound", CHIMES, "pebble", "notifications", "chime"
)
ALARM_SOUND = Choice("Default alarm sound", "system", "alarm_alert", ALARMS, "sunrise", "alarm", "wake")
RINGER_MODE = Choice(
    "Sound mode",
    "global",
    "mode_ringer",
    (("2", "Ring"), ("1", "Vibrate"), ("0", "Mute")),
    "2",
    "volume_up",
    "silent quiet",
)


def _default_app(title: str, key: str, package: str, label: str, words: str = "") -> Choice:
    return Choice(title, "secure", key, (("", "None"), (package, label)), package, words=words)


MORE_PAGES: dict[str, SettingsPage] = {
    "apps": SettingsPage(
        "Apps",
        (
            Link("Default apps", "default_apps", "Browser, SMS, mail", "apps", "standard open with"),
            Toggle(
                "Pause unused apps", "global", "app_hibernation_enabled", "1", "Frees up space", "bedtime"
            ),
            Heading("All apps"),
        ),
        "apps",
        "Recent apps, default apps",
    ),
    "default_apps": SettingsPage(
        "Default apps",
        (
            _default_app("Browser app", "default_browser", "com.simphone.browser", "Browser", "web"),
            _default_app("SMS app", "sms_default_application", "com.android.messaging", "Messages", "text"),
            _default_app("Mail app", "default_mail", "com.simphone.mail", "Mail", "email"),
            _default_app("Calendar app", "default_calendar", "com.android.calendar", "Calendar"),
            Choice(
                "Digital assistant app",
                "secure",
                "assistant",
                (("", "None"), ("com.simphone.aide", "Aide")),
                "com.simphone.aide",
                words="voice",
            ),
        ),
    ),
    "storage": SettingsPage(
        "Storage",
        (
            Fact("Internal storage", "12.7 GB of 32 GB used", words="space memory disk"),
            Toggle(
                "Storage manager",
                "secure",
                "automatic_storage_manager_enabled",
                "0",
                "Removes old items that are backed up",
                words="clean free space",
            ),
            Heading("What takes up space"),
        ),
        "storage",
        "40% used - 19.3 GB free",
    ),
    "dnd": SettingsPage(
        "Do Not Disturb",
        (
            Toggle("Turn on now", "global", "zen_mode", "0", "Silences calls and alerts", words="quiet"),
            Heading("What may interrupt"),
            Choice(
                "Calls",
                "secure",
                "zen_calls",
                PEOPLE,
                "starred",
            ),
            Choice(
                "Messages",
                "secure",
                "zen_messages",
                PEOPLE,
                "none",
            ),
            Toggle("Allow repeat callers", "secure", "zen_repeat_callers", "1", "Second call in 15 minutes"),
            Toggle("Alarms", "secure", "zen_alarms", "1"),
            Toggle("Media sounds", "secure", "zen_media", "1"),
            Choice(
                "Duration",
                "secure",
                "zen_duration",
                (("0", "Until turned off"), ("60", "For one hour"), ("-1", "Ask every time")),
                "0",
            ),
        ),
    ),
    "text_display": SettingsPage(
        "Text and display",
        (
            FONT_SIZE,
            DISPLAY_SIZE,
            Toggle("Bold text", "secure", "font_weight_adjustment", "0", on="300", words="thick letters"),
            DARK_THEME,
            AUTO_ROTATE,
        ),
    ),
    "wallpaper": SettingsPage(
        "Wallpaper & style",
        (
            Toggle("Themed icons", "secure", "themed_icons", "0", "Icons in the colours of the wallpaper"),
            DARK_THEME,
            Heading("Accent colour"),
        ),
        "palette",
        "Colours, themed icons",
    ),
    "gestures": SettingsPage(
        "Gestures",
        (
            Toggle("Quickly open camera", "secure", "camera_double_tap_power_gesture", "1"),
            Toggle("Tap to check phone", "secure", "doze_tap_gesture", "1"),
            Toggle("Lift to check phone", "secure", "doze_pick_up_gesture", "0"),
            Toggle("One-handed mode", "secure", "one_handed_mode_enabled", "0", words="small reach"),
            Toggle("Flip to silence", "secure", "flip_to_silence", "0", "Face down means quiet", words="shh"),
        ),
    ),
    "system": SettingsPage(
        "System",
        (
            Link("Languages & input", "language", "English", "language", "keyboard"),
            Link("Date & time", "datetime", "GMT", "schedule", "clock"),
            Link("Gestures", "gestures", "", "gesture", "motion tap lift flip"),
            Toggle("Back up automatically", "secure", "backup_enabled", "1", "", "backup", words="cloud"),
            Toggle(
                "Automatic system updates", "global", "ota_disable_automatic_update", "0", "When you restart",
                "system_update", on="0", off="1",
            ),
        ),
        "settings",
        "Languages, gestures, time, backup",
    ),
    "data_usage": SettingsPage(
        "Data usage",
        (
            Fact("Mobile data this month", "1.8 GB used", words="traffic"),
            Toggle("Set data warning", "global", "data_warning_on", "1", "Warn at 2 GB"),
            Toggle("Set data limit", "global", "data_limit_on", "0", "Stop at the limit"),
            Choice(
                "Data limit",
                "global",
                "data_limit_gb",
                (("2", "2 GB"), ("5", "5 GB"), ("10", "10 GB"), ("20", "20 GB")),
                "5",
            ),
        ),
    ),
}  # fmt: skip
