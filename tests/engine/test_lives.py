"""When a part is revived, and when it is given up."""

from distrl.engine.lives import HEALTHY_S, Life
from distrl.interfaces import PartSpec


def crash(life: Life) -> float | None:
    return life.crashed("killed", hopeless=False, first_backoff_s=0.5)


def test_a_part_that_keeps_crashing_is_given_up_after_growing_pauses() -> None:
    life = Life(PartSpec("worker-0", "worker", restarts=3), clock=lambda: 0.0)
    pauses = []
    for _ in range(4):
        life.runs()
        pauses.append(crash(life))
    assert pauses == [0.5, 1.0, 2.0, None]
    assert life.state == "failed"


def test_a_long_healthy_life_wipes_the_slate_clean() -> None:
    now = 0.0
    life = Life(PartSpec("learner", "learner", restarts=2), clock=lambda: now)
    for _ in range(20):
        life.runs()
        now += HEALTHY_S
        assert crash(life) == 0.5
    assert life.restarts == 20
    life.runs()
    assert crash(life) == 1.0
    life.runs()
    assert crash(life) is None
