"""Trajectories from the rows of an exported table: the way back from `columns`."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

from distrl.errors import RecordError
from distrl.imaging import encode_image
from distrl.records import (
    Action,
    ActionKind,
    Decision,
    Ending,
    Observation,
    Outcome,
    Point,
    Screenshot,
    Step,
    Task,
    Trajectory,
    UiNode,
    Verdict,
    decode,
    encode,
)
from distrl.replay.columns import COLUMNS, FLAGS, SIDES, TEXTS, Row


def to_rows(batch: pa.RecordBatch) -> Iterator[Row]:
    """The rows of a batch as Python values, accessibility trees as records."""
    columns = {name: batch.column(name).to_pylist() for name in COLUMNS if name != "ui"}
    columns["ui"] = _trees(batch.column("ui"))
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def _trees(column: pa.Array) -> list[tuple[UiNode, ...] | None]:
    flat = pc.list_flatten(column)
    fields = [flat.field(name).to_pylist() for name in (*TEXTS, *SIDES, "parent", *FLAGS)]
    texts, sides = len(TEXTS), len(TEXTS) + len(SIDES)
    nodes = [_node((*row[:texts], row[texts:sides], *row[sides:])) for row in zip(*fields, strict=True)]
    trees: list[tuple[UiNode, ...] | None] = []
    position = 0
    for length in pc.list_value_length(column).to_pylist():
        trees.append(None if length is None else tuple(nodes[position : position + length]))
        position += length or 0
    return trees


def _node(values: tuple[Any, ...]) -> UiNode:
    return UiNode(*values)


def to_trajectory(rows: Sequence[Row]) -> Trajectory:
    """The trajectory of its rows, in order; raises RecordError when they are incomplete or make no sense."""
    first = rows[0]
    name, wanted = first["trajectory"], first["steps"]
    if [row["step"] for row in rows] != list(range((wanted or 0) + 1)) or wanted is None:
        raise RecordError(
            f"trajectory {name} needs {wanted} steps and a final row, in order, but rows "
            f"{', '.join(str(row['step']) for row in rows)} are there"
        )
    try:
        trajectory = Trajectory(
            id=name,
            run=first["run"],
            task=msgspec.json.decode(first["task_json"], type=Task),
            seed=first["seed"],
            steps=tuple(
                Step(_required_screen(row), _decision(row), row["seconds"], row["fault"]) for row in rows[:-1]
            ),
            final=_screen(rows[-1]),
            ending=Ending(first["ending"]),
            answers=msgspec.json.decode(first["answers"], type=dict[str, str]),
            verdict=Verdict(
                Outcome(first["outcome"]), first["judge"], first["judge_version"], first["evidence"]
            ),
            worker=first["worker"],
            device=first["device"],
            started_at=first["started_at"],
            ended_at=first["ended_at"],
        )
        # Records check their types when they are decoded, so a column of the wrong kind is found here.
        return decode(encode(trajectory), Trajectory)
    except (RecordError, msgspec.MsgspecError, ValueError, TypeError, OSError) as error:
        raise RecordError(f"trajectory {name} cannot be read: {error}") from error


def _decision(row: Row) -> Decision:
    point = None if row["action_x"] is None else Point(row["action_x"], row["action_y"])
    to = None if row["action_to_x"] is None else Point(row["action_to_x"], row["action_to_y"])
    return Decision(
        action=Action(ActionKind(row["action_kind"]), point, to, row["action_text"]),
        output=row["output"],
        tokens=tuple(row["tokens"]),
        logprobs=tuple(row["logprobs"]),
        version=row["version"],
        language=row["language"],
    )


def _required_screen(row: Row) -> Observation:
    screen = _screen(row)
    if screen is None:
        raise RecordError(f"step {row['step']} has no screen")
    return screen


def _screen(row: Row) -> Observation | None:
    if row["width"] is None:
        return None
    if row["image"] is None or row["image"]["bytes"] is None:
        raise RecordError("it has no pictures (was it exported with --no-images?), and a replay needs them")
    return Observation(
        screenshot=_screenshot(row["image"]["bytes"], row["image_encoding"]),
        width=row["width"],
        height=row["height"],
        ui=row["ui"],
        app=row["app"],
        captured_at=row["captured_at"],
    )


def _screenshot(data: bytes, encoding: str) -> Screenshot:
    with Image.open(io.BytesIO(data)) as image:
        if encoding in ("png", "jpeg"):
            return Screenshot(data, encoding, image.width, image.height)
        return encode_image(image.convert("RGB"), encoding)
