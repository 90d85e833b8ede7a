"""A fresh phone: its settings tables and an empty state."""

from __future__ import annotations

from distrl.simphone.apps.registry import APPS
from distrl.simphone.apps.settings.tables import DEFAULTS
from distrl.simphone.chance import pick, shuffled
from distrl.simphone.navigation import LAUNCHER
from distrl.simphone.state import BOOT_TIME_S, Entry, Notification, State, Task
from distrl.simphone.theme import FONT_SCALES

# What may lie in the shade of a fresh phone: package, title, text. None of it matters to anybody.
NOTICES = (
    ("com.simphone.store", "Updates available", "2 apps can be updated"),
    ("com.simphone.weather", "Tomorrow", "A mild day with some clouds"),
    ("android", "USB debugging connected", "Tap to turn off USB debugging"),
    ("com.simphone.music", "Made for you", "A playlist for a slow morning"),
    ("com.android.calendar", "Calendar is up to date", "All events were synchronised"),
    ("com.simphone.mail", "Mail", "Your mailbox is almost tidy"),
)


def _notifications(seed: int) -> list[Notification]:
    """None, one or two notices that are only in the way."""
    chosen = shuffled(NOTICES, seed, "notices")[: pick((0, 0, 1, 1, 2), seed, "how many notices")]
    return [
        Notification(number, package, title, text, posted_s=BOOT_TIME_S - 600 * number)
        for number, (package, title, text) in enumerate(chosen, 1)
    ]


def fresh_state(seed: int, world_seed: int = 0) -> State:
    """A phone that was just switched on; the seed decides how it looks, the world seed what it holds."""
    settings = {namespace: dict(table) for namespace, table in DEFAULTS.items()}
    settings["system"]["font_scale"] = pick(FONT_SCALES, seed, "font")
    settings["secure"]["ui_night_mode"] = pick(("1", "1", "2"), seed, "night")
    return State(
        seed=seed,
        world_seed=world_seed,
        settings=settings,
        apps={},
        tasks=[Task(LAUNCHER, [Entry("main")])],
        packages=[app.package for app in APPS if app.preinstalled],
        notifications=_notifications(seed),
    )
