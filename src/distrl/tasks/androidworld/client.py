"""Our end of the line to `server.py`, which runs in the Python of an AndroidWorld installation."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO

import msgspec

from distrl.errors import ConfigError, DeviceError, DeviceTimeout, TaskError

PYTHON_VARIABLE = "DISTRL_ANDROIDWORLD_PYTHON"
SERVER = Path(__file__).parent / "server.py"
START_S = 120.0  # importing AndroidWorld on a busy machine
LONGEST_LINE = 2**24
_SHOWN_CHARACTERS = 300  # of what the process last wrote, when it ends


class Listed(msgspec.Struct, frozen=True):
    """A task of AndroidWorld with one seed's parameters."""

    name: str
    seed: int
    goal: str
    steps: int


class Reply(msgspec.Struct, frozen=True):
    """What the process answers; which fields mean something depends on the request."""

    id: int
    error: str = ""
    goal: str = ""
    score: float = 0.0
    tasks: tuple[Listed, ...] = ()
    left_out: dict[str, str] = {}


_replies = msgspec.json.Decoder(Reply)
_requests = msgspec.json.Encoder()
_NOTHING = Reply(0)


def find_python() -> str:
    """The Python that has AndroidWorld, as the environment names it; raises ConfigError if there is none."""
    named = os.environ.get(PYTHON_VARIABLE, "")
    found = shutil.which(os.path.expanduser(named)) if named else None
    if found is None:
        what = f"{named!r} is no program" if named else "it is not set"
        raise ConfigError(
            f"{what}; name the Python of your AndroidWorld installation, for instance "
            f"export {PYTHON_VARIABLE}=~/android_world/venv/bin/python (docs/androidworld.md)",
            PYTHON_VARIABLE,
        )
    return found


def list_tasks(python: str, names: list[str], seeds: list[int]) -> Reply:
    """The tasks whose names fit a pattern, with every seed; a process of its own tells, and ends."""
    request = _requests.encode({"id": 1, "do": "list", "names": names, "seeds": seeds}) + b"\n"
    try:
        done = subprocess.run([python, str(SERVER)], input=request, capture_output=True, timeout=START_S)
        greeting, *rest = [_replies.decode(line) for line in done.stdout.splitlines()] or [_NOTHING]
    except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError) as error:
        raise TaskError(f"AndroidWorld's tasks cannot be listed by {python}: {error}") from error
    if greeting.error or not rest:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
        raise _no_androidworld(python, greeting.error or words[-1])
    return rest[0]


def _no_androidworld(python: str, why: str) -> ConfigError:
    return ConfigError(
        f"{python} cannot import AndroidWorld ({why}); install it there, or name another Python",
        PYTHON_VARIABLE,
    )


class AndroidWorldProcess:
    """One process with AndroidWorld; started by the first question, and again after it was killed.

    Whoever is interrupted while it works (a deadline, a cancelled episode) leaves it in a state that nobody
    knows, so it is then killed.
    """

    def __init__(self, python: str) -> None:
        self._python = python
        self._process: asyncio.subprocess.Process | None = None
        self._log: IO[bytes] | None = None
        self._number = 0
        self._ended: list[asyncio.subprocess.Process] = []  # killed, and not yet waited for

    @property
    def running(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def ask(self, do: str, timeout_s: float, **fields: object) -> Reply:
        """One request and its answer; raises DeviceError when it fails, DeviceTimeout when it is late."""
        try:
            async with asyncio.timeout(timeout_s):
                if not self.running:
                    await self._start()
                self._number += 1
                reply = await self._exchange({"id": self._number, "do": do, **fields})
        except TimeoutError as error:
            self.kill()
            raise DeviceTimeout(f"AndroidWorld did not {do} within {timeout_s:g} s") from error
        except BaseException:
            self.kill()
            raise
        if reply.error:
            raise DeviceError(f"AndroidWorld could not {do}: {reply.error}")
        return reply

    async def _start(self) -> None:
        await self.close()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            self._process = await asyncio.create_subprocess_exec(
                self._python,
                str(SERVER),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._log,
                limit=LONGEST_LINE,
            )
        except OSError as error:
            raise ConfigError(f"{self._python} cannot be run: {error}", PYTHON_VARIABLE) from error
        greeting = await self._read()
        if greeting.error:
            raise _no_androidworld(self._python, greeting.error)

    async def _exchange(self, request: dict[str, object]) -> Reply:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(_requests.encode(request) + b"\n")
            await process.stdin.drain()
        except OSError as error:
            raise DeviceError(f"the process with AndroidWorld has ended: {self._last_words()}") from error
        return await self._read()

    async def _read(self) -> Reply:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        try:
            line = await process.stdout.readline()
        except ValueError as error:
            raise DeviceError("AndroidWorld's answer is longer than anything sensible") from error
        if not line:
            raise DeviceError(f"the process with AndroidWorld has ended: {self._last_words()}")
        try:
            return _replies.decode(line)
        except msgspec.DecodeError as error:
            raise DeviceError(f"AndroidWorld's answer makes no sense: {line[:80]!r}") from error

    def _last_words(self) -> str:
        if self._log is None:
            return "it said nothing"
        with contextlib.suppress(OSError):
            size = self._log.seek(0, os.SEEK_END)
            self._log.seek(max(0, size - _SHOWN_CHARACTERS))
            lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
            if lines:
                return lines[-1]
        return "it said nothing"

    def kill(self) -> None:
        """End the process at once; the next question starts another one."""
        process, self._process = self._process, None
        if process is not None:
            self._ended.append(process)
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        if self._log is not None:
            self._log.close()
            self._log = None

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        while self._ended:
            await self._ended.pop().wait()
