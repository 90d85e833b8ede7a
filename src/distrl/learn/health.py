"""Watching the metrics for the ways in which training is known to go wrong, and saying so in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SMOOTHING = 0.05  # of the moving averages: about the last twenty updates
PATIENCE = 30  # updates before anything is said
ENTROPY_LEFT = 0.2  # share of the first entropy below which it has collapsed
CHANCE_MARGIN = 1.2  # cross-entropy over chance by this factor is worse than guessing
STALE_SHARE = 0.5  # of ratios below one half
SUCCESS_LOST = 0.2  # success rate lost since its best


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
class Health:
    """Smooths what it is shown and returns a sentence whenever something has just turned unhealthy.

    Each complaint is made once, and again only after the metric had recovered.
    """

    _averages: dict[str, _Average] = field(default_factory=dict)
    _first_entropy: float | None = None
    _best_success: float = 0.0
    _complained: set[str] = field(default_factory=set)

    def observe(self, metrics: Mapping[str, float]) -> list[str]:
        """Sentences about what has turned bad with this update; usually none."""
        for name in ("entropy", "critic_loss", "critic_chance", "ratio_below_half", "success_in_batch"):
            if name in metrics:
                self._averages.setdefault(name, _Average()).add(metrics[name])
        complaints = {
            "entropy": self._entropy(),
            "critic": self._critic(),
            "stale": self._stale(),
            "success": self._success(),
        }
        new = [text for key, text in complaints.items() if text and key not in self._complained]
        self._complained = {key for key, text in complaints.items() if text}
        return new

    def _smooth(self, name: str) -> float | None:
        average = self._averages.get(name)
        return average.value if average is not None and average.seen >= PATIENCE else None

    def _entropy(self) -> str:
        now = self._smooth("entropy")
        if now is None:
            return ""
        if self._first_entropy is None:
            self._first_entropy = now
        if now >= ENTROPY_LEFT * self._first_entropy:
            return ""
        return (
            f"The policy's entropy fell from {self._first_entropy:.2f} to {now:.2f}: it has nearly stopped "
            "exploring; raise algorithm.entropy or lower algorithm.lr."
        )

    def _critic(self) -> str:
        loss, chance = self._smooth("critic_loss"), self._smooth("critic_chance")
        # Near 0 or 1 success there is nothing to predict, and a factor over chance means nothing.
        if loss is None or chance is None or loss <= CHANCE_MARGIN * max(chance, 0.1):
            return ""
        return (
            f"The critic's cross-entropy {loss:.2f} is above chance ({chance:.2f}): its advantages mislead; "
            "lower algorithm.critic_lr or replay.alpha."
        )

    def _stale(self) -> str:
        share = self._smooth("ratio_below_half")
        if share is None or share <= STALE_SHARE:
            return ""
        return (
            f"{share:.0%} of the stored actions are less than half as likely now as when they were taken: "
            "the data is too stale; lower replay.ratio or replay.max_version_gap, or add devices."
        )

    def _success(self) -> str:
        now = self._smooth("success_in_batch")
        if now is None:
            return ""
        self._best_success = max(self._best_success, now)
        if now >= self._best_success - SUCCESS_LOST:
            return ""
        return (
            f"Success in the training data fell from its best, {self._best_success:.0%}, to {now:.0%}: the "
            "policy is getting worse; lower algorithm.lr or algorithm.negative_scale."
        )
