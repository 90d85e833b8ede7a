"""Where Ray is asked to put the parts, and what is said when there are too few GPUs.

Nothing here imports Ray, which would look at its settings before other tests have made them.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from distrl.config import RayConfig
from distrl.engine.ray_session import RaySession, gpus_of, placement, require_gpus
from distrl.errors import EngineError
from distrl.interfaces import PartSpec


def a_cluster(here: float, elsewhere: float = 0.0, hosts: int = 0) -> RaySession:
    nodes: dict[str, Mapping[str, float]] = {
        "here": {"GPU": here},
        "there": {"GPU": elsewhere, "device_host": float(hosts)},
    }
    return RaySession("here", ("127.0.0.1", 6379), joined=True, nodes=nodes)


def test_the_learner_takes_a_gpu_of_its_machine_and_services_what_is_left() -> None:
    session = a_cluster(here=1, elsewhere=2)
    assert gpus_of("learner", RayConfig(), session, services=1) == 1
    assert gpus_of("policy", RayConfig(), session, services=2) == 1
    assert gpus_of("policy", RayConfig(), session, services=3) == 0  # not enough for all, so none gets one
    assert (
        gpus_of("replay", RayConfig(), session, services=1)
        == gpus_of("evaluator", RayConfig(), session, services=1)
        == 0
    )


def test_without_gpus_nobody_asks_for_one() -> None:
    session = a_cluster(here=0)
    assert (
        gpus_of("learner", RayConfig(), session, services=1)
        == gpus_of("policy", RayConfig(), session, services=1)
        == 0
    )
    require_gpus(RayConfig(), session, services=4)


def test_shares_of_a_gpu_are_passed_on() -> None:
    settings, session = RayConfig(learner_gpus=0.5, policy_gpus=0.25), a_cluster(here=1)
    assert gpus_of("learner", settings, session, services=1) == 0.5
    assert gpus_of("policy", settings, session, services=2) == 0.25
    require_gpus(settings, session, services=2)


def test_workers_go_to_the_hosts_of_devices_and_anywhere_if_there_are_none() -> None:
    spec = PartSpec("worker-0", "worker")
    assert placement(spec, RayConfig(), a_cluster(here=0, hosts=2), 0) == {"resources": {"device_host": 1}}
    assert placement(spec, RayConfig(), a_cluster(here=0), 0) == {"scheduling_strategy": "SPREAD"}


@pytest.mark.parametrize(
    ("settings", "services", "said"),
    [
        (RayConfig(learner_gpus=2), 0, "2 GPUs on the machine of the command, where Ray sees 1"),
        (RayConfig(learner_gpus=1, policy_gpus=1), 3, "ask for 4 GPUs, but the cluster has 3"),
    ],
)
def test_too_many_gpus_are_refused_with_a_sentence(settings: RayConfig, services: int, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        require_gpus(settings, a_cluster(here=1, elsewhere=2), services)
