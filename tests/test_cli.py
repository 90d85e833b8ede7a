"""The command line as a person meets it: help, tables, one sentence when something is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from distrl import run as runs
from distrl.config import resolve
from distrl.recording import Reader, RunFolder


def distrl(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "distrl.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "140", "TERM": "dumb", "NO_COLOR": "1"},
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with weights and a few trajectories."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
        config = resolve("tiny", overrides=["engine=inline", "budget.updates=4", "device.picture_scale=0.25"])
        folder = runs.create(tmp_path_factory.mktemp("cli") / "run", config)
        runs.prepare(folder, lambda stage, done, of: None)
        with runs.running(folder) as engine:
            runs.follow(folder, engine, lambda statuses, lines: None, tick_s=0.02)
    return folder.path


def test_help_needs_no_heavy_import() -> None:
    code = "import sys, distrl.cli; print(sorted({'torch', 'numpy', 'PIL'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert out.stdout.strip() == "[]", out.stderr


@pytest.mark.parametrize(
    "command", [[], ["train"], ["eval"], ["play"], ["tasks", "list"], ["replay", "stats"], ["config", "show"]]
)
def test_every_command_explains_itself(command: list[str]) -> None:
    out = distrl(*command, "--help")
    assert out.returncode == 0
    assert "Usage" in out.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["eval", "nowhere"], "nowhere is not a run folder"),
        (["play", "nowhere"], "nowhere is not a run folder"),
        (["train", "--resume", "nowhere"], "nowhere is not a run folder"),
        (["replay", "stats", "nowhere"], "nowhere is not a run folder"),
        (["train", "--preset", "server"], "known: laptop"),
        (["train", "--set", "replay.ratioo=1"], "did you mean 'replay.ratio'"),
        (["train", "--config", "none.yaml"], "cannot be read"),
        (["train", "--suite", "nonesuch"], "nonesuch"),
        (["train", "--suite", "bad.yaml"], "bad.yaml"),
        (["train", "--engine", "steam"], "steam"),
        (["tasks", "list", "nonesuch"], "nonesuch"),
        (["tasks", "show", "starter/train/toggle-99"], "did you mean"),
        (["play", "--task", "nothing/like/this"], "has no task"),
        (["train", "here", "--resume", "there"], "not both"),
    ],
)
def test_bad_input_is_one_sentence_and_a_status(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("tasks: [{goal: }")
    out = distrl(*arguments, cwd=tmp_path)
    assert out.returncode != 0
    assert sentence in out.stderr
    assert "Traceback" not in out.stderr
    assert not (tmp_path / "runs").exists()


def test_tables(trained: Path) -> None:
    assert "toggle" in distrl("tasks", "list", "--split", "val").stdout
    shown = distrl("tasks", "show", "starter/val/toggle-00").stdout
    assert "settings get" in shown
    assert "distrl play --task starter/val/toggle-00" in shown
    assert "timer" in distrl("tasks", "show", "general/val/timer-00").stdout  # the id names its suite
    assert "replay.ratio" in distrl("config", "show").stdout
    assert "inline" in distrl("config", "show", str(trained)).stdout
    assert "a-ride" in distrl("plugins").stdout
    assert "trajectories held" in distrl("replay", "stats", str(trained)).stdout
    assert json.loads(distrl("replay", "stats", str(trained), "--json").stdout)["collected"] > 0


def test_damaged_replay_is_one_sentence(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text((trained / "config.yaml").read_text())
    (tmp_path / "replay.sqlite").write_bytes(b"garbage" * 1000)
    out = distrl("replay", "stats", str(tmp_path))
    assert out.returncode == 1
    assert "replay.sqlite" in out.stderr
    assert "Traceback" not in out.stderr


def test_eval_prints_json_and_keeps_it(trained: Path) -> None:
    out = distrl("eval", str(trained), "--split", "val", "--episodes", "6", "--devices", "3", "--json")
    results = json.loads(out.stdout)
    assert [result["greedy"] for result in results] == [False, True]
    assert all(result["rate"]["episodes"] == 6 for result in results)
    assert list((trained / "evaluations").glob("val-*.json"))
    wrong = distrl("eval", str(trained), "--split", "vall")
    assert wrong.returncode == 1
    assert "train, val, test" in wrong.stderr


def test_play_shows_an_episode_and_writes_an_animation(trained: Path, tmp_path: Path) -> None:
    film = tmp_path / "episode.gif"
    out = distrl("play", "--task", "starter/test/toggle-00", "--delay", "0", "--output", str(film))
    assert out.returncode == 0, out.stderr
    assert "success" in out.stdout
    from PIL import Image

    with Image.open(film) as image:
        assert getattr(image, "n_frames", 1) > 3
    out = distrl("play", str(trained), "--greedy", "--delay", "0")
    assert out.returncode == 0, out.stderr
    bad = distrl("play", "--delay", "0", "--output", str(tmp_path / "episode.xyz"))
    assert bad.returncode == 1
    assert ".gif" in bad.stderr


def test_two_trainings_cannot_share_a_folder(trained: Path) -> None:
    from distrl.recording import RunFolder

    with RunFolder.open(trained).lock():
        out = distrl("train", "--resume", str(trained))
    assert out.returncode == 1
    assert "in use by process" in out.stderr


def test_sigterm_ends_a_training_in_good_order(tmp_path: Path) -> None:
    path = tmp_path / "run"
    words = ["train", str(path), "-p", "tiny", "--set", "warmstart.demonstrations=0"]
    words += ["--set", "budget.updates=1000000", "--set", "budget.minutes=60"]
    command = subprocess.Popen(
        [sys.executable, "-m", "distrl.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 90
        while not _updates(path):
            assert command.poll() is None
            assert time.monotonic() < deadline, "training has not begun"
            time.sleep(0.2)
        command.send_signal(signal.SIGTERM)
        said = command.communicate(timeout=60)[0]
    finally:
        command.kill()
        command.wait()
    assert command.returncode == 128 + signal.SIGTERM
    assert "Stopped; nothing is lost" in said
    events = [line.kind for line in Reader(RunFolder.open(path)).poll()]
    assert "stopped" in events  # the learner has saved what it learnt


def _updates(path: Path) -> int:
    if not (path / "config.yaml").exists():
        return 0
    return sum(line.name == "learner" for line in Reader(RunFolder.open(path)).poll())
