"""Which places of the transformer share a word: what a label has in common with the goal and with the past.

Attention could find that out by itself, but only for words it has met often; names and times are mostly new.
"""

from __future__ import annotations

import torch
from torch import Tensor


def meet(history: Tensor, memory: Tensor, goal: Tensor, elements: Tensor) -> Tensor:
    """1 where two places of different sorts share a word; takes word ids [B, places, words], 0 for none.

    The result is [B, L, L], L counting the situation, history, memory, goal and elements in turn. History and
    memory are both the past, and of one sort.
    """
    past, aims = history.shape[1] + memory.shape[1], goal.shape[1]
    # What only elements say meets nothing, so all are counted in the few words that the others have.
    words = torch.cat([each.flatten(1) for each in (history, memory, goal)], 1).sort(1).values  # [B, V]
    counts = torch.cat([_counts(words, each) for each in (history, memory, goal, elements)], 1)
    shared = (
        counts[:, : past + aims] @ counts[:, past:].transpose(1, 2) > 0
    )  # past and goal × goal and elements
    shared[:, past:, :aims] = False
    met = torch.zeros(len(goal), 1 + counts.shape[1], 1 + counts.shape[1], device=goal.device)
    met[:, 1 : 1 + past + aims, 1 + past :] = shared
    met[:, 1 + past :, 1 : 1 + past + aims] = shared.transpose(1, 2)
    return met


def _counts(words: Tensor, places: Tensor) -> Tensor:
    """How often each of the sorted words stands at each place; "no word" never does.  [B, X, V]"""
    flat = places.flatten(1)
    index = torch.searchsorted(words, flat).clamp_max_(words.shape[1] - 1)
    known = (words.gather(1, index) == flat) & (flat > 0)
    counts = torch.zeros(*places.shape[:2], words.shape[1], device=places.device)
    return counts.scatter_add_(2, index.view(places.shape), known.view(places.shape).to(counts.dtype))
