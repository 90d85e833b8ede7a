"""Neither workers nor the learner run ahead, and nobody who died blocks the others."""

import random

import pytest

from distrl.replay.limiter import Limiter, Progress, RatioLimiter, RoundLimiter
from distrl.replay.permits import UnderWay, split_name


class Clock:
    """Time that moves when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


# --- asynchronous mode


def test_learner_waits_for_the_first_trajectories() -> None:
    limiter = RatioLimiter(4.0, 1000, min_trajectories=2)
    assert "0 of the first 2" in limiter.refusal()
    for _ in range(2):
        limiter.added("w", 5)
    assert limiter.refusal() == ""


def test_learner_stops_at_the_slack_and_continues_when_workers_catch_up() -> None:
    limiter = RatioLimiter(2.0, 10, min_trajectories=1)
    limiter.added("w", 5)
    limiter.drawn(19)  # one below 2 · 5 + 10
    assert limiter.refusal() == ""
    limiter.drawn(1)
    assert limiter.refusal().startswith("learner waits for workers: 20 steps trained, 5 collected")
    limiter.added("w", 1)
    assert limiter.refusal() == ""


def test_workers_stop_at_the_slack_counting_what_is_under_way() -> None:
    limiter = RatioLimiter(2.0, 100, min_trajectories=1)
    limiter.added("w", 10)  # lead 20; an episode is worth 20
    permit = limiter.permit("w", 10)
    assert permit.granted == 4  # 20 + 3 · 20 < 100, and the fourth is started below the bound
    assert limiter.permit("w", 1).granted == 0
    limiter.drawn(20)
    assert limiter.permit("w", 3).granted == 1
    for _ in range(5):
        limiter.added("w", 10)
    held = limiter.permit("w", 1)
    assert held.granted == 0
    assert held.reason.startswith("workers wait for the learner: 60 steps collected and 0 episodes under way")


def test_workers_are_told_when_the_slack_is_too_small_for_their_devices() -> None:
    limiter = RatioLimiter(4.0, 100, min_trajectories=1)
    limiter.permit("w", 100)
    assert "raise replay.slack" in limiter.permit("w", 1).reason


def test_unusable_trajectories_give_their_permit_back_and_add_nothing() -> None:
    limiter = RatioLimiter(1.0, 1, min_trajectories=1)
    assert limiter.permit("w", 5).granted == 1
    limiter.added("w", 0)
    assert limiter.refusal()
    assert limiter.permit("w", 5).granted == 1


def test_workers_continue_when_the_learner_finds_nothing_fresh() -> None:
    limiter = RatioLimiter(1.0, 5, min_trajectories=1)
    limiter.added("w", 50)
    assert limiter.permit("w", 3).granted == 0
    assert limiter.refusal() == ""
    limiter.drawn(0)
    assert limiter.permit("w", 3).granted == 3
    limiter.drawn(10)
    assert limiter.permit("w", 3).granted == 0


@pytest.mark.parametrize("seed", range(20))
def test_ratio_is_held_and_nobody_waits_for_ever(seed: int) -> None:
    chance = random.Random(seed)
    ratio, slack = chance.choice([0.5, 1.0, 4.0]), chance.choice([1, 50, 1000])
    limiter = RatioLimiter(ratio, slack, min_trajectories=chance.choice([1, 8]))
    under_way = collected = trained = idle = episodes = 0
    batch = 40
    for _ in range(3000):
        move = chance.choice(["start", "finish", "train"])
        progressed = True
        if move == "start":
            granted = limiter.permit("w", chance.randint(1, 4)).granted
            under_way += granted
            progressed = granted > 0
        elif move == "finish" and under_way:
            steps = chance.choice([0, 1, 5, 10])
            limiter.added("w", steps)
            under_way, collected, episodes = under_way - 1, collected + steps, episodes + (steps > 0)
        elif move == "train" and not limiter.refusal():
            limiter.drawn(batch)
            trained += batch
        else:
            progressed = False
        idle = 0 if progressed else idle + 1
        assert idle < 100
        assert trained - ratio * collected < slack + batch
    assert trained > 0


def test_ratio_limiter_continues_from_the_store() -> None:
    limiter = RatioLimiter(2.0, 10, min_trajectories=3)
    limiter.restore(Progress(usable=3, usable_steps=10, trained_steps=30))
    assert "30 steps trained, 10 collected" in limiter.refusal()


# --- synchronous mode


def finish_round(limiter: RoundLimiter) -> None:
    granted = limiter.permit("w", 100).granted
    for _ in range(granted):
        limiter.added("w", 3)


def test_a_round_opens_fills_trains_and_opens_again() -> None:
    limiter = RoundLimiter(5)
    assert limiter.permit("a", 3).granted == 3
    second = limiter.permit("b", 3)
    assert second.granted == 2
    assert "0 of 5" in second.reason
    for worker in ("a", "a", "b", "a"):
        limiter.added(worker, 3)
        assert limiter.refusal().startswith("learner waits for workers")
    limiter.added("b", 3)
    assert limiter.refusal() == ""
    limiter.drawn(9)
    assert limiter.permit("a", 1).reason.startswith("workers wait for the learner: 5 of 5")
    limiter.published()
    assert limiter.refusal().startswith("learner waits for workers: 0 of 5")
    assert limiter.permit("a", 9).granted == 5


def test_publishing_within_a_round_does_not_open_another() -> None:
    limiter = RoundLimiter(4)
    limiter.added("w", 1)
    limiter.published()
    assert "1 of 4" in limiter.refusal()


def test_unusable_trajectories_leave_their_place_in_the_round() -> None:
    limiter = RoundLimiter(2)
    assert limiter.permit("w", 2).granted == 2
    limiter.added("w", 3)
    limiter.added("w", 0)
    assert limiter.permit("w", 2).granted == 1


def test_a_round_that_turned_stale_is_collected_again() -> None:
    limiter = RoundLimiter(2)
    finish_round(limiter)
    limiter.drawn(0)
    assert limiter.refusal()
    assert limiter.permit("w", 5).granted == 2


def test_round_limiter_continues_from_the_store() -> None:
    limiter = RoundLimiter(4)
    limiter.restore(Progress(usable=11, round_start=8))
    assert "3 of 4" in limiter.refusal()
    limiter.added("w", 1)
    limiter.published()
    assert limiter.round_start == 12


# --- workers that die


@pytest.mark.parametrize("limiter", [RoundLimiter(4), RatioLimiter(1.0, 40, 4)], ids=["round", "ratio"])
def test_a_new_incarnation_voids_what_the_former_had_under_way(limiter: Limiter) -> None:
    assert limiter.permit("worker-0.0", 4).granted == 4
    assert limiter.permit("worker-1.0", 4).granted == 0
    assert limiter.permit("worker-0.1", 4).granted == 4
    assert limiter.permit("worker-0.0", 4).reason == "worker-0.0 was replaced by worker-0.1; it should end"


def test_a_late_trajectory_of_a_replaced_worker_uses_up_no_permit() -> None:
    limiter = RoundLimiter(4)
    limiter.permit("worker-0.1", 4)
    limiter.permit("worker-0.2", 2)
    limiter.added("worker-0.1", 3)
    assert limiter.permit("worker-0.2", 9).granted == 1  # 1 arrived, 2 under way, of 4


def test_a_trajectory_may_name_its_worker_without_incarnation() -> None:
    limiter = RoundLimiter(2)
    limiter.permit("worker-0.1", 2)
    limiter.added("worker-0", 0)
    assert limiter.permit("worker-0.1", 2).granted == 1


def test_permits_of_a_worker_that_never_returns_lapse() -> None:
    clock = Clock()
    limiter = RoundLimiter(3, lease_s=60, clock=clock)
    limiter.permit("worker-0", 3)
    clock.now += 59
    assert limiter.permit("worker-1", 3).granted == 0
    clock.now += 1
    assert limiter.permit("worker-1", 3).granted == 3


def test_incarnations_are_read_from_names() -> None:
    assert split_name("worker-0.12") == ("worker-0", 12)
    assert split_name("worker-0") == ("worker-0", None)
    assert split_name("host.example.org") == ("host.example.org", None)


def test_arrivals_nobody_was_permitted_are_harmless() -> None:
    under_way = UnderWay(60, Clock())
    under_way.arrived("worker-0.1")
    under_way.grant("worker-0.1", 1)
    under_way.arrived("worker-0.1")
    under_way.arrived("worker-0.1")
    assert under_way.count() == 0


# --- waiting times


def test_waits_run_from_the_first_refusal_to_the_next_grant() -> None:
    clock = Clock()
    limiter = RoundLimiter(1, clock=clock)
    limiter.refusal()
    limiter.permit("a", 1)
    clock.now += 2
    limiter.permit("b", 1)
    limiter.refusal()
    clock.now += 3
    limiter.permit("b", 1)
    assert limiter.waited() == (3.0, 5.0)
    limiter.added("a", 1)
    assert limiter.refusal() == ""
    limiter.drawn(1)
    clock.now += 4
    assert limiter.waited() == (7.0, 5.0)
    limiter.published()
    limiter.permit("b", 1)
    clock.now += 10
    assert limiter.waited() == (7.0, 5.0)


def test_asking_for_nothing_is_not_waiting() -> None:
    clock = Clock()
    limiter = RatioLimiter(1.0, 10, 1, clock=clock)
    limiter.permit("a", 0)
    clock.now += 5
    assert limiter.waited() == (0.0, 0.0)
