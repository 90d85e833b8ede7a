"""A fresh phone: its settings tables and an empty state."""

from __future__ import annotations

from distrl.simphone.apps.registry import APPS
from distrl.simphone.apps.settings.tables import DEFAULTS
from distrl.simphone.chance import pick
from distrl.simphone.navigation import LAUNCHER
from distrl.simphone.state import Entry, State, Task
from distrl.simphone.theme import FONT_SCALES


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
    )
