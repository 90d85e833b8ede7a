"""A dry run: what would be done is told, and nothing is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl.config import resolve
from distrl.devices.simulated import SimulatedDevice
from distrl.view.rehearsing import rehearse_play, rehearse_training


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated phones that must not be used for anything but looking."""

    async def forbidden(*_: object) -> None:
        raise AssertionError("something was sent")

    for name in ("act", "reset", "probe"):
        monkeypatch.setattr(SimulatedDevice, name, forbidden)


def test_training_is_rehearsed(
    untouched: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rehearse_training(resolve("tiny", overrides=["collect.devices=2"]))
    text = capsys.readouterr().out
    assert text.count("would: reset") == 2
    assert text.count("would:") >= 4
    assert "2 of 2 devices could be used" in text
    assert list(tmp_path.iterdir()) == []


def test_playing_is_rehearsed(untouched: None, capsys: pytest.CaptureFixture[str]) -> None:
    rehearse_play(None, None, None, 3, {})
    assert "would: " in capsys.readouterr().out
