"""All parts as tasks of one asyncio loop in one thread of this process: for tests and debugging."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from distrl.engine.lives import Life, begin, is_hopeless, sentence
from distrl.engine.parts import PartContext, either, load_builder, run_part
from distrl.engine.rpc import client, methods_of, translated
from distrl.errors import DistrlError, EngineError, PartUnavailable
from distrl.interfaces import PartSpec, PartStatus

P = TypeVar("P")
log = logging.getLogger(__name__)


class InlineEngine:
    """Runs parts side by side in one thread; a breakpoint in one stops them all.

    A part that blocks the loop holds the others up, and cannot be made to end.
    """

    def __init__(
        self, folder: str, builder: str, *, first_backoff_s: float = 0.1, start_timeout_s: float = 600.0
    ) -> None:
        self._folder = Path(folder)
        self._builder = builder
        self._first_backoff_s = first_backoff_s
        self._start_timeout_s = start_timeout_s
        self._lives: list[Life] = []
        self._services: dict[str, object] = {}
        self._stoppings: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._services_up = asyncio.Event()
        self._under_way = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Task[None] | None = None

    # --- the Engine Protocol --------------------------------------------------------------------

    def start(self, specs: Sequence[PartSpec]) -> None:
        """Build all parts, services among them; the others begin when all services are up.

        A part that cannot be built does not raise here: `poll` reports it as failed.
        """
        if self._thread is not None:
            raise EngineError("this engine was started before; build a new one for another run")
        self._lives = begin(specs)
        self._thread = threading.Thread(target=self._run_loop, name="inline-engine", daemon=True)
        self._thread.start()
        try:
            if not self._under_way.wait(self._start_timeout_s):
                late = ", ".join(life.spec.name for life in self._lives if not life.under_way)
                raise EngineError(f"not up after {self._start_timeout_s:g} s: {late}")
        except BaseException:
            self.stop(0.0)
            raise

    def poll(self) -> list[PartStatus]:
        """How every part is doing; crashed parts are revived without being polled."""
        return [life.status(os.getpid()) for life in self._lives]

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ask the parts to end, those that others call last; then cancel them."""
        if self._thread is None or self._loop is None:
            return
        # A loop that is closed already has seen all its parts end.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._begin_to_end, timeout_s)
        self._thread.join(timeout_s + 1.0)
        if self._thread.is_alive():
            for life in self._lives:
                if not life.over:
                    life.failed(f"{life.spec.name} did not end when asked to, and still runs in its thread")

    # --- in the loop's thread -------------------------------------------------------------------

    def _run_loop(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        for life in self._lives:
            self._stoppings[life.spec.name] = asyncio.Event()
            self._tasks[life.spec.name] = asyncio.create_task(self._live(life), name=life.spec.name)
        self._note_progress()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    async def _live(self, life: Life) -> None:
        """Run a part over all its incarnations."""
        while not life.over:
            error: Exception
            try:
                await self._live_once(life)
                life.finished()
                break
            except asyncio.CancelledError:
                if life.asked_to_end:
                    life.finished()
                    break
                error = EngineError("the part cancelled itself; its run() must return or raise an error")
            except Exception as caught:  # the outermost frame of a part that may raise anything
                error = caught
            finally:
                self._services.pop(life.spec.name, None)
            await self._crashed(life, error)
        self._note_progress()

    async def _live_once(self, life: Life) -> None:
        name = life.spec.name
        stopping = self._stoppings[name]
        context = PartContext(str(self._folder), life.restarts, stopping, self._connect)
        built = load_builder(self._builder)(life.spec, context)
        if built.service is not None and built.protocol is not None:
            methods_of(built.protocol)  # refuses here what would fail with processes
            self._services[name] = built.service
        life.built, life.service = True, built.service is not None
        self._note_progress()
        if not life.service:
            await either(self._services_up, stopping)
        if stopping.is_set():
            return
        life.runs()
        self._note_progress()
        await run_part(built.part)

    async def _crashed(self, life: Life, error: Exception) -> None:
        """Give the part up, or wait until it may be started anew."""
        if isinstance(error, DistrlError):
            log.error("%s: %s", life.spec.name, error)
        else:
            log.error("%s failed", life.spec.name, exc_info=error)
        delay = life.crashed(
            sentence(error),
            hopeless=is_hopeless(error, built=life.built),
            first_backoff_s=self._first_backoff_s,
        )
        self._note_progress()
        if delay is None:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stoppings[life.spec.name].wait(), delay)
            life.failed(life.error)

    def _note_progress(self) -> None:
        if all(life.settled for life in self._lives):
            self._services_up.set()
        if all(life.under_way for life in self._lives):
            self._under_way.set()

    def _connect(self, protocol: Callable[..., P], name: str) -> P:
        if name not in self._stoppings:
            known = ", ".join(self._stoppings)
            raise EngineError(f"there is no part called {name!r} in this run; there are: {known}")

        async def invoke(method: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
            await asyncio.sleep(0)  # as between processes, others get their turn with every call
            if name not in self._services:
                raise PartUnavailable(f"{name} cannot be reached (not running); the call may be tried again")
            try:
                return await getattr(self._services[name], method)(*args, **kwargs)
            except DistrlError:
                raise
            except Exception as error:
                raise translated(error, f"{name}.{method}") from error

        return client(protocol, invoke, name=name)

    # --- ending ---------------------------------------------------------------------------------

    def _begin_to_end(self, timeout_s: float) -> None:
        if self._ending is None:
            self._ending = asyncio.ensure_future(self._end_all(timeout_s))

    async def _end_all(self, timeout_s: float) -> None:
        start = asyncio.get_running_loop().time()
        await self._end([life for life in self._lives if not life.service], start + 0.8 * timeout_s)
        await self._end(self._lives, start + timeout_s)

    async def _end(self, lives: list[Life], deadline: float) -> None:
        """Ask parts to end, and cancel them when most of the time is over."""
        now = asyncio.get_running_loop().time
        for life in lives:
            life.asked_to_end = True
            self._stoppings[life.spec.name].set()
        tasks = {self._tasks[life.spec.name] for life in lives if not life.over}
        if tasks:
            _, tasks = await asyncio.wait(tasks, timeout=0.8 * (deadline - now()))
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=deadline - now())


def build(folder: str, builder: str) -> InlineEngine:
    """The engine registered as `inline`."""
    return InlineEngine(folder, builder)
