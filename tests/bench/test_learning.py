"""The comparison and the search as they are called: tiny runs, rows left behind, and nothing made twice."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import learning
import learning_entries as entries
import learning_rows as rows
import pytest
import search
import yaml
from learning_run import passes_within

from distrl.errors import ConfigError

BENCH = Path(learning.__file__).parent
TINY = ["--preset", "tiny", "--suite", "starter", "--episodes", "3",
        "--set", "engine=inline", "--set", "device.picture_scale=0.25", "--set", "budget.updates=3",
        "--set", "evaluation.episodes=2", "--set", "round_trajectories=4"]  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "160")


def test_runs_leave_rows_which_are_not_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = ["--results", str(tmp_path / "results"), "--work", str(tmp_path / "work")]
    common = [*TINY, *places, "--seeds", "1"]
    for name, minutes in (("digirl", "9"), ("cloning", "0.02")):  # DigiRL ends after three updates
        wanted = [*common, "--algorithms", name, "--minutes", minutes, "--json"]
        assert learning.compare(learning.arguments(wanted)) == 0
        assert [each["name"] for each in json.loads(capsys.readouterr().out)["summaries"]] == [name]
    files = sorted((tmp_path / "results" / "starter").iterdir())
    assert [file.name.rpartition("-")[0] for file in files] == ["cloning-s0", "digirl-s0"]
    cloned, learnt = (rows.load(file) for file in files)
    assert learnt.settings["mode"] == "sync", "DigiRL must run as published"
    assert learnt.updates == 3
    assert learnt.environment_steps > 0
    assert learnt.training.cpu_s > 0
    assert {point.decoding for point in learnt.curve} <= {"sampled", "greedy"}
    assert learnt.start == cloned.start, "not the same warm start"
    assert set(learnt.end) == {"test"}
    assert (cloned.environment_steps, cloned.updates) == (0, 0)
    assert not [each for each in (tmp_path / "work").iterdir() if each.is_dir() and each.name != "starts"]
    assert learning.compare(learning.arguments([*common, "--algorithms", "digirl", "--minutes", "9"])) == 0
    assert capsys.readouterr().out.count("there already") == 1
    assert files == sorted((tmp_path / "results" / "starter").iterdir())


def test_the_search_writes_what_the_comparison_reads(tmp_path: Path) -> None:
    tuned = tmp_path / "settings.yaml"
    tuned.write_text(yaml.safe_dump({"general": {"a-ride": {"settings": {"algorithm.lr": 0.5}}}}))
    places = ["--results", str(tmp_path / "results"), "--work", str(tmp_path / "work"), "--tuned", str(tuned)]
    wanted = [*TINY, *places, "--algorithms", "filtered-bc", "--trials", "2", "--minutes", "9"]
    assert search.search(search.arguments(wanted)) == 0
    names = sorted(file.name.rpartition("-")[0] for file in (tmp_path / "results" / "starter").iterdir())
    assert names == ["filtered-bc-t0-s1000", "filtered-bc-t1-s1000"]
    found = yaml.safe_load(tuned.read_text())
    assert found["general"]["a-ride"]["settings"] == {"algorithm.lr": 0.5}, "another suite's were lost"
    best = found["starter"]["filtered-bc"]
    assert best["trials"] == 2
    settings = entries.settings_of("filtered-bc", "starter", tuned)
    assert settings == {**entries.settings_of("filtered-bc", "starter", None), **best["settings"]}


def test_names_stand_for_settings() -> None:
    digirl = {"algorithm.kind": "digirl", "algorithm.rehearsal": 0}
    assert entries.settings_of("digirl", "general", None) == {**digirl, "mode": "sync"}
    assert entries.settings_of("digirl-async", "general", None) == {**digirl, "mode": "async"}
    assert entries.settings_of("a-ride-no-retrace", "general", None)["algorithm.retrace"] is False
    with pytest.raises(ConfigError, match="no 'magic'; known: a-ride"):
        entries.settings_of("magic", "general", None)


def test_variants_take_over_what_was_tuned(tmp_path: Path) -> None:
    tuned = tmp_path / "settings.yaml"
    found = {"a-ride": {"settings": {"algorithm.entropy": 0.5, "algorithm.lr": 0.1}}}
    tuned.write_text(yaml.safe_dump({"general": found}))
    settings = entries.settings_of("a-ride-no-entropy", "general", tuned)
    assert (settings["algorithm.entropy"], settings["algorithm.lr"]) == (0, 0.1)
    assert "algorithm.lr" not in entries.settings_of("a-ride", "web-shopping", tuned)


def test_every_entry_and_every_range_is_a_setting() -> None:
    args = learning.arguments(
        ["--suite", "starter", "--algorithms", ",".join(entries.read_yaml(entries.ENTRIES))]
    )
    assert len(learning.plans(args)) == 3 * len(entries.read_yaml(entries.ENTRIES))
    for name in search.RANGES:
        wanted = search.plans(search.arguments(["--suite", "starter", "--algorithms", name, "--trials", "6"]))
        tried = [settings for _, settings, _ in wanted]
        assert tried[0] == {}
        assert tried[4] != tried[5]
        assert tried[4] == search.trial_settings(name, 4)
        assert tried[4].keys() == search.RANGES[name].keys()


def test_the_first_trials_move_the_learning_rate_alone() -> None:
    for name, ranges in search.RANGES.items():
        rate, span = next(iter(ranges.items()))
        assert rate in ("algorithm.lr", "warmstart.lr")
        tried = [search.trial_settings(name, trial) for trial in (1, 2, 3)]
        assert [list(settings) for settings in tried] == [[rate]] * 3
        middle, low, high = (float(str(settings[rate])) for settings in tried)
        assert (low, high) == (span.low, span.high)
        assert low < middle < high


def test_a_few_trials_try_low_middle_and_high_values() -> None:
    for name, ranges in search.RANGES.items():
        rates = [float(str(search.trial_settings(name, trial)[next(iter(ranges))])) for trial in range(4, 10)]
        first = next(iter(ranges.values()))
        shares = [math.log(rate / first.low) / math.log(first.high / first.low) for rate in rates]
        assert {min(2, int(3 * share)) for share in shares} == {0, 1, 2}
        assert len(set(rates)) == 6


def test_seeds_are_a_count_or_a_list() -> None:
    assert learning.read_seeds("3") == [0, 1, 2]
    assert learning.read_seeds("4,7") == [4, 7]
    assert learning.read_seeds("4,") == [4]
    for bad in ("x", "0", "-1,2"):
        with pytest.raises(ConfigError, match="--seeds"):
            learning.read_seeds(bad)


def test_cloning_gets_as_many_passes_as_fit() -> None:
    beats = [(100.0 + 0.5 * update, update, 12) for update in range(1, 13)]  # 3 passes of 4 updates
    assert passes_within(20.0, beats) == 10
    assert passes_within(0.1, beats) == 1


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    out = subprocess.run(
        [sys.executable, str(BENCH / "learning.py"), "--algorithms", "magic"],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert out.returncode == 1
    assert "there is no 'magic'" in out.stderr
    assert "Traceback" not in out.stderr


def test_a_run_stops_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    program = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); from learning_run import stop_with_caller\n"
        "stop_with_caller(); print('running', flush=True)\n"
        "try: time.sleep(60)\nexcept KeyboardInterrupt: print('stopped')"
    )
    command = [sys.executable, "-c", program, str(BENCH)]
    with subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *command],  # as in the background of a script
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.stdin.close()
        assert process.stdout.read() == "stopped\n"
        assert process.wait(timeout=20) == 0
    alone = subprocess.run(
        [sys.executable, "-c", program.replace("60", "0"), str(BENCH)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert alone.stdout == "running\n"  # nobody to mind
