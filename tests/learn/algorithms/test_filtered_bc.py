"""Which trajectories filtered cloning keeps."""

from __future__ import annotations

import pytest

from distrl.config import AlgorithmConfig
from distrl.interfaces import Drawn, Learnable
from distrl.learn.algorithms.filtered_bc import WINDOW, FilteredBC, build, shaped_return
from distrl.learn.batches import Batcher
from distrl.testing.corridor import CorridorPolicy, walk

CONFIG = AlgorithmConfig(keep_quantile=0.5, lr=0.01)


def entry(id: str, success: bool, steps: int = 2, invalid: int = 0, repeated: int = 0) -> Learnable:
    return Learnable(
        id=id,
        task="corridor",
        success=success,
        behaviour_logprob=(-1.0,) * steps,
        versions=(0,) * steps,
        invalid=(True,) * invalid + (False,) * (steps - invalid),
        repeated=(True,) * repeated + (False,) * (steps - repeated),
        weight=1.0,
    )


def kept(algorithm: FilteredBC, batch: list[Learnable]) -> float:
    policy = CorridorPolicy()
    features = [policy.featurize(walk(1, 0)[0]) for _ in batch]
    lengths = [len(feature["cell"]) for feature in features]
    sized = [entry(given.id, given.success, length) for given, length in zip(batch, lengths, strict=True)]
    assert algorithm.update(sized, features, 0).priorities == {given.id: 1.0 for given in batch}
    return algorithm.update(sized, features, 0).metrics["kept"]


def test_the_return_is_the_discounted_outcome_with_shaping() -> None:
    config = CONFIG.model_copy(update={"discount": 0.9, "invalid_penalty": 0.1, "repeat_penalty": 0.05})
    assert shaped_return(entry("a", True, steps=3), config) == pytest.approx(0.81)
    assert shaped_return(entry("a", True, steps=3, invalid=1, repeated=2), config) == pytest.approx(0.61)
    assert shaped_return(entry("a", False, steps=3), config) == 0


def test_failures_are_never_kept_even_above_the_quantile() -> None:
    assert kept(build(CorridorPolicy(), CONFIG), [entry("a", False), entry("b", False)]) == 0


def test_successes_that_tie_at_the_quantile_are_all_kept() -> None:
    batch = [entry("a", True), entry("b", True), entry("c", True), entry("d", False)]
    assert kept(build(CorridorPolicy(), CONFIG), batch) == 0.75


def test_a_clumsy_success_is_left_out_when_better_ones_abound() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG)
    trajectories = [given for given in walk(400, 1) if given.success][:4]
    features = [policy.featurize(given) for given in trajectories]
    lengths = [len(given.steps) for given in trajectories]
    batch = [
        entry(str(index), True, length, invalid=1 if index == 0 else 0)
        for index, length in enumerate(lengths)
    ]
    assert algorithm.update(batch, features, 0).metrics["kept"] == 0.75


def test_nothing_kept_changes_nothing() -> None:
    policy = CorridorPolicy()
    before = policy.export()
    trajectory = next(given for given in walk(50, 1) if not given.success)
    batch = [entry("a", False, len(trajectory.steps))]
    metrics = build(policy, CONFIG).update(batch, [policy.featurize(trajectory)], 0).metrics
    assert metrics["kept"] == 0
    assert policy.export() == before


def test_the_window_forgets() -> None:
    algorithm = build(CorridorPolicy(), CONFIG)
    policy = CorridorPolicy()
    trajectory = next(given for given in walk(50, 1) if not given.success)
    features = [policy.featurize(trajectory)]
    for index in range(WINDOW + 10):
        algorithm.update([entry(str(index), False, len(trajectory.steps))], features, 0)
    recent = algorithm.state_dict()["recent"]
    assert isinstance(recent, dict)
    assert len(recent) == WINDOW
    assert "0" not in recent


def test_only_successes_become_likelier() -> None:
    policy = CorridorPolicy()
    data = walk(100, 1)
    batcher = Batcher(policy)
    batch = batcher.prepare([Drawn(given, 0.01, 1.0) for given in data])
    algorithm = build(policy, CONFIG)

    def likelihood(success: bool) -> float:
        chosen = [
            feature
            for feature, given in zip(batch.features, batch.learnables, strict=True)
            if given.success is success
        ]
        return float(policy.forward(chosen).logprob.mean().detach())

    before = likelihood(True), likelihood(False)
    for _ in range(30):
        algorithm.update(batch.learnables, batch.features, 0)
    assert likelihood(True) > before[0] + 0.3
    assert likelihood(False) < before[1]
