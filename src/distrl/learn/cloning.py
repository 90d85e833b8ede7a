"""Warm start: imitate demonstrations, so that reinforcement learning has successes to learn from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import torch
from torch import Tensor

from distrl.config import WarmStartConfig
from distrl.errors import PolicyError
from distrl.interfaces import StepFeatures, TrainablePolicy
from distrl.learn.crew import Build, Crew, ShareLoss
from distrl.learn.imitating import disguising, imitate
from distrl.learn.optimisers import Descent, layer_matrices, split_parameters
from distrl.records import Trajectory

GRAD_CLIP = 1.0
TOGETHER = 16  # demonstrations that are looked at at once
FINAL_LR = 0.1  # share of the learning rate that the cosine schedule ends at
FIRST_PASSES = 2  # over the first half of the demonstrations, after which `more` are asked for

Progress = Callable[[int, int, dict[str, float]], None]  # updates done, updates in all, metrics
Costs = Callable[[Sequence[Trajectory]], dict[str, float]]  # what an episode of each family costs
More = Callable[[Costs], Sequence[Trajectory]]
Keep = Callable[[Sequence[StepFeatures]], None]


def clone(
    policy: TrainablePolicy,
    demonstrations: Sequence[Trajectory],
    config: WarmStartConfig,
    *,
    seed: int,
    progress: Progress,
    more: More | None = None,
    build: Build | None = None,
    helpers: int = 0,
    keep: Keep | None = None,
) -> dict[str, float]:
    """Imitate every step of every demonstration, for `config.epochs` passes; returns what came of it.

    Of slips, what was meant is imitated, if that is known, and how to find back from them; steps whose
    decision has no tokens cannot be expressed by the policy: counted as `slips` and `skipped_steps`.

    `more` is asked once, after a little learning, for about as many demonstrations again, and can find out
    from some of them which families are hard to imitate. With `build`, which makes the same policy in another
    process, so many helpers compute parts of every batch; loss, likelihood and entropy are then told of our
    own part. `keep` is given all steps that were imitated, when it is over.
    """
    prepare = partial(_imitation, config.disguise)
    with Crew(split_parameters(policy)[0], build, prepare, helpers, seed) as crew:
        pupil = _Pupil(policy, config, seed, crew, progress)
        if more is None:
            pupil.study(demonstrations, config.epochs)
        elif config.epochs:
            first = min(FIRST_PASSES, config.epochs)
            pupil.study(demonstrations, first, growth=2 * config.epochs / first)
            pupil.study(more(pupil.costs), config.epochs, again=config.epochs - first)
        if keep is not None:
            keep(pupil.steps)
        return pupil.summary()


class _Pupil:
    """A policy that imitates, in one round of demonstrations or two."""

    def __init__(
        self, policy: TrainablePolicy, config: WarmStartConfig, seed: int, crew: Crew, progress: Progress
    ) -> None:
        self._policy = policy
        self._config = config
        self._seed = seed
        self._crew = crew
        self._progress = progress
        actor, _ = split_parameters(policy)
        self._descent = Descent(actor, config.lr, GRAD_CLIP, layer_matrices(policy, config.optimiser))
        self._batches = torch.Generator().manual_seed(seed)
        self._episodes: Counter[str] = Counter()  # of each family
        self.steps: list[StepFeatures] = []
        self._slips = self._skipped = self._updates = 0
        self._metrics: dict[str, float] = {}

    def study(
        self, demonstrations: Sequence[Trajectory], passes: int, *, again: int = 0, growth: float = 1
    ) -> None:
        """Take on demonstrations and go through them so many times, and `again` through those from before.

        When it is over, all updates there will ever be are about `growth` times those of this round.
        """
        known = len(self.steps)
        self._take(demonstrations)
        config, change = self._config, disguising(self._policy, self.steps, self._config.disguise, self._seed)
        batches = list(self._mini_batches(known, passes, again))
        total = self._updates + math.ceil(growth * len(batches))
        for batch in batches:
            self._descent.set_lr(config.lr * _schedule(self._updates / total))
            share = self._crew.deal(batch)
            output, loss = imitate(self._policy, [change(self.steps[number]) for number in share])
            logprob = output.logprob.float()
            norm = self._descent.differentiate(loss * len(share) / len(batch), others=self._crew.gradients)
            if not math.isfinite(norm):
                raise PolicyError(f"cloning broke down at update {self._updates}; try a lower warmstart.lr")
            self._descent.step()
            self._updates += 1
            self._metrics = {
                "loss": float(loss.detach()),
                "grad_norm": norm,
                "likelihood": float(logprob.detach().exp().mean()),
                "entropy": float(output.entropy.detach().float().mean()),
            }
            self._progress(self._updates, total, self._metrics)

    @torch.no_grad()
    def costs(self, demonstrations: Sequence[Trajectory]) -> dict[str, float]:
        """Of each family: -log π of a whole episode on average. What was imitated already costs little."""
        found: dict[str, list[float]] = {}
        for start in range(0, len(demonstrations), TOGETHER):
            several = [each for each in demonstrations[start : start + TOGETHER] if each.steps]
            spent = -self._policy.forward([self._policy.featurize(each) for each in several]).logprob.float()
            parts = torch.split(spent, [len(each.steps) for each in several])
            for each, steps in zip(several, parts, strict=True):
                found.setdefault(each.task.family, []).append(float(steps.sum()))
        return {family: sum(episodes) / len(episodes) for family, episodes in found.items()}

    def summary(self) -> dict[str, float]:
        """What came of it."""
        return {
            "demonstrations": float(self._episodes.total()),
            "steps": float(len(self.steps)),
            "slips": float(self._slips),
            "skipped_steps": float(self._skipped),
            "updates": float(self._updates),
            **self._metrics,
        }

    def _take(self, demonstrations: Sequence[Trajectory]) -> None:
        """Every step's features as a row of their own."""
        rows: list[StepFeatures] = []
        for trajectory in demonstrations:
            self._episodes[trajectory.task.family] += 1
            features = self._policy.featurize(trajectory) if trajectory.steps else {}
            for index, step in enumerate(trajectory.steps):
                self._slips += step.decision.slip
                if step.decision.slip and step.decision.meant is None:
                    continue
                if step.decision.tokens:
                    rows.append({name: array[index : index + 1] for name, array in features.items()})
                else:
                    self._skipped += 1
        self.steps += rows
        self._crew.hand_out(rows)

    def _mini_batches(self, known: int, passes: int, again: int) -> Iterator[list[int]]:
        """Numbers of shuffled steps: new ones once in each pass, those from before spread over all."""
        size = self._config.batch_steps
        before = [number for _ in range(again) for number in self._shuffled(range(known))]
        for turn in range(passes):
            part = before[turn * len(before) // passes : (turn + 1) * len(before) // passes]
            order = self._shuffled([*range(known, len(self.steps)), *part])
            for start in range(0, len(order), size):
                yield order[start : start + size]

    def _shuffled(self, numbers: Sequence[int]) -> list[int]:
        return [numbers[place] for place in torch.randperm(len(numbers), generator=self._batches).tolist()]


def _imitation(
    disguise: float, policy: TrainablePolicy, steps: Sequence[StepFeatures], seed: int
) -> ShareLoss:
    """The loss of a helper's share."""
    change = disguising(policy, steps, disguise, seed)

    def loss(share: Sequence[StepFeatures]) -> Tensor:
        return imitate(policy, [change(step) for step in share])[1] * len(share)

    return loss


def _schedule(progress: float) -> float:
    """Cosine from 1 down to FINAL_LR."""
    return FINAL_LR + (1 - FINAL_LR) * 0.5 * (1 + math.cos(math.pi * progress))
