"""One virtual device (AVD) for each port, made once: copied from a prepared one, or created by avdmanager.

Each emulator needs an AVD of its own, since it writes to it. What an AVD was made from is noted in it; it is
made anew only when that changes, or when nothing else helps against a fault.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from distrl.devices.emulator.disks import move_base
from distrl.devices.emulator.options import EmulatorOptions
from distrl.devices.emulator.sdk import GUIDE, Sdk
from distrl.errors import DeviceError, DeviceTimeout

RECIPE = "distrl-recipe.json"
CREATE_S = 60.0
_FORGET = ("snapshots", "*.lock", "*.partial", RECIPE)  # of a prepared AVD: snapshots remember its folder


class Avds:
    """The AVDs that distrl made in a folder; `options` decide what they are made from."""

    def __init__(self, sdk: Sdk, options: EmulatorOptions) -> None:
        self._sdk = sdk
        self._options = options
        self.home = options.avd_home

    def name(self, port: int) -> str:
        """What the AVD of an emulator is called."""
        return f"distrl_{port}"

    def folder(self, port: int) -> Path:
        """Where its files are."""
        return self.home / f"{self.name(port)}.avd"

    def has_snapshot(self, port: int) -> bool:
        """Whether its clean snapshot was saved."""
        return (self.folder(port) / "snapshots" / self._options.snapshot).is_dir()

    async def ensure(self, port: int, *, anew: bool = False) -> None:
        """Make the AVD unless it is there; `anew` makes it in any case."""
        recipe = self._recipe()
        note = self.folder(port) / RECIPE
        if not anew and note.exists() and note.read_text() == recipe:
            return
        await asyncio.to_thread(self._remove, port)
        if self._options.avd:
            await asyncio.to_thread(self._copy, self._options.avd, port)
        else:
            await self._create(port)
        self._configure(port)
        note.write_text(recipe)

    def _recipe(self) -> str:
        """What an AVD is made from; for a prepared one with a fingerprint of its files."""
        options = self._options
        made_from: dict[str, object] = {"ram_mb": options.ram_mb, "cores": options.cores}
        if not options.avd:
            return json.dumps(made_from | {"image": options.image, "hardware": options.hardware})
        folder = self._prepared(options.avd)
        files = sorted(path for path in folder.glob("*") if path.suffix in (".img", ".qcow2"))
        stamps = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
        content = repr(stamps).encode() + (folder / "config.ini").read_bytes()
        return json.dumps(made_from | {"avd": options.avd, "files": hashlib.sha256(content).hexdigest()})

    def _prepared(self, name: str) -> Path:
        """The folder of a prepared AVD."""
        pointer = self.home / f"{name}.ini"
        folder = self.home / f"{name}.avd"
        if pointer.exists():
            named = read_ini(pointer).get("path", "")
            folder = Path(named) if named else folder
        if not (folder / "config.ini").exists():
            known = sorted(path.stem for path in self.home.glob("*.ini"))
            raise DeviceError(
                f"there is no AVD {name!r} in {self.home}; there are: {', '.join(known) or 'none'}"
            )
        return folder

    def _remove(self, port: int) -> None:
        shutil.rmtree(self.folder(port), ignore_errors=True)
        (self.home / f"{self.name(port)}.ini").unlink(missing_ok=True)

    def _copy(self, source: str, port: int) -> None:
        """Copy a prepared AVD, and let the copy forget where it came from."""
        before, after = self._prepared(source), self.folder(port)
        partial = after.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(before, partial, ignore=shutil.ignore_patterns(*_FORGET))
        for path in partial.glob("*.ini"):
            path.write_text(path.read_text().replace(str(before), str(after)))
        for path in partial.glob("*.qcow2"):
            move_base(path, str(before), str(after))
        partial.rename(after)
        target = ""
        if (self.home / f"{source}.ini").exists():
            target = read_ini(self.home / f"{source}.ini").get("target", "")
        pointer = {"avd.ini.encoding": "UTF-8", "path": str(after), "path.rel": f"avd/{after.name}"}
        write_ini(self.home / f"{self.name(port)}.ini", pointer | ({"target": target} if target else {}))

    async def _create(self, port: int) -> None:
        program, image = self._sdk.avdmanager, self._options.image
        if program is None:
            raise DeviceError(f"{self._sdk.root} has no avdmanager: install the SDK's cmdline-tools; {GUIDE}")
        if not (self._sdk.root / image.replace(";", "/")).is_dir():
            raise DeviceError(f'the system image is missing: install it with: sdkmanager "{image}"')
        self.home.mkdir(parents=True, exist_ok=True)
        words = ["create", "avd", "--name", self.name(port), "--package", image, "--force"]
        process = await asyncio.create_subprocess_exec(
            str(program), *words, "--device", self._options.hardware,
            env={**os.environ, "ANDROID_AVD_HOME": str(self.home), "ANDROID_SDK_ROOT": str(self._sdk.root)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        try:
            async with asyncio.timeout(CREATE_S):
                output, _ = await process.communicate()
        except TimeoutError as error:
            raise DeviceTimeout(f"avdmanager did not end within {CREATE_S:g} s") from error
        finally:
            if process.returncode is None:
                process.kill()
        if process.returncode != 0 or not (self.folder(port) / "config.ini").exists():
            said = " ".join(output.decode("utf-8", "replace").split()) or "nothing"
            raise DeviceError(f"avdmanager made no AVD (status {process.returncode}); it said: {said}")

    def _configure(self, port: int) -> None:
        path = self.folder(port) / "config.ini"
        name = self.name(port)
        wanted = {"AvdId": name, "avd.ini.displayname": name, "hw.ramSize": str(self._options.ram_mb),
                  "hw.cpu.ncore": str(self._options.cores), "hw.keyboard": "yes"}  # fmt: skip
        write_ini(path, read_ini(path) | wanted)


def read_ini(path: Path) -> dict[str, str]:
    """The settings of one of the SDK's .ini files, which have no sections."""
    pairs = re.findall(r"^\s*([^#=\s]+)\s*=\s*(.*?)\s*$", path.read_text(), re.MULTILINE)
    return dict(pairs)


def write_ini(path: Path, settings: dict[str, str]) -> None:
    """Write such a file."""
    path.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
