"""The Ray engine on a cluster of several nodes on this machine, started once for all tests here."""

from __future__ import annotations

import importlib.util
import logging
import os
import secrets
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from distrl import run as runs
from distrl.config import RayConfig, resolve
from distrl.engine.ray_engine import RayEngine
from distrl.interfaces import PartSpec, PartStatus
from distrl.recording import Line, Reader, RunFolder
from distrl.replay import iterate
from distrl.testing.engine_contract import ENGINE_CONTRACT, Clause, running, wait_for, wait_for_end
from distrl.testing.parts import notes_of

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (pip install 'distrl[ray]')"
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head on the loopback interface with token authentication; this process is its driver."""
    settings = {
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # loopback addresses stay what they are
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # no obituaries on the terminal
        "RAY_health_check_period_ms": "500",  # a lost host is noticed within seconds, not half a minute
        "RAY_health_check_timeout_ms": "30000",
        "RAY_health_check_failure_threshold": "3",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        import ray
        from ray.cluster_utils import Cluster

        cluster = Cluster()
        cluster.add_node(node_ip_address="127.0.0.1", num_cpus=4, include_dashboard=False)
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        yield cluster
        ray.shutdown()
        cluster.shutdown()  # type: ignore[no-untyped-call]


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


class Enough(Exception):
    """All has happened that was to happen."""


class Stages:
    """What befalls a run, one thing after the other, each when the one before has shown its effect."""

    def __init__(self, cluster: Any, folder: RunFolder) -> None:
        self._cluster = cluster
        self._folder = folder
        self._stages = self._script()
        self.acknowledged: set[str] = set()
        self.statuses: dict[str, PartStatus] = {}
        self._host_left = False

    def __call__(self, statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        self.statuses = {status.name: status for status in statuses}
        self._host_left |= "worker-1" in self.statuses and self.statuses["worker-1"].restarts > 0
        if self._folder.replay_file.exists():
            next(self._stages)

    def _script(self) -> Iterator[None]:
        while not self._workers():
            yield
        second = self._cluster.add_node(node_ip_address="127.0.0.1", resources={"device_host": 1})
        while "worker-1.0" not in self._workers() or not any(self._folder.checkpoint.iterdir()):
            yield
        self._look()
        self._cluster.remove_node(second, allow_graceful=False)
        for victim in ("learner", "replay", "worker-0"):
            while self.statuses[victim].state != "running" or not self.statuses[victim].pid:
                yield
            self._look()
            os.kill(self.statuses[victim].pid, signal.SIGKILL)
            while self.statuses[victim].restarts == 0:
                yield
        while not self._host_left or not events(self._folder, "resumed"):
            yield
        raise Enough

    def _workers(self) -> set[str]:
        """All workers, with their incarnations, whose trajectories have been acknowledged."""
        return {trajectory.worker for trajectory in iterate(self._folder.replay_file)}

    def _look(self) -> None:
        self.acknowledged |= {trajectory.id for trajectory in iterate(self._folder.replay_file)}


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
        reached = events(folder, "stopped")[-1]
        runs.move(folder, [f"budget.updates={reached + 5}"])
        with runs.running(folder) as engine:
            runs.follow(folder, engine, lambda statuses, lines: None, tick_s=0.1)
    finally:
        cluster.remove_node(first)
    assert events(folder, "resumed")[-1] == reached
    assert events(folder, "finished") == [reached + 5]
    assert len(stages.acknowledged) > 10
    assert stages.acknowledged <= {trajectory.id for trajectory in iterate(folder.replay_file)}
    # The worker was on another node than the folder: what it recorded has travelled.
    assert "worker-0" in {line.part for line in Reader(folder).poll() if line.name == "worker"}
