"""What the weather app remembers: saved cities, which comes first, units; and its tables."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag
from distrl.simphone.apps.places import NAMES, NUMBERS, PLACES
from distrl.simphone.apps.preferences import preference_table
from distrl.simphone.apps.weather import forecast
from distrl.simphone.chance import generator
from distrl.simphone.dates import BOOT_DAY, WEEKDAYS, shifted
from distrl.simphone.world import World

PREFERENCES = {"temperature_unit": "C", "wind_unit": "km/h", "warnings": "1", "warning_dismissed": "0"}


class WeatherData(msgspec.Struct):
    """Saved cities in the order they were added, and the one shown first (empty if none is saved)."""

    cities: list[str]
    first: str
    preferences: dict[str, str] = msgspec.field(default_factory=lambda: dict(PREFERENCES))

    def add(self, name: str) -> None:
        """Save a city."""
        if name in PLACES and name not in self.cities:
            self.cities.append(name)
            self.first = self.first or name

    def remove(self, name: str) -> None:
        """Forget a city; the next one comes first if it was the first."""
        self.cities = [city for city in self.cities if city != name]
        if self.first == name:
            self.first = self.cities[0] if self.cities else ""


def fill(world: World) -> WeatherData:
    """The saved cities of a world."""
    random = generator("weather cities", world.seed)
    cities = random.sample(list(PLACES), random.randint(4, 6))
    data = WeatherData(cities, cities[0])
    data.preferences["temperature_unit"] = random.choice("CCF")
    return data


def _city_rows(data: WeatherData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": NUMBERS[name],
            "name": name,
            "country": PLACES[name].country,
            "is_default": int(name == data.first),
        }
        for name in data.cities
    ]


def _insert_city(data: WeatherData, bound: Mapping[str, str]) -> None:
    name = bound.get("name", "")
    data.add(name)
    if name in data.cities and flag(bound, "is_default"):
        data.first = name


def _update_city(data: WeatherData, row: int, bound: Mapping[str, str]) -> None:
    if flag(bound, "is_default") and NAMES.get(row) in data.cities:
        data.first = NAMES[row]


def _delete_city(data: WeatherData, row: int) -> None:
    data.remove(NAMES.get(row, ""))


def _forecast_rows(data: WeatherData, world: World) -> list[Cells]:
    del data
    rows: list[Cells] = []
    for name in PLACES:
        for ahead in range(forecast.DAYS_AHEAD):
            when = shifted(BOOT_DAY, ahead)
            day = forecast.day(world.seed, name, when)
            rows.append(
                {
                    "_id": len(rows) + 1,
                    "city": name,
                    "date": when.isoformat(),
                    "weekday": WEEKDAYS[when.weekday()],
                    "high": day.high,
                    "low": day.low,
                    "high_f": forecast.in_fahrenheit(day.high),
                    "low_f": forecast.in_fahrenheit(day.low),
                    "condition": day.condition,
                    "rain": day.rain_percent,
                    "wind": day.wind_kmh,
                    "humidity": day.humidity_percent,
                    "uv": day.uv_index,
                }
            )
    return rows


def _hour_rows(data: WeatherData, world: World) -> list[Cells]:
    rows: list[Cells] = []
    for name in data.cities:
        for number in range(48):
            when = shifted(BOOT_DAY, number // 24)
            hour = forecast.hour(world.seed, name, when, number % 24)
            rows.append(
                {
                    "_id": len(rows) + 1,
                    "city": name,
                    "date": when.isoformat(),
                    "hour": hour.hour,
                    "temperature": hour.temperature,
                    "temperature_f": forecast.in_fahrenheit(hour.temperature),
                    "condition": hour.condition,
                }
            )
    return rows


TABLES: dict[str, Table[WeatherData]] = {
    "cities": Table(_city_rows, _insert_city, _update_city, _delete_city),
    "forecast": Table(_forecast_rows),
    "hourly": Table(_hour_rows),
    "preferences": preference_table(lambda data: data.preferences, PREFERENCES),
}
