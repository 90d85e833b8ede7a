"""What the browser remembers: tabs, history, bookmarks, and what was done in shops."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import Context
from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.article import Article
from distrl.simphone.catalogue import Product, numbered
from distrl.simphone.chance import generator
from distrl.simphone.radios import online
from distrl.simphone.world import World

LONGEST_HISTORY = 200
LONGEST_TRAIL = 12
MOST_TABS = 12
STREETS = ("Alder Lane", "Mill Road", "Station Street", "Harbour View", "Quarry Hill", "Orchard Row")
TOWNS = ("Brookvale", "Northmere", "Sandport", "Tarnwick")
OWNER = "Robin Ellery"


class Visit(msgspec.Struct, array_like=True):
    """A page that was opened."""

    url: str
    title: str


class Search(msgspec.Struct, array_like=True):
    """Words that were looked for on a site."""

    site: str
    query: str


class Tab(msgspec.Struct, array_like=True):
    """An open tab: the page in it, and those that BACK leads to while another tab is in front."""

    url: str = ""
    title: str = "New tab"
    trail: list[str] = []


class Home(msgspec.Struct, array_like=True):
    """An address that shops know: what the user calls it, and the address itself."""

    label: str
    text: str


class CartLine(msgspec.Struct):
    """Something in a shop's cart; `options` such as `Size=M;Colour=Red`."""

    id: int
    shop: str
    product_id: int
    name: str
    options: str
    quantity: int
    price_cents: int


class Order(msgspec.Struct):
    """Something bought."""

    id: int
    shop: str
    lines: list[CartLine]
    name: str
    address: str
    delivery: str
    payment: str
    total_cents: int
    coupon: str = ""


class Stocked(msgspec.Struct):
    """A product that a shop sells besides those of the world's catalogue."""

    shop: str
    product: Product


class BrowserData(msgspec.Struct):
    """All of it. `drafts` holds what was picked at a shop's checkout, `closed` the pop-ups sent away."""

    bookmarks: list[Visit]
    addresses: list[Home]
    history: list[Visit] = []
    searches: list[Search] = []
    tabs: list[Tab] = msgspec.field(default_factory=lambda: [Tab()])
    tab: int = 0
    cart: list[CartLine] = []
    orders: list[Order] = []
    saved: dict[str, list[int]] = {}
    stocked: list[Stocked] = []
    articles: list[Article] = []
    drafts: dict[str, dict[str, str]] = {}
    coupons: dict[str, str] = {}
    cookies: dict[str, str] = {}
    closed: list[str] = []
    newsletters: dict[str, str] = {}
    desktop: bool = False
    next_id: int = 1

    def take_id(self) -> int:
        """A number that was not used before."""
        self.next_id += 1
        return self.next_id - 1

    def cart_of(self, shop: str) -> list[CartLine]:
        """What lies in one shop's cart."""
        return [line for line in self.cart if line.shop == shop]

    def remember(self, url: str, title: str) -> None:
        """Write a visit into the history and into the tab in front."""
        self.history.append(Visit(url, title))
        del self.history[:-LONGEST_HISTORY]
        self.here.url, self.here.title = url, title

    @property
    def here(self) -> Tab:
        """The tab in front."""
        return self.tabs[min(self.tab, len(self.tabs) - 1)]


Ctx = Context[BrowserData]


def known_addresses(world: World) -> list[Home]:
    """Where the user of this world lives and works."""
    chance = generator("addresses", world.seed)
    streets = chance.sample(STREETS, 3)
    return [
        Home(label, f"{chance.randint(2, 98)} {street}, {chance.choice(TOWNS)}")
        for label, street in zip(("Home", "Work", "Parents"), streets, strict=True)
    ]


def travel(ctx: Ctx, address: Address, title: str, instead: bool = False) -> None:
    """Open a web page on top of this one (or instead of it) and remember the visit if it can be reached."""
    if online(ctx.state):
        ctx.data.remember(address.text, title)
    if instead:
        ctx.replace("web", url=address.text)
    else:
        ctx.go("web", url=address.text)


def products_of(data: BrowserData, world: World, shop: str) -> tuple[Product, ...]:
    """Everything that a shop sells: the world's catalogue and what the shell has put into stock."""
    stocked = tuple(item.product for item in data.stocked if item.shop == shop)
    return (*world.products(shop), *stocked) if stocked else world.products(shop)


def product_of(data: BrowserData, world: World, shop: str, number: int) -> Product | None:
    """One product of a shop; what the shell has put into stock goes before the catalogue."""
    for item in data.stocked:
        if item.shop == shop and item.product.id == number:
            return item.product
    return numbered(world.seed, shop).get(number)
