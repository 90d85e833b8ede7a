"""Several clipped gradient steps on one batch, near the policy that the batch was met with: PPO and GRPO.

The decoupled objective (Hilton et al., arXiv 2110.00641; AReaL, arXiv 2505.24298) knows three policies:

    μ       acted, some versions ago; its log-probabilities are stored
    π_prox  is the policy at the start of the update; the clip keeps π near it
    π       is being changed

    L(π) = -E_μ[ min(ρ̄, π_prox/μ) · min(u A, clip(u, 1-ε, 1+ε) A) ] - β E[H(π)] + κ KL(π‖π_ref)

where u = π/π_prox.

With μ in the place of π_prox, data a few versions old would be clipped before anything was learnt from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from distrl.config import AlgorithmConfig
from distrl.interfaces import Learnable, PolicyOutput, StepFeatures, TrainablePolicy
from distrl.learn import losses
from distrl.learn.batches import StepTable, log_ratios, tabulate
from distrl.learn.optimisers import Descent
from distrl.learn.pacing import FadingWeight


class Start(NamedTuple):
    """What the epochs of an update start from, without gradients; all [N]."""

    proximal: Tensor  # log π_prox
    coefficient: Tensor  # min(ρ̄, π_prox/μ)
    advantage: Tensor
    reference: Tensor | None  # log π_ref

    def at(self, rows: Tensor) -> Start:
        """The same for some of the steps."""
        reference = None if self.reference is None else self.reference[rows]
        return Start(self.proximal[rows], self.coefficient[rows], self.advantage[rows], reference)


class ProximalDescent:
    """Epochs of minibatches of whole trajectories, a step of each optimiser for each; the critic may lack."""

    def __init__(
        self, policy: TrainablePolicy, config: AlgorithmConfig, actor: Descent, critic: Descent | None = None
    ) -> None:
        self._policy = policy
        self._config = config
        self._actor = actor
        self._critic = critic
        self._entropy = FadingWeight(config.entropy, config.entropy_fade)

    def run(
        self,
        batch: Sequence[Learnable],
        features: Sequence[StepFeatures],
        start: Start,
        *,
        seed: int,
        acting: bool = True,
    ) -> dict[str, float] | None:
        """Change the policy, unless `acting` is False, and the critic; metrics, as means over the steps.

        None when a loss or gradient is not finite: that step and those after it are not taken.
        """
        lengths = [len(entry.versions) for entry in batch]
        every = torch.arange(sum(lengths), device=start.proximal.device)
        rows = torch.split(every, lengths)  # B tensors
        steps: list[dict[str, float]] = []
        for chosen in minibatches(len(batch), self._config.minibatches, self._config.epochs, seed):
            done = self._step(
                [batch[index] for index in chosen],
                [features[index] for index in chosen],
                start.at(torch.cat([rows[index] for index in chosen])),
                acting=acting,
            )
            if done is None:
                return None
            steps.append(done)
        means = {name: sum(step[name] for step in steps) / len(steps) for name in steps[0]}
        return {**means, "entropy_weight": self._entropy.value}

    def pace(self, progress: float) -> None:
        """Let the learning rate and the entropy bonus fade towards the end of the run."""
        self._actor.pace(progress)
        self._entropy.pace(progress)

    def _step(
        self, batch: Sequence[Learnable], features: Sequence[StepFeatures], start: Start, *, acting: bool
    ) -> dict[str, float] | None:
        output = self._policy.forward(features)
        table = tabulate(batch, output.logprob.device)
        norms: dict[str, float] = {}
        if self._critic is not None:
            critic_loss = losses.critic_cross_entropy(output.value.float(), table.success, table.weight)
            norms["critic_grad_norm"] = self._critic.differentiate(critic_loss, keep_graph=True)
        policy_loss = self._policy_loss(output, table, start)
        norms["grad_norm"] = self._actor.differentiate(policy_loss) if acting else 0.0
        if not all(math.isfinite(norm) for norm in norms.values()):
            return None
        if self._critic is not None:
            self._critic.step()
        if acting:
            self._actor.step()
        return {"policy_loss": float(policy_loss.detach()), **norms, **self._movement(output, table, start)}

    def _policy_loss(self, output: PolicyOutput, table: StepTable, start: Start) -> Tensor:
        config = self._config
        logprob = output.logprob.float()
        log_ratio = log_ratios(logprob, start.proximal, table, config.ratio)  # [N] log u
        gain = losses.proximal_gain(
            log_ratio, start.coefficient, start.advantage, table.weight, clip=config.clip
        )
        loss = gain + self._entropy.value * losses.entropy_bonus(output.entropy.float(), table.weight)
        if start.reference is None:
            return loss
        log_rho = log_ratios(logprob.detach(), table.behaviour_logprob, table, config.ratio)
        return loss + config.kl * losses.kl_penalty(
            logprob, start.reference, log_rho, table.weight, rho_clip=config.rho_clip
        )

    @torch.no_grad()
    def _movement(self, output: PolicyOutput, table: StepTable, start: Start) -> dict[str, float]:
        """How far π is from π_prox before the step, and how often the clip has had enough."""
        log_ratio = log_ratios(output.logprob.float(), start.proximal, table, self._config.ratio)  # [N]
        ratio = losses.clipped_ratio(log_ratio, math.inf)
        clip = self._config.clip
        beyond = torch.where(start.advantage > 0, ratio > 1 + clip, ratio < 1 - clip)
        return {
            "clipped": float((beyond & (start.advantage != 0)).float().mean()),
            "kl_proximal": float((ratio - 1 - log_ratio).mean()),
        }


def minibatches(count: int, parts: int, epochs: int, seed: int) -> Iterator[list[int]]:
    """The numbers 0 to count - 1 in shuffled parts, all of them in each epoch; never an empty part."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        order = torch.randperm(count, generator=generator)
        yield from (part.tolist() for part in order.tensor_split(min(parts, count)))
