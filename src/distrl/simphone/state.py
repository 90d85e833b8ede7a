"""Everything that exists on the phone, as plain data that can be written down and read back exactly."""

from __future__ import annotations

import msgspec

Value = str | int | float | bool
"""What a page argument or a part of a message may be."""

BOOT_TIME_S = 1_715_679_660.0
"""The phone's clock at boot: Tuesday 14 May 2024, 09:41 (the phone lives in GMT)."""


class Entry(msgspec.Struct, array_like=True):
    """One page on a back stack, with what the user has typed into it and how far it is scrolled."""

    page: str
    args: dict[str, Value] = {}
    fields: dict[str, str] = {}
    scroll: dict[str, int] = {}
    ready_at_s: float = 0.0


class Task(msgspec.Struct, array_like=True):
    """An open app: its package and its back stack, bottom first (never empty)."""

    package: str
    stack: list[Entry]


class Keyboard(msgspec.Struct, array_like=True):
    """The soft keyboard: shown or not, capital letters or not, letters or symbols."""

    shown: bool = False
    shift: bool = False
    symbols: bool = False


class Toast(msgspec.Struct, array_like=True):
    """A short notice near the bottom of the screen that vanishes by itself."""

    text: str
    until_s: float


class Notification(msgspec.Struct, array_like=True):
    """A line in the shade that leads to a page of the app that posted it."""

    id: int
    package: str
    title: str
    text: str = ""
    page: str = ""
    args: dict[str, Value] = {}
    posted_s: float = 0.0


class Nuisance(msgspec.Struct, array_like=True):
    """How often the phone gets in the way, per action: windows that pop up, taps that do nothing."""

    popups: float = 0.0
    drops: float = 0.0
    seed: int = 0


class State(msgspec.Struct, array_like=True):
    """The whole phone. `apps` holds each app's own data, encoded; see `store.py` for the typed view.

    `packages` lists the installed apps, `overlays` the windows of the system over everything else,
    `permissions` what the user answered (by package and permission), `silenced` the packages that may not
    post notifications, `actions` how often the phone was touched while a `nuisance` was on.
    """

    seed: int
    world_seed: int
    settings: dict[str, dict[str, str]]
    apps: dict[str, msgspec.Raw]
    tasks: list[Task]
    packages: list[str]
    files: dict[str, str] = {}
    overlays: list[Entry] = []
    focus: str = ""
    keyboard: Keyboard = msgspec.field(default_factory=Keyboard)
    toast: Toast | None = None
    clipboard: str = ""
    now_s: float = BOOT_TIME_S
    loading_s: float = 0.0
    rng: int = 1
    boots: int = 1
    notifications: list[Notification] = []
    permissions: dict[str, dict[str, str]] = {}
    silenced: list[str] = []
    nuisance: Nuisance | None = None
    actions: int = 0


def setting(state: State, namespace: str, key: str, default: str = "") -> str:
    """Read one of Android's settings."""
    return state.settings.get(namespace, {}).get(key, default)


def put_setting(state: State, namespace: str, key: str, value: str) -> None:
    """Write one of Android's settings."""
    state.settings.setdefault(namespace, {})[key] = value
