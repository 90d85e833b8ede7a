"""A judge with somebody beside it who notices when it reaches no verdicts any more, and keeps its books.

While it reaches none, failures for which nobody has to be asked are withheld too: a policy trained on those
alone would learn that everything fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from msgspec.structs import replace

from distrl.interfaces import Judge
from distrl.records import Ending, Outcome, Trajectory, Verdict

PATIENCE = 8  # episodes in a row without a verdict, before anything is said
REPORT_EVERY_S = 5.0
WITHHELD = "withheld, since the judge reaches no verdicts and failures alone would mislead"


class JudgeRecorder(Protocol):
    """Where it is told."""

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float]) -> None: ...


@runtime_checkable
class Accountable(Protocol):
    """A judge that tells what it costs; optional beside Judge."""

    def metrics(self) -> dict[str, float]:
        """Counts and costs so far."""


@runtime_checkable
class Asking(Protocol):
    """A judge that asks somebody else, unless an episode speaks for itself; optional beside Judge."""

    def must_ask(self, trajectory: Trajectory) -> bool:
        """Whether the verdict on this episode depends on whoever is asked."""


class WatchedJudge:
    """Passes verdicts on; warns when there are none, and again when that has become much worse.

    Episodes that lost their device or their time, and verdicts for which nobody had to be asked, tell nothing
    about the judge and count neither way.
    """

    def __init__(
        self, judge: Judge, recorder: JudgeRecorder, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._judge = judge
        self._recorder = recorder
        self._clock = clock
        self._reported_at = -REPORT_EVERY_S
        self._without = 0  # episodes in a row
        self._tell_at = PATIENCE
        self.name = judge.name
        self.version = judge.version

    async def judge(self, trajectory: Trajectory) -> Verdict:
        """The judge's own verdict; UNKNOWN for what needs no judge, while those that need one get none."""
        verdict = await self._judge.judge(trajectory)
        if self._tells(trajectory):
            self._notice(verdict)
        elif self._without >= PATIENCE and verdict.outcome is not Outcome.UNKNOWN:
            verdict = replace(verdict, outcome=Outcome.UNKNOWN, evidence=f"{WITHHELD} ({verdict.evidence})")
        self._report()
        return verdict

    def _tells(self, trajectory: Trajectory) -> bool:
        if isinstance(self._judge, Asking):
            return self._judge.must_ask(trajectory)
        return trajectory.ending in (Ending.AGENT_DONE, Ending.STEP_LIMIT)

    def _notice(self, verdict: Verdict) -> None:
        if verdict.outcome is not Outcome.UNKNOWN:
            self._without, self._tell_at = 0, PATIENCE
            return
        self._without += 1
        if self._without >= self._tell_at:
            self._tell_at *= 8
            self._recorder.event(
                "warning",
                text=f"The judge {self.name!r} reached no verdict on any of the last {self._without} "
                "episodes that it had to look at. Nothing is trained on until it does; failures that need no "
                f"judge are withheld too. The latest reason: {verdict.evidence}",
            )

    def _report(self) -> None:
        now = self._clock()
        if isinstance(self._judge, Accountable) and now - self._reported_at >= REPORT_EVERY_S:
            self._reported_at = now
            self._recorder.metrics("judge", self._judge.metrics())
