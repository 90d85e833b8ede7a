"""Read the goals of MiniWoB++'s seeded episodes from its pages, in Chromium, into the suite's data file.

    python tools/miniwob_goals.py            # rewrite src/distrl/tasks/miniwob/goals.json
    python tools/miniwob_goals.py --check    # only say whether the pages still ask for the same

A goal of `val` or `test` is none of `train`, unless the page has so few goals that none was found.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from importlib.util import find_spec
from pathlib import Path

from distrl.config import DeviceConfig
from distrl.devices.browser.device import BrowserDevice, build
from distrl.records import Task
from distrl.tasks.miniwob import GOALS_FILE, SPLITS
from distrl.tasks.miniwob.pages import GOAL_SCRIPT, LEFT_OUT, begin

TRIES = 12  # seeds looked at for a goal that `train` does not have
DEVICES = 4

Goals = dict[str, dict[str, list[tuple[int, str]]]]  # environment → split → seeds and goals


def environments() -> list[str]:
    """All environments of the package that the suite does not leave out."""
    spec = find_spec("miniwob")
    if spec is None or spec.origin is None:
        raise SystemExit("error: miniwob is not installed: pip install miniwob")
    pages = (Path(spec.origin).parent / "html" / "miniwob").glob("*.html")
    return sorted(page.stem for page in pages if page.stem not in LEFT_OUT)


async def read_goal(device: BrowserDevice, env: str, split: str, seed: int) -> str:
    """What the page asks for."""
    await device.reset(Task("goal", "read it", "miniwob", split, 1, setup=begin(env, split, seed)), 0)
    return await device.probe(f"eval {GOAL_SCRIPT}")


async def read_environment(device: BrowserDevice, env: str) -> dict[str, list[tuple[int, str]]]:
    """The goals of an environment, by split."""
    found: dict[str, list[tuple[int, str]]] = {}
    trained: set[str] = set()
    for split, (first, count) in SPLITS.items():
        chosen: list[tuple[int, str]] = []
        spare: list[tuple[int, str]] = []
        for seed in range(first, first + TRIES + count):
            goal = await read_goal(device, env, split, seed)
            (spare if split != "train" and goal in trained else chosen).append((seed, goal))
            if len(chosen) == count:
                break
        found[split] = sorted([*chosen, *spare][:count])
        if split == "train":
            trained = {goal for _, goal in chosen}
    return found


async def read_all(envs: list[str]) -> Goals:
    """The goals of all environments, some at a time."""
    waiting, found = list(reversed(envs)), dict[str, dict[str, list[tuple[int, str]]]]()

    async def work(index: int) -> None:
        device = build(DeviceConfig(kind="browser"), index)
        await device.open()
        try:
            while waiting:
                env = waiting.pop()
                found[env] = await read_environment(device, env)
                print(f"{env}: {found[env]['train'][0][1]}", file=sys.stderr)
        finally:
            await device.close()

    await asyncio.gather(*(work(index) for index in range(DEVICES)))
    return found


def as_json(goals: Goals) -> str:
    """One line for each environment and split, so that a change can be read."""
    envs = (
        f"{json.dumps(env)}: {{\n"
        + ",\n".join(f"  {json.dumps(split)}: {json.dumps(rows)}" for split, rows in goals[env].items())
        + "\n}"
        for env in sorted(goals)
    )
    return "{\n" + ",\n".join(envs) + "\n}\n"


def main() -> int:
    """Write the file, or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if anything differs")
    parser.add_argument("envs", nargs="*", help="only these environments (with --check)")
    args = parser.parse_args()
    text = as_json(asyncio.run(read_all(args.envs or environments())))
    if not args.check:
        GOALS_FILE.write_text(text, encoding="utf-8")
        return 0
    known = json.loads(GOALS_FILE.read_text(encoding="utf-8"))
    differing = [env for env, rows in json.loads(text).items() if known.get(env) != rows]
    print(f"{len(differing)} environments differ" + "".join(f"\n{env}" for env in differing))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
