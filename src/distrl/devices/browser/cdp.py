"""The Chrome DevTools Protocol over a pipe: JSON messages that end with a zero byte, both ways.

A pipe needs no port that others on the machine could connect to, and a Chromium whose pipe closes ends by
itself, however the process at the other end has died.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from distrl.errors import DeviceError, DeviceLost, DeviceTimeout

T = TypeVar("T")
Params = dict[str, object]  # what a command or an event carries
OnEvent = Callable[[str, msgspec.Raw], None]  # its name, and its parameters as JSON

CALL_S = 30.0  # without an answer, after which a browser counts as hung
_END = b"\0"


class Refused(DeviceError):
    """The browser answered a command with an error."""


class _Fault(msgspec.Struct):
    message: str = ""


class _Message(msgspec.Struct, rename="camel"):
    id: int = 0
    method: str = ""
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"{}")
    error: _Fault | None = None
    session_id: str = ""


_decoder = msgspec.json.Decoder(_Message)
_encoder = msgspec.json.Encoder()


class CdpPipe(asyncio.Protocol):
    """One connection to one browser: commands and their answers, and events of the sessions in it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._received = bytearray()
        self._writer: asyncio.WriteTransport | None = None
        self._reader: asyncio.ReadTransport | None = None
        self._number = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[msgspec.Raw]]] = {}
        self._listeners: dict[str, OnEvent] = {}  # by session
        self._lost: dict[str, str] = {}  # sessions that are no more, and why
        self.closed = asyncio.get_running_loop().create_future()

    async def connect(self, read_fd: int, write_fd: int) -> None:
        """Take over the two ends of the pipes; they are closed with the connection."""
        loop = asyncio.get_running_loop()
        reader, _ = await loop.connect_read_pipe(lambda: self, os.fdopen(read_fd, "rb", buffering=0))
        writer, _ = await loop.connect_write_pipe(
            asyncio.BaseProtocol, os.fdopen(write_fd, "wb", buffering=0)
        )
        self._reader = reader
        self._writer = writer

    # -- commands --------------------------------------------------------------------------------

    def send(self, method: str, params: Params, session: str = "") -> asyncio.Future[msgspec.Raw]:
        """Send a command at once; its answer may be awaited, later or never."""
        future: asyncio.Future[msgspec.Raw] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_look_at)
        if self._writer is None or self.closed.done():
            future.set_exception(DeviceLost(f"{self._name} is gone: open the device again"))
            return future
        if session in self._lost:
            future.set_exception(DeviceLost(self._lost[session]))
            return future
        self._number += 1
        message: Params = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._waiting[self._number] = (session, future)
        self._writer.write(_encoder.encode(message) + _END)
        return future

    async def call(
        self, method: str, params: Params, kind: type[T], session: str = "", timeout_s: float = CALL_S
    ) -> T:
        """Send a command and read its answer; raises DeviceError, never waits longer than `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self.send(method, params, session)
        except TimeoutError as error:
            raise DeviceTimeout(f"{self._name} did not answer {method} within {timeout_s:g} s") from error
        return read(answer, kind)

    # -- sessions --------------------------------------------------------------------------------

    def listen(self, session: str, on_event: OnEvent) -> None:
        """Hear the events of a session; there is one listener for each."""
        self._listeners[session] = on_event

    def lose(self, session: str, reason: str) -> None:
        """A session ended by itself: whoever waits for its answers hears the reason, now and later."""
        if session in self._listeners:
            self._lost[session] = reason
            self._fail(reason, session)

    def forget(self, session: str) -> None:
        """Nobody needs a session any more."""
        self._listeners.pop(session, None)
        self._lost.pop(session, None)
        self._fail("the tab was closed by its device", session)

    def _fail(self, reason: str, session: str | None = None) -> None:
        for number, (owner, future) in list(self._waiting.items()):
            if session is None or owner == session:
                del self._waiting[number]
                if not future.done():
                    future.set_exception(DeviceLost(reason))

    def close(self) -> None:
        """Close both pipes; the browser then ends."""
        for transport in (self._writer, self._reader):
            if transport is not None:
                transport.close()
        self._end()

    # -- what arrives (asyncio.Protocol) -----------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Some bytes: none, one or several messages."""
        at = len(self._received)
        self._received += data
        end = self._received.find(_END, at)
        begin = 0
        while end >= 0:
            self._take(bytes(self._received[begin:end]))
            begin = end + 1
            end = self._received.find(_END, begin)
        del self._received[:begin]

    def connection_lost(self, exc: Exception | None) -> None:
        """The browser has ended, or closed its side."""
        del exc
        self._end()

    def _take(self, data: bytes) -> None:
        message = _decoder.decode(data)
        if message.id:
            _, future = self._waiting.pop(message.id, ("", None))
            if future is None or future.done():
                return
            if message.error is not None:
                future.set_exception(Refused(f"{self._name}: {message.error.message}"))
            else:
                future.set_result(message.result)
        elif (listener := self._listeners.get(message.session_id)) is not None:
            listener(message.method, message.params)

    def _end(self) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
        self._fail(f"{self._name} has ended: open the device again")


def read(answer: msgspec.Raw, kind: type[T]) -> T:
    """The part of an answer that interests us."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except msgspec.DecodeError as error:
        raise DeviceError(f"the browser answered something unexpected: {error}") from error


def _look_at(future: asyncio.Future[Any]) -> None:
    """Nobody may be waiting for this answer any more: its error is then nobody's."""
    if not future.cancelled():
        future.exception()


def as_text(value: object) -> str:
    """A value of a page in words: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else _encoder.encode(value).decode()
