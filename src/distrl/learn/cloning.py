"""Warm start: imitate demonstrations, so that reinforcement learning has successes to learn from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import torch

from distrl.config import WarmStartConfig
from distrl.errors import PolicyError
from distrl.interfaces import StepFeatures, TrainablePolicy
from distrl.learn import losses
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters
from distrl.records import Trajectory

GRAD_CLIP = 1.0
FINAL_LR = 0.1  # share of the learning rate that the cosine schedule ends at

Progress = Callable[[int, int, dict[str, float]], None]  # updates done, updates in all, metrics
Change = Callable[[StepFeatures], StepFeatures]


@runtime_checkable
class Disguising(Protocol):
    """A policy that can tell mere values in its features from what matters, and replace them by others."""

    def disguise(self, steps: Sequence[StepFeatures], share: float, seed: int) -> Change:
        """A function that changes that share of the steps it is given."""


def clone(
    policy: TrainablePolicy,
    demonstrations: Sequence[Trajectory],
    config: WarmStartConfig,
    *,
    seed: int,
    progress: Progress,
) -> dict[str, float]:
    """Imitate every step of every demonstration, for `config.epochs` passes; returns what came of it.

    Nothing is held back. Steps whose decision has no tokens cannot be expressed by the policy: they are left
    out and counted as `skipped_steps`.
    """
    steps, skipped = _steps(policy, demonstrations)
    summary = {
        "demonstrations": float(len(demonstrations)),
        "steps": float(len(steps)),
        "skipped_steps": float(skipped),
        "updates": 0.0,
    }
    if not steps or not config.epochs:
        return summary
    actor, _ = split_parameters(policy)
    descent = Descent(actor, config.lr, GRAD_CLIP, layer_matrices(policy, config.optimiser))
    total = config.epochs * math.ceil(len(steps) / config.batch_steps)
    change: Change = _unchanged
    if config.disguise and isinstance(policy, Disguising):
        change = policy.disguise(steps, config.disguise, seed)
    for done, batch in enumerate(_batches(steps, config, seed)):
        descent.set_lr(config.lr * _schedule(done / total))
        output = policy.forward([change(step) for step in batch])
        loss = losses.cloning_loss(output.logprob.float(), torch.ones_like(output.logprob.float()))
        norm = descent.differentiate(loss)
        if not math.isfinite(norm):
            raise PolicyError(f"cloning broke down at update {done}; try a lower warmstart.lr")
        descent.step()
        metrics = {
            "loss": float(loss.detach()),
            "grad_norm": norm,
            "likelihood": float(output.logprob.detach().float().exp().mean()),
            "entropy": float(output.entropy.detach().float().mean()),
        }
        summary |= metrics | {"updates": float(done + 1)}
        progress(done + 1, total, metrics)
    return summary


def _steps(policy: TrainablePolicy, demonstrations: Sequence[Trajectory]) -> tuple[list[StepFeatures], int]:
    """Every step's features as a row of their own, and the number of steps that cannot be used."""
    rows: list[StepFeatures] = []
    skipped = 0
    for trajectory in demonstrations:
        if not trajectory.steps:
            continue
        features = policy.featurize(trajectory)
        for index, step in enumerate(trajectory.steps):
            if step.decision.tokens:
                rows.append({name: array[index : index + 1] for name, array in features.items()})
            else:
                skipped += 1
    return rows, skipped


def _batches(
    steps: Sequence[StepFeatures], config: WarmStartConfig, seed: int
) -> Iterator[list[StepFeatures]]:
    """Mini-batches of shuffled steps, every step once in each pass."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(config.epochs):
        order = torch.randperm(len(steps), generator=generator).tolist()
        for start in range(0, len(order), config.batch_steps):
            yield [steps[index] for index in order[start : start + config.batch_steps]]


def _unchanged(step: StepFeatures) -> StepFeatures:
    return step


def _schedule(progress: float) -> float:
    """Cosine from 1 down to FINAL_LR."""
    return FINAL_LR + (1 - FINAL_LR) * 0.5 * (1 + math.cos(math.pi * progress))
