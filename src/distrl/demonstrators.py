"""Who demonstrates: the scripted expert, or anybody else who acts in the place of a policy."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import random
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from distrl.agents.expert import Expert, Stray
from distrl.collect.episode import EpisodeLimits
from distrl.collect.errands import Errand, Errands
from distrl.errors import DistrlError, TaskError
from distrl.interfaces import Device, Judge, Policy, PolicyClient, Suite
from distrl.records import FINAL_KINDS, Action, ActionKind, Decision, Situation, Task, Trajectory

Progress = Callable[[str, int, int], None]  # stage, done, of
Episode = tuple[Task, int, PolicyClient]  # what to do, the seed, who does it


@dataclass(frozen=True)
class Order:
    """What is asked of the expert."""

    count: int
    noise: float
    seed: int
    split: str = "train"
    shares: Mapping[str, float] = field(default_factory=dict)  # of families; without any they take turns
    shown: frozenset[str] = frozenset()  # tasks that come last, because they were shown before
    pupil: bytes = b""  # weights of whoever makes the slips; without any they are random


@runtime_checkable
class Pupil(Policy, Protocol):
    """A policy that can say whether its action is what the expert meant."""

    def action_tokens(self, action: Action, situation: Situation) -> tuple[int, ...] | None:
        """How it would spell an action."""


@dataclass(frozen=True)
class Stage:
    """All that is needed to demonstrate."""

    suite: Suite
    devices: Callable[[], Sequence[Device]]
    judge: Judge
    pupil: Callable[[], Policy] | None = None  # makes the one of whom an order has the weights


class ExpertClient:
    """The scripted expert in the place of a policy."""

    def __init__(self, expert: Expert) -> None:
        self._expert = expert

    async def decide(self, situation: Situation) -> Decision:
        """What the expert does."""
        return self._expert.decide(situation)


class Troupe:
    """The expert on stage, here and, for as long as the `with` block lasts, in processes that help.

    `anew` makes the same stage in a helper and must be importable: only for devices that every process can
    have for itself, such as simulated ones.
    """

    def __init__(self, stage: Stage, anew: Callable[[], Stage] | None = None, helpers: int = 0) -> None:
        self._stage = stage
        self._anew = anew
        self._wanted = helpers if anew is not None else 0
        self._helpers: list[tuple[BaseProcess, Connection]] = []

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        for number in range(1, self._wanted + 1):
            ours, theirs = context.Pipe()
            work = (self._anew, number, self._wanted + 1, theirs)
            process = context.Process(target=_help, args=work, daemon=True)
            process.start()
            theirs.close()
            self._helpers.append((process, ours))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process, channel in self._helpers:
            channel.close()
            process.kill()  # whatever it may still be showing, nobody looks
            process.join()
        self._helpers.clear()

    def show(self, order: Order, progress: Progress) -> list[Trajectory]:
        """The expert's episodes, judged, all devices at once; those that failed are among them."""
        stage, hands = self._stage, 1 + len(self._helpers)
        episodes = _episodes(stage, order)
        for _, channel in self._helpers:
            with suppress(OSError):  # noticed when nothing comes back
                channel.send(order)

        def tick(done: int) -> None:
            progress("demonstrations", min(hands * done, len(episodes)), len(episodes))

        own = run_episodes(episodes[::hands], stage.devices(), stage.judge, "expert", tick)
        shown = asyncio.run(own) + [each for _, channel in self._helpers for each in _received(channel)]
        return sorted(shown, key=lambda trajectory: (trajectory.task.id, trajectory.seed))


def require_success(shown: Sequence[Trajectory], order: Order) -> None:
    """Raise a TaskError if the expert failed in all it was asked for."""
    if not any(trajectory.success for trajectory in shown):
        raise TaskError(f"the expert solved none of {order.count} tasks of split {order.split!r}")


def _received(channel: Connection) -> list[Trajectory]:
    try:
        shown: list[Trajectory] = channel.recv()
    except (EOFError, OSError) as error:
        raise DistrlError(
            "a process that helped to demonstrate has died; start again, with warmstart.processes=1 if "
            "memory is short"
        ) from error
    return shown


def _help(anew: Callable[[], Stage], number: int, hands: int, channel: Connection) -> None:
    """A helper's life: its share of every order, until nobody sends any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us decides when to stop
    stage = anew()
    with suppress(EOFError, OSError):
        while True:
            share = _episodes(stage, channel.recv())[number::hands]
            own = run_episodes(share, stage.devices(), stage.judge, "expert", lambda _: None)
            channel.send(asyncio.run(own))


def _episodes(stage: Stage, order: Order) -> list[Episode]:
    """What an order comes to; the same in every process."""
    suite = stage.suite
    tasks = [task for task in suite.tasks(order.split) if suite.plan(task) is not None]
    if not tasks:
        raise TaskError(
            f"suite {suite.name!r} has no expert plans for tasks of split {order.split!r}; add `plan:` to "
            "some, or do without the expert: --set warmstart.demonstrations=0"
        )
    chance = random.Random(order.seed)
    stray = _straying(stage, order)
    episodes: list[Episode] = []
    for task in _dealt(tasks, order, chance):
        seed = chance.randrange(2**31)
        expert = Expert(suite.plan(task) or (), seed=seed, noise=order.noise, stray=stray)
        episodes.append((task, seed, ExpertClient(expert)))
    return episodes


def _straying(stage: Stage, order: Order) -> Stray | None:
    """What the order's pupil would do in the expert's place, if there is one.

    Whatever would end the episode is not done: nothing could be shown after it.
    """
    if not order.pupil or stage.pupil is None:
        return None
    pupil = stage.pupil()
    if not isinstance(pupil, Pupil):
        return None
    pupil.load(order.pupil, 0)

    def stray(situation: Situation, meant: Action) -> Action:
        decision = pupil.decide([situation], greedy=True)[0]
        if decision.action.kind in (*FINAL_KINDS, ActionKind.INVALID):
            return meant
        same = pupil.action_tokens(meant, situation) == decision.tokens
        return meant if same else decision.action

    return stray


def _dealt(tasks: Sequence[Task], order: Order, chance: random.Random) -> list[Task]:
    """Tasks to demonstrate: by the families' shares, or in turns, so that a small one is not left out.

    Each demonstration goes to the family that is furthest behind its share.
    """
    families: dict[str, list[Task]] = {}
    for task in sorted(chance.sample(tasks, len(tasks)), key=lambda each: each.id in order.shown):
        families.setdefault(task.family, []).append(task)
    shares = {name: order.shares.get(name, 0.0) for name in families}
    total = sum(shares.values())
    if total <= 0:
        shares, total = dict.fromkeys(families, 1.0), float(len(families))
    dealt = dict.fromkeys(families, 0)
    found = []
    for count in range(1, order.count + 1):
        name = max(families, key=lambda each: shares[each] / total * count - dealt[each])
        found.append(families[name][dealt[name] % len(families[name])])
        dealt[name] += 1
    return found


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
