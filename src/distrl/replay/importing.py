"""Exported trajectories back into a replay: all of them or none, and each id only once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec.structs import replace

from distrl.config import ReplayConfig
from distrl.errors import RecordError, ReplayError
from distrl.records import Trajectory
from distrl.replay.columns import COLUMNS, SCHEMA, Row
from distrl.replay.rows import to_rows, to_trajectory
from distrl.replay.store import Store

BATCH_ROWS = 64


class Imported(NamedTuple):
    """What an import did."""

    added: int
    known: int  # ids that the replay had seen before
    evicted: int  # trajectories that had to leave because the replay was full


def count_rows(files: Sequence[Path]) -> int:
    """How many rows the files hold; refuses every file that is not an export, before anything is read."""
    total = 0
    for file in files:
        with _opened(file) as parquet:
            total += parquet.metadata.num_rows
    return total


def read_exports(files: Sequence[Path]) -> Iterator[Trajectory]:
    """The trajectories of exported files, in order; damaged or incomplete ones raise ReplayError."""
    for file in files:
        try:
            with _opened(file) as parquet:
                for rows in _episodes(parquet):
                    yield to_trajectory(rows)
        except (RecordError, pa.ArrowException, OSError) as error:
            raise ReplayError(f"{file} cannot be imported: {error}") from error


def import_into(
    replay: Path, config: ReplayConfig, trajectories: Iterable[Trajectory], *, run: str | None = None
) -> Imported:
    """Add trajectories to a replay that nobody else writes to, in one transaction.

    They count as collected, enter with the largest priority, and push out the oldest when the replay is full,
    as if a worker had delivered them. With the name of the `run` that the replay belongs to, those of other
    runs are adopted (see `adopt`).
    """
    added = known = evicted = 0
    with closing(Store(replay)) as store:
        counters = store.counters()
        version = int(counters.get("version", 0))
        priority = counters.get("largest_priority") or 1.0
        with store.database.writing(durable=True):
            for trajectory in trajectories:
                if store.was_seen(trajectory.id):
                    known += 1
                    continue
                if run is not None:
                    trajectory = adopt(trajectory, run, version)
                store.insert(trajectory, priority)
                evicted += len(store.evict(config.capacity, config.capacity_gb * 1e9))
                added += 1
                for name, more in _counts(trajectory).items():
                    counters[name] = counters.get(name, 0.0) + more
            store.set_counters(counters)
    return Imported(added, known, evicted)


def adopt(trajectory: Trajectory, run: str, version: int) -> Trajectory:
    """A trajectory as `run`, whose newest version is `version`, should hold it.

    A version number means something in its own run only: compared with those of another run, it would make a
    trajectory stale at once, or fresh for ever. So each decision of another run's policy gets the number that
    is newest here and now, and ages from now on as if it had just been collected; the probabilities recorded
    with it are those of the policy that acted, so corrections by importance stay right. Where the trajectory
    comes from is still said by its `run`. What was exported from this very run keeps its numbers, unless they
    are newer than the run itself: then another run had the same name.
    """
    newest = max((step.decision.version for step in trajectory.steps), default=0)
    if trajectory.run == run and newest <= version:
        return trajectory
    steps = tuple(
        replace(step, decision=replace(step.decision, version=version)) for step in trajectory.steps
    )
    return replace(trajectory, steps=steps)


def _counts(trajectory: Trajectory) -> dict[str, int]:
    """By how much one more trajectory raises the replay's counters."""
    return {
        "collected": 1,
        "collected_steps": len(trajectory.steps) if trajectory.trainable else 0,
        "unusable": not trajectory.trainable,
    }


def _opened(file: Path) -> pq.ParquetFile:
    """An exported file, open; everything else is refused with a sentence."""
    try:
        parquet = pq.ParquetFile(file)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise ReplayError(f"{file} cannot be read: {error.strerror}") from error
        raise ReplayError(f"{file} is not a Parquet file, or is damaged; export it anew") from error
    missing = sorted(COLUMNS.keys() - set(parquet.schema_arrow.names))
    if missing:
        parquet.close()
        raise ReplayError(
            f"{file} was not written by `distrl replay export`: it lacks the "
            f"column{'s' if len(missing) > 1 else ''} {', '.join(missing[:5])}{' …' if missing[5:] else ''}"
        )
    return parquet


def _episodes(parquet: pq.ParquetFile) -> Iterator[list[Row]]:
    """The rows of one trajectory after another."""
    rows: list[Row] = []
    for batch in _batches(parquet):
        for row in to_rows(batch):
            if row["schema"] != SCHEMA:
                raise RecordError(f"it has schema {row['schema']}; this distrl reads schema {SCHEMA}")
            if rows and row["trajectory"] != rows[0]["trajectory"]:
                yield rows
                rows = []
            rows.append(row)
    if rows:
        yield rows


def _batches(parquet: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """One group of rows after another, because reading across groups keeps all of the file in memory."""
    for group in range(parquet.num_row_groups):
        yield from parquet.iter_batches(BATCH_ROWS, row_groups=[group], columns=list(COLUMNS))
