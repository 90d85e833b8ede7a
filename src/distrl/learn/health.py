"""Watching the metrics for the ways in which training is known to go wrong, and saying so in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

SMOOTHING = 0.05  # of the moving averages: about the last twenty updates
PATIENCE = 30  # updates before anything is said
ENTROPY_LEFT = 0.2  # share of the first entropy below which it has collapsed
CHANCE_MARGIN = 1.2  # cross-entropy over chance by this factor is worse than guessing
STALE_SHARE = 0.5  # of ratios below one half
SUCCESS_LOST = 0.2  # success rate lost since its best
DONE_LEFT = 0.2  # share of the best DONE rate below which it has collapsed
GROUPED = 0.5  # share of trajectories that have another one of their task to be compared with
DONE_RARE = 0.01  # the policy no longer says DONE, whatever its best was

# A complaint has a severity: 1 where it begins, twice as much when things are twice as bad.
RECOVERED = 0.7  # below this severity a complaint is over; between this and 1 it is neither made nor over
SETTLING = 60  # updates in which a fall may go on before it counts as another one
CLEARLY_WORSE = 1.5  # times the severity that was told
WORST = 5.0  # beyond it, worse makes no difference
TINY = 1e-6
WATCHED = (
    "entropy",
    "critic_loss",
    "critic_chance",
    "ratio_below_half",
    "success_in_batch",
    "done_rate",
    "grouped",
)

OF_CRITIC = ("critic_loss", "critic_chance")


@dataclass
class _Average:
    """A moving average without a bias towards 0 at its start."""

    total: float = 0.0
    weight: float = 0.0
    seen: int = 0

    def add(self, value: float) -> None:
        self.total += SMOOTHING * (value - self.total)
        self.weight += SMOOTHING * (1 - self.weight)
        self.seen += 1

    @property
    def value(self) -> float:
        return self.total / self.weight


@dataclass
class _Told:
    """A complaint that was made, and how bad things were then."""

    severity: float
    updates: int = 0  # since


class _Finding(NamedTuple):
    """How bad something is, 1 or more if unhealthy, and what to say of it."""

    severity: float
    sentence: str


@dataclass
class Health:
    """Smooths what it is shown and returns a sentence whenever something has just turned unhealthy.

    Each complaint is made once, and again only after the metric has clearly recovered, or has become clearly
    worse than it was in the updates after the complaint; wavering about a limit is one complaint.
    """

    _averages: dict[str, _Average] = field(default_factory=dict)
    _first_entropy: float | None = None
    _first_bonus: float = 0.0
    _bonus_left: float = 1.0  # share of the entropy's first weight
    _best_success: float = 0.0
    _best_done: float = 0.0
    _told: dict[str, _Told] = field(default_factory=dict)

    def observe(self, metrics: Mapping[str, float]) -> list[str]:
        """Sentences about what has turned bad with this update; usually none."""
        warming_up = metrics.get("warming_up", 0.0) > 0  # the critic learns, and nothing is done by it yet
        for name in WATCHED:
            if name in metrics and not (warming_up and name in OF_CRITIC):
                self._averages.setdefault(name, _Average()).add(metrics[name])
        if bonus := metrics.get("entropy_weight"):
            self._first_bonus = self._first_bonus or bonus
            self._bonus_left = bonus / self._first_bonus
        findings = {
            "entropy": self._entropy(),
            "critic": self._critic(),
            "stale": self._stale(),
            "success": self._success(),
            "done": self._done(),
            "grouped": self._grouped(),
        }
        return [
            finding.sentence
            for key, finding in findings.items()
            if finding is not None and self._is_news(key, min(finding.severity, WORST))
        ]

    def _is_news(self, key: str, severity: float) -> bool:
        told = self._told.get(key)
        if told is None:
            if severity > 1:
                self._told[key] = _Told(severity)
            return severity > 1
        if severity < RECOVERED:
            del self._told[key]
            return False
        told.updates += 1
        if told.updates <= SETTLING:
            told.severity = max(told.severity, severity)
            return False
        if severity < CLEARLY_WORSE * told.severity:
            return False
        self._told[key] = _Told(severity)
        return True

    def _smooth(self, name: str) -> float | None:
        average = self._averages.get(name)
        return average.value if average is not None and average.seen >= PATIENCE else None

    def _entropy(self) -> _Finding | None:
        now = self._smooth("entropy")
        if now is None:
            return None
        if self._first_entropy is None:
            self._first_entropy = now
        # What a bonus holds up may fall as the bonus is faded: that is meant.
        return _Finding(
            ENTROPY_LEFT * self._bonus_left * self._first_entropy / max(now, TINY),
            f"The policy's entropy fell from {self._first_entropy:.2f} to {now:.2f}: it has nearly stopped "
            "exploring. While success still rises, that is learning; if not, raise algorithm.entropy or "
            "lower algorithm.lr.",
        )

    def _critic(self) -> _Finding | None:
        loss, chance = self._smooth("critic_loss"), self._smooth("critic_chance")
        if loss is None or chance is None:
            return None
        # Near 0 or 1 success there is nothing to predict, and a factor over chance means nothing.
        return _Finding(
            loss / (CHANCE_MARGIN * max(chance, 0.1)),
            f"The critic's cross-entropy {loss:.2f} is above chance ({chance:.2f}): its advantages mislead; "
            "lower algorithm.critic_lr or replay.alpha.",
        )

    def _stale(self) -> _Finding | None:
        share = self._smooth("ratio_below_half")
        if share is None:
            return None
        return _Finding(
            share / STALE_SHARE,
            f"{share:.0%} of the stored actions are less than half as likely now as when they were taken: "
            "the data is too stale; lower replay.ratio or replay.max_version_gap, or add devices.",
        )

    def _success(self) -> _Finding | None:
        now = self._smooth("success_in_batch")
        if now is None:
            return None
        self._best_success = max(self._best_success, now)
        return _Finding(
            (self._best_success - now) / SUCCESS_LOST,
            f"Success in the training data fell from its best, {self._best_success:.0%}, to {now:.0%}: the "
            "policy is getting worse; lower algorithm.lr or algorithm.negative_scale.",
        )

    def _done(self) -> _Finding | None:
        now = self._smooth("done_rate")
        if now is None:
            return None
        self._best_done = max(self._best_done, now)
        return _Finding(
            max(DONE_LEFT * self._best_done, DONE_RARE) / max(now, TINY),
            f"The policy has nearly stopped saying that it is done: it did in {now:.1%} of the episodes, "
            f"at its best in {self._best_done:.0%}, and without it an episode fails; lower algorithm.lr or "
            "algorithm.negative_scale.",
        )

    def _grouped(self) -> _Finding | None:
        now = self._smooth("grouped")
        if now is None:
            return None
        return _Finding(
            GROUPED / max(now, TINY),
            f"Only {now:.0%} of the trajectories have another one of the same task to be compared with: GRPO "
            "learns nothing from the rest; set collect.group to algorithm.group.",
        )
