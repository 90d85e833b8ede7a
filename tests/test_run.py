"""Whole runs on simulated phones: asynchronous, synchronous, killed, resumed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from distrl import run as runs
from distrl.config import RunConfig, resolve
from distrl.errors import ConfigError, EngineError, RunError
from distrl.interfaces import Engine, PartStatus
from distrl.learn.rehearsal import unpack
from distrl.recording import Line, Reader, RunFolder
from distrl.records import Trajectory
from distrl.replay import iterate, read_stats


@pytest.fixture(autouse=True)
def shared_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One warm start for all tests of this session, and none in the user's own cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def configure(*overrides: str) -> RunConfig:
    return resolve("tiny", overrides=["device.picture_scale=0.25", *overrides])


def quiet(stage: str, done: int, of: int) -> None:
    """Nobody looks at a test's progress."""


def watch(statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
    """Nor at its board."""


def complete(folder: RunFolder, show: Callable[..., None] = watch) -> None:
    runs.prepare(folder, quiet)
    with runs.running(folder) as engine:
        runs.follow(folder, engine, show, tick_s=0.02)


def events(folder: RunFolder, kind: str) -> list[Line]:
    return [line for line in Reader(folder).poll() if line.kind == kind]


def stored(folder: RunFolder) -> list[Trajectory]:
    return list(iterate(folder.replay_file))


@pytest.mark.parametrize("mode", ["async", "sync"])
def test_inline_run_collects_trains_publishes_and_evaluates(tmp_path: Path, mode: str) -> None:
    config = configure(
        "engine=inline", f"mode={mode}", "budget.updates=30", "round_trajectories=6", "round_updates=3"
    )
    folder = runs.create(tmp_path / "run", config)
    complete(folder)
    shown = len(unpack(folder.demonstrated.read_bytes()))
    assert [line.fields for line in events(folder, "rehearsing")] == [{"steps": shown}]
    assert shown >= config.warmstart.demonstrations > 0
    trajectories = stored(folder)
    stats = read_stats(folder.replay_file)
    assert stats.trained_steps > 0
    assert events(folder, "finished")[0].fields["updates"] == 30
    versions = {step.decision.version for t in trajectories for step in t.steps}
    assert max(versions) > 0, "workers never used a version that the learner published"
    assert {t.task.split for t in trajectories} == {"train"}, "evaluation fed the replay"
    measured = [line for line in Reader(folder).poll() if line.name == "evaluation"]
    assert {line.fields["split"] for line in measured} <= {"val"}
    if mode == "sync":
        rounds = [line.fields["updates"] for line in events(folder, "published")]
        assert rounds[-10:] == list(range(3, 31, 3))


def test_stored_actions_are_exactly_as_likely_as_the_version_that_took_them_says(tmp_path: Path) -> None:
    """Else workers decide with other weights than those they report, and every importance ratio is wrong."""
    folder = runs.create(tmp_path / "run", configure("engine=processes", "budget.updates=6"))
    complete(folder)
    policy = runs.load_policy(folder, 0)
    first = [t for t in stored(folder) if all(step.decision.version == 0 for step in t.steps)]
    assert first
    for trajectory in first[:4]:
        now = policy.forward([policy.featurize(trajectory)]).logprob.tolist()
        assert now == pytest.approx([step.decision.logprob for step in trajectory.steps], abs=1e-4)


def test_resume_continues_where_it_stopped(tmp_path: Path) -> None:
    folder = runs.create(tmp_path / "run", configure("engine=inline", "budget.updates=6"))
    complete(folder)
    before = {t.id for t in stored(folder)}
    config = folder.config()
    budget = config.budget.model_copy(update={"updates": 12})
    from distrl.config import dump

    folder.config_file.write_text(dump(config.model_copy(update={"budget": budget})))
    complete(folder)
    assert [line.fields["updates"] for line in events(folder, "resumed")] == [6]
    assert [line.fields["updates"] for line in events(folder, "finished")] == [6, 12]
    assert before <= {t.id for t in stored(folder)}


def test_killed_parts_come_back_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    folder = runs.create(
        tmp_path / "run",
        configure(
            "engine=processes", "budget.updates=60", "collect.workers=2", "learner.checkpoint_every_s=0.2"
        ),
    )
    runs.prepare(folder, quiet)
    killed: list[str] = []
    acknowledged: set[str] = set()

    def kill(statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        """Kill the worker, the learner and the replay, each once, when there is something to lose."""
        victims = ["worker-0", "learner", "replay"]
        if len(killed) == len(victims) or not folder.replay_file.exists():
            return
        if read_stats(folder.replay_file).trained_steps < 50 * (len(killed) + 1):
            return
        acknowledged.update(t.id for t in stored(folder))
        victim = next(s for s in statuses if s.name == victims[len(killed)])
        if victim.state == "running" and victim.pid:
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.name)

    with runs.running(folder) as engine:
        runs.follow(folder, engine, kill, tick_s=0.05)
    assert killed == ["worker-0", "learner", "replay"]
    assert len(acknowledged) > 10
    assert acknowledged <= {t.id for t in stored(folder)}
    assert events(folder, "finished")[-1].fields["updates"] == 60
    assert events(folder, "resumed"), "the learner started from nothing after it was killed"


def test_a_part_that_cannot_live_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    folder = runs.create(tmp_path / "run", configure("engine=processes"))
    runs.prepare(folder, quiet)
    folder.replay_file.write_bytes(b"this is not a database, but something else of some length " * 100)
    with (
        pytest.raises(EngineError, match=r"replay failed .*not a database|damaged"),
        runs.running(folder) as engine,
    ):
        follow_for(folder, engine, 60)


def follow_for(folder: RunFolder, engine: Engine, seconds: float) -> None:
    deadline = time.monotonic() + seconds

    def give_up(statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        assert time.monotonic() < deadline, statuses

    runs.follow(folder, engine, give_up, tick_s=0.05)


def test_bad_input_is_found_before_a_folder_is_made(tmp_path: Path) -> None:
    for override, error in [
        ("suite=nonesuch", Exception),
        ("device.kind=toaster", ConfigError),
        ("algorithm.kind=magic", ConfigError),
        ("engine=steam", ConfigError),
        ("device.profile=warp", Exception),
    ]:
        with pytest.raises(error):
            runs.create(tmp_path / "run", configure(override))
        assert not (tmp_path / "run").exists()


def test_policy_of_a_run_without_weights(tmp_path: Path) -> None:
    folder = runs.create(tmp_path / "run", configure())
    with pytest.raises(RunError, match="no weights yet"):
        runs.load_policy(folder)


def test_measure_keeps_the_result(tmp_path: Path) -> None:
    folder = runs.create(tmp_path / "run", configure())
    runs.prepare(folder, quiet)
    first = runs.measure(folder, "test", 6, greedy=True)
    again = runs.measure(folder, "test", 6, greedy=True)
    assert first.rate.episodes == 6
    assert first.by_family == again.by_family
    assert "test-v000000-greedy" in folder.evaluations()
