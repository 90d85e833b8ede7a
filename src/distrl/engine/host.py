"""The process in which one part lives, started by the process engine: `python -m distrl.engine.host`.

It builds the part, offers its service, waits until all services are up, runs the part, and dies with the
engine whatever happens. SIGTERM asks the part to end, a second one cancels it; SIGINT is the engine's affair.
SIGUSR1 writes the stack of every thread to the log, which tells where a part hangs.
"""

from __future__ import annotations

import asyncio
import ctypes
import faulthandler
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import msgspec

from distrl.engine.control import (
    EXIT_FAILED,
    EXIT_FINISHED,
    EXIT_TERMINATED,
    GO,
    HEARTBEAT_EVERY_S,
    EngineLine,
    Launch,
    Report,
)
from distrl.engine.lives import is_hopeless, sentence
from distrl.engine.memory import GIVE_BACK_EVERY_S, give_back, spare_collections
from distrl.engine.parts import BuiltPart, PartContext, either, load_builder, run_part
from distrl.engine.sockets import SocketServer, connect, serve
from distrl.errors import DistrlError, EngineError

P = TypeVar("P")
PR_SET_PDEATHSIG = 1
log = logging.getLogger(__name__)


class Host:
    """One incarnation of one part."""

    def __init__(self, launch: Launch, engine: EngineLine) -> None:
        self._launch = launch
        self._engine = engine
        self._stopping = asyncio.Event()
        self._go = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._cancelled = False
        self._built = False

    async def live(self) -> int:
        """Build the part and see it through; returns the exit status."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True, name="engine-watch").start()
        server: SocketServer | None = None
        try:
            built = self._build()
            self._built = True
            loop.add_signal_handler(signal.SIGTERM, self._terminate)
            if built.service is not None and built.protocol is not None:
                server = await serve(
                    built.service, built.protocol, self._launch.addresses[self._launch.spec.name]
                )
            await self._run(built)
        except (Exception, SystemExit) as error:
            # The outermost frame of a part that may raise anything: here it becomes a report and a log.
            self._report_failure(error)
            return EXIT_FAILED
        finally:
            if server is not None:
                await server.close()
        return EXIT_TERMINATED if self._stopping.is_set() else EXIT_FINISHED

    def _build(self) -> BuiltPart:
        launch = self._launch
        context = PartContext(launch.folder, launch.incarnation, self._stopping, self._connect)
        built = load_builder(launch.builder)(launch.spec, context)
        spare_collections()
        return built

    async def _run(self, built: BuiltPart) -> None:
        self._engine.report(Report("built", service=built.service is not None))
        if built.service is None:
            await either(self._go, self._stopping)
        if self._stopping.is_set():
            return
        self._engine.report(Report("running"))
        self._task = asyncio.ensure_future(run_part(built.part))
        try:
            await self._task
        except asyncio.CancelledError:
            if not self._cancelled:
                raise EngineError(
                    "the part cancelled itself; its run() must return or raise an error"
                ) from None

    def _connect(self, protocol: Callable[..., P], name: str) -> P:
        if name not in self._launch.addresses:
            known = ", ".join(self._launch.addresses)
            raise EngineError(f"there is no part called {name!r} in this run; there are: {known}")
        return connect(protocol, self._launch.addresses[name], name=name)

    def _terminate(self) -> None:
        if self._stopping.is_set() and self._task is not None:
            self._cancelled = True
            self._task.cancel()
        self._stopping.set()

    def _report_failure(self, error: BaseException) -> None:
        """Our own errors are a sentence in the log, a bug is a traceback."""
        if isinstance(error, DistrlError):
            log.error("%s", error)
        else:
            log.error("%s failed", self._launch.spec.name, exc_info=error)
        hopeless = is_hopeless(error, built=self._built)
        self._engine.report(Report("failed", error=sentence(error), hopeless=hopeless))

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hear the engine's word; when the engine is gone, go, with everything this part has started."""
        while word := self._engine.hear():
            if word == GO:
                loop.call_soon_threadsafe(self._go.set)
        os.killpg(0, signal.SIGKILL)


def beat(engine: EngineLine) -> None:
    """Tell the engine every second that this process is not frozen; now and then, give memory back."""
    due = time.monotonic() + GIVE_BACK_EVERY_S
    while True:
        engine.beat()
        time.sleep(HEARTBEAT_EVERY_S)
        if time.monotonic() >= due:
            due = time.monotonic() + GIVE_BACK_EVERY_S
            give_back()


def die_with_engine(launch: Launch) -> None:
    """Have the kernel kill this process when the engine dies, where it can (Linux).

    The socket to the engine does the same everywhere, but needs this process to be responsive.
    """
    if launch.bound_to_thread and sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != launch.engine_pid:
        sys.exit(EXIT_FAILED)


def main(arguments: list[str]) -> int:
    """Live as the part that the command line describes."""
    _, control, text = arguments
    launch = msgspec.json.decode(text, type=Launch)
    die_with_engine(launch)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    sys.path.extend(path for path in launch.paths if path not in sys.path)
    engine = EngineLine(socket.socket(fileno=int(control)))
    threading.Thread(target=beat, args=(engine,), daemon=True, name="heartbeat").start()
    return asyncio.run(Host(launch, engine).live())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
