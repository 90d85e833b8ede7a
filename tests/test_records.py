"""Records: what cannot be built, and what survives the way to bytes and back."""

import contextlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.errors import RecordError
from distrl.records import (
    SCHEMA,
    Action,
    ActionKind,
    Condition,
    Decision,
    Ending,
    Outcome,
    Point,
    Task,
    Trajectory,
    decode,
    decode_json,
    encode,
    encode_json,
)
from distrl.testing.trajectories import make_trajectory


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": ActionKind.TAP},
        {"kind": ActionKind.BACK, "point": Point(0.1, 0.1)},
        {"kind": ActionKind.SWIPE, "point": Point(0.1, 0.1)},
        {"kind": ActionKind.TAP, "point": Point(0.1, 0.1), "to": Point(0.2, 0.2)},
        {"kind": ActionKind.TYPE},
        {"kind": ActionKind.TYPE, "text": ""},
        {"kind": ActionKind.DONE, "text": "why"},
    ],
)
def test_senseless_actions_cannot_be_built(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Action(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("x", "y"), [(-0.01, 0.5), (0.5, 1.01), (float("nan"), 0.5)])
def test_points_lie_on_the_screen(x: float, y: float) -> None:
    with pytest.raises(ValueError, match="outside the screen"):
        Point(x, y)


def test_tokens_and_logprobs_belong_together() -> None:
    with pytest.raises(ValueError, match="2 tokens but 1"):
        Decision(Action(ActionKind.DONE), "done", (1, 2), (-0.1,), 0, "distrl")


def test_a_task_checks_only_what_it_asks() -> None:
    with pytest.raises(ValueError, match="does not ask: wifi"):
        Task("t", "Turn Wi-Fi on", "s", "train", 5, check=(Condition("wifi", "equals", "1"),))
    with pytest.raises(ValueError, match="unknown comparison"):
        Condition("wifi", "is", "1")


def test_trajectory_survives_both_encodings() -> None:
    trajectory = make_trajectory("a", steps=4)
    assert decode(encode(trajectory), Trajectory) == trajectory
    assert decode_json(encode_json(trajectory), Trajectory) == trajectory


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_garbage_is_one_clear_error(data: bytes) -> None:
    with pytest.raises(RecordError):
        decode(data, Trajectory)


@given(st.integers(0, 10_000), st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_a_damaged_byte_never_crashes(position: int, value: int) -> None:
    data = bytearray(encode(make_trajectory("a", steps=1)))
    data[position % len(data)] = value
    with contextlib.suppress(RecordError):  # any other exception fails the test
        decode(bytes(data), Trajectory)


def test_other_schema_and_other_type_are_told_apart() -> None:
    task = make_trajectory("a").task
    newer = msgspec.msgpack.encode((SCHEMA + 1, "Task", task))
    with pytest.raises(RecordError, match=f"schema {SCHEMA + 1}; this distrl reads schema {SCHEMA}"):
        decode(newer, Task)
    with pytest.raises(RecordError, match="this is a Task, where a Trajectory was expected"):
        decode(encode(task), Trajectory)
    with pytest.raises(RecordError, match="damaged"):
        decode(encode(task)[:-3], Task)


@pytest.mark.parametrize(
    ("ending", "outcome", "trainable"),
    [
        (Ending.AGENT_DONE, Outcome.FAILURE, True),
        (Ending.STEP_LIMIT, Outcome.SUCCESS, True),
        (Ending.DEVICE_LOST, Outcome.FAILURE, False),
        (Ending.TIME_LIMIT, Outcome.SUCCESS, False),
        (Ending.AGENT_DONE, Outcome.UNKNOWN, False),
    ],
)
def test_only_the_agents_own_outcomes_are_trainable(
    ending: Ending, outcome: Outcome, trainable: bool
) -> None:
    assert make_trajectory("a", ending=ending, outcome=outcome).trainable is trainable


def test_situations_show_the_past_and_nothing_of_the_future() -> None:
    trajectory = make_trajectory("a", steps=3)
    situations = trajectory.situations()
    assert [len(situation.past) for situation in situations] == [0, 1, 2]
    assert situations[2].observation == trajectory.steps[2].observation
    assert situations[0].steps_left == trajectory.task.max_steps
