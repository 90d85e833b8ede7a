"""The reference policy is the one that was held, is evaluated once, and leaves the policy as it was."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch.nn import Parameter

from distrl.interfaces import Drawn, StepFeatures
from distrl.learn.batches import Batch, Batcher
from distrl.learn.optimisers import split_parameters
from distrl.learn.reference import Reference
from distrl.testing.corridor import CorridorOutput, CorridorPolicy, walk


def prepared(policy: CorridorPolicy, count: int) -> Batch:
    return Batcher(policy).prepare([Drawn(entry, 1.0, 1.0) for entry in walk(count, 1)])


def change(parameters: list[Parameter]) -> None:
    with torch.no_grad():
        for parameter in parameters:
            parameter.add_(torch.randn_like(parameter))


def test_the_reference_stays_what_it_was_while_the_policy_changes() -> None:
    policy = CorridorPolicy()
    batch = prepared(policy, 6)
    actor, _ = split_parameters(policy)
    reference = Reference(policy, actor, held=True)
    before = policy.forward(batch.features).logprob.detach()
    change(actor)
    weights = policy.export()
    found = reference.logprob(batch.learnables, batch.features)
    assert found is not None
    assert torch.equal(found, before)
    assert not torch.allclose(found, policy.forward(batch.features).logprob)
    assert policy.export() == weights
    assert not found.requires_grad


def test_gradients_of_a_pass_made_before_are_those_of_the_policy() -> None:
    policy = CorridorPolicy()
    batch = prepared(policy, 6)
    actor, _ = split_parameters(policy)
    reference = Reference(policy, actor, held=True)
    change(actor)
    (expected, *_) = torch.autograd.grad(policy.forward(batch.features).logprob.sum(), actor)
    loss = policy.forward(batch.features).logprob.sum()
    reference.logprob(batch.learnables, batch.features)
    (found, *_) = torch.autograd.grad(loss, actor)
    assert torch.equal(found, expected)


def test_each_trajectory_is_evaluated_once_even_if_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = CorridorPolicy()
    batch = prepared(policy, 4)
    actor, _ = split_parameters(policy)
    reference = Reference(policy, actor, held=True)
    rows: list[int] = []
    forward = policy.forward

    def counted(features: Sequence[StepFeatures]) -> CorridorOutput:
        rows.append(len(features))
        return forward(features)

    monkeypatch.setattr(policy, "forward", counted)
    first = reference.logprob(
        batch.learnables[:2] + batch.learnables[:1], batch.features[:2] + batch.features[:1]
    )
    again = reference.logprob(batch.learnables, batch.features)
    assert rows == [2, 2]
    assert first is not None
    assert again is not None
    lengths = [len(entry.versions) for entry in batch.learnables]
    assert torch.equal(first[: sum(lengths[:2])], again[: sum(lengths[:2])])
    assert torch.equal(first[sum(lengths[:2]) :], again[: lengths[0]])
    reference.hold()
    assert reference.logprob(batch.learnables[:1], batch.features[:1]) is not None
    assert rows == [2, 2, 1]


def test_nothing_is_held_unless_asked_for() -> None:
    policy = CorridorPolicy()
    batch = prepared(policy, 2)
    actor, _ = split_parameters(policy)
    assert Reference(policy, actor, held=False).logprob(batch.learnables, batch.features) is None
