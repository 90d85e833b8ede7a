"""Who may run ahead of whom: one small class for the asynchronous mode, one for the synchronous mode.

A limiter only counts; it stores nothing and is told everything by the replay. Episodes that were permitted
and have not arrived yet are *under way* (see `permits`, also for what happens when their worker dies).

When the replay itself is restarted, nothing is under way at first: the workers' running episodes still arrive
and are counted, so a restart lets workers run ahead by at most the episodes that were under way.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple, Protocol

from distrl.interfaces import Permit
from distrl.replay.permits import LEARNER, LEASE_S, Clock, UnderWay, Waits

FIRST_GUESS_STEPS = 10.0  # an episode's length until the first one has arrived


class Progress(NamedTuple):
    """How far collecting and training have come, as the store remembers it."""

    usable: int = 0  # trajectories that can be trained on, ever collected
    usable_steps: int = 0
    trained_steps: int = 0
    round_start: int = 0  # `usable` when the current round opened


class Limiter(Protocol):
    """Decides whether workers may start episodes and whether the learner may draw."""

    round_start: int  # `usable` when the current round opened; the replay saves it after `published`

    def restore(self, progress: Progress) -> None:
        """Continue from what was stored."""

    def permit(self, worker: str, wanted: int) -> Permit:
        """How many of the wanted episodes may start; they then count as under way."""

    def added(self, worker: str, steps: int) -> None:
        """A worker's episode arrived, with this many steps to train on; 0 when it is unusable."""

    def refusal(self) -> str:
        """Why the learner may not draw now; empty when it may."""

    def drawn(self, steps: int) -> None:
        """The learner drew this many steps; 0 when it was allowed to, but nothing was fresh enough."""

    def published(self) -> None:
        """The learner published a version."""

    def waited(self) -> tuple[float, float]:
        """Seconds that workers (summed) and the learner were held back, running waits included."""


class RatioLimiter:
    """Asynchronous mode: holds trained steps near `ratio` times the collected steps.

    With  lead = ratio · collected_steps − trained_steps,  which is how far the workers are ahead:

    - the learner may draw while       lead > −slack  (and `min_trajectories` were collected);
    - a worker may start an episode while  lead + ratio · mean_steps · under_way < slack.

    Only steps that can be trained on count as collected. Both bounds are checked before the fact, so they
    are exceeded by at most one batch or one episode, and both sides can never be refused at once with nothing
    under way. Workers are let through regardless while fewer than `min_trajectories` were collected and
    while the learner finds nothing fresh enough to draw; it would wait for ever otherwise.
    """

    def __init__(
        self,
        ratio: float,
        slack: int,
        min_trajectories: int,
        *,
        lease_s: float = LEASE_S,
        clock: Clock = time.monotonic,
    ) -> None:
        self.ratio = ratio
        self.slack = slack
        self.min_trajectories = min_trajectories
        self.round_start = 0
        self._progress = Progress()
        self._starving = False
        self._under_way = UnderWay(lease_s, clock)
        self._waits = Waits(clock)

    def restore(self, progress: Progress) -> None:
        """Continue from what was stored."""
        self._progress = progress

    def permit(self, worker: str, wanted: int) -> Permit:
        """Grant what keeps the workers within `slack` of the ratio."""
        refusal = self._under_way.admit(worker)
        granted = 0 if refusal else max(0, min(wanted, self._room(wanted)))
        if not refusal and granted < wanted:
            refusal = self._explain_waiting()
        self._under_way.grant(worker, granted)
        self._waits.note(worker, waiting=wanted > 0 and granted == 0)
        return Permit(granted, refusal)

    def added(self, worker: str, steps: int) -> None:
        """Count an episode that arrived."""
        self._under_way.arrived(worker)
        if steps:
            self._progress = self._progress._replace(
                usable=self._progress.usable + 1, usable_steps=self._progress.usable_steps + steps
            )

    def refusal(self) -> str:
        """Why the learner may not draw now; empty when it may."""
        usable = self._progress.usable
        reason = ""
        if usable < self.min_trajectories:
            reason = f"learner waits for workers: {usable} of the first {self.min_trajectories} trajectories"
        elif self._lead() <= -self.slack:
            reason = (
                f"learner waits for workers: {self._progress.trained_steps} steps trained, "
                f"{self._progress.usable_steps} collected; the ratio is {self.ratio:g} "
                f"with a slack of {self.slack}"
            )
        if reason:
            self._waits.note(LEARNER, waiting=True)
        return reason

    def drawn(self, steps: int) -> None:
        """Count the steps handed to the learner."""
        self._starving = steps == 0
        self._progress = self._progress._replace(trained_steps=self._progress.trained_steps + steps)
        self._waits.note(LEARNER, waiting=steps == 0)

    def published(self) -> None:
        """Versions do not matter here."""

    def waited(self) -> tuple[float, float]:
        """Seconds that workers (summed) and the learner were held back, running waits included."""
        return self._waits.totals()

    def _lead(self) -> float:
        return self.ratio * self._progress.usable_steps - self._progress.trained_steps

    def _mean_steps(self) -> float:
        usable = self._progress.usable
        return self._progress.usable_steps / usable if usable else FIRST_GUESS_STEPS

    def _room(self, wanted: int) -> int:
        if self._starving:
            return wanted
        under_way = self._under_way.count()
        room = math.ceil((self.slack - self._lead()) / (self.ratio * self._mean_steps())) - under_way
        return max(room, self.min_trajectories - self._progress.usable - under_way)

    def _explain_waiting(self) -> str:
        under_way = self._under_way.count()
        if self.ratio * self._mean_steps() * under_way >= self.slack:
            return (
                f"workers wait for each other: the {under_way} episodes under way use up the slack of "
                f"{self.slack} steps; raise replay.slack to keep more devices busy"
            )
        return (
            f"workers wait for the learner: {self._progress.usable_steps} steps collected and "
            f"{under_way} episodes under way, {self._progress.trained_steps} steps trained; "
            f"the ratio is {self.ratio:g} with a slack of {self.slack}"
        )


class RoundLimiter:
    """Synchronous mode: everybody collects, then the learner trains, then the next round opens.

    With  arrived = usable − round_start  and  n = `round_trajectories`:

    - a worker may start an episode while  arrived + under_way < n;
    - the learner may draw while           arrived ≥ n;
    - `published`, which the learner calls when it is done with a round, opens the next one:
      round_start = usable. While a round is still being collected it changes nothing.

    If nothing of a complete round is fresh enough to draw, the next round opens at once.
    """

    def __init__(
        self, round_trajectories: int, *, lease_s: float = LEASE_S, clock: Clock = time.monotonic
    ) -> None:
        self.round_trajectories = round_trajectories
        self.round_start = 0
        self._usable = 0
        self._under_way = UnderWay(lease_s, clock)
        self._waits = Waits(clock)

    def restore(self, progress: Progress) -> None:
        """Continue from what was stored."""
        self._usable = progress.usable
        self.round_start = progress.round_start

    def permit(self, worker: str, wanted: int) -> Permit:
        """Grant what the round still lacks."""
        refusal = self._under_way.admit(worker)
        under_way = self._under_way.count()
        room = self.round_trajectories - self._arrived() - under_way
        granted = 0 if refusal else max(0, min(wanted, room))
        if not refusal and granted < wanted:
            waited_for = "the learner" if self._complete() else "the rest of the round"
            refusal = (
                f"workers wait for {waited_for}: {self._arrived()} of {self.round_trajectories} trajectories "
                f"of the round arrived, {under_way + granted} under way"
            )
        self._under_way.grant(worker, granted)
        self._waits.note(worker, waiting=wanted > 0 and granted == 0)
        return Permit(granted, refusal)

    def added(self, worker: str, steps: int) -> None:
        """Count an episode that arrived; an unusable one leaves its place in the round to another."""
        self._under_way.arrived(worker)
        self._usable += steps > 0

    def refusal(self) -> str:
        """Why the learner may not draw now; empty when it may."""
        if self._complete():
            return ""
        self._waits.note(LEARNER, waiting=True)
        return (
            f"learner waits for workers: {self._arrived()} of {self.round_trajectories} trajectories "
            "of the round arrived"
        )

    def drawn(self, steps: int) -> None:
        """Count a draw; one that found nothing fresh opens the next round."""
        self._waits.note(LEARNER, waiting=steps == 0)
        if steps == 0:
            self.round_start = self._usable

    def published(self) -> None:
        """Open the next round, if this one was complete."""
        if self._complete():
            self.round_start = self._usable

    def waited(self) -> tuple[float, float]:
        """Seconds that workers (summed) and the learner were held back, running waits included."""
        return self._waits.totals()

    def _arrived(self) -> int:
        return self._usable - self.round_start

    def _complete(self) -> bool:
        return self._arrived() >= self.round_trajectories
