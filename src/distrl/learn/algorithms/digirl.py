"""DigiRL: imitate the steps that helped, in the trajectories that went better than expected.

Bai et al., arXiv 2406.11896, section 4; docs/algorithms/digirl.md explains every metric. With h = 1..H the
steps of a trajectory, R ∈ {0, 1} its outcome, and both critics trained by cross-entropy on R:

    A_instruct = R - V_instruct(c)                                       keep the top p % of trajectories
    A_step = λ^{H-h} R + (1 - λ^{H-h} R) (V(s_{h+1}) + r_h - V(s_h))     keep a step if A_step > 1/H
    L(π) = -E_kept[ log π(a|s) ]                                         no importance ratio, no entropy bonus

It belongs to the synchronous mode (`mode: sync`), and runs in the asynchronous system without any change, as
an ablation. Deviations from the paper:

- Epochs. Per iteration the paper trains V_instruct (5 epochs), then V_step (5), then the actor (20), where an
  epoch of its code is one optimiser step on 128 drawn steps. Here one `update` is one step of all three, on
  one batch; a synchronous round has `round_updates` of them, so 20 there are the paper's 20 actor epochs, and
  the critics take 20 steps instead of 5. The filters use the critics as they were before the update.
- The top p % are taken over the last 512 distinct trajectories, each with the A_instruct of when it was drawn
  last; the paper ranks all it ever collected anew in each iteration. A batch is too small to rank: a batch of
  failures would have its best ones imitated. The actor learns from those of the batch that are in the top.
- The critics are heads on the policy's trunk, whose gradient they do not change, and not models of their own.
  V is the lower one of two heads, as in the published code.
- The episode's end is terminal: V(s_{H+1}) = 0, where the code asks the critic about the last screen.
- r_h holds the shaping penalties of the configuration; they are 0 in the paper, and can be set to 0.
- An episode of one step has A_step = 1 = 1/H at best and could never be learnt from: its threshold is 1/2.
  `digirl_horizon` sets H of the threshold to a number; the published code has 0.05, that is 20.
- The first `critic_warmup` updates train the critics alone, as for A-RIDE.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence

import torch
from torch import Tensor

from distrl.config import AlgorithmConfig
from distrl.interfaces import Learnable, PolicyOutput, StepFeatures, TrainablePolicy, Update
from distrl.learn import losses, metrics
from distrl.learn.batches import StepTable, describe, first_rows, tabulate
from distrl.learn.checkpoints import open_state
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters

# Trajectories ranked: enough for a stable top share, few enough to follow critics and a policy that improve.
WINDOW = 512


def build(policy: TrainablePolicy, config: AlgorithmConfig) -> DigiRL:
    """DigiRL for a policy."""
    return DigiRL(policy, config)


class DigiRL:
    """The algorithm: a policy, its two critics, and the trajectories' advantages seen lately."""

    def __init__(self, policy: TrainablePolicy, config: AlgorithmConfig) -> None:
        self._policy = policy
        self._config = config
        actor, critic = split_parameters(policy)
        matrices = layer_matrices(policy, config.optimiser)
        self._actor = Descent(actor, config.lr, config.grad_clip, matrices, config.lr_fade)
        self._critic = Descent(critic, config.critic_lr, config.grad_clip, matrices)
        self._recent: OrderedDict[str, float] = OrderedDict()  # trajectory id → A_instruct
        self._updates = 0

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        """Train both critics, filter, imitate what is left; nothing moves when something is not finite."""
        output = self._policy.forward(features)
        table = tabulate(batch, output.logprob.device)
        starts = first_rows(table.lengths, output.logprob.device)  # [B]

        prior_loss = losses.prior_cross_entropy(
            output.prior.float()[starts], table.success[starts], table.weight[starts]
        )
        critic_loss = losses.critic_cross_entropy(output.value.float(), table.success, table.weight)
        critic_norm = self._critic.differentiate(critic_loss + prior_loss)
        if not math.isfinite(critic_norm):
            return Update(metrics={"skipped": 1.0, **describe(batch, version)}, priorities={})

        kept, filtered = self._filter(batch, output, table, starts)
        warming_up = self._updates < self._config.critic_warmup
        imitating = not warming_up and bool(kept.any())
        policy_loss, grad_norm = self._imitate(features, table, kept) if imitating else (0.0, 0.0)
        if not math.isfinite(grad_norm):
            return Update(metrics={"skipped": 1.0, **describe(batch, version)}, priorities={})
        self._critic.step()
        if imitating:
            self._actor.step()
        self._updates += 1

        value = losses.critic_prediction(output.value.float())
        measured = {
            **({"policy_loss": policy_loss} if imitating else {}),
            "critic_loss": float(critic_loss.detach()),
            "prior_loss": float(prior_loss.detach()),
            "grad_norm": grad_norm,
            "critic_grad_norm": critic_norm,
            "warming_up": float(warming_up),
            "skipped": 0.0,
            "entropy": float(output.entropy.detach().float().mean()),
            **filtered,
            **metrics.critic_quality(value, table),
            **metrics.staleness(output.logprob.detach().float() - table.behaviour_logprob),
            **describe(batch, version),
        }
        # All alike, so that the replay draws evenly: DigiRL chooses by filter, not by priority.
        return Update(metrics=measured, priorities={entry.id: 1.0 for entry in batch})

    # --- the two filters ------------------------------------------------------------------------

    @torch.no_grad()
    def _filter(
        self, batch: Sequence[Learnable], output: PolicyOutput, table: StepTable, starts: Tensor
    ) -> tuple[Tensor, dict[str, float]]:
        """Which steps pass both filters, [N], and how many passed each."""
        config = self._config
        instruct = table.success[starts] - torch.sigmoid(output.prior.float()[starts])  # [B]
        cutoff = self._cutoff(batch, instruct.tolist())
        lengths = torch.tensor(table.lengths, device=instruct.device)
        chosen = instruct >= cutoff  # [B]

        value = losses.critic_prediction(output.value.float())  # [N]
        shaping = config.invalid_penalty * table.invalid + config.repeat_penalty * table.repeated
        advantage = step_advantages(value, -shaping, table, config.digirl_lambda)  # [N]
        helped = advantage > step_thresholds(table, config.digirl_horizon)  # [N]

        kept = helped & chosen.repeat_interleave(lengths)  # [N]
        return kept, {
            "kept": float(chosen.float().mean()),
            "kept_steps": float(kept.float().mean()),
            "helpful_steps": float(helped.float().mean()),
            "threshold": cutoff,
            "advantage_mean": float(advantage.mean()),
            "advantage_std": float(advantage.std(correction=0)),
        }

    def _cutoff(self, batch: Sequence[Learnable], advantages: Sequence[float]) -> float:
        """Remember the batch's A_instruct; the smallest one that is in the top share of the window."""
        for entry, advantage in zip(batch, advantages, strict=True):
            self._recent[entry.id] = advantage
            self._recent.move_to_end(entry.id)
        while len(self._recent) > max(WINDOW, len(batch)):
            self._recent.popitem(last=False)
        return top_share(list(self._recent.values()), self._config.digirl_keep)

    # --- the actor ------------------------------------------------------------------------------

    def _imitate(
        self, features: Sequence[StepFeatures], table: StepTable, kept: Tensor
    ) -> tuple[float, float]:
        """Store the gradient of -E_kept[log π(a|s)]; the loss, and the norm of its gradient.

        A second forward pass, over trajectories with a kept step only: they are few, so this is cheaper than
        going back through the whole batch.
        """
        weights = torch.split(table.weight * kept, table.lengths)  # B tensors
        chosen = [index for index, steps in enumerate(torch.split(kept, table.lengths)) if bool(steps.any())]
        logprob = self._policy.forward([features[index] for index in chosen]).logprob.float()
        loss = losses.cloning_loss(logprob, torch.cat([weights[index] for index in chosen]))
        norm = self._actor.differentiate(loss)
        return float(loss.detach()), norm

    # --- going on later -------------------------------------------------------------------------

    def pace(self, progress: float) -> None:
        """Let the learning rate fade towards the end of the run."""
        self._actor.pace(progress)

    def state_dict(self) -> dict[str, object]:
        """Both optimisers, the window, and the number of updates."""
        return {
            "kind": "digirl",
            "updates": self._updates,
            "actor": self._actor.state_dict(),
            "critic": self._critic.state_dict(),
            "recent": dict(self._recent),
        }

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""
        (actor, critic, recent), self._updates = open_state(state, "digirl", "actor", "critic", "recent")
        self._actor.load_state_dict(actor)
        self._critic.load_state_dict(critic)
        self._recent = OrderedDict(recent)


def top_share(values: Sequence[float], share: float) -> float:
    """The smallest of the ⌈share · n⌉ largest values; who ties with it is in the top, too."""
    count = math.ceil(share * len(values) - 1e-9)  # 0.1 · 30 is a little more than 3 in floating point
    return sorted(values, reverse=True)[count - 1]


def step_advantages(value: Tensor, shaping: Tensor, table: StepTable, lambda_: float) -> Tensor:
    """A_step = λ^{H-h} R + (1 - λ^{H-h} R) (V(s_{h+1}) + r_h - V(s_h)); all [N]."""
    to_go = [float(left) for length in table.lengths for left in range(length - 1, -1, -1)]
    exponent = torch.tensor(to_go, device=value.device)  # [N] H - h
    monte_carlo = lambda_**exponent * table.success
    following = torch.cat([value[1:], value.new_zeros(1)]) * (1 - table.final)  # V(s_{h+1}), 0 after the end
    reward = table.final * table.success + shaping  # r_h
    return monte_carlo + (1 - monte_carlo) * (following + reward - value)


def step_thresholds(table: StepTable, horizon: int) -> Tensor:
    """1/H of each step's trajectory, [N]; H is its length, 2 at least, unless a horizon is given."""
    limits = [1 / (horizon or max(2, length)) for length in table.lengths for _ in range(length)]
    return torch.tensor(limits, device=table.success.device)
