"""What every Engine must do, as checks that a test of any engine can run.

@pytest.mark.parametrize("clause", ENGINE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause, tmp_path):
    clause(my_build, tmp_path)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.errors import EngineError
from distrl.interfaces import Engine, PartSpec, PartStatus
from distrl.testing.parts import BUILDER, REFUSAL, notes_of

Build = Callable[[str, str], Engine]  # of the run's folder and the builder's import string
Clause = Callable[[Build, Path], None]
PATIENCE_S = 60.0


@contextmanager
def running(build: Build, folder: Path, *specs: PartSpec) -> Iterator[Engine]:
    """An engine with these parts, stopped at the end."""
    engine = build(str(folder), BUILDER)
    assert isinstance(engine, Engine)
    try:
        engine.start(specs)
        yield engine
    finally:
        engine.stop()


def wait_for(engine: Engine, condition: Callable[[dict[str, PartStatus]], bool]) -> dict[str, PartStatus]:
    """Poll until the statuses, by name, are as wanted."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        statuses = {status.name: status for status in engine.poll()}
        if condition(statuses):
            return statuses
        assert time.monotonic() < deadline, f"waited in vain; at last: {statuses}"
        time.sleep(0.02)


def wait_for_end(engine: Engine, name: str) -> PartStatus:
    """Poll until a part is finished or has failed."""
    return wait_for(engine, lambda statuses: statuses[name].state in ("finished", "failed"))[name]


# --- clauses ------------------------------------------------------------------------------------


def services_are_up_before_they_are_called(build: Build, folder: Path) -> None:
    """A part may call others from its first line on, wherever they stand in the list."""
    specs = PartSpec("caller", "call_once"), PartSpec("echo", "echo")
    with running(build, folder, *specs) as engine:
        status = wait_for_end(engine, "caller")
        assert status.state == "finished", status.error
        heard, refusal, bug = notes_of(folder, "caller")[1:]
        assert heard == "heard hoho"
        assert refusal == f"ReplayError: {REFUSAL}"
        assert bug.startswith("EngineError: ")
        assert "ZeroDivisionError: one by nothing" in bug


def callers_wait_for_a_service_that_needs_two_tries(build: Build, folder: Path) -> None:
    """At the start, nobody runs before every service was built or given up."""
    specs = PartSpec("caller", "call_once"), PartSpec("echo", "late_echo", restarts=1)
    with running(build, folder, *specs) as engine:
        status = wait_for_end(engine, "caller")
        assert status.state == "finished", status.error


def a_crashed_service_comes_back_for_its_callers(build: Build, folder: Path) -> None:
    """A caller that tries again after PartUnavailable reaches the service's next life."""
    specs = PartSpec("caller", "call_again"), PartSpec("echo", "echo", restarts=1)
    with running(build, folder, *specs) as engine:
        status = wait_for_end(engine, "caller")
        assert status.state == "finished", status.error
        notes = notes_of(folder, "caller")
        assert notes[-1] == "heard again"
        assert any(note.startswith("unavailable: echo cannot be reached") for note in notes)
        echo = wait_for(engine, lambda statuses: statuses["echo"].state == "running")["echo"]
        assert echo.restarts == 1
        assert echo.error == ""


def a_crashed_part_is_started_anew(build: Build, folder: Path) -> None:
    """Every life knows its number; the part may still finish well."""
    with running(build, folder, PartSpec("p", "crash_twice", restarts=5)) as engine:
        status = wait_for_end(engine, "p")
        assert (status.state, status.restarts, status.error) == ("finished", 2, "")
        assert [note for note in notes_of(folder, "p") if "ran" in note] == ["ran 0", "ran 1", "ran 2"]


def a_part_that_keeps_crashing_is_given_up(build: Build, folder: Path) -> None:
    """After its restarts are used up it is failed, with the error, and the others go on."""
    specs = PartSpec("p", "crash_twice", restarts=1), PartSpec("other", "wait")
    with running(build, folder, *specs) as engine:
        status = wait_for_end(engine, "p")
        assert (status.state, status.restarts) == ("failed", 1)
        assert "RuntimeError: crash 1" in status.error
        assert wait_for(engine, lambda statuses: statuses["other"].state == "running")


def a_part_that_cannot_be_built_says_why(build: Build, folder: Path) -> None:
    """Our own errors appear as their sentence alone; the others are started all the same."""
    specs = PartSpec("p", "refused", restarts=1), PartSpec("other", "wait")
    with running(build, folder, *specs) as engine:
        status = wait_for_end(engine, "p")
        assert (status.state, status.error, status.restarts) == ("failed", REFUSAL, 0)
        assert wait_for(engine, lambda statuses: statuses["other"].state == "running")


def a_wrong_configuration_is_not_tried_again(build: Build, folder: Path) -> None:
    """A ConfigError fails the part at once, however many restarts it has."""
    with running(build, folder, PartSpec("p", "misconfigured", restarts=9)) as engine:
        status = wait_for_end(engine, "p")
        assert (status.state, status.restarts) == ("failed", 0)
        assert status.error == "test.yaml: replay.ratio is not a number"
        assert notes_of(folder, "p") == ["built 0"]


def leaving_by_sys_exit_is_a_failure(build: Build, folder: Path) -> None:
    """A part ends by returning; sys.exit in it neither counts as that nor takes others down."""
    with running(build, folder, PartSpec("p", "leave"), PartSpec("other", "wait")) as engine:
        status = wait_for_end(engine, "p")
        assert status.state == "failed"
        assert "sys.exit(0)" in status.error
        assert {status.name: status.state for status in engine.poll()}["other"] == "running"


def finished_is_final(build: Build, folder: Path) -> None:
    """A part whose run has returned is never started again."""
    specs = PartSpec("p", "finish", restarts=3), PartSpec("later", "crash_twice", restarts=2)
    with running(build, folder, *specs) as engine:
        wait_for_end(engine, "p")
        wait_for_end(engine, "later")
        assert {status.name: status.state for status in engine.poll()}["p"] == "finished"
    assert notes_of(folder, "p") == ["built 0", "ran 0"]


def stop_lets_parts_end_in_good_order(build: Build, folder: Path) -> None:
    """Parts learn that they should end and do; services stay up until their callers have ended."""
    specs = PartSpec("echo", "echo"), PartSpec("waiter", "wait"), PartSpec("caller", "call_last")
    with running(build, folder, *specs) as engine:
        wait_for(engine, lambda statuses: all(status.state == "running" for status in statuses.values()))
        engine.stop()
        assert {status.state for status in engine.poll()} == {"finished"}
        engine.stop()
        assert notes_of(folder, "waiter")[-1] == "ended"
        assert notes_of(folder, "caller")[-1] == "heard bye"


def stop_cancels_what_does_not_listen(build: Build, folder: Path) -> None:
    """A part that never looks at `stopping` is cancelled, and can tidy up."""
    with running(build, folder, PartSpec("p", "ignore")) as engine:
        wait_for(engine, lambda statuses: statuses["p"].state == "running")
        engine.stop(1.0)
        assert engine.poll()[0].state == "finished"
        assert notes_of(folder, "p")[-1] == "cancelled"


def stop_ends_waiting_for_a_restart(build: Build, folder: Path) -> None:
    """A part that is down when the run ends stays down."""
    specs = PartSpec("p", "crash_always", restarts=20), PartSpec("w", "wait")
    with running(build, folder, *specs) as engine:
        wait_for(engine, lambda statuses: statuses["p"].restarts >= 3)
        engine.stop()
        lives = notes_of(folder, "p")
        states = {status.name: status.state for status in engine.poll()}
        assert states["w"] == "finished"
        assert states["p"] in ("finished", "failed")  # finished, if it was alive when asked to end
        time.sleep(0.2)
        engine.poll()
        assert notes_of(folder, "p") == lives


def names_are_unique(build: Build, folder: Path) -> None:
    """Two parts of one name are refused; stopping an engine that never started is fine."""
    engine = build(str(folder), BUILDER)
    refused = False
    try:
        engine.start([PartSpec("p", "wait"), PartSpec("p", "finish")])
    except EngineError:
        refused = True
    finally:
        engine.stop()
    assert refused


def a_start_is_for_once(build: Build, folder: Path) -> None:
    """An engine runs one run, and refuses a second start."""
    with running(build, folder, PartSpec("p", "wait")) as engine:
        refused = False
        try:
            engine.start([PartSpec("q", "wait")])
        except EngineError:
            refused = True
        assert refused
        assert [status.name for status in engine.poll()] == ["p"]


ENGINE_CONTRACT: tuple[Clause, ...] = (
    services_are_up_before_they_are_called,
    callers_wait_for_a_service_that_needs_two_tries,
    a_crashed_service_comes_back_for_its_callers,
    a_crashed_part_is_started_anew,
    a_part_that_keeps_crashing_is_given_up,
    a_part_that_cannot_be_built_says_why,
    a_wrong_configuration_is_not_tried_again,
    leaving_by_sys_exit_is_a_failure,
    finished_is_final,
    stop_lets_parts_end_in_good_order,
    stop_cancels_what_does_not_listen,
    stop_ends_waiting_for_a_restart,
    names_are_unique,
    a_start_is_for_once,
)
