"""Trackers get every line once, go on after kills, and their faults stop nobody."""

from __future__ import annotations

import json
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from distrl.config import RunConfig, TrackingConfig, resolve
from distrl.recording import Line, Reader, Recorder, RunFolder
from distrl.tracking import Tracking, tracked
from distrl.tracking.following import places
from distrl.tracking.points import Point


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", resolve())


def learn(folder: RunFolder, *updates: int) -> None:
    recorder = Recorder(folder, "learner")
    for update in updates:
        recorder.metrics("learner", {"update": float(update), "policy_loss": 1.0 / (update + 1)})
    recorder.close()


def track(folder: RunFolder, tracking: TrackingConfig) -> list[str]:
    """Follow the run once, from the beginning of its records to their end; returns the warnings."""
    warnings: list[str] = []
    config = RunConfig(tracking=tracking)
    following = Tracking(folder, config, places(folder, tracking), warnings.append)
    following.take(Reader(folder).poll())
    following.close()
    return warnings


BOARD = TrackingConfig()
WANDB = TrackingConfig(tensorboard=False, wandb="phones")
TRACKIO = TrackingConfig(tensorboard=False, trackio="phones")


# --- TensorBoard


def events(folder: RunFolder) -> Iterator[Any]:
    """What TensorBoard would read: the events of all files, oldest file first."""
    from tensorboardX.proto.event_pb2 import Event

    for file in sorted((folder.path / "tensorboard").glob("events.*"), key=lambda file: file.name[-1]):
        data = file.read_bytes()
        while data:
            (size,) = struct.unpack("<Q", data[:8])
            yield Event.FromString(data[12 : 12 + size])
            data = data[16 + size :]


def curve(folder: RunFolder, tag: str) -> list[int]:
    return [event.step for event in events(folder) for value in event.summary.value if value.tag == tag]


def test_tensorboard_gets_scalars_times_and_the_configuration(folder: RunFolder) -> None:
    learn(folder, 1, 2, 3)
    assert track(folder, BOARD) == []
    assert curve(folder, "learner/policy_loss") == [1, 2, 3]
    assert curve(folder, "config/text_summary") == [0]
    found = [event for event in events(folder) if event.step == 3]
    assert found[0].wall_time == Reader(folder).poll()[-1].t
    assert {value.tag: value.simple_value for value in found[0].summary.value}["learner/policy_loss"] == 0.25


def test_a_resumed_run_continues_its_curves(folder: RunFolder) -> None:
    learn(folder, 1, 2)
    track(folder, BOARD)
    track(folder, BOARD)
    learn(folder, 2, 3)  # the learner's checkpoint was older than its last record
    track(folder, BOARD)
    assert curve(folder, "learner/update") == [1, 2, 3]
    assert curve(folder, "config/text_summary") == [0]


def test_what_a_killed_process_wrote_without_noting_it_is_not_doubled(folder: RunFolder) -> None:
    learn(folder, 1, 2)
    track(folder, BOARD)
    mark = folder.path / "tensorboard" / "position.json"
    before = mark.read_bytes()
    name = json.loads(before)["note"]["file"]
    learn(folder, 3, 4)
    track(folder, BOARD)
    later = max((folder.path / "tensorboard").glob("events.*"), key=lambda file: file.name[-1])
    # As if one process had written all four, and was killed before it noted the last two.
    whole = folder.path / "tensorboard" / name
    whole.write_bytes(whole.read_bytes() + later.read_bytes()[40:])
    later.unlink()
    mark.write_bytes(before)
    assert curve(folder, "learner/update") == [1, 2, 3, 4]
    track(folder, BOARD)
    assert curve(folder, "learner/update") == [1, 2, 3, 4]


def test_a_deleted_folder_is_written_anew(folder: RunFolder) -> None:
    learn(folder, 1, 2)
    track(folder, BOARD)
    for file in (folder.path / "tensorboard").iterdir():
        file.unlink()
    track(folder, BOARD)
    assert curve(folder, "learner/update") == [1, 2]


# --- W&B and trackio, by fakes that record what they are asked


class FakeRun:
    def __init__(self, calls: list[tuple[Any, ...]]) -> None:
        self.calls = calls

    def define_metric(self, name: str, **options: object) -> None:
        self.calls.append(("define", name, options.get("step_metric")))

    def log(self, values: dict[str, float], step: int) -> None:
        self.calls.append(("log", values, step))

    def finish(self) -> None:
        self.calls.append(("finish",))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Stand-ins for the packages wandb and trackio; what they were asked to do, in order."""
    made: list[tuple[Any, ...]] = []

    def init(**options: object) -> FakeRun:
        made.append(("init", options))
        return FakeRun(made)

    fake = SimpleNamespace(
        init=init,
        Settings=lambda **options: options,
        setup=lambda settings: made.append(("setup", settings)),
    )
    monkeypatch.setitem(sys.modules, "wandb", fake)
    monkeypatch.setitem(sys.modules, "trackio", fake)
    return made


def test_wandb_continues_its_run_and_knows_the_axes(folder: RunFolder, calls: list[tuple[Any, ...]]) -> None:
    learn(folder, 1, 2)
    assert track(folder, WANDB) == []
    (setup, init), rest = calls[:2], calls[2:]
    assert setup == ("setup", {"silent": True, "console": "off"})  # else it would ask in the terminal
    options = init[1]
    assert (options["project"], options["name"], options["resume"]) == ("phones", "run", "allow")
    assert options["config"]["tracking"]["wandb"] == "phones"
    assert ("define", "learner/*", "learner/update") in rest
    assert ("define", "*", "env_steps") in rest
    logged = [call for call in rest if call[0] == "log"]
    assert [(call[1]["learner/update"], call[2]) for call in logged] == [(1, 1), (2, 2)]
    assert rest[-1] == ("finish",)
    calls.clear()
    learn(folder, 3)
    track(folder, WANDB)
    assert calls[1][1]["id"] == options["id"]
    assert [(call[1]["learner/update"], call[2]) for call in calls if call[0] == "log"] == [(3, 3)]


def test_wandb_gets_environment_steps_with_what_stands_at_them(
    folder: RunFolder, calls: list[tuple[Any, ...]]
) -> None:
    recorder = Recorder(folder, "worker-0")
    recorder.metrics("worker", {"steps": 30.0})
    recorder.close()
    track(folder, WANDB)
    (logged,) = [call for call in calls if call[0] == "log"]
    assert logged[1]["env_steps"] == 30
    assert logged[1]["worker/steps"] == 30


def test_trackio_continues_its_run(folder: RunFolder, calls: list[tuple[Any, ...]]) -> None:
    learn(folder, 1, 2)
    assert track(folder, TRACKIO) == []
    learn(folder, 3)
    track(folder, TRACKIO)
    assert [call[1]["resume"] for call in calls if call[0] == "init"] == ["never", "allow"]
    assert [call[2] for call in calls if call[0] == "log"] == [1, 2, 3]
    assert calls[-1] == ("finish",)


def test_another_project_begins_anew(folder: RunFolder, calls: list[tuple[Any, ...]]) -> None:
    learn(folder, 1)
    track(folder, WANDB)
    track(folder, WANDB.model_copy(update={"wandb": "team/other phones"}))
    first, second = (call[1]["id"] for call in calls if call[0] == "init")
    assert first != second
    assert [call[2] for call in calls if call[0] == "log"] == [1, 1]


# --- faults


@pytest.mark.parametrize(("tracking", "extra"), [(WANDB, "distrl[wandb]"), (TRACKIO, "distrl[trackio]")])
def test_a_missing_package_is_named(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch, tracking: TrackingConfig, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    monkeypatch.setitem(sys.modules, "trackio", None)
    (warning,) = track(folder, tracking)
    assert f"not installed: pip install '{extra}'" in warning


def test_a_tracker_that_fails_is_off_after_one_warning_and_the_others_go_on(
    folder: RunFolder, calls: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def log(run: FakeRun, values: dict[str, float], step: int) -> None:
        calls.append(("log", values, step))
        raise ConnectionError("the network\nis down")

    monkeypatch.setattr(FakeRun, "log", log)
    learn(folder, 1, 2, 3)
    warnings = track(folder, TrackingConfig(wandb="phones"))
    assert warnings == ["W&B is off: the network is down"]
    assert len([call for call in calls if call[0] == "log"]) == 1
    assert curve(folder, "learner/update") == [1, 2, 3]


def test_a_full_disk_is_one_warning(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorboardX.event_file_writer import EventsWriter

    real = EventsWriter.flush
    flushes: list[int] = []

    def flush(writer: EventsWriter) -> object:
        flushes.append(1)
        if len(flushes) > 1:
            raise OSError(28, "No space left on device")
        return real(writer)

    monkeypatch.setattr(EventsWriter, "flush", flush)
    learn(folder, 1)
    (warning,) = track(folder, BOARD)
    assert "No space left on device" in warning


def test_a_tracker_that_hangs_is_left_behind(folder: RunFolder) -> None:
    release = threading.Event()

    class Stuck:
        def write(self, point: Point, number: int) -> None:
            release.wait()

        def flush(self) -> None: ...

        def note(self) -> dict[str, str]:
            return {}

        def close(self) -> None: ...

    class Nowhere:
        name = "Nowhere"
        mark_file = folder.path / "tracking" / "nowhere.json"

        def open(self, config: RunConfig, run: str, note: dict[str, str]) -> Stuck:
            return Stuck()

    warnings: list[str] = []
    tracking = Tracking(folder, RunConfig(), [Nowhere()], warnings.append)
    tracking.take([Line(t=1.0, part="learner", kind="metrics", name="learner", values={"update": 1.0})])
    tracking.close(timeout_s=0.05)
    assert warnings == ["Nowhere is off: it did not finish in time"]
    release.set()


def test_while_training_a_warning_is_recorded_and_nothing_is_raised(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", resolve())
    (folder.path / "tensorboard").write_text("a file where the folder should be")
    learn(folder, 1)
    with tracked(folder) as tracking:
        tracking.take(Reader(folder).poll())
    (line,) = [line for line in Reader(folder).poll() if line.kind == "warning"]
    text = str(line.fields["text"])
    assert text.startswith("TensorBoard is off: ")
    assert f"`distrl track {folder.path}` catches up later" in text


def test_all_can_be_switched_off(folder: RunFolder) -> None:
    assert places(folder, TrackingConfig(tensorboard=False)) == []
