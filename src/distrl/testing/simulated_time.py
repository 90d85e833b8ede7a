"""Time that costs nothing: an event loop whose clock jumps to the next thing that is due.

What sleeps, waits for a deadline or calls `time.monotonic` inside `run_in_simulated_time` lives by that
clock, so an hour of a hundred devices takes as long as the computing in it. Not for code that waits for other
processes or threads: they live in real time.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar
from unittest import mock

T = TypeVar("T")


class JumpingSelector(selectors.BaseSelector):
    """Never waits; reports the time that it should have waited instead."""

    def __init__(self, jump: Callable[[float], None]) -> None:
        self._inner = selectors.DefaultSelector()
        self._jump = jump

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; if nothing is, the wait is over at once."""
        ready = self._inner.select(0)
        if not ready and timeout is None:
            raise RuntimeError("everyone waits for someone else: nothing will ever happen any more")
        if not ready and timeout:
            self._jump(timeout)
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """As the selector inside does."""
        return self._inner.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """As the selector inside does."""
        return self._inner.unregister(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """As the selector inside does."""
        return self._inner.get_map()

    def close(self) -> None:
        """As the selector inside does."""
        self._inner.close()


class SimulatedTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in which a day passes at once when everyone sleeps for a day."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(JumpingSelector(self._pass_time))

    def time(self) -> float:
        """Seconds since the loop began."""
        return self._now

    def _pass_time(self, seconds: float) -> None:
        self._now += seconds


def run_in_simulated_time(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a loop of its own whose clock is simulated; `time.monotonic` follows it."""
    with (
        asyncio.Runner(loop_factory=SimulatedTimeLoop) as runner,
        mock.patch.object(time, "monotonic", runner.get_loop().time),
    ):
        return runner.run(main)
