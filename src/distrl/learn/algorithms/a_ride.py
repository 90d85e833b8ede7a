"""A-RIDE: advantage-based Retrace, improved by distributed prioritised experience replay.

DistRL, arXiv 2410.14803, section 4; docs/algorithms/a-ride.md explains every metric. One `update` looks at
whole trajectories without gradient, learns the critics from all their steps and the policy from those that
can teach it something (`learn_share`), and takes one step of each optimiser. Deviations from the paper:

- The critic's label is the outcome R, not 1[G_t > 0]: shaping would call a good prefix a failure.
- Retrace weighs δ_k by min(ρ̄, ρ_k). The printed formula leaves the first ratio out, and is then an estimate
  of Q(s_t, a_t): taken for V it converges to the behaviour policy's values.
- V is a probability and thus undiscounted: critic, δ and priorities use γ = 1. A discount below 1 enters the
  advantages only, by a second Retrace pass in which V is a baseline.
- Advantages are centred and scaled over the batch, and negative ones shrunk (`negative_scale`).
- Successes are imitated as well, with a constant weight (`imitation`): a baseline takes that away.
- Demonstrations of the warm start go on being imitated in every update (`rehearsal`).
- Validity is penalised by its score function: P_invalid added to the loss as it is has no gradient.
- The three terms of a priority are brought to [0, 1] before weighting, so w1 = 1 stands for the published 50.
- A fourth term is what the trajectory can teach the policy (`priority_lesson`): the loss shrinks failures, so
  drawing them as often as successes is wasted. It is known on arrival already (`learn.arrival`).
- The trajectory critic weighs trajectories (DigiRL keeps the top share of them instead).
- The entropy bonus fades to 0 over the last share of a run (`entropy_fade`).
- Ratios are of whole actions, Σ over tokens, or their geometric mean over tokens (`ratio: length`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from distrl.config import AlgorithmConfig
from distrl.interfaces import Learnable, PolicyOutput, StepFeatures, TrainablePolicy, Update
from distrl.learn import choosing, losses, metrics
from distrl.learn.arrival import SMALLEST_PRIORITY, SPREAD
from distrl.learn.batches import (
    StepTable,
    describe,
    first_rows,
    log_ratios,
    pad,
    padding_mask,
    tabulate,
    trajectory_means,
    unpad,
)
from distrl.learn.checkpoints import open_state
from distrl.learn.optimisers import Descent, frozen, layer_matrices, split_parameters
from distrl.learn.pacing import FadingWeight
from distrl.learn.reference import Reference
from distrl.learn.rehearsal import Rehearsal
from distrl.learn.returns import RetraceReturns, one_step, retrace


def build(policy: TrainablePolicy, config: AlgorithmConfig) -> ARide:
    """A-RIDE for a policy."""
    return ARide(policy, config)


class Evaluated(NamedTuple):
    """A batch under the current policy and critics, without gradients."""

    log_rho: Tensor  # [N] log π - log μ
    value: Tensor  # [N] V(s)
    prior: Tensor  # [B] V_instruct
    returns: RetraceReturns  # [N] each, with γ = 1
    advantage: Tensor  # [N] with discount and shaping, not yet scaled


class Lesson(NamedTuple):
    """How the policy's loss depends on each step of a batch."""

    loss: float
    pull: Tensor  # [N] ∂L/∂ log π(a|s)
    bonus: Tensor  # [N] ∂L/∂ H(π(·|s))


class Learnt(NamedTuple):
    """What the policy's gradient was computed from; nothing, while only the critics learn."""

    grad_norm: float = 0.0
    share: float = 0.0  # of the batch's steps
    rehearsal_loss: float = 0.0


class ARide:
    """The algorithm: a policy, its critics, and an optimiser for each."""

    def __init__(self, policy: TrainablePolicy, config: AlgorithmConfig) -> None:
        self._policy = policy
        self._config = config
        actor, critic = split_parameters(policy)
        self._acting = actor
        matrices = layer_matrices(policy, config.optimiser)
        self._actor = Descent(actor, config.lr, config.grad_clip, matrices, config.lr_fade)
        self._critic = Descent(critic, config.critic_lr, config.grad_clip, matrices)
        self._reference = Reference(policy, actor, held=config.kl > 0)
        self._entropy = FadingWeight(config.entropy, config.entropy_fade)
        self._rehearsal: Rehearsal | None = None
        self._updates = 0

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        """Change the policy and the critics once; nothing moves when a loss or gradient is not finite."""
        reference = self._reference.logprob(batch, features)
        with frozen(self._acting):
            output = self._policy.forward(features)
        table = tabulate(batch, output.logprob.device)
        starts = first_rows(table.lengths, output.logprob.device)  # [B]
        seen = self._evaluate(output, table, starts)

        critic_loss = losses.critic_cross_entropy(output.value.float(), table.success, table.weight)
        prior_loss = losses.prior_cross_entropy(
            output.prior.float()[starts], table.success[starts], table.weight[starts]
        )
        critic_norm = self._critic.differentiate(critic_loss + prior_loss)
        lesson = self._lesson(output, table, seen, reference)
        warming_up = self._updates < self._config.critic_warmup
        learnt = Learnt() if warming_up else self._learn(features, output, table, lesson)
        if not (math.isfinite(critic_norm) and math.isfinite(learnt.grad_norm)):
            return Update(metrics={"skipped": 1.0, **describe(batch, version)}, priorities={})
        self._critic.step()
        if not warming_up:
            self._actor.step()
        self._updates += 1

        measured = {
            "policy_loss": lesson.loss,
            "learnt_steps": learnt.share,
            "rehearsal_loss": learnt.rehearsal_loss,
            "critic_loss": float(critic_loss.detach()),
            "prior_loss": float(prior_loss.detach()),
            "grad_norm": learnt.grad_norm,
            "critic_grad_norm": critic_norm,
            "warming_up": float(warming_up),
            "skipped": 0.0,
            **self._metrics(output, table, seen),
            **metrics.divergence(output.logprob, reference, seen.log_rho, table, self._config),
            **describe(batch, version),
        }
        return Update(metrics=measured, priorities=self._priorities(batch, output, table, seen))

    # --- values and advantages ------------------------------------------------------------------

    @torch.no_grad()
    def _evaluate(self, output: PolicyOutput, table: StepTable, starts: Tensor) -> Evaluated:
        log_rho = log_ratios(
            output.logprob.float(), table.behaviour_logprob, table, self._config.ratio
        )  # [N]
        value = losses.critic_prediction(output.value.float())  # [N]
        returns = self._returns(value, log_rho, table, discount=1.0)
        discounted = returns
        if self._config.discount < 1:
            discounted = self._returns(value, log_rho, table, discount=self._config.discount)
        advantage = discounted.advantages - self._config.repeat_penalty * table.repeated  # [N]
        prior = torch.sigmoid(output.prior.float()[starts])  # [B]
        return Evaluated(log_rho, value, prior, returns, advantage)

    def _returns(self, value: Tensor, log_rho: Tensor, table: StepTable, discount: float) -> RetraceReturns:
        mask = padding_mask(table.lengths, value.device)  # [B, T]
        values = pad(value, table.lengths)
        rewards = pad(table.final * table.success, table.lengths)  # r_{H-1} = R, else 0
        if self._config.retrace:
            padded = retrace(
                values,
                rewards,
                pad(log_rho, table.lengths),
                mask,
                lambda_=self._config.retrace_lambda,
                discount=discount,
                rho_clip=self._config.rho_clip,
            )
        else:
            padded = one_step(values, rewards, mask, discount=discount)
        return RetraceReturns(*(unpad(tensor, mask) for tensor in padded))

    def _policy_loss(
        self, logprob: Tensor, entropy: Tensor, table: StepTable, seen: Evaluated, reference: Tensor | None
    ) -> Tensor:
        """-E_μ[min(ρ, ρ̄) A log π] - β E[H] + λ_inv E[P_invalid] + κ KL(π‖π_ref)."""
        config = self._config
        advantage = losses.scale_advantages(seen.advantage, table.weight, config.negative_scale)
        advantage = advantage + config.imitation * table.success
        weight = table.weight * curriculum_weights(seen.prior, table, config.curriculum_weight)
        gradient = losses.policy_gradient(logprob, seen.log_rho, advantage, weight, rho_clip=config.rho_clip)
        bonus = losses.entropy_bonus(entropy, table.weight)
        penalty = losses.validity_penalty(
            logprob, seen.log_rho, table.invalid, table.weight, rho_clip=config.rho_clip
        )
        loss = gradient + self._entropy.value * bonus + config.invalid_penalty * penalty
        if reference is None:
            return loss
        return loss + config.kl * losses.kl_penalty(
            logprob, reference, seen.log_rho, table.weight, rho_clip=config.rho_clip
        )

    def _lesson(
        self, output: PolicyOutput, table: StepTable, seen: Evaluated, reference: Tensor | None
    ) -> Lesson:
        """The policy's loss, and its slopes by which steps are chosen and then learnt from."""
        logprob = output.logprob.detach().float().requires_grad_()
        entropy = output.entropy.detach().float().requires_grad_()
        loss = self._policy_loss(logprob, entropy, table, seen, reference)
        pull, bonus = torch.autograd.grad(loss, (logprob, entropy))
        return Lesson(float(loss.detach()), pull, bonus)

    def _learn(
        self, features: Sequence[StepFeatures], seen: PolicyOutput, table: StepTable, lesson: Lesson
    ) -> Learnt:
        """Store the policy's gradient as estimated from a share of the steps, and from demonstrations.

        By the chain rule it is Σ pull ∇ log π + Σ bonus ∇ H.
        """
        unsure = 1 - seen.logprob.detach().float().exp()
        worth = lesson.pull.abs() * unsure + lesson.bonus.abs() * seen.entropy.detach().float()
        if not bool(torch.isfinite(worth).all()):
            return Learnt(grad_norm=math.nan)
        chance = choosing.chances(worth, self._config.learn_share)
        rows = choosing.draw(chance)
        output = self._policy.forward(choosing.take(features, table.lengths, rows))
        pull, bonus = lesson.pull[rows] / chance[rows], lesson.bonus[rows] / chance[rows]
        estimate = (pull * output.logprob.float()).sum() + (bonus * output.entropy.float()).sum()
        shown = estimate.new_zeros(()) if self._rehearsal is None else self._rehearsal.loss()
        norm = self._actor.differentiate(estimate + self._config.rehearsal * shown)
        return Learnt(norm, len(rows) / len(worth), float(shown.detach()))

    def rehearse(self, rehearsal: Rehearsal) -> None:
        """Imitate demonstrations too, in every update from now on."""
        self._rehearsal = rehearsal

    def hold_reference(self) -> None:
        """Take the policy as it is now for π_ref."""
        self._reference.hold()

    def pace(self, progress: float) -> None:
        """Let the learning rate and the entropy bonus fade towards the end of the run."""
        self._actor.pace(progress)
        self._entropy.pace(progress)

    # --- what is reported -----------------------------------------------------------------------

    @torch.no_grad()
    def priorities(self, batch: Sequence[Learnable], features: Sequence[StepFeatures]) -> dict[str, float]:
        """What the priorities are under the current policy and critics; changes nothing."""
        output = self._policy.forward(features)
        table = tabulate(batch, output.logprob.device)
        seen = self._evaluate(output, table, first_rows(table.lengths, output.logprob.device))
        return self._priorities(batch, output, table, seen)

    @torch.no_grad()
    def _priorities(
        self, batch: Sequence[Learnable], output: PolicyOutput, table: StepTable, seen: Evaluated
    ) -> dict[str, float]:
        """p(τ) = w1 mean|δ| + w2 mean min(1, ρ) + w3 mean H/(1+H) + w4 mean min(1, ρ) |k| (1-π).

        k is what a step's log π is multiplied by in the loss, with advantages as they usually spread.
        """
        config, entropy = self._config, output.entropy.float()
        ratio = losses.clipped_ratio(seen.log_rho, 1.0)
        pull = losses.shrink_negatives(seen.advantage / SPREAD, config.negative_scale)
        pull = pull + config.imitation * table.success
        steps = (
            config.priority_error * seen.returns.deltas.abs()
            + config.priority_ratio * ratio
            + config.priority_entropy * entropy / (1 + entropy)
            + config.priority_lesson * ratio * pull.abs() * (1 - output.logprob.float().exp())
        )  # [N]
        means = trajectory_means(steps, table.lengths) + SMALLEST_PRIORITY  # [B]
        return {entry.id: priority for entry, priority in zip(batch, means.tolist(), strict=True)}

    @torch.no_grad()
    def _metrics(self, output: PolicyOutput, table: StepTable, seen: Evaluated) -> dict[str, float]:
        return {
            **metrics.critic_quality(seen.value, table),
            **metrics.staleness(seen.log_rho),
            "entropy": float(output.entropy.float().mean()),
            "entropy_weight": self._entropy.value,
            "advantage_mean": float(losses.weighted_mean(seen.advantage, table.weight)),
            "advantage_std": float(seen.advantage.std(correction=0)),
            "delta_mean": float(seen.returns.deltas.abs().mean()),
        }

    # --- going on later -------------------------------------------------------------------------

    def state_dict(self) -> dict[str, object]:
        """Both optimisers and the number of updates."""
        return {
            "kind": "a-ride",
            "updates": self._updates,
            "actor": self._actor.state_dict(),
            "critic": self._critic.state_dict(),
        }

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""
        (actor, critic), self._updates = open_state(state, "a-ride", "actor", "critic")
        self._actor.load_state_dict(actor)
        self._critic.load_state_dict(critic)


def curriculum_weights(prior: Tensor, table: StepTable, strength: float) -> Tensor:
    """1 + C (R - V_instruct) of each step's trajectory: the less expected a success, the more it counts.

    [B] → [N], in [1 - C, 1 + C], all alike for C = 0; the same ranking as DigiRL's, without its cut.
    """
    lengths = torch.tensor(table.lengths, device=prior.device)
    return 1 + strength * (table.success - prior.repeat_interleave(lengths))
