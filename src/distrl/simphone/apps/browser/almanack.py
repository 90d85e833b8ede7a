"""The Almanack: an encyclopaedia of towns, rivers, mountains, people and animals of one world only."""

from __future__ import annotations

import random
from functools import lru_cache

from distrl.simphone.apps.browser.article import Article
from distrl.simphone.apps.browser.reading import Magazine, magazine_site
from distrl.simphone.apps.browser.site import CookieWords
from distrl.simphone.chance import generator

HOST = "almanack.wiki"
STARTS = (
    "Al",
    "Bran",
    "Cor",
    "Dun",
    "Esk",
    "Fal",
    "Gor",
    "Hal",
    "Ist",
    "Kel",
    "Lor",
    "Mar",
    "Nor",
    "Os",
    "Pel",
    "Ros",
)
TOWN_ENDS = ("wick", "ford", "stead", "mouth", "haven", "bridge", "dale", "minster")
RIVER_ENDS = ("en", "our", "ine", "ey", "a")
PEAK_ENDS = ("fell", "horn", "crag", "spire")
FIRST = (
    "Ottilie",
    "Casimir",
    "Philippa",
    "Leander",
    "Rosalind",
    "Ambrose",
    "Cordelia",
    "Evander",
    "Sidonie",
    "Barnaby",
)
LAST = (
    "Ashgrove",
    "Bellweather",
    "Cromarty",
    "Dunsany",
    "Fairlie",
    "Greyling",
    "Hartwell",
    "Pemberley",
    "Quickfall",
    "Ravenscroft",
)
WORKS = (
    ("painter", "landscapes of the coast", "brush"), ("engineer", "the first steam ferry", "engineering"),
    ("composer", "nine string quartets", "music_note"), ("botanist", "a list of mosses", "local_florist"),
    ("explorer", "crossing the ice", "explore"), ("astronomer", "discovering two comets", "nightlight"),
    ("poet", "the Harbour Sonnets", "edit"), ("physician", "a remedy for sea fever", "medical_services"),
)  # fmt: skip
ANIMALS = (
    ("Marsh lynx", "pets"), ("Velvet heron", "flutter_dash"), ("Stone badger", "pets"),
    ("Lantern carp", "set_meal"), ("Dune hare", "cruelty_free"), ("Frost otter", "pets"),
    ("Bell toad", "bug_report"), ("Copper swift", "flutter_dash"),
)  # fmt: skip
HABITATS = ("reed beds", "pine forests", "rocky coasts", "high meadows", "sand dunes", "river banks")
FOODS = ("fish", "beetles", "berries", "roots", "small birds", "snails")
INDUSTRIES = ("glass", "wool", "salt", "clocks", "paper", "ships", "honey", "pottery")


def _name(chance: random.Random, ends: tuple[str, ...], used: set[str]) -> str:
    while True:
        name = chance.choice(STARTS) + chance.choice(ends)
        if name not in used:
            used.add(name)
            return name


def _number(value: int) -> str:
    return f"{value:,}"


class _Writer:
    """Writes the entries of one world, so that they can mention each other."""

    def __init__(self, world_seed: int) -> None:
        self.chance = generator("almanack", world_seed)
        used: set[str] = set()
        self.towns = [_name(self.chance, TOWN_ENDS, used) for _ in range(12)]
        self.rivers = [_name(self.chance, RIVER_ENDS, used) for _ in range(8)]
        self.peaks = [f"Mount {_name(self.chance, PEAK_ENDS, used)}" for _ in range(6)]
        firsts, lasts = self.chance.sample(FIRST, 10), self.chance.sample(LAST, 10)
        self.people = [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]
        self.articles: list[Article] = []

    def add(self, section: str, title: str, picture: str, facts: list[tuple[str, str]], *lines: str) -> None:
        number = len(self.articles) + 1
        text = "\n".join(lines)
        self.articles.append(Article(number, HOST, section, title, text, tuple(facts), "", picture))

    def town(self, name: str) -> None:
        chance = self.chance
        people, founded = chance.randint(18, 940) * 100, chance.randint(740, 1890)
        river, made, mayor = chance.choice(self.rivers), chance.choice(INDUSTRIES), chance.choice(self.people)
        height, market = chance.randint(2, 900), chance.choice(("Tuesday", "Thursday", "Saturday"))
        facts = [
            ("Population", _number(people)), ("Founded", str(founded)), ("River", river), ("Mayor", mayor),
            ("Elevation", f"{height} m"), ("Known for", made),
        ]  # fmt: skip
        self.add(
            "Towns", name, "location_city", facts,
            f"{name} is a town on the river {river}.",
            f"It was founded in {founded} and lives from {made}. Its mayor is {mayor}.",
            f"The old town stands {height} metres above the sea. A market is held every {market}.",
        )  # fmt: skip

    def river(self, name: str) -> None:
        chance = self.chance
        length, peak, mouth = chance.randint(40, 980), chance.choice(self.peaks), chance.choice(self.towns)
        bridges = chance.randint(3, 60)
        facts = [("Length", f"{length} km"), ("Source", peak), ("Mouth", mouth), ("Bridges", str(bridges))]
        self.add(
            "Rivers", name, "water", facts,
            f"The {name} is a river that rises on {peak} and reaches the sea at {mouth}.",
            f"It is {length} kilometres long and crossed by {bridges} bridges.",
        )  # fmt: skip

    def peak(self, name: str) -> None:
        chance = self.chance
        height, year, climber = (
            chance.randint(900, 6400),
            chance.randint(1790, 1960),
            chance.choice(self.people),
        )
        facts = [("Height", f"{_number(height)} m"), ("First climbed", str(year)), ("First climber", climber)]
        self.add(
            "Mountains", name, "terrain", facts,
            f"{name} is a mountain of {_number(height)} metres.",
            f"{climber} was the first to reach its summit, in {year}.",
            f"A hut below the top has {chance.randint(8, 60)} beds.",
        )  # fmt: skip

    def person(self, name: str) -> None:
        chance = self.chance
        work, fame, icon = chance.choice(WORKS)
        born, place = chance.randint(1640, 1930), chance.choice(self.towns)
        died = born + chance.randint(41, 93)
        facts = [
            ("Born", str(born)),
            ("Died", str(died)),
            ("Birthplace", place),
            ("Occupation", work),
            ("Known for", fame),
        ]
        self.add(
            "People", name, icon, facts,
            f"{name} ({born}-{died}) was a {work} from {place}.",
            f"{name.split()[0]} is remembered for {fame}.",
            f"A street in {chance.choice(self.towns)} bears the name.",
        )  # fmt: skip

    def animal(self, name: str, icon: str) -> None:
        chance = self.chance
        weight, age, young = chance.randint(1, 48), chance.randint(3, 60), chance.randint(1, 9)
        habitat, food = chance.choice(HABITATS), chance.choice(FOODS)
        facts = [
            ("Weight", f"{weight} kg"), ("Lifespan", f"{age} years"), ("Habitat", habitat), ("Diet", food),
            ("Young", f"{young} a year"),
        ]  # fmt: skip
        self.add(
            "Animals", name, icon, facts,
            f"The {name.lower()} is an animal of the {habitat}.",
            f"It weighs up to {weight} kilograms, eats mostly {food} and lives for about {age} years.",
            f"About {_number(chance.randint(3, 90) * 100)} are left near {chance.choice(self.towns)}.",
        )  # fmt: skip


@lru_cache(maxsize=128)
def entries(world_seed: int) -> tuple[Article, ...]:
    """The encyclopaedia of a world."""
    writer = _Writer(world_seed)
    for name in writer.towns:
        writer.town(name)
    for name in writer.rivers:
        writer.river(name)
    for name in writer.peaks:
        writer.peak(name)
    for name in writer.people:
        writer.person(name)
    for name, icon in ANIMALS:
        writer.animal(name, icon)
    return tuple(writer.articles)


ALMANACK = magazine_site(
    Magazine(
        host=HOST,
        name="Almanack",
        icon="auto_stories",
        about="The free encyclopaedia of everywhere else.",
        search="Search the Almanack",
        kind="reference",
        hue=0.13,
        front="Featured articles",
        write=entries,
        cookies=CookieWords(
            "The Almanack sets one cookie to remember your text size.", "OK", "No cookie", "Why?"
        ),
    )
)
