"""What an adb client may ask of the phone: shell, exec, sync, root, unroot, reboot and a few more."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable

from distrl.simphone.adbd.sync import serve_sync
from distrl.simphone.adbd.transport import Service, Stream
from distrl.simphone.served import ServedPhone, Unplugged

STDIN, STDOUT, EXIT, CLOSE_STDIN = 0, 1, 3, 4  # packets of the second shell protocol
_PACKET = struct.Struct("<BI")
END_OF_INPUT = (b"\x04", b"\x03")  # what a terminal sends for Ctrl-D and Ctrl-C


def find_service(served: ServedPhone, name: str) -> Service | None:
    """The service of this name, as the client writes it (`shell,v2,raw:ls`); None if there is no such."""
    kind, _, argument = name.partition(":")
    options = kind.split(",")
    match options[0]:
        case "shell" | "exec":
            packets = "v2" in options
            if argument.strip():
                return _Command(served, argument, packets).serve
            return _Session(served, packets, terminal="pty" in options or not packets).serve
        case "sync":
            return lambda stream: serve_sync(served, stream)
        case "root" | "unroot":
            return lambda stream: _switch_user(served, stream, root=kind == "root")
        case "reboot":
            return lambda stream: _reboot(served, stream)
        case "reconnect":
            return lambda stream: _reconnect(served, stream)
        case "remount":
            return lambda stream: stream.write(b"remount succeeded\n")
    return None


class _Command:
    """One line, its output and, in the second protocol, its exit status."""

    def __init__(self, served: ServedPhone, line: str, packets: bool) -> None:
        self._served = served
        self._line = line
        self._packets = packets

    async def serve(self, stream: Stream) -> None:
        """Run the line and send what it prints."""
        try:
            output, code = await self._served.run(self._line)
        except Unplugged:
            return
        if not self._packets:
            if output:
                await stream.write(output)
            return
        printed = _PACKET.pack(STDOUT, len(output)) + output if output else b""
        await stream.write(printed + _PACKET.pack(EXIT, 1) + bytes([code % 256]))


class _Session:
    """A shell that reads its lines from the client, with a prompt if that is a terminal."""

    def __init__(self, served: ServedPhone, packets: bool, terminal: bool) -> None:
        self._served = served
        self._packets = packets
        self._terminal = terminal
        self._line = bytearray()
        self._code = 0

    async def serve(self, stream: Stream) -> None:
        """Run line after line until `exit` or the end of the input."""
        stream.listening = True
        await self._prompt(stream)
        while (typed := await self._typed(stream)) is not None:
            if not await self._take(stream, typed):
                break
        if self._packets:
            await stream.write(_PACKET.pack(EXIT, 1) + bytes([self._code % 256]))

    async def _typed(self, stream: Stream) -> bytes | None:
        """What the client typed; None at the end."""
        if not self._packets:
            return await stream.read_some()
        while True:
            kind, length = _PACKET.unpack(await stream.read(_PACKET.size))
            data = await stream.read(length) if length else b""
            if kind == CLOSE_STDIN:
                return None
            if kind == STDIN:
                return data

    async def _take(self, stream: Stream, typed: bytes) -> bool:
        """Add signs to the line and run it when it is complete; False at the end of the session."""
        if any(sign in typed for sign in END_OF_INPUT):
            return False
        if self._terminal:
            await self._print(stream, typed.replace(b"\r", b"\r\n"))
        self._line += typed.replace(b"\r", b"\n")
        while b"\n" in self._line:
            line, _, rest = self._line.partition(b"\n")
            self._line = bytearray(rest)
            words = line.decode("utf-8", "replace").split()
            if words[:1] == ["exit"]:
                self._code = int(words[1]) if len(words) > 1 and words[1].isdecimal() else self._code
                return False
            try:
                output, self._code = await self._served.run(line.decode("utf-8", "replace"))
            except Unplugged:
                return False
            await self._print(stream, output.replace(b"\n", b"\r\n") if self._terminal else output)
            await self._prompt(stream)
        return True

    async def _prompt(self, stream: Stream) -> None:
        if self._terminal:
            await self._print(stream, f"simphone:/ {'#' if self._served.root else '$'} ".encode())

    async def _print(self, stream: Stream, output: bytes) -> None:
        if output:
            packet = _PACKET.pack(STDOUT, len(output)) if self._packets else b""
            await stream.write(packet + output)


async def _switch_user(served: ServedPhone, stream: Stream, root: bool) -> None:
    """Restart the daemon as another user, which cuts its connections."""
    if served.root == root:
        await stream.write(b"adbd is already running as root\n" if root else b"adbd not running as root\n")
        return
    served.root = root
    await stream.write(b"restarting adbd as root\n" if root else b"restarting adbd as non root\n")
    _soon(served.unplug)


async def _reboot(served: ServedPhone, stream: Stream) -> None:
    del stream
    _soon(served.reboot)


async def _reconnect(served: ServedPhone, stream: Stream) -> None:
    await stream.write(b"done\n")
    _soon(served.unplug)


def _soon(work: Callable[[], None]) -> None:
    """Do it once the answer is on its way."""
    asyncio.get_running_loop().call_later(0.02, work)
