"""Tasks about settings with several values: wishes for one of them, steps from the present one, and names."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from distrl.tasks.families.settings import ACCESS, CLOCK, DISPLAY, LANGUAGE, NETWORK
from distrl.tasks.general.need import SECURITY
from distrl.tasks.general.settings import ASK, UNSEEN_ASK, capital
from distrl.tasks.templates import Draft, Draw, commit, equals, open_app, tap, write


@dataclass(frozen=True)
class Value:
    """One value of a setting: where it is chosen, what is stored, its word on the screen, and wishes."""

    path: tuple[str, ...]
    label: str
    setting: str  # table and key
    stored: str
    word: str
    wishes: tuple[str, ...]


def _values(
    path: tuple[str, ...], label: str, setting: str, *values: tuple[str, str, tuple[str, ...]]
) -> tuple[Value, ...]:
    return tuple(Value(path, label, setting, *value) for value in values)


TIMEOUT = _values(
    (DISPLAY,),
    "Screen timeout",
    "system screen_off_timeout",
    ("15000", "15 seconds", ("the screen should go dark after a quarter of a minute",)),
    ("30000", "30 seconds", ("let the screen sleep after half a minute", "dark after half a minute")),
    ("60000", "1 minute", ("sixty seconds without a touch and the screen sleeps",)),
    ("120000", "2 minutes", ("the screen should stay lit for a hundred and twenty seconds",)),
    ("300000", "5 minutes", ("keep the screen lit long enough for a short song, three hundred seconds",)),
    ("600000", "10 minutes", ("I read slowly: keep the screen lit for a sixth of an hour",)),
    (
        "1800000",
        "30 minutes",
        ("keep the screen lit for half an hour", "half an hour until the screen sleeps"),
    ),
)
LETTERS = _values(
    (DISPLAY,), "Font size", "system font_scale",
    ("0.85", "Small", ("I want to see more on one page: tiny letters, please",)),
    ("1.0", "Default", ("letters should have their usual height again",)),
    ("1.15", "Large", ("letters a little bigger than usual, but not the biggest",)),
    ("1.3", "Largest", ("I forgot my glasses: the biggest letters there are",)),
)  # fmt: skip
HOLDING = _values(
    (ACCESS,), "Touch and hold delay", "secure long_press_timeout",
    ("400", "Short", ("pressing for a moment should be enough for a long press",)),
    ("1000", "Medium", ("a long press should take neither a moment nor ages",)),
    ("1500", "Long", ("my fingers are slow: a long press should take its time",)),
)  # fmt: skip
CHOICES = (
    *TIMEOUT,
    *LETTERS,
    *HOLDING,
    *_values(
        (CLOCK,),
        "Time zone",
        "global time_zone",
        ("Europe/Paris", "Paris", ("I moved to France, show the hours of its capital",)),
        ("America/New_York", "New York", ("show the hours of the American east coast",)),
        ("Asia/Tokyo", "Tokyo", ("I live in Japan now, adjust the clock's region",)),
        ("Australia/Sydney", "Sydney", ("I emigrated to Australia, adjust the clock's region",)),
    ),
    *_values(
        (LANGUAGE,),
        "System language",
        "system system_locales",
        ("en-GB", "English (United Kingdom)", ("the phone should speak like a Londoner",)),
        ("de-DE", "Deutsch", ("the phone should talk German to me",)),
        ("fr-FR", "Français", ("the phone should talk French to me",)),
        ("es-ES", "Español", ("the phone should talk Spanish to me",)),
        ("pt-BR", "Português", ("the phone should talk Portuguese to me",)),
    ),
    *_values(
        (NETWORK,),
        "Private DNS",
        "global private_dns_mode",
        ("off", "Off", ("names of web sites should be looked up in the open",)),
        (
            "hostname",
            "Provider hostname",
            ("names of web sites should be looked up at a host that I choose",),
        ),
    ),
)


def choose(draw: Draw) -> Draft:
    """Pick the value that a wish describes."""
    value = draw.own(CHOICES)
    others = [other.stored for other in CHOICES if other.setting == value.setting and other != value]
    return Draft(
        goal=capital(draw.say(ASK, UNSEEN_ASK).format(draw.any(value.wishes))),
        setup=(f"settings put {value.setting} {draw.any(others)}",),
        probes={"value": f"settings get {value.setting}"},
        check=(equals("value", value.stored),),
        plan=(open_app("Settings"), *map(tap, value.path), tap(value.label), commit(value.word)),
        level=2,
    )


SCALES = {
    "screen_off_timeout": ("the time before the screen sleeps", "longer", "shorter"),
    "font_scale": ("the letters", "bigger", "smaller"),
    "long_press_timeout": ("the wait of a long press", "longer", "shorter"),
}
STEP = (
    "Make {} one step {}", "{} should be a notch {} than now", "One step {1} for {0}, please",
    "Change {} to the next {} value", "I would like {} just one step {}",
)  # fmt: skip
UNSEEN_STEP = ("Whatever it is now, I want {} one level {}", "Move {} on by one: {}")


def step(draw: Draw) -> Draft:
    """Choose the neighbour of the present value."""
    value = draw.own(CHOICES)
    scale = next((scale for scale in (TIMEOUT, LETTERS, HOLDING) if value in scale), None)
    if scale is None:
        return step(draw)
    place = scale.index(value)
    up = place == len(scale) - 1 or (place > 0 and draw.any((True, False)))
    before = scale[place - 1 if up else place + 1]
    what, more, less = SCALES[value.setting.split()[1]]
    return Draft(
        goal=capital(draw.say(STEP, UNSEEN_STEP).format(what, more if up else less)),
        setup=(f"settings put {value.setting} {before.stored}",),
        probes={"neighbour": f"settings get {value.setting}"},
        check=(equals("neighbour", value.stored),),
        plan=(open_app("Settings"), *map(tap, value.path), tap(value.label), commit(value.word)),
        level=3,
    )


FIRST = ("Blue", "Old", "Quick", "Quiet", "Silver", "Lucky", "Little", "Golden")
SECOND = ("Heron", "Fox", "Harbour", "Robin", "Lantern", "Comet", "Otter", "Maple")
NAMES = tuple(f"{first} {second}" for first, second in product(FIRST, SECOND))
FINDERS = tuple(
    f"{start} {end}"
    for start, end in product(
        ("Please call", "Bring it to", "Reward from", "Belongs to", "Ask for"),
        ("room 12", "the front desk", "Ada at 555 0134", "the blue house", "the school office"),
    )
)
RENAME = ('From now on this phone goes by "{}"', 'Others should see this phone as "{}"', 'Call my phone "{}"')
UNSEEN_RENAME = ('Baptise this phone "{}"', 'When my phone shows up elsewhere it should be "{}"')
LEAVE = (
    'Whoever finds this phone should read "{}" without unlocking it',
    'Let the locked phone say "{}"',
    'In case I lose the phone, put "{}" on it for the finder',
)
UNSEEN_LEAVE = ('An honest finder should see "{}" before unlocking',)


def label_phone(draw: Draw) -> Draft:
    """Write the phone's name, or a message for whoever finds it."""
    text, finder = draw.own((*((name, False) for name in NAMES), *((words, True) for words in FINDERS)))
    path, label, key, known, unseen = (
        (SECURITY, "Lock screen message", "secure lock_screen_owner_info", LEAVE, UNSEEN_LEAVE)
        if finder
        else ("About phone", "Device name", "global device_name", RENAME, UNSEEN_RENAME)
    )
    return Draft(
        goal=draw.say(known, unseen).format(text),
        probes={"text": f"settings get {key}"},
        check=(equals("text", text),),
        plan=(open_app("Settings"), tap(path), tap(label), write(text, label), commit("Save")),
        level=2,
    )
