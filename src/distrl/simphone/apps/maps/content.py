"""The city of a world: streets with names, places along them, and what the user has saved before."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from distrl.simphone.apps.maps.data import LISTS, MapsData, Place
from distrl.simphone.chance import generator
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.world import World

SIZE = 1000
STREETS = (
    "Willow Street", "Harbour Lane", "Mill Road", "Station Square", "Chapel Hill", "Garden Row",
    "Linden Avenue", "Canal Street", "Market Street", "Orchard Way", "Bridge Road", "Foundry Lane",
    "Lantern Street", "Abbey Road", "Quarry Street", "Meadow Drive",
)  # fmt: skip
# Category: its icon, and names; a name in several branches is taken more than once.
CATEGORIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "Café": ("local_cafe", ("Blue Kettle", "Café Lumen", "Paper Crane", "Blue Kettle")),
    "Restaurant": ("restaurant", ("Olive & Thyme", "Noodle House Mei", "The Copper Pan", "Casa Verde")),
    "Bakery": ("bakery_dining", ("Golden Crust", "Golden Crust", "Rye & Co")),
    "Pharmacy": ("local_pharmacy", ("Green Cross Pharmacy", "Riverside Pharmacy", "Green Cross Pharmacy")),
    "Supermarket": ("local_grocery_store", ("Fresh Basket", "Corner Market", "Fresh Basket")),
    "Petrol station": ("local_gas_station", ("Fuelway", "Orbit Petrol")),
    "Hotel": ("hotel", ("Hotel Marlin", "The Gatehouse", "Harbour Inn")),
    "Museum": ("museum", ("Museum of Clocks", "City Art Museum")),
    "Park": ("park", ("Elm Park", "Riverside Gardens")),
    "Library": ("local_library", ("City Library", "Westside Library")),
    "Gym": ("fitness_center", ("Pulse Gym", "Iron Works Gym")),
    "Cinema": ("local_movies", ("Rialto Cinema", "Moonlight Cinema")),
    "Hospital": ("local_hospital", ("City Clinic",)),
    "Station": ("train", ("Central Station", "East Station")),
}


class City(msgspec.Struct, frozen=True, gc=False):
    """Where the streets, the river and the parks are, in map units."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    river: tuple[tuple[int, int], ...]
    parks: tuple[tuple[int, int, int, int], ...]


@lru_cache(maxsize=64)
def city(seed: int) -> City:
    """The city of a world seed."""
    random = generator("city", seed)
    columns = tuple(60 + 110 * number + random.randint(-24, 24) for number in range(9))
    rows = tuple(60 + 110 * number + random.randint(-24, 24) for number in range(9))
    at = random.randint(250, 750)
    river = []
    for x in range(-50, SIZE + 100, 75):
        at = min(880, max(120, at + random.randint(-55, 55)))
        river.append((x, at))
    parks = []
    for _ in range(5):
        column, row = random.randrange(8), random.randrange(8)
        parks.append((columns[column] + 8, rows[row] + 8, columns[column + 1] - 8, rows[row + 1] - 8))
    return City(columns, rows, tuple(river), tuple(parks))


def street_at(seed: int, across: bool, number: int) -> str:
    """The name of a street: rows and columns of the city's grid are named in turn."""
    order = generator("streets", seed).sample(STREETS, len(STREETS))
    return order[(2 * number + int(across)) % len(order)]


def fill(world: World) -> MapsData:
    """The places of a world."""
    random = generator("maps", world.seed)
    layout = city(world.seed)
    data = MapsData([], [], [], list(LISTS))
    corners = [(column, row) for column in range(1, 8) for row in range(1, 8) if (column, row) != (4, 4)]
    spots = random.sample(corners, sum(len(names) for _, names in CATEGORIES.values()))
    # No two places of a category share a rating, so that "the best" has one answer.
    for category, (_, names) in CATEGORIES.items():
        ratings = random.sample(range(31, 50), len(names))
        for name, rating in zip(names, ratings, strict=True):
            column, row = spots.pop()
            across = random.random() < 0.5
            street = street_at(world.seed, across, row if across else column)
            x = layout.columns[column] + (random.randint(-35, 35) if across else 12)
            y = layout.rows[row] + (12 if across else random.randint(-35, 35))
            opens = random.choice((360, 420, 480, 540, 600))
            place = Place(
                data.number(), name, category, f"{random.randint(2, 180)} {street}", x, y, rating / 10,
                random.randint(12, 2400), opens, random.choice((1020, 1080, 1200, 1320, 1380)),
                f"+1 555 {random.randint(200, 999)} {random.randint(1000, 9999)}",
            )  # fmt: skip
            data.places.append(place)
    for place in random.sample(data.places, 5):
        data.save(place.id, random.choice(LISTS[:2]))
    queries = random.sample([*CATEGORIES, "Blue Kettle", "Golden Crust", "Canal Street"], 4)
    for hours, query in enumerate(reversed(queries)):
        data.remember(query, int((BOOT_TIME_S - 90_000 + hours * 7200) * 1000))
    return data
