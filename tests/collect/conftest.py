"""A device and a policy that need no time, and misbehave on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import pytest

from distrl.errors import DeviceLost
from distrl.records import Action, ActionKind, Decision, Observation, Situation, Task
from distrl.testing.simulated_time import run_in_simulated_time
from distrl.testing.trajectories import make_decision, make_observation

T = TypeVar("T")


class FakeDevice:
    """Counts what is done to it; `trouble` may raise or wait before an operation."""

    def __init__(self, id: str, trouble: Callable[[str], None] | None = None) -> None:
        self.id = id
        self.calls: list[str] = []
        self.acted: list[ActionKind] = []
        self._trouble = trouble

    async def _do(self, operation: str) -> None:
        self.calls.append(operation)
        await asyncio.sleep(0)
        if self._trouble is not None:
            self._trouble(operation)

    async def open(self) -> None:
        await self._do("open")

    async def reset(self, task: Task, seed: int) -> None:
        await self._do("reset")

    async def observe(self) -> Observation:
        await self._do("observe")
        return make_observation(len(self.acted))

    async def act(self, action: Action) -> None:
        await self._do("act")
        self.acted.append(action.kind)

    async def probe(self, command: str) -> str:
        await self._do("probe")
        return "1"

    async def close(self) -> None:
        self.calls.append("close")


class MendableFake(FakeDevice):
    """A fake that knows remedies, `broken` ones excepted; a restart changes its boot id."""

    def __init__(
        self,
        id: str,
        trouble: Callable[[str], None] | None = None,
        *,
        remedies: tuple[str, ...] = ("reconnect", "restart_app", "reboot"),
        broken: Sequence[str] = (),
    ) -> None:
        super().__init__(id, trouble)
        self.known = remedies
        self.broken = set(broken)
        self.boots = 0
        self.applied: list[str] = []

    def remedies(self) -> tuple[str, ...]:
        return self.known

    async def repair(self, remedy: str) -> None:
        self.applied.append(remedy)
        if remedy in self.broken:
            raise DeviceLost(f"{remedy} is of no use")
        self.boots += remedy == "reboot"

    async def boot_id(self) -> str:
        await self._do("boot_id")
        return str(self.boots)


class FakePolicy:
    """Taps until `length` steps were made, then says DONE; remembers its batch sizes."""

    language = "testing"

    def __init__(self, length: int = 3) -> None:
        self.length = length
        self.batches: list[int] = []
        self.number = 0

    @property
    def version(self) -> int:
        return self.number

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
        self.batches.append(len(situations))
        return [make_decision(self.number, final=len(s.past) + 1 >= self.length) for s in situations]

    def load(self, weights: bytes, version: int) -> None:
        self.number = version


class FailOnce:
    """Trouble that loses the device at the n-th call of an operation, once."""

    def __init__(self, operation: str, at: int = 1) -> None:
        self._operation, self._left = operation, at

    def __call__(self, operation: str) -> None:
        if operation == self._operation:
            self._left -= 1
            if self._left == 0:
                raise DeviceLost("pulled the cable")


@pytest.fixture
def simulated_time() -> Callable[[Coroutine[Any, Any, T]], T]:
    return run_in_simulated_time


@pytest.fixture
def mendable() -> Callable[..., MendableFake]:
    return MendableFake


@pytest.fixture
def fake_device() -> Callable[..., FakeDevice]:
    return FakeDevice


@pytest.fixture
def fake_policy() -> Callable[..., FakePolicy]:
    return FakePolicy


@pytest.fixture
def fail_once() -> Callable[..., FailOnce]:
    return FailOnce
