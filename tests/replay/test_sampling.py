"""Drawing follows p^alpha, leaves out what is stale, and reaches everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.errors import ReplayError
from distrl.replay.sampling import Priorities
from distrl.replay.store import Held


def filled(priorities: list[float], *, alpha: float = 0.5, beta: float = 0.4, gap: int = 10) -> Priorities:
    index = Priorities(alpha, beta, gap)
    for number, priority in enumerate(priorities):
        index.add(Held(f"t{number}", steps=number % 3 + 1, oldest_version=0, priority=priority))
    return index


def chi_square(observed: np.ndarray, expected: np.ndarray) -> float:
    return float(((observed - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("batch", [1, 16])
def test_draws_follow_the_priorities(alpha: float, batch: int) -> None:
    priorities = [0.1, 1.0, 4.0, 0.5, 9.0, 2.0, 0.02, 3.0]
    index = filled(priorities, alpha=alpha)
    rng = np.random.default_rng(3)
    total = 16_000
    counts = np.zeros(len(priorities))
    for _ in range(total // batch):
        for draw in index.draw(batch, 0, rng):
            counts[int(draw.id[1:])] += 1
    scaled = np.array(priorities) ** alpha
    # 24.3 is the 0.999 quantile of chi-square with 7 degrees of freedom; the seed is fixed.
    assert chi_square(counts, total * scaled / scaled.sum()) < 24.3
    wrong = np.array(priorities) ** (alpha + 0.2)
    assert chi_square(counts, total * wrong / wrong.sum()) > 24.3


def test_weights_undo_the_preference_relative_to_the_largest() -> None:
    index = filled([1.0, 4.0, 9.0], alpha=1.0, beta=0.4)
    draws = index.draw(64, 0, np.random.default_rng(0))
    raw = {draw.id: (3 * draw.probability) ** -0.4 for draw in draws}
    assert {draw.id: draw.probability for draw in draws} == pytest.approx(
        {"t0": 1 / 14, "t1": 4 / 14, "t2": 9 / 14}
    )
    for draw in draws:
        assert draw.weight == pytest.approx(raw[draw.id] / max(raw.values()))


def test_the_same_seed_draws_the_same() -> None:
    index = filled([1.0, 2.0, 3.0])
    first = index.draw(20, 0, np.random.default_rng(5))
    assert first == index.draw(20, 0, np.random.default_rng(5))
    assert first != index.draw(20, 0, np.random.default_rng(6))


def test_only_fresh_trajectories_are_drawn_and_counted() -> None:
    index = Priorities(0.5, 1.0, max_version_gap=2)
    for version in range(6):
        index.add(Held(f"v{version}", 1, version, 1.0))
    draws = index.draw(300, 6, np.random.default_rng(0))
    assert {draw.id for draw in draws} == {"v4", "v5"}
    assert all(draw.probability == 0.5 and draw.weight == 1.0 for draw in draws)
    assert index.draw(3, 8, np.random.default_rng(0)) == []


def test_ages_are_told_for_what_can_be_drawn_oldest_first() -> None:
    index = Priorities(0.5, 1.0, max_version_gap=6)
    for number, (oldest, entered) in enumerate([(0, 0), (4, 5), (4, 4), (5, 9)]):
        index.add(Held(f"t{number}", 1, oldest, 1.0), entered)
    index.add(Held("of unknown age", 1, 5, 1.0))
    ages = index.ages(version=10, gap=0)  # t0 is too stale to be drawn
    assert ages.outdated == ["t2", "t1", "of unknown age", "t3"]
    assert (ages.mean, ages.largest) == ((6 + 5 + 5 + 1) / 4, 6)
    index.update({"t2": 0.0, "t0": 1.0}, version=10)
    index.remove(["t1"])
    assert index.ages(version=10, gap=1).outdated == ["of unknown age"]
    assert index.ages(version=30, gap=1) == ([], 0.0, 0)


def test_a_priority_of_zero_can_still_be_drawn() -> None:
    index = filled([1.0, 1.0], alpha=1.0)
    index.update({"t0": 0.0, "t1": 1e-6})
    assert {draw.id for draw in index.draw(50, 0, np.random.default_rng(0))} == {"t0", "t1"}


def test_new_trajectories_enter_with_the_largest_priority_seen() -> None:
    index = filled([1.0, 1.0])
    assert index.largest == 1.0
    index.update({"t0": 0.25, "t1": 0.125})
    assert index.largest == 0.25
    index.update({"t0": 0.1})
    assert index.largest == 0.25


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.5])
def test_a_priority_that_is_no_number_changes_nothing(bad: float) -> None:
    index = filled([1.0, 1.0])
    with pytest.raises(ReplayError, match="t1 was given the priority"):
        index.update({"t0": 5.0, "t1": bad})
    assert index.largest == 1.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 200), st.floats(0.001, 1000)), max_size=300))
def test_slots_are_reused_without_mixing_up_trajectories(changes: list[tuple[bool, int, float]]) -> None:
    index = Priorities(1.0, 1.0, 0)
    model: dict[str, float] = {}
    for add, number, priority in changes:
        name = f"t{number}"
        if add and name not in model:
            index.add(Held(name, number + 1, 0, priority))
            model[name] = priority
        elif not add:
            index.remove([name])
            model.pop(name, None)
    assert len(index) == len(model)
    draws = index.draw(50, 0, np.random.default_rng(0))
    assert bool(draws) == bool(model)
    total = sum(model.values())
    for draw in draws:
        assert draw.probability == pytest.approx(model[draw.id] / total)
        assert draw.steps == int(draw.id[1:]) + 1
