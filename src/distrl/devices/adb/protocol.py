"""An asyncio client of the adb server: one connection for each command, no subprocess, nothing that blocks.

A request is four hexadecimal digits of length and a text; the server answers OKAY or FAIL. After
`host:transport:SERIAL` the connection belongs to the phone, and the next request opens a service on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from distrl.devices.adb import leases
from distrl.errors import DeviceError, DeviceLost, DeviceTimeout

BUFFER = 8 * 2**20  # a raw screenshot of a large phone fits in
CHUNK = 64 * 1024
START_TIMEOUT_S = 15.0
POLL_S = 0.05
_PACKET = struct.Struct("<BI")
_REQUEST = struct.Struct("<4sI")
_STDOUT, _STDERR, _EXIT = 1, 2, 3


class Reply(NamedTuple):
    """What a shell command printed, and its exit status."""

    stdout: bytes
    stderr: bytes
    code: int

    @property
    def text(self) -> str:
        """Both outputs as text, for people."""
        return (self.stdout + self.stderr).decode("utf-8", "replace").strip()


class AdbServer:
    """The adb server on a machine and port; raises DeviceLost whenever it, or a phone, is not there."""

    def __init__(self, host: str = "127.0.0.1", port: int = 5037) -> None:
        self.host = host
        self.port = port

    # -- the server itself -------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the server unless it runs; only this machine's can be started, and by one of us at a time."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            with contextlib.suppress(DeviceLost):
                await self.host_request("host:version")
                return
            lease = leases.take(["start-server"], f"{self.host}:{self.port}")
            if lease is None:  # another device is at it
                await asyncio.sleep(POLL_S)
            else:
                try:
                    await self._start()
                finally:
                    lease.release()
            if time.monotonic() >= deadline:
                raise DeviceLost(f"no adb server came up at {self.host}:{self.port}: try `adb start-server`")

    async def _start(self) -> None:
        program = shutil.which("adb")
        if program is None or self.host not in ("127.0.0.1", "localhost"):
            why = "there is no `adb` here to start one: install it" if program is None else "it is elsewhere"
            raise DeviceLost(f"no adb server answers at {self.host}:{self.port}, and {why}")
        process = await asyncio.create_subprocess_exec(
            program, "start-server",
            env={**os.environ, "ANDROID_ADB_SERVER_PORT": str(self.port)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await process.wait()
        except TimeoutError as error:
            process.kill()
            raise DeviceLost(f"`adb start-server` took longer than {START_TIMEOUT_S:g} s") from error

    async def host_request(self, request: str, timeout_s: float = 5.0) -> str:
        """The server's answer to a request about itself or its phones."""
        async with self._connection(timeout_s) as (reader, writer):
            await _ask(reader, writer, request)
            length = int(await reader.readexactly(4), 16)
            return (await reader.readexactly(length)).decode("utf-8", "replace")

    async def devices(self) -> dict[str, str]:
        """The serials that the server knows and their states: `device`, `offline`, `unauthorized`…"""
        rows = (line.split("\t", 1) for line in (await self.host_request("host:devices")).splitlines())
        return {row[0]: row[1] for row in rows if len(row) == 2}

    async def attach(self, serial: str, timeout_s: float) -> None:
        """Wait until the phone is there, connecting to it first if the serial is an address.

        An address that is known but does not answer is connected to anew: by itself the server tries again
        only every ten seconds.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            state = (await self.devices()).get(serial, "absent")
            if state == "device":
                return
            if ":" in serial:
                if state != "absent":
                    await self.detach(serial)
                with contextlib.suppress(DeviceError):
                    await self.host_request(f"host:connect:{serial}", timeout_s)
                    state = (await self.devices()).get(serial, "absent")
            if state == "device":
                return
            if time.monotonic() >= deadline:
                raise DeviceLost(f"{serial} is {state} for adb; {_advice(serial, state)}")
            await asyncio.sleep(POLL_S)

    async def detach(self, serial: str) -> None:
        """Let the server forget a phone that was connected by address, or reset the connection to another."""
        request = f"host:disconnect:{serial}" if ":" in serial else f"host-serial:{serial}:reconnect"
        with contextlib.suppress(DeviceError):
            await self.host_request(request)

    # -- a phone -------------------------------------------------------------------------------------

    async def exec(self, serial: str, line: str, timeout_s: float) -> bytes:
        """What a line of the shell prints, byte by byte; its exit status stays unknown."""
        async with self._service(serial, f"exec:{line}", timeout_s) as (reader, _):
            return await reader.read(-1)

    async def shell(self, serial: str, line: str, timeout_s: float) -> Reply:
        """Run a line of the shell and wait for its end."""
        output = {_STDOUT: bytearray(), _STDERR: bytearray()}
        async with self._service(serial, f"shell,v2,raw:{line}", timeout_s) as (reader, _):
            while True:
                kind, length = _PACKET.unpack(await reader.readexactly(_PACKET.size))
                data = await reader.readexactly(length)
                if kind == _EXIT:
                    return Reply(bytes(output[_STDOUT]), bytes(output[_STDERR]), data[0])
                if kind in output:
                    output[kind] += data

    async def call(self, serial: str, service: str, timeout_s: float) -> bytes:
        """The answer of another service of the phone, such as `root:` or `reboot:`."""
        async with self._service(serial, service, timeout_s) as (reader, _):
            return await reader.read(-1)

    async def pull(self, serial: str, path: str, timeout_s: float) -> bytes:
        """The content of a file on the phone."""
        content = bytearray()
        async with self._service(serial, "sync:", timeout_s) as (reader, writer):
            encoded = path.encode()
            writer.write(_REQUEST.pack(b"RECV", len(encoded)) + encoded)
            while True:
                word, length = _REQUEST.unpack(await reader.readexactly(_REQUEST.size))
                if word == b"DONE":
                    return bytes(content)
                data = await reader.readexactly(length)
                if word != b"DATA":
                    raise DeviceError(f"{serial} does not send {path}: {data.decode('utf-8', 'replace')}")
                content += data

    async def push(self, serial: str, content: bytes, path: str, timeout_s: float) -> None:
        """Write a file on the phone."""
        async with self._service(serial, "sync:", timeout_s) as (reader, writer):
            target = f"{path},{0o100644}".encode()
            writer.write(_REQUEST.pack(b"SEND", len(target)) + target)
            for start in range(0, len(content), CHUNK):
                piece = content[start : start + CHUNK]
                writer.write(_REQUEST.pack(b"DATA", len(piece)) + piece)
                await writer.drain()
            writer.write(_REQUEST.pack(b"DONE", int(time.time())))
            word, length = _REQUEST.unpack(await reader.readexactly(_REQUEST.size))
            if word != b"OKAY":
                reason = (await reader.readexactly(length)).decode("utf-8", "replace")
                raise DeviceError(f"{serial} does not take {path}: {reason}")

    # -- connections ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def _service(
        self, serial: str, service: str, timeout_s: float
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        async with self._connection(timeout_s, serial) as (reader, writer):
            await _ask(reader, writer, f"host:transport:{serial}")
            await _ask(reader, writer, service)
            yield reader, writer

    @asynccontextmanager
    async def _connection(
        self, timeout_s: float, serial: str = ""
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection that ends with the block; whatever goes wrong on it becomes an error of ours."""
        who = serial or f"the adb server at {self.host}:{self.port}"
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(timeout_s):
                reader, writer = await asyncio.open_connection(self.host, self.port, limit=BUFFER)
                yield reader, writer
        except TimeoutError as error:
            raise DeviceTimeout(f"{who} did not answer within {timeout_s:g} s") from error
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            raise DeviceLost(f"the connection to {who} broke: {error}") from error
        finally:
            if writer is not None:
                writer.close()


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: str) -> None:
    encoded = request.encode()
    writer.write(b"%04x" % len(encoded) + encoded)
    if await reader.readexactly(4) == b"OKAY":
        return
    reason = (await reader.readexactly(int(await reader.readexactly(4), 16))).decode("utf-8", "replace")
    raise DeviceLost(f"adb refuses `{request[:60]}`: {reason}")


def _advice(serial: str, state: str) -> str:
    if state == "unauthorized":
        return "accept this computer's key on the phone's screen"
    if ":" in serial:
        return "is the phone on, and listening on that port?"
    return "plug it in, or start the emulator; `adb devices` lists what is there"
