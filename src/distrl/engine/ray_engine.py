"""Every part in a Ray actor, on this machine or anywhere in a cluster."""

from __future__ import annotations

import atexit
import os
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from distrl.config import RayConfig
from distrl.engine.lives import LOOK_EVERY_S, Life, begin, wait_until_under_way
from distrl.engine.ray_session import RaySession, living_nodes, open_session, placement, require_gpus
from distrl.errors import EngineError
from distrl.interfaces import PartSpec, PartStatus
from distrl.recording import RunFolder

if TYPE_CHECKING:
    import ray

    from distrl.engine.ray_actor import Word
    from distrl.engine.ray_home import Home

HOST_LEFT = "its host left the cluster"
SHIPPED = ("config.yaml",)  # files of the run's folder that parts on other hosts get


class RayEngine:
    """Runs parts as Ray actors: revives them, and gives hosts that join a worker of their own."""

    def __init__(
        self,
        folder: str,
        builder: str,
        settings: RayConfig | None = None,
        *,
        first_backoff_s: float = 0.5,
        start_timeout_s: float = 600.0,
    ) -> None:
        self._folder = Path(folder)
        self._builder = builder
        self._settings = settings or RayConfig()
        self._first_backoff_s = first_backoff_s
        self._start_timeout_s = start_timeout_s
        self._namespace = f"distrl-{self._folder.absolute().name}-{uuid.uuid4().hex[:8]}"
        self._lives: list[Life] = []
        self._homes: dict[str, Home] = {}
        self._due: dict[str, float] = {}  # when a crashed part is to be started anew
        self._died_on: dict[str, str] = {}  # the node of each part's last sudden death
        self._session: RaySession | None = None
        self._worker: PartSpec | None = None  # what an elastic run starts on each host
        self._gone_ahead = False  # whether parts were told that all services are up
        self._stopped = False

    # --- the Engine Protocol --------------------------------------------------------------------

    def start(self, specs: Sequence[PartSpec]) -> None:
        """Start all actors at once; those without a service begin when all services are up.

        A part that cannot be built does not raise here: `poll` reports it as failed.
        """
        if self._lives or self._stopped:
            raise EngineError("this engine was started before; build a new one for another run")
        self._lives = begin(specs)
        (self._folder / "logs").mkdir(parents=True, exist_ok=True)
        workers = [spec for spec in specs if spec.kind == "worker"]
        self._session = open_session(self._settings, len(workers))
        atexit.register(self.stop)  # for programs that end without a word
        try:
            self._count_workers(workers)
            require_gpus(self._settings, self._session, self._services())
            for life in self._lives:
                self._launch(life)
            for life in self._lives:
                self._build(life)
            wait_until_under_way(self._lives, self.poll, self._start_timeout_s, self._folder / "logs")
        except BaseException:
            self.stop(0.0)
            raise

    def poll(self) -> list[PartStatus]:
        """How every part is doing; also revives what may be revived, and welcomes new hosts."""
        self._look_around()
        self._hear()
        now = time.monotonic()
        for life in self._lives:
            if self._due.get(life.spec.name, now + 1) <= now and not self._stopped:
                self._launch(life)
                self._build(life)
        if not self._gone_ahead and all(life.settled for life in self._lives):
            self._gone_ahead = True
        for life in self._lives:
            self._let_run(life)
        homes = [self._homes.get(life.spec.name) for life in self._lives]
        return [
            home.status(life) if home is not None else life.status(0)
            for life, home in zip(self._lives, homes, strict=True)
        ]

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ask the parts to end, those that others call last; then cancel, then kill."""
        if self._stopped:
            return
        self._stopped = True
        atexit.unregister(self.stop)
        if self._session is None:
            return
        start = time.monotonic()
        try:
            if self._session.reachable:
                self._end([life for life in self._lives if not life.service], start + 0.8 * timeout_s)
                self._end(self._lives, start + timeout_s)
        finally:
            # Also when a second Ctrl-C cuts the waiting short.
            self._kill(self._lives)
            self._session.close()

    # --- workers and hosts ----------------------------------------------------------------------

    def _count_workers(self, workers: Sequence[PartSpec]) -> None:
        """As many workers as asked for, if there is room; in an elastic run, as many as there is room for."""
        assert self._session is not None
        resource, units = self._settings.worker_resource, self._session.units(self._settings.worker_resource)
        if self._settings.elastic and workers:
            self._worker = workers[0]
            self._lives = [life for life in self._lives if life.spec.kind != "worker"]
            self._welcome()
        elif 0 < units < len(workers):
            raise EngineError(
                f"{len(workers)} workers need as many units of {resource!r}, but the cluster has {units}; "
                f"start more hosts, ask for fewer workers, or set ray.elastic=true"
            )

    def _services(self) -> int:
        """How many parts hold the policy for the workers."""
        return sum(life.spec.kind == "policy" for life in self._lives)

    def _look_around(self) -> None:
        """See to hosts that have joined; raises EngineError when the cluster's head is gone."""
        if self._session is None or self._stopped:
            return
        try:
            if self._session.look():
                self._excuse()
                self._welcome()
        except EngineError as error:
            raise EngineError(
                f"{error}; what was collected and learnt is safe. Once Ray runs again, continue with: "
                f"distrl train --resume {self._folder}"
            ) from error

    def _excuse(self) -> None:
        """Parts that died shortly before their host was seen to be gone are not to blame."""
        assert self._session is not None
        for life in self._lives:
            node = self._died_on.get(life.spec.name)
            if node and node not in self._session.nodes:
                del self._died_on[life.spec.name]
                life.excuse(HOST_LEFT)

    def _welcome(self) -> None:
        """In an elastic run, add a worker for each unit of the resource that has none yet."""
        if self._worker is None or self._session is None:
            return
        count = sum(life.spec.kind == "worker" for life in self._lives)
        for index in range(count, self._session.units(self._settings.worker_resource)):
            spec = msgspec.structs.replace(self._worker, name=f"worker-{index}", index=index)
            self._lives.append(Life(spec))
            if self._homes:  # otherwise start() launches it with the others
                self._launch(self._lives[-1])
                self._build(self._lives[-1])

    # --- starting -------------------------------------------------------------------------------

    def _launch(self, life: Life) -> None:
        """Create the actor of a part's next incarnation, and tell the others where it lives now."""
        from distrl.engine.ray_home import Assignment, move_in

        assert self._session is not None
        name = life.spec.name
        self._due.pop(name, None)
        shipped = [self._folder / file for file in SHIPPED]
        assignment = Assignment(
            spec=life.spec,
            builder=self._builder,
            folder=str(self._folder.absolute()),
            incarnation=life.restarts,
            names=[each.spec.name for each in self._lives],
            home=self._session.home,
            engine_pid=os.getpid(),
            paths=sys.path,
            files={file.name: file.read_bytes() for file in shipped if file.exists()},
        )
        options = placement(life.spec, self._settings, self._session, self._services())
        home = self._homes[name] = move_in(assignment, self._namespace, options)
        for other in self._homes.values():
            if other is not home:
                other.actor.introduce.remote(home.address)

    def _build(self, life: Life) -> None:
        home = self._homes[life.spec.name]
        home.building = home.actor.build.remote([other.address for other in self._homes.values()])
        home.news = home.actor.news.remote()

    def _let_run(self, life: Life) -> None:
        """Let a part run that was built, once all services are up; services themselves at once."""
        home = self._homes.get(life.spec.name)
        if home is None or not life.built or home.running is not None:
            return
        if life.service or self._gone_ahead or self._stopped:
            home.running = home.actor.run.remote()
            life.runs()

    # --- watching -------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Take in every answer that has come."""
        import ray

        refs = [ref for home in self._homes.values() for ref in home.awaited()]
        if not refs:
            return
        ready = set(ray.wait(refs, num_returns=len(refs), timeout=0)[0])
        for life in self._lives:
            home = self._homes.get(life.spec.name)
            if home is not None:
                self._hear_one(life, home, ready)

    def _hear_one(self, life: Life, home: Home, ready: set[ray.ObjectRef[Any]]) -> None:
        import ray
        from ray.exceptions import RayError

        try:
            if home.news in ready:
                home.write_log(ray.get(home.news))
                home.heard_at, home.news, home.placed = time.monotonic(), home.actor.news.remote(), True
            for ref in (home.building, home.running):
                if ref in ready:
                    self._heard(life, home, ray.get(ref))
        except RayError as error:
            self._died(life, home, error)

    def _heard(self, life: Life, home: Home, word: Word) -> None:
        """A part was built, or has ended."""
        if word.state == "built":
            home.building, home.pid, home.node, home.placed = None, word.pid, word.node, True
            life.built, life.service = True, word.service
            return
        home.write_log(word.news)
        self._bury(life)
        if word.state == "finished":
            life.finished()
        else:
            self._crashed(life, word.error, hopeless=word.hopeless)

    def _died(self, life: Life, home: Home, error: Exception) -> None:
        """An actor ended without a word: its process was killed, or its host is gone."""
        self._bury(life)
        host_left = "node" in str(error).lower() and home.node not in living_nodes()
        if host_left and home.node and not life.asked_to_end:
            life.displaced(HOST_LEFT)
            self._due[life.spec.name] = time.monotonic()
        else:
            self._died_on[life.spec.name] = home.node  # which may be found to be gone only later
            self._crashed(life, home.obituary(error), hopeless=False)

    def _crashed(self, life: Life, error: str, *, hopeless: bool) -> None:
        delay = life.crashed(error, hopeless=hopeless, first_backoff_s=self._first_backoff_s)
        if delay is not None:
            self._due[life.spec.name] = time.monotonic() + delay

    def _bury(self, life: Life) -> None:
        import ray

        home = self._homes.pop(life.spec.name)
        with suppress(ray.exceptions.RayError, ValueError):
            ray.kill(home.actor)

    # --- ending ---------------------------------------------------------------------------------

    def _end(self, lives: list[Life], deadline: float) -> None:
        """Ask parts to end, cancel them when most of the time is over, kill them when all of it is."""
        patience = time.monotonic() + 0.8 * (deadline - time.monotonic())
        for life in lives:
            life.asked_to_end = True
            if life.spec.name in self._due:
                del self._due[life.spec.name]
                life.failed(life.error)
            home = self._homes.get(life.spec.name)
            if home is not None and home.waits_for_a_host:
                self._bury(life)  # it would not hear us
                life.finished()
        self._tell(lives, lambda home: home.actor.end.remote(False))
        self._wait(lives, patience)
        self._tell(lives, lambda home: home.actor.end.remote(True))
        self._wait(lives, deadline)
        self._kill(lives)

    def _wait(self, lives: list[Life], deadline: float) -> None:
        while time.monotonic() < deadline and any(life.spec.name in self._homes for life in lives):
            self.poll()
            time.sleep(LOOK_EVERY_S)

    def _tell(self, lives: list[Life], tell: Callable[[Home], object]) -> None:
        for life in lives:
            if home := self._homes.get(life.spec.name):
                tell(home)

    def _kill(self, lives: list[Life]) -> None:
        for life in lives:
            if life.spec.name in self._homes:
                self._bury(life)
                life.failed(f"{life.spec.name} did not end when asked to and was killed")


def build(folder: str, builder: str) -> RayEngine:
    """The engine registered as `ray`."""
    return RayEngine(folder, builder, RunFolder.open(Path(folder)).config().ray)
