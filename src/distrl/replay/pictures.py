"""Takes screenshots out of a trajectory before it is stored, and puts them back when it is read.

A phone shows the same screen again and again, so each picture is stored once under its digest; the
trajectory keeps the digest where the picture was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b

from msgspec.structs import replace

from distrl.records import Observation, Trajectory

DIGEST_BYTES = 16


def digest_of(data: bytes) -> bytes:
    """The name of a picture: equal for equal bytes only."""
    return blake2b(data, digest_size=DIGEST_BYTES).digest()


def detach(trajectory: Trajectory) -> tuple[Trajectory, dict[bytes, bytes]]:
    """The trajectory with digests in place of pictures, and the pictures by digest."""
    pictures: dict[bytes, bytes] = {}

    def take(data: bytes) -> bytes:
        digest = digest_of(data)
        pictures[digest] = data
        return digest

    return _with_pictures(trajectory, take), pictures


def attach(trajectory: Trajectory, pictures: Mapping[bytes, bytes]) -> Trajectory:
    """The trajectory that `detach` was given; raises KeyError when a picture is missing."""
    return _with_pictures(trajectory, pictures.__getitem__)


def _with_pictures(trajectory: Trajectory, change: Callable[[bytes], bytes]) -> Trajectory:
    def observation(seen: Observation) -> Observation:
        return replace(seen, screenshot=replace(seen.screenshot, data=change(seen.screenshot.data)))

    return replace(
        trajectory,
        steps=tuple(replace(step, observation=observation(step.observation)) for step in trajectory.steps),
        final=None if trajectory.final is None else observation(trajectory.final),
    )
