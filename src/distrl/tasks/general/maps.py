"""Tasks in Maps: places by name, by rating and by distance, lists of places, and ways to travel."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    clear,
    commit,
    open_app,
    rows,
    switch,
    tap,
    where,
    write,
)

MAPS = "content://com.simphone.maps"
PLACES, SAVED, ROUTES = f"{MAPS}/places", f"{MAPS}/saved", f"{MAPS}/routes"

LISTS = {
    "Favourites": ("the places I like best", "my best-loved places"),
    "Want to go": ("the places I still have to see", "the places I am curious about"),
    "Travel plans": ("my plans for the journey", "my ideas for the journey"),
}
# Kinds of places, with names of places.
KINDS = {
    "Café": ("Bean & Gone", "Second Cup Lane", "The Drowsy Owl"),
    "Bakery": ("Crumb Corner", "Flour Power", "The Warm Loaf"),
    "Pharmacy": ("Aesculap Pharmacy", "Corner Chemist", "Well & Good"),
    "Hotel": ("Hotel Sandpiper", "The Sleepy Fox", "Villa Aurelia"),
    "Museum": ("Museum of Bells", "Glass Museum", "House of Maps"),
    "Cinema": ("Astoria", "Lumiere Palace", "The Little Reel"),
    "Library": ("Dockside Library", "Reading Room", "Oak Library"),
    "Gym": ("Barbell Yard", "Core House", "Sweat & Steel"),
}
MODES = {
    "walk": ("on foot", "without any vehicle"),
    "bike": ("by bicycle", "by pedal power"),
    "transit": ("by bus and train", "by public transport"),
}
SITES = tuple(product(KINDS, range(3)))
# Where the places are, the nearest first, and how long the way takes by each mode. No two modes take equally
# long, since the duration is all that is written on a mode's icon.
SPOTS = {
    (560, 560): {"walk": "12 min", "bike": "6 min", "transit": "10 min"},
    (640, 420): {"walk": "23 min", "bike": "9 min", "transit": "13 min"},
    (760, 700): {"walk": "47 min", "bike": "18 min", "transit": "19 min"},
}


def _place(name: str, kind: str, rating: str, spot: tuple[int, int]) -> str:
    return bind(
        PLACES, name=name, category=kind, address=f"{spot[0]} Canal Street", rating=rating, x=str(spot[0]),
        y=str(spot[1]), opens="300", closes="1400",
    )  # fmt: skip


def _search(words: str) -> tuple[PlanStep, ...]:
    return (open_app("Maps"), tap("#open_search"), write(words, "#query"))


def _keep(name: str) -> tuple[PlanStep, ...]:
    return (tap("Save"), switch(name, True))


SAVE = ("Add {} to {}", "{} belongs among {}: keep it there", "Remember {} among {}")
UNSEEN_SAVE = ("I heard of {}. File it under {}",)


def save(draw: Draw) -> Draft:
    """Put a place that is named into a list that is described."""
    (kind, number), name = draw.pair(SITES, LISTS)
    place = KINDS[kind][number]
    return Draft(
        goal=draw.say(SAVE, UNSEEN_SAVE).format(place, draw.any(LISTS[name])),
        setup=(clear(SAVED), *_trio(draw, kind, place, rank=draw.number(0, 2))),
        probes={"saved": where(SAVED, name=place, list=name), "all": f"content query --uri {SAVED}"},
        check=(rows("saved", 1), rows("all", 1)),
        plan=(*_search(place), tap(place), *_keep(name)),
        level=2,
    )


def _trio(draw: Draw, kind: str, place: str, rank: int, spot: tuple[int, int] | None = None) -> list[str]:
    """Three places of a kind; the named one is the best (rank 0) to the worst, and may have a fixed spot."""
    names = [place, *(other for other in KINDS[kind] if other != place)]
    ratings = ["4.8", "4.3", "3.6"]
    ratings.insert(0, ratings.pop(rank))
    spots = draw.mixed(tuple(SPOTS))
    if spot is not None:
        spots.sort(key=lambda other: other != spot)
    found = [_place(*row) for row in zip(names, [kind] * 3, ratings, spots, strict=True)]
    return [clear(PLACES), *draw.mixed(found)]


BEST = (
    "Find a {}: keep the one with the best reviews among {}",
    "Which {} do guests like most? File it under {}",
)
WORST = (
    "Find a {}: keep the one with the poorest reviews among {}",
    "Which {} do guests like least? File it under {}",
)
UNSEEN_BEST = ("The {} with the top marks goes among {}",)
UNSEEN_WORST = ("The {} with the lowest marks goes among {}",)


def best(draw: Draw) -> Draft:
    """Compare places of a kind and save one."""
    (kind, number), name, good = draw.triple(SITES, LISTS, (True, False))
    place = KINDS[kind][number]
    known, unseen = (BEST, UNSEEN_BEST) if good else (WORST, UNSEEN_WORST)
    return Draft(
        goal=draw.say(known, unseen).format(kind.lower(), draw.any(LISTS[name])),
        setup=(clear(SAVED), *_trio(draw, kind, place, rank=0 if good else 2)),
        probes={"best": where(SAVED, name=place, list=name), "all": f"content query --uri {SAVED}"},
        check=(rows("best", 1), rows("all", 1)),
        plan=(*_search(kind.lower()), tap(place), *_keep(name)),
        level=3,
        distinct=place + name,
    )


NEAREST = {
    True: ("Start guiding me {1} to the nearest {0}", "Lead me {1} to the closest {0}"),
    False: (
        "Lead me {1} to the {0} that is furthest away",
        "A long trip is fine: guide me {1} to the most distant {0}",
    ),
}
UNSEEN_NEAREST = {
    True: ("The {0} with the shortest way from here: take me there {1}",),
    False: ("Take me {1} to the {0} at the other end of town",),
}


def nearest(draw: Draw) -> Draft:
    """Compare distances, then choose a way to travel."""
    (kind, number), mode, near = draw.triple(SITES, MODES, (True, False))
    place = KINDS[kind][number]
    spot = min(SPOTS) if near else max(SPOTS)
    return Draft(
        goal=draw.say(NEAREST[near], UNSEEN_NEAREST[near]).format(kind.lower(), draw.any(MODES[mode])),
        setup=tuple(_trio(draw, kind, place, draw.number(0, 2), spot)),
        probes={"way": where(ROUTES, destination=place, mode=mode, started="1")},
        check=(rows("way", 1),),
        plan=(
            *_search(kind.lower()),
            tap(place),
            tap("Directions"),
            commit(SPOTS[spot][mode]),
            commit("Start"),
        ),
        level=3,
        distinct=place + mode,
    )


WAY = ("Lead me to {} {}", "How do I get to {} {}? Start guiding me")
UNSEEN_WAY = ("Guide me {1} to {0}",)


def way(draw: Draw) -> Draft:
    """Directions to a place; the ways to travel are icons."""
    (kind, number), mode = draw.pair(SITES, MODES)
    place = KINDS[kind][number]
    spot = draw.any(tuple(SPOTS))
    return Draft(
        goal=draw.say(WAY, UNSEEN_WAY).format(place, draw.any(MODES[mode])),
        setup=tuple(_trio(draw, kind, place, draw.number(0, 2), spot)),
        probes={"route": where(ROUTES, destination=place, mode=mode, started="1")},
        check=(rows("route", 1),),
        plan=(*_search(place), tap(place), tap("Directions"), commit(SPOTS[spot][mode]), commit("Start")),
        level=3,
    )
