"""Batches without their padding: every layer that treats places one by one works on the real ones only."""

from __future__ import annotations

from torch import Tensor

from distrl.agents.small.heads import NEVER


class Packing:
    """The places of a batch that are real, in one long row; about half of a padded batch is nothing."""

    def __init__(self, there: Tensor) -> None:
        self._shape = there.shape
        self._index = there.flatten().nonzero().squeeze(1)  # [M]
        self.absent = ~there[:, None, None] * NEVER  # [B, 1, 1, L]: added to scores, hides what is padding

    def gather(self, padded: Tensor) -> Tensor:
        """[B, L, …] → [M, …]"""
        return padded.reshape(self._shape.numel(), *padded.shape[2:]).index_select(0, self._index)

    def spread(self, packed: Tensor) -> Tensor:
        """[M, D] → [B, L, D], zero where nothing is."""
        padded = packed.new_zeros(self._shape.numel(), packed.shape[1])
        return padded.index_copy(0, self._index, packed).view(*self._shape, -1)

    def rows(self) -> Tensor:
        """Which row of the batch each real place belongs to.  [M]"""
        return self._index // self._shape[1]
