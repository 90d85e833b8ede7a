"""Devices, policies, judges, suites, algorithms and engines, found by name through entry points.

distrl registers its own the same way, so a user's package is on equal terms: a class and a line in its
pyproject.toml.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from distrl.errors import ConfigError

GROUPS = ("devices", "policies", "languages", "judges", "suites", "algorithms", "engines")


def found(group: str) -> dict[str, EntryPoint]:
    """What is installed for a group, by name."""
    return {
        point.name: point for point in sorted(entry_points(group=f"distrl.{group}"), key=lambda p: p.name)
    }


def find(group: str, name: str) -> Callable[..., Any]:
    """The factory registered under a name; raises ConfigError when there is none or it does not import."""
    points = found(group)
    if name not in points:
        known = ", ".join(points) or "none: is distrl installed (pip install -e .)?"
        raise ConfigError(f"nothing called {name!r}; known: {known}", f"distrl.{group}")
    try:
        factory = points[name].load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"{name!r} ({points[name].value}) does not load: {error}", f"distrl.{group}"
        ) from error
    if not callable(factory):
        raise ConfigError(f"{name!r} ({points[name].value}) is not callable", f"distrl.{group}")
    return factory  # type: ignore[no-any-return]
