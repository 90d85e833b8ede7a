"""Warm start: imitate demonstrations, so that reinforcement learning has successes to learn from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from distrl.config import WarmStartConfig
from distrl.errors import PolicyError
from distrl.interfaces import StepFeatures, TrainablePolicy
from distrl.learn import losses
from distrl.learn.crew import Build, Crew, ShareLoss
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
    build: Build | None = None,
    helpers: int = 0,
) -> dict[str, float]:
    """Imitate every step of every demonstration, for `config.epochs` passes; returns what came of it.

    Nothing is held back. Steps whose decision has no tokens cannot be expressed by the policy: they are left
    out and counted as `skipped_steps`. With `build`, which makes the same policy in another process, so many
    helpers compute parts of every batch; loss, likelihood and entropy are then told of our own part.
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
    prepare = partial(_imitation, config.disguise)
    change = _disguise(policy, steps, config.disguise, seed)
    with Crew(actor, steps, build, prepare, helpers, seed) as crew:
        for done, batch in enumerate(_batches(len(steps), config, seed)):
            descent.set_lr(config.lr * _schedule(done / total))
            share = crew.deal(batch)
            output = policy.forward([change(steps[number]) for number in share])
            loss = losses.cloning_loss(output.logprob.float(), torch.ones_like(output.logprob.float()))
            norm = descent.differentiate(loss * len(share) / len(batch), others=crew.gradients)
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


def _imitation(
    disguise: float, policy: TrainablePolicy, steps: Sequence[StepFeatures], seed: int
) -> ShareLoss:
    """The loss of a helper's share."""
    change = _disguise(policy, steps, disguise, seed)

    def loss(share: Sequence[StepFeatures]) -> Tensor:
        logprob = policy.forward([change(step) for step in share]).logprob.float()
        return losses.cloning_loss(logprob, torch.ones_like(logprob)) * len(share)

    return loss


def _disguise(policy: TrainablePolicy, steps: Sequence[StepFeatures], share: float, seed: int) -> Change:
    if share and isinstance(policy, Disguising):
        return policy.disguise(steps, share, seed)
    return _unchanged


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


def _batches(steps: int, config: WarmStartConfig, seed: int) -> Iterator[list[int]]:
    """Numbers of shuffled steps in mini-batches, every step once in each pass."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(config.epochs):
        order: list[int] = torch.randperm(steps, generator=generator).tolist()
        for start in range(0, len(order), config.batch_steps):
            yield order[start : start + config.batch_steps]


def _unchanged(step: StepFeatures) -> StepFeatures:
    return step


def _schedule(progress: float) -> float:
    """Cosine from 1 down to FINAL_LR."""
    return FINAL_LR + (1 - FINAL_LR) * 0.5 * (1 + math.cos(math.pi * progress))
