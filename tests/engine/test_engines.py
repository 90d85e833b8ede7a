"""Both engines keep the contract; what only one of them promises is tested beside it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from distrl.engine import inline
from distrl.engine.inline import InlineEngine
from distrl.engine.processes import ProcessEngine
from distrl.interfaces import PartSpec
from distrl.testing.engine_contract import ENGINE_CONTRACT, Build, Clause, running, wait_for
from distrl.testing.parts import notes_of


def quick_processes(folder: str, builder: str) -> ProcessEngine:
    """The process engine, impatient."""
    return ProcessEngine(folder, builder, first_backoff_s=0.05)


def quick_inline(folder: str, builder: str) -> InlineEngine:
    """The inline engine, impatient."""
    return InlineEngine(folder, builder, first_backoff_s=0.05)


@pytest.mark.parametrize("build", [quick_inline, quick_processes])
@pytest.mark.parametrize("clause", ENGINE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Clause, build: Build, tmp_path: Path) -> None:
    clause(build, tmp_path)


def test_inline_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    with running(inline.build, tmp_path, PartSpec("w", "wait"), PartSpec("echo", "echo")):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_inline_thread_ends_when_all_parts_have(tmp_path: Path) -> None:
    with running(inline.build, tmp_path, PartSpec("p", "finish")) as engine:
        wait_for(engine, lambda statuses: statuses["p"].state == "finished")
        assert notes_of(tmp_path, "p") == ["built 0", "ran 0"]
