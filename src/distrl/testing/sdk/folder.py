"""An Android SDK with stand-ins for its programs."""

from __future__ import annotations

import sys
from pathlib import Path

IMAGE = "system-images;android-34;google_apis;x86_64"
_PROGRAMS = {
    "emulator/emulator": "distrl.testing.sdk.emulator",
    "cmdline-tools/latest/bin/avdmanager": "distrl.testing.sdk.avdmanager",
}


def make_sdk(root: Path) -> Path:
    """Put the stand-ins and the description of a system image into a folder; returns it."""
    root = root.absolute()
    for path, module in _PROGRAMS.items():
        program = root / path
        program.parent.mkdir(parents=True, exist_ok=True)
        # By its own words Python would find the SDK from the script's folder, not that of the caller.
        program.write_text(
            f'#!/bin/sh\nDISTRL_STANDIN_SDK="{root}" exec "{sys.executable}" -m {module} "$@"\n'
        )
        program.chmod(0o755)
    image = root / IMAGE.replace(";", "/")
    image.mkdir(parents=True, exist_ok=True)
    (image / "source.properties").write_text("Pkg.Desc=A simulated phone\nAndroidVersion.ApiLevel=34\n")
    return root
