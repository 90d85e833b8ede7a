"""Notifications: posted by apps or the shell, listed in the shade, opened by a touch."""

from __future__ import annotations

from collections.abc import Mapping

from distrl.simphone import navigation
from distrl.simphone.state import Notification, State, Value

MOST_KEPT = 16
ANDROID = "android"
"""The package under which the system itself posts."""


def post(
    state: State,
    package: str,
    title: str,
    text: str = "",
    page: str = "",
    args: Mapping[str, Value] | None = None,
) -> None:
    """Put a notification on top of the shade, unless the user has silenced the app."""
    if package in state.silenced:
        return
    number = 1 + max((one.id for one in state.notifications), default=0)
    state.notifications.insert(
        0, Notification(number, package, title, text, page, dict(args or {}), state.now_s)
    )
    del state.notifications[MOST_KEPT:]


def find(state: State, number: int) -> Notification | None:
    """The notification with this id."""
    return next((one for one in state.notifications if one.id == number), None)


def dismiss(state: State, number: int) -> None:
    """Take one away."""
    state.notifications = [one for one in state.notifications if one.id != number]


def open_page(state: State, number: int) -> None:
    """Take one away and show what it is about."""
    found = find(state, number)
    if found is None:
        return
    dismiss(state, number)
    if found.package in state.packages:
        navigation.launch(state, found.package, found.page, found.args)


def allow(state: State, package: str, allowed: bool) -> None:
    """Let an app post notifications, or silence it and take away what it has posted."""
    if allowed and package in state.silenced:
        state.silenced.remove(package)
    elif not allowed and package not in state.silenced:
        state.silenced.append(package)
        state.notifications = [one for one in state.notifications if one.package != package]
