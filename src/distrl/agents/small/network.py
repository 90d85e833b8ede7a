"""The small policy's network: a transformer over words and elements, and the critics beside it.

Letters in shapes: B situations, W words of the goal, N elements, L all places of the transformer, D width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from distrl.agents.small.associations import Associations, content
from distrl.agents.small.elements import ELEMENT_NUMBERS
from distrl.agents.small.eye import Eye
from distrl.agents.small.features import GOAL_NUMBERS, GOAL_SHOWN, HISTORY, HISTORY_NUMBERS, SCALARS
from distrl.agents.small.heads import DOUBTS, NEVER, Heads, Scores, Summary
from distrl.agents.small.meetings import meet
from distrl.agents.small.memory import MEMORY, MEMORY_NUMBERS
from distrl.agents.small.packing import Packing
from distrl.agents.small.words import MAX_GOAL_WORDS, STOP_IDS, VOCABULARY
from distrl.interfaces import StepFeatures
from distrl.records import ActionKind

WORD_WIDTH = 64
FIRST_LEANING = 3.0
BOX_FREQUENCIES = (1.0, 2.0, 4.0, 8.0)
LOOKS = 4  # of the critics at the places of a situation
NARROWEST_MATRIX = 32  # rows or columns below which turning a gradient brings nothing


class Inputs(NamedTuple):
    """A batch of situations as tensors."""

    goal_words: Tensor  # [B, W, 3]
    goal_numbers: Tensor  # [B, W, GOAL_NUMBERS]
    goal_there: Tensor  # [B, W] bool: not padding
    element_words: Tensor  # [B, N, MAX_WORDS]
    element_classes: Tensor  # [B, N]
    element_numbers: Tensor  # [B, N, ELEMENT_NUMBERS]
    element_traits: Tensor  # [B, N, TRAITS]
    element_there: Tensor  # [B, N] bool
    history_words: Tensor  # [B, 5, 8]
    history_kinds: Tensor  # [B, 5]
    history_numbers: Tensor  # [B, 5, HISTORY_NUMBERS]
    memory_words: Tensor  # [B, MEMORY, 12]
    memory_numbers: Tensor  # [B, MEMORY, MEMORY_NUMBERS]
    scalars: Tensor  # [B, SCALARS]
    app: Tensor  # [B]
    glimpses: Tensor | None  # [K, PIXELS] uint8, of all places without words, in order
    picture: Tensor | None  # [B, 183, 103, 3] uint8, where there is no tree


def to_inputs(features: StepFeatures, device: torch.device) -> Inputs:
    """Arrays as tensors."""

    def whole(name: str) -> Tensor:
        return torch.from_numpy(features[name].astype("int32")).to(device)

    def real(name: str) -> Tensor:
        return torch.from_numpy(features[name].astype("float32")).to(device)

    def there(count: str, like: str) -> Tensor:
        places = torch.arange(features[like].shape[1], device=device)
        return places[None, :] < whole(count)[:, None]

    glimpses, picture = features.get("glimpses"), features.get("picture")
    if glimpses is not None:
        counts = features["glimpse_count"].astype(np.int64)
        glimpses = glimpses[np.arange(glimpses.shape[1]) < counts[:, None]]
    return Inputs(
        goal_words=whole("goal_words"),
        goal_numbers=real("goal_numbers"),
        goal_there=there("goal_count", "goal_words"),
        element_words=whole("element_words"),
        element_classes=whole("element_classes"),
        element_numbers=real("element_numbers"),
        element_traits=whole("element_traits"),
        element_there=there("element_count", "element_words"),
        history_words=whole("history_words"),
        history_kinds=whole("history_kinds"),
        history_numbers=real("history_numbers"),
        memory_words=whole("memory_words"),
        memory_numbers=real("memory_numbers"),
        scalars=real("scalars"),
        app=whole("app"),
        glimpses=None if glimpses is None else torch.from_numpy(glimpses).to(device),
        picture=None if picture is None else torch.from_numpy(picture).to(device),
    )


class Block(nn.Module):
    """One layer of the transformer, normalised before each part."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.heads = next(count for count in range(max(1, width // 32), 0, -1) if width % count == 0)
        self.before_attention = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        # How much more a place looks at one that shares a word with it; half of the heads begin with a
        # strong leaning, since matching words is most of finding one's way.
        leaning = torch.zeros(self.heads, 1, 1)
        leaning[: (self.heads + 1) // 2] = FIRST_LEANING
        self.leaning = nn.Parameter(leaning)
        self.after_attention = nn.Linear(width, width)
        self.before_thought = nn.LayerNorm(width)
        self.thought = nn.Linear(width, 2 * width)
        self.after_thought = nn.Linear(2 * width, width)

    def forward(self, tokens: Tensor, packing: Packing, meetings: Tensor) -> Tensor:
        """What the places know after looking at each other.  [M, D], [B, 1, L, L] → [M, D]"""
        mixed = packing.spread(self.attention(self.before_attention(tokens)))  # [B, L, 3 D]
        batch, length = mixed.shape[:2]
        mixed = mixed.view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = mixed.contiguous()
        # Spelled out, because with a mask for each head torch's own attention takes twice as long on a CPU.
        bias = torch.addcmul(packing.absent, self.leaning, meetings)  # [B, heads, L, L]
        scores = (query / math.sqrt(query.shape[-1])) @ key.transpose(-1, -2)
        seen = scores.add_(bias).softmax(-1) @ value
        tokens = tokens + self.after_attention(packing.gather(seen.transpose(1, 2).flatten(2)))
        thought: Tensor = self.after_thought(F.relu_(self.thought(self.before_thought(tokens))))
        return tokens + thought


class Trunk(nn.Module):
    """From inputs to one vector for the situation, each goal word and each element."""

    def __init__(self, width: int, layers: int, tree: bool, pixels: bool, apps: int) -> None:
        super().__init__()
        self.associations = Associations(apps)
        self.table = nn.Parameter(torch.randn(VOCABULARY, WORD_WIDTH) * 0.3)
        self.positions = nn.Parameter(torch.randn(MAX_GOAL_WORDS, width) * 0.1)
        self.places = nn.Parameter(torch.randn(HISTORY + 1, width) * 0.1)
        self.kinds = nn.Embedding(len(ActionKind) + 1, width)
        self.goal = nn.Linear(WORD_WIDTH + GOAL_NUMBERS, width)
        self.element = nn.Linear(2 * WORD_WIDTH + ELEMENT_NUMBERS + 4 * len(BOX_FREQUENCIES) + 1, width)
        self.history = nn.Linear(WORD_WIDTH + HISTORY_NUMBERS, width)
        self.memory = nn.Linear(WORD_WIDTH + MEMORY_NUMBERS, width)
        self.situation = nn.Linear(2 * WORD_WIDTH + SCALARS + 1, width)
        self.eye = Eye(width, whole=not tree) if pixels else None
        self.blocks = nn.ModuleList(Block(width) for _ in range(layers))
        self.last = nn.LayerNorm(width)
        common = torch.zeros(VOCABULARY, dtype=torch.bool)
        common[list(STOP_IDS)] = True
        self.common_words: Tensor
        self.register_buffer("common_words", common, persistent=False)

    def forward(self, inputs: Inputs) -> Summary:
        """Embed everything, let it look at each other, and hand back the parts."""
        batch, words = inputs.goal_there.shape
        shown = Packing(inputs.element_there)
        numbers = shown.gather(inputs.element_numbers)  # [M, …]
        labels = shown.gather(inputs.element_words)
        aims = self._aims(inputs)
        # A word that the screen shows speaks for itself.
        spoken = inputs.goal_numbers[..., GOAL_SHOWN : GOAL_SHOWN + 1] > 0
        unspoken = content(aims.masked_fill(spoken, 0).flatten(1))
        said = torch.cat([self._significant(labels), shown.gather(inputs.element_traits)], -1)
        associated = self.associations(unspoken, said, shown.rows()).sum(-1)  # [M]
        parts = [
            self._bag(labels),
            F.embedding(shown.gather(inputs.element_classes), self.table),
            numbers,
            self._waves(numbers[:, :4]),
            associated.tanh()[:, None],
        ]
        elements = self.element(torch.cat(parts, -1))
        # The goal's words go into the situation directly as well: what attention learns slowly, such as which
        # app a goal is about, is then learnt from a few demonstrations.
        gist = self._bag(inputs.goal_words.flatten(1), fading=1.0)
        best = shown.spread(associated.tanh()[:, None]).amax(1).clamp_min(0)  # [B, 1]: whether to scroll on
        whole = self.situation(
            torch.cat([F.embedding(inputs.app, self.table), gist, inputs.scalars, best], -1)
        )
        if self.eye is not None and inputs.glimpses is not None:
            boxes, blank = inputs.element_numbers[..., :4], labels[:, 0] == 0
            elements = elements + self.eye(inputs.glimpses, inputs.picture, boxes, shown, blank)
        goal = self.goal(torch.cat([self._bag(inputs.goal_words), inputs.goal_numbers], -1))
        history = self.history(torch.cat([self._bag(inputs.history_words), inputs.history_numbers], -1))
        history = history + self.kinds(inputs.history_kinds) + self.places
        goal = goal + self.positions[:words]
        memory = self.memory(torch.cat([self._bag(inputs.memory_words), inputs.memory_numbers], -1))
        tokens = torch.cat([whole[:, None], history, memory, goal, shown.spread(elements)], 1)
        first = 1 + HISTORY + 1 + MEMORY
        always = torch.ones(batch, 1 + HISTORY + 1, dtype=torch.bool, device=tokens.device)
        remembered = inputs.memory_numbers[..., 0] > 0
        packing = Packing(torch.cat([always, remembered, inputs.goal_there, inputs.element_there], 1))
        packed = packing.gather(tokens)
        texts = (inputs.history_words, inputs.memory_words, inputs.goal_words, inputs.element_words)
        meetings = meet(*(self._significant(words) for words in texts))[:, None]
        for block in self.blocks:
            packed = block(packed, packing, meetings)
        tokens = packing.spread(self.last(packed))
        return Summary(
            whole=tokens[:, 0],
            words=tokens[:, first : first + words],
            elements=tokens[:, first + words :],
            memory=tokens[:, first - MEMORY : first],
            associated=shown.spread(associated[:, None]).squeeze(-1),
            launching=self.associations.launching(content(aims.flatten(1))),
        )

    def hindsight(self, elements: Tensor, there: Tensor, revealed: Tensor, place: Tensor) -> Tensor:
        """How well associations would have led to a touched place, given a word that the touch brought up.

        log p(place | word), the mean over the words; 0 where nothing was touched (a place below 0) or nothing
        came up.  [B, N, MAX_WORDS], [B, N], [B, K], [B] → [B]
        """
        shown = Packing(there)
        labels = self._significant(shown.gather(elements))
        words = content(revealed)
        scores = shown.spread(self.associations(words, labels, shown.rows()))  # [B, N, K]
        logs = scores.masked_fill(~there[..., None], NEVER).log_softmax(1)
        touched = place.clamp_min(0)[:, None, None].expand(-1, 1, words.shape[1])
        counts = (words > 0) & (place >= 0)[:, None]
        return (logs.gather(1, touched).squeeze(1) * counts).sum(1) / counts.sum(1).clamp_min(1)

    def _aims(self, inputs: Inputs) -> Tensor:
        """The goal's words that something may be associated with: neither common nor in quotes.  [B, W, 3]"""
        quoted = inputs.goal_numbers[..., 1:2] > 0
        return self._significant(inputs.goal_words).masked_fill(quoted, 0)

    def _bag(self, ids: Tensor, fading: float = 0.9) -> Tensor:
        """The words' vectors added up, scaled so that long texts are not louder.  [..., M] → [..., 64]

        Later words count less, so that "low to high" differs from "high to low".
        """
        flat = ids.flatten(0, -2)
        steps = torch.arange(flat.shape[1], dtype=torch.float32, device=ids.device)
        weight = (flat > 0) * fading**steps  # [X, M]
        total = F.embedding_bag(flat, self.table, mode="sum", per_sample_weights=weight, padding_idx=0)
        loudness = weight.square().sum(-1, keepdim=True).clamp_min(1e-6).rsqrt()
        return (total * loudness).view(*ids.shape[:-1], WORD_WIDTH)

    def _significant(self, words: Tensor) -> Tensor:
        """The same words, 0 for those too common to mean anything."""
        common: Tensor = self.common_words
        return words.masked_fill(common[words], 0)

    def _waves(self, boxes: Tensor) -> Tensor:
        """Sines of an element's middle, by which aligned elements find each other.  [B, N, 16]"""
        middle = (boxes[..., :2] + boxes[..., 2:]) / 2
        frequencies = torch.tensor(BOX_FREQUENCIES, device=boxes.device) * math.pi
        angles = (middle[..., None] * frequencies).flatten(-2)
        return torch.cat([angles.sin(), angles.cos()], -1)


class Actor(nn.Module):
    """Everything that the policy's gradient changes."""

    def __init__(self, width: int, layers: int, tree: bool, pixels: bool, apps: int) -> None:
        super().__init__()
        self.trunk = Trunk(width, layers, tree, pixels, apps)
        self.heads = Heads(width, apps)

    def forward(self, inputs: Inputs) -> tuple[Scores, Summary]:
        """Log-probabilities of every choice, and the trunk's summary for the critics."""
        summary = self.trunk(inputs)
        scores = self.heads(summary, inputs.goal_there, inputs.element_there)
        return scores, summary


class Critic(nn.Module):
    """Two estimates of success from this step on, and one from the task alone.

    They look at the trunk's places, wherever each wants to, and at how sure the policy is of its next action;
    none of it is changed by them: gradients of a critic that has yet to learn anything would ruin a policy
    that already can.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        seen = (1 + LOOKS) * width + SCALARS + DOUBTS
        self.scale = 1 / math.sqrt(width)
        self.look = nn.Linear(width, LOOKS * width)
        self.step = nn.ModuleList(_estimator(seen, width) for _ in range(2))
        self.task = _estimator(seen, width)

    def forward(self, summary: Summary, doubts: Tensor, inputs: Inputs) -> tuple[Tensor, Tensor]:
        """Logits of the step critic [B, 2] and of the trajectory critic [B]."""
        whole = summary.whole.detach()
        places = torch.cat([summary.words, summary.elements, summary.memory], 1).detach()  # [B, X, D]
        there = torch.cat(
            [inputs.goal_there, inputs.element_there, inputs.memory_numbers[..., 0] > 0], 1
        )  # [B, X]
        queries = self.look(whole).view(len(whole), LOOKS, -1)
        match = queries @ places.transpose(1, 2) * self.scale  # [B, LOOKS, X]
        looked = match.masked_fill(~there[:, None], NEVER).softmax(-1) @ places  # [B, LOOKS, D]
        seen = torch.cat([whole, looked.flatten(1), inputs.scalars, doubts], -1)
        return torch.cat([head(seen) for head in self.step], -1), self.task(seen).squeeze(-1)


def _estimator(inputs: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, 1))


class Network(nn.Module):
    """The whole model; actor and critics can be given optimisers of their own."""

    def __init__(self, width: int, layers: int, tree: bool, pixels: bool, apps: int) -> None:
        super().__init__()
        self.actor = Actor(width, layers, tree, pixels, apps)
        self.critic = Critic(width)

    def actor_parameters(self) -> Iterator[nn.Parameter]:
        """What the policy's loss changes."""
        return self.actor.parameters()

    def critic_parameters(self) -> Iterator[nn.Parameter]:
        """What the critics' losses change."""
        return self.critic.parameters()

    def layer_matrices(self) -> Iterator[nn.Parameter]:
        """The weights of all linear layers that are wide on both sides."""
        for module in self.modules():
            if isinstance(module, nn.Linear) and min(module.weight.shape) >= NARROWEST_MATRIX:
                yield module.get_parameter("weight")
