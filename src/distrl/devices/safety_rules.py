"""What an agent may do on a phone with a person's data, decided from one screen and one action; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from distrl.config import SafetyConfig
from distrl.devices import refusals
from distrl.devices.adb.apps import USUAL, find_package
from distrl.devices.refusals import Phrases, plain, words_of_id
from distrl.errors import ConfigError
from distrl.records import Action, ActionKind, Observation, Point, UiNode

ANY = "any"  # as an allowed app: all but the refused ones
SYSTEM = frozenset(  # dialogs of the system, which appear over allowed apps
    {"android", "com.android.permissioncontroller", "com.google.android.permissioncontroller"}
)
HOMES = frozenset(  # where HOME leads, should the phone not tell
    {
        "com.android.launcher", "com.android.launcher3", "com.google.android.apps.nexuslauncher",
        "com.sec.android.app.launcher", "com.miui.home", "com.huawei.android.launcher", "com.oppo.launcher",
        "net.oneplus.launcher", "com.motorola.launcher3", "com.google.android.launcher",
    }
)  # fmt: skip
LARGE = 0.25  # share of the screen from which an element is a page rather than a button
NEAR = 0.01  # share of the screen's height by which a touch may miss and still count

_TOUCHES = (ActionKind.TAP, ActionKind.LONG_PRESS, ActionKind.SWIPE)
_JUDGED = (*_TOUCHES, ActionKind.TYPE, ActionKind.ENTER)


@dataclass(frozen=True)
class Surroundings:
    """What a phone tells of itself when it is opened."""

    homes: frozenset[str] = HOMES
    keyboards: frozenset[str] = frozenset()
    installed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rules:
    """The rules of one run; `objection` and `outside` apply them."""

    allowed: frozenset[str]  # packages; ANY for all
    refused_apps: tuple[str, ...] = refusals.APPS
    words: Phrases = field(default_factory=lambda: Phrases(refusals.WORDS))
    screens: Phrases = field(default_factory=lambda: Phrases(refusals.SCREENS))
    named: Mapping[str, str] = field(default_factory=dict)  # names of apps, in small letters, and packages
    without_tree: bool = False
    all_commands: bool = False

    def is_allowed(self, app: str) -> bool:
        """Whether this is one of the apps that the agent is there to use."""
        if any(fnmatchcase(app.lower(), pattern.lower()) for pattern in self.refused_apps):
            return False
        return app in self.allowed or ANY in self.allowed

    def outside(self, seen: Observation, around: Surroundings) -> str:
        """The app in front if the agent has no business there; empty if it may stay, or nothing is known."""
        app = front(seen)
        return "" if not app or self._may_show(app, around) else app

    def package_to_open(self, name: str, around: Surroundings) -> str:
        """The allowed, installed app that a name means; empty if there is none."""
        there = {package for package in around.installed or self.allowed if self.is_allowed(package)}
        package = find_package(name, there, self.named)
        by_case = {each.lower(): each for each in there}
        return by_case.get(package.strip().lower(), "")

    def objection(self, action: Action, seen: Observation, around: Surroundings) -> str:
        """Why an action must not be carried out on this screen; empty if it may be.

        BACK, HOME and WAIT are always right, and what ends an episode touches nothing. OPEN_APP is judged by
        `package_to_open`.
        """
        if action.kind not in _JUDGED:
            return ""
        if app := self.outside(seen, around):
            return f"{app} is in front, which is not allowed"
        if not front(seen):
            return "nobody can tell which app is in front"
        if seen.ui is None:
            return (
                "" if self.without_tree else "nobody can tell what is there: the screen came without a tree"
            )
        for node in seen.ui:
            if phrase := _first(self.screens, node):
                return f"the screen says {phrase!r}"
        for node in self._concerned(action, seen, seen.ui):
            if phrase := _first(self.words, node):
                return f"it touches {phrase!r}"
        for point in (action.point, action.to):
            owner = _owner(point, seen, seen.ui)
            if owner and not self._may_show(owner, around):
                return f"it touches {owner}, which is not allowed"
        return ""

    def bad_command(self, lines: Iterable[str]) -> str:
        """The first of a task's shell lines that may destroy a person's data; empty if none does."""
        if self.all_commands:
            return ""
        return next(
            (line for line in lines if any(re.search(pattern, line) for pattern in refusals.COMMANDS)), ""
        )

    def _may_show(self, app: str, around: Surroundings) -> bool:
        if self.is_allowed(app):
            return True
        if any(fnmatchcase(app.lower(), pattern.lower()) for pattern in self.refused_apps):
            return False
        return app in SYSTEM or app in around.homes or app in around.keyboards

    def _concerned(self, action: Action, seen: Observation, ui: tuple[UiNode, ...]) -> Iterator[UiNode]:
        """The elements that an action may set off."""
        if action.kind in _TOUCHES:
            for point in (action.point, action.to):
                if point is not None:
                    yield from _around(point, seen, ui)
        elif action.kind is ActionKind.ENTER or "\n" in (action.text or "") or "\r" in (action.text or ""):
            yield from ui  # what ENTER submits cannot be seen, so all that is in sight counts


def front(seen: Observation) -> str:
    """The app in front, as the phone or else the tree tells it; empty if neither does."""
    return seen.app or (seen.ui[0].package if seen.ui else "")


def _around(point: Point, seen: Observation, ui: tuple[UiNode, ...]) -> Iterator[UiNode]:
    """The elements under and next to a point, and all that the button there contains."""
    x, y, near = point.x * seen.width, point.y * seen.height, NEAR * seen.height
    under = [index for index, node in enumerate(ui) if _contains(node, x, y, near)]
    buttons = {
        index
        for index in under
        if (ui[index].clickable or ui[index].long_clickable or ui[index].checkable)
        and _area(ui[index]) < LARGE * seen.width * seen.height
    }
    inside = set(buttons)
    for index, node in enumerate(ui):  # parents come before their children
        if node.parent in inside:
            inside.add(index)
    yield from (ui[index] for index in sorted(inside | set(under)))


def _owner(point: Point | None, seen: Observation, ui: tuple[UiNode, ...]) -> str:
    """The package of the smallest element under a point, the topmost of equals."""
    if point is None:
        return ""
    x, y = point.x * seen.width, point.y * seen.height
    under = [(_area(node), -index) for index, node in enumerate(ui) if _contains(node, x, y, 0)]
    return ui[-min(under)[1]].package if under else ""


def _contains(node: UiNode, x: float, y: float, near: float) -> bool:
    left, top, right, bottom = node.bounds
    return left - near <= x <= right + near and top - near <= y <= bottom + near


def _area(node: UiNode) -> int:
    left, top, right, bottom = node.bounds
    return (right - left) * (bottom - top)


def _first(phrases: Phrases, node: UiNode) -> str:
    """A phrase found on an element; what somebody typed into a field is no label."""
    texts = ("" if node.editable else node.text, node.description, words_of_id(node.resource_id))
    return next((found for text in texts if text and (found := phrases.find(text))), "")


def rules_from(safety: SafetyConfig, named: Mapping[str, str]) -> Rules:
    """The rules of a configuration; `named` are packages by the names in `device.options.apps`."""
    lifted = {plain(phrase.removeprefix("=")) for phrase in safety.permitted}

    def kept(phrases: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(phrase for phrase in phrases if plain(phrase.removeprefix("=")) not in lifted)

    faults: list[str] = []
    allowed = frozenset(package for app in safety.allowed_apps for package in _packages(app, named, faults))
    if faults:
        raise ConfigError(faults, "safety.allowed_apps")
    return Rules(
        allowed=allowed,
        refused_apps=(*kept(refusals.APPS), *safety.refused_apps),
        words=Phrases((*kept(refusals.WORDS), *safety.refused_words)),
        screens=Phrases((*kept(refusals.SCREENS), *safety.refused_screens)),
        named=named,
        without_tree=safety.without_tree,
        all_commands=safety.all_commands,
    )


def _packages(app: str, named: Mapping[str, str], faults: list[str]) -> tuple[str, ...]:
    """The packages that an allowed app may mean: itself, or those of a name."""
    name = app.strip().lower()
    if name == ANY or "." in name:
        return (ANY if name == ANY else app.strip(),)
    if name in named:
        return (named[name],)
    if name not in USUAL:
        faults.append(
            f"nobody knows the package of {app!r}; write the package itself (adb shell pm list packages)"
        )
    return USUAL.get(name, ())
