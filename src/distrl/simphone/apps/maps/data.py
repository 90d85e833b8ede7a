"""What Maps stores: the places of the city, the user's lists, searches, and the last route."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import whole
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.world import World

HERE = "Your location"
HERE_AT = (500, 500)
METRES_PER_UNIT = 9
DETOUR = 1.25
LISTS = ("Favourites", "Want to go", "Travel plans")

# Mode: what it is called, its icon, metres per minute, minutes before one is on the way.
MODES: dict[str, tuple[str, str, int, int]] = {
    "car": ("Car", "directions_car", 420, 2),
    "transit": ("Transit", "directions_transit", 300, 6),
    "walk": ("Walk", "directions_walk", 80, 0),
    "bike": ("Bike", "directions_bike", 230, 1),
}


class Place(msgspec.Struct):
    """Somewhere to go; `opens` and `closes` are minutes after midnight, x and y are where it is drawn."""

    id: int
    name: str
    category: str
    address: str
    x: int
    y: int
    rating: float
    reviews: int
    opens: int
    closes: int
    phone: str


class Saved(msgspec.Struct):
    """A place in one of the user's lists."""

    id: int
    place: int
    list: str


class Search(msgspec.Struct):
    """Something the user looked for."""

    id: int
    text: str
    date: int


class Route(msgspec.Struct):
    """The way that was asked for last; the numbers are places, 0 is the user's own location."""

    origin: int
    destination: int
    mode: str = "car"
    started: bool = False


class MapsData(msgspec.Struct):
    """Everything in Maps."""

    places: list[Place]
    saved: list[Saved]
    searches: list[Search]
    lists: list[str]
    route: Route | None = None
    next_id: int = 1

    def place(self, place_id: int) -> Place | None:
        """A place by its number."""
        return next((place for place in self.places if place.id == place_id), None)

    def name(self, place_id: int) -> str:
        """What a place is called; 0 is where the user is."""
        place = self.place(place_id)
        return place.name if place is not None else HERE

    def spot(self, place_id: int) -> tuple[int, int]:
        """Where a place is drawn."""
        place = self.place(place_id)
        return (place.x, place.y) if place is not None else HERE_AT

    def number(self) -> int:
        """A number that nothing else has."""
        self.next_id += 1
        return self.next_id - 1

    def in_list(self, name: str) -> list[Place]:
        """The places of one of the user's lists, the newest first."""
        found = [self.place(saved.place) for saved in reversed(self.saved) if saved.list == name]
        return [place for place in found if place is not None]

    def lists_of(self, place_id: int) -> list[str]:
        """The lists that a place is in."""
        return [saved.list for saved in self.saved if saved.place == place_id]

    def save(self, place_id: int, name: str) -> None:
        """Put a place into a list, which is made if need be."""
        if name not in self.lists:
            self.lists.append(name)
        if name not in self.lists_of(place_id):
            self.saved.append(Saved(self.number(), place_id, name))

    def unsave(self, place_id: int, name: str) -> None:
        """Take a place out of a list."""
        self.saved = [one for one in self.saved if (one.place, one.list) != (place_id, name)]

    def remember(self, text: str, date: int) -> None:
        """Put a search first among the recent ones."""
        self.searches = [one for one in self.searches if one.text.lower() != text.lower()]
        self.searches.insert(0, Search(self.number(), text, date))
        del self.searches[20:]


def metres(data: MapsData, origin: int, destination: int) -> int:
    """How far it is from one place to another along the streets."""
    (x0, y0), (x1, y1) = data.spot(origin), data.spot(destination)
    straight = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    return int(straight * METRES_PER_UNIT * DETOUR) // 10 * 10


def minutes(distance_m: int, mode: str) -> int:
    """How long it takes."""
    _, _, speed, wait = MODES.get(mode, MODES["car"])
    return max(1, wait + -(-distance_m // speed))


def _place_rows(data: MapsData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": place.id,
            "name": place.name,
            "category": place.category,
            "address": place.address,
            "rating": place.rating,
            "reviews": place.reviews,
            "opens": place.opens,
            "closes": place.closes,
            "phone": place.phone,
            "distance_m": metres(data, 0, place.id),
        }
        for place in data.places
    ]


def _insert_place(data: MapsData, bound: Mapping[str, str]) -> None:
    x, y = whole(bound, "x", 560), whole(bound, "y", 460)
    place = Place(data.number(), "Place", "Restaurant", "", x, y, 4.0, 10, 480, 1200, "+1 555 200 1000")
    data.places.append(place)
    _update_place(data, place.id, bound)


def _update_place(data: MapsData, row: int, bound: Mapping[str, str]) -> None:
    place = data.place(row)
    if place is None:
        return
    place.name, place.category = bound.get("name", place.name), bound.get("category", place.category)
    place.address, place.phone = bound.get("address", place.address), bound.get("phone", place.phone)
    place.opens, place.closes = whole(bound, "opens", place.opens), whole(bound, "closes", place.closes)
    rating = bound.get("rating", "")
    if rating.replace(".", "", 1).isdecimal():
        place.rating = min(5.0, float(rating))


def _delete_place(data: MapsData, row: int) -> None:
    data.places = [place for place in data.places if place.id != row]
    data.saved = [saved for saved in data.saved if saved.place != row]


def _saved_rows(data: MapsData, world: World) -> list[Cells]:
    del world
    return [
        {"_id": one.id, "list": one.list, "place_id": one.place, "name": data.name(one.place),
         "address": place.address if (place := data.place(one.place)) is not None else ""}
        for one in data.saved
    ]  # fmt: skip


def _insert_saved(data: MapsData, bound: Mapping[str, str]) -> None:
    named = next((place.id for place in data.places if place.name == bound.get("name")), 0)
    number = whole(bound, "place_id", named)
    if data.place(number) is not None:
        data.save(number, bound.get("list", LISTS[0]))


def _delete_saved(data: MapsData, row: int) -> None:
    data.saved = [saved for saved in data.saved if saved.id != row]


def _search_rows(data: MapsData, world: World) -> list[Cells]:
    del world
    return [{"_id": one.id, "query": one.text, "date": one.date} for one in data.searches]


def _insert_search(data: MapsData, bound: Mapping[str, str]) -> None:
    if bound.get("query"):
        data.remember(bound["query"], whole(bound, "date", int(BOOT_TIME_S * 1000)))


def _delete_search(data: MapsData, row: int) -> None:
    data.searches = [search for search in data.searches if search.id != row]


def _route_rows(data: MapsData, world: World) -> list[Cells]:
    del world
    route = data.route
    if route is None:
        return []
    distance = metres(data, route.origin, route.destination)
    return [
        {
            "_id": 1,
            "origin": data.name(route.origin),
            "destination": data.name(route.destination),
            "mode": route.mode,
            "duration_min": minutes(distance, route.mode),
            "distance_m": distance,
            "started": int(route.started),
        }
    ]


def _delete_route(data: MapsData, row: int) -> None:
    del row
    data.route = None


def _list_rows(data: MapsData, world: World) -> list[Cells]:
    del world
    return [
        {"_id": number, "name": name, "place_count": len(data.in_list(name))}
        for number, name in enumerate(data.lists, 1)
    ]


TABLES: dict[str, Table[MapsData]] = {
    "places": Table(_place_rows, _insert_place, _update_place, _delete_place),
    "saved": Table(_saved_rows, _insert_saved, None, _delete_saved),
    "lists": Table(_list_rows),
    "searches": Table(_search_rows, _insert_search, None, _delete_search),
    "routes": Table(_route_rows, None, None, _delete_route),
}
