"""What distinguishes one shop from another: content, arrangement and words."""

from __future__ import annotations

from typing import Literal

import msgspec

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import BrowserData, Ctx, product_of, products_of
from distrl.simphone.apps.browser.site import CookieWords
from distrl.simphone.catalogue import Product
from distrl.simphone.chance import fraction
from distrl.simphone.world import World


class Layout(msgspec.Struct, frozen=True):
    """How a shop arranges its pages."""

    header: Literal["soft", "strong", "plain"] = "soft"
    search: Literal["top", "icon", "page"] = "top"
    results: Literal["list", "grid", "cards", "compact", "steppers"] = "list"
    categories: Literal["chips", "grid", "rows", "strip"] = "chips"
    sorting: Literal["sheet", "chips", "tabs", "menu", "page"] = "sheet"
    filters: Literal["sheet", "chips", "page"] = "sheet"
    options: Literal["chips", "dropdown", "radio", "swatches", "sheet"] = "chips"
    quantity: Literal["stepper", "dropdown", "cart"] = "stepper"
    cart: Literal["header", "word", "bottom", "bar"] = "header"
    cart_icon: str = "shopping_cart"
    address: Literal["typed", "known"] = "typed"
    steps: int = 1
    """How many pages the checkout has."""
    sponsored: bool = False
    """Whether an advertised product stands before the results."""


class Words(msgspec.Struct, frozen=True):
    """What a shop calls things."""

    cart: str = "Cart"
    add: str = "Add to cart"
    added: str = "Added to cart"
    checkout: str = "Checkout"
    next: str = "Continue"
    order: str = "Place order"
    search: str = "Search Larkspur Market"
    saved: str = "Wish list"
    quantity: str = "Quantity"
    filter: str = "Filter"
    sort: str = "Sort"
    show: str = "Show results"
    clear: str = "Clear"
    sold_out: str = "Sold out"
    total: str = "Total"
    thanks: str = "Thank you for your order"
    coupon: str = "Coupon code"
    apply: str = "Apply"
    delivery: str = "Delivery"
    payment: str = "Payment"
    relevance: str = "Relevance"
    cheapest: str = "Price: low to high"
    dearest: str = "Price: high to low"
    rating: str = "Customer rating"
    fastest: str = "Fastest delivery"
    reviews: str = "Most reviews"


SORTS = {
    "": "relevance", "price_low": "cheapest", "price_high": "dearest", "rating": "rating",
    "delivery": "fastest", "reviews": "reviews",
}  # fmt: skip
"""By what results can be ordered, and which of a shop's words says so."""


class Shop(msgspec.Struct, frozen=True):
    """A shop: its name and host, its arrangement, its words, how it delivers and takes money."""

    host: str
    name: str
    icon: str
    about: str
    slogan: str
    layout: Layout = Layout()
    words: Words = Words()
    hue: float | None = None
    sorts: tuple[str, ...] = ("", "price_low", "price_high", "rating", "delivery")
    filters: tuple[str, ...] = ("max", "rating", "stock")
    price_limits: tuple[int, ...] = (15, 30, 60, 100)
    deliveries: tuple[tuple[str, int], ...] = (("Standard", 0), ("Express", 799))
    payments: tuple[str, ...] = ("Card", "Bank transfer", "Cash on delivery")
    coupon: str = ""
    """What this shop's coupon codes start with; empty: it takes none."""
    cookies: CookieWords = CookieWords()
    newsletter: str = ""

    def at(self, *path: str | int, **query: str) -> Address:
        """The address of one of its pages."""
        return Address(
            self.host, tuple(map(str, path)), {name: value for name, value in query.items() if value}
        )

    def products(self, ctx: Ctx) -> tuple[Product, ...]:
        """Everything it sells in this phone's world."""
        return products_of(ctx.data, ctx.world, self.host)

    def product(self, ctx: Ctx, product_id: int) -> Product | None:
        """One product by its number."""
        return product_of(ctx.data, ctx.world, self.host, product_id)

    def categories(self, ctx: Ctx) -> list[str]:
        """Its departments, in this phone's order."""
        names = sorted({item.category for item in self.products(ctx)})
        return ctx.shuffled(names, f"{self.host} categories")

    def sort_word(self, key: str) -> str:
        """What it calls an order of results."""
        word: str = getattr(self.words, SORTS.get(key, "relevance"))
        return word


def coupon_of(shop: Shop, world: World) -> tuple[str, int]:
    """The code that a shop accepts in this world and the percentage it takes off; empty if there is none."""
    if not shop.coupon:
        return "", 0
    percent = (10, 15, 20, 25)[int(fraction("coupon", world.seed, shop.host) * 4)]
    return f"{shop.coupon}{percent}", percent


def cart_total(shop: Shop, data: BrowserData, world: World) -> int:
    """What the cart costs after a coupon, in cents."""
    total = sum(line.price_cents * line.quantity for line in data.cart_of(shop.host))
    code, percent = coupon_of(shop, world)
    if code and data.coupons.get(shop.host) == code:
        total -= total * percent // 100
    return total


def count_in_cart(shop: Shop, data: BrowserData) -> int:
    """How many things lie in the cart."""
    return sum(line.quantity for line in data.cart if line.shop == shop.host)
