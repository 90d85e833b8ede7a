"""Every algorithm learns to walk down the corridor from what a clumsy policy did, and can be resumed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.errors import RunError
from distrl.interfaces import Algorithm, Drawn, TrainablePolicy, Update
from distrl.learn.algorithms import a_ride, digirl, filtered_bc
from distrl.learn.batches import Batcher
from distrl.testing.corridor import CorridorPolicy, success_probability, walk

Build = Callable[[TrainablePolicy, AlgorithmConfig], Algorithm]
BUILDS: dict[str, Build] = {"a-ride": a_ride.build, "digirl": digirl.build, "filtered-bc": filtered_bc.build}
LEARNT = {"a-ride": 0.97, "digirl": 0.85, "filtered-bc": 0.7}  # cloning successes also clones their detours
PAGES = Path(__file__).parents[3] / "docs" / "algorithms"
CONFIG = AlgorithmConfig(lr=0.01, critic_lr=0.02, critic_warmup=5)


def train(
    policy: CorridorPolicy, algorithm: Algorithm, updates: int, *, start: int = 0, seed: int = 1
) -> list[Update]:
    """Updates number `start` and following, on batches that depend on the number alone."""
    data = walk(300, seed)
    batcher = Batcher(policy)
    results = []
    for number in range(start, start + updates):
        chosen = np.random.default_rng(number).integers(0, len(data), 24)
        batch = batcher.prepare([Drawn(data[index], 1 / len(data), 1.0) for index in chosen])
        results.append(algorithm.update(batch.learnables, batch.features, version=3))
    return results


@pytest.mark.parametrize("name", BUILDS)
def test_learns_from_off_policy_data(name: str) -> None:
    policy = CorridorPolicy()
    before = success_probability(policy)
    train(policy, BUILDS[name](policy, CONFIG), updates=150)
    assert before < 0.1
    assert success_probability(policy) > LEARNT[name]


@pytest.mark.parametrize(
    "change",
    [
        {"retrace": False},
        {"retrace_lambda": 0.0},
        {"retrace_lambda": 1.0},
        {"discount": 0.9},
        {"rho_clip": 2.0},
    ],
    ids=str,
)
def test_every_variant_of_a_ride_learns(change: dict[str, float]) -> None:
    policy = CorridorPolicy()
    train(policy, a_ride.build(policy, CONFIG.model_copy(update=change)), updates=150)
    assert success_probability(policy) > 0.9


@pytest.mark.parametrize("name", BUILDS)
def test_a_resumed_run_equals_an_uninterrupted_one(name: str) -> None:
    whole = CorridorPolicy()
    train(whole, BUILDS[name](whole, CONFIG), updates=20)

    first = CorridorPolicy()
    algorithm = BUILDS[name](first, CONFIG)
    train(first, algorithm, updates=12)
    second = CorridorPolicy(seed=9)
    second.load(first.export(), 0)
    resumed = BUILDS[name](second, CONFIG)
    resumed.load_state_dict(algorithm.state_dict())
    train(second, resumed, updates=8, start=12)
    assert second.export() == whole.export()


@pytest.mark.parametrize(("written", "read"), list(itertools.permutations(BUILDS, 2)))
def test_another_algorithms_checkpoint_is_refused(written: str, read: str) -> None:
    policy = CorridorPolicy()
    state = BUILDS[written](policy, CONFIG).state_dict()
    with pytest.raises(RunError, match=f"written by '{written}', not by {read}"):
        BUILDS[read](policy, CONFIG).load_state_dict(state)


@pytest.mark.parametrize("name", BUILDS)
def test_the_algorithms_page_explains_every_metric(name: str) -> None:
    policy = CorridorPolicy()
    updates = train(policy, BUILDS[name](policy, CONFIG), updates=10)
    reported = {metric for update in updates for metric in update.metrics}
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    explained = {metric for row in rows for metric in re.findall(r"`(\w+)`", row)}
    assert explained == reported


@pytest.mark.parametrize("name", BUILDS)
def test_a_broken_policy_is_not_trained_on(name: str) -> None:
    policy = CorridorPolicy()
    algorithm = BUILDS[name](policy, CONFIG)
    with torch.no_grad():
        next(policy.module.parameters())[0, 0] = float("nan")
    before = policy.export()
    update = train(policy, algorithm, updates=1)[0]
    assert update.metrics["skipped"] == 1
    assert update.priorities == {}
    assert policy.export() == before
