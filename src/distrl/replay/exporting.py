"""A replay as a Parquet file that the `datasets` library, pandas, DuckDB and others read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from distrl.errors import ReplayError
from distrl.recording import UNFINISHED
from distrl.records import Screenshot
from distrl.replay.browsing import EVERYTHING, Selection, briefs
from distrl.replay.columns import table_schema, to_picture, to_table
from distrl.replay.store import Store

GROUP_ROWS = 64  # rows written at once: what is in memory, and what a reader must load to see one row
PICTURES_KEPT = 64  # converted pictures remembered, since a phone shows the same screen again and again


class Exported(NamedTuple):
    """What went into the file."""

    trajectories: int
    rows: int
    bytes: int


def export(
    replay: Path,
    out: Path,
    *,
    config: str,
    selection: Selection = EVERYTHING,
    limit: int | None = None,
    images: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Exported:
    """Write what the replay holds to `out`, oldest first; `limit` keeps the newest.

    Memory stays constant, the replay may be in use, and `out` appears only when it is complete.
    """
    ids = [brief.id for brief in briefs(replay, selection, limit)]
    schema = table_schema(config)
    trajectories = rows = 0
    with (
        closing(Store(replay, read_only=True)) as store,
        _appearing(out) as file,
        pq.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        for group in _groups(_tables(store, ids, schema, config, images, progress)):
            table = pa.concat_tables(group)
            writer.write_table(table, row_group_size=len(table))
            trajectories += len(group)
            rows += len(table)
    return Exported(trajectories, rows, out.stat().st_size)


def config_digest(config: str) -> str:
    """The fingerprint of a run's configuration, by which rows of several runs can be told apart."""
    return blake2b(config.encode(), digest_size=16).hexdigest()


def _tables(
    store: Store,
    ids: list[str],
    schema: pa.Schema,
    config: str,
    images: bool,
    progress: Callable[[int, int], None] | None,
) -> Iterator[pa.Table]:
    @lru_cache(maxsize=PICTURES_KEPT)
    def picture(screenshot: Screenshot) -> bytes:
        return to_picture(screenshot)

    digest = config_digest(config)
    for done, name in enumerate(ids):
        if progress is not None:
            progress(done + 1, len(ids))
        trajectory = store.read(name)
        if trajectory is not None:  # it may have been evicted meanwhile
            yield to_table(trajectory, schema, digest, picture if images else None)


def _groups(tables: Iterable[pa.Table]) -> Iterator[list[pa.Table]]:
    """Tables in lists of at least GROUP_ROWS rows; an episode is never divided."""
    group: list[pa.Table] = []
    for table in tables:
        group.append(table)
        if sum(len(one) for one in group) >= GROUP_ROWS:
            yield group
            group = []
    if group:
        yield group


@contextmanager
def _appearing(out: Path) -> Iterator[BinaryIO]:
    """A file that gets its name once it is written whole; until then, and if writing fails, it has none."""
    unfinished = out.with_name(f".{out.name}.{os.getpid()}{UNFINISHED}")
    try:
        with open(unfinished, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, out)
    except OSError as error:
        why = error.strerror or error
        raise ReplayError(f"{out} cannot be written: {why}; nothing was left behind") from error
    finally:
        unfinished.unlink(missing_ok=True)
