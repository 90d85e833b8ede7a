"""The names that apps go by on Google's system images, for clients that know only those.

The phone's own packages have the names of the open-source apps (`com.android.deskclock`). Programs written
for Google's emulator images start and expect Google's builds of them (`com.google.android.deskclock`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from distrl.simphone.shell.result import Command, ShellResult

OWN, GOOGLE = "own", "google"
NAMES = (OWN, GOOGLE)


class Alias(NamedTuple):
    """What an app of this phone is called elsewhere."""

    package: str
    activity: str


ALIASES = {
    "com.android.contacts": Alias(
        "com.google.android.contacts", "com.android.contacts.activities.PeopleActivity"
    ),
    "com.android.deskclock": Alias("com.google.android.deskclock", "com.android.deskclock.DeskClock"),
    "com.android.documentsui": Alias(
        "com.google.android.documentsui", "com.android.documentsui.files.FilesActivity"
    ),
    "com.android.launcher3": Alias("com.google.android.apps.nexuslauncher", ".NexusLauncherActivity"),
    "com.android.messaging": Alias(
        "com.simplemobiletools.smsmessenger", "com.simplemobiletools.smsmessenger.activities.MainActivity"
    ),
}
"""This phone's packages → their counterparts. Messages stands for a common replacement of Google's."""

_OWN_NAMES = {alias.package: own for own, alias in ALIASES.items()}


def _pattern(names: list[str], after: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, names))}){after}")


_COMPONENTS = _pattern(list(ALIASES), r"/(?:\1)?\.[\w.]+")
_PACKAGES = _pattern(list(ALIASES), r"(?![\w.])")
_FOREIGN = _pattern(list(_OWN_NAMES), r"(?![\w.])")


def to_own(text: str) -> str:
    """A word of a command with this phone's own package names."""
    return _FOREIGN.sub(lambda found: _OWN_NAMES[found[1]], text)


def to_google(text: str) -> str:
    """What a command printed, with Google's names of packages and activities."""
    text = _COMPONENTS.sub(lambda found: "/".join(ALIASES[found[1]]), text)
    return _PACKAGES.sub(lambda found: ALIASES[found[1]].package, text)


def renamed(command: Command) -> Command:
    """A command that is given and prints Google's names."""
    return lambda phone, args: _translate(command(phone, [to_own(word) for word in args]))


def _translate(result: ShellResult) -> ShellResult:
    return ShellResult(to_google(result.stdout), result.code, result.raw)
