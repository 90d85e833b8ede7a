"""What the process engine and the host of a part tell each other over the socket between them.

The engine sends single bytes. The host sends lines: a report as JSON, or an empty line as a heartbeat. When
the engine's end closes, the engine is gone, and so must be the host.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import msgspec

from distrl.interfaces import PartSpec
from distrl.records import Record

GO = b"g"  # all services are up: run
HEARTBEAT = b"\n"
HEARTBEAT_EVERY_S = 1.0

# Exit statuses of a host; any other, and death by a signal, is a crash.
EXIT_FINISHED = 0
EXIT_FAILED = 1
EXIT_TERMINATED = 143  # ended in good order because of a SIGTERM


class Launch(Record, frozen=True):
    """All that a host needs to know, given to it on its command line."""

    spec: PartSpec
    builder: str
    folder: str
    incarnation: int
    addresses: dict[str, str]  # of every part's service, by the part's name
    engine_pid: int
    bound_to_thread: bool  # whether the kernel may tie the host's life to the thread that started it
    paths: list[str]  # the engine's sys.path, so that builders are found where it would find them


class Report(Record, frozen=True):
    """How a host is getting on."""

    state: str  # "built", "running", "failed"
    service: bool = False
    error: str = ""
    hopeless: bool = False  # starting it anew cannot help


class Reports:
    """The engine's end of the socket: collects what has arrived, never waits."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._rest = b""

    def send(self, byte: bytes) -> None:
        """Tell the host something, if it still lives."""
        with suppress(OSError):
            self._end.send(byte)

    def receive(self) -> tuple[list[Report], bool]:
        """The reports that came since the last call, and whether anything at all was heard."""
        chunks = []
        with suppress(OSError):
            while chunk := self._end.recv(65536):
                chunks.append(chunk)
        *lines, self._rest = (self._rest + b"".join(chunks)).split(b"\n")
        return [msgspec.json.decode(line, type=Report) for line in lines if line], bool(chunks)

    def close(self) -> None:
        """Hang up: a host that still lives ends at once."""
        self._end.close()


class EngineLine:
    """The host's end of the socket; its threads share it."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._sending = threading.Lock()

    def report(self, report: Report) -> None:
        """Send a report; an engine that is gone is noticed elsewhere."""
        with self._sending, suppress(OSError):
            self._end.sendall(msgspec.json.encode(report) + b"\n")

    def beat(self) -> None:
        """Send a heartbeat, unless the engine has left many unread."""
        with self._sending, suppress(OSError):
            self._end.send(HEARTBEAT, socket.MSG_DONTWAIT)

    def hear(self) -> bytes:
        """Wait for the engine's next word; empty once the engine is gone."""
        try:
            return self._end.recv(1)
        except OSError:
            return b""
