"""Which package an app's visible name means; Android's shell knows packages only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# What the makers of phones agree on, in order of preference.
USUAL: dict[str, tuple[str, ...]] = {
    "browser": ("com.android.chrome", "org.mozilla.firefox", "com.android.browser"),
    "calculator": ("com.google.android.calculator", "com.android.calculator2"),
    "calendar": ("com.google.android.calendar", "com.android.calendar"),
    "camera": ("com.google.android.GoogleCamera", "com.android.camera2", "com.android.camera"),
    "chrome": ("com.android.chrome",),
    "clock": ("com.google.android.deskclock", "com.android.deskclock"),
    "contacts": ("com.google.android.contacts", "com.android.contacts"),
    "files": (
        "com.google.android.apps.nbu.files",
        "com.google.android.documentsui",
        "com.android.documentsui",
    ),
    "gmail": ("com.google.android.gm",),
    "maps": ("com.google.android.apps.maps",),
    "messages": ("com.google.android.apps.messaging", "com.android.messaging", "com.android.mms"),
    "phone": ("com.google.android.dialer", "com.android.dialer"),
    "photos": ("com.google.android.apps.photos",),
    "play store": ("com.android.vending",),
    "settings": ("com.android.settings",),
    "youtube": ("com.google.android.youtube",),
}


def find_package(name: str, installed: Iterable[str], named: Mapping[str, str]) -> str:
    """The package of an app: by package, by a name from `named`, a usual name, or the package's last part.

    What nobody knows is returned as it is: the phone will say that there is no such app.
    """
    wanted = name.strip().lower()
    known = set(installed)
    if wanted in known:
        return wanted
    if wanted in named:
        return named[wanted]
    for package in USUAL.get(wanted, ()):
        if package in known:
            return package
    short = wanted.replace(" ", "")
    return next((package for package in sorted(known) if package.rsplit(".", 1)[-1].lower() == short), name)
