"""The pages about the phone itself: location, security, accessibility, time, language, about."""

from __future__ import annotations

from distrl.simphone.apps.settings.items import Choice, Fact, Heading, Link, SettingsPage, Toggle, Words

MAGNIFICATION = "accessibility_display_magnification_enabled"
INVERSION = "accessibility_display_inversion_enabled"
DALTONIZER = "accessibility_display_daltonizer_enabled"

PHONE_PAGES: dict[str, SettingsPage] = {
    "location": SettingsPage(
        "Location",
        (
            Toggle("Use location", "secure", "location_mode", "3", on="3", words="gps position"),
            Heading("Location services"),
            Toggle(
                "Wi-Fi scanning", "global", "wifi_scan_always_enabled", "1", "Scan even when Wi-Fi is off"
            ),
            Toggle(
                "Bluetooth scanning", "global", "ble_scan_always_enabled", "0", "Scan even when it is off"
            ),
        ),
        "location_on",
        "On for apps that need it",
    ),
    "security": SettingsPage(
        "Security & privacy",
        (
            Toggle(
                "Show passwords", "system", "show_password", "1", "Display characters briefly as you type"
            ),
            Toggle("App pinning", "secure", "lock_to_app_enabled", "0"),
            Toggle("Camera access", "secure", "camera_access", "1", "For all apps", words="privacy"),
            Toggle("Microphone access", "secure", "microphone_access", "1", "For all apps", words="privacy"),
            Toggle("Find my phone", "secure", "find_my_device", "1", words="lost theft"),
            Words("Lock screen message", "secure", "lock_screen_owner_info", "", words="owner"),
        ),
        "shield",
        "Screen lock, passwords, pinning",
    ),
    "accessibility": SettingsPage(
        "Accessibility",
        (
            Toggle(
                "Screen reader",
                "secure",
                "touch_exploration_enabled",
                "0",
                "Speaks what you touch",
                words="blind",
            ),
            Link("Text and display", "text_display", "Size, bold text, colours", words="font large letters"),
            Toggle("Magnification", "secure", MAGNIFICATION, "0", "Zoom in on the screen", words="zoom"),
            Toggle("High contrast text", "secure", "high_text_contrast_enabled", "0"),
            Toggle("Colour inversion", "secure", INVERSION, "0", words="color negative"),
            Toggle("Colour correction", "secure", DALTONIZER, "0", words="color blind"),
            Toggle("Captions", "secure", "accessibility_captioning_enabled", "0", words="subtitles"),
            Toggle(
                "Remove animations", "global", "animator_duration_scale", "1", on="0", off="1", words="motion"
            ),
            Choice(
                "Touch and hold delay",
                "secure",
                "long_press_timeout",
                (("400", "Short"), ("1000", "Medium"), ("1500", "Long")),
                "400",
            ),
        ),
        "accessibility_new",
        "Screen reader, display, interaction",
    ),
    "datetime": SettingsPage(
        "Date & time",
        (
            Toggle("Set time automatically", "global", "auto_time", "1"),
            Toggle("Set time zone automatically", "global", "auto_time_zone", "1"),
            Choice(
                "Time zone",
                "global",
                "time_zone",
                (
                    ("Europe/London", "London"),
                    ("Europe/Paris", "Paris"),
                    ("America/New_York", "New York"),
                    ("Asia/Tokyo", "Tokyo"),
                    ("Australia/Sydney", "Sydney"),
                ),
                "Europe/London",
            ),
            Toggle(
                "Use 24-hour format", "system", "time_12_24", "24", on="24", off="12", words="clock am pm"
            ),
        ),
        "schedule",
        "GMT, 24-hour clock",
    ),
    "language": SettingsPage(
        "Languages & input",
        (
            Choice(
                "System language",
                "system",
                "system_locales",
                (
                    ("en-US", "English (United States)"),
                    ("en-GB", "English (United Kingdom)"),
                    ("de-DE", "Deutsch"),
                    ("fr-FR", "Français"),
                    ("es-ES", "Español"),
                    ("pt-BR", "Português"),
                ),
                "en-US",
                words="locale",
            ),
            Toggle("Spell checker", "secure", "spell_checker_enabled", "1"),
            Toggle("Auto-capitalisation", "secure", "auto_caps", "1"),
            Toggle("Vibrate on keypress", "secure", "keypress_vibrate", "0"),
        ),
        "language",
        "English, keyboard, spell checker",
    ),
    "about": SettingsPage(
        "About phone",
        (
            Words("Device name", "global", "device_name", "Simphone 5"),
            Fact("Model", "Simphone 5 (SP-412)"),
            Fact("Android version", "14"),
            Fact("IP address", "192.168.1.27"),
            Fact("Serial number", "SP41200732"),
            Fact("Build number", "SP1A.240514.001", counts=True, words="developer"),
        ),
        "info",
        "Simphone 5",
    ),
    "developer": SettingsPage(
        "Developer options",
        (
            Toggle("Use developer options", "global", "development_settings_enabled", "0"),
            Toggle("USB debugging", "global", "adb_enabled", "1"),
            Toggle(
                "Stay awake", "global", "stay_on_while_plugged_in", "0", "Never sleep while charging", on="7"
            ),
            Toggle("Show taps", "system", "show_touches", "0"),
        ),
    ),
}
