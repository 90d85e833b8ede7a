"""Feeds the trackers of a run with its records: each line once, also across kills and resumes."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from distrl.config import RunConfig, TrackingConfig
from distrl.errors import RunError
from distrl.recording import Line, Recorder, RunFolder
from distrl.tracking.marks import Mark, read_mark, write_mark
from distrl.tracking.points import Point, Points

SAVE_EVERY_S = 2.0
CLOSE_S = 20.0  # how long a tracker may take to send the rest when the run has ended
MOST_WAITING = 10_000  # batches of lines that a tracker may lag behind


class Tracker(Protocol):
    """Somewhere to send points to; whatever it raises switches it off."""

    def write(self, point: Point, number: int) -> None:
        """Take a point; `number` grows from point to point, over all lives of the run."""

    def flush(self) -> None:
        """Make what was written safe, as far as this tracker can."""

    def note(self) -> dict[str, str]:
        """What the next life of this run must know to go on here."""

    def close(self) -> None:
        """Send the rest and let go."""


class Place(Protocol):
    """A kind of tracker, before it is opened."""

    name: str
    mark_file: Path

    def open(self, config: RunConfig, run: str, note: dict[str, str]) -> Tracker:
        """Start, or go on where the tracker with this note stopped."""


def places(folder: RunFolder, tracking: TrackingConfig) -> list[Place]:
    """The trackers that a configuration asks for."""
    from distrl.tracking.tensorboard import TensorBoardFiles
    from distrl.tracking.trackio import TrackioProject
    from distrl.tracking.wandb import WandbProject

    wanted: list[Place] = []
    if tracking.tensorboard:
        wanted.append(TensorBoardFiles(folder.path / "tensorboard"))
    if tracking.wandb:
        wanted.append(WandbProject(tracking.wandb, folder.path / "tracking"))
    if tracking.trackio:
        wanted.append(TrackioProject(tracking.trackio, folder.path / "tracking"))
    return wanted


@contextmanager
def tracked(folder: RunFolder) -> Iterator[Tracking]:
    """The trackers of a run while it is trained; their troubles become warnings in its records."""

    def warn(trouble: str) -> None:
        text = f"{trouble}; training goes on, and `distrl track {folder.path}` catches up later"
        with suppress(RunError):  # a disk so full that not even this can be told
            recorder = Recorder(folder, "tracking")
            recorder.event("warning", text=text)
            recorder.close()

    config = folder.config()
    tracking = Tracking(folder, config, places(folder, config.tracking), warn)
    try:
        yield tracking
    finally:
        tracking.close()


class Tracking:
    """The trackers of a run that is being followed; give it every line that the run's Reader returns."""

    def __init__(
        self, folder: RunFolder, config: RunConfig, places: Sequence[Place], warn: Callable[[str], None]
    ) -> None:
        self._feeds = [Feed(place, config, folder.name, warn) for place in places]

    def take(self, lines: Sequence[Line]) -> None:
        """Hand lines on; never waits and never raises."""
        if lines:
            for feed in self._feeds:
                feed.take(lines)

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """Let the trackers finish, but wait no longer than this for all of them together."""
        deadline = time.monotonic() + timeout_s
        for feed in self._feeds:
            feed.end()
        for feed in self._feeds:
            feed.join(max(0.0, deadline - time.monotonic()))


class Feed:
    """One tracker and the thread that feeds it."""

    def __init__(self, place: Place, config: RunConfig, run: str, warn: Callable[[str], None]) -> None:
        self._place = place
        self._config = config
        self._run = run
        self._warn = warn
        self._batches: queue.Queue[Sequence[Line] | None] = queue.Queue(MOST_WAITING)
        self._is_off = False
        self._thread = threading.Thread(target=self._work, name=f"tracking-{place.name}", daemon=True)
        self._thread.start()

    def take(self, lines: Sequence[Line]) -> None:
        """Queue lines, unless the tracker is off."""
        if self._is_off:
            return
        try:
            self._batches.put_nowait(lines)
        except queue.Full:
            self._switch_off("it does not keep up")

    def end(self) -> None:
        """Tell that no more lines will come."""
        try:
            self._batches.put_nowait(None)
        except queue.Full:
            self._is_off = True

    def join(self, timeout_s: float) -> None:
        """Wait for the thread; one that hangs is left behind."""
        self._thread.join(timeout_s)
        if self._thread.is_alive() and not self._is_off:
            self._switch_off("it did not finish in time")

    def _switch_off(self, why: str) -> None:
        self._is_off = True
        self._warn(f"{self._place.name} is off: {why}")

    def _work(self) -> None:
        try:
            self._feed()
        except Exception as error:  # a foreign client may raise anything, and none of it may stop a training
            if not self._is_off:
                self._switch_off(" ".join(str(error).split()) or type(error).__name__)

    def _feed(self) -> None:
        mark = read_mark(self._place.mark_file)
        tracker = self._place.open(self._config, self._run, mark.note)
        try:
            self._place.mark_file.parent.mkdir(parents=True, exist_ok=True)
            mark.note = tracker.note()
            write_mark(self._place.mark_file, mark)
            self._write_batches(tracker, mark)
        finally:
            tracker.close()

    def _write_batches(self, tracker: Tracker, mark: Mark) -> None:
        points, seen, number = Points(), Counter[str](), 0
        saved, written = time.monotonic(), False
        while not self._is_off:
            batch = self._batches.get()
            for line in batch or ():
                seen[line.part] += 1
                number += 1
                point = points.take(line)  # also of lines written before: they count
                if seen[line.part] <= mark.lines.get(line.part, 0):
                    continue
                mark.lines[line.part] = seen[line.part]
                written = True
                if point is not None:
                    tracker.write(point, number)
            if written and (batch is None or time.monotonic() - saved >= SAVE_EVERY_S):
                tracker.flush()
                mark.note = tracker.note()
                write_mark(self._place.mark_file, mark)
                saved, written = time.monotonic(), False
            if batch is None:
                return
