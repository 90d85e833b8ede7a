"""Which words on a screen go with which words of a goal, remembered pair by pair.

"White pages hurt my eyes" has no word of the row that it is about, so no matching finds it. What a
transformer learns from dozens of examples is one number here for each pair of a word of the goal and a word
of an element, as in the wide half of a wide and deep network: learnt from one or two, and at work in every
other goal with that word.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from distrl.agents.small.words import VOCABULARY

PAIRS = 1 << 18  # numbers for all pairs; two that fall on the same one share it
SCALE = 3.0  # makes one step of the optimiser count as several: a pair is met only a few times
FACTORS = (40503, 30011)  # odd, and far apart: spread the pairs over the table


class Associations(nn.Module):
    """A number for every pair of words, and for every word and app."""

    def __init__(self, apps: int) -> None:
        super().__init__()
        self.pairs = nn.Parameter(torch.zeros(PAIRS, 1))
        self.apps = nn.Parameter(torch.zeros(VOCABULARY, apps))

    def forward(self, words: Tensor, labels: Tensor, owners: Tensor) -> Tensor:
        """How much each label goes with each word of its situation.  [B, K], [M, words], [M] → [M, K]

        Words are ids, 0 for none; `owners` says which situation a label belongs to.
        """
        label, place = labels.nonzero(as_tuple=True)  # [P]: every word of every label
        said = labels[label, place][:, None]
        asked = words[owners[label]]  # [P, K]
        number = (asked * FACTORS[0] + said * FACTORS[1]) % PAIRS
        known = F.embedding(number, self.pairs).squeeze(-1) * (asked > 0)
        total = torch.zeros(len(labels), words.shape[1], device=known.device)
        return total.index_add(0, label, known) * SCALE

    def launching(self, goal: Tensor) -> Tensor:
        """How much each app goes with a goal.  [B, K] → [B, A]"""
        found: Tensor = F.embedding(goal, self.apps) * (goal > 0)[..., None]
        return found.sum(1) * SCALE


def content(words: Tensor) -> Tensor:
    """The same words without the gaps between them.  [B, X] → [B, K]"""
    kept = words.sort(1, descending=True).values
    return kept[:, : max(1, int((kept > 0).sum(1).max()))]
