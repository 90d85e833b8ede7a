"""From presets, a file and overrides to a configuration, and every fault in words, all at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from distrl.config.run import RunConfig
from distrl.config.section import Section
from distrl.errors import ConfigError

# The two large suites on two cores: three minutes of cloning, then a quarter of an hour of learning.
_LARGE: dict[str, Any] = {
    # Pictures have the size that the small policy looks at, which phones draw quickest.
    "device": {"picture_scale": 0.25},
    "algorithm": {"lr": 1.5e-4, "lr_fade": 1.0, "entropy": 0.008},
    # As many episodes as two cores can collect beside the learner: priorities choose among them.
    "replay": {"capacity": 4000, "ratio": 1.2},
    "learner": {"average_updates": 30},
    "budget": {"minutes": 15.0},
}

PRESETS: dict[str, dict[str, Any]] = {
    # Two cores, no GPU: a better agent within minutes.
    "laptop": {},
    # Seconds, for tests and a first look at the moving parts.
    "tiny": {
        "collect": {"devices": 4},
        "policy": {"width": 32, "layers": 1},
        "warmstart": {"demonstrations": 8, "epochs": 1, "processes": 1},
        "replay": {"min_trajectories": 4, "slack": 400},
        "learner": {"batch_trajectories": 4, "publish_every": 2, "checkpoint_every_s": 1.0},
        "evaluation": {"episodes": 4, "final_episodes": 4, "devices": 4, "every_s": 5.0},
        "budget": {"minutes": 1.0, "updates": 20},
    },
    "general": {
        **_LARGE,
        "suite": "general",
        "warmstart": {"demonstrations": 2300, "epochs": 3},
        "evaluation": {"every_s": 120.0, "episodes": 123, "final_episodes": 189},
    },
    "web-shopping": {
        **_LARGE,
        "suite": "web-shopping",
        "warmstart": {"demonstrations": 2200, "epochs": 3},
        "evaluation": {"every_s": 120.0, "episodes": 102, "final_episodes": 147},
    },
    # DigiRL's scheme: everyone collects, everyone stops, train, repeat.
    "sync": {"mode": "sync"},
}


def resolve(
    preset: str = "laptop", file: Path | None = None, overrides: list[str] | tuple[str, ...] = ()
) -> RunConfig:
    """The configuration from a preset, a file and `key=value` overrides; one ConfigError names all faults."""
    if preset not in PRESETS:
        raise ConfigError(f"there is no preset {preset!r}; known: {', '.join(PRESETS)}", "--preset")
    values: dict[str, Any] = {}
    _merge(values, PRESETS[preset])
    if file is not None:
        _merge(values, _read(file))
    faults: list[str] = []
    for override in overrides:
        key, sign, text = override.partition("=")
        if not sign or not key.strip():
            faults.append(f"--set {override}: write it as key=value, for instance replay.ratio=2")
            continue
        try:
            value = yaml.safe_load(text)
        except yaml.YAMLError:
            value = text
        nested: dict[str, Any] = {}
        inner = nested
        *path, last = key.strip().split(".")
        for name in path:
            inner = inner.setdefault(name, {})
        inner[last] = value
        _merge(values, nested)
    return _validate(values, faults, str(file) if file else "the configuration")


def load(text: str, source: str) -> RunConfig:
    """The configuration from YAML text as `dump` wrote it."""
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"not YAML: {error}", source) from error
    if not isinstance(values, dict):
        raise ConfigError("does not hold key: value pairs", source)
    return _validate(values, [], source)


def dump(config: RunConfig) -> str:
    """The configuration as YAML that `load` reads."""
    return yaml.safe_dump(config.model_dump(), sort_keys=False, allow_unicode=True)


def _read(file: Path) -> dict[str, Any]:
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", str(file)) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"not YAML: {error}", str(file)) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError("does not hold key: value pairs", str(file))
    return values


def _merge(base: dict[str, Any], extra: dict[str, Any]) -> None:
    for key, value in extra.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        else:
            base[key] = dict(value) if isinstance(value, dict) else value


def _validate(values: dict[str, Any], faults: list[str], source: str) -> RunConfig:
    try:
        config = RunConfig.model_validate(values)
    except ValidationError as error:
        faults = faults + [_sentence(fault) for fault in error.errors()]
        raise ConfigError(faults, source) from None
    if faults:
        raise ConfigError(faults, source)
    return config


def _sentence(fault: Any) -> str:
    """One of pydantic's faults in words."""
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"there is no setting {key!r}{_suggestion(key)}"
    return f"{key} = {fault['input']!r}: {fault['msg'][0].lower()}{fault['msg'][1:]}"


def _suggestion(key: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, keys(), 1, 0.6) or [
        known for known in keys() if known.split(".")[-1] == key.split(".")[-1]
    ]
    return f"; did you mean {near[0]!r}?" if near else "; `distrl config show` lists all settings"


def keys(section: type[BaseModel] = RunConfig, prefix: str = "") -> list[str]:
    """Every setting's full name."""
    names: list[str] = []
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            names += keys(kind, f"{prefix}{name}.")
        else:
            names.append(prefix + name)
    return names
