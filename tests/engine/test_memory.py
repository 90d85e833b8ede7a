"""Memory that is not used any more goes back to the system, and garbage is searched for less often."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Many blocks, every second of which is freed: too small to be returned one by one, and never at the end.
SCRIPT = """
from pathlib import Path
from distrl.engine.memory import give_back, spare_collections

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1])

spare_collections()
pages = [bytes(60_000) for _ in range(4_000)]
kept = pages[::2]
before = resident()
del pages
held = resident()
give_back()
print(before, held, resident())
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or not Path("/proc/self/statm").exists(), reason="needs Linux"
)
def test_gaps_between_blocks_in_use_are_given_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60
    )
    before, held, after = map(int, done.stdout.split())
    assert held > 0.9 * before
    assert after < 0.7 * before
