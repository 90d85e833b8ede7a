"""`distrl doctor` and `distrl devices list`: what is found and said of it, and that nothing is started."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from distrl.config import RunConfig
from distrl.errors import RunError
from distrl.recording import Recorder, RunFolder
from distrl.testing.phones import NO_ADB, free_port, has_adb, private_adb, served_phones
from distrl.view import devices, doctor, host


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with no programs, no SDK, and no adb server."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_AVD_HOME", "ANDROID_USER_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(free_port()))
    monkeypatch.setattr(host, "SDK_PLACES", ("~/Android/Sdk",))
    (tmp_path / "bin").mkdir()
    return tmp_path


def program(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def findings() -> dict[str, doctor.Finding]:
    return {finding.name: finding for finding in asyncio.run(doctor.look())}


def test_a_bare_machine_can_train_and_learns_what_it_lacks(bare: Path) -> None:
    found = findings()
    for name in ("adb", "Android SDK", "Chromium"):
        assert found[name].status == doctor.MISSING
        assert "apt install" in found[name].mend
        assert found[name].needed_for.startswith("only for")
        assert not found[name].required
    assert doctor.examine(as_json=True)


def test_every_trouble_has_a_remedy_and_a_purpose(bare: Path) -> None:
    for finding in findings().values():
        assert finding.needed_for
        assert finding.status == doctor.OK or finding.mend or finding.name in ("GPU", "adb server"), finding


def test_what_the_training_needs_decides(monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
    real = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "torch" else real(name))
    assert not doctor.examine(as_json=False)


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
    real = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "ray" else real(name))
    assert findings()["extra ray"].mend == "pip install 'distrl[ray]'"


def test_programs_that_hang_do_not_hang_the_doctor(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "ASK_S", 0.2)
    for name in ("nvidia-smi", "chromium"):
        program(bare / "bin" / name, "exec /bin/sleep 600")
    assert asyncio.run(host.output_of(str(bare / "bin" / "chromium"), timeout_s=0.2)) is None
    assert findings()["Chromium"].status == doctor.OK  # it is there, whatever it says of itself


def test_the_sdk_and_its_parts(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sdk = bare / "sdk"
    program(sdk / "emulator" / "emulator", "")
    monkeypatch.setenv("ANDROID_HOME", str(sdk))
    found = findings()
    assert found["emulator"].status == doctor.OK
    assert found["system images"].status == doctor.MISSING
    assert "system-images;" in found["system images"].mend
    image = sdk / "system-images/android-34/google_apis/x86_64/system.img"
    image.parent.mkdir(parents=True)
    image.touch()
    program(sdk / "cmdline-tools/latest/bin/avdmanager", "")
    assert findings()["system images"].found == "android-34/google_apis/x86_64"
    assert findings()["avdmanager"].status == doctor.OK


def test_a_graphics_card_that_torch_cannot_use(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "bin" / "nvidia-smi", "echo 'NVIDIA L4, 23034 MiB'")
    monkeypatch.setattr(doctor, "_torch_for_cpu", lambda: True)
    assert findings()["GPU"].status == doctor.WARNING
    monkeypatch.setattr(doctor, "_torch_for_cpu", lambda: False)
    assert findings()["GPU"].found == "NVIDIA L4, 23034 MiB"


def test_no_adb_server_is_started(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mark = bare / "started"
    program(bare / "bin" / "adb", f'[ "$1" = version ] && echo "Version 1" || echo x > {mark}')
    assert findings()["adb server"].status == doctor.WARNING
    devices.list_attached(start_server=False, as_json=False)
    assert not mark.exists()
    assert "--start-server" in capsys.readouterr().out


def test_virtual_devices_and_browsers_are_listed(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    avds = bare / ".android" / "avd"
    avds.mkdir(parents=True)
    (avds / "Pixel_7.ini").touch()
    program(bare / "bin" / "chromium", "")
    devices.list_attached(start_server=False, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["avds"] == ["Pixel_7"]
    assert [Path(browser).name for browser in told["browsers"]] == ["chromium"]


@pytest.mark.skipif(not has_adb(), reason=NO_ADB)
def test_attached_phones_introduce_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with private_adb(tmp_path) as adb, served_phones(2) as phones:
        for serial in phones.serials:
            adb.run("connect", serial)
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        devices.list_attached(start_server=False, as_json=True)
        told = json.loads(capsys.readouterr().out)["phones"]
        assert sorted(phone["serial"] for phone in told) == sorted(phones.serials)
        assert {(phone["state"], phone["simulated"]) for phone in told} == {("device", True)}
        assert all("x" in phone["screen"] and phone["model"] and phone["android"] for phone in told)
        assert findings()["phones"].found == "2 ready"


def test_the_fleet_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = RunFolder.create(tmp_path / "run", RunConfig())
    with pytest.raises(RunError, match="nothing about devices"):
        devices.list_fleet(folder.path, as_json=False)
    recorder = Recorder(folder, "worker-0")
    recorder.event("device", device="phone-7", slot=0, state="quarantined", why="hang: no answer")
    numbers = {"faults": 3.0, "faults/hang": 3.0, "survived/hang": 2.0, "mend_s/hang/median": 1.5}
    recorder.metrics("device", numbers, device="phone-7", slot="0")
    devices.list_fleet(folder.path, as_json=False)
    text = capsys.readouterr().out
    assert "phone-7" in text
    assert "quarantined" in text
    assert "1.5 s" in text
    devices.list_fleet(folder.path, as_json=True)
    assert json.loads(capsys.readouterr().out)[0]["faults/hang"] == 3.0
