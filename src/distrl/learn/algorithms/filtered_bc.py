"""Filtered behaviour cloning: imitate what worked best lately, ignore the rest.

L = -E[log π(a|s)] over trajectories that succeeded *and* whose return is at or above a quantile of recent
returns. There is no critic, no ratio and no negative example. With a `discount` of 1 all successes without a
clumsy step tie and all of them are kept, since nothing says which is better. See
docs/algorithms/filtered-bc.md.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence

import torch

from distrl.config import AlgorithmConfig
from distrl.interfaces import Learnable, StepFeatures, TrainablePolicy, Update
from distrl.learn import losses, metrics
from distrl.learn.batches import describe, tabulate
from distrl.learn.checkpoints import open_state
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters

# Returns remembered: long enough for a stable quantile, short enough to follow a policy that improves.
WINDOW = 512


def build(policy: TrainablePolicy, config: AlgorithmConfig) -> FilteredBC:
    """Filtered behaviour cloning for a policy."""
    return FilteredBC(policy, config)


class FilteredBC:
    """The algorithm: a policy, one optimiser, and the returns seen lately."""

    def __init__(self, policy: TrainablePolicy, config: AlgorithmConfig) -> None:
        self._policy = policy
        self._config = config
        actor, _ = split_parameters(policy)
        matrices = layer_matrices(policy, config.optimiser)
        self._actor = Descent(actor, config.lr, config.grad_clip, matrices, config.lr_fade)
        self._recent: OrderedDict[str, float] = OrderedDict()  # trajectory id → return

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        """Imitate the batch's best once; a batch without any leaves the policy as it is."""
        threshold = self._threshold(batch)
        kept = [
            index
            for index, entry in enumerate(batch)
            if entry.success and self._recent[entry.id] >= threshold - 1e-9
        ]
        measured = {"kept": len(kept) / max(1, len(batch)), "threshold": threshold, "skipped": 0.0}
        measured |= describe(batch, version)
        priorities = {entry.id: 1.0 for entry in batch}
        if not kept:
            return Update(metrics=measured, priorities=priorities)

        output = self._policy.forward([features[index] for index in kept])
        table = tabulate([batch[index] for index in kept], output.logprob.device)
        loss = losses.cloning_loss(output.logprob.float(), table.weight)
        norm = self._actor.differentiate(loss)
        if not math.isfinite(norm):
            return Update(metrics=measured | {"skipped": 1.0}, priorities={})
        self._actor.step()

        log_rho = output.logprob.detach().float() - table.behaviour_logprob  # [N]
        measured |= {
            "policy_loss": float(loss.detach()),
            "grad_norm": norm,
            "entropy": float(output.entropy.detach().float().mean()),
            **metrics.staleness(log_rho),
        }
        return Update(metrics=measured, priorities=priorities)

    def _threshold(self, batch: Sequence[Learnable]) -> float:
        """Remember the batch's returns, and say which return is good enough now."""
        for entry in batch:
            self._recent[entry.id] = shaped_return(entry, self._config)
            self._recent.move_to_end(entry.id)
        while len(self._recent) > max(WINDOW, len(batch)):
            self._recent.popitem(last=False)
        returns = torch.tensor(list(self._recent.values()), dtype=torch.float64)
        return float(torch.quantile(returns, self._config.keep_quantile, interpolation="lower"))

    def pace(self, progress: float) -> None:
        """Let the learning rate fade towards the end of the run."""
        self._actor.pace(progress)

    def state_dict(self) -> dict[str, object]:
        """The optimiser and the recent returns."""
        return {"kind": "filtered-bc", "actor": self._actor.state_dict(), "recent": dict(self._recent)}

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""
        (actor, recent), _ = open_state(state, "filtered-bc", "actor", "recent")
        self._actor.load_state_dict(actor)
        self._recent = OrderedDict(recent)


def shaped_return(entry: Learnable, config: AlgorithmConfig) -> float:
    """γ^{H-1} R minus the shaping of each invalid and each repeated step."""
    discounted = config.discount ** (len(entry.versions) - 1) * float(entry.success)
    penalty = config.invalid_penalty * sum(entry.invalid) + config.repeat_penalty * sum(entry.repeated)
    return discounted - penalty
