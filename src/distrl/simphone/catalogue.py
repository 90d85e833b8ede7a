"""What a shop sells: products with names, prices, ratings and options, drawn from a world seed."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from distrl.simphone.chance import generator

SIZES = ("XS", "S", "M", "L", "XL")
SHOE_SIZES = ("37", "38", "39", "40", "41", "42", "43", "44")
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


class Kind(msgspec.Struct, frozen=True):
    """A kind of product: what it is called, its icon, its price range in whole units, its options."""

    noun: str
    icon: str
    low: int
    high: int
    sizes: tuple[str, ...] = ()
    colours: bool = False
    option: str = ""
    choices: tuple[str, ...] = ()


CATEGORIES: dict[str, tuple[Kind, ...]] = {
    "Clothing": (
        Kind("T-Shirt", "checkroom", 9, 30, SIZES, True),
        Kind("Hoodie", "checkroom", 25, 70, SIZES, True),
        Kind("Rain Jacket", "umbrella", 45, 140, SIZES, True),
        Kind("Wool Scarf", "dry_cleaning", 12, 40, (), True),
        Kind("Baseball Cap", "sports_baseball", 9, 28, (), True),
    ),
    "Shoes": (
        Kind("Running Shoes", "directions_run", 40, 150, SHOE_SIZES, True),
        Kind("Hiking Boots", "hiking", 60, 190, SHOE_SIZES, True),
        Kind("Sandals", "beach_access", 15, 60, SHOE_SIZES, True),
        Kind("Slippers", "ac_unit", 10, 35, SHOE_SIZES, True),
    ),
    "Electronics": (
        Kind("Headphones", "headphones", 20, 240, (), True),
        Kind("Bluetooth Speaker", "speaker", 18, 130, (), True),
        Kind("Phone Charger", "power", 8, 40, (), False, "Power", ("20 W", "45 W", "65 W")),
        Kind("USB Cable", "cable", 4, 20, (), False, "Length", ("1 m", "2 m", "3 m")),
        Kind("Keyboard", "keyboard", 20, 130, (), True),
        Kind("Smart Watch", "watch", 60, 320, (), True),
        Kind("Desk Lamp", "lightbulb", 15, 80, (), True),
    ),
    "Home": (
        Kind("Coffee Mug", "local_cafe", 5, 22, (), True),
        Kind("Frying Pan", "outdoor_grill", 16, 80, (), False, "Diameter", ("20 cm", "24 cm", "28 cm")),
        Kind("Pillow", "bed", 10, 55, (), False, "Firmness", ("Soft", "Medium", "Firm")),
        Kind("Bath Towel", "bathtub", 8, 40, (), True),
        Kind("Wall Clock", "schedule", 12, 60, (), True),
        Kind("Plant Pot", "yard", 6, 35, (), True),
    ),
    "Sports": (
        Kind("Yoga Mat", "self_improvement", 12, 60, (), True),
        Kind("Water Bottle", "water_drop", 7, 35, (), True),
        Kind("Football", "sports_soccer", 10, 45),
        Kind("Tennis Racket", "sports_tennis", 25, 160),
        Kind("Bike Helmet", "pedal_bike", 22, 110, ("S", "M", "L"), True),
        Kind("Dumbbell", "fitness_center", 9, 60, (), False, "Weight", ("2 kg", "5 kg", "10 kg")),
    ),
    "Books": (
        Kind("Cookbook", "menu_book", 10, 35, (), False, "Format", ("Paperback", "Hardcover")),
        Kind("Mystery Novel", "auto_stories", 6, 22, (), False, "Format", ("Paperback", "Hardcover")),
        Kind("Travel Guide", "map", 9, 28, (), False, "Format", ("Paperback", "E-book")),
        Kind("Notebook", "book", 3, 16, (), True),
    ),
    "Toys": (
        Kind("Building Blocks", "extension", 12, 80),
        Kind("Puzzle", "dashboard", 8, 30, (), False, "Pieces", ("100", "500", "1000")),
        Kind("Toy Car", "toys", 5, 25, (), True),
        Kind("Teddy Bear", "cruelty_free", 10, 40, (), True),
        Kind("Board Game", "casino", 14, 60),
    ),
    "Beauty": (
        Kind("Hand Cream", "spa", 4, 22, (), False, "Scent", ("Lavender", "Rose", "Unscented")),
        Kind("Shampoo", "shower", 4, 18, (), False, "Volume", ("250 ml", "400 ml")),
        Kind("Hair Dryer", "air", 18, 90, (), True),
        Kind("Soap Set", "soap", 5, 24),
    ),
}


class Product(msgspec.Struct, frozen=True):
    """One product. `options` are a buyer's choices; prices in cents, ratings in tenths of a star."""

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
    in_stock: bool

    @property
    def price(self) -> str:
        """The price as a shop prints it."""
        return money(self.price_cents)

    @property
    def delivery(self) -> str:
        """How long it takes to arrive, in words."""
        return "Delivery in 1 day" if self.delivery_days == 1 else f"Delivery in {self.delivery_days} days"

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


@lru_cache(maxsize=64)
def catalogue(world_seed: int, shop: str, count: int = 80) -> tuple[Product, ...]:
    """The products of a shop in a world; the same shop sells other things in another world."""
    random = generator("catalogue", world_seed, shop)
    kinds = [(category, kind) for category, group in CATEGORIES.items() for kind in group]
    products: list[Product] = []
    names: set[str] = set()
    while len(products) < count:
        category, kind = kinds[len(products) % len(kinds)]
        brand = random.choice(BRANDS)
        name = f"{brand} {random.choice(ADJECTIVES)} {kind.noun}"
        if name in names:
            continue
        names.add(name)
        colours = tuple(random.sample(COLOURS, random.randint(2, 4))) if kind.colours else ()
        options: list[tuple[str, tuple[str, ...]]] = []
        if kind.sizes:
            start = random.randint(0, max(0, len(kind.sizes) - 4))
            options.append(("Size", kind.sizes[start : start + 4]))
        if colours:
            options.append(("Colour", colours))
        if kind.option:
            options.append((kind.option, kind.choices))
        cents = random.randint(kind.low, kind.high) * 100 + random.choice((0, 49, 90, 95, 99))
        was = cents * random.randint(115, 160) // 100 if random.random() < 0.25 else 0
        products.append(
            Product(
                id=100 + len(products) * 7 + random.randint(0, 6),
                name=name,
                brand=brand,
                category=category,
                noun=kind.noun,
                price_cents=cents,
                was_cents=was,
                rating=random.randint(28, 50),
                reviews=random.randint(3, 4200),
                options=tuple(options),
                icon=kind.icon,
                colour=colours[0] if colours else "",
                delivery_days=random.randint(1, 9),
                in_stock=random.random() > 0.06,
            )
        )
    random.shuffle(products)
    return tuple(products)
