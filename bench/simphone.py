"""How fast the simulated phone is, on one core: steps with and without pixels, restore, boot, memory.

    python bench/simphone.py            # five to eight minutes
    python bench/simphone.py --quick    # about one minute
    python bench/simphone.py --json     # one JSON object

A step is one action, a second of the phone's time and one observation: the tree and, except for `tree`, the
screenshot at full, half or quarter size, compressed. Two mixes of actions are measured:

  steps_…    mostly taps on something clickable, some swipes, typing, keys. Every fifty steps the phone gets
             another seed, so another look and order, but keeps its content. The targets are for these.
  expert_…   what the scripted expert, every fourth action replaced by a random one, did in tasks of `general`
             and `web-shopping`. Every episode has other content (texts never seen before), and its set-up
             counts too. Another process plays these episodes beforehand, so that none of their screens are
             remembered when they are timed.

Figures are per second of processor time, which is what one core gives to a process that has it for itself;
`wall_…` are by the wall clock, and lower where others use the machine as well. Both mixes are timed warm:
after steps with other seeds, as in a worker that has run for a minute, and with a worker's settings of the
garbage collector.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import msgspec
import zstandard
from PIL import Image

from distrl.agents.expert import Expert
from distrl.devices.simulated import ACTION_S, perform, prepare, to_ui_node
from distrl.engine.memory import spare_collections
from distrl.imaging import encode_image
from distrl.records import FINAL_KINDS, Action, Observation, Situation, Step, Task
from distrl.simphone import Phone
from distrl.tasks import find_suite

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
        phone.advance(ACTION_S)
        observe(phone)
    return steps / (time.perf_counter() - start), steps / (time.process_time() - start_cpu)


class Episode(msgspec.Struct, frozen=True):
    """A task, the phone's seed, and what was done."""

    task: Task
    seed: int
    actions: tuple[Action, ...]


def play(number: int) -> Episode:
    """What the expert does in some task, every fourth action replaced by a random one."""
    suite = find_suite("web-shopping" if number % 2 else "general")
    task = random.Random(number).choice(suite.tasks("train"))
    expert = Expert(suite.plan(task) or (), seed=number, noise=0.25)
    phone, past = Phone(number), list[Step]()
    nothing = encode_image(Image.new("RGB", (1, 1)))
    prepare(phone, task, number)
    while len(past) < task.max_steps:
        ui = tuple(map(to_ui_node, phone.tree()))
        seen = Observation(
            screenshot=nothing, width=phone.width, height=phone.height, ui=ui, app=phone.foreground,
            captured_at=0.0,
        )  # fmt: skip
        decision = expert.decide(
            Situation(goal=task.goal, past=tuple(past), observation=seen, max_steps=task.max_steps)
        )
        if decision.action.kind in FINAL_KINDS:
            break
        perform(phone, decision.action)
        past.append(Step(observation=seen, decision=decision, seconds=0.0))
    return Episode(task, number, tuple(step.decision.action for step in past))


def played_elsewhere(count: int) -> list[Episode]:
    """Episodes that another process plays: this one remembers none of their screens."""
    command = [sys.executable, __file__, "--play", str(count)]
    written = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return msgspec.msgpack.decode(written, type=list[Episode])


def replay(episodes: list[Episode], observe: Callable[[Phone], None]) -> tuple[float, float]:
    """Steps per second of episodes, their set-up included: by the wall clock and by processor time."""
    phone = Phone(0)
    start, start_cpu = time.perf_counter(), time.process_time()
    for episode in episodes:
        prepare(phone, episode.task, episode.seed)
        observe(phone)
        for action in episode.actions:
            perform(phone, action)
            observe(phone)
    steps = sum(len(episode.actions) for episode in episodes)
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


SIZES = (("full", 1), ("half", 2), ("quarter", 4), ("tree", 0))


def measure(quick: bool) -> dict[str, float]:
    """All figures."""
    steps, share = (1000, 20) if quick else (6000, 120)
    episodes = played_elsewhere(share * (len(SIZES) + 1))
    for reduction in (1, 4):
        steps_per_s(steps // 2, observer(reduction), 100_000)
        replay(episodes[-share:], observer(reduction))
    figures: dict[str, float] = {}
    # Each figure has seeds of its own: none profits from what another has painted with the same looks.
    for number, (name, reduction) in enumerate(SIZES):
        wall, processor = steps_per_s(steps, observer(reduction), (number + 1) * 1_000)
        figures[f"steps_per_s_{name}"] = processor
        figures[f"wall_steps_per_s_{name}"] = wall
    for number, (name, reduction) in enumerate(SIZES):
        wall, processor = replay(episodes[number * share :][:share], observer(reduction))
        figures[f"expert_steps_per_s_{name}"] = processor
        figures[f"wall_expert_steps_per_s_{name}"] = wall
    phone, source = Phone(3), random.Random(3)
    for _ in range(60):
        act(phone, source)
    snapshot = phone.snapshot()
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
    parser.add_argument("--play", type=int, metavar="N", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.play is not None:
        sys.stdout.buffer.write(msgspec.msgpack.encode([play(number) for number in range(args.play)]))
        return 0
    spare_collections()
    figures = measure(args.quick)
    met = {
        name: figures[name] <= target if name in LOWER_IS_BETTER else figures[name] >= target
        for name, target in TARGETS.items()
    }
    if args.json:
        print(json.dumps({"figures": figures, "targets": TARGETS, "met": met}))
    else:
        print("Steps per second of processor time on one core (wall_: by the wall clock); see --help.")
        for name, value in figures.items():
            verdict = (
                f"target {TARGETS[name]:6.0f}   {'ok' if met[name] else 'MISSED'}" if name in met else ""
            )
            print(f"{name:32} {value:10.2f}   {verdict}".rstrip())
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
