"""The apps of the phone. To add one, import it here and put it into APPS."""

from __future__ import annotations

from distrl.simphone.app import AnyApp
from distrl.simphone.apps.browser import BROWSER
from distrl.simphone.apps.calculator import CALCULATOR
from distrl.simphone.apps.calendar import CALENDAR
from distrl.simphone.apps.clock import CLOCK
from distrl.simphone.apps.contacts import CONTACTS
from distrl.simphone.apps.extras import EXTRAS
from distrl.simphone.apps.files import FILES
from distrl.simphone.apps.mail import MAIL
from distrl.simphone.apps.maps import MAPS
from distrl.simphone.apps.messages import MESSAGES
from distrl.simphone.apps.music import MUSIC
from distrl.simphone.apps.notes import NOTES
from distrl.simphone.apps.settings import SETTINGS
from distrl.simphone.apps.store import STORE
from distrl.simphone.apps.weather import WEATHER

APPS: tuple[AnyApp, ...] = (
    SETTINGS,
    CONTACTS,
    NOTES,
    BROWSER,
    MESSAGES,
    CLOCK,
    MAIL,
    FILES,
    MUSIC,
    CALCULATOR,
    STORE,
    *EXTRAS,
    WEATHER,
    MAPS,
    CALENDAR,
)

BY_PACKAGE: dict[str, AnyApp] = {app.package: app for app in APPS}


def find_app(name: str) -> AnyApp | None:
    """An app by its package or by its visible name, in any case."""
    wanted = name.strip().lower()
    found = BY_PACKAGE.get(wanted)
    return found or next((app for app in APPS if app.label.lower() == wanted), None)
