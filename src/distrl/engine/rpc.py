"""Calls to an object in another process, through any Protocol whose methods are all async.

Names and types come from the Protocol's annotations, arguments and results travel as msgpack, and errors of
our tree arrive as what they were. How the bytes travel is somebody else's concern: see `Transport`.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar, cast

import msgspec

from distrl.errors import DistrlError, EngineError, PartUnavailable

P = TypeVar("P")
Bytes = bytes | bytearray | memoryview
Invoke = Callable[[str, tuple[object, ...], dict[str, object]], Awaitable[object]]

DEADLINE_S = 60.0
OK, ERROR = 0, 1  # first byte of every answer

log = logging.getLogger(__name__)
_encoder = msgspec.msgpack.Encoder()


class Transport(Protocol):
    """Carries a call's bytes to a `Service` and its answer back."""

    async def call(self, method: str, payload: Bytes) -> Bytes:
        """The service's answer; raises PartUnavailable when it cannot be had."""


# --- what a Protocol says -----------------------------------------------------------------------


@dataclass(frozen=True)
class Method:
    """One method of a Protocol: how its call and its result look as bytes."""

    signature: inspect.Signature
    positional: int  # arguments passed by position, without self
    keywords: tuple[str, ...]  # keyword-only arguments, after those
    arguments: msgspec.msgpack.Decoder[tuple[object, ...]]
    result: msgspec.msgpack.Decoder[object]

    def encode_arguments(self, args: tuple[object, ...], kwargs: dict[str, object]) -> bytes:
        """The arguments of a call, in the signature's order, defaults filled in."""
        bound = self.signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        return _encoder.encode(list(bound.arguments.values())[1:])


@cache
def methods_of(protocol: type) -> Mapping[str, Method]:
    """The methods of a Protocol, by name; raises EngineError for one that cannot be called from afar."""
    fields = [name for kind in protocol.__mro__ for name in vars(kind).get("__annotations__", {})]
    methods: dict[str, Method] = {}
    for name in [*fields, *dir(protocol)]:
        if name.startswith("_"):
            continue
        function = getattr(protocol, name, None)
        if function is None or not inspect.iscoroutinefunction(function):
            raise EngineError(
                f"{protocol.__name__}.{name} is not an async method, so it works in one process only"
            )
        methods[name] = _method(protocol, function)
    return methods


def _method(protocol: type, function: Callable[..., object]) -> Method:
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1:]
    if any(parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) for parameter in parameters):
        raise EngineError(f"{protocol.__name__}.{function.__name__} takes any arguments; name and type them")
    try:
        hints = typing.get_type_hints(function)
        kinds: Any = tuple(hints[parameter.name] for parameter in parameters)
        result = hints["return"]
    except (NameError, KeyError) as error:
        raise EngineError(
            f"{protocol.__name__}.{function.__name__} has a type that cannot be resolved: {error}"
        ) from error
    keywords = tuple(parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY)
    return Method(
        signature,
        len(parameters) - len(keywords),
        keywords,
        msgspec.msgpack.Decoder(tuple[kinds]),
        msgspec.msgpack.Decoder(result),
    )


# --- the side that is called --------------------------------------------------------------------


class Service:
    """An object that can be called with bytes; what it raises becomes part of the answer."""

    def __init__(self, target: object, protocol: type) -> None:
        self._target = target
        self._protocol = protocol
        self._methods = methods_of(protocol)

    async def call(self, method: str, payload: Bytes) -> bytearray:
        """Carry out one call; the answer holds its result or its error."""
        answer = bytearray([OK])
        try:
            _encoder.encode_into(await self._carry_out(method, payload), answer, 1)
        except DistrlError as error:
            return _encode_error(error)
        except Exception as error:
            # A bug in the service: its traceback belongs in its own log, the caller gets a sentence.
            log.exception("%s.%s failed", self._protocol.__name__, method)
            return _encode_error(translated(error, f"{self._protocol.__name__}.{method}"))
        return answer

    async def _carry_out(self, name: str, payload: Bytes) -> object:
        method = self._methods.get(name)
        if method is None:
            raise EngineError(
                f"{self._protocol.__name__} has no method {name!r}; do both sides run one version?"
            )
        values = method.arguments.decode(payload)
        keywords = dict(zip(method.keywords, values[method.positional :], strict=True))
        return await getattr(self._target, name)(*values[: method.positional], **keywords)


def translated(error: Exception, where: str) -> EngineError:
    """What a caller in another part is told of a bug."""
    return EngineError(f"{where} failed with {type(error).__name__}: {error}; its log has the traceback")


def _encode_error(error: DistrlError) -> bytearray:
    """The error's message and data, and its classes from the closest on: the caller may not know them all."""
    classes = [kind.__name__ for kind in type(error).__mro__ if issubclass(kind, DistrlError)]
    answer = bytearray([ERROR])
    try:
        _encoder.encode_into((classes, str(error), vars(error)), answer, 1)
    except TypeError:
        _encoder.encode_into((classes, str(error), {}), answer, 1)
    return answer


# --- the side that calls ------------------------------------------------------------------------


def remote(
    protocol: Callable[..., P], transport: Transport, *, name: str = "", deadline_s: float = DEADLINE_S
) -> P:
    """A client that looks like `protocol` and calls a `Service` through `transport`."""
    methods = methods_of(cast(type, protocol))

    async def invoke(method: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        payload = methods[method].encode_arguments(args, kwargs)
        answer = memoryview(await transport.call(method, payload))
        if answer[0] != OK:
            raise _decode_error(answer[1:])
        return methods[method].result.decode(answer[1:])

    return client(protocol, invoke, name=name, deadline_s=deadline_s)


def client(
    protocol: Callable[..., P], invoke: Invoke, *, name: str = "", deadline_s: float = DEADLINE_S
) -> P:
    """An object with the methods of `protocol`, each of which is an `invoke` under a deadline."""

    def forward(method: str) -> Callable[..., Awaitable[object]]:
        async def call(_self: object, *args: object, **kwargs: object) -> object:
            timeout = asyncio.timeout(deadline_s)
            try:
                async with timeout:
                    return await invoke(method, args, kwargs)
            except TimeoutError as error:
                if not timeout.expired():
                    raise
                raise PartUnavailable(
                    f"{name or 'the service'} did not answer {method}() within {deadline_s:g} s; "
                    "it is busy or stuck, and the call may be tried again"
                ) from error

        call.__name__ = method
        return call

    kind = cast(type, protocol)
    namespace = {method: forward(method) for method in methods_of(kind)}
    return cast(P, type(f"{kind.__name__}Client", (), namespace)())


def _decode_error(data: memoryview) -> DistrlError:
    classes, message, fields = msgspec.msgpack.decode(data, type=tuple[list[str], str, dict[str, Any]])
    known = {kind.__name__: kind for kind in _family(DistrlError)}
    kind = next((known[name] for name in classes if name in known), EngineError)
    # Not by calling the class: its constructor may compose the message, and this one is composed already.
    error = kind.__new__(kind, message)
    vars(error).update(fields)
    return error


def _family(kind: type[DistrlError]) -> list[type[DistrlError]]:
    return [kind, *(member for child in kind.__subclasses__() for member in _family(child))]
