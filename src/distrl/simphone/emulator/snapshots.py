"""Named snapshots of a phone: in memory, or as an emulator keeps them, in the folder of its AVD."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec

from distrl.simphone.served import ServedPhone

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_FILE = "ram.bin"


class SnapshotError(Exception):
    """There is no such snapshot, or it cannot be used."""


class Snapshots:
    """What a phone was like at several moments; loading one cuts its connections, as on an emulator."""

    def __init__(self, served: ServedPhone, folder: Path | None = None) -> None:
        self.served = served
        self._folder = folder
        self._kept: dict[str, bytes] = {}

    def names(self) -> list[str]:
        """All of them, in order."""
        if self._folder is None:
            return sorted(self._kept)
        return sorted(path.parent.name for path in self._folder.glob(f"*/{_FILE}"))

    def save(self, name: str) -> None:
        """Keep everything there is, under a name that may have been used before."""
        if not _NAME.fullmatch(name):
            raise SnapshotError(f"Snapshot name [{name}] is not valid")
        self.served.catch_up()
        content = self.served.phone.snapshot()
        if self._folder is None:
            self._kept[name] = content
            return
        path = self._folder / name / _FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def load(self, name: str) -> None:
        """Become what was kept; what is damaged changes nothing."""
        try:
            content = self._kept[name] if self._folder is None else self._read(name)
        except (KeyError, OSError) as error:
            raise SnapshotError(f"Device does not have the requested snapshot '{name}'") from error
        self.served.catch_up()
        try:
            self.served.phone.restore(content)
        except (msgspec.MsgspecError, ValueError) as error:
            raise SnapshotError(f"Snapshot '{name}' cannot be loaded: {error}") from error
        self.served.unplug()

    def delete(self, name: str) -> None:
        """Forget one."""
        if name not in self.names():
            raise SnapshotError(f"Device does not have the requested snapshot '{name}'")
        if self._folder is None:
            del self._kept[name]
        else:
            shutil.rmtree(self._folder / name)

    def _read(self, name: str) -> bytes:
        assert self._folder is not None
        if not _NAME.fullmatch(name):
            raise FileNotFoundError(name)
        return (self._folder / name / _FILE).read_bytes()
