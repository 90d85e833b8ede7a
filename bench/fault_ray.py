"""Ray under fire, for `faults.py`: device hosts on this machine that can be lost, and the loss of the head.

A host is a Ray node of its own, as in Ray's own tests; losing it kills its raylet and all that runs there,
and another one joins a little later. The head is lost in a training of its own, by the command that a person
would type, since with it goes all that the command has.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distrl.config import RayConfig
from distrl.engine.ray_engine import RayEngine
from distrl.recording import Line, Reader, RunFolder
from distrl.replay.store import Store
from distrl.testing.ray_cluster import SETTINGS, loopback_cluster

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

JOIN_AFTER_S = (1.0, 6.0)  # how long a lost host's successor stays away


@dataclass
class Hosts:
    """The device hosts of a cluster."""

    cluster: Cluster
    nodes: list[Any] = field(default_factory=list)
    _joining: list[float] = field(default_factory=list)  # when the successors of lost hosts come

    def join(self) -> None:
        """One more host with room for one worker."""
        self.nodes.append(
            self.cluster.add_node(node_ip_address="127.0.0.1", num_cpus=1, resources={"device_host": 1})
        )

    def lose(self, source: random.Random) -> bool:
        """Take a random host away without a word; False if there is none at the moment."""
        if not self.nodes:
            return False
        node = self.nodes.pop(source.randrange(len(self.nodes)))
        self.cluster.remove_node(node, allow_graceful=False)
        self._joining.append(time.monotonic() + source.uniform(*JOIN_AFTER_S))
        return True

    def tick(self) -> None:
        """Let those join whose time has come."""
        while self._joining and self._joining[0] <= time.monotonic():
            self._joining.pop(0)
            self.join()


@contextmanager
def ray_hosts(count: int, environment: dict[str, str]) -> Iterator[Hosts]:
    """A head and `count` device hosts on the loopback interface; this process is the driver."""
    with loopback_cluster(cores=2, environment=environment) as cluster:
        hosts = Hosts(cluster)
        for _ in range(count):
            hosts.join()
        yield hosts


def ray_engine(folder: RunFolder, builder: str) -> RayEngine:
    """The engine on the cluster that this process has joined, one worker for each host."""
    return RayEngine(str(folder.path), builder, RayConfig(elastic=True), first_backoff_s=0.2)


# --- the head -----------------------------------------------------------------------------------


def lose_head(path: Path, seed: int, *, updates: int = 150, patience_s: float = 240.0) -> dict[str, object]:
    """Train by the command, kill -9 the head's process early on, and continue with --resume."""
    distrl = str(Path(sys.executable).with_name("distrl"))
    settings = [f"budget.updates={updates}", "learner.checkpoint_every_s=0.5", "replay.capacity=1000000"]
    words = [word for setting in settings for word in ("--set", setting)]
    train = [distrl, "train", str(path), "-p", "tiny", "--engine", "ray", "--seed", str(seed), *words]
    with _commanded(train) as command:
        _wait_for_updates(path, updates // 5, command, patience_s)
        head = _child_called(command.pid, "gcs_server")
        begin = time.monotonic()
        os.kill(head, signal.SIGKILL)
        said = command.communicate(timeout=patience_s)[0]
        stopped_s = time.monotonic() - begin
    before, stopped = _ids(path), _updates(path)
    with _commanded([distrl, "train", "--resume", str(path)]) as again:
        again.communicate(timeout=patience_s)
    lines = Reader(RunFolder.open(path)).poll()
    sentence = " ".join(said[said.rfind("error:") :].split()) if "error:" in said else ""
    return {
        "stopped_at_update": stopped,
        "exit_status": command.returncode,
        "stopped_after_s": stopped_s,
        "sentence": sentence,
        "exit_status_of_resume": again.returncode,
        "resumed_at_update": _last(lines, "resumed"),
        "updates_wanted": updates,
        "updates_reached": _last(lines, "finished"),
        "lost_acknowledged": len(before - _ids(path)),
        "trajectories_before": len(before),
    }


@contextmanager
def _commanded(words: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A command under way, which is killed if it has not ended by itself."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("RAY_ADDRESS", *SETTINGS)
    }
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as command:
        try:
            yield command
        finally:
            if command.poll() is None:
                command.kill()


def _wait_for_updates(path: Path, updates: int, command: subprocess.Popen[str], patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while _updates(path) < updates:
        if command.poll() is not None or time.monotonic() > deadline:
            command.kill()
            raise SystemExit(f"training did not come to update {updates}: {command.communicate()[0]}")
        time.sleep(0.2)


def _updates(path: Path) -> float:
    if not (path / "config.yaml").exists():
        return 0.0
    lines = Reader(RunFolder.open(path)).poll()
    return max((line.values.get("update") or 0.0 for line in lines if line.name == "learner"), default=0.0)


def _last(lines: list[Line], kind: str) -> object:
    return next((line.fields.get("updates") for line in reversed(lines) if line.kind == kind), None)


def _ids(path: Path) -> set[str]:
    with closing(Store(path / "replay.sqlite", read_only=True)) as store:
        return set(store.ids())


def _child_called(parent: int, name: str) -> int:
    """The process of a name that another process has started, directly or not."""
    parents: dict[int, int] = {}
    called: list[int] = []
    for entry in Path("/proc").iterdir():
        try:
            text = (entry / "stat").read_text(encoding="utf-8") if entry.name.isdecimal() else ""
        except OSError:
            continue  # it has ended meanwhile
        if text:
            parents[int(entry.name)] = int(text.rpartition(")")[2].split()[1])
            if text.partition("(")[2].startswith(name[:15]):
                called.append(int(entry.name))
    for pid in called:
        ancestor = pid
        while ancestor and ancestor != parent:
            ancestor = parents.get(ancestor, 0)
        if ancestor == parent:
            return pid
    raise SystemExit(f"process {parent} has no child called {name}")
