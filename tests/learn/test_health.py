"""Trouble is told once, in words, and healthy training is left in peace."""

from __future__ import annotations

from distrl.learn.health import Health

FINE = {
    "entropy": 1.5,
    "critic_loss": 0.4,
    "critic_chance": 0.6,
    "ratio_below_half": 0.1,
    "success_in_batch": 0.5,
    "done_rate": 0.8,
    "grouped": 0.9,
}


def watch(health: Health, updates: int, **changes: float) -> list[str]:
    return [text for _ in range(updates) for text in health.observe({**FINE, **changes})]


def test_healthy_training_is_left_in_peace() -> None:
    health = Health()
    assert watch(health, 300) == []
    assert watch(health, 3, entropy=0.0, success_in_batch=0.2) == []  # a few odd batches are noise


def test_each_trouble_is_told_once_with_what_to_do() -> None:
    for change, words, remedy in (
        ({"entropy": 0.05}, "entropy fell", "algorithm.entropy"),
        ({"critic_loss": 0.9}, "above chance", "critic_lr"),
        ({"ratio_below_half": 0.8}, "stale", "replay.ratio"),
        ({"success_in_batch": 0.1}, "fell from its best", "algorithm.lr"),
        ({"done_rate": 0.1}, "stopped saying that it is done", "negative_scale"),
        ({"grouped": 0.2}, "another one of the same task", "collect.group"),
    ):
        health = Health()
        watch(health, 100)
        said = watch(health, 200, **change)
        assert len(said) == 1
        assert words in said[0]
        assert remedy in said[0]


def test_entropy_may_fall_with_the_bonus_that_held_it_up() -> None:
    for weight, sentences in ((0.01, 1), (0.001, 0)):
        health = Health()
        watch(health, 100, entropy_weight=0.01)
        assert len(watch(health, 200, entropy=0.1, entropy_weight=weight)) == sentences


def test_a_relapse_is_told_again() -> None:
    health = Health()
    watch(health, 100)
    assert len(watch(health, 200, entropy=0.05)) == 1
    assert watch(health, 200) == []
    assert len(watch(health, 200, entropy=0.05)) == 1


def test_wavering_about_the_limit_is_told_once() -> None:
    health = Health()
    watch(health, 100)  # entropy 1.5, so that the limit is 0.3
    said = [text for level in [0.24, 0.4] * 20 for text in watch(health, 30, entropy=level)]
    assert len(said) == 1
    assert "entropy fell from 1.50" in said[0]


def test_what_gets_clearly_worse_is_told_again_but_not_for_ever() -> None:
    health = Health()
    watch(health, 100)
    first = watch(health, 300, ratio_below_half=0.55)
    assert len(first) == 1
    assert watch(health, 300, ratio_below_half=0.6) == []
    worse = watch(health, 300, ratio_below_half=0.95)
    assert len(worse) == 1
    assert worse != first
    said = [text for level in (0.2, 0.1, 0.05, 0.02, 0.0) for text in watch(health, 300, entropy=level)]
    assert 2 <= len(said) <= 4


def test_a_policy_that_stops_saying_done_is_noticed_in_time() -> None:
    health = Health()
    assert watch(health, 100, done_rate=0.6) == []
    assert watch(health, 200, done_rate=0.15) == []  # lower, but more than a fifth of the best
    said = watch(health, 200, done_rate=0.0)
    assert len(said) == 1
    assert "at its best in 60%" in said[0]
    assert watch(health, 200, done_rate=0.6) == []


def test_a_policy_that_never_says_done_is_told_so() -> None:
    assert "stopped saying" in watch(Health(), 100, done_rate=0.0)[0]


def test_a_critic_that_has_yet_to_learn_is_no_trouble() -> None:
    health = Health()
    assert watch(health, 60, critic_loss=0.9, warming_up=1.0) == []
    assert watch(health, 60, warming_up=0.0) == []
    (said,) = watch(health, 100, critic_loss=0.9, warming_up=0.0)
    assert "above chance" in said


def test_algorithms_without_a_critic_are_watched_too() -> None:
    health = Health()
    for _ in range(100):
        assert health.observe({"success_in_batch": 0.8}) == []
    said = [text for _ in range(200) for text in health.observe({"success_in_batch": 0.3})]
    assert len(said) == 1
