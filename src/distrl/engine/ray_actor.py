"""The Ray actor in which one part lives, somewhere in a cluster, and how such actors call each other.

An actor is one incarnation of a part in a process of its own. The engine calls `build`, then `run`; other
parts call `call` with bytes. `news` answers from a thread of its own, so that a part that computes for a
while still counts as alive. When the engine is gone, the actor goes too.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import ray

from distrl.engine.lives import is_hopeless, sentence
from distrl.engine.memory import GIVE_BACK_EVERY_S, give_back, spare_collections
from distrl.engine.parts import BuiltPart, PartContext, load_builder, run_part
from distrl.engine.processes import clear_abandoned
from distrl.engine.ray_calls import Address, AddressBook, RayTransport, SharedAnswers
from distrl.engine.rpc import Service, remote
from distrl.errors import DistrlError, EngineError, PartUnavailable
from distrl.interfaces import PartSpec
from distrl.records import Record

P = TypeVar("P")

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
ENGINE_GONE_S = 30.0  # without a word from the engine for this long, an actor ends itself
NEWS_AFTER_S = 1.0  # how long `news` waits for some

log = logging.getLogger(__name__)


class Assignment(Record, frozen=True):
    """All that an actor needs to know to become a part."""

    spec: PartSpec
    builder: str
    folder: str
    incarnation: int
    names: list[str]  # of all parts of the run
    home: str  # the node on which the engine runs and the run's folder lies
    engine_pid: int
    paths: list[str]  # the engine's sys.path, so that builders are found where it would find them
    files: dict[str, bytes]  # of the run's folder, for parts elsewhere


class Word(Record, frozen=True):
    """How an actor's build or run has ended."""

    state: str  # "built", "finished", "failed"
    service: bool = False
    error: str = ""
    hopeless: bool = False  # starting it anew cannot help
    pid: int = 0
    node: str = ""
    news: str = ""  # what was logged and not fetched yet


class PartActor:
    """One incarnation of one part; `engine.ray_engine` makes it a Ray actor."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._node = ray.get_runtime_context().get_node_id()
        self._at_home = self._node == assignment.home
        self._colleagues = AddressBook()
        self._stopping = asyncio.Event()
        self._built: BuiltPart | None = None
        self._service: Service | None = None
        self._shared = SharedAnswers()
        self._task: asyncio.Task[None] | None = None
        self._cancelled = False
        self._heard_at = time.monotonic()
        self._log_lines: deque[str] = deque(maxlen=10_000)
        self._folder = self._prepare_folder()
        self._prepare_log()
        threading.Thread(target=self._watch_engine, daemon=True, name="engine-watch").start()

    # --- called by the engine -------------------------------------------------------------------

    async def build(self, colleagues: list[Address]) -> Word:
        """Build the part and offer its service; the colleagues are all parts that live at the moment."""
        for address in colleagues:
            self._colleagues.enter(address)
        launch = self._assignment
        sys.path.extend(path for path in launch.paths if path not in sys.path)
        context = PartContext(
            self._folder, launch.incarnation, self._stopping, self._connect, at_home=self._at_home
        )
        try:
            built = load_builder(launch.builder)(launch.spec, context)
            if built.service is not None and built.protocol is not None:
                self._service = Service(built.service, built.protocol)
        except (Exception, SystemExit) as error:
            # The outermost frame of a builder that may raise anything: here it becomes a word and a log.
            return self._failure(error)
        self._built = built
        spare_collections()
        return Word("built", service=self._service is not None, pid=os.getpid(), node=self._node)

    async def run(self) -> Word:
        """See the part through."""
        assert self._built is not None
        try:
            if not self._stopping.is_set():
                self._task = asyncio.ensure_future(run_part(self._built.part))
                await self._task
        except asyncio.CancelledError:
            if not self._cancelled:
                return self._failure(
                    EngineError("the part cancelled itself; its run() must return or raise an error")
                )
        except Exception as error:  # the outermost frame of a part that may raise anything
            return self._failure(error)
        finally:
            self._service = None
            if not self._at_home:
                shutil.rmtree(Path(self._folder).parent, ignore_errors=True)
        return Word("finished", news=self._take_log())

    async def introduce(self, address: Address) -> None:
        """A part lives in another actor from now on."""
        self._colleagues.enter(address)

    async def end(self, cancel: bool) -> None:
        """Ask the part to end, or cancel it."""
        self._stopping.set()
        if cancel and self._task is not None:
            self._cancelled = True
            self._task.cancel()

    @ray.method(concurrency_group="watch")
    async def news(self) -> str:
        """What was logged since the last call, if it cannot be read in the run's folder; a heartbeat."""
        self._heard_at = time.monotonic()
        await asyncio.sleep(NEWS_AFTER_S)
        return self._take_log()

    # --- called by other parts ------------------------------------------------------------------

    async def call(self, method: str, payload: bytes) -> bytes | list[ray.ObjectRef[bytes]]:
        """Carry out a call of the part's service; a large answer may come as a reference."""
        if self._service is None:
            raise PartUnavailable("not running")
        return self._shared.share(await self._service.call(method, payload))

    def _connect(self, protocol: Callable[..., P], name: str) -> P:
        if name not in self._assignment.names:
            known = ", ".join(self._assignment.names)
            raise EngineError(f"there is no part called {name!r} in this run; there are: {known}")
        return remote(protocol, RayTransport(self._colleagues, name), name=name)

    # --- inside ---------------------------------------------------------------------------------

    def _prepare_folder(self) -> str:
        """The run's folder where the engine is; elsewhere a folder of that name with the files given."""
        if self._at_home:
            return self._assignment.folder
        clear_abandoned(Path(tempfile.gettempdir()))
        place = tempfile.mkdtemp(prefix=f"distrl-{os.getpid()}-")
        folder = Path(place) / Path(self._assignment.folder).name
        folder.mkdir()
        for name, data in self._assignment.files.items():
            (folder / name).write_bytes(data)
        return str(folder)

    def _prepare_log(self) -> None:
        """At home everything goes to the part's log; elsewhere logged lines wait for the engine."""
        handler: logging.Handler | None = None
        if self._at_home:
            file = Path(self._folder) / "logs" / f"{self._assignment.spec.name}.log"
            handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            for standard in (1, 2):
                os.dup2(handle, standard)
            os.close(handle)
        else:
            handler = Lines(self._log_lines)
        handlers = [handler or logging.StreamHandler(os.fdopen(os.dup(2), "w", buffering=1))]
        logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, handlers=handlers, force=True)
        faulthandler.enable(file=2)

    def _failure(self, error: BaseException) -> Word:
        """Our own errors are a sentence in the log, a bug is a traceback."""
        if isinstance(error, DistrlError):
            log.error("%s", error)
        else:
            log.error("%s failed", self._assignment.spec.name, exc_info=error)
        hopeless = is_hopeless(error, built=self._built is not None)
        return Word("failed", error=sentence(error), hopeless=hopeless, news=self._take_log())

    def _take_log(self) -> str:
        lines = [self._log_lines.popleft() for _ in range(len(self._log_lines))]
        return "".join(lines)

    def _watch_engine(self) -> None:
        """End this process when the engine is gone: its process if it is here, its words otherwise.

        Now and then, memory is given back on the way.
        """
        due = time.monotonic() + GIVE_BACK_EVERY_S
        while True:
            time.sleep(1.0)
            if time.monotonic() >= due:
                due = time.monotonic() + GIVE_BACK_EVERY_S
                give_back()
            if self._at_home and not _lives(self._assignment.engine_pid):
                break
            if time.monotonic() - self._heard_at > ENGINE_GONE_S:
                break
        os._exit(1)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class Lines(logging.Handler):
    """Keeps what is logged as lines in a queue."""

    def __init__(self, lines: deque[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record."""
        self._lines.append(self.format(record) + "\n")
