"""Who demonstrates: the scripted expert, or anybody else who acts in the place of a policy."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distrl.agents.expert import Expert
from distrl.collect.episode import EpisodeLimits
from distrl.collect.errands import Errand, Errands
from distrl.errors import TaskError
from distrl.interfaces import Device, Judge, PolicyClient, Suite
from distrl.records import Decision, Situation, Task, Trajectory

Progress = Callable[[str, int, int], None]  # stage, done, of
Episode = tuple[Task, int, PolicyClient]  # what to do, the seed, who does it


@dataclass(frozen=True)
class Order:
    """What is asked of the expert."""

    count: int
    noise: float
    seed: int
    split: str = "train"


class ExpertClient:
    """The scripted expert in the place of a policy."""

    def __init__(self, expert: Expert) -> None:
        self._expert = expert

    async def decide(self, situation: Situation) -> Decision:
        """What the expert does."""
        return self._expert.decide(situation)


async def demonstrate(
    suite: Suite, devices: Sequence[Device], judge: Judge, order: Order, progress: Progress
) -> list[Trajectory]:
    """The expert's episodes, judged, all devices at once; those that failed are among them."""
    tasks = [task for task in suite.tasks(order.split) if suite.plan(task) is not None]
    if not tasks:
        raise TaskError(
            f"suite {suite.name!r} has no expert plans for tasks of split {order.split!r}; add `plan:` to "
            "some, or do without the expert: --set warmstart.demonstrations=0"
        )
    chance = random.Random(order.seed)
    episodes: list[Episode] = []
    for task in _dealt(tasks, order.count, chance):
        seed = chance.randrange(2**31)
        expert = Expert(suite.plan(task) or (), seed=seed, noise=order.noise)
        episodes.append((task, seed, ExpertClient(expert)))
    found = await run_episodes(
        episodes, devices, judge, "expert", lambda done: progress("demonstrations", done, order.count)
    )
    if not any(trajectory.success for trajectory in found):
        raise TaskError(f"the expert solved none of {order.count} {order.split} tasks of {suite.name!r}")
    return sorted(found, key=lambda trajectory: (trajectory.task.id, trajectory.seed))


def _dealt(tasks: Sequence[Task], count: int, chance: random.Random) -> list[Task]:
    """Tasks to demonstrate: the families take turns, so that a small one is not left out."""
    families: dict[str, list[Task]] = {}
    for task in chance.sample(tasks, len(tasks)):
        families.setdefault(task.family, []).append(task)
    turns = range(-(-count // len(families)))
    return [family[turn % len(family)] for turn in turns for family in families.values()][:count]


async def run_episodes(
    episodes: Sequence[Episode],
    devices: Sequence[Device],
    judge: Judge,
    who: str,
    tick: Callable[[int], None],
) -> list[Trajectory]:
    """Run and judge episodes, each device taking the next one; results are in the order of the episodes."""
    done = itertools.count(1)
    errands = Errands(
        [Errand(*episode) for episode in episodes],
        devices[: len(episodes)],
        judge,
        run="demonstrations",
        worker=who,
        limits=EpisodeLimits(),
        on_episode=lambda _: tick(next(done)),
    )
    return await errands.run()
