"""The life of a part as any engine sees it: its state, how often it was revived, and when it is given up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from distrl.errors import ConfigError, DeviceError, DistrlError, EngineError, PolicyError, TaskError
from distrl.interfaces import PartSpec, PartStatus

LONGEST_BACKOFF_S = 30.0
HEALTHY_S = 30.0  # a part that ran this long is not one that keeps crashing: earlier restarts are forgiven
LOOK_EVERY_S = 0.02  # while an engine waits for its parts
LOG_LINES = 8  # of a crashed part's log, quoted in its status


@dataclass
class Life:
    """One part over all its incarnations."""

    spec: PartSpec
    state: str = "starting"
    restarts: int = 0
    excused: int = 0  # of the restarts: those that are not held against the part
    error: str = ""
    built: bool = False  # in the present incarnation
    service: bool = False  # offers one; known once built
    has_run: bool = False  # in any incarnation
    asked_to_end: bool = False
    clock: Callable[[], float] = time.monotonic
    running_since: float | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ("finished", "failed")

    @property
    def settled(self) -> bool:
        """Whether the others need not wait for it any longer before they begin."""
        return self.built or self.over

    @property
    def under_way(self) -> bool:
        """Whether `Engine.start` need not wait for it; one that ran and crashed is `poll`'s concern."""
        return self.has_run or self.over

    def runs(self) -> None:
        """Its `run` has been entered."""
        self.state, self.error, self.has_run = "running", "", True
        self.running_since = self.clock()

    def finished(self) -> None:
        """Its `run` returned, or it was told to end and did."""
        self.state, self.error = "finished", ""

    def failed(self, error: str) -> None:
        """It is given up."""
        self.state, self.error = "failed", error

    def crashed(self, error: str, *, hopeless: bool, first_backoff_s: float) -> float | None:
        """Seconds until it should be started anew, doubling each time; None if it is given up."""
        self.built = False
        if self.running_since is not None and self.clock() - self.running_since >= HEALTHY_S:
            self.excused = self.restarts
        self.running_since = None
        held_against = self.restarts - self.excused
        if hopeless or self.asked_to_end or held_against >= self.spec.restarts:
            self.failed(error)
            return None
        delay = min(first_backoff_s * 2.0**held_against, LONGEST_BACKOFF_S)
        self.restarts += 1
        self.state, self.error = "starting", error
        return delay

    def displaced(self, error: str) -> None:
        """Its host left, which is no fault of the part: it is started anew wherever there is room."""
        self.built = False
        self.restarts += 1
        self.excused += 1
        self.state, self.error = "starting", error

    def excuse(self, error: str) -> None:
        """Its last crash turns out to have been its host's fault."""
        self.excused += 1
        if self.state == "starting":
            self.error = error

    def status(self, pid: int) -> PartStatus:
        """What `Engine.poll` tells of it."""
        return PartStatus(self.spec.name, self.state, self.restarts, pid, self.error)


def wait_until_under_way(
    lives: Sequence[Life], poll: Callable[[], object], timeout_s: float, logs: Path
) -> None:
    """Poll until every part is under way; raises EngineError naming those that are late."""
    deadline = time.monotonic() + timeout_s
    while not all(life.under_way for life in lives):
        poll()
        if time.monotonic() > deadline:
            late = ", ".join(life.spec.name for life in lives if not life.under_way)
            raise EngineError(f"not up after {timeout_s:g} s: {late}; see {logs}")
        time.sleep(LOOK_EVERY_S)


def begin(specs: Sequence[PartSpec]) -> list[Life]:
    """A life for each part; names must be unique, because services are found by them."""
    names = [spec.name for spec in specs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise EngineError(f"several parts are called {', '.join(twice)}; give each a name of its own")
    return [Life(spec) for spec in specs]


def last_words(log: Path, start: int) -> str:
    """The end of a crashed part's log, from where its present life began, to be put behind a sentence."""
    lines: list[str] = []
    if log.exists():
        with open(log, "rb") as file:
            file.seek(start)
            lines = file.read()[-4000:].decode(errors="replace").splitlines()[-LOG_LINES:]
    return "\n".join(["; its log ends with", *lines]) if lines else "; its log is empty"


def sentence(error: BaseException) -> str:
    """An error in words for a status: our own say enough, a bug needs its type."""
    return str(error) if isinstance(error, DistrlError) else f"{type(error).__name__}: {error}"


def is_hopeless(error: BaseException, *, built: bool) -> bool:
    """Whether starting the part anew cannot help.

    A wrong configuration, task or policy stays wrong, and so does whatever of our own errors keeps a part
    from being built at all (a damaged replay, a missing file): only what others do may change by itself.
    """
    if isinstance(error, (ConfigError, TaskError, PolicyError)):
        return True
    return not built and isinstance(error, DistrlError) and not isinstance(error, (EngineError, DeviceError))
