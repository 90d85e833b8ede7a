"""Every algorithm learns to walk down the corridor from what a clumsy policy did, and can be resumed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from unittest import mock

import msgspec
import numpy as np
import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.errors import RunError
from distrl.interfaces import Algorithm, Drawn, StepFeatures, TrainablePolicy, Update
from distrl.learn.algorithms import a_ride, digirl, filtered_bc, grpo, ppo
from distrl.learn.batches import Batcher
from distrl.learn.reference import Reference
from distrl.testing.corridor import CorridorOutput, CorridorPolicy, success_probability, walk

Build = Callable[[TrainablePolicy, AlgorithmConfig], Algorithm]
BUILDS: dict[str, Build] = {
    "a-ride": a_ride.build,
    "digirl": digirl.build,
    "filtered-bc": filtered_bc.build,
    "grpo": grpo.build,
    "ppo": ppo.build,
}
# Cloning successes also clones their detours.
LEARNT = {"a-ride": 0.97, "digirl": 0.85, "filtered-bc": 0.7, "grpo": 0.9, "ppo": 0.9}
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
        torch.manual_seed(number)  # of which steps are learnt from
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


@pytest.mark.parametrize("name", ["a-ride", "ppo", "grpo"])
def test_a_kl_term_keeps_the_policy_near_the_one_it_started_from(name: str) -> None:
    reached, away = {}, {}
    for kl in (1e-6, 10.0):
        policy = CorridorPolicy()
        algorithm = BUILDS[name](policy, CONFIG.model_copy(update={"kl": kl}))
        away[kl] = train(policy, algorithm, updates=60)[-1].metrics["kl_reference"]
        reached[kl] = success_probability(policy)
    assert away[1e-6] > 0.5 > 0.05 > away[10.0]
    assert reached[1e-6] > 0.8 > 0.2 > reached[10.0]


@pytest.mark.parametrize("name", ["a-ride", "ppo", "grpo"])
def test_without_a_kl_term_there_is_no_reference_to_pay_for(name: str) -> None:
    policy = CorridorPolicy()
    algorithm = BUILDS[name](policy, CONFIG)
    with mock.patch.object(Reference, "hold", side_effect=AssertionError):
        assert "kl_reference" not in train(policy, algorithm, updates=8)[-1].metrics


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
    file = BytesIO()
    torch.save(algorithm.state_dict(), file)
    file.seek(0)
    resumed.load_state_dict(torch.load(file, weights_only=True))
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
    reported = set()
    for kl in (0.0, 0.1):
        policy = CorridorPolicy()
        updates = train(policy, BUILDS[name](policy, CONFIG.model_copy(update={"kl": kl})), updates=10)
        reported |= {metric for update in updates for metric in update.metrics}
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


@pytest.mark.parametrize("name", ["a-ride", "ppo", "grpo"])
def test_every_step_of_every_length_is_learnt_from(name: str) -> None:
    """The gradient reaches log π of every step: the last, rewarded one too, and that of a single step."""
    policy = CorridorPolicy()
    by_length = {len(entry.steps): entry for entry in walk(400, 1)}
    successes = {len(entry.steps): entry for entry in walk(400, 1) if entry.success}
    data = [*by_length.values(), *successes.values()]
    assert min(by_length) == 1
    all_steps = {"learn_share": 1.0, "epochs": 1, "minibatches": 1}
    config = CONFIG.model_copy(update={"critic_warmup": 0, "entropy": 0.0, **all_steps})
    algorithm = BUILDS[name](policy, config)
    gradients: list[torch.Tensor] = []
    forward = policy.forward

    def watched(features: Sequence[StepFeatures]) -> CorridorOutput:
        output = forward(features)
        if output.logprob.requires_grad:
            output.logprob.register_hook(gradients.append)  # type: ignore[no-untyped-call]
        return output

    batch = Batcher(policy).prepare([Drawn(entry, 0.1, 1.0) for entry in data])
    with mock.patch.object(policy, "forward", watched):
        update = algorithm.update(batch.learnables, batch.features, version=0)
    assert update.metrics.get("kept", 1.0) == 1
    reached = torch.stack(gradients).abs().sum(dim=0)
    assert len(reached) == sum(len(entry.steps) for entry in data)
    assert float(reached.min()) > 0  # every step of every episode, whatever the order in the minibatch


@pytest.mark.parametrize("name", ["a-ride", "ppo", "grpo"])
def test_ratios_by_length_are_the_average_tokens(name: str) -> None:
    """Decisions of four tokens: the average token differs by a quarter of what the whole action does."""
    staleness = {}
    for ratio in ("action", "length"):
        policy = CorridorPolicy()
        algorithm = BUILDS[name](policy, CONFIG.model_copy(update={"ratio": ratio, "critic_warmup": 0}))
        batch = Batcher(policy).prepare([Drawn(entry, 0.1, 1.0) for entry in walk(60, 1)])
        entries = [
            msgspec.structs.replace(entry, tokens=(4,) * len(entry.versions)) for entry in batch.learnables
        ]
        staleness[ratio] = algorithm.update(entries, batch.features, version=0).metrics["kl"]
    assert staleness["length"] == pytest.approx(staleness["action"] / 4)
    assert abs(staleness["action"]) > 0.01
