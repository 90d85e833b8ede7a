"""What an engine and a part know of each other: how a part is built, and what it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeVar

from distrl.errors import EngineError
from distrl.interfaces import Part, PartSpec

P = TypeVar("P")


class Connector(Protocol):
    """How an engine makes clients for the services of other parts."""

    def __call__(self, protocol: Callable[..., P], name: str) -> P:
        """A client for what part `name` offers."""


@dataclass(frozen=True)
class PartContext:
    """What a part is given where it lives."""

    folder: str  # of the run
    incarnation: int  # 0, and one more with each restart
    stopping: asyncio.Event  # once set, `run` should return soon; it is cancelled later, then killed
    connector: Connector
    at_home: bool = True  # whether the folder is the run's own; elsewhere it holds the run's settings only

    def connect(self, protocol: Callable[..., P], name: str) -> P:
        """A client for the service that part `name` offers; may be made before that part is up.

        `protocol` is the Protocol class itself (typed as a callable because mypy takes no Protocol for
        `type[P]`). Calls raise PartUnavailable while the part is down, and work again once it is back.
        """
        return self.connector(protocol, name)


@dataclass(frozen=True)
class BuiltPart:
    """A part, and the service it offers under its name, if any."""

    part: Part
    service: object | None = None
    protocol: type | None = None  # of the service: all its methods are async

    def __post_init__(self) -> None:
        if (self.service is None) != (self.protocol is None):
            raise EngineError("a part that offers a service must name its Protocol, and the other way round")


Builder = Callable[[PartSpec, PartContext], BuiltPart]


def load_builder(builder: str) -> Builder:
    """The function behind an import string such as `distrl.parts:build_part`."""
    module, colon, name = builder.partition(":")
    if not colon:
        raise EngineError(f"{builder!r} names no builder; write it as package.module:function")
    try:
        function = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise EngineError(f"the builder {builder} cannot be imported: {error}") from error
    return function  # type: ignore[no-any-return]


async def run_part(part: Part) -> None:
    """Run a part to its end; `sys.exit` in it is its failure, not the end of the loop it shares."""
    try:
        await part.run()
    except SystemExit as error:
        raise EngineError(
            f"the part called sys.exit({error.code!r}); it must return or raise an error"
        ) from error


async def either(one: asyncio.Event, other: asyncio.Event) -> None:
    """Wait until one of two events is set."""
    waits = [asyncio.ensure_future(event.wait()) for event in (one, other)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
