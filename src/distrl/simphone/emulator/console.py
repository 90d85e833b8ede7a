"""The emulator's console: lines of text on a port, with a token that proves who is asking.

`adb emu COMMAND` talks to it, and so does anybody with netcat. Answers end with `OK` or `KO: why`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path

from distrl.simphone.emulator.snapshots import SnapshotError, Snapshots
from distrl.simphone.shell.providers import receive_text

LOOPBACK = "127.0.0.1"
TOKEN_FILE = ".emulator_console_auth_token"
_LISTING = "List of snapshots present on all disks:\nID        TAG                 VM SIZE"
_HELP = "Android Console: type 'help' for a list of commands"


class EmulatorConsole:
    """The console of one emulator; an empty token means that nobody has to prove anything."""

    def __init__(
        self,
        port: int,
        avd: str,
        snapshots: Snapshots,
        *,
        switch_off: Callable[[], None] | None = None,
        token_file: Path | None = None,
    ) -> None:
        self.port = port
        self._avd = avd
        self._snapshots = snapshots
        self._switch_off = switch_off
        self._token_file = token_file
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen; raises OSError when the port is taken."""
        self._server = await asyncio.start_server(self._connected, LOOPBACK, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        token = _token(self._token_file)
        trusted = not token
        try:
            writer.write(_lines(self._greeting(trusted)))
            while line := await reader.readline():
                typed = line.decode("utf-8", "replace")
                words = typed.split()
                if words[:1] in (["quit"], ["exit"]):
                    return
                if words[:1] == ["auth"]:
                    trusted = trusted or words[1:] == [token]
                    wrong = "KO: authentication token does not match ~/.emulator_console_auth_token"
                    answer = f"{_HELP}\nOK" if trusted else wrong
                elif not trusted:
                    answer = "KO: unknown command, try 'help'"
                else:
                    answer = self._answer(words, typed)
                writer.write(_lines(answer))
                await writer.drain()
                if trusted and words == ["kill"] and self._switch_off is not None:
                    self._switch_off()
                    return
        except OSError:
            pass  # whoever asked went away
        finally:
            writer.close()

    def _greeting(self, trusted: bool) -> str:
        if trusted:
            return f"{_HELP}\nOK"
        return (
            "Android Console: Authentication required\n"
            "Android Console: type 'auth <auth_token>' to authenticate\n"
            f"Android Console: you can find your <auth_token> in \n'{self._token_file}'\nOK"
        )

    def _answer(self, words: list[str], typed: str) -> str:
        try:
            match words:
                case []:
                    return "OK"
                case ["help"]:
                    return "Android console commands:\n    help | ping | avd | sms | kill | quit\nOK"
                case ["ping"]:
                    return "I am alive!\nOK"
                case ["avd", "name"]:
                    return f"{self._avd}\nOK"
                case ["avd", "status"]:
                    return "virtual device is running\nOK"
                case ["avd", "snapshot", "list"]:
                    rows = [f"--        {name}" for name in self._snapshots.names()]
                    found = "\n".join([_LISTING, *rows]) if rows else "There is no snapshot available."
                    return f"{found}\nOK"
                case ["avd", "snapshot", "save", name]:
                    self._snapshots.save(name)
                case ["avd", "snapshot", "load", name]:
                    self._snapshots.load(name)
                case ["avd", "snapshot", ("del" | "delete"), name]:
                    self._snapshots.delete(name)
                case ["sms", "send", number, _, *_]:
                    body = typed.split(None, 3)[3].strip()
                    self._snapshots.served.act(lambda phone: receive_text(phone, number, body))
                case ["sms", *_]:
                    return "KO: missing argument, try 'sms send <phonenumber> <text message>'"
                case ["kill"] if self._switch_off is not None:
                    return "OK: killing emulator, bye bye"
                case ["avd", *_]:
                    return "KO: bad sub-command"
                case _:
                    return "KO: unknown command, try 'help'"
        except SnapshotError as error:
            return f"KO: {error}"
        return "OK"


def make_token_file(home: Path) -> Path:
    """The file with the token of this user's emulators, written by the first one that needs it."""
    path = home / TOKEN_FILE
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(12))
    return path


def _token(file: Path | None) -> str:
    return file.read_text().strip() if file is not None and file.exists() else ""


def _lines(text: str) -> bytes:
    return (text + "\n").replace("\n", "\r\n").encode()
