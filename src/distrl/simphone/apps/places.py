"""The cities that the clock and the weather know: country, time zone, and how warm a day in May is there."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A city's country, its distance from GMT in minutes (in summer), and May's mean temperature in °C."""

    country: str
    offset_minutes: int
    mean_c: int


PLACES: dict[str, Place] = {
    "Amsterdam": Place("Netherlands", 120, 13), "Athens": Place("Greece", 180, 21),
    "Auckland": Place("New Zealand", 720, 14), "Bangkok": Place("Thailand", 420, 31),
    "Beijing": Place("China", 480, 20), "Berlin": Place("Germany", 120, 14),
    "Bogotá": Place("Colombia", -300, 14), "Buenos Aires": Place("Argentina", -180, 14),
    "Cairo": Place("Egypt", 180, 26), "Chicago": Place("United States", -300, 15),
    "Dakar": Place("Senegal", 0, 23), "Delhi": Place("India", 330, 33),
    "Denver": Place("United States", -360, 14), "Dubai": Place("United Arab Emirates", 240, 32),
    "Dublin": Place("Ireland", 60, 11), "Helsinki": Place("Finland", 180, 11),
    "Hong Kong": Place("China", 480, 26), "Honolulu": Place("United States", -600, 25),
    "Istanbul": Place("Türkiye", 180, 17), "Jakarta": Place("Indonesia", 420, 28),
    "Kathmandu": Place("Nepal", 345, 22), "Lagos": Place("Nigeria", 60, 28),
    "Lima": Place("Peru", -300, 19), "Lisbon": Place("Portugal", 60, 18),
    "Los Angeles": Place("United States", -420, 19), "Madrid": Place("Spain", 120, 18),
    "Manila": Place("Philippines", 480, 30), "Mexico City": Place("Mexico", -360, 19),
    "Montreal": Place("Canada", -240, 14), "Nairobi": Place("Kenya", 180, 18),
    "New York": Place("United States", -240, 17), "Oslo": Place("Norway", 120, 12),
    "Paris": Place("France", 120, 15), "Reykjavik": Place("Iceland", 0, 7),
    "Rome": Place("Italy", 120, 18), "San Francisco": Place("United States", -420, 14),
    "San José": Place("Costa Rica", -360, 23), "Santiago": Place("Chile", -240, 11),
    "São Paulo": Place("Brazil", -180, 18), "Seoul": Place("South Korea", 540, 18),
    "Singapore": Place("Singapore", 480, 29), "Sydney": Place("Australia", 600, 16),
    "Tokyo": Place("Japan", 540, 19), "Toronto": Place("Canada", -240, 14),
    "Vancouver": Place("Canada", -420, 13), "Vienna": Place("Austria", 120, 15),
    "Wellington": Place("New Zealand", 720, 12), "Zurich": Place("Switzerland", 120, 14),
}  # fmt: skip

NUMBERS: dict[str, int] = {name: number for number, name in enumerate(PLACES, 1)}
"""The row number of each city in every table."""

NAMES: dict[int, str] = {number: name for name, number in NUMBERS.items()}


def matching(query: str) -> list[str]:
    """The cities whose name or country contains the words, by name."""
    wanted = query.strip().lower()
    return [name for name, place in PLACES.items() if wanted in f"{name} {place.country}".lower()]
