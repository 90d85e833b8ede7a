"""Puts apps onto the phone and takes them off; `state.packages` is what the launcher and `pm` believe."""

from __future__ import annotations

from distrl.simphone import navigation
from distrl.simphone.state import State
from distrl.simphone.store import Store

STORE_PREFIX = "com.simphone.extra."


def installed(state: State, package: str) -> bool:
    """Whether an app is on the phone."""
    return package in state.packages


def removable(package: str) -> bool:
    """Whether the user may uninstall an app: those that the store offers, not the phone's own."""
    return package.startswith(STORE_PREFIX)


def install(state: State, package: str) -> None:
    """Make an app known to the launcher and the shell."""
    if package not in state.packages:
        state.packages.append(package)


def uninstall(store: Store, package: str) -> None:
    """Take an app off the phone, with its window and its data."""
    state = store.state
    if package in state.packages:
        state.packages.remove(package)
        navigation.close(state, package)
        store.forget(package)
        state.permissions.pop(package, None)
        state.notifications = [one for one in state.notifications if one.package != package]
        if package in state.silenced:
            state.silenced.remove(package)
