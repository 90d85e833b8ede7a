"""What a shop sells: products with names, prices, ratings and options, drawn from a world seed."""

from __future__ import annotations

import random
from functools import lru_cache

import msgspec

from distrl.simphone.assortments import Kind, assortment
from distrl.simphone.chance import generator

COLOURS = (
    "Black", "White", "Grey", "Red", "Blue", "Navy", "Green", "Yellow", "Orange", "Purple", "Pink", "Brown",
    "Beige", "Teal",
)  # fmt: skip
BRANDS = (
    "Alder", "Birchway", "Corvane", "Dunmore", "Eastlight", "Fernley", "Gladstow", "Harrow & Pine", "Isolde",
    "Juniper", "Kestrel", "Lumora", "Marlowe", "Northfold", "Oakhurst", "Pellworth", "Quillon", "Ravenna",
    "Solway", "Thistle", "Umbra", "Varley", "Westmere", "Yarrow", "Zephra",
)  # fmt: skip
ADJECTIVES = (
    "Classic", "Everyday", "Premium", "Compact", "Lightweight", "Soft", "Sturdy", "Slim", "Original", "Urban",
    "Travel", "Cosy", "Modern", "Essential", "Bright", "Deluxe",
)  # fmt: skip
FLAVOURS = ("Farmhouse", "Orchard", "Simply", "Golden", "Village", "Finest", "Valley", "Sunny", "Traditional")
TITLE_STARTS = ("The Silent", "A Distant", "The Last", "Under the", "The Painted", "A Borrowed", "The Hidden")
TITLE_ENDS = (
    "Harbour", "Orchard", "Winter", "Letter", "Staircase", "River", "Harvest", "Island", "Lighthouse",
    "Clock",
)  # fmt: skip
LABELS = ("Bestseller", "New", "Eco")
GROCERY_LABELS = ("Organic", "Vegan", "Gluten-free", "Local")
AUTHORS = (
    "Ada Quennell", "Bruno Hartog", "Celia Marsh", "Dov Lindqvist", "Edith Amaro", "Finn Okoye", "Gita Rowe",
    "Hugo Peltier", "Irma Soto", "Jasper Vane", "Kirsi Holm", "Lionel Bratt",
)  # fmt: skip
SIBLING_CHANCE = 0.4
"""How often a product comes with another one of almost the same name."""


class Product(msgspec.Struct, frozen=True, cache_hash=True):
    """One product. `options` are a buyer's choices; prices in cents, ratings in tenths of a star.

    `extras` says what single choices cost more; `stock` how many are left (0: sold out).
    """

    id: int
    name: str
    brand: str
    category: str
    noun: str
    price_cents: int
    was_cents: int
    rating: int
    reviews: int
    options: tuple[tuple[str, tuple[str, ...]], ...]
    icon: str
    colour: str
    delivery_days: int
    stock: int = 40
    extras: tuple[tuple[str, int], ...] = ()
    labels: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    text: str = ""
    """What a search looks into, in small letters."""

    @property
    def in_stock(self) -> bool:
        """Whether it can be bought."""
        return self.stock > 0

    @property
    def price(self) -> str:
        """The price as a shop prints it."""
        return money(self.price_cents)

    @property
    def delivery(self) -> str:
        """How long it takes to arrive, in words."""
        return "Delivery in 1 day" if self.delivery_days == 1 else f"Delivery in {self.delivery_days} days"

    def price_with(self, choices: dict[str, str]) -> int:
        """The price in cents with these options chosen."""
        extras = dict(self.extras)
        return self.price_cents + sum(extras.get(word, 0) for word in choices.values())

    def picture(self, colour: str = "") -> str:
        """The key of its photo, in one of its colours."""
        return f"{self.icon}:{(colour or self.colour).lower()}:{self.id}"

    @property
    def description(self) -> str:
        """Two sentences of a product page."""
        return (
            f"The {self.name} is made by {self.brand} and comes with a two-year guarantee. "
            f"{self.delivery}, free returns within 30 days."
        )


def money(cents: int) -> str:
    """An amount of money as text."""
    return f"${cents // 100}.{cents % 100:02d}"


def search_text(product: Product) -> str:
    """The words by which a search finds a product, in small letters."""
    choices = " ".join(choice for _, values in product.options for choice in values)
    parts = (product.name, product.brand, product.noun, product.category, choices, *product.labels)
    return " ".join(parts).lower()


@lru_cache(maxsize=512)
def catalogue(world_seed: int, shop: str, count: int = 80) -> tuple[Product, ...]:
    """The products of a shop in a world; the same shop sells other things in another world."""
    chance = generator("catalogue", world_seed, shop)
    kinds = [(category, kind) for category, group in assortment(shop).items() for kind in group]
    products: list[Product] = []
    names: set[str] = set()
    turn = 0
    while len(products) < count:
        category, kind = kinds[turn % len(kinds)]
        brand, name = _name(chance, kind)
        if name in names:
            continue
        turn += 1
        product = _product(chance, category, kind, brand, name, 100 + len(products) * 7)
        products.append(product)
        names.add(name)
        twin = _twin(chance, kind, product) if chance.random() < SIBLING_CHANCE else None
        if twin is not None and twin.name not in names and len(products) < count:
            products.append(msgspec.structs.replace(twin, id=100 + len(products) * 7 + chance.randint(0, 6)))
            names.add(twin.name)
    chance.shuffle(products)
    return tuple(msgspec.structs.replace(item, text=search_text(item)) for item in products)


@lru_cache(maxsize=512)
def numbered(world_seed: int, shop: str) -> dict[int, Product]:
    """The products of a shop by their number."""
    return {item.id: item for item in catalogue(world_seed, shop)}


def _name(chance: random.Random, kind: Kind) -> tuple[str, str]:
    """A maker (or author) and the name of a product of theirs."""
    if kind.book:
        title = f"{chance.choice(TITLE_STARTS)} {chance.choice(TITLE_ENDS)}"
        return chance.choice(AUTHORS), title if kind.noun == "Novel" else f"{title}: A {kind.noun}"
    brand = chance.choice(BRANDS)
    name = f"{brand} {chance.choice(FLAVOURS if kind.food else ADJECTIVES)} {kind.noun}"
    return brand, f"{name} {chance.choice(kind.variants)}" if kind.variants else name


def _twin(chance: random.Random, kind: Kind, product: Product) -> Product | None:
    """Almost the same product: in another variant, or one by the same maker with a similar name."""
    if kind.variants:
        before = next(index for index, word in enumerate(kind.variants) if product.name.endswith(word))
        after = (before + 1) % len(kind.variants)
        stem = product.name.removesuffix(kind.variants[before])
        share = 100 + 45 * (after - before) if after > before else 60
        cents = max(59, product.price_cents * share // 100)
        name = stem + kind.variants[after]
    elif kind.book:
        name, cents = f"{product.name} (second edition)", product.price_cents + chance.randint(1, 6) * 100
    else:
        words = product.name.removesuffix(kind.noun).removeprefix(product.brand).strip()
        other = chance.choice([word for word in ADJECTIVES if word != words])
        name = f"{product.brand} {other} {kind.noun}"
        cents = max(99, product.price_cents * chance.randint(80, 125) // 100)
    rating = min(50, max(25, product.rating + chance.choice((-4, -2, -1, 1, 2, 3))))
    return msgspec.structs.replace(
        product,
        name=name,
        price_cents=cents,
        was_cents=0,
        rating=rating,
        reviews=chance.randint(3, 4200),
        delivery_days=chance.randint(1, 9),
        stock=_stock(chance),
    )


def _stock(chance: random.Random) -> int:
    draw = chance.random()
    return 0 if draw < 0.06 else chance.randint(1, 5) if draw < 0.2 else chance.randint(6, 90)


def _options(chance: random.Random, kind: Kind) -> tuple[tuple[str, tuple[str, ...]], ...]:
    options: list[tuple[str, tuple[str, ...]]] = []
    if kind.sizes:
        start = chance.randint(0, max(0, len(kind.sizes) - 4))
        options.append(("Size", kind.sizes[start : start + 4]))
    if kind.colours:
        options.append(("Colour", tuple(chance.sample(COLOURS, chance.randint(2, 4)))))
    if kind.option:
        options.append((kind.option, kind.choices))
    return tuple(options)


def _product(
    chance: random.Random, category: str, kind: Kind, brand: str, name: str, first_id: int
) -> Product:
    options = _options(chance, kind)
    colours = dict(options).get("Colour", ())
    cents = chance.randint(kind.low, kind.high) * 100 + chance.choice((0, 49, 90, 95, 99))
    was = cents * chance.randint(115, 160) // 100 if chance.random() < 0.25 else 0
    labels = GROCERY_LABELS if kind.food else LABELS
    return Product(
        id=first_id + chance.randint(0, 6),
        name=name,
        brand=brand,
        category=category,
        noun=kind.noun,
        price_cents=cents,
        was_cents=was,
        rating=chance.randint(28, 50),
        reviews=chance.randint(3, 4200),
        options=options,
        icon=kind.icon,
        colour=colours[0] if colours else "",
        delivery_days=chance.randint(1, 9),
        stock=_stock(chance),
        extras=tuple((word, kind.step * 100 * place) for place, word in enumerate(kind.choices) if place)
        if kind.step
        else (),
        labels=tuple(word for word in labels if chance.random() < 0.25),
        facts=tuple((fact, chance.choice(values)) for fact, values in kind.facts),
    )
