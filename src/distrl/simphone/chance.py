"""Random choices that depend only on a seed and a name, so that a phone is always drawn the same way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")


def generator(*key: str | int) -> random.Random:
    """A random generator for this key: equal keys give equal sequences, on every machine."""
    return random.Random(":".join(map(str, key)))


@lru_cache(maxsize=4096)
def _order(count: int, key: tuple[str | int, ...]) -> tuple[int, ...]:
    places = list(range(count))
    generator(*key).shuffle(places)
    return tuple(places)


def shuffled(items: Sequence[T], *key: str | int) -> list[T]:
    """The items in an order decided by the key."""
    return [items[place] for place in _order(len(items), key)]


@lru_cache(maxsize=4096)
def fraction(*key: str | int) -> float:
    """A number in [0, 1) decided by the key."""
    return generator(*key).random()


def pick(items: Sequence[T], *key: str | int) -> T:
    """One of the items, decided by the key."""
    return items[int(fraction(*key) * len(items))]
