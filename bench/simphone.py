"""How fast the simulated phone is, on one core: steps with and without pixels, restore, boot, memory.

    python bench/simphone.py            # about half a minute
    python bench/simphone.py --quick    # a few seconds
    python bench/simphone.py --json     # one JSON object

A step is one action (mostly taps on what is clickable, some swipes, typing, keys) and one observation. Every
fifty steps the phone gets another seed, so that screens differ. On a machine that others use as well, the
figures per second of processor time (`steps_per_cpu_s`) say more than those by the wall clock.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Callable

import zstandard

from distrl.simphone import Phone

EPISODE = 50
TARGETS = {
    "steps_per_s_full": 500.0,
    "steps_per_s_quarter": 1500.0,
    "steps_per_s_tree": 5000.0,
    "restore_ms": 1.0,
    "boot_ms": 5.0,
    "memory_1000_phones_mb": 2000.0,
}
LOWER_IS_BETTER = ("restore_ms", "boot_ms", "memory_1000_phones_mb")


def act(phone: Phone, source: random.Random) -> None:
    """One plausible action: what a policy in training does, more or less."""
    draw = source.random()
    clickable = [node for node in phone.tree() if node.clickable]
    if draw < 0.75 and clickable:
        phone.tap(*source.choice(clickable).centre)
    elif draw < 0.88:
        phone.swipe(206, 560, 206, 200)
    elif draw < 0.94:
        phone.type_text("shoes")
    else:
        phone.key(source.choice(("BACK", "HOME", "ENTER")))


APPS = ("Settings", "Contacts", "Notes", "Browser", "Messages", "Mail", "Clock", "Calendar", "Files", "Music",
        "Maps", "Weather", "Store", "Calculator")  # fmt: skip


def steps_per_s(steps: int, observe: Callable[[Phone], None], first_seed: int = 0) -> tuple[float, float]:
    """Steps per second of a phone that is reset now and then: by the wall clock and by processor time."""
    source = random.Random(first_seed)
    phone = Phone(first_seed)
    start, start_cpu = time.perf_counter(), time.process_time()
    for step in range(steps):
        if step % EPISODE == 0:
            phone.reset(first_seed + step // EPISODE)
            if source.random() < 0.7:
                phone.open_app(source.choice(APPS))
        act(phone, source)
        observe(phone)
    return steps / (time.perf_counter() - start), steps / (time.process_time() - start_cpu)


def observer(reduction: int) -> Callable[[Phone], None]:
    """Take the tree and, unless `reduction` is 0, the screenshot reduced by that factor and compressed."""
    compressor = zstandard.ZstdCompressor(level=1)

    def observe(phone: Phone) -> None:
        phone.tree()
        if reduction:
            compressor.compress(phone.frame(reduction).tobytes())

    return observe


def memory_mb() -> float:
    """Resident memory of this process."""
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def idle_memory_mb(count: int) -> float:
    """Resident memory of a process with a thousand phones, each after a few steps; scaled up from `count`."""
    source = random.Random(1)
    before = memory_mb()
    phones = []
    for seed in range(count):
        phone = Phone(seed)
        phone.open_app(source.choice(APPS))
        for _ in range(3):
            act(phone, source)
        phone.frame()
        phones.append(phone)
    return before + (memory_mb() - before) * 1000 / len(phones)


def timed_ms(repeat: int, work: Callable[[], object]) -> float:
    """The mean duration of `work`."""
    start = time.perf_counter()
    for _ in range(repeat):
        work()
    return (time.perf_counter() - start) / repeat * 1e3


def measure(quick: bool) -> dict[str, float]:
    """All figures."""
    steps = 1000 if quick else 6000
    for reduction in (1, 4):
        steps_per_s(steps // 2, observer(reduction), 100_000)
    phone = Phone(3)
    source = random.Random(3)
    for _ in range(60):
        act(phone, source)
    snapshot = phone.snapshot()
    figures: dict[str, float] = {}
    # Each figure has seeds of its own: none profits from what another has painted with the same looks.
    for number, (name, reduction) in enumerate((("full", 1), ("half", 2), ("quarter", 4), ("tree", 0)), 1):
        wall, processor = steps_per_s(steps, observer(reduction), number * 1_000)
        figures[f"steps_per_s_{name}"] = wall
        figures[f"steps_per_cpu_s_{name}"] = processor
    return figures | {
        "restore_ms": timed_ms(300, lambda: phone.restore(snapshot)),
        "boot_ms": timed_ms(300, lambda: Phone(7).frame_version),
        "memory_1000_phones_mb": idle_memory_mb(200 if quick else 1000),
    }


def main() -> int:
    """Print the figures; the exit status is 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer steps and phones")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    figures = measure(args.quick)
    met = {
        name: figures[name] <= target if name in LOWER_IS_BETTER else figures[name] >= target
        for name, target in TARGETS.items()
    }
    if args.json:
        print(json.dumps({"figures": figures, "targets": TARGETS, "met": met}))
    else:
        for name, value in figures.items():
            verdict = (
                f"target {TARGETS[name]:6.0f}   {'ok' if met[name] else 'MISSED'}" if name in met else ""
            )
            print(f"{name:26} {value:10.2f}   {verdict}".rstrip())
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
