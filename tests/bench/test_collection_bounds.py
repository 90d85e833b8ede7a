"""Bounds and shares of made-up episodes."""

from __future__ import annotations

import pytest
from collection_bounds import (
    Episode,
    Round,
    asynchronous,
    expected_ratio,
    framework_of_a_step,
    makespan,
    share_in_episodes,
    split,
    synchronous,
)


def chain(device: str, durations: list[float], gap: float, start: float = 0.0) -> list[Episode]:
    """Episodes one after the other on a device, with the same gap before each."""
    episodes, now = [], start
    for seconds in durations:
        now += gap
        episodes.append(Episode(device, now, now + seconds, steps=2))
        now += seconds
    return episodes


def test_devices_that_never_pause_reach_their_bound() -> None:
    episodes = chain("a", [10.0] * 10, 0.0) + chain("b", [20.0] * 5, 0.0)
    reached = asynchronous(episodes, devices=2, begin=0.5, end=100.5)
    assert reached.share == pytest.approx(1.0)
    assert reached.episodes == 15
    assert reached.per_minute == pytest.approx(9.0)
    assert reached.bound_per_minute == pytest.approx(60 * 2 / (200 / 15))
    assert reached.steps_per_s == pytest.approx(0.3)


def test_a_pause_before_each_episode_is_missing_from_the_bound() -> None:
    episodes = chain("a", [9.0] * 50, 1.0)
    reached = asynchronous(episodes, devices=1, begin=0.0, end=501.0)
    assert reached.share == pytest.approx(0.9)
    assert reached.per_minute / reached.bound_per_minute == pytest.approx(0.9, rel=0.01)


def test_what_the_window_cuts_off_does_not_blur_the_share() -> None:
    episodes = chain("a", [30.0, 50.0, 10.0], 0.0)
    inside = [each for each in episodes if each.ended > 35]
    assert share_in_episodes(inside) == pytest.approx(1.0)
    assert share_in_episodes([]) == 0.0


def test_a_makespan_fills_the_device_that_is_free_first() -> None:
    assert makespan([3.0, 5.0, 4.0], 3) == 5.0
    assert makespan([3.0, 5.0, 4.0], 2) == 7.0
    assert makespan([3.0, 5.0, 4.0], 1) == 12.0


def test_a_round_is_its_longest_episode_and_the_training() -> None:
    def one(opened: float, lost: float) -> Round:
        episodes = [
            Episode("a", opened + lost, opened + lost + 10, 3),
            Episode("b", opened, opened + 4, 3),
        ]
        return Round(opened, opened + lost + 12, episodes, training_s=2.0)

    perfect = synchronous([one(0.0, 0.0), one(12.0, 0.0)], devices=2)
    assert perfect.share == pytest.approx(1.0)
    assert perfect.per_minute == pytest.approx(60 * 4 / 24)
    wasteful = synchronous([one(0.0, 4.0), one(16.0, 4.0)], devices=2)
    assert wasteful.share == pytest.approx(12 / 16)
    assert wasteful.bound_per_minute == pytest.approx(perfect.bound_per_minute)


def test_equal_episodes_gain_nothing_but_the_training_time() -> None:
    assert expected_ratio([10.0], 32, 1, 0.0) == pytest.approx(1.0)
    assert expected_ratio([10.0], 32, 1, 5.0) == pytest.approx(1.5)
    assert expected_ratio([10.0], 32, 2, 5.0) == pytest.approx(1.25)


def test_the_longest_of_many_is_what_a_round_waits_for() -> None:
    # One episode in two takes 20 s: of 32, there is practically always one.
    assert expected_ratio([10.0, 20.0], 32, 1, 0.0) == pytest.approx(20 / 15, rel=0.01)


def test_shares_add_up_and_the_rest_is_the_framework() -> None:
    before = {"device": 10.0, "policy": 1.0, "lag_mean_s": 7.0}
    after = {"device": 70.0, "policy": 11.0, "waiting/the learner": 20.0, "lag_mean_s": 9.0}
    shares = split(before, after, device_seconds=100.0)
    assert shares == pytest.approx(
        {"device": 0.6, "policy": 0.1, "waiting/the learner": 0.2, "framework": 0.1}
    )
    assert framework_of_a_step(shares) == pytest.approx(0.1 / 0.8)
