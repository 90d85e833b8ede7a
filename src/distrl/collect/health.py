"""What became of each device: time in every state, faults, repairs; and the same for a whole fleet."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from distrl.collect.faults import DIALOG

STATES = ("booting", "ready", "busy", "suspect", "repairing", "quarantined")
IN_SERVICE = ("ready", "busy")
REMEMBERED = 20  # latest durations of each device kept for quantiles, for every kind and rung

Durations = dict[str, deque[float]]


@dataclass
class DeviceLog:
    """One slot's history in numbers; survives the replacement of its device."""

    state: str = "booting"
    since: float = 0.0
    seconds: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(STATES, 0.0)
    )  # in each state, before the present one
    faults: Counter[str] = field(default_factory=Counter)  # by kind
    survived: Counter[str] = field(default_factory=Counter)  # of those, in an episode that went on
    tries: Counter[str] = field(default_factory=Counter)  # of each rung
    helped: Counter[str] = field(default_factory=Counter)
    rung_s: Durations = field(default_factory=dict)  # how long each rung took that helped
    mend_s: Durations = field(default_factory=dict)  # from noticing a fault to being usable, by its kind

    def enter(self, state: str, now: float) -> None:
        """Note a change of state."""
        self.seconds[self.state] += max(0.0, now - self.since)
        self.state, self.since = state, now

    def note_rung(self, remedy: str, seconds: float, *, helped: bool) -> None:
        """Note one remedy, and what it did."""
        self.tries[remedy] += 1
        if helped:
            self.helped[remedy] += 1
            _remember(self.rung_s, remedy, seconds)

    def note_mended(self, kind: str, seconds: float) -> None:
        """Note that a fault is over."""
        _remember(self.mend_s, kind, seconds)

    def in_state(self, now: float) -> dict[str, float]:
        """Seconds in each state so far, the present one included."""
        present_s = max(0.0, now - self.since)
        return {**self.seconds, self.state: self.seconds[self.state] + present_s}

    @property
    def true_faults(self) -> int:
        """Faults of the device itself: a dialog of the system is not one."""
        return self.faults.total() - self.faults[DIALOG]


def summarize(logs: Sequence[DeviceLog], now: float) -> dict[str, float]:
    """The numbers of one device or many, under names that a chart can show."""
    values = {f"state/{state}": float(sum(log.state == state for log in logs)) for state in STATES}
    seconds = dict.fromkeys(STATES, 0.0) | _sum(log.in_state(now) for log in logs)
    total = sum(seconds.values())
    values |= {f"share/{state}": seconds[state] / total if total else 0.0 for state in STATES}
    faults = sum(log.true_faults for log in logs)
    values["devices"] = float(len(logs))
    values["faults"] = float(faults)
    values["between_faults_s"] = sum(seconds[state] for state in IN_SERVICE) / faults if faults else math.nan
    for name in ("faults", "survived", "tries", "helped"):
        counts = _sum(getattr(log, name) for log in logs)
        values |= {f"{name}/{key}": count for key, count in counts.items()}
    for name in ("rung_s", "mend_s"):
        for key, durations in _pool(getattr(log, name) for log in logs).items():
            values[f"{name}/{key}/median"] = quantile(durations, 0.5)
            values[f"{name}/{key}/p90"] = quantile(durations, 0.9)
    return values


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of the others does not exceed; nan of none."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _remember(durations: Durations, key: str, seconds: float) -> None:
    durations.setdefault(key, deque(maxlen=REMEMBERED)).append(seconds)


def _sum(counts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Numbers of the same name, added up."""
    total: dict[str, float] = {}
    for each in counts:
        for key, value in each.items():
            total[key] = total.get(key, 0.0) + value
    return total


def _pool(durations: Iterable[Durations]) -> dict[str, list[float]]:
    pooled: dict[str, list[float]] = {}
    for each in durations:
        for key, values in each.items():
            pooled.setdefault(key, []).extend(values)
    return pooled
