"""The Ray engine on a cluster of several nodes on this machine, started once for all tests here."""

from __future__ import annotations

import importlib.util
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from distrl import run as runs
from distrl.config import RayConfig, resolve
from distrl.engine.ray_engine import RayEngine
from distrl.interfaces import PartSpec, PartStatus
from distrl.recording import Line, Reader, RunFolder
from distrl.replay.store import Store
from distrl.testing.engine_contract import ENGINE_CONTRACT, Clause, running, wait_for, wait_for_end
from distrl.testing.parts import notes_of
from distrl.testing.ray_cluster import loopback_cluster

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (pip install 'distrl[ray]')"
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head on the loopback interface with token authentication; this process is its driver."""
    with loopback_cluster(cores=4) as cluster:
        yield cluster


def build(folder: str, builder: str) -> RayEngine:
    """The Ray engine, impatient."""
    return RayEngine(folder, builder, RayConfig(), first_backoff_s=0.05)


@pytest.mark.parametrize("clause", ENGINE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Clause, cluster: Any, tmp_path: Path) -> None:
    clause(build, tmp_path)


def test_a_killed_actor_process_comes_back_until_its_restarts_are_used_up(
    cluster: Any, tmp_path: Path
) -> None:
    with running(build, tmp_path, PartSpec("w", "wait", restarts=1), PartSpec("other", "wait")) as engine:
        first = engine.poll()[0].pid
        os.kill(first, signal.SIGKILL)
        status = wait_for(engine, lambda s: s["w"].restarts == 1 and s["w"].state == "running")["w"]
        assert status.pid not in (0, first)
        os.kill(status.pid, signal.SIGKILL)
        status = wait_for_end(engine, "w")
        assert status.state == "failed"
        assert status.error.startswith("w died (worker process has died)")
        assert engine.poll()[1].state == "running"
        assert notes_of(tmp_path, "w")[:3] == ["built 0", "ran 0", "built 1"]


# --- a whole run --------------------------------------------------------------------------------


PATIENCE_S = 240.0  # for one stage; much more than any needs on a busy machine, and less than for ever


class Enough(Exception):
    """All has happened that was to happen."""


class Patience:
    """Fails the test when what it waits for does not come; called at every look at the run."""

    def __init__(self, awaited: str) -> None:
        self.wait_for(awaited)

    def wait_for(self, awaited: str) -> None:
        """The clock starts anew."""
        self._awaited, self._deadline = awaited, time.monotonic() + PATIENCE_S

    def __call__(self, statuses: Sequence[PartStatus], _lines: Sequence[Line]) -> None:
        assert time.monotonic() < self._deadline, f"waited in vain for {self._awaited}: {statuses}"


class Stages:
    """What befalls a run, one thing after the other, each when the one before has shown its effect."""

    def __init__(self, cluster: Any, folder: RunFolder) -> None:
        self._cluster = cluster
        self._folder = folder
        self._patience = Patience("the start")
        self._stages = self._script()
        self._delivered: set[str] = set()  # workers that have had a receipt
        self.acknowledged: set[str] = set()
        self.statuses: dict[str, PartStatus] = {}

    def __call__(self, statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        self._patience(statuses, lines)
        self.statuses = {status.name: status for status in statuses}
        self._delivered |= {line.part for line in lines if line.values.get("delivered")}
        awaited = next(self._stages)
        if awaited:
            self._patience.wait_for(awaited)

    def _script(self) -> Iterator[str]:
        """What is waited for next; nothing while that has not come."""
        yield "the first trajectory of the first host"
        while "worker-0" not in self._delivered:
            yield ""
        second = self._cluster.add_node(node_ip_address="127.0.0.1", resources={"device_host": 1})
        yield "the first trajectory of the second host, and a checkpoint"
        while "worker-1" not in self._delivered or not any(self._folder.checkpoint.glob("*.pt")):
            yield ""
        self._look()
        self._cluster.remove_node(second, allow_graceful=False)
        for victim in ("learner", "replay", "worker-0"):
            yield f"{victim} to be running"
            while self.statuses[victim].state != "running" or not self.statuses[victim].pid:
                yield ""
            self._look()
            lives = self.statuses[victim].restarts
            os.kill(self.statuses[victim].pid, signal.SIGKILL)
            yield f"{victim} to be missed"
            while self.statuses[victim].restarts == lives:
                yield ""
        yield "the lost host to be noticed, and the learner to be back"
        while self.statuses["worker-1"].restarts == 0 or not events(self._folder, "resumed"):
            yield ""
        raise Enough

    def _look(self) -> None:
        self.acknowledged |= stored(self._folder)


def stored(folder: RunFolder) -> set[str]:
    """The ids of all trajectories in the replay."""
    with closing(Store(folder.replay_file, read_only=True)) as store:
        return set(store.ids())


def updates(folder: RunFolder) -> int:
    """How many updates the learner has recorded."""
    lines = [line for line in Reader(folder).poll() if line.name == "learner"]
    return max((int(line.values["update"] or 0) for line in lines), default=0)


def events(folder: RunFolder, kind: str) -> list[int]:
    """The learner's updates at each event of a kind."""
    lines = Reader(folder).poll()
    return [cast(int, line.fields["updates"]) for line in lines if line.kind == kind]


def test_training_survives_hosts_that_come_and_go_and_processes_that_die(
    cluster: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    config = resolve(
        "tiny",
        overrides=[
            "engine=ray",
            "ray.elastic=true",
            "device.picture_scale=0.25",
            "replay.capacity=100000",
            "policy.serving=service",
            "budget.updates=100000",
            "budget.minutes=60",
        ],
    )
    folder = runs.create(tmp_path / "run", config)
    runs.prepare(folder, lambda stage, done, of: None)
    first = cluster.add_node(node_ip_address="127.0.0.1", resources={"device_host": 1})
    stages = Stages(cluster, folder)
    try:
        with pytest.raises(Enough), runs.running(folder) as engine:
            runs.follow(folder, engine, stages, tick_s=0.1)
        stops, wanted = events(folder, "stopped"), updates(folder) + 5
        runs.move(folder, [f"budget.updates={wanted}"])
        with runs.running(folder) as engine:
            runs.follow(folder, engine, Patience("the end"), tick_s=0.1)
    finally:
        cluster.remove_node(first)
    # A learner that a busy machine did not leave the time to stop in good order resumes from a checkpoint.
    resumed = events(folder, "resumed")[-1]
    assert resumed == stops[-1] if stops else 0 < resumed <= wanted - 5
    assert events(folder, "finished") == [wanted]
    assert len(stages.acknowledged) > 10
    assert stages.acknowledged <= stored(folder)
    # The worker was on another node than the folder: what it recorded has travelled.
    assert "worker-0" in {line.part for line in Reader(folder).poll() if line.name == "worker"}
