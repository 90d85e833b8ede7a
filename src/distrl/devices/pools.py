"""Which devices a worker owns, where it owns several kinds of them."""

from __future__ import annotations

from dataclasses import dataclass

from distrl.config import DeviceConfig, PoolConfig, RunConfig
from distrl.errors import ConfigError


@dataclass(frozen=True)
class Member:
    """One device to be built."""

    config: DeviceConfig  # as if all devices were of its kind
    index: int  # among those of its kind


def members(config: RunConfig, count: int) -> list[Member]:
    """The first `count` devices of a worker; all of one kind unless `device.pools` says otherwise.

    Pools take turns, so that a few devices, as an evaluator uses, are still of every kind. There are never
    more than the pools name.
    """
    pools = config.device.pools
    if not pools:
        return [Member(config.device, index) for index in range(count)]
    named = sum(pool.count for pool in pools)
    if named != config.collect.devices:
        raise ConfigError(
            f"the pools name {named} devices, but collect.devices is {config.collect.devices}; "
            f"set collect.devices to {named}",
            "device.pools",
        )
    turns = sorted(
        ((place + 0.5) / pool.count, number, pool)
        for number, pool in enumerate(pools)
        for place in range(pool.count)
    )
    dealt: dict[str, int] = {}
    chosen: list[Member] = []
    for _, _, pool in turns[:count]:
        index = dealt[pool.kind] = dealt.get(pool.kind, -1) + 1
        chosen.append(Member(_as_device(config.device, pool), index))
    return chosen


def _as_device(shared: DeviceConfig, pool: PoolConfig) -> DeviceConfig:
    changes = {"kind": pool.kind, "options": pool.options, "pools": ()}
    if pool.profile is not None:
        changes["profile"] = pool.profile
    return shared.model_copy(update=changes)
