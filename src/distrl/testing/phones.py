"""A private adb server and simulated phones, for tests of whatever drives phones through adb.

    with private_adb(folder) as adb, served_phones(4) as phones:
        adb.run("connect", phones.serials[0])

The phones live in a thread with an event loop of its own, since a real adb server talks to them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from distrl.simphone.adbd.listening import ListeningPhone, PhoneFarm, keep_registered
from distrl.simphone.served import Conduct

T = TypeVar("T")
NO_ADB = "needs adb: apt-get install adb"
STEADY = Conduct(clock="actions", time_scale=0.1)  # time moves with actions, and reboots are short


def has_adb() -> bool:
    """Whether there is an adb to test with."""
    return shutil.which("adb") is not None


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class PrivateAdb:
    """The real adb with a server on a port and a home of its own."""

    def __init__(self, port: int, home: Path) -> None:
        self.port = port
        self.environment = {**os.environ, "HOME": str(home), "ANDROID_ADB_SERVER_PORT": str(port)}

    def run(
        self, *args: str, data: bytes = b"", timeout_s: float = 20.0
    ) -> subprocess.CompletedProcess[bytes]:
        """Run `adb` with these words."""
        return subprocess.run(
            ["adb", *args],
            env=self.environment,
            input=data,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )

    def text(self, *args: str) -> str:
        """What `adb` prints."""
        return self.run(*args).stdout.decode()


@contextmanager
def private_adb(home: Path) -> Iterator[PrivateAdb]:
    """An adb server of our own; it is gone afterwards, whatever happens."""
    adb = PrivateAdb(free_port(), home)
    adb.run("start-server")
    try:
        yield adb
    finally:
        adb.run("kill-server")


class ServedPhones:
    """Simulated phones in a thread."""

    def __init__(self, farm: PhoneFarm, loop: asyncio.AbstractEventLoop) -> None:
        self.farm = farm
        self._loop = loop

    @property
    def serials(self) -> list[str]:
        """Their addresses."""
        return self.farm.serials()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something where the phones live."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=20)

    def kill(self, index: int) -> ListeningPhone:
        """Switch a phone off, as if its process had died."""
        phone = self.farm.phones[index]
        self.call(phone.stop())
        return phone

    def revive(self, index: int) -> None:
        """Switch it on again, on the same port."""
        self.call(self.farm.phones[index].start())

    def register(self, server_port: int) -> None:
        """Keep telling this adb server that the phones are emulators."""

        async def begin() -> None:
            self._registration = asyncio.ensure_future(keep_registered(self.farm.phones, server_port))

        self.call(begin())

    async def stop(self) -> None:
        """Switch everything off."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await self.farm.stop()
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


@contextmanager
def served_phones(
    count: int, conduct: Conduct = STEADY, port: int = 0, step: int = 1
) -> Iterator[ServedPhones]:
    """So many simulated phones, on free ports unless one is given."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="simulated phones")
    thread.start()
    phones = ServedPhones(PhoneFarm(count, port, conduct=conduct, step=step), loop)
    try:
        phones.call(phones.farm.start())
        yield phones
    finally:
        phones.call(phones.stop())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
