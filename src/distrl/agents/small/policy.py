"""The small policy: reads goal, screen and past, acts by pointing; trained from scratch on a CPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor

from distrl.agents.small.disguise import Disguise
from distrl.agents.small.features import Featurizer, join, select
from distrl.agents.small.network import Network, to_inputs
from distrl.agents.small.tokens import LANGUAGE, PLACE_KINDS, RECITE, to_action, to_tokens, token_count
from distrl.agents.small.words import read_goal
from distrl.config import PolicyConfig
from distrl.errors import ConfigError, PolicyError
from distrl.interfaces import UNPUBLISHED, StepFeatures
from distrl.records import Action, ActionKind, Decision, Situation, Trajectory

DEFAULT_APPS = (
    "Settings, Clock, Contacts, Messages, Calendar, Calculator, Notes, Files, Browser, Music, Maps, Mail, "
    "Weather, Store, Phone, Camera, Photos"
)
TOGETHER = 32  # stored steps that go through the network at once
DECIDED_TOGETHER = 16  # the same for decisions; fewer, since without gradients the cache is all that counts


@dataclass(slots=True)
class SmallOutput:
    """What the learner needs of N stored steps; see `distrl.interfaces.PolicyOutput`.

    `entropy` is exact. `logprob` is 0, without gradient, for a step whose decision has no tokens.
    """

    logprob: Tensor  # [N]
    entropy: Tensor  # [N]
    value: Tensor  # [N, 2] logits
    prior: Tensor  # [N] logits


class SmallPolicy:
    """A multimodal policy of less than two million parameters that decides for many devices in one pass.

    An action is a kind, followed by an element to point at (tap, long press), by the first and last word of
    the goal to copy (type, open app, answer), or by a remembered text whose number is typed. Sampling is at
    temperature 1; the log-probabilities recorded with a decision are those of the very distribution that it
    was drawn from.
    """

    language = LANGUAGE.name

    def __init__(self, config: PolicyConfig, seed: int = 0) -> None:
        if not (config.tree or config.pixels):
            raise ConfigError(
                "the small policy needs something to look at: switch tree or pixels on", "policy"
            )
        self._apps = _apps(config)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._network = Network(config.width, config.layers, config.tree, config.pixels, len(self._apps))
        self.module: torch.nn.Module = self._network
        self._featurizer = Featurizer(config.tree, config.pixels, len(self._apps))
        self._generator = torch.Generator().manual_seed(seed)
        self._version = UNPUBLISHED

    @property
    def version(self) -> int:
        """The number of the weights in use."""
        return self._version

    # --- deciding -------------------------------------------------------------------------------

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
        """One decision for each situation, sampled, or with `greedy` the likeliest token each time."""
        if not situations:
            return []
        features = [self._featurizer.situation(situation) for situation in situations]
        decisions: dict[int, Decision] = {}
        for rows in _alike(features, DECIDED_TOGETHER):
            inputs = to_inputs(join([features[row] for row in rows]), self._device)
            with torch.inference_mode():
                scores, _ = self._network.actor(inputs)
                chosen = scores.choose(None if greedy else self._generator)
                logprobs = scores.logprobs(chosen)
            for row, tokens, values in zip(rows, chosen.tolist(), logprobs.tolist(), strict=True):
                decisions[row] = self._decision(situations[row], tokens, values)
        return [decisions[row] for row in range(len(situations))]

    def _decision(self, situation: Situation, tokens: list[int], logprobs: list[float]) -> Decision:
        used = token_count(tokens[0])
        spelled = tuple(tokens[:used])
        screen = self._featurizer.screen(situation.observation)
        memory = self._featurizer.memory(situation) if spelled[0] == RECITE else ()
        action = to_action(spelled, read_goal(situation.goal), screen, memory, self._apps)
        return Decision(
            action=action,
            output=LANGUAGE.render(action),
            tokens=spelled,
            logprobs=tuple(logprobs[:used]),
            version=self._version,
            language=self.language,
        )

    # --- learning -------------------------------------------------------------------------------

    def featurize(self, trajectory: Trajectory) -> StepFeatures:
        """The stored steps as arrays, each with T rows.

        `action` holds the tokens, padded with -1; a row of only -1 is a step whose decision has no tokens.
        """
        return self._featurizer.trajectory(trajectory)

    def forward(self, features: Sequence[StepFeatures]) -> SmallOutput:
        """Evaluate the stored actions of several trajectories, concatenated in order."""
        joined = join(features)
        parts = _alike([joined], TOGETHER)
        order = np.concatenate(parts)
        outputs = [self._evaluate(select(joined, rows)) for rows in parts]
        back = torch.from_numpy(np.argsort(order)).to(self._device)
        return SmallOutput(
            *(torch.cat(tensors).index_select(0, back) for tensors in zip(*outputs, strict=True))
        )

    def _evaluate(self, features: StepFeatures) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        inputs = to_inputs(features, self._device)
        scores, summary = self._network.actor(inputs)
        entropy = scores.entropy()
        value, prior = self._network.critic(summary, scores.doubts(entropy), inputs)
        action = torch.from_numpy(features["action"].astype("int64")).to(self._device)
        return scores.logprobs(action).sum(-1), entropy, value, prior

    def hindsight(self, features: Sequence[StepFeatures]) -> Tensor:
        """How well what each touch brought up would have led to that touch; see `Trunk.hindsight`.  [N]"""
        joined = join(features)
        elements, revealed, action = (
            torch.from_numpy(joined[name].astype("int32")).to(self._device)
            for name in ("element_words", "revealed_words", "action")
        )
        counts = torch.from_numpy(joined["element_count"].astype("int32")).to(self._device)
        there = torch.arange(elements.shape[1], device=self._device) < counts[:, None]
        kinds = torch.tensor(PLACE_KINDS, dtype=torch.int32, device=self._device)
        place = torch.where(torch.isin(action[:, 0], kinds), action[:, 1], -1)
        return self._network.actor.trunk.hindsight(elements, there, revealed, place.long())

    def action_tokens(self, action: Action, situation: Situation) -> tuple[int, ...] | None:
        """How this policy would spell an action, or None if it has no words for it.

        A touch becomes the smallest element around it, a text the span of the goal that reads the same.
        """
        screen = self._featurizer.screen(situation.observation)
        memory = self._featurizer.memory(situation) if action.kind is ActionKind.TYPE else ()
        return to_tokens(action, read_goal(situation.goal), screen, memory, self._apps)

    def translate(self, trajectory: Trajectory) -> Trajectory:
        """A demonstration with every decision spelled in this policy's tokens, or in none where it cannot.

        Of a slip they spell what was meant.
        """
        steps = []
        for step, situation in zip(trajectory.steps, trajectory.situations(), strict=True):
            tokens = self.action_tokens(step.decision.meant or step.decision.action, situation) or ()
            decision = msgspec.structs.replace(
                step.decision, tokens=tokens, logprobs=(0.0,) * len(tokens), language=self.language
            )
            steps.append(msgspec.structs.replace(step, decision=decision))
        return msgspec.structs.replace(trajectory, steps=tuple(steps))

    def disguise(self, steps: Sequence[StepFeatures], share: float, seed: int) -> Disguise:
        """What replaces mere values by others in demonstrations, so that they are not learnt by heart."""
        return Disguise(steps, share, seed)

    # --- weights --------------------------------------------------------------------------------

    def export(self) -> bytes:
        """The weights as safetensors bytes, to be published."""
        tensors = {
            name: tensor.detach().cpu().contiguous() for name, tensor in self.module.state_dict().items()
        }
        return bytes(write_tensors(tensors))

    def load(self, weights: bytes, version: int) -> None:
        """Use these weights from the next decision on; raises PolicyError if they are not for this policy."""
        try:
            tensors = read_tensors(weights)
        except SafetensorError as error:
            raise PolicyError(f"weights of version {version} are damaged: {error}") from error
        own = self.module.state_dict()
        odd = sorted(own.keys() ^ tensors.keys())
        odd += sorted(name for name in own.keys() & tensors.keys() if own[name].shape != tensors[name].shape)
        if odd:
            raise PolicyError(
                f"weights of version {version} are for another policy ({len(odd)} tensors differ, first "
                f"{odd[0]!r}); use the settings they were trained with (policy.width, layers, tree, pixels)"
            )
        self.module.load_state_dict(tensors)
        self._version = version

    @property
    def _device(self) -> torch.device:
        return self._network.actor.trunk.table.device


def _alike(features: Sequence[StepFeatures], most: int) -> list[npt.NDArray[np.int64]]:
    """All rows in parts of like size: less of each is padding, and it stays in the processor's cache."""
    size = np.concatenate([each["element_count"].astype(int) + each["goal_count"] for each in features])
    return np.array_split(np.argsort(size, kind="stable"), -(-len(size) // most))


def _apps(config: PolicyConfig) -> tuple[str, ...]:
    """The names of apps that the policy can open though no goal mentions them."""
    unknown = sorted(config.options.keys() - {"apps"})
    if unknown:
        raise ConfigError(f"the small policy has no option {unknown[0]!r}; it knows: apps", "policy.options")
    names = config.options.get("apps", DEFAULT_APPS).split(",")
    apps = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    if not apps:
        raise ConfigError("name at least one app, separated by commas", "policy.options.apps")
    return apps


def build(config: PolicyConfig, seed: int = 0) -> SmallPolicy:
    """The small policy with fresh weights; `seed` decides the weights and what is sampled."""
    return SmallPolicy(config, seed)
