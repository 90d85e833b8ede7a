"""Finding and running Chromium: one browser for all devices of a process that want the same one.

It is started by the first device that opens and ended by the last one that closes. Should this process die,
its pipe closes, and the browser ends by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import msgspec

from distrl.devices.browser.cdp import CdpPipe, read
from distrl.errors import DeviceError, DeviceLost

NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
INSTALL = "install one, for instance with: apt-get install chromium-headless-shell"
START_S = 60.0
END_S = 5.0

_WITHOUT = (
    "Translate",
    "MediaRouter",
    "OptimizationHints",
    # A page gives its process on to the next one: what the scripts of both share is compiled once.
    "BackForwardCache",
    "RenderDocument",
    "ProactivelySwapBrowsingInstance",
    # And it is compiled once only if no other thread compiles it anew while it is being read.
    "ScriptStreaming",
)
_FLAGS = (
    "--remote-debugging-pipe",
    "--headless",
    "--disable-gpu",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    # Contexts work side by side: none is in the background.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-smooth-scrolling",
    f"--disable-features={','.join(_WITHOUT)}",
    "--force-color-profile=srgb",
    "--lang=en-US",
)
# Chromium wants its pipe at the descriptors 3 and 4, which may be in use here.
_LAUNCH = (
    "import os, sys; read, write = int(sys.argv[1]), int(sys.argv[2]); "
    "os.dup2(read, 3); os.dup2(write, 4); os.execv(sys.argv[3], sys.argv[3:])"
)


@dataclass(frozen=True)
class BrowserKind:
    """What devices must agree on to share a browser."""

    path: str = ""  # empty: the first of NAMES that is installed
    hosts: tuple[str, ...] = ()  # that it may reach; files need none


def find_chromium(path: str = "") -> str:
    """The program to run: as given, or the first of the usual names on the PATH."""
    if path:
        found = shutil.which(path)
        if found is None:
            raise DeviceError(f"there is no program {path!r}: correct device.options.chromium, or {INSTALL}")
        return found
    for name in NAMES:
        if (found := shutil.which(name)) is not None:
            return found
    raise DeviceError(f"no Chromium was found (looked for {', '.join(NAMES[:4])} and others): {INSTALL}")


class Chromium:
    """A running browser."""

    def __init__(self, process: asyncio.subprocess.Process, pipe: CdpPipe, folder: Path) -> None:
        self.process = process
        self.pipe = pipe
        self._folder = folder

    @property
    def alive(self) -> bool:
        """Whether it can be talked to."""
        return self.process.returncode is None and not self.pipe.closed.done()

    async def answers(self, timeout_s: float) -> bool:
        """Whether it reacts to the simplest question."""
        try:
            await self.pipe.call("Browser.getVersion", {}, msgspec.Raw, timeout_s=timeout_s)
        except DeviceError:
            return False
        return True

    async def end(self) -> None:
        """Close it, by force if it does not go, and remove its files."""
        self.pipe.close()
        try:
            async with asyncio.timeout(END_S):
                await self.process.wait()
        except TimeoutError:
            self.kill()
            await self.process.wait()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def kill(self) -> None:
        """End the browser and its children at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


async def start(kind: BrowserKind) -> Chromium:
    """Start a browser and wait until it answers."""
    program = find_chromium(kind.path)
    _remove_left_folders()
    folder = Path(tempfile.mkdtemp(prefix=f"distrl-browser-{os.getpid()}-"))
    ours_in, theirs_out = _pipe()
    theirs_in, ours_out = _pipe()
    command = [program, *_FLAGS, *_flags_for(kind), f"--user-data-dir={folder}", "about:blank"]
    launch = [sys.executable, "-I", "-S", "-c", _LAUNCH, str(theirs_in), str(theirs_out)]
    try:
        process = await asyncio.create_subprocess_exec(
            *launch,
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            pass_fds=(theirs_in, theirs_out),
            start_new_session=True,  # Ctrl-C is for us; the browser ends with its pipe
        )
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    pipe = CdpPipe("Chromium")
    pipe.listen("", lambda method, params: _notice_detached(pipe, method, params))
    await pipe.connect(ours_in, ours_out)
    browser = Chromium(process, pipe, folder)
    try:
        await pipe.call("Browser.getVersion", {}, msgspec.Raw, timeout_s=START_S)
    except BaseException as error:
        browser.kill()
        await browser.end()
        if isinstance(error, DeviceError):
            hint = f"try it by hand: {program} --headless --dump-dom about:blank"
            raise DeviceLost(f"Chromium did not start ({error}); {hint}") from error
        raise
    return browser


class _Detached(msgspec.Struct, rename="camel"):
    session_id: str = ""


def _notice_detached(pipe: CdpPipe, method: str, params: msgspec.Raw) -> None:
    if method == "Target.detachedFromTarget":
        pipe.lose(read(params, _Detached).session_id, "the tab has closed: the next reset opens another one")


def _flags_for(kind: BrowserKind) -> list[str]:
    allowed = "".join(f", EXCLUDE {host}" for host in kind.hosts)
    flags = [f"--host-resolver-rules=MAP * ~NOTFOUND{allowed}"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    return flags


def _pipe() -> tuple[int, int]:
    """A pipe whose descriptors are not 3 and 4; large, so that a picture fits in."""
    ends = []
    for end in os.pipe():
        ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    with contextlib.suppress(OSError):  # the system may allow less
        fcntl.fcntl(ends[0], fcntl.F_SETPIPE_SZ, 1 << 20)
    return ends[0], ends[1]


def _remove_left_folders() -> None:
    """Remove what browsers of processes that were killed have left behind."""
    for folder in Path(tempfile.gettempdir()).glob("distrl-browser-*"):
        owner = folder.name.split("-")[2]
        if owner.isdecimal() and not Path(f"/proc/{owner}").exists():
            shutil.rmtree(folder, ignore_errors=True)


# --- sharing ---------------------------------------------------------------------------------------


class _Shared:
    """A browser, or the attempt to start one, and how many devices use it."""

    def __init__(self, starting: asyncio.Task[Chromium]) -> None:
        self.starting = starting
        self.users = 0

    def broken(self) -> bool:
        if not self.starting.done():
            return False
        failed = self.starting.cancelled() or self.starting.exception() is not None
        return failed or not self.starting.result().alive


_shared: dict[tuple[BrowserKind, asyncio.AbstractEventLoop], _Shared] = {}


class Lease:
    """A device's part in a shared browser."""

    def __init__(self, shared: _Shared, browser: Chromium) -> None:
        self._shared: _Shared | None = shared
        self.browser = browser

    async def release(self) -> None:
        """Need it no more; the last one ends the browser. Safe to call twice."""
        shared, self._shared = self._shared, None
        if shared is None:
            return
        shared.users -= 1
        if shared.users == 0:
            for key in [key for key, known in _shared.items() if known is shared]:
                del _shared[key]
            await asyncio.shield(self.browser.end())


async def lease(kind: BrowserKind) -> Lease:
    """Take part in this process's browser of a kind; starts one if there is none that works."""
    key = (kind, asyncio.get_running_loop())
    shared = _shared.get(key)
    if shared is None or shared.broken():
        for stale in [known for known in _shared if known[1].is_closed()]:
            del _shared[stale]
        shared = _shared[key] = _Shared(asyncio.ensure_future(start(kind)))
    shared.users += 1
    try:
        return Lease(shared, await asyncio.shield(shared.starting))
    except BaseException:
        shared.users -= 1
        if shared.users == 0 and not shared.starting.done():
            shared.starting.cancel()  # nobody waits for it any more
        raise
