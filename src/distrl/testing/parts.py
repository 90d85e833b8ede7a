"""Small parts with one habit each, to try engines with; they leave notes in the run's folder.

The habit is the spec's `kind`; `build` is given to an engine as `distrl.testing.parts:build`.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from distrl.engine.parts import BuiltPart, PartContext
from distrl.errors import ConfigError, PartUnavailable, ReplayError
from distrl.interfaces import PartSpec
from distrl.records import Record

BUILDER = "distrl.testing.parts:build"
REFUSAL = "the shelf is empty; fill it and try again"


class Echoed(Record, frozen=True):
    """What the echo says, and in which of its lives."""

    text: str
    incarnation: int


class Echo(Protocol):
    """A service that repeats what it hears."""

    async def say(self, text: str, *, times: int = 1) -> Echoed:
        """The text, repeated."""

    async def refuse(self) -> None:
        """Raises a ReplayError."""

    async def stumble(self) -> None:
        """Raises an error that is a bug."""

    async def fall(self) -> None:
        """Makes the part crash soon after this has returned."""


class EchoPart:
    """Offers Echo until it is asked to end."""

    def __init__(self, context: PartContext) -> None:
        self._context = context
        self._fallen = False

    async def say(self, text: str, *, times: int = 1) -> Echoed:
        """The text, repeated."""
        return Echoed(text * times, self._context.incarnation)

    async def refuse(self) -> None:
        """Raises a ReplayError."""
        raise ReplayError(REFUSAL)

    async def stumble(self) -> None:
        """Raises an error that is a bug."""
        raise ZeroDivisionError("one by nothing")

    async def fall(self) -> None:
        """Makes the part crash soon after this has returned."""
        self._fallen = True

    async def run(self) -> None:
        """Wait; the work is done in the calls."""
        while not self._context.stopping.is_set():
            if self._fallen:
                raise RuntimeError("the echo fell")
            await asyncio.sleep(0.01)


class Habit:
    """A part that calls nobody, or only the part named echo."""

    def __init__(self, spec: PartSpec, context: PartContext) -> None:
        self._spec = spec
        self._context = context
        self._echo = context.connect(Echo, "echo") if spec.kind in WITH_ECHO else None

    async def run(self) -> None:
        """Follow the habit that the spec names."""
        await HABITS[self._spec.kind](self)

    def note(self, text: str) -> None:
        """Leave a line for the test to read."""
        with open(notes_file(self._context.folder, self._spec.name), "a", encoding="utf-8") as notes:
            notes.write(text + "\n")

    @property
    def echo(self) -> Echo:
        """The service called echo."""
        assert self._echo is not None
        return self._echo

    async def finish(self) -> None:
        """Do one thing and be done."""
        self.note(f"ran {self._context.incarnation}")

    async def wait(self) -> None:
        """Run until asked to end."""
        self.note(f"ran {self._context.incarnation}")
        await self._context.stopping.wait()
        self.note("ended")

    async def ignore(self) -> None:
        """Never look at `stopping`, but tidy up when cancelled."""
        try:
            await asyncio.Event().wait()
        finally:
            self.note("cancelled")

    async def leave_a_child(self) -> None:
        """Start a program of its own and forget about it."""
        child = subprocess.Popen(["sleep", "3600"])
        self.note(f"child {child.pid}")
        await self._context.stopping.wait()

    async def freeze(self) -> None:
        """Block the loop, so that nothing but a kill helps."""
        self.note("frozen")
        time.sleep(3600)

    async def crash_twice(self) -> None:
        """Fail in the first two lives."""
        self.note(f"ran {self._context.incarnation}")
        if self._context.incarnation < 2:
            raise RuntimeError(f"crash {self._context.incarnation}")

    async def crash_always(self) -> None:
        """Fail in every life."""
        self.note(f"ran {self._context.incarnation}")
        raise RuntimeError(f"crash {self._context.incarnation}")

    async def leave(self) -> None:
        """Call sys.exit, which parts should not."""
        raise SystemExit(0)

    async def call_once(self) -> None:
        """One call of each kind, with no second try."""
        self.note(f"heard {(await self.echo.say('ho', times=2)).text}")
        for call in (self.echo.refuse, self.echo.stumble):
            try:
                await call()
            except Exception as error:
                self.note(f"{type(error).__name__}: {error}")

    async def call_again(self) -> None:
        """Make the echo crash, then call until its next life answers."""
        await self.echo.fall()
        while True:
            try:
                echoed = await self.echo.say("hi")
            except PartUnavailable as error:
                self.note(f"unavailable: {error}")
            else:
                if echoed.incarnation == 1:
                    break
            await asyncio.sleep(0.02)
        self.note("heard again")

    async def call_last(self) -> None:
        """Call once more when asked to end, as a worker does that hands in its last episode."""
        await self._context.stopping.wait()
        await asyncio.sleep(0.05)
        self.note(f"heard {(await self.echo.say('bye')).text}")


WITH_ECHO = ("call_once", "call_again", "call_last")
HABITS: dict[str, Callable[[Habit], Awaitable[None]]] = {
    "finish": Habit.finish,
    "wait": Habit.wait,
    "ignore": Habit.ignore,
    "leave_a_child": Habit.leave_a_child,
    "freeze": Habit.freeze,
    "crash_twice": Habit.crash_twice,
    "crash_always": Habit.crash_always,
    "leave": Habit.leave,
    "call_once": Habit.call_once,
    "call_again": Habit.call_again,
    "call_last": Habit.call_last,
}


def build(spec: PartSpec, context: PartContext) -> BuiltPart:
    """The part for a spec; `refused` and `misconfigured` cannot be built, `late_echo` not the first time."""
    with open(notes_file(context.folder, spec.name), "a", encoding="utf-8") as notes:
        notes.write(f"built {context.incarnation}\n")
    if spec.kind == "refused":
        raise ReplayError(REFUSAL)
    if spec.kind == "late_echo" and context.incarnation == 0:
        raise PartUnavailable("what this part needs is not up yet")
    if spec.kind == "misconfigured":
        raise ConfigError("replay.ratio is not a number", "test.yaml")
    if spec.kind in ("echo", "late_echo"):
        echo = EchoPart(context)
        return BuiltPart(echo, echo, Echo)
    return BuiltPart(Habit(spec, context))


def notes_file(folder: str | Path, name: str) -> Path:
    """Where a part leaves its notes."""
    return Path(folder) / f"{name}.notes"


def notes_of(folder: str | Path, name: str) -> list[str]:
    """What a part has noted so far."""
    file = notes_file(folder, name)
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []
