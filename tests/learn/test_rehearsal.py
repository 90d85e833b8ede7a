"""What was demonstrated goes on being imitated, and lies on disk as it was imitated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from distrl.config import AlgorithmConfig, WarmStartConfig, resolve
from distrl.errors import RunError
from distrl.interfaces import Drawn, StepFeatures
from distrl.learn.algorithms.a_ride import ARide, build
from distrl.learn.algorithms.filtered_bc import build as build_filtered
from distrl.learn.batches import Batcher
from distrl.learn.cloning import clone
from distrl.learn.rehearsal import Rehearsal, Rehearsing, pack, unpack
from distrl.parts import rehearse
from distrl.recording import RunFolder
from distrl.testing.corridor import CorridorPolicy, success_probability, walk

CONFIG = AlgorithmConfig(lr=0.01, critic_lr=0.02, critic_warmup=0)


def shown(policy: CorridorPolicy) -> list[StepFeatures]:
    """The steps of demonstrations, as the warm start leaves them."""
    kept: list[StepFeatures] = []
    solutions = [entry for entry in walk(200, 3) if entry.success]
    config = WarmStartConfig(epochs=0)
    clone(policy, solutions, config, seed=0, progress=lambda *_: None, keep=kept.extend)
    assert len(kept) == sum(len(entry.steps) for entry in solutions)
    return kept


def update(policy: CorridorPolicy, algorithm: ARide, *, successes: bool) -> dict[str, float]:
    data = [entry for entry in walk(60, 1) if entry.success is successes]
    batch = Batcher(policy).prepare([Drawn(entry, 1.0, 1.0) for entry in data])
    return algorithm.update(batch.learnables, batch.features, 0).metrics


def test_steps_come_back_as_they_were() -> None:
    one: StepFeatures = {
        "words": np.arange(6, dtype=np.uint16).reshape(1, 3, 2),
        "count": np.array([3], np.uint8),
    }
    two: StepFeatures = {"words": np.ones((1, 5, 2), np.uint16), "count": np.array([5], np.uint8)}
    none: StepFeatures = {"words": np.zeros((1, 0, 2), np.uint16), "count": np.array([0], np.uint8)}
    back = unpack(pack([one, two, none]))
    for step, again in zip([one, two, none], back, strict=True):
        assert step.keys() == again.keys()
        for name, array in step.items():
            assert again[name].dtype == array.dtype
            np.testing.assert_array_equal(again[name], array)
    assert unpack(pack([])) == []


@pytest.mark.parametrize("damage", [b"", b"no steps", pack([{"a": np.ones((1, 2))}])[:-3]])
def test_damaged_steps_are_told_in_a_sentence(damage: bytes) -> None:
    with pytest.raises(RunError, match="cannot be read"):
        unpack(damage)


def test_a_ride_learns_from_demonstrations_where_nothing_succeeds() -> None:
    """From failures alone it hardly improves; rehearsing, it learns what was shown."""
    ends = []
    for rehearsing in (False, True):
        torch.manual_seed(0)
        policy = CorridorPolicy()
        algorithm = build(policy, CONFIG)
        if rehearsing:
            algorithm.rehearse(Rehearsal(policy, shown(policy), count=24))
        for _ in range(120):
            metrics = update(policy, algorithm, successes=False)
        assert (metrics["rehearsal_loss"] > 0) is rehearsing
        ends.append(success_probability(policy))
    assert ends[1] > 0.5 > ends[0]


def test_the_loss_falls_as_it_is_rehearsed() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG)
    algorithm.rehearse(Rehearsal(policy, shown(policy), count=64))
    losses = [update(policy, algorithm, successes=True)["rehearsal_loss"] for _ in range(60)]
    assert losses[-1] < 0.75 * losses[0]


def test_the_same_random_state_draws_the_same_steps() -> None:
    policy = CorridorPolicy()
    rehearsal = Rehearsal(policy, shown(policy), count=5)
    losses = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        losses.append(float(rehearsal.loss().detach()))
    assert losses[0] == losses[1] != losses[2]


def test_nothing_cannot_be_rehearsed() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Rehearsal(CorridorPolicy(), [], count=5)


def test_a_run_rehearses_what_its_folder_holds_if_its_algorithm_can(tmp_path: Path) -> None:
    policy = CorridorPolicy()
    config = resolve("tiny")
    folder = RunFolder.create(tmp_path / "run", config)
    algorithm = build(policy, config.algorithm)
    assert isinstance(algorithm, Rehearsing)
    assert rehearse(algorithm, policy, folder, config) == 0  # no demonstrations: it began from nothing
    steps = shown(policy)
    folder.demonstrated.write_bytes(pack(steps))
    assert rehearse(algorithm, policy, folder, config) == len(steps)
    assert rehearse(build_filtered(policy, config.algorithm), policy, folder, config) == 0
    assert rehearse(algorithm, policy, folder, resolve("tiny", None, ["algorithm.rehearsal=0"])) == 0
