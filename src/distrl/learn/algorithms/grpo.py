"""GRPO: an episode is as good as it did better than other episodes of the same task; there is no critic.

Shao et al., arXiv 2402.03300 (DeepSeekMath), section 4.1; docs/algorithms/grpo.md explains every metric. With
R_i the outcome of an episode and the group its task's latest `group` episodes, itself included:

    A_i = (R_i - mean of the others) / max(std of the group, 0.1)

at every step of the episode, and the clipped, decoupled objective of `learn.proximal` with κ KL(π‖π_ref).
Deviations from the paper:

- Groups. Trajectories are drawn one by one from a replay, so the group is a memory: the latest episodes of
  the task that were drawn. It may hold several versions; `collect.group` makes workers deal a task several
  times in a row, so that its episodes are of about the same age. Their screens differ, since their seeds do.
- The mean leaves the episode itself out, so that the baseline does not depend on its actions.
- Trajectories of groups without spread, or without a second episode, are left out: their advantage is 0, and
  the entropy bonus or the KL term alone would move the policy (as dynamic sampling in DAPO, 2503.14476).
- The loss is a mean over steps, not first over each episode, which would weaken long failures (as in DAPO).
- The clip is relative to the policy at the start of the update, and old data is weighted by min(ρ̄, π_prox/μ).
- The KL term has the gradient of KL(π‖π_ref); the paper's estimator, differentiated, has that of KL(π_ref‖π).
- Negative advantages are shrunk (`negative_scale`; 1 is GRPO's own), and there is an entropy bonus.
- Invalid and repeated actions lose advantage where they happen.
"""

from __future__ import annotations

import statistics
from collections import OrderedDict
from collections.abc import Sequence

import torch
from torch import Tensor

from distrl.config import AlgorithmConfig
from distrl.interfaces import Learnable, StepFeatures, TrainablePolicy, Update
from distrl.learn import losses, metrics
from distrl.learn.batches import StepTable, describe, log_ratios, tabulate
from distrl.learn.checkpoints import open_state
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters
from distrl.learn.proximal import ProximalDescent, Start
from distrl.learn.reference import Reference

NO_SPREAD = 1e-9  # returns closer than this are the same


def build(policy: TrainablePolicy, config: AlgorithmConfig) -> GRPO:
    """GRPO for a policy."""
    return GRPO(policy, config)


class Groups:
    """The returns of each task's latest episodes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.held: dict[str, OrderedDict[str, float]] = {}  # task → trajectory id → return

    def add(self, entry: Learnable, result: float) -> None:
        """Remember an episode; seen again it is the latest, but not a second one."""
        group = self.held.setdefault(entry.task, OrderedDict())
        group[entry.id] = result
        group.move_to_end(entry.id)
        while len(group) > self.size:
            group.popitem(last=False)

    def others(self, entry: Learnable) -> list[float]:
        """The returns of the other episodes of the same task."""
        group = self.held.get(entry.task, OrderedDict())
        return [result for id, result in group.items() if id != entry.id][-(self.size - 1) :]


class GRPO:
    """The algorithm: a policy, one optimiser, and what the episodes of each task returned lately."""

    def __init__(self, policy: TrainablePolicy, config: AlgorithmConfig) -> None:
        self._policy = policy
        self._config = config
        actor, _ = split_parameters(policy)
        matrices = layer_matrices(policy, config.optimiser)
        self._actor = Descent(actor, config.lr, config.grad_clip, matrices, config.lr_fade)
        self._descent = ProximalDescent(policy, config, self._actor)
        self._reference = Reference(policy, actor, held=config.kl > 0)
        self._groups = Groups(config.group)
        self._updates = 0

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        """Compare, then take several steps on what stands out; a batch without any leaves all as it is."""
        returns = [outcome(entry, self._config.discount) for entry in batch]
        for entry, result in zip(batch, returns, strict=True):
            self._groups.add(entry, result)
        others = [self._groups.others(entry) for entry in batch]
        advantages = [group_advantage(own, rest) for own, rest in zip(returns, others, strict=True)]
        kept = [index for index, advantage in enumerate(advantages) if advantage]
        measured = {
            "grouped": sum(bool(rest) for rest in others) / max(1, len(batch)),
            "group_size": sum(len(rest) + 1 for rest in others) / max(1, len(batch)),
            "kept": len(kept) / max(1, len(batch)),
            "skipped": 0.0,
            **describe(batch, version),
        }
        priorities = {entry.id: 1.0 for entry in batch}  # all alike: the replay draws evenly
        if not kept:
            return Update(metrics=measured, priorities=priorities)
        done = self._learn(
            [batch[index] for index in kept],
            [features[index] for index in kept],
            [advantages[index] for index in kept],
        )
        if done is None:
            return Update(metrics=measured | {"skipped": 1.0}, priorities={})
        self._updates += 1
        return Update(metrics=measured | done, priorities=priorities)

    def hold_reference(self) -> None:
        """Take the policy as it is now for π_ref."""
        self._reference.hold()

    def pace(self, progress: float) -> None:
        """Let the learning rate and the entropy bonus fade towards the end of the run."""
        self._descent.pace(progress)

    def _learn(
        self, batch: Sequence[Learnable], features: Sequence[StepFeatures], advantages: Sequence[float]
    ) -> dict[str, float] | None:
        """Steps on the clipped objective; the metrics of the first pass and of the steps, None if broken."""
        config = self._config
        reference = self._reference.logprob(batch, features)
        with torch.no_grad():
            output = self._policy.forward(features)
        proximal = output.logprob.float()  # [N]
        table = tabulate(batch, proximal.device)
        advantage = self._step_advantages(advantages, table)  # [N]
        log_rho = log_ratios(proximal, table.behaviour_logprob, table, config.ratio)  # π_prox/μ
        start = Start(proximal, losses.clipped_ratio(log_rho, config.rho_clip), advantage, reference)
        done = self._descent.run(batch, features, start, seed=self._updates)
        if done is None:
            return None
        return {
            **done,
            "entropy": float(output.entropy.float().mean()),
            "advantage_mean": float(losses.weighted_mean(advantage, table.weight)),
            "advantage_std": float(advantage.std(correction=0)),
            **metrics.staleness(log_rho),
            **metrics.divergence(proximal, reference, log_rho, table, config),
        }

    def _step_advantages(self, advantages: Sequence[float], table: StepTable) -> Tensor:
        """Each episode's advantage at all of its steps, less their shaping; [B] → [N]."""
        config = self._config
        device = table.success.device
        episode = torch.tensor(advantages, device=device)  # [B]
        spread = episode.repeat_interleave(torch.tensor(table.lengths, device=device))  # [N]
        shaping = config.invalid_penalty * table.invalid + config.repeat_penalty * table.repeated
        return losses.shrink_negatives(spread - shaping, config.negative_scale)

    # --- going on later -------------------------------------------------------------------------

    def state_dict(self) -> dict[str, object]:
        """The optimiser, the number of updates, and the groups."""
        return {
            "kind": "grpo",
            "updates": self._updates,
            "actor": self._actor.state_dict(),
            "groups": {task: dict(group) for task, group in self._groups.held.items()},
        }

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""
        (actor, groups), self._updates = open_state(state, "grpo", "actor", "groups")
        self._actor.load_state_dict(actor)
        self._groups.held = {task: OrderedDict(group) for task, group in groups.items()}


def outcome(entry: Learnable, discount: float) -> float:
    """γ^{H-1} R: what an episode is compared by."""
    return float(discount ** (len(entry.versions) - 1)) * float(entry.success)


def group_advantage(own: float, others: Sequence[float]) -> float:
    """How much better than the others, in standard deviations of the group; 0 without others or spread."""
    group = [own, *others]
    if not others or max(group) - min(group) < NO_SPREAD:
        return 0.0
    scale = max(statistics.pstdev(group), losses.SMALLEST_SCALE)
    return (own - statistics.fmean(others)) / scale
