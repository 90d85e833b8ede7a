"""From drawn trajectories to what an algorithm learns from: numbers, features, and padded tensors.

Only trajectories whose outcome is the agent's own doing pass; a lost device or an unknown verdict is dropped
here even if a replay should hand it out, and counted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from distrl.interfaces import Drawn, Learnable, StepFeatures, TrainablePolicy
from distrl.records import Action, ActionKind, Observation, Point, Trajectory

# Two touches this close (share of the screen) have the same target; rows of a list are twice as far apart.
SAME_TARGET = 0.02


class Batch(NamedTuple):
    """What one update learns from; both sequences have one entry for each trajectory."""

    learnables: list[Learnable]
    features: list[StepFeatures]
    dropped: int  # drawn, but not the agent's doing


class Batcher:
    """Turns samples into batches, and remembers features so that a screenshot is decoded only once."""

    def __init__(self, policy: TrainablePolicy, cache_mb: float = 1024.0) -> None:
        self._policy = policy
        self._cache: OrderedDict[str, tuple[StepFeatures, int]] = OrderedDict()
        self._cache_bytes = 0
        self._cache_limit = int(cache_mb * 1_000_000)
        self.hits = 0
        self.misses = 0
        self.dropped = 0

    def prepare(self, drawn: Sequence[Drawn]) -> Batch:
        """A batch of the drawn trajectories that may be trained on."""
        usable = [entry for entry in drawn if entry.trajectory.trainable]
        dropped = len(drawn) - len(usable)
        self.dropped += dropped
        return Batch(
            learnables=[learnable(entry.trajectory, entry.weight) for entry in usable],
            features=[self._features(entry.trajectory) for entry in usable],
            dropped=dropped,
        )

    def _features(self, trajectory: Trajectory) -> StepFeatures:
        known = self._cache.get(trajectory.id)
        if known is not None:
            self.hits += 1
            self._cache.move_to_end(trajectory.id)
            return known[0]
        self.misses += 1
        features = self._policy.featurize(trajectory)
        size = sum(array.nbytes for array in features.values())
        if size <= self._cache_limit:
            self._cache[trajectory.id] = (features, size)
            self._cache_bytes += size
        while self._cache_bytes > self._cache_limit:
            _, (_, freed) = self._cache.popitem(last=False)
            self._cache_bytes -= freed
        return features


# --- what is read off a trajectory --------------------------------------------------------------


def learnable(trajectory: Trajectory, weight: float) -> Learnable:
    """A trajectory as numbers."""
    return Learnable(
        id=trajectory.id,
        task=trajectory.task.id,
        success=trajectory.success,
        behaviour_logprob=tuple(step.decision.logprob for step in trajectory.steps),
        versions=tuple(step.decision.version for step in trajectory.steps),
        invalid=invalid_steps(trajectory),
        repeated=repeated_steps(trajectory),
        weight=weight,
        said_done=said_done(trajectory),
        tokens=tuple(len(step.decision.tokens) for step in trajectory.steps),
    )


def said_done(trajectory: Trajectory) -> bool:
    """Whether the agent ended the episode by saying that it was done, or by giving its answer."""
    last = trajectory.steps[-1].decision.action if trajectory.steps else None
    return last is not None and last.kind in (ActionKind.DONE, ActionKind.ANSWER)


def invalid_steps(trajectory: Trajectory) -> tuple[bool, ...]:
    """Which actions meant nothing: not understood, blank text, or rejected by the screen.

    Rejected means that nothing there could receive the action (no focused field for a TYPE, no element that
    reacts for a TAP) *and* that the screen did not change: a tap lost by the device is not the agent's fault.
    """
    after = [step.observation for step in trajectory.steps[1:]]
    return tuple(
        _is_invalid(step.decision.action, step.observation, following)
        for step, following in zip(trajectory.steps, [*after, trajectory.final], strict=True)
    )


def repeated_steps(trajectory: Trajectory) -> tuple[bool, ...]:
    """Which actions did the same again on a screen that had not changed since the last time."""
    repeats = [False]
    for before, step in zip(trajectory.steps, trajectory.steps[1:], strict=False):
        same = _same_action(before.decision.action, step.decision.action)
        repeats.append(same and _unchanged(before.observation, step.observation))
    return tuple(repeats)


def _is_invalid(action: Action, seen: Observation, after: Observation | None) -> bool:
    if action.kind is ActionKind.INVALID:
        return True
    if action.kind is ActionKind.TYPE and not (action.text or "").strip():
        return True
    if seen.ui is None or action.kind not in (ActionKind.TYPE, ActionKind.TAP):
        return False
    return not _has_receiver(action, seen) and after is not None and _unchanged(seen, after)


def _has_receiver(action: Action, seen: Observation) -> bool:
    nodes = seen.ui or ()
    if action.kind is ActionKind.TYPE or action.point is None:
        return any(node.editable and node.focused for node in nodes)
    x, y = action.point.x * seen.width, action.point.y * seen.height
    return any(
        node.enabled
        and (node.clickable or node.long_clickable or node.editable or node.checkable)
        and node.bounds[0] <= x <= node.bounds[2]
        and node.bounds[1] <= y <= node.bounds[3]
        for node in nodes
    )


def _same_action(first: Action, second: Action) -> bool:
    return (
        first.kind is second.kind
        and first.text == second.text
        and _same_target(first.point, second.point)
        and _same_target(first.to, second.to)
    )


def _same_target(first: Point | None, second: Point | None) -> bool:
    if first is None or second is None:
        return first is second
    return abs(first.x - second.x) <= SAME_TARGET and abs(first.y - second.y) <= SAME_TARGET


def _unchanged(before: Observation, after: Observation) -> bool:
    return before.screenshot == after.screenshot and before.ui == after.ui


# --- tensors ------------------------------------------------------------------------------------


class StepTable(NamedTuple):
    """A batch as flat tensors, one row for each step, trajectories one after the other; all [N]."""

    lengths: list[int]  # B numbers that sum up to N
    behaviour_logprob: Tensor  # log μ
    success: Tensor  # the episode's outcome R, at each of its steps
    final: Tensor  # 1 at each trajectory's last step
    invalid: Tensor
    repeated: Tensor
    weight: Tensor  # importance weight of the step's trajectory
    tokens: Tensor  # of the step's decision, at least 1


def tabulate(batch: Sequence[Learnable], device: torch.device | None = None) -> StepTable:
    """The numbers of a batch as float tensors."""
    lengths = [len(entry.versions) for entry in batch]

    def rows(values: list[float]) -> Tensor:
        return torch.tensor(values, dtype=torch.float32, device=device)

    return StepTable(
        lengths=lengths,
        behaviour_logprob=rows([value for entry in batch for value in entry.behaviour_logprob]),
        success=rows([float(entry.success) for entry in batch for _ in entry.versions]),
        final=rows([float(step == length - 1) for length in lengths for step in range(length)]),
        invalid=rows([float(value) for entry in batch for value in entry.invalid]),
        repeated=rows([float(value) for entry in batch for value in entry.repeated]),
        weight=rows([entry.weight for entry in batch for _ in entry.versions]),
        tokens=rows(
            [float(max(1, n)) for entry in batch for n in entry.tokens or (1,) * len(entry.versions)]
        ),
    )


def log_ratios(logprob: Tensor, other: Tensor, table: StepTable, ratio: str) -> Tensor:
    """log of π/π' of each step's whole action, or with "length" the mean over its tokens; all [N]."""
    difference = logprob - other
    return difference / table.tokens if ratio == "length" else difference


def padding_mask(lengths: Sequence[int], device: torch.device | None = None) -> Tensor:
    """[B, T] with 1 on real steps and 0 on padding."""
    steps = torch.arange(max(lengths), device=device)  # [T]
    ends = torch.tensor(list(lengths), device=device)  # [B]
    return (steps[None, :] < ends[:, None]).float()


def pad(flat: Tensor, lengths: Sequence[int]) -> Tensor:
    """[N] → [B, T], 0 on padding."""
    padded = flat.new_zeros(len(lengths), max(lengths))
    padded[padding_mask(lengths, flat.device).bool()] = flat
    return padded


def unpad(padded: Tensor, mask: Tensor) -> Tensor:
    """[B, T] → [N]."""
    return padded[mask.bool()]


def trajectory_means(flat: Tensor, lengths: Sequence[int]) -> Tensor:
    """The mean over each trajectory's steps: [N] → [B]."""
    return pad(flat, lengths).sum(dim=1) / torch.tensor(list(lengths), device=flat.device)


def first_rows(lengths: Sequence[int], device: torch.device | None = None) -> Tensor:
    """The flat index of each trajectory's first step, [B]."""
    ends = torch.tensor(list(lengths), device=device).cumsum(0)
    return torch.cat([ends.new_zeros(1), ends[:-1]])


def describe(batch: Sequence[Learnable], version: int) -> dict[str, float]:
    """Metrics of the data itself, the same for every algorithm."""
    gaps = [version - number for entry in batch for number in entry.versions]
    steps = max(1, len(gaps))
    return {
        "success_in_batch": sum(entry.success for entry in batch) / max(1, len(batch)),
        "done_rate": sum(entry.said_done for entry in batch) / max(1, len(batch)),
        "invalid_rate": sum(sum(entry.invalid) for entry in batch) / steps,
        "repeat_rate": sum(sum(entry.repeated) for entry in batch) / steps,
        "version_gap_mean": sum(gaps) / steps,
        "version_gap_max": float(max(gaps, default=0)),
    }
