"""What devices could deliver at best, computed from the episodes that were recorded, for `collection.py`.

Asynchronous: no device ever waits, so the rate is  devices / mean episode duration.
Synchronous: a round takes as long as its episodes need on the devices, each started on the first device that
is free, which for one episode each is the longest of them; then the learner trains while all wait. The rate
is  episodes / sum over the rounds of (that time + training time).
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ledger import DEVICE, POLICY, WAITING


@dataclass(frozen=True)
class Episode:
    """One recorded episode."""

    device: str
    began: float
    ended: float
    steps: int

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.ended - self.began


@dataclass(frozen=True)
class Round:
    """One synchronous round: from its opening to the next one's."""

    opened: float
    closed: float
    episodes: Sequence[Episode]
    training_s: float  # drawing and updating, as the learner measured it

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.closed - self.opened


@dataclass(frozen=True)
class Throughput:
    """What was collected in a second, what could have been, and how much of that was reached."""

    episodes: int
    steps: int
    seconds: float
    bound_per_s: float  # episodes
    share: float  # of the bound

    @property
    def per_minute(self) -> float:
        """Trajectories."""
        return 60 * self.episodes / self.seconds

    @property
    def bound_per_minute(self) -> float:
        """Trajectories at best."""
        return 60 * self.bound_per_s

    @property
    def steps_per_s(self) -> float:
        """Steps."""
        return self.steps / self.seconds


def asynchronous(episodes: Sequence[Episode], devices: int, begin: float, end: float) -> Throughput:
    """The throughput between two moments.

    The rate counts what ended between them. The share of the bound is taken from each device's time between
    the ends of its first and last episode there, which episodes cut off by the window do not blur.
    """
    inside = [each for each in episodes if begin <= each.ended < end]
    bound = devices / fmean(each.seconds for each in inside) if inside else 0.0
    return Throughput(
        len(inside), sum(each.steps for each in inside), end - begin, bound, share_in_episodes(inside)
    )


def share_in_episodes(episodes: Sequence[Episode]) -> float:
    """The share of time that devices spend in episodes, from the end of each one's first to its last."""
    by_device: dict[str, list[Episode]] = {}
    for each in sorted(episodes, key=lambda episode: episode.ended):
        by_device.setdefault(each.device, []).append(each)
    span = sum(own[-1].ended - own[0].ended for own in by_device.values())
    busy = sum(each.seconds for own in by_device.values() for each in own[1:])
    return busy / span if span else 0.0


def synchronous(rounds: Sequence[Round], devices: int) -> Throughput:
    """The throughput over whole rounds."""
    episodes = [each for one in rounds for each in one.episodes]
    seconds = sum(one.seconds for one in rounds)
    ideal = sum(makespan(_durations(one), devices) + one.training_s for one in rounds)
    bound = len(episodes) / ideal if ideal else 0.0
    rate = len(episodes) / seconds if seconds else 0.0
    return Throughput(
        len(episodes), sum(each.steps for each in episodes), seconds, bound, rate / bound if bound else 0.0
    )


def _durations(one: Round) -> list[float]:
    return [each.seconds for each in sorted(one.episodes, key=lambda episode: episode.began)]


def makespan(durations: Sequence[float], devices: int) -> float:
    """When the last of these is over if each is started, in order, on the first device that is free."""
    free = [0.0] * devices
    for seconds in durations:
        heapq.heapreplace(free, free[0] + seconds)
    return max(free)


def expected_ratio(
    durations: Sequence[float], devices: int, each: int, training_s: float, *, draws: int = 2000
) -> float:
    """How many times more the asynchronous bound is than the synchronous one, for these durations.

    Rounds of `each` episodes a device are drawn from all durations, again and again: a run of minutes has few
    rounds, and the longest episode of a few rounds is a matter of luck.
    """
    source = random.Random(0)
    ideal = [makespan(source.choices(durations, k=devices * each), devices) for _ in range(draws)]
    return (fmean(ideal) + training_s) / (each * fmean(durations))


def split(before: Mapping[str, float], after: Mapping[str, float], device_seconds: float) -> dict[str, float]:
    """Shares of the devices' time between two readings of a ledger; they add up to 1."""
    spent = {
        account: (after[account] - before.get(account, 0.0)) / device_seconds
        for account in sorted(after)
        if account in (DEVICE, POLICY) or account.startswith(WAITING)
    }
    return {**spent, "framework": 1.0 - sum(spent.values())}


def framework_of_a_step(shares: Mapping[str, float]) -> float:
    """The framework's share of the time in which devices do not wait."""
    waiting = sum(share for account, share in shares.items() if account.startswith(WAITING))
    return shares["framework"] / (1.0 - waiting) if waiting < 1.0 else 0.0
