"""The bench of a large fleet: its arithmetic, and a tiny fleet."""

from __future__ import annotations

import json
import os

import fleet
import pytest
from fleet_watch import Look, Watch, between, cores, growth_mb_per_hour, look_at, look_at_machine

from distrl.recording import Line

TINY = ["--phones", "4", "--minutes", "0.05", "--settle", "4", "--time-scale", "0.01", "--json",
        "--set", "warmstart.demonstrations=0", "--set", "policy.width=32", "--set", "policy.layers=1",
        "--set", "suite=starter"]  # fmt: skip


def test_cores_and_growth_are_slopes() -> None:
    looks = [Look(at, cpu_s=0.5 * at, memory_mb=100 + at / 3600) for at in range(0, 1000, 5)]
    assert cores(looks) == pytest.approx(0.5)
    assert growth_mb_per_hour(looks) == pytest.approx(1.0)
    assert len(between(looks, 10, 20)) == 3
    assert cores(looks[:1]) == growth_mb_per_hour(looks[:1]) == 0.0


def test_a_process_can_be_looked_at() -> None:
    look = look_at(os.getpid())
    assert 1.0 < look.memory_mb < 100_000
    assert look.cpu_s > 0
    assert look_at_machine().cpu_s > look.cpu_s


def test_the_share_of_ideal_is_the_phones_own_share_of_their_time() -> None:
    def reading(t: float, device_s: float) -> Line:
        values: dict[str, float | None] = {
            "device": device_s,
            "policy": 0.0,
            "lag_mean_s": 0.0,
            "lag_max_s": 0.2,
        }
        return Line(t, "worker-0", "metrics", "ledger", values)

    episode = {"device": "sim-0", "began": 0.0, "ended": 50.0, "steps": 80}
    lines = [reading(0.0, 0.0), Line(50.0, "worker-0", "episode", fields=episode), reading(100.0, 160.0)]
    figures = fleet.report(fleet.Plan(2, 1, 100 / 60), lines, Watch(), 0.0, 100.0)
    assert figures["share_of_ideal"] == pytest.approx(0.8)  # 160 of 2 x 100 s
    assert figures["steps_per_s"] == pytest.approx(0.8)
    assert figures["mean_device_s_per_step"] == pytest.approx(2.0)
    assert figures["ideal_steps_per_s"] == pytest.approx(1.0)  # 2 phones / 2 s
    assert fleet.verdicts(figures) == {"at least 90% of ideal": False}


@pytest.mark.parametrize(("minutes", "growth", "holds"), [(60.0, 4.0, True), (60.0, 6.0, False)])
def test_memory_is_judged_after_a_long_run(minutes: float, growth: float, holds: bool) -> None:
    figures: dict[str, object] = {
        "share_of_ideal": 0.95,
        "minutes": minutes,
        "memory_mb": {"replay": 100.0},
        "memory_growth_mb_per_hour": {"replay": growth},
    }
    assert fleet.verdicts(figures)["memory of replay grows by at most 5% an hour"] is holds


def test_a_tiny_fleet_tells_all(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "LOOK_EVERY_S", 0.3)
    fleet.main(TINY)  # whose status says whether targets were met: too short to tell
    report = json.loads(capsys.readouterr().out)
    assert report["steps_per_s"] > 0
    assert sum(report["time_of_phones"].values()) == pytest.approx(1.0)
    assert report["ideal_steps_per_s"] > report["steps_per_s"]
    assert set(report["memory_mb"]) == {"replay", "worker-0", "worker-1"}
