"""The SQLite file under the replay: creates it, checks it, and turns its faults into sentences."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.errors import ReplayError

SCHEMA = 1
BUSY_S = 30.0

# Bodies stand apart from the facts about them, so that opening a replay and changing a priority never touch
# the large rows; `uses` says which trajectory shows which picture, so a picture goes with its last user.
TABLES = {
    "meta": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    "counters": "name TEXT PRIMARY KEY, value REAL NOT NULL",
    "seen": "id TEXT PRIMARY KEY",
    "tasks": "task TEXT PRIMARY KEY, results TEXT NOT NULL",
    "trajectories": """number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        steps INTEGER NOT NULL, trainable INTEGER NOT NULL, success INTEGER NOT NULL,
        oldest_version INTEGER, newest_version INTEGER, priority REAL NOT NULL""",
    "bodies": "number INTEGER PRIMARY KEY, body BLOB NOT NULL",
    "uses": "number INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (number, digest)",
    "blobs": "digest BLOB PRIMARY KEY, data BLOB NOT NULL",
}
WITHOUT_ROWID = {"seen", "uses"}


class Database:
    """An open connection to a replay file; nothing of sqlite3 is raised out of its blocks."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self.is_open = True
        with self.explained():
            self.connection = _connect(path, read_only)
        try:
            with self.explained():
                self._prepare()
        except ReplayError:
            self.close()
            raise

    def close(self) -> None:
        """Let the file go; safe to call twice."""
        self.is_open = False
        with self.explained():
            self.connection.close()

    @contextmanager
    def writing(self, *, durable: bool) -> Iterator[None]:
        """A transaction: all of it is committed at the end, or nothing; `durable` waits for the disk."""
        if self.read_only:
            raise ReplayError(f"the replay {self.path} was opened for reading only")
        with self.explained():
            self.connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            with self._transaction("IMMEDIATE"):
                yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A view of one moment, however much another process writes meanwhile."""
        with self.explained(), self._transaction("DEFERRED"):
            yield

    @contextmanager
    def explained(self) -> Iterator[None]:
        """A block in which every fault of SQLite becomes a ReplayError."""
        try:
            yield
        except sqlite3.Error as error:
            raise ReplayError(_explanation(self.path, error)) from error

    def used_bytes(self) -> int:
        """What the content takes on disk, free pages not counted."""
        with self.explained():
            pages, free, size = (
                int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])
                for name in ("page_count", "freelist_count", "page_size")
            )
        return (pages - free) * size

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        self.connection.execute(f"BEGIN {kind}")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk has rolled back by itself
                self.connection.execute("ROLLBACK")
            raise

    def _prepare(self) -> None:
        names = {str(row[0]) for row in self.connection.execute("SELECT name FROM sqlite_master")}
        if not names and not self.read_only:  # new, or left empty by a process killed while creating it
            self._create()
        else:
            self._check(names)

    def _create(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        with self._transaction("IMMEDIATE"):
            for table, columns in TABLES.items():
                ending = " WITHOUT ROWID" if table in WITHOUT_ROWID else ""
                self.connection.execute(f"CREATE TABLE {table} ({columns}){ending}")
            self.connection.execute("CREATE INDEX uses_by_digest ON uses (digest)")
            self.connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA),))

    def _check(self, names: set[str]) -> None:
        if "meta" not in names:
            raise ReplayError(f"{self.path} is not a replay: it has no table 'meta'; check the path")
        row = self.connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        if row is None or row[0] != str(SCHEMA):
            found = "no schema number" if row is None else f"schema {row[0]}"
            raise ReplayError(
                f"the replay {self.path} has {found}; this distrl reads schema {SCHEMA}: "
                "use the version of distrl that wrote it, or start a new run"
            )
        missing = sorted(TABLES.keys() - names)
        if missing:
            raise ReplayError(
                f"the replay {self.path} is damaged: it lacks the table {', '.join(missing)}; "
                "restore a copy of it, or start a new run"
            )


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if read_only and not path.is_file():
        raise ReplayError(f"there is no replay at {path}; check the path")
    if not path.parent.is_dir():
        raise ReplayError(f"the replay {path} cannot be created: the folder {path.parent} does not exist")
    # Reading in WAL mode needs a -shm file beside the replay; in an archive that nobody can write to there is
    # none, and no writer to guard against either.
    archived = not os.access(path.parent, os.W_OK)
    mode = ("mode=ro&immutable=1" if archived else "mode=ro") if read_only else "mode=rwc"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,  # the owner may close it from another thread than the one that worked
    )


def _explanation(path: Path, error: sqlite3.Error) -> str:
    """What went wrong with the file and what to do about it."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary result code
    match code:
        case sqlite3.SQLITE_FULL:
            return f"the replay {path} cannot grow: the disk is full; free space or lower replay.capacity_gb"
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is not a replay, or its beginning is damaged; check the path or restore a copy"
        case sqlite3.SQLITE_CORRUPT:
            return f"the replay {path} is damaged ({error}); restore a copy of it, or start a new run"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"another process has kept the replay {path} locked for {BUSY_S:g} s; stop that process"
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return f"the replay {path} cannot be opened or written ({error}); check the folder's permissions"
        case _:
            return f"the replay {path} failed: {error}; check the disk, or restore a copy of the file"
