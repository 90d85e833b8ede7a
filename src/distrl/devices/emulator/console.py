"""The emulator's console, as a client: one connection for each command, every answer checked."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from distrl.errors import DeviceError, DeviceLost, DeviceTimeout

_TOKEN_PATH = re.compile(r"'([^']+auth_token)'")


class Console:
    """The console of the emulator on a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def ask(self, command: str, timeout_s: float) -> list[str]:
        """The lines of the answer; DeviceError if the emulator refuses, DeviceLost if it is not there."""
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(timeout_s):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                greeting = "\n".join(await self._answer(reader, "connecting"))
                if "Authentication required" in greeting:
                    writer.write(f"auth {_token(greeting)}\n".encode())
                    await self._answer(reader, "auth")
                writer.write(f"{command}\n".encode())
                return await self._answer(reader, command)
        except TimeoutError as error:
            raise DeviceTimeout(f"{self} did not answer `{command}` within {timeout_s:g} s") from error
        except OSError as error:
            raise DeviceLost(f"{self} cannot be reached: {error}") from error
        finally:
            if writer is not None:
                writer.close()

    async def _answer(self, reader: asyncio.StreamReader, command: str) -> list[str]:
        lines: list[str] = []
        while line := await reader.readline():
            text = line.decode("utf-8", "replace").strip()
            if text == "OK" or text.startswith("OK:"):
                return lines
            if text.startswith("KO"):
                raise DeviceError(f"{self} refuses `{command}`: {text.removeprefix('KO:').strip()}")
            lines.append(text)
        raise DeviceLost(f"{self} went away during `{command}`")

    def __str__(self) -> str:
        return f"the console of emulator-{self.port}"


def _token(greeting: str) -> str:
    """The token that proves that we are the emulator's user; the greeting says where it is."""
    found = _TOKEN_PATH.search(greeting)
    path = Path(found[1]) if found else Path.home() / ".emulator_console_auth_token"
    try:
        return path.read_text().strip()
    except OSError as error:
        raise DeviceError(f"the emulator's console wants a token, and {path} cannot be read") from error
