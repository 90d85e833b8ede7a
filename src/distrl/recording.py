"""The run folder: where everything about a run lies, who writes what happened, and who reads it.

config.yaml      the resolved configuration     replay.sqlite   trajectories and screenshots
weights/         numbered policy versions       checkpoint/     what a resumed learner needs
records/         events and metrics, one JSON-lines file for each part of the run
evaluations/     one JSON file each             logs/           what the parts printed
demonstrated     steps of the warm start's demonstrations, as the policy sees them, to be rehearsed
"""

from __future__ import annotations

import fcntl
import math
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from distrl.config import RunConfig, dump, load
from distrl.errors import RunError

UNFINISHED = ".unfinished"  # how files end that are being written
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class RunFolder:
    """One run's folder; knows the layout, and nothing of what is inside the files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config_file = path / "config.yaml"
        self.replay_file = path / "replay.sqlite"
        self.weights = path / "weights"
        self.checkpoint = path / "checkpoint"
        self.records = path / "records"
        self.evaluation_folder = path / "evaluations"
        self.logs = path / "logs"
        self.demonstrated = path / "demonstrated"
        self.lock_file = path / "lock"

    @property
    def name(self) -> str:
        """The run's name."""
        return self.path.absolute().name

    @classmethod
    def create(cls, path: Path, config: RunConfig, *, resume: bool = False) -> RunFolder:
        """Make a new run's folder; with `resume`, an existing run is opened and keeps its config."""
        folder = cls(path)
        if folder.config_file.is_file():
            if resume:
                return cls.open(path)
            raise RunError(f"{path} already holds a run; resume it, or choose another folder")
        if path.exists() and not _is_vacant(path):
            raise RunError(f"{path} exists and is not a run folder; choose another folder")
        try:
            for inside in (
                folder.weights,
                folder.checkpoint,
                folder.records,
                folder.evaluation_folder,
                folder.logs,
            ):
                inside.mkdir(parents=True, exist_ok=True)
            # Last, because this file is what makes the folder a run.
            write_then_rename(folder.config_file, dump(config).encode())
        except OSError as error:
            raise RunError(f"the run folder {path} cannot be created: {error.strerror}") from error
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The folder of an existing run."""
        folder = cls(path)
        if not folder.config_file.is_file():
            why = "it has no config.yaml" if path.is_dir() else "it does not exist"
            place = path if path.is_dir() else path.parent
            runs = ", ".join(str(run) for run in find_runs(place)) or "none"
            raise RunError(f"{path} is not a run folder: {why}; runs here: {runs}")
        return folder

    def config(self) -> RunConfig:
        """The configuration that the run was started with."""
        try:
            text = self.config_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"{self.config_file} cannot be read: {error}") from error
        return load(text, str(self.config_file))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder, so that two trainings cannot use it; the system frees it if the process dies."""
        try:
            file = os.open(self.lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RunError(f"the run folder {self.path} cannot be locked: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(file, 32, 0).decode(errors="replace").strip() or "unknown"
            os.close(file)
            raise RunError(
                f"the run {self.path} is in use by process {holder}; wait for it to end, or stop it"
            ) from error
        try:
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(file)

    def save_demonstrated(self, data: bytes) -> None:
        """Keep the steps that the warm start imitated."""
        try:
            write_then_rename(self.demonstrated, data)
        except OSError as error:
            raise RunError(f"{self.demonstrated} cannot be written: {error.strerror}") from error

    def save_evaluation(self, name: str, data: bytes) -> Path:
        """Keep an evaluation's JSON under a name; a reader sees all of it or nothing."""
        file = self.evaluation_folder / f"{_checked(name)}.json"
        try:
            write_then_rename(file, data)
        except OSError as error:
            raise RunError(f"the evaluation {name} cannot be saved in {file}: {error.strerror}") from error
        return file

    def evaluations(self) -> dict[str, Path]:
        """The files of all evaluations by name, in the order they were saved."""
        files = sorted(
            self.evaluation_folder.glob("*.json"), key=lambda file: (file.stat().st_mtime_ns, file)
        )
        return {file.stem: file for file in files}


def _is_vacant(path: Path) -> bool:
    """Whether a folder holds nothing but what a `create` that was killed may have left."""
    return path.is_dir() and all(
        inside.is_dir() or inside.name.endswith(UNFINISHED) for inside in path.rglob("*")
    )


def find_runs(place: Path) -> list[Path]:
    """The run folders directly inside a folder."""
    return sorted(file.parent for file in place.glob("*/config.yaml"))


def cache_folder(kind: str) -> Path:
    """Where results of one kind are kept between runs."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "distrl" / kind


def write_then_rename(path: Path, data: bytes) -> None:
    """Put data under a path such that, whatever happens, the path holds all of the former or of this data."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the new name, too, must survive a power failure
    finally:
        os.close(folder)


# --- what happened ------------------------------------------------------------------------------


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened: an event of some kind, or metrics under a name."""

    t: float  # seconds since the epoch
    part: str  # who recorded it: "learner", "worker-0"
    kind: str  # "metrics", or the event's kind
    name: str = ""  # of the metrics
    values: dict[str, float | None] = {}  # None: not a finite number
    fields: dict[str, object] = {}  # the event's fields, or the metrics' labels


class Recorder:
    """Appends what one part of the run does to its own file; every line is written at once.

    A line is one write of a few microseconds, so nothing is held back that a killed process could lose.
    """

    def __init__(self, folder: RunFolder, part: str, clock: Callable[[], float] = time.time) -> None:
        self.part = _checked(part)
        self.file = folder.records / f"{part}.jsonl"
        self._clock = clock
        self._encode = msgspec.json.Encoder().encode
        self._lost = 0  # lines that could not be written since the last one that could
        try:
            self._handle = os.open(self.file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RunError(f"the records {self.file} cannot be written: {error.strerror}") from error
        size = os.fstat(self._handle).st_size
        # A predecessor that was killed, or ran out of disk, may have left half a line.
        self._torn = size > 0 and os.pread(self._handle, 1, size - 1) != b"\n"

    def event(self, kind: str, **fields: object) -> None:
        """Record that something happened."""
        self.append(Line(t=self._clock(), part=self.part, kind=kind, fields=fields))

    def metrics(self, name: str, values: dict[str, float], **labels: object) -> None:
        """Record numbers under a name; those that are not finite are kept as such, without a value."""
        finite = {key: float(value) if math.isfinite(value) else None for key, value in values.items()}
        self.append(Line(self._clock(), self.part, "metrics", name, finite, labels))

    def close(self) -> None:
        """Let the file go; safe to call twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def append(self, line: Line) -> None:
        """Write a line; the first of a row of failures raises RunError, the following are only counted."""
        if self._handle < 0:
            raise RunError(f"the records {self.file} are closed already")
        data = self._encode(line) + b"\n"
        if self._lost:
            note = Line(t=line.t, part=self.part, kind="records_lost", fields={"lines": self._lost})
            data = self._encode(note) + b"\n" + data
        data = b"\n" + data if self._torn else data
        try:
            written = os.write(self._handle, data)
            reason = "the disk is full" if written < len(data) else ""
        except OSError as error:
            written, reason = 0, str(error.strerror)
        if written:
            self._torn = written < len(data)
        if not reason:
            self._lost = 0
            return
        self._lost += 1
        if self._lost == 1:
            raise RunError(
                f"the records {self.file} cannot be written: {reason}; free some space, "
                "until then what happens goes unrecorded"
            )


class Reader:
    """Follows the records of a run, live or finished."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._offsets: dict[Path, int] = {}
        self._latest: dict[str, Line] = {}
        self._decode = msgspec.json.Decoder(Line).decode
        self.skipped = 0  # lines that a crash had torn apart

    def poll(self) -> list[Line]:
        """What was recorded since the last call, by all parts, in order of time."""
        lines: list[Line] = []
        for file in sorted(self._folder.records.glob("*.jsonl")):
            lines += self._read(file)
        lines.sort(key=lambda line: line.t)
        for line in lines:
            if line.kind == "metrics":
                self._latest[line.name] = line
        return lines

    def latest(self, name: str) -> Line | None:
        """The last metrics of a name among what was polled."""
        return self._latest.get(name)

    def _read(self, file: Path) -> list[Line]:
        offset = self._offsets.get(file, 0)
        try:
            with open(file, "rb") as handle:
                handle.seek(offset)
                data = handle.read()
        except OSError as error:
            raise RunError(f"the records {file} cannot be read: {error.strerror}") from error
        complete, newline, _ = data.rpartition(b"\n")
        self._offsets[file] = offset + len(complete) + len(newline)
        lines: list[Line] = []
        for text in complete.splitlines():
            try:
                lines.append(self._decode(text))
            except msgspec.DecodeError:
                self.skipped += 1
        return lines


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise RunError(f"{name!r} cannot name a file of the run; use letters, digits, dots, dashes")
    return name
