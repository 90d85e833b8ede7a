"""The shops as an expert works them: searching, sorting, choosing and paying differ from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from distrl.interfaces import PlanStep
from distrl.tasks.templates import commit, open_app, press, switch, tap, write


@dataclass(frozen=True)
class Shop:
    """One shop: where it is, what it is planted with, and the words and ways of its pages."""

    name: str
    host: str
    kinds: Mapping[str, str]  # what it is planted with → what that is, in other words
    add: str
    cart: str
    checkout: str
    order: str
    orders: Mapping[str, str]  # cheapest, dearest, rating → the shop's word for it
    deliveries: Mapping[str, str]  # the shop's word → what people say
    payments: Mapping[str, str]
    find: tuple[PlanStep, ...] = ()  # before the search field is in sight
    sort: tuple[PlanStep, ...] = ()  # before the orders are in sight
    sorted: tuple[PlanStep, ...] = ()  # after one was chosen
    options: str = "chips"  # or dropdown, swatches, sheet
    quantity: str = "stepper"  # or dropdown, cart
    typed_address: bool = False
    next: tuple[str, ...] = ()  # the buttons between the pages of the checkout, see `pay`

    def enter(self) -> tuple[PlanStep, ...]:
        """From anywhere to the shop's first page."""
        return (open_app("Browser"), tap(self.name))

    def search(self, words: str) -> tuple[PlanStep, ...]:
        """From anywhere to what the shop has of something."""
        return (*self.enter(), *self.look_for(words))

    def look_for(self, words: str) -> tuple[PlanStep, ...]:
        """From the shop's first page to what it has of something."""
        return (*self.find, write(words, "#q"), press("enter"))

    def sort_by(self, order: str) -> tuple[PlanStep, ...]:
        """Order the results."""
        return (*self.sort, tap(self.orders[order]), *self.sorted)

    def choose(self, options: Mapping[str, str]) -> tuple[PlanStep, ...]:
        """Choose the options of a product on its page; a sheet is left open for `put`."""
        if self.options == "dropdown":
            return tuple(
                step
                for name, value in options.items()
                for step in (tap(f"Select {name.lower()}"), commit(value))
            )
        if self.options == "swatches":
            return tuple(
                switch(f"#colour_{value.lower()}" if name == "Colour" else value, True)
                for name, value in options.items()
            )
        opening = (tap("Choose options"),) if self.options == "sheet" else ()
        return (*opening, *(switch(value, True) for value in options.values()))

    def put(self, options: Mapping[str, str], count: int = 1) -> tuple[PlanStep, ...]:
        """On the page of a product: choose options and how many, and put it into the cart."""
        chosen = self.choose(options) if options else ()
        many: tuple[PlanStep, ...] = (commit("#more"),) * (count - 1)
        if self.quantity == "cart":
            return (*chosen, commit(self.add), *((tap(self.cart), *many) if many else ()))
        if self.quantity == "dropdown" and count > 1:
            many = (tap("Qty"), commit(str(count)))
        return (*many, *chosen, commit(self.add))

    def pay(self, address: tuple[PlanStep, ...], delivery: str, payment: str) -> tuple[PlanStep, ...]:
        """From the cart to the end of the order."""
        pages = [address, (switch(delivery, True),), (switch(payment, True),)]
        turns = ((),) * (2 - len(self.next)) + tuple((tap(word),) for word in self.next)
        steps = (*pages[0], *turns[0], *pages[1], *turns[1], *pages[2])
        return (tap(self.checkout), *steps, commit(self.order))


LARKSPUR = Shop(
    name="Larkspur Market",
    host="larkspur.market",
    kinds={
        "Kettle": "something to boil water in",
        "Lantern": "something that gives light outdoors",
        "Guitar": "an instrument with six strings",
        "Telescope": "something to watch the stars with",
        "Umbrella": "something against the rain",
        "Hammock": "something to lie in between two trees",
        "Blender": "something that makes smoothies",
        "Skateboard": "a plank on four wheels",
    },
    add="Add to cart",
    cart="#cart",
    checkout="Checkout",
    order="Place order",
    orders={"cheapest": "Price: low to high", "dearest": "Price: high to low", "rating": "Customer rating"},
    deliveries={"Standard": "at no extra cost", "Express": "the quick way, whatever it costs"},
    payments={
        "Card": "with plastic",
        "Bank transfer": "from my account",
        "Cash on delivery": "in notes and coins at the door",
    },
    sort=(tap("~Sort:"),),
    typed_address=True,
)
VOLTAIC = Shop(
    name="Voltaic",
    host="voltaic.store",
    kinds={
        "Projector": "something that throws films on a wall",
        "Drone": "something that flies with a camera",
        "Turntable": "something for vinyl records",
        "Scanner": "something that turns paper into files",
        "Dashcam": "a camera for the car",
        "Metronome": "something that ticks for musicians",
        "Gamepad": "something to hold while gaming",
        "Thermostat": "something that keeps a room at one temperature",
    },
    add="Add to basket",
    cart="Basket",
    checkout="Proceed to delivery",
    order="Pay now",
    orders={"cheapest": "Cheapest", "dearest": "Priciest", "rating": "Rated"},
    deliveries={
        "Parcel locker": "to a box where I pick it up",
        "Courier": "by a rider at the ordinary pace",
        "Same-day courier": "so that I have it before midnight",
    },
    payments={
        "Credit card": "with the plastic from my bank",
        "Instalments": "bit by bit",
        "Gift card": "with what I got as a present",
    },
    find=(tap("#search_icon"),),
    options="dropdown",
    quantity="dropdown",
    next=("Continue to payment",),
)
THIMBLE = Shop(
    name="Thimble & Thread", host="thimble.clothing",
    kinds={
        "Poncho": "something to throw over in the wind", "Kimono": "a Japanese robe",
        "Waistcoat": "something to wear between shirt and jacket", "Dungarees": "trousers with a bib",
        "Sarong": "a cloth to wrap around at the beach", "Pyjamas": "something to sleep in",
        "Bathrobe": "something to wear after a shower", "Corset": "something tightly laced",
    },
    add="Put in bag", cart="#cart", checkout="Go to checkout", order="Complete purchase",
    orders={"cheapest": "Lowest price first", "dearest": "Highest price first", "rating": "Best reviewed"},
    deliveries={
        "Post": "by ordinary mail", "Pick up in store": "so that I fetch it at the branch",
        "Next day": "so that it is here tomorrow",
    },
    payments={"Card": "with plastic", "Invoice": "later, against a bill"},
    sort=(tap("~Order:"),), options="swatches", quantity="cart",
)  # fmt: skip
HEARTHSIDE = Shop(
    name="Hearthside", host="hearthside.home",
    kinds={
        "Teapot": "something to brew leaves in", "Hatstand": "something to hang hats on",
        "Hourglass": "something with sand that tells time", "Birdcage": "a home for a parrot",
        "Trivet": "something to put hot pans on", "Chandelier": "a lamp that hangs from the ceiling",
        "Tapestry": "a woven picture for the wall", "Footstool": "something to rest one's feet on",
    },
    add="Order", cart="#cart_bar", checkout="To the till", order="Confirm and pay",
    orders={"cheapest": "Least expensive", "dearest": "Most expensive", "rating": "Highest rated"},
    deliveries={
        "Kerbside": "set down in the street", "To the room": "carried up into my flat",
        "Collect yourself": "so that I fetch it with my van",
    },
    payments={"Bank transfer": "from my account", "Card": "with plastic"},
    sort=(tap("Sort & filter"),), sorted=(tap("~Apply"),), options="sheet", next=("Next: payment",),
)  # fmt: skip
PAGETURNER = Shop(
    name="Pageturner", host="pageturner.books",
    kinds={
        "Atlas": "a volume full of maps", "Songbook": "a volume of tunes with words",
        "Encyclopaedia": "a volume that explains everything", "Sketchbook": "empty pages to draw on",
        "Globe": "a model of the earth", "Bookmark": "something that marks a page",
        "Typewriter": "an old machine to write letters with", "Crossword": "a puzzle made of words",
    },
    add="Buy", cart="Book bag", checkout="Check out", order="Buy for good",
    orders={"cheapest": "Price up", "dearest": "Price down", "rating": "Readers' rating"},
    deliveries={"Letter": "in a plain envelope", "Tracked parcel": "so that I can follow where it is"},
    payments={"Card": "with plastic", "Book token": "with the present from my aunt"},
    find=(tap("Search"),), typed_address=True, next=("To payment",),
)  # fmt: skip
FENNEL = Shop(
    name="Fresh Fennel", host="fennel.grocery",
    kinds={
        "Marmalade": "a spread made of oranges", "Dumplings": "small filled pockets of dough",
        "Hummus": "a dip of chickpeas", "Pickles": "sour cucumbers", "Ravioli": "filled noodles from Italy",
        "Granola": "crunchy oats for breakfast", "Pesto": "green sauce for noodles",
        "Sauerkraut": "sour cabbage",
    },
    add="Add to trolley", cart="#cart_bar", checkout="Choose a delivery time", order="Send order",
    orders={"cheapest": "Price, lowest", "dearest": "Price, highest", "rating": "Rating"},
    deliveries={
        "Today 18-20": "this evening", "Tomorrow 8-10": "tomorrow at breakfast",
        "Tomorrow 18-20": "tomorrow after work",
    },
    payments={"Card": "with plastic", "Cash at the door": "in notes and coins"},
    sort=(tap("~Sorted by:"),),
)  # fmt: skip
RIDGELINE = Shop(
    name="Ridgeline Outdoor",
    host="ridgeline.outdoor",
    kinds={
        "Kayak": "a narrow boat to paddle",
        "Snorkel": "a tube to breathe under water",
        "Compass": "something that points north",
        "Binoculars": "something to watch birds with",
        "Sledge": "something to slide down snow on",
        "Paddleboard": "a board to stand on in water",
        "Crampons": "spikes for icy slopes",
        "Carabiner": "a metal hook for ropes",
    },
    add="Pack it",
    cart="#cart_word",
    checkout="Head to checkout",
    order="Send it",
    orders={"cheapest": "Low $", "dearest": "High $", "rating": "Stars"},
    deliveries={
        "Trail mail": "at no extra cost",
        "Fast lane": "the quick way",
        "Hut pick-up": "so that I fetch it at the cabin",
    },
    payments={"Card": "with plastic", "Club account": "through my membership"},
    find=(tap("#search_icon"),),
    options="dropdown",
    typed_address=True,
    next=("Onwards", "Onwards"),
)

KNOWN = (LARKSPUR, VOLTAIC, THIMBLE, HEARTHSIDE, PAGETURNER, FENNEL)
"""The shops of training."""
NEW = (RIDGELINE,)
"""The shop of the split `test_app`."""
