"""Who was permitted what, and who has waited how long.

Three rules make sure that a worker that died never blocks the others:

- a trajectory that cannot be trained on gives its permit back, since it adds nothing to any count;
- a worker's name may end in its incarnation, "worker-0.3"; once that one asks, whatever "worker-0.2" had
  under way is void, and "worker-0.2" is refused should it still be alive;
- a permit lapses after `lease_s` seconds, for the worker that never comes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

Clock = Callable[[], float]
LEASE_S = 3600.0  # twice the default deadline of an episode
LEARNER = ""  # its name among those who wait


class UnderWay:
    """Episodes that were permitted and have not arrived, by worker."""

    def __init__(self, lease_s: float, clock: Clock) -> None:
        self._lease_s = lease_s
        self._clock = clock
        self._granted_at: dict[str, deque[float]] = {}  # base name → times of its permits, oldest first
        self._incarnation: dict[str, int] = {}

    def admit(self, worker: str) -> str:
        """Recognise a worker's newest incarnation; returns why it is refused when it is not the newest."""
        name, incarnation = split_name(worker)
        newest = self._incarnation.get(name, -1)
        if incarnation is None:
            return ""
        if incarnation < newest:
            return f"{worker} was replaced by {name}.{newest}; it should end"
        if incarnation > newest:
            self._incarnation[name] = incarnation
            self._granted_at.pop(name, None)
        return ""

    def grant(self, worker: str, count: int) -> None:
        """Note episodes that start now."""
        name, _ = split_name(worker)
        self._granted_at.setdefault(name, deque()).extend([self._clock()] * count)

    def arrived(self, worker: str) -> None:
        """Note that an episode ended; one of a replaced incarnation was struck off already."""
        name, incarnation = split_name(worker)
        granted = self._granted_at.get(name)
        if granted and (incarnation is None or incarnation >= self._incarnation.get(name, -1)):
            granted.popleft()

    def count(self) -> int:
        """How many are under way in all."""
        lapsed = self._clock() - self._lease_s
        for granted in self._granted_at.values():
            while granted and granted[0] <= lapsed:
                granted.popleft()
        return sum(map(len, self._granted_at.values()))


def split_name(worker: str) -> tuple[str, int | None]:
    """A worker's name and its incarnation, if it tells: "worker-0.3" is ("worker-0", 3)."""
    name, dot, suffix = worker.rpartition(".")
    return (name, int(suffix)) if dot and suffix.isdecimal() else (worker, None)


class Waits:
    """How long each party was held back: from its first refused request to the next granted one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}
        self._workers_s = 0.0
        self._learner_s = 0.0

    def note(self, party: str, *, waiting: bool) -> None:
        """A request of this party was refused or granted."""
        name, _ = split_name(party)
        if waiting:
            self._since.setdefault(name, self._clock())
        elif name in self._since:
            seconds = self._clock() - self._since.pop(name)
            if name == LEARNER:
                self._learner_s += seconds
            else:
                self._workers_s += seconds

    def totals(self) -> tuple[float, float]:
        """Seconds of all workers and of the learner, running waits included."""
        now = self._clock()
        running = {name: now - since for name, since in self._since.items()}
        learner = running.pop(LEARNER, 0.0)
        return self._workers_s + sum(running.values()), self._learner_s + learner
