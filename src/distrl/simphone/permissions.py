"""Permissions: what apps may ask for, and what the user answered, per package."""

from __future__ import annotations

import msgspec

from distrl.simphone.state import State


class Permission(msgspec.Struct, frozen=True):
    """Something an app has to ask for: Android's name, how the question ends, its title and icon."""

    android_name: str
    question: str
    title: str
    icon: str
    once: bool = False
    """Whether it can be allowed for one time only."""


def _android(name: str) -> str:
    return f"android.permission.{name}"


PERMISSIONS: dict[str, Permission] = {
    "location": Permission(
        _android("ACCESS_FINE_LOCATION"), "access this device's location", "Location", "location_on", True
    ),
    "camera": Permission(
        _android("CAMERA"), "take pictures and record video", "Camera", "photo_camera", True
    ),
    "microphone": Permission(_android("RECORD_AUDIO"), "record audio", "Microphone", "mic", True),
    "contacts": Permission(_android("READ_CONTACTS"), "access your contacts", "Contacts", "person"),
    "calendar": Permission(_android("READ_CALENDAR"), "access your calendar", "Calendar", "calendar_today"),
    "photos": Permission(
        _android("READ_MEDIA_IMAGES"), "access photos and videos on this device", "Photos and videos", "image"
    ),
    "phone": Permission(_android("CALL_PHONE"), "make and manage phone calls", "Phone", "call"),
}

WANTED: dict[str, tuple[str, ...]] = {
    "com.simphone.maps": ("location", "microphone"),
    "com.simphone.weather": ("location",),
    "com.simphone.browser": ("location", "camera", "microphone"),
    "com.android.messaging": ("contacts", "camera", "photos"),
    "com.android.contacts": ("phone", "photos"),
    "com.simphone.mail": ("contacts", "calendar", "photos"),
    "com.android.calendar": ("contacts", "location"),
    "com.android.documentsui": ("photos",),
    "com.simphone.music": ("microphone", "photos"),
    "com.simphone.notes": ("camera", "microphone"),
}
"""What each app asks for in its app info; other apps ask for nothing."""

ANSWERS = ("granted", "once", "denied")


def answer(state: State, package: str, permission: str) -> str:
    """What the user said: `granted`, `once`, `denied`, or nothing yet."""
    return state.permissions.get(package, {}).get(permission, "")


def allowed(state: State, package: str, permission: str) -> bool:
    """Whether the app may."""
    return answer(state, package, permission) in ("granted", "once")


def put(state: State, package: str, permission: str, given: str) -> None:
    """Remember an answer; an empty one makes the app ask again."""
    if permission not in PERMISSIONS:
        return
    answers = state.permissions.setdefault(package, {})
    if given in ANSWERS:
        answers[permission] = given
    else:
        answers.pop(permission, None)
    if not answers:
        del state.permissions[package]


def wanted_by(state: State, package: str) -> list[str]:
    """The permissions in an app's list: those it wants and those that it was asked about."""
    asked = state.permissions.get(package, {})
    return list(dict.fromkeys((*WANTED.get(package, ()), *asked)))


def by_android_name(name: str) -> str:
    """Our word for `android.permission.X` (also for the word itself); empty if there is none."""
    if name in PERMISSIONS:
        return name
    return next((word for word, one in PERMISSIONS.items() if one.android_name == name), "")
