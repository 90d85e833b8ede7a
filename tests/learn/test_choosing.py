"""Which steps are worth a gradient: chances, draws and what is taken."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from distrl.interfaces import StepFeatures
from distrl.learn.choosing import EVENLY, chances, draw, take


@pytest.mark.parametrize("share", [0.1, 0.35, 0.9])
def test_chances_add_up_to_the_share_and_follow_the_worth(share: float) -> None:
    worth = torch.rand(200, generator=torch.Generator().manual_seed(0)) ** 4
    chance = chances(worth, share)
    assert float(chance.sum()) == pytest.approx(share * 200, rel=1e-4)
    assert float(chance.max()) <= 1
    assert float(chance.min()) >= 0.99 * EVENLY * share
    order = worth.argsort()
    assert (chance[order].diff() >= -1e-6).all()
    assert float(chance[order[-20:]].mean()) > 2 * float(chance[order[:20]].mean()) or share == 0.9


def test_what_teaches_most_is_sure_to_be_kept() -> None:
    worth = torch.tensor([100.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    assert chances(worth, 0.5)[0] == 1


@pytest.mark.parametrize("worth", [torch.zeros(10), torch.full((10,), 0.3)])
def test_where_all_are_worth_the_same_all_have_the_same_chance(worth: torch.Tensor) -> None:
    assert chances(worth, 0.4).tolist() == pytest.approx([0.4] * 10)


def test_a_share_of_one_keeps_every_step() -> None:
    worth = torch.rand(77, generator=torch.Generator().manual_seed(0)) ** 3
    chance = chances(worth, 1.0)
    assert chance.tolist() == [1.0] * 77
    for seed in range(20):
        torch.manual_seed(seed)
        assert draw(chance).tolist() == list(range(77))


def test_at_least_one_step_is_kept() -> None:
    chance = chances(torch.tensor([0.2, 0.7]), 0.1)
    assert float(chance.sum()) == pytest.approx(1)
    torch.manual_seed(0)
    assert all(len(draw(chance)) == 1 for _ in range(50))


def test_each_step_is_drawn_as_often_as_its_chance_says() -> None:
    torch.manual_seed(0)
    chance = torch.tensor([0.9, 0.1, 1.0, 0.35, 0.65, 0.05, 0.45])
    counts = torch.zeros(7)
    for _ in range(2000):
        rows = draw(chance)
        assert len(rows) in (3, 4)
        counts[rows] += 1
    assert (counts / 2000).tolist() == pytest.approx(chance.tolist(), abs=0.04)


def test_rows_are_counted_through_all_trajectories() -> None:
    features: list[StepFeatures] = [{"x": np.arange(3)}, {"x": np.arange(10, 12)}, {"x": np.arange(20, 24)}]
    taken = take(features, [3, 2, 4], torch.tensor([0, 2, 5, 8]))
    assert [each["x"].tolist() for each in taken] == [[0, 2], [20, 23]]
