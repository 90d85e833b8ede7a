"""What processes take from the machine, for `fleet.py`: processor time and memory, from Linux's /proc."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Look:
    """One look at a process, or with no memory at the whole machine."""

    at: float  # time.time()
    cpu_s: float  # used since its start
    memory_mb: float = 0.0


@dataclass
class Watch:
    """Looks at some processes now and then."""

    looks: dict[str, list[Look]] = field(default_factory=dict)  # by name
    machine: list[Look] = field(default_factory=list)

    def look(self, pids: Mapping[str, int]) -> None:
        """Note how all of them are doing."""
        for name, pid in pids.items():
            self.looks.setdefault(name, []).append(look_at(pid))
        self.machine.append(look_at_machine())


def look_at(pid: int) -> Look:
    """A process's time and memory."""
    # The second field is the program's name in brackets, which may hold blanks.
    numbers = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return Look(time.time(), (int(numbers[11]) + int(numbers[12])) / TICKS, pages * PAGE / 1e6)


def look_at_machine() -> Look:
    """Seconds that all cores together have worked for anybody."""
    user, nice, system, _idle, _iowait, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text(encoding="utf-8").split("\n")[0].split()[1:]
    )
    return Look(time.time(), (user + nice + system + irq + softirq) / TICKS)


def between(looks: Sequence[Look], begin: float, end: float) -> list[Look]:
    """Those within a time."""
    return [each for each in looks if begin <= each.at <= end]


def cores(looks: Sequence[Look]) -> float:
    """How many cores it kept busy."""
    if len(looks) < 2:
        return 0.0
    return (looks[-1].cpu_s - looks[0].cpu_s) / (looks[-1].at - looks[0].at)


def growth_mb_per_hour(looks: Sequence[Look]) -> float:
    """The slope of its memory, as a straight line through all looks."""
    if len(looks) < 2:
        return 0.0
    line = linear_regression([each.at for each in looks], [each.memory_mb for each in looks])
    return 3600 * line.slope
