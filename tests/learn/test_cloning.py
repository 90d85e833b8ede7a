"""The warm start imitates all it is given, and says what it left out."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
import pytest
import torch
from safetensors.torch import load

from distrl.config import WarmStartConfig
from distrl.errors import PolicyError
from distrl.interfaces import StepFeatures
from distrl.learn.cloning import Costs, clone
from distrl.records import Trajectory
from distrl.testing.corridor import ACTIONS, CorridorOutput, CorridorPolicy, success_probability, walk

CONFIG = WarmStartConfig(epochs=6, batch_steps=16, lr=0.02)


def demonstrations() -> list[Trajectory]:
    return [entry for entry in walk(600, seed=3) if entry.success]


def test_cloning_demonstrations_makes_a_better_policy() -> None:
    policy = CorridorPolicy()
    before = success_probability(policy)
    calls: list[tuple[int, int]] = []
    result = clone(
        policy, demonstrations(), CONFIG, seed=0, progress=lambda done, of, _: calls.append((done, of))
    )
    assert before < 0.2 < 0.6 < success_probability(policy)
    steps = sum(len(entry.steps) for entry in demonstrations())
    updates = CONFIG.epochs * -(-steps // CONFIG.batch_steps)
    assert result["steps"] == steps
    assert result["updates"] == updates
    assert calls == [(done + 1, updates) for done in range(updates)]


def test_the_same_seed_gives_the_same_weights() -> None:
    weights = []
    for _ in range(2):
        policy = CorridorPolicy()
        clone(policy, demonstrations(), CONFIG, seed=5, progress=lambda *_: None)
        weights.append(policy.export())
    assert weights[0] == weights[1]


def test_steps_without_tokens_are_left_out_and_counted() -> None:
    trajectory = demonstrations()[0]
    first = trajectory.steps[0]
    silent = msgspec.structs.replace(
        first, decision=msgspec.structs.replace(first.decision, tokens=(), logprobs=())
    )
    trajectory = msgspec.structs.replace(trajectory, steps=(silent, *trajectory.steps[1:]))
    result = clone(CorridorPolicy(), [trajectory], CONFIG, seed=0, progress=lambda *_: None)
    assert result["skipped_steps"] == 1
    assert result["steps"] == len(trajectory.steps) - 1


def test_slips_are_not_imitated_but_what_follows_them_is() -> None:
    trajectory = demonstrations()[0]
    first = trajectory.steps[0]
    slip = msgspec.structs.replace(first, decision=msgspec.structs.replace(first.decision, slip=True))
    trajectory = msgspec.structs.replace(trajectory, steps=(slip, *trajectory.steps[1:]))
    result = clone(CorridorPolicy(), [trajectory], CONFIG, seed=0, progress=lambda *_: None)
    assert result["slips"] == 1
    assert result["steps"] == len(trajectory.steps) - 1


def test_what_was_meant_is_imitated_in_place_of_a_slip() -> None:
    trajectory = demonstrations()[0]
    first = trajectory.steps[0]
    meant = msgspec.structs.replace(first.decision, slip=True, meant=first.decision.action)
    steps = (msgspec.structs.replace(first, decision=meant), *trajectory.steps[1:])
    result = clone(
        CorridorPolicy(),
        [msgspec.structs.replace(trajectory, steps=steps)],
        CONFIG,
        seed=0,
        progress=lambda *_: None,
    )
    assert result["slips"] == 1
    assert result["steps"] == len(trajectory.steps)


def test_a_policy_that_looks_back_also_learns_where_touches_lead() -> None:
    class LookingBack(CorridorPolicy):
        def hindsight(self, features: Sequence[StepFeatures]) -> torch.Tensor:
            """The larger the weights, the better, so that one sees whether it is asked."""
            return _sum_of_weights(self).expand(len(features))

    plain, looking = CorridorPolicy(), LookingBack()
    for policy in (plain, looking):
        clone(policy, demonstrations()[:2], CONFIG, seed=0, progress=lambda *_: None)
    assert _sum_of_weights(looking) > _sum_of_weights(plain)


def _sum_of_weights(policy: CorridorPolicy) -> torch.Tensor:
    return torch.stack([weight.sum() for weight in policy.module.parameters()]).sum()


def test_more_is_asked_for_once_and_told_which_family_is_hard() -> None:
    """Two families on the same way; in one of them every action is left to chance."""
    shown, chance = [each for each in demonstrations() if len(each.steps) < 8], random.Random(0)
    hard = [
        _with_tokens(each, [chance.randrange(len(ACTIONS)) for _ in each.steps], "hard") for each in shown
    ]
    easy = [_with_tokens(each, [0] * len(each.steps), "easy") for each in shown]
    asked: list[dict[str, float]] = []

    def more(costs: Costs) -> list[Trajectory]:
        asked.append(costs([*easy, *hard]))
        return easy

    class Counting(CorridorPolicy):
        def forward(self, features: Sequence[StepFeatures]) -> CorridorOutput:
            if torch.is_grad_enabled():  # imitated, not merely weighed
                seen.update(map(id, features))
            return super().forward(features)

    totals: list[int] = []
    seen: Counter[int] = Counter()
    result = clone(
        Counting(),
        [*easy, *hard],
        CONFIG,
        seed=0,
        progress=lambda done, of, _: totals.append(of),
        more=more,
    )
    (costs,) = asked
    assert costs["hard"] > costs["easy"] > 0
    assert result["demonstrations"] == 3 * len(easy)
    assert result["updates"] == totals[-1]
    assert len(seen) == 3 * sum(len(each.steps) for each in shown)
    assert set(seen.values()) == {CONFIG.epochs}  # those that came later are seen as often


def _with_tokens(trajectory: Trajectory, tokens: list[int], family: str) -> Trajectory:
    steps = [
        msgspec.structs.replace(step, decision=msgspec.structs.replace(step.decision, tokens=(token,)))
        for step, token in zip(trajectory.steps, tokens, strict=True)
    ]
    task = msgspec.structs.replace(trajectory.task, family=family)
    return msgspec.structs.replace(trajectory, steps=tuple(steps), task=task)


@pytest.mark.parametrize("config", [CONFIG.model_copy(update={"epochs": 0}), CONFIG])
def test_nothing_to_imitate_changes_nothing(config: WarmStartConfig) -> None:
    policy = CorridorPolicy()
    before = policy.export()
    given = demonstrations() if config.epochs == 0 else []
    assert clone(policy, given, config, seed=0, progress=lambda *_: None)["updates"] == 0
    assert policy.export() == before


def test_helpers_share_the_work_and_the_result_is_the_same() -> None:
    """All share the weights, so one wrong gradient or step would soon show."""
    alone, helped = CorridorPolicy(), CorridorPolicy()
    short = CONFIG.model_copy(update={"epochs": 2})
    first = clone(alone, demonstrations(), short, seed=5, progress=lambda *_: None)
    second = clone(
        helped, demonstrations(), short, seed=5, progress=lambda *_: None, build=CorridorPolicy, helpers=2
    )
    assert first["updates"] == second["updates"] > 20
    one, other = load(alone.export()), load(helped.export())
    for name, tensor in one.items():
        assert torch.allclose(tensor, other[name], atol=1e-4), name


def _clone_with_a_helper(build: Callable[[], CorridorPolicy]) -> None:
    clone(
        CorridorPolicy(),
        demonstrations(),
        CONFIG,
        seed=0,
        progress=lambda *_: None,
        build=build,
        helpers=1,
    )


def _broken() -> CorridorPolicy:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_helper_that_dies_ends_the_cloning_with_a_sentence() -> None:
    with pytest.raises(PolicyError, match="helped to clone has died"):
        _clone_with_a_helper(_broken)


def test_without_shared_memory_a_sentence_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: torch.Tensor) -> torch.Tensor:
        raise RuntimeError("unable to write: No space left on device")

    monkeypatch.setattr(torch.Tensor, "share_memory_", full)
    with pytest.raises(PolicyError, match=r"No space left on device.*processes=1 does without"):
        _clone_with_a_helper(CorridorPolicy)
