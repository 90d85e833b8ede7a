"""What can be compared: names of algorithms and variants, and the settings that each stands for."""

from __future__ import annotations

from pathlib import Path

import yaml

from distrl import plugins
from distrl.errors import ConfigError

HERE = Path(__file__).resolve().parent
ENTRIES = HERE / "entries.yaml"
TUNED = HERE / "settings.yaml"
CLONING = "cloning"  # the entry that does no reinforcement learning

Settings = dict[str, object]  # full name of a setting → value


def read_yaml(path: Path) -> dict[str, Settings]:
    """A file of settings by name; one that does not exist holds none."""
    if not path.exists():
        return {}
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"not YAML: {error}", str(path)) from error
    if not isinstance(values, dict) or not all(isinstance(entry, dict) for entry in values.values()):
        raise ConfigError("must hold settings by name", str(path))
    return values


def settings_of(name: str, suite: str, tuned: Path | None = TUNED) -> Settings:
    """All settings of an entry: what makes it what it is, then what the search has found for the suite."""
    entries = read_yaml(ENTRIES)
    if name not in entries and name not in plugins.found("algorithms"):
        known = sorted(entries.keys() | plugins.found("algorithms").keys())
        raise ConfigError(f"there is no {name!r}; known: {', '.join(known)}", "--algorithms")
    own = dict(entries.get(name, {"algorithm.kind": name}))
    like = own.pop("like", None)
    before = settings_of(str(like), suite, tuned) if like is not None else {}
    return {**before, **own, **_tuned(name, suite, tuned)}


def _tuned(name: str, suite: str, path: Path | None) -> Settings:
    found = read_yaml(path).get(suite, {}).get(name) if path is not None else None
    if found is None:
        return {}
    settings = found.get("settings") if isinstance(found, dict) else None
    if not isinstance(settings, dict):
        raise ConfigError(f"{suite}: {name} holds no settings", str(path))
    return settings


def as_overrides(settings: Settings) -> list[str]:
    """The settings as `--set` takes them."""
    return [
        f"{key}={yaml.safe_dump(value, default_flow_style=True).splitlines()[0]}"
        for key, value in settings.items()
    ]
