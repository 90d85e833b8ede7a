"""Retrace against a written-out reference, its limits, and exact values of a small decision process."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from distrl.learn.returns import generalised_advantages, one_step, retrace


def random_batch(seed: int, batch: int = 5, longest: int = 7) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Values, rewards, log ρ and mask; the lengths go from 1 to the longest."""
    generator = torch.Generator().manual_seed(seed)
    values, rewards, log_rhos = (
        torch.randn(batch, longest, generator=generator, dtype=torch.float64) for _ in range(3)
    )
    lengths = torch.cat([torch.tensor([1, longest]), torch.randint(1, longest + 1, (batch - 2,))])
    mask = (torch.arange(longest)[None, :] < lengths[:, None]).double()
    return values, rewards, log_rhos, mask


def written_out(
    values: list[float],
    rewards: list[float],
    rhos: list[float],
    lambda_: float,
    discount: float,
    rho_clip: float,
) -> tuple[list[float], list[float]]:
    """v_t and A_t of one trajectory by the sums and products of the definition, in O(T²) and more."""
    steps = len(values)
    following = [*values[1:], 0.0]
    targets = []
    for t in range(steps):
        total = values[t]
        for k in range(t, steps):
            trace = math.prod(lambda_ * min(1.0, rhos[i]) for i in range(t, k))
            delta = rewards[k] + discount * following[k] - values[k]
            total += discount ** (k - t) * trace * min(rho_clip, rhos[k]) * delta
        targets.append(total)
    after = [*targets[1:], 0.0]
    return targets, [rewards[t] + discount * after[t] - values[t] for t in range(steps)]


@pytest.mark.parametrize("lambda_", [0.0, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("discount", [0.5, 1.0])
@pytest.mark.parametrize("rho_clip", [0.7, 1.0, math.inf])
def test_equals_the_definition(lambda_: float, discount: float, rho_clip: float) -> None:
    for seed in range(5):
        values, rewards, log_rhos, mask = random_batch(seed)
        result = retrace(
            values, rewards, log_rhos, mask, lambda_=lambda_, discount=discount, rho_clip=rho_clip
        )
        for row in range(len(values)):
            length = int(mask[row].sum())
            targets, advantages = written_out(
                values[row, :length].tolist(),
                rewards[row, :length].tolist(),
                log_rhos[row, :length].exp().tolist(),
                lambda_,
                discount,
                rho_clip,
            )
            assert result.targets[row, :length].tolist() == pytest.approx(targets)
            assert result.advantages[row, :length].tolist() == pytest.approx(advantages)
            for tensor in result:
                assert not tensor[row, length:].any()


@pytest.mark.parametrize("lambda_", [0.0, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("discount", [0.5, 1.0])
def test_generalised_advantages_equal_their_definition(lambda_: float, discount: float) -> None:
    values, rewards, _, mask = random_batch(8)
    found = generalised_advantages(values, rewards, mask, lambda_=lambda_, discount=discount)
    for row in range(len(values)):
        length = int(mask[row].sum())
        following = [*values[row, 1:length].tolist(), 0.0]
        deltas = [float(rewards[row, k] + discount * following[k] - values[row, k]) for k in range(length)]
        expected = [
            sum((discount * lambda_) ** (k - t) * deltas[k] for k in range(t, length)) for t in range(length)
        ]
        assert found[row, :length].tolist() == pytest.approx(expected)
        assert not found[row, length:].any()


def test_generalised_advantages_are_retrace_on_policy_less_the_value() -> None:
    values, rewards, _, mask = random_batch(9)
    traced = retrace(values, rewards, torch.zeros_like(values), mask, lambda_=0.9, discount=0.8, rho_clip=1.0)
    found = generalised_advantages(values, rewards, mask, lambda_=0.9, discount=0.8)
    assert torch.allclose(found, traced.targets - values * mask)


def test_padding_does_not_matter() -> None:
    values, rewards, log_rhos, mask = random_batch(3)
    clean = retrace(values, rewards, log_rhos, mask, lambda_=0.9, discount=1.0, rho_clip=1.0)
    noise = 100 * (1 - mask)
    noisy = retrace(
        values + noise, rewards + noise, log_rhos + noise, mask, lambda_=0.9, discount=1.0, rho_clip=1.0
    )
    for first, second in zip(clean, noisy, strict=True):
        assert torch.equal(first, second)


def test_lambda_one_on_policy_is_the_return() -> None:
    values, rewards, _, mask = random_batch(1)
    zeros = torch.zeros_like(values)
    result = retrace(values, rewards, zeros, mask, lambda_=1.0, discount=0.9, rho_clip=1.0)
    for row in range(len(values)):
        length = int(mask[row].sum())
        for t in range(length):
            expected = sum(0.9 ** (k - t) * float(rewards[row, k]) for k in range(t, length))
            assert float(result.targets[row, t]) == pytest.approx(expected)


def test_lambda_zero_looks_one_step_ahead() -> None:
    values, rewards, log_rhos, mask = random_batch(2)
    result = retrace(values, rewards, log_rhos, mask, lambda_=0.0, discount=0.9, rho_clip=math.inf)
    expected = (values + log_rhos.exp() * result.deltas) * mask
    assert torch.allclose(result.targets, expected)


def test_actions_the_policy_would_never_take_teach_nothing() -> None:
    values, rewards, _, mask = random_batch(4)
    never = torch.full_like(values, -math.inf)
    result = retrace(values, rewards, never, mask, lambda_=1.0, discount=0.9, rho_clip=math.inf)
    assert torch.equal(result.targets, values * mask)


def test_large_ratios_stay_finite() -> None:
    values, rewards, _, mask = random_batch(4)
    huge = torch.full_like(values, 1000.0).float()
    result = retrace(values.float(), rewards, huge, mask, lambda_=1.0, discount=1.0, rho_clip=math.inf)
    assert all(bool(torch.isfinite(tensor).all()) for tensor in result)


def test_a_constant_value_is_no_surprise_before_the_end() -> None:
    values = torch.full((1, 4), 0.6)
    rewards = torch.tensor([[0.0, 0.0, 0.0, 1.0]])
    mask = torch.ones(1, 4)
    result = retrace(values, rewards, torch.zeros(1, 4), mask, lambda_=0.9, discount=1.0, rho_clip=1.0)
    assert result.deltas[0].tolist() == pytest.approx([0.0, 0.0, 0.0, 0.4])
    assert one_step(values, rewards, mask, discount=1.0).advantages[0].tolist() == pytest.approx(
        [0.0, 0.0, 0.0, 0.4]
    )


def test_one_step_is_retrace_without_its_traces() -> None:
    values, rewards, _, mask = random_batch(6)
    plain = one_step(values, rewards, mask, discount=0.9)
    traced = retrace(values, rewards, torch.zeros_like(values), mask, lambda_=0.0, discount=0.9, rho_clip=1.0)
    assert torch.allclose(plain.targets, traced.targets)
    assert torch.equal(plain.deltas, traced.deltas)
    assert torch.equal(plain.advantages, plain.deltas)


def test_nothing_has_a_gradient() -> None:
    values, rewards, log_rhos, mask = random_batch(7)
    values.requires_grad_()
    log_rhos.requires_grad_()
    for result in (
        retrace(values, rewards, log_rhos, mask, lambda_=0.9, discount=1.0, rho_clip=1.0),
        one_step(values, rewards, mask, discount=1.0),
    ):
        assert not any(tensor.requires_grad for tensor in result)


# --- exact values -------------------------------------------------------------------------------

HORIZON, END = 4, 2
PI = [[0.8, 0.2], [0.3, 0.7]]  # π(a|s)
MU = [[0.4, 0.6], [0.5, 0.5]]
MOVES = [  # P(s'|s, a) for s' = 0, 1, END
    [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]],
    [[0.3, 0.3, 0.4], [0.6, 0.4, 0.0]],
]
REWARDS = [[0.0, 1.0], [2.0, -1.0]]  # r(s, a)
Walk = list[tuple[int, int]]  # state, action


def walks(state: int, steps: int) -> Iterator[tuple[Walk, float]]:
    """Every possible continuation under μ, with its probability."""
    if state == END or steps == 0:
        yield [], 1.0
        return
    for action in (0, 1):
        for after in (0, 1, END):
            chance = MU[state][action] * MOVES[state][action][after]
            if chance > 0:
                for rest, probability in walks(after, steps - 1):
                    yield [(state, action), *rest], chance * probability


def exact_values(discount: float) -> Tensor:
    """V^π(t, s), backwards from the horizon."""
    values = torch.zeros(HORIZON + 1, 3, dtype=torch.float64)
    for t in reversed(range(HORIZON)):
        for s in (0, 1):
            values[t, s] = sum(
                PI[s][a] * (REWARDS[s][a] + discount * sum(MOVES[s][a][n] * values[t + 1, n] for n in (0, 1)))
                for a in (0, 1)
            )
    return values


def retraced_values(lambda_: float, discount: float, rho_clip: float) -> Tensor:
    """Where V ends up when every walk of μ pulls it towards its Retrace target, by its probability."""
    episodes = [(walk, 0.5 * chance) for start in (0, 1) for walk, chance in walks(start, HORIZON)]
    chances = torch.tensor([chance for _, chance in episodes], dtype=torch.float64)

    def table(read: list[list[float]], fill: float = 0.0) -> Tensor:
        rows = [[read[s][a] for s, a in walk] + [fill] * (HORIZON - len(walk)) for walk, _ in episodes]
        return torch.tensor(rows, dtype=torch.float64)

    states = table([[0, 0], [1, 1]], END).long()  # [B, T]
    log_rhos = table([[math.log(PI[s][a] / MU[s][a]) for a in (0, 1)] for s in (0, 1)])
    mask = (states != END).double()
    times = torch.arange(HORIZON).expand_as(states)
    values = torch.zeros(HORIZON + 1, 3, dtype=torch.float64)
    for _ in range(3 * HORIZON):
        targets = retrace(
            values[times, states],
            table(REWARDS),
            log_rhos,
            mask,
            lambda_=lambda_,
            discount=discount,
            rho_clip=rho_clip,
        ).targets
        for t in range(HORIZON):
            for s in (0, 1):
                here = chances * (states[:, t] == s)
                values[t, s] = (here * targets[:, t]).sum() / here.sum()
    return values


@pytest.mark.parametrize("lambda_", [0.0, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("discount", [0.7, 1.0])
def test_off_policy_data_gives_the_exact_values_of_the_policy(lambda_: float, discount: float) -> None:
    exact = exact_values(discount)
    found = retraced_values(lambda_, discount, rho_clip=math.inf)
    assert torch.allclose(found[:HORIZON, :2], exact[:HORIZON, :2], atol=1e-9)


def test_capped_ratios_trade_bias_for_variance() -> None:
    gap = (retraced_values(0.9, 1.0, rho_clip=1.0) - exact_values(1.0))[:HORIZON, :2].abs().max()
    assert gap > 0.05
