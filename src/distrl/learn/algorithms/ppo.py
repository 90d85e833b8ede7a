"""PPO with a decoupled behaviour policy: proximal policy optimisation for data that is some versions old.

Schulman et al., arXiv 1707.06347; the decoupling is that of Hilton et al., arXiv 2110.00641, as in AReaL
(see `learn.proximal` for the objective); docs/algorithms/ppo.md explains every metric. One `update` is

    a pass without gradient    log π_prox, V(s), and  A_t = Σ_{k≥t} (γλ)^{k-t} δ_k   (GAE)
    `epochs` · `minibatches`   steps on the clipped objective and on the critic's cross-entropy

Deviations from the papers:

- The critic is a probability: cross-entropy to the outcome R, no regression to returns and no value clipping.
- A is centred and scaled over the batch, not over each minibatch, and negatives are shrunk
  (`negative_scale`; 1 is PPO's own).
- Invalid and repeated actions lose advantage where they happen; V knows nothing of shaping.
- Minibatches hold whole trajectories, so that a policy may read them as sequences.
- GAE estimates the advantages of the policy that acted. Nothing corrects that but the freshness of the data.
- The first `critic_warmup` updates train the critic alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from distrl.config import AlgorithmConfig
from distrl.interfaces import Learnable, PolicyOutput, StepFeatures, TrainablePolicy, Update
from distrl.learn import losses, metrics
from distrl.learn.batches import StepTable, describe, log_ratios, pad, padding_mask, tabulate, unpad
from distrl.learn.checkpoints import open_state
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters
from distrl.learn.proximal import ProximalDescent, Start
from distrl.learn.reference import Reference
from distrl.learn.returns import generalised_advantages


def build(policy: TrainablePolicy, config: AlgorithmConfig) -> PPO:
    """PPO for a policy."""
    return PPO(policy, config)


class PPO:
    """The algorithm: a policy, its step critic, and an optimiser for each."""

    def __init__(self, policy: TrainablePolicy, config: AlgorithmConfig) -> None:
        self._policy = policy
        self._config = config
        actor, critic = split_parameters(policy)
        matrices = layer_matrices(policy, config.optimiser)
        self._actor = Descent(actor, config.lr, config.grad_clip, matrices, config.lr_fade)
        self._critic = Descent(critic, config.critic_lr, config.grad_clip, matrices)
        self._descent = ProximalDescent(policy, config, self._actor, self._critic)
        self._reference = Reference(policy, actor, held=config.kl > 0)
        self._updates = 0

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        """Look at the batch once, then take several steps on it; a step that is not finite ends them."""
        reference = self._reference.logprob(batch, features)
        with torch.no_grad():
            output = self._policy.forward(features)
        proximal = output.logprob.float()  # [N]
        table = tabulate(batch, proximal.device)
        value = losses.critic_prediction(output.value.float())  # [N]
        advantage = self._advantages(value, table)  # [N]
        log_rho = log_ratios(proximal, table.behaviour_logprob, table, self._config.ratio)  # π_prox/μ
        start = Start(
            proximal,
            losses.clipped_ratio(log_rho, self._config.rho_clip),
            losses.scale_advantages(advantage, table.weight, self._config.negative_scale),
            reference,
        )
        warming_up = self._updates < self._config.critic_warmup
        done = self._descent.run(batch, features, start, seed=self._updates, acting=not warming_up)
        if done is None:
            return Update(metrics={"skipped": 1.0, **describe(batch, version)}, priorities={})
        self._updates += 1

        measured = {
            **done,
            **self._metrics(output, table, value, advantage),
            **metrics.staleness(log_rho),
            **metrics.divergence(proximal, reference, log_rho, table, self._config),
            **describe(batch, version),
            "warming_up": float(warming_up),
            "skipped": 0.0,
        }
        # All alike, so that the replay draws evenly: PPO's objective is about the data as it was collected.
        return Update(metrics=measured, priorities={entry.id: 1.0 for entry in batch})

    def hold_reference(self) -> None:
        """Take the policy as it is now for π_ref."""
        self._reference.hold()

    def pace(self, progress: float) -> None:
        """Let the learning rate and the entropy bonus fade towards the end of the run."""
        self._descent.pace(progress)

    def _advantages(self, value: Tensor, table: StepTable) -> Tensor:
        """GAE, less the shaping of invalid and repeated steps; [N]."""
        config = self._config
        mask = padding_mask(table.lengths, value.device)  # [B, T]
        padded = generalised_advantages(
            pad(value, table.lengths),
            pad(table.final * table.success, table.lengths),  # r_{H-1} = R, else 0
            mask,
            lambda_=config.gae_lambda,
            discount=config.discount,
        )
        shaping = config.invalid_penalty * table.invalid + config.repeat_penalty * table.repeated
        return unpad(padded, mask) - shaping

    def _metrics(
        self, output: PolicyOutput, table: StepTable, value: Tensor, advantage: Tensor
    ) -> dict[str, float]:
        """Of the first pass, before anything has moved: a critic is judged on what it was not trained on."""
        critic_loss = losses.critic_cross_entropy(output.value.float(), table.success, table.weight)
        return {
            "critic_loss": float(critic_loss),
            **metrics.critic_quality(value, table),
            "entropy": float(output.entropy.float().mean()),
            "advantage_mean": float(losses.weighted_mean(advantage, table.weight)),
            "advantage_std": float(advantage.std(correction=0)),
        }

    # --- going on later -------------------------------------------------------------------------

    def state_dict(self) -> dict[str, object]:
        """Both optimisers and the number of updates."""
        return {
            "kind": "ppo",
            "updates": self._updates,
            "actor": self._actor.state_dict(),
            "critic": self._critic.state_dict(),
        }

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""
        (actor, critic), self._updates = open_state(state, "ppo", "actor", "critic")
        self._actor.load_state_dict(actor)
        self._critic.load_state_dict(critic)
