"""How fast devices are, where their time goes, and whether an agent does the same on all of them.

    python bench/devices.py                      # about two minutes: in this process, adb, gRPC, browser
    python bench/devices.py --quick --json       # a few seconds, one JSON object
    python bench/devices.py --agreement 128      # the same tasks and seeds everywhere: are the actions equal?
    python bench/devices.py --agreement 128 --run runs/starter-1    # decided by a trained policy, greedily

Every row runs the same episodes of the same agent (by default the word-overlap heuristic) on simulated phones
whose clock moves with the actions: once in this process, once as served by `distrl phone serve` through
Debian's adb and a server of its own, once with `--emulator` and gRPC for pictures and touches. Shares
are of the time that all devices together spent in an operation. `steady` is the rate from the moment when all
devices are in an episode to the one when the first of them finds no episode left; the other rate includes the
start (of Chromium, say) and the wait for the slowest episode at the end. Browsers run MiniWoB++ instead;
their row compares with the others only in kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from distrl.agents.heuristic import HeuristicPolicy
from distrl.collect.episode import EpisodeLimits
from distrl.config import DeviceConfig
from distrl.devices.adb.device import build as build_adb
from distrl.devices.browser.device import build as build_browser
from distrl.devices.emulator.control import ControlledDevice
from distrl.devices.simulated import build as build_simulated
from distrl.evaluate import fixed_episodes, run_all
from distrl.interfaces import Device, Policy
from distrl.records import Action, Observation, Task, Trajectory
from distrl.rewards.checks import build as build_judge
from distrl.tasks import find_suite
from distrl.testing.phones import free_port, has_adb, private_adb
from distrl.view.phones import GRPC_ABOVE

OPERATIONS = ("reset", "observe", "act", "probe")
START_S = 30.0


class Timed:
    """A device, and the seconds spent in each of its operations."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.id = device.id
        self.seconds: dict[str, float] = dict.fromkeys(OPERATIONS, 0.0)
        self.calls: Counter[str] = Counter()
        self.began: list[float] = []  # when each reset did
        self.acted: list[float] = []  # when each action was carried out
        self.ended = 0.0  # when the last operation was

    async def open(self) -> None:
        """Not measured: it happens once."""
        await self._device.open()

    async def reset(self, task: Task, seed: int) -> None:
        """As the device does."""
        begin = time.perf_counter()
        self.began.append(begin)
        await self._device.reset(task, seed)
        self._book("reset", begin)

    async def observe(self) -> Observation:
        """As the device does."""
        begin = time.perf_counter()
        seen = await self._device.observe()
        self._book("observe", begin)
        return seen

    async def act(self, action: Action) -> None:
        """As the device does."""
        begin = time.perf_counter()
        await self._device.act(action)
        self._book("act", begin)
        self.acted.append(self.ended)

    async def probe(self, command: str) -> str:
        """As the device does."""
        begin = time.perf_counter()
        answer = await self._device.probe(command)
        self._book("probe", begin)
        return answer

    async def close(self) -> None:
        """As the device does."""
        await self._device.close()

    def _book(self, operation: str, begin: float) -> None:
        self.ended = time.perf_counter()
        self.seconds[operation] += self.ended - begin
        self.calls[operation] += 1


# --- kinds of devices: add a row here -------------------------------------------------------------


@contextmanager
def in_process(count: int) -> Iterator[list[Device]]:
    """Simulated phones in this process."""
    yield [build_simulated(DeviceConfig(), index=index) for index in range(count)]


@contextmanager
def behind_adb(count: int) -> Iterator[list[Device]]:
    """The same phones in a process of their own, through the real adb."""
    with _served(count) as (port, server):
        options = {"serials": f"127.0.0.1:{port}-{port + count - 1}", "server": server}
        config = DeviceConfig(kind="adb", options=options)
        yield [build_adb(config, index=index) for index in range(count)]


@contextmanager
def as_emulators(count: int) -> Iterator[list[Device]]:
    """The same phones as emulators: pictures and touches through gRPC, the rest through the real adb."""
    with _served(count, "--emulator") as (port, server):
        ports = [port + 2 * index for index in range(count)]
        serials = ",".join(f"emulator-{port - 1}" for port in ports)
        config = DeviceConfig(kind="adb", options={"serials": serials, "server": server})
        yield [
            ControlledDevice(build_adb(config, index=index), port + GRPC_ABOVE, scale=config.picture_scale)
            for index, port in enumerate(ports)
        ]


@contextmanager
def _served(count: int, *flags: str) -> Iterator[tuple[int, str]]:
    """Phones in a process of their own: the port of the first one, and the address of an adb server."""
    if not has_adb():
        raise SystemExit("error: there is no adb; install it with: apt-get install adb")
    with tempfile.TemporaryDirectory() as home, private_adb(Path(home)) as adb:
        port = free_port() | 1
        command = [sys.executable, "-m", "distrl.cli", "phone", "serve", "--clock", "actions", *flags]
        serve = subprocess.Popen(
            [*command, "--count", str(count), "--port", str(port), "--server-port", str(adb.port)],
            env=adb.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert serve.stdout is not None
        try:
            serve.stdout.readline()  # they say when they listen
            yield port, f"127.0.0.1:{adb.port}"
        finally:
            serve.terminate()
            serve.wait(START_S)


@contextmanager
def in_browser(count: int) -> Iterator[list[Device]]:
    """Tabs of one Chromium."""
    yield [build_browser(DeviceConfig(kind="browser"), index=index) for index in range(count)]


KINDS = {"in-process": in_process, "adb": behind_adb, "grpc": as_emulators, "browser": in_browser}
OWN_SUITE = {"browser": "miniwob"}  # kinds that cannot run the tasks of phones

# --- measuring ------------------------------------------------------------------------------------


def run_episodes(
    kind: str, count: int, episodes: Sequence[tuple[Task, int]], policy: Policy
) -> tuple[list[Trajectory], list[Timed], float]:
    """The episodes on so many devices of a kind: what happened, the stopwatches, and the seconds in all."""
    with KINDS[kind](count) as devices:
        timed = [Timed(device) for device in devices]
        begin = time.perf_counter()
        trajectories = asyncio.run(
            run_all(
                policy, timed, episodes, build_judge(require_done=True), limits=EpisodeLimits(), greedy=True
            )
        )
        return trajectories, timed, time.perf_counter() - begin


def figures(trajectories: Sequence[Trajectory], timed: Sequence[Timed], seconds: float) -> dict[str, float]:
    """Steps per second, and milliseconds and share of each operation."""
    spent = {name: sum(watch.seconds[name] for watch in timed) for name in OPERATIONS}
    calls = {name: sum(watch.calls[name] for watch in timed) for name in OPERATIONS}
    whole = sum(spent.values()) or 1.0
    found = {
        "steps_per_s": sum(len(one.steps) for one in trajectories) / seconds,
        "steady_per_s": steady_rate(timed),
    }
    for name in OPERATIONS:
        found[f"{name}_ms"] = 1e3 * spent[name] / max(1, calls[name])
        found[f"{name}_share"] = spent[name] / whole
    return found


def steady_rate(timed: Sequence[Timed]) -> float:
    """Actions per second while all devices had an episode; resets, looks and probes in between count in."""
    used = [watch for watch in timed if watch.began]
    begin, end = max(watch.began[0] for watch in used), min(watch.ended for watch in used)
    if end <= begin:
        return 0.0
    return sum(begin <= moment <= end for watch in used for moment in watch.acted) / (end - begin)


def agreement(near: Sequence[Trajectory], far: Sequence[Trajectory]) -> dict[str, float]:
    """On how many tasks all actions, the ending and the verdict are equal; and the share of equal actions."""
    tasks = actions = equal_actions = 0
    for one, other in zip(near, far, strict=True):
        mine, theirs = ([step.decision.action for step in each.steps] for each in (one, other))
        same = (mine, one.ending, one.verdict.outcome) == (theirs, other.ending, other.verdict.outcome)
        tasks += same
        actions += max(len(mine), len(theirs))
        equal_actions += sum(a == b for a, b in zip(mine, theirs, strict=False))
    return {
        "tasks": len(near),
        "equal_tasks": tasks / len(near),
        "equal_actions": equal_actions / max(1, actions),
    }


def _policy(run: Path | None) -> Callable[[], Policy]:
    if run is None:
        return HeuristicPolicy
    from distrl.recording import RunFolder
    from distrl.run import load_policy

    return lambda: load_policy(RunFolder.open(run))


def _episodes(suite_name: str, count: int) -> list[tuple[Task, int]]:
    suite = find_suite(suite_name)
    tasks = [task for split in suite.splits() for task in suite.tasks(split)]
    return fixed_episodes(tasks, count, seed=1)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--devices", type=int, default=8, help="devices of each kind, side by side")
    parser.add_argument("--suite", default="general")
    parser.add_argument("--run", type=Path, help="let the newest policy of this run decide")
    parser.add_argument("--agreement", type=int, metavar="TASKS", help="compare actions on so many tasks")
    parser.add_argument("--quick", action="store_true", help="fewer episodes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    count = args.agreement or (16 if args.quick else 64)
    make_policy = _policy(args.run)
    results = {
        kind: run_episodes(
            kind, args.devices, _episodes(OWN_SUITE.get(kind, args.suite), count), make_policy()
        )
        for kind in args.kinds
    }
    found = {kind: figures(*result) for kind, result in results.items()}
    first, *others = [kind for kind in args.kinds if kind not in OWN_SUITE] or args.kinds[:1]
    equal = (
        {kind: agreement(results[first][0], results[kind][0]) for kind in others} if args.agreement else {}
    )
    if args.json:
        print(json.dumps({"devices": args.devices, "suite": args.suite, "kinds": found, "agreement": equal}))
        return 0
    print(f"{'':12}{'steps/s':>9}{'steady':>9}" + "".join(f"{name:>18}" for name in OPERATIONS))
    for kind, row in found.items():
        cells = (f"{row[f'{name}_ms']:.1f} ms {row[f'{name}_share']:4.0%}" for name in OPERATIONS)
        print(
            f"{kind:12}{row['steps_per_s']:9.1f}{row['steady_per_s']:9.1f}"
            + "".join(f"{cell:>18}" for cell in cells)
        )
    for kind, row in equal.items():
        equal_tasks = f"{row['equal_tasks']:.1%} of {row['tasks']:g} tasks"
        print(f"{kind} as {first}: equal on {equal_tasks}, in {row['equal_actions']:.1%} of actions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
