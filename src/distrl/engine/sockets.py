"""Calls between processes of one machine: length-framed messages over unix sockets.

A frame is a header (payload length, request number, length of the method's name), the name and the payload.
Answers carry the number of their request and no name, so that many calls share a connection.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from distrl.engine.rpc import DEADLINE_S, Bytes, Service, remote
from distrl.errors import PartUnavailable

P = TypeVar("P")
OnFrame = Callable[[int, str, memoryview], None]
OnLost = Callable[[], None]

HEADER = struct.Struct("!QQB")
PIECE = 256 * 1024  # bytes handed to the socket at a time; about what the kernel takes


class Frames(asyncio.BufferedProtocol):
    """One connection, seen as frames; payloads are received straight into their own buffer."""

    def __init__(self, on_frame: OnFrame, on_lost: OnLost) -> None:
        self._on_frame = on_frame
        self._on_lost = on_lost
        self._transport: asyncio.Transport | None = None
        self._writable = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._sendings: set[asyncio.Future[bool]] = set()
        self._header = bytearray(HEADER.size)
        self._body: bytearray | None = None  # None while the header is awaited
        self._received = 0
        self.lost = False

    async def send(self, number: int, method: str, payload: Bytes) -> None:
        """Send a frame; a caller who is cancelled meanwhile leaves no half of one behind."""
        name = method.encode()
        head = HEADER.pack(len(payload), number, len(name)) + name
        if self._transport and not self.lost and self._idle and len(payload) <= PIECE:
            self._transport.write(head + payload)
            return
        sending = asyncio.ensure_future(self._send_whole(head, payload))
        self._sendings.add(sending)
        sending.add_done_callback(self._sendings.discard)
        if not await asyncio.shield(sending):
            raise ConnectionResetError("the connection is gone")

    async def _send_whole(self, head: bytes, payload: Bytes) -> bool:
        """Send one frame after the other, in pieces: what the socket does not take at once is copied."""
        view = memoryview(payload)
        async with self._one_at_a_time:
            for start in range(0, max(len(view), 1), PIECE):
                await self._writable.wait()
                if self._transport is None or self.lost:
                    return False
                piece = view[start : start + PIECE]
                self._transport.write(head + piece if start == 0 else piece)
        return True

    @property
    def _idle(self) -> bool:
        return self._writable.is_set() and not self._sendings

    def close(self) -> None:
        """Drop the connection."""
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls:

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.lost = True
        self._writable.set()
        self._on_lost()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002
        target = self._header if self._body is None else self._body
        return memoryview(target)[self._received :]

    def buffer_updated(self, nbytes: int) -> None:
        self._received += nbytes
        if self._body is None:
            if self._received < HEADER.size:
                return
            length, _, name_length = HEADER.unpack(self._header)
            self._body, self._received = bytearray(name_length + length), 0
        if self._received < len(self._body):
            return
        _, number, name_length = HEADER.unpack(self._header)
        body, self._body, self._received = memoryview(self._body), None, 0
        self._on_frame(number, str(body[:name_length], "utf-8"), body[name_length:])


# --- the side that is called --------------------------------------------------------------------


class SocketServer:
    """Offers a `Service` on a unix socket; every call runs as a task of the loop that started it."""

    def __init__(self, service: Service, address: str) -> None:
        self._service = service
        self._address = address
        self._connections: set[Frames] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen; a socket file left behind by a crash is replaced."""
        self._server = await asyncio.get_running_loop().create_unix_server(self._accept, self._address)

    async def close(self) -> None:
        """Stop listening, drop the connections and the calls under way, remove the socket file."""
        if self._server is not None:
            self._server.close()
        for connection in list(self._connections):
            connection.close()
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        with suppress(FileNotFoundError):
            os.unlink(self._address)

    def _accept(self) -> Frames:
        connection = Frames(
            lambda number, method, payload: self._begin(connection, number, method, payload),
            lambda: self._connections.discard(connection),
        )
        self._connections.add(connection)
        return connection

    def _begin(self, connection: Frames, number: int, method: str, payload: memoryview) -> None:
        call = asyncio.get_running_loop().create_task(self._answer(connection, number, method, payload))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _answer(self, connection: Frames, number: int, method: str, payload: memoryview) -> None:
        answer = await self._service.call(method, payload)
        # A caller that has gone asks again if it still wants to know.
        with suppress(ConnectionError):
            await connection.send(number, "", answer)


async def serve(target: object, protocol: type, address: str) -> SocketServer:
    """Offer `target` as a `protocol` on the unix socket `address`."""
    server = SocketServer(Service(target, protocol), address)
    await server.start()
    return server


# --- the side that calls ------------------------------------------------------------------------


class SocketTransport:
    """Carries calls over one unix socket; after a loss, the next call connects anew."""

    def __init__(self, address: str, name: str = "") -> None:
        self._address = address
        self._name = name or address
        self._connection: Frames | None = None
        self._connecting = asyncio.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, tuple[Frames, asyncio.Future[memoryview]]] = {}

    async def call(self, method: str, payload: Bytes) -> Bytes:
        """The service's answer; raises PartUnavailable when the connection cannot be made or breaks."""
        try:
            connection = await self._connect()
            number = next(self._numbers)
            answer: asyncio.Future[memoryview] = asyncio.get_running_loop().create_future()
            self._waiting[number] = (connection, answer)
            try:
                await connection.send(number, method, payload)
                return await answer
            finally:
                del self._waiting[number]
                answer.cancel()
        except OSError as error:
            raise PartUnavailable(
                f"{self._name} cannot be reached ({error.strerror or error}); the call may be tried again"
            ) from error

    def close(self) -> None:
        """Drop the connection; calls under way raise PartUnavailable."""
        if self._connection is not None:
            self._connection.close()

    async def _connect(self) -> Frames:
        async with self._connecting:
            if self._connection is None or self._connection.lost:
                connection = Frames(self._answered, lambda: self._lost(connection))
                await asyncio.get_running_loop().create_unix_connection(lambda: connection, self._address)
                self._connection = connection
            return self._connection

    def _answered(self, number: int, _method: str, payload: memoryview) -> None:
        # An answer nobody waits for any more came after its call's deadline.
        if number in self._waiting:
            _, answer = self._waiting[number]
            if not answer.done():
                answer.set_result(payload)

    def _lost(self, connection: Frames) -> None:
        for owner, answer in self._waiting.values():
            if owner is connection and not answer.done():
                answer.set_exception(ConnectionResetError("the connection broke during the call"))


def connect(protocol: Callable[..., P], address: str, *, name: str = "", deadline_s: float = DEADLINE_S) -> P:
    """A client for what is served as a `protocol` on the unix socket `address`."""
    return remote(protocol, SocketTransport(address, name), name=name, deadline_s=deadline_s)
