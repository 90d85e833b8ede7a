"""Several clipped steps on one batch: complete passes, near where they started, stopped when broken."""

from __future__ import annotations

import pytest
import torch

from distrl.config import AlgorithmConfig
from distrl.interfaces import Drawn
from distrl.learn import losses
from distrl.learn.batches import Batch, Batcher, tabulate
from distrl.learn.optimisers import Descent, split_parameters
from distrl.learn.proximal import ProximalDescent, Start, minibatches
from distrl.testing.corridor import CorridorPolicy, walk

CONFIG = AlgorithmConfig(lr=0.01, epochs=3, minibatches=4, entropy=0.0, grad_clip=100.0)


def prepared(policy: CorridorPolicy, count: int = 24) -> tuple[Batch, Start]:
    """A batch in which every success is good and every failure bad."""
    batch = Batcher(policy).prepare([Drawn(entry, 1.0, 1.0) for entry in walk(count, 1)])
    table = tabulate(batch.learnables)
    with torch.no_grad():
        proximal = policy.forward(batch.features).logprob
    ratio = losses.clipped_ratio(proximal - table.behaviour_logprob, 1.0)
    return batch, Start(proximal, ratio, 2 * table.success - 1, None)


def descent(policy: CorridorPolicy, config: AlgorithmConfig = CONFIG) -> ProximalDescent:
    actor, critic = split_parameters(policy)
    return ProximalDescent(
        policy, config, Descent(actor, config.lr, config.grad_clip), Descent(critic, 0.01, 1.0)
    )


@pytest.mark.parametrize("count", [1, 3, 4, 10])
def test_every_epoch_sees_every_trajectory_once(count: int) -> None:
    parts = list(minibatches(count, parts=4, epochs=3, seed=5))
    per_epoch = min(4, count)
    assert len(parts) == 3 * per_epoch
    for epoch in range(3):
        seen = [index for part in parts[epoch * per_epoch : (epoch + 1) * per_epoch] for index in part]
        assert sorted(seen) == list(range(count))
    assert parts == list(minibatches(count, parts=4, epochs=3, seed=5))


def test_rows_of_a_minibatch_belong_to_its_trajectories() -> None:
    """In the first epoch the first minibatch has u = 1 everywhere, but only if rows are not mixed up."""
    policy = CorridorPolicy()
    batch, start = prepared(policy)
    only_first = CONFIG.model_copy(update={"epochs": 1, "minibatches": 1})
    done = descent(policy, only_first).run(batch.learnables, batch.features, start, seed=3)
    assert done is not None
    assert done["kl_proximal"] == pytest.approx(0, abs=1e-6)
    assert done["clipped"] == 0


def test_the_clip_holds_the_policy_near_its_start() -> None:
    moved = {}
    for clip in (0.01, 100.0):
        policy = CorridorPolicy()
        batch, start = prepared(policy)
        config = CONFIG.model_copy(update={"epochs": 20, "clip": clip})
        done = descent(policy, config).run(batch.learnables, batch.features, start, seed=0)
        assert done is not None
        moved[clip] = done["kl_proximal"]
        assert (done["clipped"] > 0.3) is (clip == 0.01)
    assert moved[0.01] < 0.2 * moved[100.0]


def test_while_not_acting_only_the_critic_learns() -> None:
    policy = CorridorPolicy()
    before = {name: value.clone() for name, value in policy.module.state_dict().items()}
    batch, start = prepared(policy)
    assert descent(policy).run(batch.learnables, batch.features, start, seed=0, acting=False)
    after = policy.module.state_dict()
    assert torch.equal(after["head.weight"], before["head.weight"])
    assert not torch.equal(after["step_critic.weight"], before["step_critic.weight"])


def test_a_broken_step_ends_the_update() -> None:
    policy = CorridorPolicy()
    batch, start = prepared(policy)
    weights = policy.export()
    broken = start._replace(advantage=start.advantage * float("nan"))
    assert descent(policy).run(batch.learnables, batch.features, broken, seed=0) is None
    assert policy.export() == weights
