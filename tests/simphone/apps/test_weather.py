"""Weather: what the screen says agrees with the tables; cities and units can be changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.simphone.apps.conftest import Hand

APP = "com.simphone.weather"
Open = Callable[..., "Hand"]


@pytest.fixture
def weather(hand: Open) -> Hand:
    """A phone with two known cities, in °C."""
    opened = hand(APP)
    opened.bind("delete", "cities")
    opened.bind("insert", "cities", name="Lisbon")
    opened.bind("insert", "cities", name="Seoul")
    opened.bind("update", "preferences", "name='temperature_unit'", value="C")
    opened.bind("update", "preferences", "name='warning_dismissed'", value="1")
    return opened


def cell(weather: Hand, city: str, date: str, column: str) -> str:
    row = weather.rows("forecast", f"city='{city}' AND date='{date}'")
    found = re.search(rf"\b{column}=([^,\n]*)", row)
    assert found is not None
    return found.group(1)


def test_tomorrow_on_the_screen_is_tomorrow_in_the_table(weather: Hand) -> None:
    weather.scroll_to("Tomorrow")
    weather.phone.tap(*weather.find("Tomorrow").centre)
    high, low = (cell(weather, "Lisbon", "2024-05-15", name) for name in ("high", "low"))
    assert weather.sees("Wednesday, 15 May 2024")
    assert weather.sees(f"High {high}° · Low {low}°")
    assert weather.sees(cell(weather, "Lisbon", "2024-05-15", "condition"))


def test_fahrenheit_is_shown_everywhere(weather: Hand) -> None:
    weather.tap("More options", "Settings", "Fahrenheit (°F)", "Miles per hour")
    weather.phone.key("BACK")
    assert "name=temperature_unit, value=F" in weather.rows("preferences")
    high, low = (cell(weather, "Lisbon", "2024-05-14", name) for name in ("high_f", "low_f"))
    assert weather.sees(f"High {high}° · Low {low}°")


def test_a_city_is_found_saved_made_the_first_and_removed(weather: Hand) -> None:
    weather.tap("cities", "Add city")
    weather.write("query", "kenya")
    weather.tap("Nairobi")
    assert "name=Nairobi, country=Kenya, is_default=0" in weather.rows("cities")
    weather.hold("Nairobi")
    saved = weather.phone.snapshot()
    weather.tap("Set as default")
    assert "name=Nairobi" in weather.rows("cities", "is_default=1")
    weather.phone.restore(saved)
    weather.tap("Remove", "Remove")
    assert "Nairobi" not in weather.rows("cities")


def test_the_star_makes_another_city_the_first(weather: Hand) -> None:
    weather.tap("cities", "Seoul", "star")
    assert "name=Seoul" in weather.rows("cities", "is_default=1")
    weather.tap("More options", "Remove this city", "Cancel", "More options", "Remove this city", "Remove")
    assert "name=Lisbon" in weather.rows("cities", "is_default=1")


def test_without_cities_one_can_be_added(weather: Hand) -> None:
    weather.bind("delete", "cities")
    assert weather.sees("Add a city to see its weather")
    weather.tap("Add city")
    weather.write("query", "rome")
    weather.tap("Rome")
    assert weather.sees("10-day forecast")


def test_worlds_have_their_own_weather(hand: Open) -> None:
    one, same, other = (hand(APP, seed, world).rows("forecast") for seed, world in ((1, 1), (2, 1), (1, 2)))
    assert one == same
    assert one != other


@pytest.mark.parametrize("seed", range(2))
def test_monkey(hand: Open, seed: int) -> None:
    hand(APP, seed, seed).monkey(seed, 150)
