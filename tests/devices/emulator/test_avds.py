import asyncio
import struct
from pathlib import Path

import pytest

from distrl.devices.emulator.avds import Avds, read_ini
from distrl.devices.emulator.disks import base_of, move_base
from distrl.devices.emulator.options import EmulatorOptions
from distrl.devices.emulator.sdk import Sdk, find_sdk
from distrl.errors import DeviceError
from distrl.testing.sdk.folder import make_sdk

PORT = 5554


@pytest.fixture
def sdk(tmp_path: Path) -> Sdk:
    return find_sdk(str(make_sdk(tmp_path / "sdk")))


def overlay(path: Path, base: str) -> None:
    """The beginning of a qcow2 file that lies on another one."""
    name = base.encode()
    path.write_bytes(struct.pack(">4sIQII", b"QFI\xfb", 3, 112, len(name), 16).ljust(112, b"\0") + name)


def prepared(home: Path) -> Path:
    folder = home / "mine.avd"
    (folder / "snapshots" / "default_boot").mkdir(parents=True)
    (folder / "config.ini").write_text("AvdId=mine\nhw.ramSize = 1024\nimage.sysdir.1=x/\n")
    (folder / "hardware-qemu.ini").write_text(f"disk.dataPartition.path = {folder}/userdata-qemu.img\n")
    (folder / "multiinstance.lock").touch()
    (folder / "userdata-qemu.img").write_bytes(b"apps")
    overlay(folder / "userdata-qemu.img.qcow2", f"{folder}/userdata-qemu.img")
    overlay(folder / "system.img.qcow2", "/sdk/system.img")
    (home / "mine.ini").write_text(f"path={folder}\ntarget=android-34\n")
    return folder


def test_a_copy_knows_nothing_of_the_original(sdk: Sdk, tmp_path: Path) -> None:
    original = prepared(tmp_path / "avds")
    avds = Avds(sdk, EmulatorOptions(avd="mine", avd_home=tmp_path / "avds", ram_mb=3072))
    asyncio.run(avds.ensure(PORT))
    copy = avds.folder(PORT)
    assert read_ini(tmp_path / "avds" / "distrl_5554.ini")["path"] == str(copy)
    settings = read_ini(copy / "config.ini")
    assert (settings["AvdId"], settings["hw.ramSize"], settings["image.sysdir.1"]) == (
        "distrl_5554", "3072", "x/",
    )  # fmt: skip
    assert str(original) not in (copy / "hardware-qemu.ini").read_text()
    assert base_of(copy / "userdata-qemu.img.qcow2") == f"{copy}/userdata-qemu.img"
    assert base_of(copy / "system.img.qcow2") == "/sdk/system.img"
    assert not (copy / "snapshots").exists()
    assert not (copy / "multiinstance.lock").exists()
    assert base_of(original / "userdata-qemu.img.qcow2") == f"{original}/userdata-qemu.img"


def test_an_avd_is_made_once_and_again_only_when_its_recipe_changes(sdk: Sdk, tmp_path: Path) -> None:
    home = tmp_path / "avds"
    original = prepared(home)
    avds = Avds(sdk, EmulatorOptions(avd="mine", avd_home=home))
    asyncio.run(avds.ensure(PORT))
    mark = avds.folder(PORT) / "mark"
    mark.touch()
    asyncio.run(avds.ensure(PORT))
    assert mark.exists()
    (original / "userdata-qemu.img").write_bytes(b"more apps")
    asyncio.run(avds.ensure(PORT))
    assert not mark.exists()
    assert (avds.folder(PORT) / "userdata-qemu.img").read_bytes() == b"more apps"
    mark.touch()
    asyncio.run(avds.ensure(PORT, anew=True))
    assert not mark.exists()
    asyncio.run(Avds(sdk, EmulatorOptions(avd_home=home, cores=4)).ensure(PORT))  # now by avdmanager
    assert read_ini(avds.folder(PORT) / "config.ini")["hw.cpu.ncore"] == "4"


def test_a_name_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "disk.qcow2"
    overlay(path, "/a/disk.img")
    assert not move_base(path, "/b", "/c")
    with pytest.raises(OSError, match="no room"):
        move_base(path, "/a", "/" + "x" * 70000)
    assert base_of(path) == "/a/disk.img"
    (tmp_path / "raw.img").write_bytes(b"no overlay")
    assert base_of(tmp_path / "raw.img") == ""


def test_the_sdk_is_found_where_the_environment_says(
    sdk: Sdk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert sdk.avdmanager is not None
    monkeypatch.setenv("ANDROID_HOME", str(tmp_path / "nothing"))
    monkeypatch.setenv("ANDROID_SDK_ROOT", str(sdk.root))
    assert find_sdk() == sdk
    with pytest.raises(DeviceError, match="set ANDROID_HOME"):
        find_sdk(str(tmp_path))
