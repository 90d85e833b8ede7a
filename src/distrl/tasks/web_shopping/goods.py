"""What is planted into the shops: each maker's product of each kind has its own number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from distrl.records import Condition
from distrl.tasks.templates import Draw, bind, where
from distrl.tasks.web_shopping.shops import FENNEL, KNOWN, NEW, Shop

BROWSER = "content://com.simphone.browser"
PRODUCTS, CART, SAVED = f"{BROWSER}/products", f"{BROWSER}/cart", f"{BROWSER}/saved"
ORDERS, ADDRESSES = f"{BROWSER}/orders", f"{BROWSER}/addresses"
ADDRESS_BAR = 'resource-id="com.simphone.browser:id/url_bar"'
# What stands in the address bar: the history would not tell that somebody went back to an earlier page.
PAGE_IN_FRONT = f'uiautomator dump /dev/tty | grep -o \'text="[^"]*" {ADDRESS_BAR}\''
WHOLE_CART = f"content query --uri {CART}"
MAX_STEPS = 20

MAKERS = (
    "Aurora", "Bramble", "Cobalt", "Dapple", "Ember", "Fable", "Gossamer", "Heron", "Indigo", "Jasper",
)  # fmt: skip
COLOURS = ("Black", "White", "Red", "Blue", "Green", "Yellow", "Purple", "Brown")
SIZES = ("S", "M", "L")
PLACES = range(8)  # of a kind among those of its shop
_FIRST_NUMBER = 9000
_ALL_KINDS = tuple(kind for shop in (*KNOWN, *NEW) for kind in shop.kinds)


@dataclass(frozen=True)
class Ware:
    """A product that a task plants into a shop."""

    shop: Shop
    maker: str
    kind: str
    price: str = "20.00"
    columns: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What the shop calls it."""
        return f"{self.maker} {self.kind}"

    @property
    def number(self) -> str:
        """Its number in the shop."""
        return str(_FIRST_NUMBER + 20 * _ALL_KINDS.index(self.kind) + MAKERS.index(self.maker))

    def plant(self) -> str:
        """The command that puts it on sale."""
        return bind(
            PRODUCTS,
            _id=self.number,
            shop=self.shop.host,
            name=self.name,
            price=self.price,
            **dict(self.columns),
        )

    def in_cart(self, count: int, options: Mapping[str, str] | None = None) -> str:
        """The command that asks whether so many of it lie in the cart."""
        chosen = ";".join(f"{name}={value}" for name, value in (options or {}).items())
        return where(CART, product_id=self.number, quantity=str(count), options=chosen)

    def lay(self, count: int) -> str:
        """The command that puts so many of it into the cart."""
        return bind(CART, shop=self.shop.host, product_id=self.number, quantity=str(count))

    def opened(self) -> Condition:
        """The requirement that its page is in front."""
        return Condition("page", "contains", f'text="{self.shop.host}/product/{self.number}"')


def any_shop(draw: Draw, coloured: bool = False) -> Shop:
    """One of the shops of training, or the new one where the split wants it; food has no colours."""
    known = tuple(shop for shop in KNOWN if shop is not FENNEL) if coloured else KNOWN
    return draw.any(draw.known_or_new(known, NEW))


def kind_at(shop: Shop, place: int) -> str:
    """One of the kinds of things that a shop is planted with."""
    return tuple(shop.kinds)[place]


def range_of(
    draw: Draw, shop: Shop, kind: str, maker: str, count: int, **columns: tuple[str, ...]
) -> list[Ware]:
    """Products of one kind at rising prices; the first is the maker's, columns give each its own value."""
    makers = [maker, *draw.some([other for other in MAKERS if other != maker], count - 1)]
    prices = sorted(draw.some(range(11, 89), count))
    return [
        Ware(
            shop,
            makers[n],
            kind,
            f"{prices[n]}.{draw.any(('00', '50', '90'))}",
            tuple((name, values[n]) for name, values in columns.items()),
        )
        for n in range(count)
    ]


def stock(draw: Draw, wares: list[Ware]) -> tuple[str, ...]:
    """The commands that put products on sale, in any order."""
    return tuple(ware.plant() for ware in draw.mixed(wares))
