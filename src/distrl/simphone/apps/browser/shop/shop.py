"""What distinguishes one shop from another, and how a shop finds, filters and sorts its products."""

from __future__ import annotations

from typing import Literal

import msgspec

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx, products_of
from distrl.simphone.catalogue import Product

SORTS: dict[str, str] = {
    "": "Relevance",
    "price_low": "Price: low to high",
    "price_high": "Price: high to low",
    "rating": "Customer rating",
    "delivery": "Fastest delivery",
}
PRICE_LIMITS = (15, 30, 60, 100)
RATING_LIMITS = (35, 40, 45)


class Layout(msgspec.Struct, frozen=True):
    """How a shop arranges its pages."""

    results: Literal["list", "grid"] = "list"
    categories: Literal["chips", "grid", "rows"] = "chips"
    options: Literal["chips", "rows"] = "chips"
    sorting: Literal["sheet", "chips"] = "sheet"
    cart: Literal["header", "bottom"] = "header"


class Words(msgspec.Struct, frozen=True):
    """What a shop calls things."""

    cart: str = "Cart"
    add: str = "Add to cart"
    checkout: str = "Checkout"
    order: str = "Place order"
    search: str = "Search"
    save: str = "Wish list"


class Shop(msgspec.Struct, frozen=True):
    """A shop: its name and host, its arrangement, its words, how it delivers and takes money."""

    host: str
    name: str
    icon: str
    about: str
    slogan: str
    layout: Layout = Layout()
    words: Words = Words()
    deliveries: tuple[tuple[str, int], ...] = (("Standard", 0), ("Express", 799))
    payments: tuple[str, ...] = ("Card", "Bank transfer", "Cash on delivery")

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
        return next((item for item in self.products(ctx) if item.id == product_id), None)

    def categories(self, ctx: Ctx) -> list[str]:
        """Its departments, in this phone's order."""
        names = sorted({item.category for item in self.products(ctx)})
        return ctx.shuffled(names, f"{self.host} categories")


def _matches(product: Product, words: list[str]) -> bool:
    choices = " ".join(choice for _, values in product.options for choice in values)
    text = f"{product.name} {product.category} {choices}".lower()
    return all(word in text or word.removesuffix("s") in text for word in words)


def results(shop: Shop, ctx: Ctx, address: Address) -> list[Product]:
    """The products that an address asks for: words, category, limits and order are in its query."""
    query = address.query
    words = query.get("q", "").lower().split()
    found = [item for item in shop.products(ctx) if _matches(item, words)]
    if query.get("category"):
        found = [item for item in found if item.category == query["category"]]
    if query.get("max", "").isdecimal():
        found = [item for item in found if item.price_cents <= int(query["max"]) * 100]
    if query.get("rating", "").isdecimal():
        found = [item for item in found if item.rating >= int(query["rating"])]
    if query.get("stock"):
        found = [item for item in found if item.in_stock]
    found = ctx.shuffled(found, f"{shop.host} results")
    match query.get("sort", ""):
        case "price_low":
            found.sort(key=lambda item: item.price_cents)
        case "price_high":
            found.sort(key=lambda item: -item.price_cents)
        case "rating":
            found.sort(key=lambda item: -item.rating)
        case "delivery":
            found.sort(key=lambda item: item.delivery_days)
    return found


def chosen(ctx: Ctx, product: Product) -> dict[str, str]:
    """The options picked so far on a product page."""
    return {name: ctx.text(f"option:{name}") for name, _ in product.options if ctx.text(f"option:{name}")}


def cart_total(shop: Shop, ctx: Ctx) -> int:
    """What the cart costs, in cents."""
    return sum(line.price_cents * line.quantity for line in ctx.data.cart_of(shop.host))


def delivery_of(shop: Shop, ctx: Ctx) -> tuple[str, int]:
    """The delivery chosen at the checkout and what it costs."""
    wanted = ctx.text("delivery", shop.deliveries[0][0])
    return next((pair for pair in shop.deliveries if pair[0] == wanted), shop.deliveries[0])
