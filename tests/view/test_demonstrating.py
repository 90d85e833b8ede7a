"""`distrl demos` and `distrl warmstart` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from distrl.cli import app
from distrl.errors import ConfigError, DistrlError, TaskError

QUICK = ["--set", "device.picture_scale=0.25", "--set", "collect.devices=4"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments: str) -> str:
    """What a command prints; raises what it raises."""
    out = CliRunner().invoke(app, list(arguments))
    if isinstance(out.exception, DistrlError):
        raise out.exception
    assert out.exit_code == 0, out.output
    return out.output


def test_record_show_check(place: Path) -> None:
    said = call("demos", "record", "-o", "expert.jsonl", "--count", "3", "--noise", "0", *QUICK)
    assert "Wrote 3 episodes" in said
    assert "'warmstart.files=[expert.jsonl]'" in said
    shown = call("demos", "show", "expert.jsonl")
    assert "3 episodes of 3 tasks" in shown
    assert "3 successes" in shown
    checked = call("demos", "check", "expert.jsonl", *QUICK)
    assert "3 of 3 episodes solve 3 tasks" in checked
    with pytest.raises(ConfigError, match=r"expert\.jsonl exists already"):
        call("demos", "record", "-o", "expert.jsonl")


def test_demonstrations_of_measured_tasks_can_be_recorded_but_not_used() -> None:
    said = call(
        "demos", "record", "-o", "test.jsonl", "--count", "2", "--split", "test", "--actions-only", *QUICK
    )
    assert "may not be learnt from" in said
    with pytest.raises(TaskError, match="of split 'test'"):
        call("demos", "check", "test.jsonl", *QUICK)
    with pytest.raises(ConfigError, match="has the splits train, val, test"):
        call("demos", "record", "-o", "none.jsonl", "--split", "exam")


def test_check_says_what_is_no_solution(place: Path) -> None:
    (place / "lazy.jsonl").write_text('{"task": "starter/train/toggle-00", "steps": [{"action": "done"}]}')
    with pytest.raises(ConfigError, match="no solution to imitate"):
        call("demos", "check", "lazy.jsonl", *QUICK)


def test_warmstart_measures_and_tells_where_it_is_kept(place: Path) -> None:
    tiny = ["--preset", "tiny", *QUICK]
    said = call("warmstart", *tiny, "--episodes", "4")
    assert "Cloned" in said
    assert str(place / "cache" / "distrl" / "warmstart") in said
    assert "Too few episodes to tell" in said
    assert "Taken from the cache" in call("warmstart", *tiny, "--no-measure")
    with pytest.raises(ConfigError, match="has the splits"):
        call("warmstart", *tiny, "--split", "exam")
    with pytest.raises(ConfigError, match="nothing to imitate"):
        call("warmstart", *tiny, "--set", "warmstart.demonstrations=0")


def test_warmstart_prints_json_alone() -> None:
    out = CliRunner().invoke(app, ["warmstart", "--preset", "tiny", *QUICK, "--no-measure", "--json"])
    found = json.loads(out.stdout)
    assert found["cached"] is False
    assert found["evaluations"] == []
