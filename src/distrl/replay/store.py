"""The replay's file: trajectories, their screenshots, and every counter that must outlive a crash.

SQLite in WAL mode: one writer, any number of readers at the same time. A trajectory is written with
synchronous=FULL, so once its transaction has ended it survives `kill -9` and a power failure.
Counters and priorities are written with synchronous=NORMAL: they survive `kill -9`, and a power failure may
take back the last few of them, which costs at most a few updates' worth of priorities.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import zstandard

from distrl.errors import RecordError, ReplayError
from distrl.interfaces import ReplayStats, TaskRecord
from distrl.records import Trajectory, decode, encode
from distrl.replay.database import Database
from distrl.replay.pictures import attach, detach

RECENT = 20  # tries of a task that count as its recent record


class Held(NamedTuple):
    """What drawing needs to know of a stored trajectory."""

    id: str
    steps: int
    oldest_version: int
    priority: float


class Store:
    """One replay file, opened; every fault of the file becomes a ReplayError."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.database = Database(path, read_only=read_only)
        self._connection = self.database.connection
        # A body shrinks to about a twentieth, since consecutive accessibility trees are nearly the same.
        self._compressor = zstandard.ZstdCompressor(level=1)
        self._decompressor = zstandard.ZstdDecompressor()

    def close(self) -> None:
        """Let the file go; safe to call twice."""
        self.database.close()

    # --- writing, inside `database.writing`

    def insert(self, trajectory: Trajectory, priority: float) -> None:
        """Store a trajectory, its new pictures and its task's result."""
        bare, pictures = detach(trajectory)
        versions = [step.decision.version for step in trajectory.steps]
        execute = self._connection.execute
        execute("INSERT INTO seen VALUES (?)", (trajectory.id,))
        cursor = execute(
            "INSERT INTO trajectories VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            (
                trajectory.id,
                len(trajectory.steps),
                trajectory.trainable,
                trajectory.success,
                min(versions, default=None),
                max(versions, default=None),
                priority,
            ),
        )
        number = cursor.lastrowid
        execute("INSERT INTO bodies VALUES (?, ?)", (number, self._compressor.compress(encode(bare))))
        self._connection.executemany("INSERT OR IGNORE INTO blobs VALUES (?, ?)", pictures.items())
        self._connection.executemany(
            "INSERT INTO uses VALUES (?, ?)", [(number, digest) for digest in pictures]
        )
        if trajectory.trainable:
            self._note_result(trajectory.task.origin, trajectory.success)

    def _note_result(self, task: str, solved: bool) -> None:
        row = self._connection.execute("SELECT results FROM tasks WHERE task = ?", (task,)).fetchone()
        results = ((row[0] if row else "") + ("1" if solved else "0"))[-RECENT:]
        self._connection.execute("INSERT OR REPLACE INTO tasks VALUES (?, ?)", (task, results))

    def evict(self, capacity: int, capacity_bytes: float) -> list[str]:
        """Remove the oldest trajectories until the rest fits, sparing the newest; returns their ids."""
        execute = self._connection.execute
        gone: list[str] = []
        held: int = execute("SELECT COUNT(*) FROM trajectories").fetchone()[0]
        while held > 1 and (held > capacity or self.database.used_bytes() > capacity_bytes):
            number, name = execute("SELECT number, id FROM trajectories ORDER BY number LIMIT 1").fetchone()
            digests = execute("SELECT digest FROM uses WHERE number = ?", (number,)).fetchall()
            for table in ("uses", "bodies", "trajectories"):
                execute(f"DELETE FROM {table} WHERE number = ?", (number,))
            self._connection.executemany(
                "DELETE FROM blobs WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM uses WHERE digest = ?1)",
                digests,
            )
            gone.append(name)
            held -= 1
        return gone

    def set_priorities(self, priorities: dict[str, float]) -> None:
        """Change the priorities of trajectories that are still held."""
        self._connection.executemany(
            "UPDATE trajectories SET priority = ? WHERE id = ?",
            [(priority, name) for name, priority in priorities.items()],
        )

    def set_counters(self, counters: dict[str, float]) -> None:
        """Remember these counters' values."""
        self._connection.executemany("INSERT OR REPLACE INTO counters VALUES (?, ?)", counters.items())

    # --- reading

    def was_seen(self, name: str) -> bool:
        """Whether a trajectory of this id was ever stored, however long ago it left."""
        with self.database.explained():
            found = self._connection.execute("SELECT 1 FROM seen WHERE id = ?", (name,)).fetchone()
        return found is not None

    def counters(self) -> dict[str, float]:
        """Every counter by name."""
        with self.database.explained():
            return dict(self._connection.execute("SELECT name, value FROM counters").fetchall())

    def drawable(self) -> list[Held]:
        """The trajectories that may be learnt from, oldest first."""
        query = "SELECT id, steps, oldest_version, priority FROM trajectories WHERE trainable ORDER BY number"
        with self.database.explained():
            return [Held(*row) for row in self._connection.execute(query)]

    def ids(self) -> list[str]:
        """The ids of all trajectories held, oldest first."""
        with self.database.explained():
            rows = self._connection.execute("SELECT id FROM trajectories ORDER BY number").fetchall()
        return [str(row[0]) for row in rows]

    def read(self, name: str) -> Trajectory | None:
        """A trajectory as it was stored; None if it is not held (any more)."""
        # One read transaction, so that a writer in another process cannot evict between the two queries.
        with self.database.reading():
            row = self._connection.execute(
                "SELECT number, body FROM bodies JOIN trajectories USING (number) WHERE id = ?", (name,)
            ).fetchone()
            if row is None:
                return None
            pictures = dict(
                self._connection.execute(
                    "SELECT digest, data FROM uses JOIN blobs USING (digest) WHERE uses.number = ?", (row[0],)
                ).fetchall()
            )
        try:
            return attach(decode(self._decompressor.decompress(row[1]), Trajectory), pictures)
        except (zstandard.ZstdError, RecordError, KeyError) as error:
            why = f"the picture {error} is missing" if isinstance(error, KeyError) else str(error)
            raise ReplayError(
                f"trajectory {name} in {self.database.path} is damaged ({why}); restore a copy of the replay"
            ) from error

    def task_records(self) -> dict[str, TaskRecord]:
        """The last results of every task tried."""
        with self.database.explained():
            rows = self._connection.execute("SELECT task, results FROM tasks").fetchall()
        return {task: TaskRecord(len(results), results.count("1")) for task, results in rows}

    def stats(self) -> ReplayStats:
        """Where the replay stands, waiting times as last saved."""
        query = """SELECT COUNT(*), COALESCE(SUM(steps), 0), COALESCE(SUM(success), 0),
            COALESCE(MIN(oldest_version), 0), COALESCE(MAX(newest_version), 0) FROM trajectories"""
        with self.database.explained():
            held, steps, success, oldest, newest = self._connection.execute(query).fetchone()
        counters = self.counters()
        return ReplayStats(
            trajectories=held,
            steps=steps,
            bytes=self.database.used_bytes(),
            collected=int(counters.get("collected", 0)),
            collected_steps=int(counters.get("collected_steps", 0)),
            trained_steps=int(counters.get("trained_steps", 0)),
            success=success,
            unusable=int(counters.get("unusable", 0)),
            oldest_version=oldest,
            newest_version=newest,
            worker_wait_s=counters.get("worker_wait_s", 0.0),
            learner_wait_s=counters.get("learner_wait_s", 0.0),
        )
