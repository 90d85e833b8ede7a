"""One connection from an adb server: the handshake, and streams that share it.

On each stream either side sends one message and waits until the other has said OKAY.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable

from distrl.simphone.adbd.wire import (
    CLSE,
    CNXN,
    MAX_PAYLOAD,
    OKAY,
    OPEN,
    VERSION,
    WRTE,
    Message,
    WireError,
    header,
    read_message,
)

SMALLEST_PAYLOAD = 4096


class StreamClosed(Exception):
    """The other side has closed the stream."""


class Stream:
    """One service's two-way pipe inside a transport."""

    def __init__(self, transport: Transport, local: int, remote: int) -> None:
        self._transport = transport
        self.local = local
        self.remote = remote
        self._acknowledged = asyncio.Event()
        self._acknowledged.set()
        self._incoming: asyncio.Queue[bytes] = asyncio.Queue()
        self._buffer = bytearray()
        self.listening = False  # False: what arrives is acknowledged and dropped

    async def write(self, data: bytes) -> None:
        """Send all of it, in pieces that the other side takes."""
        view = memoryview(data)
        for start in range(0, len(view), self._transport.max_payload):
            await self._acknowledged.wait()
            self._acknowledged.clear()
            piece = view[start : start + self._transport.max_payload]
            await self._transport.send(WRTE, self.local, self.remote, piece)
        await self._acknowledged.wait()

    async def read(self, size: int) -> bytes:
        """Exactly so many bytes."""
        while len(self._buffer) < size:
            self._buffer += await self._next()
        found = bytes(self._buffer[:size])
        del self._buffer[:size]
        return found

    async def read_some(self) -> bytes:
        """Whatever arrives next."""
        if self._buffer:
            found = bytes(self._buffer)
            self._buffer.clear()
            return found
        return await self._next()

    async def _next(self) -> bytes:
        data = await self._incoming.get()
        await self._transport.send(OKAY, self.local, self.remote)
        return data

    async def arrived(self, data: bytes) -> None:
        """Take what the other side sent."""
        if self.listening:
            self._incoming.put_nowait(data)
        else:
            await self._transport.send(OKAY, self.local, self.remote)

    def acknowledge(self) -> None:
        """Take the other side's OKAY."""
        self._acknowledged.set()


Service = Callable[[Stream], Awaitable[None]]
FindService = Callable[[str], Service | None]


class Transport:
    """The daemon's end of a connection; `find` turns the name of a service into what serves it."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, banner: str, find: FindService
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._banner = banner
        self._find = find
        self._streams: dict[int, Stream] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._number = 0
        self.max_payload = MAX_PAYLOAD

    async def run(self) -> None:
        """Serve until the connection ends."""
        try:
            while True:
                self._acknowledge_at_once()
                await self._handle(await read_message(self._reader))
        except (asyncio.IncompleteReadError, OSError, WireError):
            pass  # the adb server went away, or was none
        finally:
            for task in list(self._tasks.values()):
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            self.cut()

    def cut(self) -> None:
        """End the connection now."""
        self._writer.close()

    async def send(self, command: int, arg0: int, arg1: int, payload: bytes | memoryview = b"") -> None:
        """Send one message."""
        if self._writer.is_closing():
            raise StreamClosed
        self._writer.write(header(command, arg0, arg1, len(payload)))
        if payload:
            self._writer.write(payload)
        await self._writer.drain()

    def _acknowledge_at_once(self) -> None:
        """Keep the kernel from delaying TCP acknowledgements: a peer that waits for one loses 40 ms."""
        connection = self._writer.get_extra_info("socket")
        if connection is not None and hasattr(socket, "TCP_QUICKACK"):
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    async def _handle(self, message: Message) -> None:
        stream = self._streams.get(message.arg1)
        if message.command == CNXN:
            self.max_payload = max(SMALLEST_PAYLOAD, min(message.arg1, MAX_PAYLOAD))
            await self.send(CNXN, VERSION, MAX_PAYLOAD, self._banner.encode())
        elif message.command == OPEN:
            await self._open(message.arg0, message.payload)
        elif stream is None:
            return  # it was closed meanwhile
        elif message.command == OKAY:
            stream.acknowledge()
        elif message.command == WRTE:
            await stream.arrived(message.payload)
        elif message.command == CLSE:
            self._tasks[stream.local].cancel()

    async def _open(self, remote: int, payload: bytes) -> None:
        service = self._find(payload.rstrip(b"\0").decode("utf-8", "replace"))
        if service is None:
            await self.send(CLSE, 0, remote)
            return
        self._number += 1
        stream = Stream(self, self._number, remote)
        self._streams[stream.local] = stream
        await self.send(OKAY, stream.local, remote)
        self._tasks[stream.local] = asyncio.ensure_future(self._serve(stream, service))

    async def _serve(self, stream: Stream, service: Service) -> None:
        try:
            await service(stream)
        except StreamClosed:
            pass
        finally:
            del self._streams[stream.local], self._tasks[stream.local]
            if not self._writer.is_closing():
                self._writer.write(header(CLSE, stream.local, stream.remote, 0))
