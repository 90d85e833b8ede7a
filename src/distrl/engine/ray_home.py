"""The home of a part as the Ray engine sees it: an actor, and what is awaited from it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import ray
from ray.actor import ActorHandle

from distrl.engine.lives import Life, last_words
from distrl.engine.ray_actor import Assignment, PartActor, Word
from distrl.engine.ray_calls import Address
from distrl.interfaces import PartStatus

SILENT_S = 10.0  # without news for this long, a status mentions it
PLACED_WITHIN_S = 5.0  # an actor that takes longer to come up probably waits for a host


@dataclass(eq=False)
class Home:
    """The actor in which one incarnation of a part lives."""

    address: Address
    log: Path
    log_start: int  # where this incarnation's log begins
    building: ray.ObjectRef[Word] | None = None
    running: ray.ObjectRef[Word] | None = None
    news: ray.ObjectRef[str] | None = None
    placed: bool = False  # whether Ray has found a place for it
    pid: int = 0
    node: str = ""
    began_at: float = field(default_factory=time.monotonic)
    heard_at: float = field(default_factory=time.monotonic)

    @property
    def actor(self) -> ActorHandle[PartActor]:
        """The actor itself."""
        return self.address.actor

    @property
    def waits_for_a_host(self) -> bool:
        """Whether Ray seems to have no place for it."""
        return not self.placed and time.monotonic() - self.began_at > PLACED_WITHIN_S

    def awaited(self) -> list[ray.ObjectRef[Any]]:
        """All answers that have not come yet."""
        return [ref for ref in (self.building, self.running, self.news) if ref is not None]

    def status(self, life: Life) -> PartStatus:
        """The part's status, with what its life does not know of."""
        status = life.status(self.pid)
        silent_s = time.monotonic() - self.heard_at
        if life.state == "running" and silent_s > SILENT_S:
            return msgspec.structs.replace(status, error=f"no heartbeat for {silent_s:.0f} s; is it frozen?")
        if life.state == "starting" and self.waits_for_a_host:
            return msgspec.structs.replace(status, error=life.error or "waits for a host with room for it")
        return status

    def obituary(self, error: Exception) -> str:
        """How an actor ended that could not say so itself."""
        cause = re.search(r"because (?:its |the )?([^.]*)\.", str(error))
        how = cause.group(1) if cause else type(error).__name__
        return f"{self.address.name} died ({how}){last_words(self.log, self.log_start)}"

    def write_log(self, text: str) -> None:
        """Append what a part on another host has logged."""
        if text:
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(text)


def move_in(assignment: Assignment, namespace: str, options: dict[str, Any]) -> Home:
    """Create the actor of a part's incarnation; its name is for people who look at the cluster."""
    name = assignment.spec.name
    actor: Any = (
        ray.remote(concurrency_groups={"watch": 4})(PartActor)  # type: ignore[call-overload]
        .options(
            name=f"{name}.{assignment.incarnation}",
            namespace=namespace,
            num_cpus=0,
            max_concurrency=1000,
            **options,
        )
        .remote(assignment)
    )
    log = Path(assignment.folder) / "logs" / f"{name}.log"
    address = Address(name, assignment.incarnation, actor)
    return Home(address, log, log.stat().st_size if log.exists() else 0)


__all__ = ["Assignment", "Home", "move_in"]
