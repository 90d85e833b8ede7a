"""Verdicts that were paid for, kept on disk under the fingerprint of everything that they depend on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from distrl.recording import write_then_rename
from distrl.records import Verdict


class VerdictCache:
    """A folder of verdicts; several processes may use it at once. What is damaged counts as not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, digest: str) -> Verdict | None:
        """The verdict that was put under this fingerprint, if any."""
        try:
            return msgspec.json.decode(self._file(digest).read_bytes(), type=Verdict)
        except (OSError, msgspec.DecodeError):
            return None

    def put(self, digest: str, verdict: Verdict) -> None:
        """Keep a verdict; a disk that is full or read-only costs money later, not the run now."""
        file = self._file(digest)
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_then_rename(file, msgspec.json.encode(verdict))

    def _file(self, digest: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.json"
