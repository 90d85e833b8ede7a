"""The Ray cluster of a run: joined at an address, or started on this machine and out of others' reach."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distrl.errors import EngineError
from distrl.interfaces import PartSpec

if TYPE_CHECKING:
    from distrl.config import RayConfig

LOOK_EVERY_S = 1.0  # at the cluster as a whole
GONE_AFTER = 3  # looks in a row in which the head was not to be reached
CONNECT_WITHIN_S = 5.0
STORE_BYTES = 1 << 30  # of the object store of a Ray that we start; taken as needed
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Ray replaces a loopback address by a public one, unless it takes this machine for one that is not to be part
# of a cluster; the switch has a name of its own.
NOT_IN_A_NETWORK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no message to Ray's makers
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # what happens to actors is told by `poll`, not on the terminal
}


@dataclass
class RaySession:
    """A connection to a cluster, and what was seen of the cluster last."""

    home: str  # the node that this process is on
    head: tuple[str, int]  # where the head listens
    joined: bool  # whether we connected this process to it, or started it
    nodes: dict[str, Mapping[str, float]] = field(default_factory=dict)  # the resources of those alive
    _next_look: float = 0.0
    _misses: int = 0

    def look(self) -> bool:
        """See which nodes there are, once a second; raises EngineError when the head is gone."""
        if time.monotonic() < self._next_look:
            return False
        self._next_look = time.monotonic() + LOOK_EVERY_S
        try:
            socket.create_connection(self.head, timeout=LOOK_EVERY_S).close()
        except OSError as error:
            self._misses += 1
            if self._misses >= GONE_AFTER:
                raise EngineError(
                    f"the Ray head at {self.head[0]}:{self.head[1]} is gone ({error.strerror or error})"
                ) from error
            return False
        self._misses = 0
        self.nodes = living_nodes()
        if self.home not in self.nodes:
            self._misses = GONE_AFTER
            raise EngineError("Ray's node on this machine (its raylet) is gone")
        return True

    @property
    def reachable(self) -> bool:
        """Whether the head answered the last time."""
        return self._misses == 0

    def units(self, resource: str) -> int:
        """How much of a resource all living nodes have together."""
        return int(sum(resources.get(resource, 0.0) for resources in self.nodes.values()))

    def close(self) -> None:
        """Leave the cluster; one that we started ends."""
        import ray

        if self.joined and ray.is_initialized():
            ray.shutdown()


def open_session(settings: RayConfig, workers: int) -> RaySession:
    """Join the cluster at the address in the settings, or start Ray here with room for the workers."""
    address = _found() if settings.address == "auto" else settings.address
    if not address or address.rpartition(":")[0] in LOOPBACK:
        _set_unless_set(NOT_IN_A_NETWORK)
    _set_unless_set(QUIET)  # as everything here, before Ray is imported, since that is when it looks
    try:
        import ray
    except ImportError as error:
        raise EngineError(
            "the engine `ray` needs Ray; install it with: pip install 'distrl[ray]'"
        ) from error  # fmt: skip
    joined = not ray.is_initialized()
    if joined and settings.address:
        _join(address or "auto")
    elif joined:
        _start({settings.worker_resource: float(workers)})
    context = ray.get_runtime_context()
    host, _, port = context.gcs_address.rpartition(":")
    session = RaySession(context.get_node_id(), (host.strip("[]"), int(port)), joined)
    session.nodes = living_nodes()
    return session


def _set_unless_set(environment: Mapping[str, str]) -> None:
    for name, value in environment.items():
        os.environ.setdefault(name, value)


def _found() -> str:
    """The address that `auto` stands for, as `ray start` has left it on this machine; empty if it has not."""
    if "RAY_ADDRESS" in os.environ:
        return os.environ["RAY_ADDRESS"]
    folder = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray"
    try:
        return (folder / "ray_current_cluster").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _join(address: str) -> None:
    import ray
    from ray.exceptions import RayError

    host, colon, port = address.rpartition(":")
    try:
        if colon:  # Ray itself would try for minutes
            socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_WITHIN_S).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        raise EngineError(
            f"no Ray cluster can be joined at {address}: {reason}. Was `ray start` run on this machine, and "
            "is the token the same? See docs/cluster.md"
        ) from error


def _start(resources: dict[str, float]) -> None:
    """Start Ray on the loopback interface, with a token that only this process and its children know."""
    import ray
    from ray.exceptions import RayError

    if "RAY_AUTH_MODE" not in os.environ and "RAY_AUTH_TOKEN_PATH" not in os.environ:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        ray.init(
            address="local",
            num_cpus=0,  # or Ray would start a process for each core; parts are placed by other means
            resources=resources,
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _node_ip_address="127.0.0.1",
        )
    except (ConnectionError, RuntimeError, ValueError, OSError, RayError) as error:
        raise EngineError(f"Ray cannot be started on this machine: {error}") from error


def living_nodes() -> dict[str, Mapping[str, float]]:
    import ray

    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    return {node["NodeID"]: node["Resources"] for node in nodes if node["Alive"]}


# --- who lives where ----------------------------------------------------------------------------


def placement(spec: PartSpec, settings: RayConfig, session: RaySession, services: int) -> dict[str, Any]:
    """Ray's options for the actor of a part.

    Workers go to the hosts of devices and policy services to GPUs, wherever they are. Everything else uses
    the run's folder, so it lives where the engine does.
    """
    if spec.kind == "worker":
        if session.units(settings.worker_resource):
            return {"resources": {settings.worker_resource: 1}}
        return {"scheduling_strategy": "SPREAD"}
    gpus = gpus_of(spec.kind, settings, session, services)
    if spec.kind == "policy" and gpus:
        return {"num_gpus": gpus}
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(node_id=session.home, soft=spec.kind == "policy")
    return {"num_gpus": gpus, "scheduling_strategy": here}


def gpus_of(kind: str, settings: RayConfig, session: RaySession, services: int) -> float:
    """How many GPUs a part of this kind is given; unless told, all policy services get one or none does."""
    learner = _learner_gpus(settings, session)
    if kind == "learner":
        return learner
    if kind == "policy":
        left = session.units("GPU") - learner
        return float(left >= services) if settings.policy_gpus is None else settings.policy_gpus
    return 0.0


def require_gpus(settings: RayConfig, session: RaySession, services: int) -> None:
    """Raise EngineError if more GPUs are asked for than there are: Ray would never find the parts a place."""
    learner, here = _learner_gpus(settings, session), session.nodes[session.home].get("GPU", 0.0)
    if learner > here:
        raise EngineError(
            f"ray.learner_gpus asks for {learner:g} GPUs on the machine of the command, where Ray sees "
            f"{here:g}"
        )
    wanted, there = learner + services * (settings.policy_gpus or 0.0), session.units("GPU")
    if wanted > there:
        raise EngineError(
            f"ray.learner_gpus and ray.policy_gpus ({services} policy services) ask for {wanted:g} GPUs, but "
            f"the cluster has {there}; a share such as 0.5 puts two parts on one"
        )


def _learner_gpus(settings: RayConfig, session: RaySession) -> float:
    if settings.learner_gpus is not None:
        return settings.learner_gpus
    return float(session.nodes[session.home].get("GPU", 0.0) >= 1.0)
