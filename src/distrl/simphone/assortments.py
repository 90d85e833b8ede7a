"""What kinds of things each shop sells: the words, prices and choices that catalogue.py draws from."""

from __future__ import annotations

import msgspec

SIZES = ("XS", "S", "M", "L", "XL")
SHOE_SIZES = ("37", "38", "39", "40", "41", "42", "43", "44")
STORAGE = ("64 GB", "128 GB", "256 GB")
FORMATS = ("E-book", "Paperback", "Hardcover")


class Kind(msgspec.Struct, frozen=True):
    """A kind of product: what it is called, its icon, its price range in whole units, its options.

    `step` is what each further choice of `option` costs more. Products that differ only in one of the
    `variants` (a part of the name) are sold side by side. `facts` are lines of the product page.
    """

    noun: str
    icon: str
    low: int
    high: int
    sizes: tuple[str, ...] = ()
    colours: bool = False
    option: str = ""
    choices: tuple[str, ...] = ()
    step: int = 0
    variants: tuple[str, ...] = ()
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    book: bool = False
    food: bool = False


Assortment = dict[str, tuple[Kind, ...]]
"""The kinds of things in each department."""

FABRIC = (
    ("Material", ("Cotton", "Linen", "Wool", "Recycled polyester")),
    ("Care", ("30 °C", "40 °C", "Hand wash")),
)
BATTERY = (
    ("Battery life", ("8 hours", "14 hours", "20 hours", "30 hours")),
    ("Weight", ("180 g", "240 g", "310 g")),
)
WOOD = (("Material", ("Oak", "Beech", "Steel", "Glass")), ("Width", ("40 cm", "60 cm", "80 cm", "120 cm")))
GEAR = (("Weight", ("320 g", "540 g", "900 g", "1.4 kg")), ("Guarantee", ("1 year", "2 years", "5 years")))
PAGES = (
    ("Pages", ("144", "212", "288", "356", "420")),
    ("Published", ("2011", "2016", "2019", "2021", "2023")),
)
PRODUCE = (
    ("Origin", ("Brookvale", "Northmere", "Sandport", "Tarnwick")),
    ("Keeps for", ("3 days", "1 week", "2 months")),
)

GENERAL: Assortment = {
    "Clothing": (
        Kind("T-Shirt", "checkroom", 9, 30, SIZES, True, facts=FABRIC),
        Kind("Hoodie", "checkroom", 25, 70, SIZES, True, facts=FABRIC),
        Kind("Rain Jacket", "water_drop", 45, 140, SIZES, True, facts=FABRIC),
        Kind("Wool Scarf", "dry_cleaning", 12, 40, (), True, facts=FABRIC),
        Kind("Baseball Cap", "sports_baseball", 9, 28, (), True),
    ),
    "Shoes": (
        Kind("Running Shoes", "directions_run", 40, 150, SHOE_SIZES, True),
        Kind("Hiking Boots", "hiking", 60, 190, SHOE_SIZES, True),
        Kind("Sandals", "beach_access", 15, 60, SHOE_SIZES, True),
        Kind("Slippers", "ac_unit", 10, 35, SHOE_SIZES, True),
    ),
    "Electronics": (
        Kind("Headphones", "headphones", 20, 240, (), True, facts=BATTERY),
        Kind("Bluetooth Speaker", "speaker", 18, 130, (), True, facts=BATTERY),
        Kind("Phone Charger", "power", 8, 40, (), False, "Power", ("20 W", "45 W", "65 W")),
        Kind("USB Cable", "cable", 4, 20, (), False, "Length", ("1 m", "2 m", "3 m")),
        Kind("Keyboard", "keyboard", 20, 130, (), True),
        Kind("Smart Watch", "watch", 60, 320, (), True, facts=BATTERY),
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
        Kind("Tennis Racket", "sports_tennis", 25, 160, facts=GEAR),
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
}  # fmt: skip

ELECTRONICS: Assortment = {
    "Phones": (
        Kind("Smartphone", "smartphone", 190, 820, (), True, "Storage", STORAGE, 60,
             ("Mini", "Plus"), BATTERY),
        Kind("Phone Case", "phone_android", 8, 35, (), True),
        Kind("Power Bank", "battery_charging_full", 15, 70, (), True,
             variants=("5000 mAh", "10000 mAh", "20000 mAh")),
    ),
    "Computers": (
        Kind("Tablet", "tablet", 140, 620, (), True, "Storage", STORAGE, 45, (), BATTERY),
        Kind("Laptop", "laptop", 420, 1400, (), False, "Memory", ("8 GB", "16 GB", "32 GB"), 110,
             ("13", "15"), BATTERY),
        Kind("Monitor", "monitor", 110, 480, (), False, "", (), 0, ("24 inch", "27 inch", "32 inch")),
        Kind("Mouse", "mouse", 9, 75, (), True),
        Kind("Keyboard", "keyboard", 18, 140, (), True, "Layout", ("US", "UK", "German")),
        Kind("Webcam", "videocam", 22, 120),
    ),
    "Audio": (
        Kind("Earbuds", "earbuds", 18, 190, (), True, "", (), 0, ("Lite", "Pro"), BATTERY),
        Kind("Headphones", "headphones", 25, 280, (), True, "", (), 0, ("Lite", "Pro"), BATTERY),
        Kind("Bluetooth Speaker", "speaker", 18, 150, (), True, "", (), 0, (), BATTERY),
        Kind("Microphone", "mic", 28, 160),
    ),
    "Accessories": (
        Kind("USB Cable", "cable", 4, 22, (), False, "", (), 0, ("1 m", "2 m", "3 m")),
        Kind("Memory Card", "sd_card", 9, 80, (), False, "", (), 0, STORAGE),
        Kind("Wall Charger", "power", 9, 55, (), True, "Power", ("20 W", "45 W", "65 W"), 9),
        Kind("Router", "router", 40, 190),
        Kind("Smart Watch", "watch", 60, 330, (), True, "Strap", ("Short", "Long"), 0, (), BATTERY),
    ),
}  # fmt: skip

CLOTHES: Assortment = {
    "Women": (
        Kind("Dress", "dry_cleaning", 28, 120, SIZES, True, facts=FABRIC),
        Kind("Blouse", "checkroom", 18, 70, SIZES, True, facts=FABRIC),
        Kind("Skirt", "dry_cleaning", 20, 80, SIZES, True, facts=FABRIC),
        Kind("Cardigan", "checkroom", 28, 95, SIZES, True, facts=FABRIC),
    ),
    "Men": (
        Kind("Shirt", "checkroom", 18, 75, SIZES, True, facts=FABRIC),
        Kind("Chinos", "dry_cleaning", 28, 85, SIZES, True, facts=FABRIC),
        Kind("Jumper", "checkroom", 26, 95, SIZES, True, facts=FABRIC),
        Kind("Polo Shirt", "checkroom", 16, 55, SIZES, True, facts=FABRIC),
    ),
    "Outerwear": (
        Kind("Parka", "ac_unit", 70, 230, SIZES, True, facts=FABRIC),
        Kind("Raincoat", "water_drop", 45, 150, SIZES, True, facts=FABRIC),
        Kind("Denim Jacket", "checkroom", 40, 120, SIZES, True, facts=FABRIC),
    ),
    "Shoes": (
        Kind("Trainers", "directions_run", 35, 140, SHOE_SIZES, True),
        Kind("Ankle Boots", "hiking", 50, 170, SHOE_SIZES, True),
        Kind("Loafers", "airline_seat_legroom_normal", 40, 120, SHOE_SIZES, True),
    ),
    "Accessories": (
        Kind("Belt", "radio_button_unchecked", 10, 45, ("80 cm", "90 cm", "100 cm"), True),
        Kind("Beanie", "face", 8, 30, (), True),
        Kind("Gloves", "back_hand", 10, 40, ("S", "M", "L"), True),
        Kind("Socks", "airline_seat_legroom_extra", 5, 20, ("35-38", "39-42", "43-46"), True,
             variants=("2 pairs", "5 pairs")),
    ),
}  # fmt: skip

HOME: Assortment = {
    "Kitchen": (
        Kind("Saucepan", "soup_kitchen", 16, 90, (), False, "", (), 0, ("16 cm", "20 cm", "24 cm")),
        Kind("Chopping Board", "table_rows", 9, 45, (), False, "Wood", ("Oak", "Beech", "Bamboo")),
        Kind("Dinner Plate Set", "restaurant", 18, 90, (), True, variants=("4 pieces", "6 pieces")),
        Kind("Kitchen Knife", "restaurant", 9, 70, facts=(("Blade", ("12 cm", "16 cm", "20 cm")),)),
        Kind("Storage Jar", "kitchen", 4, 20, (), False, "", (), 0, ("0.5 L", "1 L", "2 L")),
    ),
    "Bedroom": (
        Kind("Duvet Cover", "bed", 20, 95, ("Single", "Double", "King"), True),
        Kind("Pillow", "bed", 10, 60, (), False, "Firmness", ("Soft", "Medium", "Firm")),
        Kind("Bedside Table", "table_bar", 35, 160, (), True, facts=WOOD),
        Kind("Alarm Clock", "alarm", 10, 50, (), True),
    ),
    "Living": (
        Kind("Cushion", "weekend", 8, 35, (), True),
        Kind("Floor Lamp", "light", 35, 170, (), True, facts=WOOD),
        Kind("Bookcase", "view_module", 50, 260, (), True, "", (), 0, ("narrow", "wide"), WOOD),
        Kind("Rug", "texture", 25, 190, ("120 x 80", "160 x 120", "230 x 160"), True),
        Kind("Armchair", "chair", 110, 460, (), True, facts=WOOD),
    ),
    "Garden": (
        Kind("Plant Pot", "yard", 6, 40, (), True, "", (), 0, ("small", "large")),
        Kind("Watering Can", "water_drop", 9, 40, (), True),
        Kind("Garden Chair", "deck", 25, 120, (), True, facts=WOOD),
        Kind("Bird Feeder", "flutter_dash", 9, 35),
    ),
}  # fmt: skip

BOOKS: Assortment = {
    "Fiction": (
        Kind("Novel", "auto_stories", 8, 24, (), False, "Format", FORMATS, 4, (), PAGES, True),
        Kind("Story Collection", "menu_book", 9, 22, (), False, "Format", FORMATS, 4, (), PAGES, True),
    ),
    "Crime": (
        Kind("Mystery", "search", 7, 20, (), False, "Format", FORMATS, 4, (), PAGES, True),
        Kind("Thriller", "bolt", 8, 22, (), False, "Format", FORMATS, 4, (), PAGES, True),
    ),
    "Travel": (Kind("Travel Guide", "map", 10, 28, (), False, "Format", FORMATS, 3, (), PAGES, True),),
    "Cooking": (Kind("Cookbook", "restaurant", 12, 38, (), False, "Format", FORMATS, 5, (), PAGES, True),),
    "Children": (
        Kind("Picture Book", "child_care", 6, 18, (), False, "Format", FORMATS, 3, (), PAGES, True),
    ),
    "Stationery": (
        Kind("Notebook", "book", 3, 16, (), True, variants=("A5", "A4")),
        Kind("Fountain Pen", "edit", 8, 60, (), True),
        Kind("Desk Calendar", "event", 6, 20),
    ),
}  # fmt: skip

GROCERIES: Assortment = {
    "Fruit & veg": (
        Kind("Apples", "spa", 2, 5, variants=("500 g", "1 kg", "2 kg"), facts=PRODUCE, food=True),
        Kind("Bananas", "eco", 1, 4, variants=("5 pack", "8 pack"), facts=PRODUCE, food=True),
        Kind("Tomatoes", "local_florist", 2, 5, variants=("250 g", "500 g"), facts=PRODUCE, food=True),
        Kind("Potatoes", "grass", 2, 6, variants=("1 kg", "2.5 kg"), facts=PRODUCE, food=True),
        Kind("Spinach", "grass", 1, 4, facts=PRODUCE, food=True),
    ),
    "Dairy": (
        Kind("Milk", "local_drink", 1, 3, variants=("500 ml", "1 L", "2 L"), facts=PRODUCE, food=True),
        Kind("Yogurt", "icecream", 1, 4, variants=("150 g", "500 g"), facts=PRODUCE, food=True),
        Kind("Cheddar", "lunch_dining", 3, 8, variants=("200 g", "400 g"), facts=PRODUCE, food=True),
        Kind("Butter", "breakfast_dining", 2, 5, variants=("salted", "unsalted"), facts=PRODUCE, food=True),
    ),
    "Bakery": (
        Kind("Bread", "bakery_dining", 2, 6, variants=("400 g", "800 g"), facts=PRODUCE, food=True),
        Kind("Croissants", "bakery_dining", 2, 6, variants=("2 pack", "6 pack"), facts=PRODUCE, food=True),
    ),
    "Pantry": (
        Kind("Pasta", "ramen_dining", 1, 4, variants=("500 g", "1 kg"), facts=PRODUCE, food=True),
        Kind("Rice", "rice_bowl", 2, 6, variants=("500 g", "1 kg"), facts=PRODUCE, food=True),
        Kind("Olive Oil", "opacity", 4, 14, variants=("500 ml", "750 ml"), facts=PRODUCE, food=True),
        Kind("Ground Coffee", "coffee", 4, 12, variants=("250 g", "500 g"), facts=PRODUCE, food=True),
        Kind("Honey", "hive", 3, 9, facts=PRODUCE, food=True),
    ),
    "Drinks": (
        Kind("Orange Juice", "local_bar", 2, 5, variants=("1 L", "1.5 L"), facts=PRODUCE, food=True),
        Kind("Sparkling Water", "water_drop", 1, 5, variants=("1 L", "6 x 1 L"), facts=PRODUCE, food=True),
        Kind("Green Tea", "emoji_food_beverage", 2, 7, variants=("20 bags", "50 bags"), facts=PRODUCE,
             food=True),
    ),
}  # fmt: skip

OUTDOOR: Assortment = {
    "Camping": (
        Kind("Tent", "holiday_village", 60, 320, (), True, "", (), 0, ("2 person", "4 person"), GEAR),
        Kind("Sleeping Bag", "bed", 30, 180, ("Regular", "Long"), True, facts=GEAR),
        Kind("Camping Stove", "outdoor_grill", 20, 95, facts=GEAR),
        Kind("Head Torch", "flashlight_on", 12, 70, (), True, facts=BATTERY),
    ),
    "Hiking": (
        Kind("Hiking Boots", "hiking", 60, 210, SHOE_SIZES, True, facts=GEAR),
        Kind("Trekking Poles", "nordic_walking", 20, 110, (), True, facts=GEAR),
        Kind("Fleece", "checkroom", 28, 110, SIZES, True),
        Kind("Daypack", "luggage", 25, 120, (), True, "", (), 0, ("18 L", "28 L"), GEAR),
    ),
    "Cycling": (
        Kind("Bike Helmet", "pedal_bike", 22, 120, ("S", "M", "L"), True, facts=GEAR),
        Kind("Bike Lock", "lock", 12, 80, (), True, facts=GEAR),
        Kind("Bike Light", "highlight", 9, 60, (), False, "", (), 0, ("front", "rear")),
    ),
    "Fitness": (
        Kind("Yoga Mat", "self_improvement", 12, 65, (), True, "Thickness", ("4 mm", "6 mm"), 5),
        Kind("Dumbbells", "fitness_center", 14, 90, (), False, "", (), 0, ("2 kg", "5 kg", "10 kg")),
        Kind("Skipping Rope", "sports_gymnastics", 5, 25, (), True),
        Kind("Swimming Goggles", "pool", 8, 40, (), True),
    ),
}  # fmt: skip

ASSORTMENTS: dict[str, Assortment] = {
    "larkspur.market": GENERAL,
    "voltaic.store": ELECTRONICS,
    "thimble.clothing": CLOTHES,
    "hearthside.home": HOME,
    "pageturner.books": BOOKS,
    "fennel.grocery": GROCERIES,
    "ridgeline.outdoor": OUTDOOR,
}


def assortment(shop: str) -> Assortment:
    """What a shop sells; a shop that is not listed sells a bit of everything."""
    return ASSORTMENTS.get(shop, GENERAL)


def kind_of(shop: str, name: str) -> tuple[str, Kind] | None:
    """The department and kind of a product by its name, if it is a kind that the shop sells."""
    for category, kinds in assortment(shop).items():
        for kind in kinds:
            if kind.noun.lower() in name.lower():
                return category, kind
    return None
