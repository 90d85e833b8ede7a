"""From the trunk's vectors to a distribution over actions: kind, then place, or first and last word.

The only masks are padding, and that a span cannot end before it starts; both follow from what is stored, so a
learner recomputes exactly the distribution that was sampled from.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from distrl.agents.small.tokens import KINDS, LAUNCH, PLACE_KINDS, RECITE, TEXT_KINDS
from distrl.agents.small.words import MAX_GOAL_WORDS

DOUBTS = len(KINDS) + len(PLACE_KINDS) + 1
NEVER = -1e9  # finite, so that entropies and gradients of impossible choices are 0 and not NaN


class Summary(NamedTuple):
    """What the trunk made of a batch."""

    whole: Tensor  # [B, D]
    words: Tensor  # [B, W, D]
    elements: Tensor  # [B, N, D]
    memory: Tensor  # [B, MEMORY, D]
    associated: Tensor  # [B, N]: how much each element's words go with the goal's
    launching: Tensor  # [B, A]: how much each app does


class Scores(NamedTuple):
    """Log-probabilities of every choice, each normalised along its last axis."""

    kind: Tensor  # [B, 18]
    name: Tensor  # [B, A] which app to launch
    memory: Tensor  # [B, MEMORY] which remembered number to type
    place: Tensor  # [B, 3, N] for each kind that needs a place
    start: Tensor  # [B, 3, W] for each kind that needs a text
    end: Tensor  # [B, 3, W, W] for each kind and first word

    def entropy(self) -> Tensor:
        """H(kind) + Σ_k π(k) H(rest | k), exactly; for texts H(start) + Σ_s π(s) H(end | s).  [B]"""
        kind = self.kind.exp()
        place = _entropy(self.place)  # [B, 3]
        span = _entropy(self.start) + (self.start.exp() * _entropy(self.end)).sum(-1)  # [B, 3]
        return (
            _entropy(self.kind)
            + kind[:, LAUNCH] * _entropy(self.name)
            + kind[:, RECITE] * _entropy(self.memory)
            + (kind[:, list(PLACE_KINDS)] * place).sum(-1)
            + (kind[:, list(TEXT_KINDS)] * span).sum(-1)
        )

    def doubts(self, entropy: Tensor) -> Tensor:
        """How sure the policy is: the chance of each kind, of the likeliest places, and its entropy.

        [B] → [B, DOUBTS], without gradient
        """
        likeliest = self.place.amax(-1).exp()  # [B, 3]
        return torch.cat([self.kind.exp(), likeliest, entropy[:, None]], -1).detach()

    def logprobs(self, action: Tensor) -> Tensor:
        """log π of each token of actions [B, 3] padded with -1; 0 where there is no token.  [B, 3]"""
        kind, second, third = action.clamp_min(0).unbind(-1)
        row = torch.arange(len(action), device=action.device)
        place_of, text_of = _pointers(action.device)
        place, text = place_of[kind], text_of[kind]  # which pointer, or -1
        nothing = torch.zeros_like(self.kind[:, 0])
        given = action[:, 0] >= 0
        first = torch.where(given, self.kind[row, kind], nothing)
        pointed = self.place[row, place.clamp_min(0), _within(second, self.place)]
        started = self.start[row, text.clamp_min(0), _within(second, self.start)]
        ended = self.end[row, text.clamp_min(0), _within(second, self.start), _within(third, self.end)]
        follow = torch.where(given & (place >= 0), pointed, nothing)
        follow = torch.where(given & (text >= 0), started, follow)
        follow = torch.where(action[:, 0] == LAUNCH, self.name[row, _within(second, self.name)], follow)
        recalled = self.memory[row, _within(second, self.memory)]
        follow = torch.where(action[:, 0] == RECITE, recalled, follow)
        last = torch.where(given & (text >= 0), ended, nothing)
        return torch.stack([first, follow, last], -1)

    def choose(self, generator: torch.Generator | None) -> Tensor:
        """Actions [B, 3] sampled token by token, or without a generator the likeliest token each time."""
        row = torch.arange(len(self.kind), device=self.kind.device)
        place_of, text_of = _pointers(self.kind.device)
        kind = _pick(self.kind, generator)
        place, text = place_of[kind], text_of[kind]
        pointed = _pick(self.place[row, place.clamp_min(0)], generator)
        started = _pick(self.start[row, text.clamp_min(0)], generator)
        ended = _pick(self.end[row, text.clamp_min(0), started], generator)
        none = torch.full_like(kind, -1)
        named = torch.where(kind == LAUNCH, _pick(self.name, generator), none)
        named = torch.where(kind == RECITE, _pick(self.memory, generator), named)
        second = torch.where(place >= 0, pointed, torch.where(text >= 0, started, named))
        return torch.stack([kind, second, torch.where(text >= 0, ended, none)], -1)


class Heads(nn.Module):
    """Pointers at elements and goal words, each asked by the situation and the chosen kind."""

    def __init__(self, width: int, apps: int) -> None:
        super().__init__()
        self.scale = 1 / math.sqrt(width)
        self.name = nn.Linear(width, apps)
        self.kind = nn.Linear(width, len(KINDS))
        self.place_query = nn.Linear(width, len(PLACE_KINDS) * width)
        self.place_key = nn.Linear(width, width)
        self.start_query = nn.Linear(width, len(TEXT_KINDS) * width)
        self.start_key = nn.Linear(width, width)
        self.memory_query = nn.Linear(width, width)
        self.memory_key = nn.Linear(width, width)
        self.end_query = nn.Linear(width, len(TEXT_KINDS) * width)
        self.end_follow = nn.Linear(width, width)
        self.end_key = nn.Linear(width, width)
        self.length = nn.Parameter(torch.zeros(MAX_GOAL_WORDS))
        self.trust = nn.Linear(width, len(PLACE_KINDS))  # how much associations count now
        with torch.no_grad():
            self.trust.weight.zero_()
            self.trust.bias.fill_(1.0)
            self.kind.weight.mul_(0.1)
            self.name.weight.mul_(0.1)

    def forward(self, summary: Summary, goal_there: Tensor, element_there: Tensor) -> Scores:
        """Log-probabilities of all choices."""
        whole, words, elements, memory, associated, launching = summary
        # No mask: to recite what is not remembered is an invalid action, not an impossible one.
        recalled = self._ask(self.memory_query, whole, self.memory_key, memory).squeeze(1)  # [B, MEMORY]
        place = self._ask(self.place_query, whole, self.place_key, elements)  # [B, 3, N]
        place = place + self.trust(whole)[..., None] * associated[:, None]
        start = self._ask(self.start_query, whole, self.start_key, words)  # [B, 3, W]
        after = self.end_follow(words) @ self.end_key(words).transpose(1, 2) * self.scale  # [B, W, W]
        end = self._ask(self.end_query, whole, self.end_key, words)[:, :, None] + after[:, None]
        position = torch.arange(words.shape[1], device=words.device)
        ahead = position[None, :] - position[:, None]  # [W, W]: how far the last word is from the first
        end = end + self.length[ahead.clamp_min(0)]
        possible = goal_there[:, None, None] & (ahead >= 0)
        return Scores(
            kind=self.kind(whole).log_softmax(-1),
            name=(self.name(whole) + launching).log_softmax(-1),
            memory=recalled.log_softmax(-1),
            place=place.masked_fill(~element_there[:, None], NEVER).log_softmax(-1),
            start=start.masked_fill(~goal_there[:, None], NEVER).log_softmax(-1),
            end=end.masked_fill(~possible, NEVER).log_softmax(-1),
        )

    def _ask(self, query: nn.Linear, whole: Tensor, key: nn.Linear, places: Tensor) -> Tensor:
        """How well each place's key answers each kind's query.  [B, D] × [B, X, D] → [B, kinds, X]

        q · (K x + b) as (q K) · x + q · b: there are far fewer queries than places.
        """
        queries: Tensor = query(whole).view(len(whole), -1, places.shape[-1])
        answers = (queries @ key.weight) @ places.transpose(1, 2) + (queries @ key.bias)[..., None]
        return answers * self.scale


def _pointers(device: torch.device) -> tuple[Tensor, Tensor]:
    """For each kind, which place pointer and which text pointer it uses; -1 for none."""
    place = [PLACE_KINDS.index(kind) if kind in PLACE_KINDS else -1 for kind in range(len(KINDS))]
    text = [TEXT_KINDS.index(kind) if kind in TEXT_KINDS else -1 for kind in range(len(KINDS))]
    return torch.tensor(place, device=device), torch.tensor(text, device=device)


def _within(index: Tensor, table: Tensor) -> Tensor:
    """An index kept inside a table's last axis, where another kind's token would lie outside."""
    return index.clamp_max(table.shape[-1] - 1)


def _pick(logprobs: Tensor, generator: torch.Generator | None) -> Tensor:
    if generator is None:
        return logprobs.argmax(-1)
    # Drawn where the generator is: the same seed then gives the same actions on every kind of device.
    chances = logprobs.exp().to(generator.device)
    return torch.multinomial(chances, 1, generator=generator).squeeze(-1).to(logprobs.device)


def _entropy(logprobs: Tensor) -> Tensor:
    return -(logprobs.exp() * logprobs).sum(-1)
