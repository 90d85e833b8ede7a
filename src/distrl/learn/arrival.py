"""The priority that a trajectory arrives with: what is known of it before the learner has looked.

As in distributed prioritised replay (Horgan et al., arXiv 1803.00933) a new trajectory does not enter with
the largest priority. Where each is drawn little more than once, nearly all draws would go to first looks, and
priorities would choose nothing. What is known on arrival is the outcome, and how sure the policy was of each
action. This needs no torch: the replay computes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from distrl.config import AlgorithmConfig
from distrl.records import Trajectory

SMALLEST_PRIORITY = 1e-3  # keeps every trajectory drawable, however boring
# Standard deviation that advantages have in training, be the policy weak or strong (0.26 to 0.31 on general).
# By a batch's own, a priority would depend on what else was drawn with the trajectory.
SPREAD = 0.3


def arrival_for(config: AlgorithmConfig) -> Callable[[Trajectory], float] | None:
    """How an algorithm values what arrives; None: new trajectories enter with the largest priority."""
    if config.kind != "a-ride" or config.priority_lesson == 0:
        return None
    return lambda trajectory: a_ride_arrival(trajectory, config)


def a_ride_arrival(trajectory: Trajectory, config: AlgorithmConfig) -> float:
    """A-RIDE's priority under π = μ, λ = 1 and a critic that says one half of everything.

    Then ρ is 1, δ is R - ½ at the end and 0 before, and every advantage is R - ½.
    """
    unsure = [1 - math.exp(min(0.0, step.decision.logprob)) for step in trajectory.steps]
    if not unsure:
        return SMALLEST_PRIORITY
    surprise = 0.5 / SPREAD
    pull = config.imitation + surprise if trajectory.success else config.negative_scale * surprise
    return (
        config.priority_error * 0.5 / len(unsure)
        + config.priority_ratio
        + config.priority_lesson * pull * sum(unsure) / len(unsure)
        + SMALLEST_PRIORITY
    )
