"""From a run's records to points of curves: which number goes where, and at which step.

| curves | step |
|---|---|
| `learner/…`, `system/learner_…` | learner updates |
| everything else | environment steps collected so far, by all workers |
"""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

from distrl.recording import Line

WORKER_EVERY_S = 2.0  # between two points of the workers, however many of them report
WINDOW_S = 60.0  # over which the workers' rates are taken
UPDATES = "updates"
ENV_STEPS = "env_steps"

# What the learner measures about itself rather than about learning.
_LEARNER_SYSTEM = frozenset(
    {"seconds", "sample_s", "update_s", "waited_s", "cached", "dropped", "updates_skipped", "retries"}
)
_WORKER_GAUGES = frozenset({"batch_size", "version"})  # mean over workers; `devices` and counts are summed


class Point(NamedTuple):
    """Numbers of one moment, each under the name of its curve."""

    t: float  # seconds since the epoch
    axis: str  # UPDATES or ENV_STEPS
    step: int
    values: dict[str, float]


class Points:
    """Turns lines into points; the same lines give the same points, however often they are read.

    A learner that was killed repeats the updates since its checkpoint: they are left out the second time. A
    worker that was started anew counts from 0 again: its former lives are added.
    """

    def __init__(self) -> None:
        self._update = -1
        self._counts: dict[tuple[str, str], tuple[float, float]] = {}  # former lives', this life's
        self._gauges: dict[str, dict[str, float]] = {}  # by worker
        self._history: deque[tuple[float, dict[str, float]]] = deque()
        self._worker_t = -math.inf
        self._steps: dict[str, int] = {}  # of the last point, by group

    def take(self, line: Line) -> Point | None:
        """The point that a line makes, if any."""
        if line.kind != "metrics":
            return None
        values = {name: value for name, value in line.values.items() if value is not None}
        if line.name == "learner":
            return self._learner(line.t, values)
        if line.name == "worker":
            return self._worker(line.t, line.part, values)
        if line.name == "evaluation":
            group = f"eval/{line.fields.get('split', '')}_{line.fields.get('decoding', '')}"
        else:
            group = line.name if line.name == line.part else f"system/{line.part}"
            if self.env_steps <= self._steps.get(group, -1):
                return None
            self._steps[group] = self.env_steps
        return Point(
            line.t, ENV_STEPS, self.env_steps, {f"{group}/{name}": value for name, value in values.items()}
        )

    @property
    def env_steps(self) -> int:
        """Steps that all workers have made so far."""
        return int(self._total("steps"))

    def _learner(self, t: float, values: dict[str, float]) -> Point | None:
        update = int(values.get("update", -1))
        if update <= self._update:
            return None
        self._update = update
        named = {
            f"system/learner_{name}" if name in _LEARNER_SYSTEM else f"learner/{name}": value
            for name, value in values.items()
        }
        return Point(t, UPDATES, update, named)

    def _worker(self, t: float, part: str, values: dict[str, float]) -> Point | None:
        for name, value in values.items():
            if name in _WORKER_GAUGES or name == "devices":
                self._gauges.setdefault(part, {})[name] = value
                continue
            before, last = self._counts.get((part, name), (0.0, 0.0))
            self._counts[part, name] = (before + last if value < last else before, value)
        if 0.0 <= t - self._worker_t < WORKER_EVERY_S or self.env_steps <= self._steps.get("worker", -1):
            return None
        self._worker_t = t
        self._steps["worker"] = self.env_steps
        return Point(t, ENV_STEPS, self.env_steps, self._worker_values(t))

    def _worker_values(self, t: float) -> dict[str, float]:
        totals = {name: self._total(name) for name in {name for _, name in self._counts}}
        named = {
            f"system/worker_{name}" if name.endswith("_s") else f"worker/{name}": value
            for name, value in totals.items()
        }
        gauges = list(self._gauges.values())
        for name in _WORKER_GAUGES:
            found = [gauge[name] for gauge in gauges if name in gauge]
            if found:
                named[f"worker/{name}"] = sum(found) / len(found)
        named["worker/devices"] = sum(gauge.get("devices", 0.0) for gauge in gauges)
        return named | self._rates(t, totals)

    def _rates(self, t: float, totals: dict[str, float]) -> dict[str, float]:
        """What happened within the last minute."""
        if self._history and t < self._history[-1][0]:  # the clock was set back
            self._history.clear()
        self._history.append((t, totals))
        while t - self._history[0][0] > WINDOW_S:
            self._history.popleft()
        begin, first = self._history[0]

        def growth(name: str) -> float:
            return totals.get(name, 0.0) - first.get(name, 0.0)

        rates: dict[str, float] = {}
        judged = growth("success") + growth("failure")
        if judged:
            rates["worker/success_rate"] = growth("success") / judged
        if growth("episodes"):
            rates["worker/episode_steps"] = growth("steps") / growth("episodes")
        if t > begin:
            rates["worker/steps_per_s"] = growth("steps") / (t - begin)
        return rates

    def _total(self, name: str) -> float:
        return sum(before + last for (_, key), (before, last) in self._counts.items() if key == name)
