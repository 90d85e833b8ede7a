"""The content of the phone, drawn from a world seed: people and notes (products: see catalogue.py)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from distrl.simphone.catalogue import Product, catalogue
from distrl.simphone.chance import generator

FIRST_NAMES = (
    "Aisha", "Alba", "Anders", "Beatriz", "Bram", "Camille", "Chidi", "Clara", "Dario", "Elif", "Emil",
    "Esme", "Farah", "Felix", "Greta", "Hamid", "Hanna", "Ines", "Ivo", "Jonas", "Kaito", "Lena", "Leo",
    "Lucia", "Mara", "Marcus", "Mei", "Mina", "Nadia", "Nils", "Nora", "Omar", "Oscar", "Petra", "Priya",
    "Quentin", "Rosa", "Ruben", "Samir", "Selma", "Sofia", "Tariq", "Theo", "Uma", "Vera", "Viktor",
    "Wanda", "Yusuf", "Zoe",
)  # fmt: skip
LAST_NAMES = (
    "Abbott", "Almeida", "Bauer", "Berg", "Castillo", "Chen", "Dubois", "Eriksen", "Farrell", "Fischer",
    "Garcia", "Haddad", "Hughes", "Ibrahim", "Jansen", "Kaplan", "Kim", "Kowalski", "Larsen", "Lopez",
    "Marino", "Meyer", "Moreau", "Nakamura", "Novak", "Okafor", "Olsen", "Patel", "Quinn", "Rossi",
    "Santos", "Schmidt", "Silva", "Tanaka", "Thorne", "Ueda", "Varga", "Weber", "Yilmaz", "Zhang",
)  # fmt: skip
MAIL_HOSTS = ("postbox.example", "mailhive.example", "quickmail.example")
NOTES = (
    ("Groceries", "Milk, eggs, bread, tomatoes, olive oil"),
    ("Book list", "The quiet harbour\nA field guide to clouds\nSeven bridges"),
    ("Gift ideas", "Scarf for Mum, board game for the twins"),
    ("Wi-Fi at the cabin", "Network: PineRidge, password: 48-maple-12"),
    ("Packing", "Charger, rain jacket, toothbrush, headphones"),
    ("Recipe: lentil soup", "Onion, carrots, red lentils, cumin. Simmer for 25 minutes."),
    ("Meeting notes", "Ask about the budget. Next meeting on Thursday at ten."),
    ("Bike", "Replace the rear brake pads, size M"),
    ("Garden", "Water the basil, plant the bulbs in October"),
    ("Films to watch", "The lighthouse road, Paper kites"),
    ("Rent", "Transfer before the third of the month"),
    ("Birthday dates", "Nora: 12 June\nLeo: 3 September"),
)


class Person(msgspec.Struct, frozen=True):
    """Someone in the address book."""

    name: str
    phone: str
    email: str
    starred: bool


class World(msgspec.Struct, frozen=True):
    """What a fresh phone holds."""

    seed: int
    people: tuple[Person, ...]
    notes: tuple[tuple[str, str], ...]

    def products(self, shop: str) -> tuple[Product, ...]:
        """What a shop sells in this world."""
        return catalogue(self.seed, shop)


@lru_cache(maxsize=64)
def world(seed: int) -> World:
    """The world of a seed."""
    random = generator("world", seed)
    people: dict[str, Person] = {}
    while len(people) < 22:
        first, last = random.choice(FIRST_NAMES), random.choice(LAST_NAMES)
        name = f"{first} {last}"
        phone = f"+1 555 {random.randint(200, 999)} {random.randint(1000, 9999)}"
        email = f"{first}.{last}@{random.choice(MAIL_HOSTS)}".lower()
        people.setdefault(name, Person(name, phone, email, random.random() < 0.2))
    return World(seed, tuple(people.values()), tuple(random.sample(NOTES, 6)))
