"""Who uses which port, and what became of emulators whose owner died.

A slot is a console port with the adb port above it. A device holds a lock on its slot as long as its process
lives; a note beside it tells which emulator runs there. A note without a lock therefore belongs to an orphan:
its owner was killed. Orphans are stopped whenever a device looks for a slot.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import tempfile
import time
from pathlib import Path

from distrl.devices.adb import leases
from distrl.errors import DeviceLost

SLOTS = 65  # console ports 5554, 5556, … 5682: all that the emulator itself allows
KILL_S = 5.0
_POLL_S = 0.02


def state_folder() -> Path:
    """Where notes and logs of this user's emulators are."""
    folder = Path(tempfile.gettempdir()) / f"distrl-emulators-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


class Slot:
    """The right to run an emulator on a port, until released."""

    def __init__(self, port: int, lease: leases.Lease, folder: Path) -> None:
        self.port = port
        self._lease = lease
        self._note = folder / f"{port}.json"
        self.log = folder / f"{port}.log"

    def note(self, pid: int) -> None:
        """Note which process runs here, so that it can be found if we are killed."""
        content = json.dumps({"pid": pid, "started": started(pid)})
        fresh = self._note.with_suffix(".new")
        fresh.write_text(content)
        fresh.replace(self._note)

    def clear(self) -> None:
        """Nothing runs here any more."""
        self._note.unlink(missing_ok=True)

    def release(self) -> None:
        """Let others have the port."""
        self._lease.release()


def take_slot(first: int, index: int) -> Slot:
    """The slot with this number, or the next one that nobody uses; orphans are stopped on the way."""
    folder = state_folder()
    stop_orphans(folder)
    ports = [first + 2 * number for number in range(SLOTS)]
    start = index % SLOTS
    for port in [*ports[start:], *ports[:start]]:
        lease = _lease(port)
        if lease is None:
            continue
        if _is_free(port) and _is_free(port + 1):
            return Slot(port, lease, folder)
        lease.release()  # an emulator that is not ours
    raise DeviceLost(f"no two neighbouring ports from {first} to {ports[-1] + 1} are free for an emulator")


def stop_orphans(folder: Path) -> list[int]:
    """Stop emulators whose owners are gone; returns their process ids."""
    stopped = []
    for note in folder.glob("*.json"):
        lease = _lease(int(note.stem))
        if lease is None:
            continue  # its owner lives
        try:
            known = json.loads(note.read_text())
            if started(known["pid"]) == known["started"]:
                kill_group(known["pid"])
                stopped.append(int(known["pid"]))
            note.unlink(missing_ok=True)
        except (OSError, ValueError, KeyError):
            note.unlink(missing_ok=True)  # half a note: nothing to be learnt from it
        finally:
            lease.release()
    return stopped


def kill_group(pid: int) -> None:
    """End a process that leads a group, and all that it started; waits until it is gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    deadline = time.monotonic() + KILL_S
    while started(pid) and time.monotonic() < deadline:
        time.sleep(_POLL_S)


def started(pid: int) -> str:
    """When a process began, which tells it from a later one with its number; empty if it is gone or dead."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state in "ZX" else rest[18]


def _lease(port: int) -> leases.Lease | None:
    return leases.take([f"emulator-{port}"], "slots")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
