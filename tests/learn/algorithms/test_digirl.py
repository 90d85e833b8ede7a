"""DigiRL's two filters by numbers worked out by hand, and that nothing but what they keep is imitated."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch
from torch import Tensor

from distrl.config import AlgorithmConfig, resolve
from distrl.interfaces import Drawn, Learnable, StepFeatures, Update
from distrl.learn.algorithms import digirl
from distrl.learn.algorithms.digirl import WINDOW, DigiRL, build, step_advantages, step_thresholds, top_share
from distrl.learn.batches import Batcher, StepTable, tabulate
from distrl.testing.corridor import BACK, DONE, FORWARD, NONSENSE, CorridorPolicy, walk

CONFIG = AlgorithmConfig(
    lr=0.01, critic_lr=0.02, critic_warmup=0, digirl_keep=0.5, invalid_penalty=0.0, repeat_penalty=0.0
)


def entry(id: str, success: bool, steps: int) -> Learnable:
    return Learnable(
        id=id,
        task="corridor",
        success=success,
        behaviour_logprob=(-1.0,) * steps,
        versions=(0,) * steps,
        invalid=(False,) * steps,
        repeated=(False,) * steps,
        weight=1.0,
    )


def path(*actions: int) -> StepFeatures:
    """The features of a walk that starts in cell 0."""
    cell, cells = 0, []
    for action in actions:
        cells.append(cell)
        cell = min(max(cell + {FORWARD: 1, BACK: -1}.get(action, 0), 0), 3)
    return {"cell": np.array(cells), "step": np.arange(len(actions)), "action": np.array(actions)}


def advantages(table: StepTable, value: list[float], lambda_: float = 0.5) -> list[float]:
    given = torch.tensor(value)
    return step_advantages(given, torch.zeros_like(given), table, lambda_).tolist()


# --- the step filter ----------------------------------------------------------------------------


def test_step_advantages_of_a_success() -> None:
    """H = 3, λ = ½, V = .2, .6, .5: the outcome counts ¼, ½, 1, and the critic's progress the rest."""
    table = tabulate([entry("a", True, 3)])
    expected = [0.25 + 0.75 * 0.4, 0.5 + 0.5 * -0.1, 1.0]
    assert advantages(table, [0.2, 0.6, 0.5]) == pytest.approx(expected)
    assert step_thresholds(table, 0).tolist() == pytest.approx([1 / 3] * 3)


def test_step_advantages_of_a_failure_are_the_critics_progress() -> None:
    table = tabulate([entry("a", False, 3)])
    assert advantages(table, [0.2, 0.6, 0.5]) == pytest.approx([0.4, -0.1, -0.5])


def test_trajectories_do_not_see_each_others_values() -> None:
    table = tabulate([entry("a", False, 2), entry("b", True, 2), entry("c", False, 1)])
    expected = [0.1, -0.3, 0.5 + 0.5 * -0.4, 1.0, -0.7]
    assert advantages(table, [0.2, 0.3, 0.9, 0.5, 0.7]) == pytest.approx(expected)


@pytest.mark.parametrize(("lambda_", "expected"), [(0.0, [0.4, -0.1, 1.0]), (1.0, [1.0, 1.0, 1.0])])
def test_lambda_goes_from_the_critic_alone_to_the_outcome_alone(
    lambda_: float, expected: list[float]
) -> None:
    assert advantages(tabulate([entry("a", True, 3)]), [0.2, 0.6, 0.5], lambda_) == pytest.approx(expected)


def test_shaping_lowers_the_advantage_of_its_step_alone() -> None:
    table = tabulate([entry("a", False, 3)])
    shaping = torch.tensor([0.0, -0.3, 0.0])
    found = step_advantages(torch.tensor([0.2, 0.6, 0.5]), shaping, table, 0.5)
    assert found.tolist() == pytest.approx([0.4, -0.4, -0.5])


def test_the_threshold_is_one_over_the_length_or_the_horizon() -> None:
    table = tabulate([entry("a", True, 1), entry("b", True, 4)])
    # A single step's advantage is 1 at most, so 1/H = 1 would keep none of them.
    assert step_thresholds(table, 0).tolist() == [0.5, 0.25, 0.25, 0.25, 0.25]
    assert step_thresholds(table, 20).tolist() == pytest.approx([0.05] * 5)


# --- the trajectory filter ----------------------------------------------------------------------


def test_the_top_share_is_counted_and_ties_are_in() -> None:
    assert top_share([0.1, 0.5, 0.3, 0.9, 0.7], 0.4) == 0.7  # two of five
    assert top_share([0.1, 0.5, 0.3, 0.9, 0.7], 0.41) == 0.5  # and a bit: three
    assert top_share([0.1, 0.5], 0.1) == 0.5  # one at least
    assert top_share([0.1, 0.5], 1.0) == 0.1
    assert top_share([float(value) for value in range(30)], 0.1) == 27.0


def set_critics(policy: CorridorPolicy, *, prior: list[float], value: float = 0.0) -> None:
    """A trajectory critic that says `prior` (a logit) of each first cell; a step critic that is constant."""
    with torch.no_grad():
        for name, parameter in policy.module.named_parameters():
            if "critic" in name:
                parameter.zero_()
        policy.module.get_parameter("step_critic.bias").fill_(value)
        weights = policy.module.get_parameter("trajectory_critic.weight")
        hidden = torch.tanh(
            policy.module.get_parameter("trunk.weight").T + policy.module.get_parameter("trunk.bias")
        )
        weights[0] = torch.linalg.lstsq(hidden, torch.tensor(prior)[:, None]).solution[:, 0]


def starting_at(cell: int, *actions: int) -> StepFeatures:
    return {
        "cell": np.full(len(actions), cell),
        "step": np.arange(len(actions)),
        "action": np.array(actions),
    }


def test_unexpected_successes_are_kept_first_and_failures_of_hard_instructions_before_expected_ones() -> None:
    """A_instruct = R - V: .73 and .27 for successes, -.27 and -.73 for failures."""
    batch = [
        entry(name, name.startswith("won"), 2) for name in ("won hard", "won easy", "lost hard", "lost easy")
    ]
    features = [starting_at(cell, FORWARD, DONE) for cell in (0, 1, 0, 1)]
    for share, kept, threshold in ((0.25, 0.25, 0.731), (0.5, 0.5, 0.269), (0.75, 0.75, -0.269)):
        policy = CorridorPolicy()
        set_critics(policy, prior=[-1.0, 1.0, 0.0, 0.0])
        algorithm = build(policy, CONFIG.model_copy(update={"digirl_keep": share}))
        metrics = algorithm.update(batch, features, 0).metrics
        assert metrics["kept"] == kept
        assert metrics["threshold"] == pytest.approx(threshold, abs=1e-3)


def test_the_top_is_taken_over_recent_trajectories_and_not_over_the_batch() -> None:
    """After 30 successes, a batch of failures has nothing that belongs to the top half."""
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG)
    successes = [entry(f"won {index}", True, 2) for index in range(30)]
    assert algorithm.update(successes, [path(FORWARD, DONE)] * 30, 0).metrics["kept"] > 0
    failures = [entry(f"lost {index}", False, 2) for index in range(4)]
    before = actor(policy)
    metrics = algorithm.update(failures, [path(FORWARD, DONE)] * 4, 0).metrics
    assert metrics["kept"] == metrics["kept_steps"] == 0
    assert "policy_loss" not in metrics
    assert actor(policy) == before


def test_the_window_forgets() -> None:
    algorithm = build(CorridorPolicy(), CONFIG)
    for start in range(0, WINDOW + 10, 6):
        batch = [entry(str(start + index), False, 1) for index in range(6)]
        algorithm.update(batch, [path(DONE)] * 6, 0)
    recent = algorithm.state_dict()["recent"]
    assert isinstance(recent, dict)
    assert len(recent) == WINDOW
    assert "0" not in recent


# --- the actor ----------------------------------------------------------------------------------


def actor(policy: CorridorPolicy) -> list[list[float]]:
    """The actor's parameters as numbers."""
    return [
        parameter.detach().flatten().tolist()
        for name, parameter in policy.module.named_parameters()
        if "critic" not in name
    ]


def test_the_gradient_comes_from_kept_steps_alone() -> None:
    """λ = 0 and a flat critic: of a success only its last step helped, and of a failure none."""
    config = CONFIG.model_copy(update={"digirl_lambda": 0.0})
    trained, reference = CorridorPolicy(), CorridorPolicy()
    batch = [entry("won", True, 3), entry("lost", False, 2)]
    metrics = (
        build(trained, config).update(batch, [path(FORWARD, NONSENSE, DONE), path(NONSENSE, BACK)], 0).metrics
    )
    assert metrics["kept_steps"] == pytest.approx(1 / 5)

    last = path(FORWARD, NONSENSE, DONE)
    logprob = reference.forward([last]).logprob[2]
    parameters = list(reference.module.actor_parameters())  # type: ignore[operator]
    loss = -logprob
    gradients = torch.autograd.grad(loss, parameters)
    assert metrics["policy_loss"] == pytest.approx(float(loss.detach()))
    found: list[Tensor] = [parameter.grad for parameter in trained.module.actor_parameters()]  # type: ignore[operator]
    norm = float(torch.cat([gradient.flatten() for gradient in gradients]).norm())
    assert metrics["grad_norm"] == pytest.approx(norm, rel=1e-4)
    for expected, got in zip(gradients, found, strict=True):
        assert torch.allclose(expected * min(1.0, CONFIG.grad_clip / norm), got, atol=1e-5)


def test_importance_ratios_play_no_role() -> None:
    exports = []
    for logprob in (-0.1, -5.0):
        policy = CorridorPolicy()
        batch = [msgspec.structs.replace(entry("a", True, 3), behaviour_logprob=(logprob,) * 3)]
        build(policy, CONFIG).update(batch, [path(FORWARD, FORWARD, DONE)], 0)
        exports.append(policy.export())
    assert exports[0] == exports[1]


def update(policy: CorridorPolicy, algorithm: DigiRL, count: int = 24) -> Update:
    data = walk(count, 1)
    batch = Batcher(policy).prepare([Drawn(given, 1 / count, 1.0) for given in data])
    return algorithm.update(batch.learnables, batch.features, 0)


def test_warm_up_trains_the_critics_alone() -> None:
    policy = CorridorPolicy()
    algorithm = build(policy, CONFIG.model_copy(update={"critic_warmup": 1}))
    before, whole = actor(policy), policy.export()
    assert update(policy, algorithm).metrics["warming_up"] == 1
    assert actor(policy) == before
    assert policy.export() != whole
    assert update(policy, algorithm).metrics["warming_up"] == 0
    assert actor(policy) != before


def test_every_trajectory_keeps_the_same_priority() -> None:
    policy = CorridorPolicy()
    assert set(update(policy, build(policy, CONFIG)).priorities.values()) == {1.0}


# --- chosen by config alone ---------------------------------------------------------------------


def test_it_is_registered_under_its_name() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["distrl.algorithms"]["digirl"] == f"{digirl.__name__}:build"


def test_the_published_settings_are_the_defaults() -> None:
    config = resolve("sync", None, ["algorithm.kind=digirl"])
    assert config.mode == "sync"
    assert config.algorithm.digirl_keep == 0.1
    assert config.algorithm.digirl_lambda == 0.5
