"""Task suites: what agents are asked to do, how a device is prepared for it, and how success is checked."""

from __future__ import annotations

from pathlib import Path

from distrl import plugins
from distrl.errors import ConfigError, TaskError
from distrl.interfaces import Suite
from distrl.tasks.files import load_file


def find_suite(name_or_path: str) -> Suite:
    """A registered suite by its name, or the suite in a YAML file."""
    if name_or_path.endswith((".yaml", ".yml")) or Path(name_or_path).is_file():
        return load_file(name_or_path)
    try:
        suite = plugins.find("suites", name_or_path)()
    except ConfigError as error:
        raise TaskError(f"there is no suite {name_or_path!r} and no such task file: {error}") from error
    if not isinstance(suite, Suite):
        raise TaskError(f"{name_or_path!r} is registered as a suite but lacks what a suite must have")
    return suite
