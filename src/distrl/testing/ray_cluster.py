"""A Ray cluster on one machine's loopback interface, hosts of which can be lost: for tests and benches."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

SETTINGS = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # loopback addresses stay what they are
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # no obituaries on the terminal
    "RAY_health_check_period_ms": "500",  # a lost host is noticed within seconds, not half a minute
    "RAY_health_check_timeout_ms": "30000",  # but one that is merely slow is not lost
    "RAY_health_check_failure_threshold": "3",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": "",  # made anew for every cluster
}


@contextmanager
def loopback_cluster(cores: int, environment: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """A head with token authentication; this process is its driver. The environment is restored after it."""
    wanted = {**SETTINGS, "RAY_AUTH_TOKEN": secrets.token_hex(32), **(environment or {})}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        cluster.add_node(node_ip_address="127.0.0.1", num_cpus=cores, include_dashboard=False)
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()  # type: ignore[no-untyped-call]
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
