"""The run folder is found, locked, written and read, also after crashes and on full disks."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from distrl.config import RunConfig
from distrl.errors import RunError
from distrl.recording import Reader, Recorder, RunFolder, find_runs, write_then_rename


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", RunConfig(seed=7))


# --- the folder


def test_a_new_run_keeps_its_configuration(folder: RunFolder) -> None:
    opened = RunFolder.open(folder.path)
    assert opened.config() == RunConfig(seed=7)
    assert opened.name == "run"
    assert opened.weights.is_dir()


def test_an_existing_run_is_only_resumed_on_request(folder: RunFolder) -> None:
    with pytest.raises(RunError, match="already holds a run; resume it"):
        RunFolder.create(folder.path, RunConfig())
    resumed = RunFolder.create(folder.path, RunConfig(seed=8), resume=True)
    assert resumed.config().seed == 7


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("do not lose me")
    with pytest.raises(RunError, match="is not a run folder; choose another"):
        RunFolder.create(tmp_path, RunConfig(), resume=True)
    with pytest.raises(RunError, match="is not a run folder"):
        RunFolder.create(tmp_path / "thesis.tex", RunConfig())
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_creation_that_was_cut_off_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "run" / "weights").mkdir(parents=True)
    (tmp_path / "run" / ".config.yaml.12.unfinished").write_text("half")
    assert RunFolder.create(tmp_path / "run", RunConfig()).config() == RunConfig()


def test_a_wrong_path_is_answered_with_the_runs_nearby(folder: RunFolder) -> None:
    parent = folder.path.parent
    with pytest.raises(RunError, match=r"it has no config.yaml; runs here: .*/run$"):
        RunFolder.open(parent)
    with pytest.raises(RunError, match=r"it does not exist; runs here: .*/run$"):
        RunFolder.open(parent / "rnu")
    with pytest.raises(RunError, match="runs here: none"):
        RunFolder.open(folder.weights)
    assert find_runs(parent) == [folder.path]


def test_two_trainings_cannot_use_one_folder(folder: RunFolder) -> None:
    program = "import sys, pathlib; from distrl.recording import RunFolder\n"
    program += "with RunFolder(pathlib.Path(sys.argv[1])).lock():\n    print('locked', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(folder.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    with pytest.raises(RunError, match=f"in use by process {process.pid};"), folder.lock():
        pass
    process.kill()
    process.communicate()
    with folder.lock(), pytest.raises(RunError, match="in use"), folder.lock():
        pass
    with folder.lock():
        pass


def test_evaluations_are_saved_whole_and_listed_in_order(folder: RunFolder) -> None:
    folder.save_evaluation("start", b"{}")
    folder.save_evaluation("version-3", b"[1]")
    folder.save_evaluation("version-3", b"[2]")
    found = folder.evaluations()
    assert list(found) == ["start", "version-3"]
    assert found["version-3"].read_bytes() == b"[2]"
    with pytest.raises(RunError, match="cannot name a file"):
        folder.save_evaluation("../escape", b"")


def test_a_failed_write_keeps_the_former_content(tmp_path: Path) -> None:
    file = tmp_path / "value"
    write_then_rename(file, b"former")
    with pytest.raises(TypeError):
        write_then_rename(file, "not bytes")  # type: ignore[arg-type]
    assert file.read_bytes() == b"former"


# --- events and metrics


def test_lines_arrive_in_order_of_time_from_all_parts(folder: RunFolder) -> None:
    clock = iter([1.0, 4.0]), iter([2.0, 3.0, 5.0])
    reader = Reader(folder)
    assert reader.poll() == []
    learner = Recorder(folder, "learner", clock=lambda: next(clock[0]))
    learner.event("started", pid=3)
    learner.metrics("update", {"loss": 0.5}, version=2)
    worker = Recorder(folder, "worker-0", clock=lambda: next(clock[1]))
    worker.event("episode", task="x", success=True)
    worker.event("episode", task="y", success=False)
    lines = reader.poll()
    assert [(line.t, line.part, line.kind) for line in lines] == [
        (1.0, "learner", "started"),
        (2.0, "worker-0", "episode"),
        (3.0, "worker-0", "episode"),
        (4.0, "learner", "metrics"),
    ]
    assert lines[0].fields == {"pid": 3}
    assert (lines[3].name, lines[3].values, lines[3].fields) == ("update", {"loss": 0.5}, {"version": 2})
    assert reader.latest("update") == lines[3]
    assert reader.latest("unheard of") is None
    assert reader.poll() == []
    worker.event("stopped")
    assert [line.kind for line in reader.poll()] == ["stopped"]
    learner.close()
    worker.close()


def test_lines_are_plain_json(folder: RunFolder) -> None:
    recorder = Recorder(folder, "learner", clock=lambda: 1.5)
    recorder.metrics("update", {"loss": math.nan, "gap": math.inf, "lr": 1e-3})
    recorder.close()
    assert json.loads(recorder.file.read_text()) == {
        "t": 1.5,
        "part": "learner",
        "kind": "metrics",
        "name": "update",
        "values": {"loss": None, "gap": None, "lr": 1e-3},
    }
    assert Reader(folder).poll()[0].values["loss"] is None


def test_half_a_line_waits_for_its_other_half(folder: RunFolder) -> None:
    recorder = Recorder(folder, "learner", clock=lambda: 1.0)
    recorder.event("one")
    recorder.event("two")
    recorder.close()
    data = recorder.file.read_bytes()
    recorder.file.write_bytes(data[:-7])
    reader = Reader(folder)
    assert [line.kind for line in reader.poll()] == ["one"]
    recorder.file.write_bytes(data)
    assert [line.kind for line in reader.poll()] == ["two"]
    assert reader.skipped == 0


def test_a_restarted_part_ends_the_line_its_predecessor_was_torn_from(folder: RunFolder) -> None:
    first = Recorder(folder, "learner", clock=lambda: 1.0)
    first.event("whole")
    first.event("torn apart")
    first.close()
    first.file.write_bytes(first.file.read_bytes()[:-9])
    second = Recorder(folder, "learner", clock=lambda: 2.0)
    second.event("restarted")
    second.close()
    reader = Reader(folder)
    assert [line.kind for line in reader.poll()] == ["whole", "restarted"]
    assert reader.skipped == 1


def test_a_full_disk_is_told_once(folder: RunFolder) -> None:
    (folder.records / "learner.jsonl").symlink_to("/dev/full")
    recorder = Recorder(folder, "learner")
    with pytest.raises(RunError, match="cannot be written: No space left on device; free some space"):
        recorder.event("one")
    recorder.event("two")
    recorder.metrics("three", {"x": 1.0})
    recorder.close()
    with pytest.raises(RunError, match="closed"):
        recorder.event("four")


FILL_UP = """
import resource, sys
from pathlib import Path
from distrl.errors import RunError
from distrl.recording import Recorder, RunFolder

recorder = Recorder(RunFolder(Path(sys.argv[1])), "learner")
recorder.event("before")
limit = recorder.file.stat().st_size + 10  # the next line fits by ten bytes only
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
raised = 0
for _ in range(3):
    try:
        recorder.event("lost")
    except RunError:
        raised += 1
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
recorder.event("after")
sys.exit(raised)
"""


def test_recording_continues_once_there_is_space_again(folder: RunFolder) -> None:
    process = subprocess.run([sys.executable, "-c", FILL_UP, str(folder.path)], check=False)
    assert process.returncode == 1  # told once
    reader = Reader(folder)
    lines = reader.poll()
    assert [line.kind for line in lines] == ["before", "records_lost", "after"]
    assert lines[1].fields == {"lines": 3}
    assert reader.skipped == 1


def test_a_part_needs_a_name_that_can_be_a_file(folder: RunFolder) -> None:
    with pytest.raises(RunError, match="cannot name a file"):
        Recorder(folder, "../learner")


def test_demonstrations_that_cannot_be_kept_are_a_sentence(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", RunConfig())
    folder.demonstrated.mkdir()
    with pytest.raises(RunError, match="demonstrated cannot be written"):
        folder.save_demonstrated(b"steps")
