"""Task suites: what agents are asked to do, how a device is prepared for it, and how success is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from distrl import plugins
from distrl.errors import ConfigError, TaskError
from distrl.interfaces import Suite
from distrl.tasks.files import load_file
from distrl.tasks.lists import ENDING, load_list


@runtime_checkable
class Demanding(Protocol):
    """A suite's factory that says which kind of device its tasks need; optional."""

    device: str


def needed_device(name_or_path: str) -> str | None:
    """The only kind of device that a suite's tasks run on, if its factory names one; builds no suite."""
    if name_or_path not in plugins.found("suites"):
        return None
    factory = plugins.find("suites", name_or_path)
    return factory.device if isinstance(factory, Demanding) else None


def suite_of(task_id: str) -> str | None:
    """The registered suite that a task's id begins with, if there is one."""
    name = task_id.partition("/")[0]
    return name if name in plugins.found("suites") else None


def find_suite(name_or_path: str) -> Suite:
    """A registered suite by name, or the suite in a YAML file, a text file, or a folder with train.txt."""
    path = Path(name_or_path)
    if name_or_path.endswith(ENDING):
        return load_list(path)
    if name_or_path.endswith((".yaml", ".yml")) or path.is_file():
        return load_file(path)
    if name_or_path not in plugins.found("suites") and (path / f"train{ENDING}").is_file():
        return load_list(path)
    try:
        suite = plugins.find("suites", name_or_path)()
    except ConfigError as error:
        raise TaskError(f"there is no suite {name_or_path!r} and no such task file: {error}") from error
    if not isinstance(suite, Suite):
        raise TaskError(f"{name_or_path!r} is registered as a suite but lacks what a suite must have")
    return suite
