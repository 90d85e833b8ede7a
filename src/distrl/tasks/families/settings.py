"""Tasks in the Settings app: switches, sliders, choices and names."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from distrl.records import Condition
from distrl.tasks.templates import Draft, Draw, commit, equals, open_app, press, slide, switch, tap, write

NETWORK, SOUND, DISPLAY = "Network & internet", "Sound & vibration", "Display"
DEVICES, BATTERY, LOCATION = "Connected devices", "Battery", "Location"
ACCESS, CLOCK, LANGUAGE, NOTICES = "Accessibility", "Date & time", "Languages & input", "Notifications"


@dataclass(frozen=True)
class Switch:
    """A setting that is on or off: where it is, what the screen and people call it, how Android stores it."""

    page: str
    label: str
    spoken: tuple[str, ...]
    table: str
    key: str
    on: str = "1"
    off: str = "0"

    def value(self, on: bool) -> str:
        """What Android stores for a state."""
        return self.on if on else self.off

    def put(self, on: bool) -> str:
        """The command that brings the switch to a state."""
        return f"settings put {self.table} {self.key} {self.value(on)}"

    @property
    def get(self) -> str:
        """The command that asks for the state."""
        return f"settings get {self.table} {self.key}"


SWITCHES = (
    Switch(NETWORK, "Airplane mode", ("airplane mode", "flight mode"), "global", "airplane_mode_on"),
    Switch(NETWORK, "Mobile data", ("mobile data", "cellular data"), "global", "mobile_data"),
    Switch(NETWORK, "Roaming", ("roaming", "data roaming"), "global", "data_roaming"),
    Switch(NETWORK, "Wi-Fi hotspot", ("the Wi-Fi hotspot", "the hotspot"), "global", "wifi_ap_on"),
    Switch(DEVICES, "Bluetooth", ("Bluetooth",), "global", "bluetooth_on"),
    Switch(DEVICES, "NFC", ("NFC", "contactless payment (NFC)"), "secure", "nfc_on"),
    Switch(BATTERY, "Battery Saver", ("Battery Saver", "the battery saver"), "global", "low_power"),
    Switch(
        BATTERY,
        "Battery percentage",
        ("the battery percentage",),
        "system",
        "status_bar_show_battery_percent",
    ),
    Switch(
        DISPLAY, "Auto-rotate screen", ("auto-rotate", "screen rotation"), "system", "accelerometer_rotation"
    ),
    Switch(DISPLAY, "Night Light", ("Night Light", "the night light"), "secure", "night_display_activated"),
    Switch(SOUND, "Vibrate for calls", ("vibration for calls",), "system", "vibrate_when_ringing"),
    Switch(SOUND, "Do Not Disturb", ("Do Not Disturb", "do not disturb mode"), "global", "zen_mode"),
    Switch(SOUND, "Touch sounds", ("touch sounds",), "system", "sound_effects_enabled"),
    Switch(LOCATION, "Use location", ("location", "location access"), "secure", "location_mode", "3"),
    Switch(ACCESS, "High contrast text", ("high contrast text",), "secure", "high_text_contrast_enabled"),
    Switch(ACCESS, "Captions", ("captions", "subtitles"), "secure", "accessibility_captioning_enabled"),
    Switch(LANGUAGE, "Spell checker", ("the spell checker",), "secure", "spell_checker_enabled"),
    Switch(NOTICES, "Notification dots", ("notification dots",), "secure", "notification_badging"),
)

TURN = {
    True: ("Turn on {}", "Switch {} on", "Enable {}", "Please activate {} in the settings"),
    False: ("Turn off {}", "Switch {} off", "Disable {}", "Please deactivate {} in the settings"),
}


def toggle(draw: Draw) -> Draft:
    """Bring one switch to the other state."""
    item, on = draw.own(tuple(product(SWITCHES, (True, False))))
    return Draft(
        goal=draw.any(TURN[on]).format(draw.any(item.spoken)),
        setup=(item.put(not on),),
        probes={"state": item.get},
        check=(equals("state", item.value(on)),),
        plan=(open_app("Settings"), tap(item.page), switch(item.label, on)),
    )


MAKE_SURE = (
    "Make sure to have {} {} and {} {}",
    "Check the settings: {} should be {}, {} should be {}",
    "I want {} {} and {} {}",
)


# No switch is in two pairs: doing one task would otherwise sometimes do another. Airplane mode is in none,
# since it switches others off.
PAIRS = tuple(zip(SWITCHES[1:9], SWITCHES[9:17], strict=True))
STATES = tuple(product((True, False), (True, False)))


def make_sure(draw: Draw) -> Draft:
    """Two switches with given states, one of which may hold already."""
    (first, second), states = draw.own(tuple(product(PAIRS, STATES)))
    wanted = dict(zip((first, second), states, strict=True))
    wrong = draw.any(((first,), (second,), (first, second)))
    words = [word for item in wanted for word in (item.spoken[0], "on" if wanted[item] else "off")]
    return Draft(
        goal=draw.any(MAKE_SURE).format(*words),
        setup=tuple(item.put(wanted[item] != (item in wrong)) for item in wanted),
        probes={"first": first.get, "second": second.get},
        check=(equals("first", first.value(wanted[first])), equals("second", second.value(wanted[second]))),
        plan=(
            open_app("Settings"),
            tap(first.page),
            switch(first.label, wanted[first]),
            press("back"),
            tap(second.page),
            switch(second.label, wanted[second]),
        ),
        level=2,
    )


@dataclass(frozen=True)
class Slider:
    """A setting that is a number in a range."""

    page: str
    label: str
    spoken: tuple[str, ...]
    key: str
    low: int
    high: int


SLIDERS = (
    Slider(SOUND, "Media volume", ("media volume", "volume of music and videos"), "volume_music", 0, 15),
    Slider(SOUND, "Ring volume", ("ring volume", "volume of the ringtone"), "volume_ring", 0, 7),
    Slider(SOUND, "Alarm volume", ("alarm volume", "volume of alarms"), "volume_alarm", 0, 7),
    Slider(
        SOUND,
        "Notification volume",
        ("notification volume", "volume of notifications"),
        "volume_notification",
        0,
        7,
    ),
    Slider(DISPLAY, "Brightness level", ("screen brightness", "brightness"), "screen_brightness", 1, 255),
)
LEVELS = {
    100: ("Set the {} to the maximum", "Turn the {} all the way up"),
    0: ("Set the {} to the minimum", "Turn the {} all the way down"),
    50: ("Set the {} to about half", "Put the {} somewhere in the middle"),
}
_OTHER_LEVEL = {100: 20, 0: 80, 50: 90}  # percent, far from what is wanted
_ALLOWANCE = 0.12  # of the range, for "about"


def slider(draw: Draw) -> Draft:
    """Drag or tap a slider to its end or its middle."""
    item, percent = draw.own(tuple(product(SLIDERS, LEVELS)))
    span = item.high - item.low
    wanted = item.low + span * percent / 100
    allowance = span * _ALLOWANCE if percent == 50 else 0
    return Draft(
        goal=draw.any(LEVELS[percent]).format(draw.any(item.spoken)),
        setup=(f"settings put system {item.key} {item.low + span * _OTHER_LEVEL[percent] // 100}",),
        probes={"level": f"settings get system {item.key}"},
        check=(
            Condition("level", "at_least", f"{wanted - allowance:g}"),
            Condition("level", "at_most", f"{wanted + allowance:g}"),
        ),
        plan=(open_app("Settings"), tap(item.page), slide(item.label, percent)),
        level=2,
    )


@dataclass(frozen=True)
class Selection:
    """A setting that is one of several values: what is stored, and the word on the screen."""

    page: str
    label: str
    spoken: tuple[str, ...]
    table: str
    key: str
    options: tuple[tuple[str, str], ...]


SELECTIONS = (
    Selection(
        DISPLAY,
        "Screen timeout",
        ("screen timeout", "time until the screen turns off"),
        "system",
        "screen_off_timeout",
        (
            ("15000", "15 seconds"),
            ("30000", "30 seconds"),
            ("120000", "2 minutes"),
            ("300000", "5 minutes"),
            ("600000", "10 minutes"),
        ),
    ),
    Selection(
        CLOCK,
        "Time zone",
        ("time zone", "clock's time zone"),
        "global",
        "time_zone",
        (
            ("Europe/Paris", "Paris"),
            ("America/New_York", "New York"),
            ("Asia/Tokyo", "Tokyo"),
            ("Australia/Sydney", "Sydney"),
        ),
    ),
    Selection(
        ACCESS,
        "Touch and hold delay",
        ("touch and hold delay", "long-press delay"),
        "secure",
        "long_press_timeout",
        (("1000", "Medium"), ("1500", "Long")),
    ),
    Selection(
        NETWORK,
        "Private DNS",
        ("private DNS", "private DNS mode"),
        "global",
        "private_dns_mode",
        (("off", "Off"), ("hostname", "Provider hostname")),
    ),
)
CHOOSE = ("Set the {} to {}", "Change the {} to {}", "The {} should be {}")


def choice(draw: Draw) -> Draft:
    """Pick one of several values in a dialog."""
    options = [(item, stored, word) for item in SELECTIONS for stored, word in item.options]
    item, stored, word = draw.own(options)
    return Draft(
        goal=draw.any(CHOOSE).format(draw.any(item.spoken), word),
        setup=(
            f"settings put {item.table} {item.key} {draw.any([s for s, _ in item.options if s != stored])}",
        ),
        probes={"value": f"settings get {item.table} {item.key}"},
        check=(equals("value", stored),),
        plan=(open_app("Settings"), tap(item.page), tap(item.label), commit(word)),
        level=2,
    )


NAMES = (
    "Blue Heron", "My phone", "Kitchen phone", "Atlas", "Pocket", "Pixelfox", "Travel phone", "Office line",
    "Robin", "Nightjar", "Harbour", "Old faithful",
)  # fmt: skip
MESSAGES = (
    "Please call 555 0134", "Return to room 12", "Lost? Ask for Ada", "If found, mail owner@example.com",
    "Property of the lab", "Reward if found", "Call my sister", "Ring the front desk",
)  # fmt: skip


RENAME = ("Rename this phone to {}", "Change the device name to {}", "Call this phone {}")
LEAVE_MESSAGE = ("Set the lock screen message to {}", "Let the lock screen say {}")


def device_name(draw: Draw) -> Draft:
    """Write a new name for the phone, or a message for its lock screen."""
    if draw.any((True, True, False)):
        page, label, key = "About phone", "Device name", "global device_name"
        text, goal = draw.own(NAMES), draw.any(RENAME)
    else:
        page, label, key = "Security & privacy", "Lock screen message", "secure lock_screen_owner_info"
        text, goal = draw.own(MESSAGES), draw.any(LEAVE_MESSAGE)
    return Draft(
        goal=goal.format(f'"{text}"'),
        probes={"text": f"settings get {key}"},
        check=(equals("text", text),),
        plan=(open_app("Settings"), tap(page), tap(label), write(text, label), commit("Save")),
        level=2,
    )
