"""Where the Android SDK is, and the programs in it that start emulators."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from distrl.errors import DeviceError

USUAL = ("~/Android/Sdk", "~/Library/Android/sdk", "/opt/android-sdk", "/usr/lib/android-sdk")
GUIDE = "docs/emulators.md tells how to install it"


@dataclass(frozen=True)
class Sdk:
    """An SDK that has the emulator."""

    root: Path
    emulator: Path
    avdmanager: Path | None


def find_sdk(given: str = "") -> Sdk:
    """The SDK in the given folder, where ANDROID_HOME or ANDROID_SDK_ROOT says, or in a usual place."""
    if given:
        places = [given]
    else:
        named = [os.environ.get(name, "") for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT")]
        program = shutil.which("emulator")
        beside = [str(Path(program).resolve().parent.parent)] if program is not None else []
        places = [*filter(None, named), *USUAL, *beside]
    for place in places:
        root = Path(place).expanduser()
        emulator = root / "emulator" / "emulator"
        if os.access(emulator, os.X_OK):
            return Sdk(root, emulator, _find_avdmanager(root))
    looked = ", ".join(dict.fromkeys(places))
    raise DeviceError(
        f"there is no Android emulator in {looked}: set ANDROID_HOME or device.options.sdk; {GUIDE}"
    )


def _find_avdmanager(root: Path) -> Path | None:
    """The newest one: `latest` if there is one, or the highest version."""
    tools = root / "cmdline-tools"
    others = sorted(tools.glob("*/bin/avdmanager"), reverse=True)
    choices = [tools / "latest" / "bin" / "avdmanager", *others, root / "tools" / "bin" / "avdmanager"]
    return next((path for path in choices if os.access(path, os.X_OK)), None)
