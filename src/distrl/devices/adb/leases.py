"""One phone, one user: a device takes a serial that nobody else on this machine is using.

Workers and evaluators live in processes of their own and share the phones that the adb server knows. A lease
is a lock on a file: it ends with the process that holds it, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO


class Lease:
    """The right to use one phone, until released."""

    def __init__(self, serial: str, file: IO[str]) -> None:
        self.serial = serial
        self._file = file

    def release(self) -> None:
        """Let others have the phone."""
        self._file.close()


def take(serials: Sequence[str], server: str, folder: Path | None = None) -> Lease | None:
    """A lease on the first of these phones that is free; None if all are in use."""
    folder = folder or Path(tempfile.gettempdir()) / f"distrl-phones-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for serial in serials:
        name = re.sub(r"[^A-Za-z0-9.-]", "_", f"{server}_{serial}")
        file = open(folder / f"{name}.lock", "w", encoding="utf-8")  # noqa: SIM115  (held as long as the lease)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        return Lease(serial, file)
    return None
