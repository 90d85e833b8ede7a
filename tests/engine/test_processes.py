"""What the process engine promises beyond the contract: nothing survives it, and every death is explained."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from distrl.engine import processes
from distrl.engine.processes import ProcessEngine, clear_abandoned
from distrl.errors import EngineError
from distrl.interfaces import PartSpec, PartStatus
from distrl.testing.engine_contract import running, wait_for, wait_for_end
from distrl.testing.parts import BUILDER, REFUSAL, notes_of


def build(folder: str, builder: str) -> ProcessEngine:
    """The process engine, impatient."""
    return ProcessEngine(folder, builder, first_backoff_s=0.05)


def alive(pid: int) -> bool:
    """Whether a process exists and is more than a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def eventually(condition: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def sockets(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place where engines of this test keep their sockets."""
    folder = tmp_path_factory.mktemp("s")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_every_part_has_a_process_and_a_log(tmp_path: Path, sockets: Path) -> None:
    with running(build, tmp_path, PartSpec("w", "wait"), PartSpec("echo", "echo")) as engine:
        pids = [status.pid for status in engine.poll()]
        assert len({*pids, os.getpid()}) == 3
        (folder,) = sockets.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        engine.stop()
        assert not any(alive(pid) for pid in pids)
        assert list(sockets.iterdir()) == []
    assert {file.name for file in (tmp_path / "logs").iterdir()} == {"w.log", "echo.log"}


def test_a_long_temporary_folder_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / ("x" * 100)))
    with running(build, tmp_path, PartSpec("echo", "echo"), PartSpec("c", "call_once")) as engine:
        assert wait_for_end(engine, "c").state == "finished"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_part_killed_from_outside_comes_back(tmp_path: Path, number: signal.Signals) -> None:
    specs = PartSpec("w", "wait", restarts=1), PartSpec("other", "wait")
    with running(build, tmp_path, *specs) as engine:
        first = engine.poll()[0].pid
        os.kill(first, number)
        status = wait_for(engine, lambda s: s["w"].restarts == 1 and s["w"].state == "running")["w"]
        assert status.pid != first
        os.kill(status.pid, number)
        status = wait_for_end(engine, "w")
        assert status.state == "failed"
        assert number.name in status.error
        assert engine.poll()[1].state == "running"


def test_interrupts_in_the_terminal_are_the_engines_affair(tmp_path: Path) -> None:
    with running(build, tmp_path, PartSpec("w", "wait")) as engine:
        pid = engine.poll()[0].pid
        os.kill(pid, signal.SIGINT)
        engine.stop()
        assert engine.poll()[0] == PartStatus("w", "finished")
    assert notes_of(tmp_path, "w")[-1] == "ended"


def test_a_frozen_part_is_killed(tmp_path: Path) -> None:
    with running(build, tmp_path, PartSpec("f", "freeze"), PartSpec("w", "wait")) as engine:
        eventually(lambda: "frozen" in notes_of(tmp_path, "f"))
        pid = engine.poll()[0].pid
        engine.stop(0.5)
        statuses = engine.poll()
        assert [status.state for status in statuses] == ["failed", "finished"]
        assert "was killed" in statuses[0].error
        assert not alive(pid)


def test_what_a_part_has_started_goes_with_it(tmp_path: Path) -> None:
    with running(build, tmp_path, PartSpec("p", "leave_a_child")) as engine:
        eventually(lambda: len(notes_of(tmp_path, "p")) == 2)
        child = int(notes_of(tmp_path, "p")[1].split()[1])
        assert alive(child)
        os.kill(engine.poll()[0].pid, signal.SIGKILL)
        assert wait_for_end(engine, "p").state == "failed"
        eventually(lambda: not alive(child))


def test_logs_hold_a_sentence_for_errors_and_a_traceback_for_bugs(tmp_path: Path) -> None:
    specs = PartSpec("refused", "refused"), PartSpec("bug", "crash_always")
    with running(build, tmp_path, *specs) as engine:
        wait_for_end(engine, "refused")
        wait_for_end(engine, "bug")
    refusal = (tmp_path / "logs" / "refused.log").read_text()
    assert refusal.count("\n") == 1
    assert refusal.rstrip().endswith(REFUSAL)
    bug = (tmp_path / "logs" / "bug.log").read_text()
    assert "Traceback" in bug
    assert "RuntimeError: crash 0" in bug


def test_the_status_of_a_sudden_death_quotes_the_log_of_that_life(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "w.log").write_text("from an earlier life\n")
    with running(build, tmp_path, PartSpec("w", "wait")) as engine:
        os.kill(engine.poll()[0].pid, signal.SIGABRT)
        error = wait_for_end(engine, "w").error
    with running(build, tmp_path, PartSpec("w", "wait")) as engine:
        os.kill(engine.poll()[0].pid, signal.SIGKILL)
        assert wait_for_end(engine, "w").error == "w was killed by SIGKILL; its log is empty"
    assert error.startswith("w was killed by SIGABRT; its log ends with")
    assert "Fatal Python error: Aborted" in (tmp_path / "logs" / "w.log").read_text()
    assert "earlier life" not in error


def test_a_silent_part_is_mentioned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "SILENT_S", 1.5)
    with running(build, tmp_path, PartSpec("w", "wait")) as engine:
        pid = engine.poll()[0].pid
        os.kill(pid, signal.SIGSTOP)
        status = wait_for(engine, lambda statuses: statuses["w"].error != "")["w"]
        assert status.state == "running"
        assert "no heartbeat" in status.error
        os.kill(pid, signal.SIGCONT)
        wait_for(engine, lambda statuses: statuses["w"].error == "")


def test_a_builder_that_does_not_import_is_named(tmp_path: Path) -> None:
    engine = build(str(tmp_path), "distrl.testing.nowhere:build")
    try:
        engine.start([PartSpec("p", "wait")])
        assert "distrl.testing.nowhere:build" in wait_for_end(engine, "p").error
    finally:
        engine.stop()


def test_a_start_that_takes_too_long_leaves_nothing(tmp_path: Path, sockets: Path) -> None:
    engine = ProcessEngine(str(tmp_path), BUILDER, start_timeout_s=0.0)
    with pytest.raises(EngineError, match="not up after 0 s: w"):
        engine.start([PartSpec("w", "wait")])
    assert list(sockets.iterdir()) == []
    assert engine.poll()[0].pid == 0


PARENT = """
import sys, time, threading
from distrl.engine.processes import build
from distrl.interfaces import PartSpec

def life():
    engine = build(sys.argv[1], "distrl.testing.parts:build")
    engine.start([PartSpec("echo", "echo"), PartSpec("w", "wait"), PartSpec("v", "wait")])
    print(*(status.pid for status in engine.poll()), flush=True)
    if sys.argv[2] != "exit":
        time.sleep(3600)

if sys.argv[2] == "thread":
    threading.Thread(target=life).start()
else:
    life()
"""


@pytest.mark.parametrize("where", ["main", "thread"])
def test_killing_the_engine_leaves_no_orphans(tmp_path: Path, sockets: Path, where: str) -> None:
    environment = {**os.environ, "TMPDIR": str(sockets)}
    command = [sys.executable, "-c", PARENT, str(tmp_path), where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 3
        assert all(alive(pid) for pid in pids)
        if where == "main":
            os.kill(pids[1], signal.SIGSTOP)  # even a part that cannot notice anything goes
        parent.kill()
    eventually(lambda: not any(alive(pid) for pid in pids))


def test_an_engine_that_was_never_stopped_goes_with_its_program(tmp_path: Path, sockets: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path), "exit"]
    environment = {**os.environ, "TMPDIR": str(sockets)}
    pids = [int(pid) for pid in subprocess.check_output(command, env=environment).split()]
    assert not any(alive(pid) for pid in pids)
    assert list(sockets.iterdir()) == []
    assert notes_of(tmp_path, "w")[-1] == "ended"


def test_hosts_start_light() -> None:
    heavy = "('torch', 'numpy', 'pydantic', 'multiprocessing')"
    code = f"import sys, distrl.engine.host; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_socket_folders_of_killed_engines_are_cleared(tmp_path: Path) -> None:
    gone, ours = tmp_path / "distrl-99999999-abc", tmp_path / f"distrl-{os.getpid()}-abc"
    gone.mkdir()
    ours.mkdir()
    clear_abandoned(tmp_path)
    assert not gone.exists()
    assert ours.exists()
