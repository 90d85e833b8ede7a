"""Phones on ports of this machine, for an adb server to connect to, or to be told about as emulators."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from distrl.simphone.adbd.services import find_service
from distrl.simphone.adbd.transport import Transport
from distrl.simphone.served import AS_IT_COMES, Conduct, ServedPhone
from distrl.simphone.shell.tools import PROPERTIES

FEATURES = ("shell_v2", "cmd", "stat_v2")
LOOPBACK = "127.0.0.1"
REGISTER_EVERY_S = 1.0


def banner() -> str:
    """How the phone introduces itself."""
    names = ("ro.product.name", "ro.product.model", "ro.product.device")
    properties = ";".join(f"{name}={PROPERTIES[name]}" for name in names)
    return f"device::{properties};features={','.join(FEATURES)}"


class ListeningPhone:
    """A served phone on a TCP port of this machine."""

    def __init__(self, served: ServedPhone, port: int) -> None:
        self.served = served
        self.port = port
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen; port 0 takes a free one. Raises OSError when the port is taken."""
        self._server = await asyncio.start_server(self._connected, LOOPBACK, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cut all connections and listen no more."""
        if self._server is None:
            return
        self._server.close()
        self.served.unplug()
        await asyncio.gather(*self._ends, return_exceptions=True)  # each ends with its connection
        self._server = None

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.served.up:
            writer.close()
            return
        transport = Transport(reader, writer, banner(), lambda name: find_service(self.served, name))
        task = asyncio.current_task()
        assert task is not None
        self._ends.add(task)
        self.served.connections.add(transport.cut)
        try:
            await transport.run()
        finally:
            self.served.connections.discard(transport.cut)
            self._ends.discard(task)


class PhoneFarm:
    """Many phones in one process; an emulator's port is odd and its serial names the port below."""

    def __init__(
        self, count: int, port: int, *, seed: int = 0, conduct: Conduct = AS_IT_COMES, step: int = 1
    ) -> None:
        self.phones = [
            ListeningPhone(
                ServedPhone(f"phone-{index}", seed + index, conduct), port + step * index if port else 0
            )
            for index in range(count)
        ]

    async def start(self) -> None:
        """All phones listen, or none does."""
        try:
            for phone in self.phones:
                await phone.start()
        except OSError:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Switch all phones off."""
        for phone in self.phones:
            await phone.stop()

    def serials(self, emulators: bool = False) -> list[str]:
        """What `adb devices` calls them."""
        if emulators:
            return [f"emulator-{phone.port - 1}" for phone in self.phones]
        return [f"{LOOPBACK}:{phone.port}" for phone in self.phones]


async def keep_registered(phones: Sequence[ListeningPhone], server_port: int) -> None:
    """Tell the adb server about these emulators, again and again, since servers restart."""
    while True:
        for phone in phones:
            if phone.served.up and not phone.served.connections:
                await _register(phone.port, server_port)
        await asyncio.sleep(REGISTER_EVERY_S)


async def _register(port: int, server_port: int) -> None:
    """One `host:emulator` request; it has no answer, and without a server there is nobody to tell."""
    with contextlib.suppress(OSError):
        _, writer = await asyncio.open_connection(LOOPBACK, server_port)
        request = f"host:emulator:{port}".encode()
        writer.write(b"%04x" % len(request) + request)
        await writer.drain()
        writer.close()
        await writer.wait_closed()
