"""A stand-in for `avdmanager`: create, list and delete AVDs, which are folders with settings."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from distrl.devices.emulator.avds import read_ini, write_ini
from distrl.devices.emulator.options import find_avd_home

DEVICES = ("pixel", "pixel_6", "pixel_7", "medium_phone")


class _Fault(Exception):
    """What the real one says before it ends with status 1."""


def main(words: list[str] | None = None) -> int:
    """Do what the words say; 1 on anything that the real one refuses."""
    parser = argparse.ArgumentParser(prog="avdmanager", add_help=False)
    parser.add_argument("-s", "--silent", action="store_true")
    parser.add_argument("verb", choices=["create", "list", "delete"])
    parser.add_argument("noun", choices=["avd", "device"])
    parser.add_argument("-n", "--name", default="")
    parser.add_argument("-k", "--package", default="")
    parser.add_argument("-d", "--device", default="")
    parser.add_argument("-p", "--path", default="")
    parser.add_argument("-c", "--compact", action="store_true")
    parser.add_argument("-f", "--force", action="store_true")
    args = parser.parse_args(words)
    home = find_avd_home("")
    try:
        if args.verb == "create":
            _create(args, home)
        elif args.verb == "delete":
            _delete(args.name, home)
        else:
            _list(args, home)
    except _Fault as fault:
        print(f"Error: {fault}", file=sys.stderr)
        return 1
    return 0


def _create(args: argparse.Namespace, home: Path) -> None:
    root = Path(os.environ.get("DISTRL_STANDIN_SDK", os.environ.get("ANDROID_SDK_ROOT", "")))
    image = args.package.replace(";", "/")
    if not args.name:
        raise _Fault("The parameter --name must be defined for action 'create avd'")
    if not args.package or not (root / image).is_dir():
        found = [";".join(path.relative_to(root).parts) for path in root.glob("system-images/*/*/*")]
        raise _Fault(
            "Package path is not valid. Valid system image paths are:\n" + "\n".join(found or ["null"])
        )
    if args.device and args.device not in DEVICES:
        raise _Fault(f"No device found matching --device {args.device}.")
    pointer, folder = home / f"{args.name}.ini", Path(args.path or home / f"{args.name}.avd")
    if pointer.exists() and not args.force:
        raise _Fault(
            f"Android Virtual Device '{args.name}' already exists.\nUse --force if you want to replace it."
        )
    if not args.device:
        print("Do you wish to create a custom hardware profile? [no] ", end="", flush=True)
        sys.stdin.readline()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = {
        "AvdId": args.name, "avd.ini.displayname": args.name, "image.sysdir.1": f"{image}/",
        "hw.device.name": args.device or "medium_phone", "hw.ramSize": "1536", "tag.id": "google_apis",
        "abi.type": "x86_64",
    }  # fmt: skip
    write_ini(folder / "config.ini", settings)
    write_ini(pointer, {"path": str(folder), "path.rel": f"avd/{folder.name}", "target": "android-34"})


def _delete(name: str, home: Path) -> None:
    pointer = home / f"{name}.ini"
    if not pointer.exists():
        raise _Fault(f"There is no Android Virtual Device named '{name}'.")
    shutil.rmtree(read_ini(pointer)["path"], ignore_errors=True)
    pointer.unlink()
    print(f"AVD '{name}' deleted.")


def _list(args: argparse.Namespace, home: Path) -> None:
    if args.noun == "device":
        print("\n".join(f'id: {number} or "{name}"' for number, name in enumerate(DEVICES)))
        return
    if not args.compact:
        print("Available Android Virtual Devices:")
    for pointer in sorted(home.glob("*.ini")):
        path = read_ini(pointer).get("path", "")
        print(pointer.stem if args.compact else f"    Name: {pointer.stem}\n    Path: {path}")


if __name__ == "__main__":
    sys.exit(main())
