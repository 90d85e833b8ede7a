"""Which places of the transformer share a word: what a label has in common with the goal and with the past.

Attention could find that out by itself, but only for words it has met often; names and times are mostly new.
"""

from __future__ import annotations

import torch
from torch import Tensor


def meet(history: Tensor, memory: Tensor, goal: Tensor, elements: Tensor) -> Tensor:
    """1 where two places of different sorts share a word; takes word ids [B, places, words], 0 for none.

    The result is [B, L, L], L counting the situation, history, memory, goal and elements in turn.
    """
    sizes = [1, history.shape[1], memory.shape[1], goal.shape[1], elements.shape[1]]
    ends = [sum(sizes[: count + 1]) for count in range(len(sizes))]
    _, of_history, of_memory, of_goal, of_elements = (
        slice(end - size, end) for end, size in zip(ends, sizes, strict=True)
    )
    met = torch.zeros(len(goal), ends[-1], ends[-1], device=goal.device)
    pairs = (
        (of_goal, goal, of_elements, elements),
        (of_history, history, of_elements, elements),
        (of_history, history, of_goal, goal),
        (of_memory, memory, of_elements, elements),
        (of_memory, memory, of_goal, goal),
    )
    for here, one, there, other in pairs:
        shared = share_word(one, other)
        met[:, here, there] = shared
        met[:, there, here] = shared.transpose(1, 2)
    return met


def share_word(one: Tensor, other: Tensor) -> Tensor:
    """Whether two places have a word in common, 1 or 0.  [B, X, words], [B, Y, words] → [B, X, Y]"""
    wanted = one.masked_fill(one == 0, -1)  # so that "no word" meets nothing
    found = torch.zeros(len(one), one.shape[1], other.shape[1], dtype=torch.bool, device=one.device)
    # Word by word: one large comparison of all with all takes ten times as long.
    for mine in wanted.unbind(-1):
        for theirs in other.unbind(-1):
            found |= mine[:, :, None] == theirs[:, None, :]
    return found.to(torch.float32)
