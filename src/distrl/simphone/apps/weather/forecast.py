"""The weather of a world: decided by its seed, the city and the day, and by nothing else."""

from __future__ import annotations

import math
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from distrl.simphone.apps.places import PLACES
from distrl.simphone.chance import generator
from distrl.simphone.dates import start_of

CONDITIONS: dict[str, tuple[str, int]] = {
    "Sunny": ("wb_sunny", 0), "Partly cloudy": ("filter_drama", 10), "Cloudy": ("cloud", 20),
    "Fog": ("foggy", 15), "Light rain": ("grain", 60), "Heavy rain": ("water_drop", 85),
    "Thunderstorm": ("thunderstorm", 80), "Windy": ("air", 15), "Snow": ("ac_unit", 70),
}  # fmt: skip
"""For each condition its icon and about how likely it is to get wet."""

DAYS_AHEAD = 10


class Day(NamedTuple):
    """One day in one city: temperatures in °C, wind in km/h, times of day in minutes."""

    high: int
    low: int
    condition: str
    rain_percent: int
    wind_kmh: int
    humidity_percent: int
    uv_index: int
    sunrise: int
    sunset: int


class Hour(NamedTuple):
    """One hour in one city."""

    hour: int
    temperature: int
    condition: str


@lru_cache(maxsize=8192)
def day(seed: int, city: str, when: date) -> Day:
    """The weather of a day."""
    place = PLACES[city]
    random = generator("weather", seed, city, start_of(when))
    mean = place.mean_c + generator("climate", seed, city).randint(-3, 3) + random.randint(-4, 4)
    spread = random.randint(3, 7)
    names = [name for name in CONDITIONS if name != "Snow" or mean < 6]
    condition = random.choice(names)
    rain = max(0, min(100, CONDITIONS[condition][1] + 5 * random.randint(-2, 3)))
    wind = random.randint(38, 62) if condition == "Windy" else random.randint(3, 30)
    return Day(
        mean + spread, mean - spread, condition, rain, wind, random.randint(35, 95), random.randint(1, 10),
        5 * 60 + random.randint(0, 70), 19 * 60 + random.randint(0, 120),
    )  # fmt: skip


@lru_cache(maxsize=1 << 14)
def hour(seed: int, city: str, when: date, number: int) -> Hour:
    """The weather of an hour: coolest at five, warmest at three in the afternoon."""
    whole = day(seed, city, when)
    share = (1 - math.cos((number - 5) / 20 * 2 * math.pi)) / 2 if number >= 5 else (5 - number) / 40
    temperature = round(whole.low + (whole.high - whole.low) * share)
    drawn = generator("hour", seed, city, start_of(when), number).random()
    return Hour(number, temperature, whole.condition if drawn < 0.7 else "Partly cloudy")


def in_fahrenheit(celsius: int) -> int:
    """The same temperature in °F."""
    return round(celsius * 9 / 5 + 32)


def in_mph(kmh: int) -> int:
    """The same speed in miles per hour."""
    return round(kmh / 1.609344)
