"""Looking into a replay file: what it holds, in brief, without loading a single picture.

Everything here reads only, so it works while a run is being trained and never holds up the writer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec
import zstandard

from distrl.errors import ReplayError
from distrl.records import Ending, Outcome, Record
from distrl.replay.store import Store

MOST_NAMED = 5  # ids that a sentence lists


class Brief(Record, frozen=True):
    """One stored trajectory in a line: what was asked, what came of it, who did it and when."""

    id: str
    task: str
    goal: str
    split: str
    outcome: Outcome
    judge: str
    ending: Ending
    steps: int
    oldest_version: int | None
    newest_version: int | None
    worker: str
    device: str
    started_at: float
    ended_at: float


class Selection(NamedTuple):
    """Which trajectories are wanted; an empty selection wants all."""

    outcome: Outcome | None = None
    task: str = ""  # part of the task's id
    ending: Ending | None = None

    def wants(self, brief: Brief) -> bool:
        """Whether a trajectory is among those wanted."""
        return (
            self.outcome in (None, brief.outcome)
            and self.ending in (None, brief.ending)
            and self.task in brief.task
        )


EVERYTHING = Selection()


def briefs(path: Path, selection: Selection = EVERYTHING, last: int | None = None) -> list[Brief]:
    """The newest `last` trajectories that are wanted (all of them by default), oldest first."""
    found: list[Brief] = []
    with closing(Store(path, read_only=True)) as store:
        for brief in iterate_briefs(store, reversed(store.ids())):
            if len(found) == last:
                break
            if selection.wants(brief):
                found.append(brief)
    return found[::-1]


def iterate_briefs(store: Store, ids: Iterator[str]) -> Iterator[Brief]:
    """Trajectories in brief; those evicted meanwhile are left out."""
    decompress = zstandard.ZstdDecompressor().decompress
    decode = msgspec.msgpack.Decoder(tuple[int, str, _Trajectory]).decode
    query = "SELECT body FROM bodies JOIN trajectories USING (number) WHERE id = ?"
    for name in ids:
        with store.database.explained():
            row = store.database.connection.execute(query, (name,)).fetchone()
        if row is None:
            continue
        try:
            _, _, body = decode(decompress(row[0]))
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise ReplayError(
                f"trajectory {name} in {store.database.path} is damaged ({error}); "
                "restore a copy of the replay"
            ) from error
        yield _brief(body)


def resolve_id(path: Path, prefix: str) -> str:
    """The id of the one trajectory that begins with `prefix`; a whole id always names itself."""
    with closing(Store(path, read_only=True)) as store:
        ids = store.ids()
        matches = [name for name in ids if name.startswith(prefix)]
        if prefix in matches:
            return prefix
        if len(matches) == 1:
            return matches[0]
        if matches:
            named = ", ".join(matches[:MOST_NAMED]) + (", …" if len(matches) > MOST_NAMED else "")
            raise ReplayError(
                f"{len(matches)} trajectories begin with {prefix!r} ({named}); give more of the id"
            )
        gone = store.was_seen(prefix)
    why = "has left it: the oldest leave first" if gone else "is not among them; list them without an id"
    raise ReplayError(f"the replay {path} holds {len(ids)} trajectories, and {prefix!r} {why}")


# --- the few fields that a brief needs; what is not named here is skipped while decoding ---------


class _Task(msgspec.Struct):
    id: str
    goal: str
    split: str


class _Decision(msgspec.Struct):
    version: int


class _Step(msgspec.Struct):
    decision: _Decision


class _Verdict(msgspec.Struct):
    outcome: Outcome
    judge: str


class _Trajectory(msgspec.Struct):
    id: str
    task: _Task
    steps: list[_Step]
    ending: Ending
    verdict: _Verdict
    worker: str
    device: str
    started_at: float
    ended_at: float


def _brief(body: _Trajectory) -> Brief:
    versions = [step.decision.version for step in body.steps]
    return Brief(
        id=body.id,
        task=body.task.id,
        goal=body.task.goal,
        split=body.task.split,
        outcome=body.verdict.outcome,
        judge=body.verdict.judge,
        ending=body.ending,
        steps=len(versions),
        oldest_version=min(versions, default=None),
        newest_version=max(versions, default=None),
        worker=body.worker,
        device=body.device,
        started_at=body.started_at,
        ended_at=body.ended_at,
    )
