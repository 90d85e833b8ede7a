"""Who gets what: values dealt out to the splits of a suite, so that none has what another has."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from distrl.errors import TaskError

T = TypeVar("T")
U = TypeVar("U")


def split_pool(pool: Sequence[T], shares: Mapping[str, float]) -> dict[str, list[T]]:
    """Deal a pool out to the splits by their shares; every split gets something, none gets what another has.

    Each value in turn goes to the split that is furthest behind its share, so neighbours in a pool (the on
    and the off of one switch, say) spread over the splits.
    """
    if len(pool) < len(shares):
        raise TaskError(f"a pool of {len(pool)} values cannot be shared by {len(shares)} splits: {pool}")
    total = sum(shares.values())
    dealt: dict[str, list[T]] = {split: [] for split in shares}
    order = list(pool)
    random.Random(repr(order)).shuffle(order)
    for count, value in enumerate(order, 1):
        behind = max(shares, key=lambda split: shares[split] / total * count - len(dealt[split]))
        left = len(order) - count + 1
        empty = [split for split in shares if not dealt[split]]
        dealt[empty[0] if len(empty) >= left else behind].append(value)
    return dealt


def combination(first: Collection[T], second: Collection[U], place: int) -> tuple[T, U]:
    return tuple(first)[place // len(second)], tuple(second)[place % len(second)]


@lru_cache(maxsize=512)
def deal_numbers(count: int, shares: tuple[tuple[str, float], ...]) -> dict[str, list[int]]:
    """Numbers below `count` dealt out to the splits; quicker than `split_pool` for many."""
    if count < 10 * len(shares):
        return split_pool(range(count), dict(shares))
    order = random.Random(count).sample(range(count), count)
    total, dealt, taken, past = sum(share for _, share in shares), {}, 0, 0.0
    for split, share in shares:
        past += share
        end = max(taken + 1, round(count * past / total))
        dealt[split] = order[taken:end]
        taken = end
    return dealt


@lru_cache(maxsize=512)
def deal(pool: tuple[Any, ...], shares: tuple[tuple[str, float], ...]) -> dict[str, list[Any]]:
    return split_pool(pool, dict(shares))
