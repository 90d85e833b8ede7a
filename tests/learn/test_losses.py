"""Every loss term has the gradient it claims, by finite differences and by exact expectations."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from distrl.learn import losses

N, ACTIONS = 6, 4


def constants() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(1)
    return {
        "action": torch.randint(ACTIONS, (N,), generator=generator),
        "log_rho": torch.randn(N, generator=generator, dtype=torch.float64),
        "advantage": torch.randn(N, generator=generator, dtype=torch.float64),
        "weight": torch.rand(N, generator=generator, dtype=torch.float64),
        "invalid": torch.tensor([1, 0, 0, 1, 0, 1], dtype=torch.float64),
        "proximal": -2 * torch.rand(N, generator=generator, dtype=torch.float64),
        "reference": -2 * torch.rand(N, generator=generator, dtype=torch.float64),
        "outcome": torch.tensor([1, 0, 0, 1, 1, 0], dtype=torch.float64),
    }


def logprobs(logits: Tensor) -> Tensor:
    return logits.log_softmax(1).gather(1, constants()["action"][:, None])[:, 0]


def entropies(logits: Tensor) -> Tensor:
    logs = logits.log_softmax(1)
    return -(logs.exp() * logs).sum(1)


def policy_gradient(logits: Tensor) -> Tensor:
    c = constants()
    return losses.policy_gradient(logprobs(logits), c["log_rho"], c["advantage"], c["weight"], rho_clip=1.0)


def validity(logits: Tensor) -> Tensor:
    c = constants()
    return losses.validity_penalty(logprobs(logits), c["log_rho"], c["invalid"], c["weight"], rho_clip=1.0)


def proximal_gain(logits: Tensor) -> Tensor:
    c = constants()
    coefficient = losses.clipped_ratio(c["log_rho"], 1.0)
    log_ratio = logprobs(logits) - c["proximal"]
    return losses.proximal_gain(log_ratio, coefficient, c["advantage"], c["weight"], clip=0.2)


def exact_kl(logits: Tensor, reference: Tensor) -> Tensor:
    return (logits.softmax(0) * (logits.log_softmax(0) - reference)).sum()


TERMS: dict[str, Callable[[Tensor], Tensor]] = {
    "policy gradient": policy_gradient,
    "clipped gain": proximal_gain,
    "entropy bonus": lambda logits: losses.entropy_bonus(entropies(logits), constants()["weight"]),
    "validity penalty": validity,
    "step critic": lambda logits: losses.critic_cross_entropy(
        logits[:, :2], constants()["outcome"], constants()["weight"]
    ),
    "trajectory critic": lambda logits: losses.prior_cross_entropy(
        logits[:, 0], constants()["outcome"], constants()["weight"]
    ),
    "cloning": lambda logits: losses.cloning_loss(logprobs(logits), constants()["weight"]),
}


@pytest.mark.parametrize("term", TERMS)
def test_gradient_by_finite_differences(term: str) -> None:
    logits = torch.randn(N, ACTIONS, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(TERMS[term], (logits,))
    (gradient,) = torch.autograd.grad(TERMS[term](logits), logits)
    assert gradient.abs().max() > 1e-3


def every_action(logits: Tensor, behaviour: Tensor) -> tuple[Tensor, Tensor]:
    """log π and log ρ of each action of one state; weighted by μ, their mean is an exact expectation."""
    logprob = logits.log_softmax(0)
    return logprob, logprob - behaviour.log()


def test_policy_gradient_is_that_of_the_expected_advantage() -> None:
    logits = torch.randn(ACTIONS, dtype=torch.float64, requires_grad=True)
    behaviour = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    advantage = torch.tensor([1.0, -0.5, 0.2, 0.0], dtype=torch.float64)
    logprob, log_rho = every_action(logits, behaviour)
    loss = losses.policy_gradient(logprob, log_rho, advantage, behaviour, rho_clip=math.inf)
    (found,) = torch.autograd.grad(loss, logits)
    (exact,) = torch.autograd.grad(-(logits.softmax(0) * advantage).sum(), logits)
    assert torch.allclose(found, exact)


def test_the_clipped_gain_begins_as_a_policy_gradient_whoever_acted() -> None:
    """At π = π_prox the gradient is that of the expected advantage, however far μ is."""
    logits = torch.randn(ACTIONS, dtype=torch.float64, requires_grad=True)
    behaviour = torch.tensor([0.05, 0.6, 0.3, 0.05], dtype=torch.float64)
    advantage = torch.tensor([1.0, -0.5, 0.2, 0.0], dtype=torch.float64)
    logprob, log_rho = every_action(logits, behaviour)
    coefficient = losses.clipped_ratio(log_rho, math.inf)
    loss = losses.proximal_gain(logprob - logprob.detach(), coefficient, advantage, behaviour, clip=0.2)
    (found,) = torch.autograd.grad(loss, logits)
    (exact,) = torch.autograd.grad(-(logits.softmax(0) * advantage).sum(), logits)
    assert torch.allclose(found, exact)


@pytest.mark.parametrize(
    ("ratio", "advantage", "slope"),
    [
        (1.1, 1.0, 1.1),
        (1.3, 1.0, 0.0),  # far enough up
        (0.7, 1.0, 0.7),  # too far down: may come back
        (0.7, -1.0, 0.0),  # far enough down
        (1.3, -1.0, -1.3),
    ],
)
def test_the_clip_ends_what_went_far_enough_and_nothing_else(
    ratio: float, advantage: float, slope: float
) -> None:
    logprob = torch.tensor([-1.0], requires_grad=True)
    log_ratio = logprob - (logprob.detach() - math.log(ratio))
    loss = losses.proximal_gain(
        log_ratio, torch.tensor([0.5]), torch.tensor([advantage]), torch.ones(1), clip=0.2
    )
    (gradient,) = torch.autograd.grad(loss, logprob)
    assert float(gradient) == pytest.approx(-0.5 * slope)


@pytest.mark.parametrize("away", [0.0, 0.5, 3.0])
def test_the_kl_penalty_has_the_gradient_of_the_kl_to_the_reference(away: float) -> None:
    """By finite differences of the exact divergence, from data of another policy."""
    logits = torch.randn(ACTIONS, dtype=torch.float64, requires_grad=True)
    reference = (logits.detach() + away * torch.randn(ACTIONS, dtype=torch.float64)).log_softmax(0)
    behaviour = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    logprob, log_rho = every_action(logits, behaviour)
    loss = losses.kl_penalty(logprob, reference, log_rho, behaviour, rho_clip=math.inf)
    (found,) = torch.autograd.grad(loss, logits)
    with torch.no_grad():
        numeric = [
            (exact_kl(logits + shift, reference) - exact_kl(logits - shift, reference)) / 2e-5
            for shift in 1e-5 * torch.eye(ACTIONS, dtype=torch.float64)
        ]
    assert torch.allclose(found, torch.stack(numeric), atol=1e-8)
    estimate = losses.reference_kl(logprob, reference, log_rho, behaviour, rho_clip=math.inf)
    assert float(estimate) == pytest.approx(float(exact_kl(logits.detach(), reference)))


def test_the_estimated_kl_is_never_negative_and_always_finite() -> None:
    logprob, reference = torch.tensor([-0.1, -50.0, -2.0]), torch.tensor([-40.0, -0.1, -2.1])
    for row in range(3):
        weight = torch.eye(3)[row]
        estimate = losses.reference_kl(logprob, reference, torch.zeros(3), weight, rho_clip=1.0)
        assert 0 <= float(estimate) < math.inf


def test_validity_penalty_has_the_gradient_of_the_invalid_probability() -> None:
    logits = torch.randn(ACTIONS, dtype=torch.float64, requires_grad=True)
    behaviour = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    invalid = torch.tensor([0.0, 1.0, 0.0, 1.0], dtype=torch.float64)
    logprob, log_rho = every_action(logits, behaviour)
    loss = losses.validity_penalty(logprob, log_rho, invalid, behaviour, rho_clip=math.inf)
    (found,) = torch.autograd.grad(loss, logits)
    (exact,) = torch.autograd.grad((logits.softmax(0) * invalid).sum(), logits)
    assert torch.allclose(found, exact)


def test_validity_penalty_lowers_what_a_constant_cannot() -> None:
    invalid = torch.tensor([0.0, 1.0, 0.0, 1.0])
    behaviour = torch.full((ACTIONS,), 0.25)

    def trained(penalty: Callable[[Tensor], Tensor]) -> float:
        logits = torch.zeros(ACTIONS, requires_grad=True)
        for _ in range(50):
            loss = penalty(logits) + 0.0 * logits.sum()
            (gradient,) = torch.autograd.grad(loss, logits)
            logits = (logits - gradient).detach().requires_grad_()
        return float((logits.detach().softmax(0) * invalid).sum())

    def score_function(logits: Tensor) -> Tensor:
        logprob, log_rho = every_action(logits, behaviour)
        return losses.validity_penalty(logprob, log_rho, invalid, behaviour, rho_clip=1.0)

    assert trained(lambda _: (behaviour * invalid).sum()) == pytest.approx(0.5)
    assert trained(score_function) < 0.1


def test_entropy_rises_under_the_bonus_alone() -> None:
    logits = torch.tensor([[4.0, 0.0, 0.0, 0.0]], requires_grad=True)
    before = float(entropies(logits.detach()))
    for _ in range(200):
        loss = losses.entropy_bonus(entropies(logits), torch.ones(1))
        (gradient,) = torch.autograd.grad(loss, logits)
        logits = (logits - gradient).detach().requires_grad_()
    assert before < 0.4
    assert float(entropies(logits.detach())) == pytest.approx(math.log(ACTIONS), abs=0.05)


@pytest.mark.parametrize("log_ratio", [-2.0, 0.0, 3.0])
def test_no_gradient_flows_through_the_ratio(log_ratio: float) -> None:
    logprob = torch.tensor([-1.0], requires_grad=True)
    log_rho = logprob - (-1.0 - log_ratio)
    loss = losses.policy_gradient(logprob, log_rho, torch.tensor([0.7]), torch.ones(1), rho_clip=1.0)
    (gradient,) = torch.autograd.grad(loss, logprob)
    assert float(gradient) == pytest.approx(-0.7 * min(1.0, math.exp(log_ratio)))


def test_both_critic_heads_learn_and_the_lower_one_predicts() -> None:
    logits = torch.tensor([[2.0, -1.0]], requires_grad=True)
    loss = losses.critic_cross_entropy(logits, torch.ones(1), torch.ones(1))
    (gradient,) = torch.autograd.grad(loss, logits)
    assert gradient[0].tolist() == pytest.approx(
        [(torch.sigmoid(torch.tensor(x)).item() - 1) / 2 for x in (2.0, -1.0)]
    )
    assert float(losses.critic_prediction(logits)) == pytest.approx(1 / (1 + math.e))


def test_chance_is_the_entropy_of_the_success_rate() -> None:
    chance = losses.chance_cross_entropy(torch.tensor([1.0, 0.0, 0.0, 0.0]), torch.ones(4))
    assert float(chance) == pytest.approx(-(0.25 * math.log(0.25) + 0.75 * math.log(0.75)))
    assert math.isfinite(float(losses.chance_cross_entropy(torch.zeros(3), torch.ones(3))))
