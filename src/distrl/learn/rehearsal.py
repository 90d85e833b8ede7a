"""Rehearsal: what was demonstrated goes on being imitated while reinforcement learning finds out more.

A warm start stops before its demonstrations are learnt to the end, and trial and error is slow to find again
what they show. In every update some of their steps are imitated beside the rest, with the warm start's own
loss (as in demonstration-augmented policy gradients: Rajeswaran et al., arXiv 1709.10087).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec
import numpy as np
import torch
import zstandard
from torch import Tensor

from distrl.errors import RunError
from distrl.interfaces import StepFeatures, TrainablePolicy
from distrl.learn.imitating import disguising, imitate

COMPRESSION = 3


class Rehearsal:
    """Demonstrated steps, some of which are drawn for each update."""

    def __init__(
        self,
        policy: TrainablePolicy,
        steps: Sequence[StepFeatures],
        *,
        count: int,
        disguise: float = 0.0,
        seed: int = 0,
    ) -> None:
        if not steps:
            raise ValueError("there is nothing to rehearse")
        self._policy = policy
        self._steps = steps
        self._count = count
        self._change = disguising(policy, steps, disguise, seed)

    def loss(self) -> Tensor:
        """The loss of imitating steps drawn evenly; torch's random state decides which."""
        drawn = torch.randint(len(self._steps), (self._count,)).tolist()
        return imitate(self._policy, [self._change(self._steps[number]) for number in drawn])[1]


@runtime_checkable
class Rehearsing(Protocol):
    """An algorithm that can rehearse demonstrations beside what it learns; optional beside Algorithm."""

    def rehearse(self, rehearsal: Rehearsal) -> None:
        """Imitate some of these steps in every update from now on."""


# --- on disk ------------------------------------------------------------------------------------


class _Column(msgspec.Struct, frozen=True):
    """One array of every step, end to end."""

    dtype: str
    shapes: list[tuple[int, ...]]
    data: bytes


def pack(steps: Sequence[StepFeatures]) -> bytes:
    """Steps as bytes that `unpack` reads; all have the same arrays, each of its own shape."""
    columns = {}
    for name in steps[0] if steps else ():
        arrays = [step[name] for step in steps]
        data = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
        columns[name] = _Column(arrays[0].dtype.str, [array.shape for array in arrays], data)
    packed = msgspec.msgpack.encode((len(steps), columns))
    return zstandard.ZstdCompressor(COMPRESSION).compress(packed)


def unpack(data: bytes) -> list[StepFeatures]:
    """Steps from `pack`; raises RunError if they are damaged."""
    try:
        packed = zstandard.ZstdDecompressor().decompress(data)
        count, columns = msgspec.msgpack.decode(packed, type=tuple[int, dict[str, _Column]])
        split = {name: _split(column) for name, column in columns.items()}
        return [{name: arrays[number] for name, arrays in split.items()} for number in range(count)]
    except (zstandard.ZstdError, msgspec.MsgspecError, ValueError, TypeError, IndexError) as error:
        raise RunError(f"the demonstrations to be rehearsed cannot be read: {error}") from error


def _split(column: _Column) -> list[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    flat = np.frombuffer(column.data, np.dtype(column.dtype))
    ends = np.cumsum([math.prod(shape) for shape in column.shapes])
    if len(flat) != (ends[-1] if len(ends) else 0):
        raise ValueError("an array is shorter or longer than its shapes say")
    parts = np.split(flat, ends[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, column.shapes, strict=True)]
