"""Every part in a process of its own on this machine: the default engine."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from distrl.engine.control import EXIT_FINISHED, EXIT_TERMINATED, GO, Launch, Report, Reports
from distrl.engine.lives import LOOK_EVERY_S, Life, begin, last_words, wait_until_under_way
from distrl.errors import EngineError
from distrl.interfaces import PartSpec, PartStatus

HOST = (sys.executable, "-P", "-m", "distrl.engine.host")
SILENT_S = 10.0  # without a heartbeat for this long, a status mentions it
LONGEST_SOCKET_FOLDER = 80  # a socket's path may have about 100 bytes, whatever the file system allows


@dataclass
class Home:
    """The process in which one incarnation of a part lives."""

    process: subprocess.Popen[bytes]
    reports: Reports
    log_start: int  # where this incarnation's log begins
    last_report: Report | None = None
    heard_at: float = field(default_factory=time.monotonic)


class ProcessEngine:
    """Starts parts as processes, revives them, and takes every one of them down in the end."""

    def __init__(
        self, folder: str, builder: str, *, first_backoff_s: float = 0.5, start_timeout_s: float = 600.0
    ) -> None:
        self._folder = Path(folder)
        self._builder = builder
        self._first_backoff_s = first_backoff_s
        self._start_timeout_s = start_timeout_s
        self._lives: list[Life] = []
        self._homes: dict[str, Home] = {}
        self._due: dict[str, float] = {}  # when a crashed part is to be started anew
        self._sockets: str | None = None
        self._gone_ahead = False  # whether parts were told that all services are up
        self._stopped = False

    # --- the Engine Protocol --------------------------------------------------------------------

    def start(self, specs: Sequence[PartSpec]) -> None:
        """Start all processes at once; those without a service begin when all services are up.

        A part that cannot be built does not raise here: `poll` reports it as failed.
        """
        if self._lives or self._stopped:
            raise EngineError("this engine was started before; build a new one for another run")
        self._lives = begin(specs)
        (self._folder / "logs").mkdir(parents=True, exist_ok=True)
        self._sockets = _private_folder()
        atexit.register(self.stop)  # for programs that end without a word
        try:
            for life in self._lives:
                self._launch(life)
            wait_until_under_way(self._lives, self.poll, self._start_timeout_s, self._folder / "logs")
        except BaseException:
            self.stop(0.0)
            raise

    def poll(self) -> list[PartStatus]:
        """How every part is doing; also revives what may be revived."""
        now = time.monotonic()
        for life in self._lives:
            self._look_at(life)
            if self._due.get(life.spec.name, now + 1) <= now and not self._stopped:
                self._launch(life)
        if not self._gone_ahead and all(life.settled for life in self._lives):
            self._gone_ahead = True
            for home in self._homes.values():
                home.reports.send(GO)
        return [self._status(life, now) for life in self._lives]

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ask the parts to end, those that others call last; then cancel, then kill."""
        if self._stopped:
            return
        self._stopped = True
        atexit.unregister(self.stop)
        start = time.monotonic()
        try:
            self._end([life for life in self._lives if not life.service], start + 0.8 * timeout_s)
            self._end(self._lives, start + timeout_s)
        finally:
            # Also when a second Ctrl-C cuts the waiting short.
            self._kill(self._lives)
            if self._sockets is not None:
                shutil.rmtree(self._sockets, ignore_errors=True)

    # --- starting -------------------------------------------------------------------------------

    def _launch(self, life: Life) -> None:
        name = life.spec.name
        self._due.pop(name, None)
        launch = Launch(
            spec=life.spec,
            builder=self._builder,
            folder=str(self._folder),
            incarnation=life.restarts,
            addresses={each.spec.name: f"{self._sockets}/{i}.sock" for i, each in enumerate(self._lives)},
            engine_pid=os.getpid(),
            bound_to_thread=threading.current_thread() is threading.main_thread(),
            paths=sys.path,
        )
        ours, theirs = socket.socketpair()
        with theirs, open(self._log(name), "ab") as log:
            process = subprocess.Popen(
                [*HOST, name, str(theirs.fileno()), msgspec.json.encode(launch).decode()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=[theirs.fileno()],
                # A group of its own: Ctrl-C in the terminal is for the engine alone, and what the part
                # starts can be killed together with it.
                start_new_session=True,
            )
            self._homes[name] = Home(process, Reports(ours), log.tell())
        if self._gone_ahead:
            self._homes[name].reports.send(GO)

    # --- watching -------------------------------------------------------------------------------

    def _look_at(self, life: Life) -> None:
        """Take in what a part reports, and whether its process is still there."""
        home = self._homes.get(life.spec.name)
        if home is None:
            return
        # The exit is looked at first: what a process reports before it, has then arrived for certain.
        status = home.process.poll()
        reports, heard = home.reports.receive()
        if heard:
            home.heard_at = time.monotonic()
        for report in reports:
            home.last_report = report
            if report.state == "built":
                life.built, life.service = True, report.service
            elif report.state == "running":
                life.runs()
        if status is not None:
            self._bury(life, home, status)

    def _bury(self, life: Life, home: Home, status: int) -> None:
        """A process has ended: decide what that means for the part."""
        _kill_group(home.process.pid)
        home.reports.close()
        del self._homes[life.spec.name]
        if status == EXIT_FINISHED or (life.asked_to_end and status in (EXIT_TERMINATED, -signal.SIGTERM)):
            life.finished()
            return
        report = home.last_report
        if report is not None and report.state == "failed":
            error, hopeless = report.error, report.hopeless
        else:
            error, hopeless = self._obituary(life.spec.name, home, status), False
        delay = life.crashed(error, hopeless=hopeless, first_backoff_s=self._first_backoff_s)
        if delay is not None:
            self._due[life.spec.name] = time.monotonic() + delay

    def _obituary(self, name: str, home: Home, status: int) -> str:
        """How a process ended that could not say so itself."""
        if status == EXIT_TERMINATED:
            return f"{name} was ended from outside by SIGTERM"
        how = (
            f"was killed by {signal.Signals(-status).name}" if status < 0 else f"exited with status {status}"
        )
        return f"{name} {how}{last_words(self._log(name), home.log_start)}"

    def _status(self, life: Life, now: float) -> PartStatus:
        home = self._homes.get(life.spec.name)
        if home is None:
            return life.status(0)
        status = life.status(home.process.pid)
        silent_s = now - home.heard_at
        if life.state == "running" and silent_s > SILENT_S:
            return msgspec.structs.replace(status, error=f"no heartbeat for {silent_s:.0f} s; is it frozen?")
        return status

    def _log(self, name: str) -> Path:
        return self._folder / "logs" / f"{name}.log"

    # --- ending ---------------------------------------------------------------------------------

    def _end(self, lives: list[Life], deadline: float) -> None:
        """Ask parts to end, cancel them when most of the time is over, kill them when all of it is."""
        patience = time.monotonic() + 0.8 * (deadline - time.monotonic())
        for life in lives:
            life.asked_to_end = True
            if life.spec.name in self._due:
                del self._due[life.spec.name]
                life.failed(life.error)
        self._signal(lives, signal.SIGTERM)
        self._wait(lives, patience)
        self._signal(lives, signal.SIGTERM)
        self._wait(lives, deadline)
        self._kill(lives)

    def _wait(self, lives: list[Life], deadline: float) -> None:
        while time.monotonic() < deadline and any(life.spec.name in self._homes for life in lives):
            self.poll()
            time.sleep(LOOK_EVERY_S)

    def _signal(self, lives: list[Life], number: signal.Signals) -> None:
        for life in lives:
            if home := self._homes.get(life.spec.name):
                home.process.send_signal(number)

    def _kill(self, lives: list[Life]) -> None:
        for life in lives:
            home = self._homes.pop(life.spec.name, None)
            if home is not None:
                _kill_group(home.process.pid)
                home.process.wait()
                home.reports.close()
                life.failed(f"{life.spec.name} did not end when asked to and was killed")


def _kill_group(leader: int) -> None:
    """Kill a part and whatever it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _private_folder() -> str:
    """A folder for sockets that nobody else can enter, with a path short enough for them."""
    folder = tempfile.gettempdir()
    if len(os.fsencode(folder)) > LONGEST_SOCKET_FOLDER - len("/distrl-1234567-12345678"):
        folder = "/tmp"
    clear_abandoned(Path(folder))
    return tempfile.mkdtemp(prefix=f"distrl-{os.getpid()}-", dir=folder)


def clear_abandoned(place: Path) -> None:
    """Remove the folders of processes that were killed before they could do so themselves."""
    for folder in place.glob("distrl-[0-9]*-*"):
        pid = int(folder.name.split("-")[1])
        if (
            not Path(f"/proc/{pid}").exists()
            and Path("/proc/self").exists()
            and folder.stat().st_uid == os.getuid()
        ):
            shutil.rmtree(folder, ignore_errors=True)


def build(folder: str, builder: str) -> ProcessEngine:
    """The engine registered as `processes`."""
    return ProcessEngine(folder, builder)
