"""The repair ladder: which remedy a broken device gets next, and how long it sits out when none helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from distrl.collect.faults import BLACK_SCREEN, NO_BOOT
from distrl.interfaces import REMEDIES

REOPEN = "reopen"  # closing and opening: what every device can do
REPLACE = "replace"
RUNGS = (*(remedy for remedy in REMEDIES if remedy != REPLACE), REOPEN, REPLACE)

# Where to begin when the fault tells that milder remedies are pointless; else at the bottom.
FIRST_RUNG = {BLACK_SCREEN: "restart_app", NO_BOOT: "reboot"}


def _default_deadlines() -> dict[str, float]:
    return {
        "reconnect": 20.0,
        "restart_app": 30.0,
        "restore_snapshot": 60.0,
        "reboot": 180.0,
        REOPEN: 180.0,
        REPLACE: 300.0,
    }


@dataclass(frozen=True)
class RepairSettings:
    """How patient the ladder is."""

    deadlines_s: Mapping[str, float] = field(default_factory=_default_deadlines)  # of each rung
    tries: int = 2  # of a rung without `good_episodes` in between, after which it is passed over
    good_episodes: int = 2  # after which a device counts as sound and the ladder starts at the bottom
    quarantine_s: float = 5.0  # the first one; each doubles
    longest_quarantine_s: float = 600.0


class Ladder:
    """One device's place on the ladder; bookkeeping without clock or device."""

    def __init__(self, settings: RepairSettings) -> None:
        self._settings = settings
        self._tried: dict[str, int] = {}  # how often each rung was tried since the device was last sound
        self._good = 0
        self._quarantines = 0

    def climb(self, kind: str, remedies: Iterable[str]) -> list[str]:
        """The remedies to try for a fault of this kind, mildest first; empty when none is left."""
        self._good = 0
        known = sorted(set(remedies), key=RUNGS.index)
        lowest = RUNGS.index(FIRST_RUNG.get(kind, RUNGS[0]))
        fitting = [remedy for remedy in known if RUNGS.index(remedy) >= lowest] or known
        return [remedy for remedy in fitting if self._tried.get(remedy, 0) < self._settings.tries]

    def tried(self, remedy: str) -> None:
        """A rung was tried; whether it helped, good episodes will show."""
        self._tried[remedy] = self._tried.get(remedy, 0) + 1

    def good_episode(self) -> None:
        """The device went through an episode without being lost."""
        self._good += 1
        if self._good >= self._settings.good_episodes:
            self._tried.clear()
            self._quarantines = 0

    def sit_out(self) -> float:
        """Seconds of the quarantine that begins now; afterwards every rung may be tried again."""
        self._tried.clear()
        seconds = self._settings.quarantine_s * 2.0**self._quarantines
        self._quarantines += 1
        return min(seconds, self._settings.longest_quarantine_s)
