"""Reads the columns that `content insert` and `content update` bind, with a value for what cannot be read."""

from __future__ import annotations

from collections.abc import Mapping


def whole(bound: Mapping[str, str], column: str, otherwise: int = 0) -> int:
    """A column as a whole number of at most 15 digits."""
    try:
        value = int(float(bound[column])) if column in bound else otherwise
    except (ValueError, OverflowError):
        return otherwise
    return value if abs(value) < 10**15 else otherwise


def flag(bound: Mapping[str, str], column: str, otherwise: bool = False) -> bool:
    """A column as yes or no."""
    return bound[column].strip().lower() in ("1", "true") if column in bound else otherwise
