"""A stand-in for `emulator`: boots an AVD, which here is a simulated phone that is kept in the AVD's folder.

It listens where the real one does (console, adb, gRPC), registers with the adb server, keeps snapshots in the
AVD, and its data in `userdata-qemu.img`, so that a cold boot finds what was there before. Two variables make
it quicker or slower: DISTRL_STANDIN_CLOCK (`real` or `actions`) and DISTRL_STANDIN_BOOT_S.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from distrl.devices.emulator.avds import read_ini
from distrl.devices.emulator.options import find_avd_home
from distrl.simphone.adbd import listening
from distrl.simphone.emulator.console import EmulatorConsole, make_token_file
from distrl.simphone.emulator.snapshots import SnapshotError, Snapshots
from distrl.simphone.served import Conduct, ServedPhone

VERSION = "36.1.9.0 (build_id 00000000) stand-in of distrl"
DEFAULT_SNAPSHOT = "default_boot"
FLAGS = {
    "-no-window", "-no-audio", "-no-boot-anim", "-no-skin", "-no-snapshot", "-no-snapshot-load",
    "-no-snapshot-save", "-no-snapstorage", "-wipe-data", "-read-only", "-verbose", "-show-kernel",
    "-list-avds", "-version", "-accel-check", "-no-metrics", "-no-cache", "-delay-adb",
}  # fmt: skip
VALUES = {
    "-avd", "-port", "-ports", "-snapshot", "-grpc", "-gpu", "-memory", "-cores", "-adb-path", "-feature",
    "-accel", "-skin", "-camera-back", "-camera-front", "-partition-size", "-prop", "-netdelay", "-netspeed",
    "-network-user-mode-options", "-wifi-user-mode-options",
}  # fmt: skip


class _Fault(Exception):
    """What the real one says before it ends with status 1."""


@dataclass
class Wish:
    """What the arguments ask for."""

    avd: str
    flags: set[str]
    values: dict[str, str]

    @property
    def ports(self) -> tuple[int, int]:
        """Of the console and of adb."""
        if "-ports" in self.values:
            console, _, adb = self.values["-ports"].partition(",")
            return _port(console), _port(adb)
        console_port = _port(self.values.get("-port", "5554"))
        if console_port % 2:
            raise _Fault("ERROR: -port must be followed by an even integer number")
        return console_port, console_port + 1

    @property
    def snapshot(self) -> str:
        """The snapshot to boot from; none for a cold boot."""
        if self.flags & {"-no-snapshot", "-no-snapshot-load", "-wipe-data"}:
            return ""
        return self.values.get("-snapshot", DEFAULT_SNAPSHOT)


def main() -> int:
    """Do what the words say, until told to end."""
    home = find_avd_home("")
    try:
        wish = read_words(sys.argv[1:])
        if "-version" in wish.flags:
            print(f"Android emulator version {VERSION}")
            return 0
        if "-accel-check" in wish.flags:
            print("accel:\n0\nThe stand-in needs no acceleration.\naccel")
            return 0
        if "-list-avds" in wish.flags:
            print("\n".join(sorted(pointer.stem for pointer in home.glob("*.ini"))))
            return 0
        folder = _find(wish.avd, home)
        lock = _lock(folder) if "-read-only" not in wish.flags else None
        print(f"INFO    | Android emulator version {VERSION}", flush=True)
        asyncio.run(_run(wish, folder))
        if lock is not None:
            lock.close()
    except _Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def read_words(words: list[str]) -> Wish:
    """The arguments, as the real one reads them."""
    wish = Wish("", set(), {})
    waiting = iter(words)
    for word in waiting:
        if word.startswith("@"):
            wish.avd = word[1:]
        elif word in FLAGS:
            wish.flags.add(word)
        elif word in VALUES:
            value = next(waiting, None)
            if value is None:
                raise _Fault(f"option {word} requires an argument")
            wish.values[word] = value
        else:
            raise _Fault(f"unknown option: {word}\nplease use -help for a list of valid options")
    wish.avd = wish.values.get("-avd", wish.avd)
    return wish


def _port(text: str) -> int:
    if not text.isdecimal() or not 1024 <= int(text) < 65536:
        raise _Fault(f"ERROR: {text!r} is no port")
    return int(text)


def _find(avd: str, home: Path) -> Path:
    if not avd:
        raise _Fault(
            "ERROR: No AVD specified. Use '@foo' or '-avd foo' to launch a virtual device named 'foo'"
        )
    pointer = home / f"{avd}.ini"
    if not pointer.exists():
        raise _Fault(f"PANIC: Unknown AVD name [{avd}], use -list-avds to see valid list.")
    folder = Path(read_ini(pointer)["path"])
    if not (folder / "config.ini").exists():
        raise _Fault(f"PANIC: Broken AVD: {folder}")
    return folder


def _lock(folder: Path) -> IO[str]:
    file = (folder / "multiinstance.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise _Fault(
            "FATAL   | Running multiple emulators with the same AVD is an experimental feature.\n"
            "Please use -read-only flag to enable this feature."
        ) from error
    return file


async def _run(wish: Wish, folder: Path) -> None:
    console_port, adb_port = wish.ports
    conduct = Conduct(clock=os.environ.get("DISTRL_STANDIN_CLOCK", "real"))
    served = ServedPhone(wish.avd, console_port, conduct)
    snapshots = Snapshots(served, folder / "snapshots")
    ending = asyncio.Event()
    phone = listening.ListeningPhone(served, adb_port)
    token = make_token_file(Path.home())
    console = EmulatorConsole(console_port, wish.avd, snapshots, switch_off=ending.set, token_file=token)
    faces: list[Callable[[], Awaitable[None]]] = [phone.stop, console.stop]
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    try:
        await console.start()
        await asyncio.sleep(float(os.environ.get("DISTRL_STANDIN_BOOT_S", "0")))
        _load(wish, served, snapshots, folder)
        await phone.start()
        if "-grpc" in wish.values:
            from distrl.simphone.emulator.grpc_face import GrpcFace

            service = GrpcFace(served, _port(wish.values["-grpc"]), snapshots, ending.set)
            await service.start()
            faces.append(service.stop)
    except OSError as error:
        raise _Fault(f"ERROR   | cannot listen on port {console_port} or {adb_port}: {error}") from error
    listening.REGISTER_EVERY_S = 0.1  # after a snapshot is loaded, adb should not have to wait
    server = int(os.environ.get("ANDROID_ADB_SERVER_PORT", "5037"))
    registration = asyncio.ensure_future(listening.keep_registered([phone], server))
    print("INFO    | Boot completed", flush=True)
    await ending.wait()
    registration.cancel()
    if "-read-only" not in wish.flags:
        (folder / "userdata-qemu.img").write_bytes(served.phone.snapshot())
    for stop in faces:
        await stop()


def _load(wish: Wish, served: ServedPhone, snapshots: Snapshots, folder: Path) -> None:
    """Begin from a snapshot, or cold with the data that the AVD has; a bad snapshot means a cold boot."""
    data = folder / "userdata-qemu.img"
    if data.exists() and "-wipe-data" not in wish.flags:
        served.phone.restore(data.read_bytes())
        served.reboot(0)
    if wish.snapshot in snapshots.names():
        try:
            snapshots.load(wish.snapshot)
            print(f"INFO    | Loaded snapshot '{wish.snapshot}'", flush=True)
        except SnapshotError as error:
            print(f"WARNING | {error}; booting cold", flush=True)


if __name__ == "__main__":
    sys.exit(main())
