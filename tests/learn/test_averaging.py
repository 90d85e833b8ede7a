"""What is published when weights are averaged, and that the model itself is left alone."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from distrl.learn.averaging import Average


def a_model(value: float) -> nn.Linear:
    model = nn.Linear(1, 1)
    set_to(model, value)
    return model


def set_to(model: nn.Linear, value: float) -> None:
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(value)


def shown(model: nn.Linear, average: Average) -> float:
    with average.in_place():
        return model.weight.item()


def test_first_it_is_the_plain_mean_then_the_past_fades() -> None:
    model = a_model(0.0)
    average = Average(model, updates=3)
    expected = [1.0, 2.0, 2.0 + 4.0 / 3]  # (0 + 2) / 2, (0 + 2 + 4) / 3, then a third of what is new
    for value, mean in zip((2.0, 4.0, 6.0), expected, strict=True):
        set_to(model, value)
        average.update()
        assert shown(model, average) == pytest.approx(mean)
        assert model.weight.item() == value


def test_the_model_keeps_its_own_weights_whatever_happens_meanwhile() -> None:
    model = a_model(1.0)
    average = Average(model, updates=3)
    set_to(model, 5.0)
    own = model.weight.data_ptr()
    with pytest.raises(ValueError, match="lost"), average.in_place():
        raise ValueError("lost")
    assert model.weight.item() == 5.0
    assert model.weight.data_ptr() == own


def test_without_averaging_the_model_speaks_for_itself() -> None:
    model = a_model(1.0)
    average = Average(model, updates=0)
    set_to(model, 5.0)
    average.update()
    assert shown(model, average) == 5.0
    assert average.state_dict() == {}


def test_only_what_is_trained_is_kept_twice() -> None:
    model = a_model(1.0)
    model.bias.requires_grad_(False)
    assert "bias" not in Average(model, updates=3).state_dict()


def test_it_goes_on_where_it_stopped() -> None:
    model = a_model(0.0)
    average = Average(model, updates=5)
    for value in (2.0, 4.0):
        set_to(model, value)
        average.update()
    other = a_model(4.0)
    resumed = Average(other, updates=5)
    resumed.load_state_dict(average.state_dict())
    for each, its in ((average, model), (resumed, other)):
        set_to(its, 9.0)
        each.update()
    assert shown(other, resumed) == shown(model, average) == pytest.approx(15 / 4)


def test_a_checkpoint_without_an_average_begins_a_new_one() -> None:
    model = a_model(7.0)
    average = Average(model, updates=5)
    set_to(model, 3.0)
    average.load_state_dict({})
    assert shown(model, average) == 3.0
