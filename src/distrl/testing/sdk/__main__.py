"""`python -m distrl.testing.sdk FOLDER`: an SDK to try emulators with, where there is no KVM."""

from __future__ import annotations

import sys
from pathlib import Path

from distrl.testing.sdk.folder import make_sdk


def main() -> int:
    """Make the folder and say what to type next."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print("usage: python -m distrl.testing.sdk FOLDER", file=sys.stderr)
        return 2
    root = make_sdk(Path(sys.argv[1]))
    print(f"A stand-in for the Android SDK, with simulated phones for emulators, is in {root}")
    print("Try it:")
    print(f"  export ANDROID_HOME={root} ANDROID_AVD_HOME={root}/avds")
    print("  distrl train --preset tiny --device emulator --devices 2")
    return 0


if __name__ == "__main__":
    sys.exit(main())
