"""What the browser remembers: history, bookmarks, and what was done in shops."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from distrl.simphone.app import Cells, Context
from distrl.simphone.catalogue import Product, money
from distrl.simphone.world import World

LONGEST_HISTORY = 200


class Visit(msgspec.Struct, array_like=True):
    """A page that was opened."""

    url: str
    title: str


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


class Stocked(msgspec.Struct):
    """A product that a shop sells besides those of the world's catalogue."""

    shop: str
    product: Product


class BrowserData(msgspec.Struct):
    """All of it."""

    bookmarks: list[Visit]
    history: list[Visit] = []
    cart: list[CartLine] = []
    orders: list[Order] = []
    saved: dict[str, list[int]] = {}
    stocked: list[Stocked] = []
    next_id: int = 1

    def take_id(self) -> int:
        """A number that was not used before."""
        self.next_id += 1
        return self.next_id - 1

    def cart_of(self, shop: str) -> list[CartLine]:
        """What lies in one shop's cart."""
        return [line for line in self.cart if line.shop == shop]

    def remember(self, url: str, title: str) -> None:
        """Write a visit into the history."""
        self.history.append(Visit(url, title))
        del self.history[:-LONGEST_HISTORY]


Ctx = Context[BrowserData]


def products_of(data: BrowserData, world: World, shop: str) -> tuple[Product, ...]:
    """Everything that a shop sells: the world's catalogue and what the shell has put into stock."""
    stocked = tuple(item.product for item in data.stocked if item.shop == shop)
    return (*world.products(shop), *stocked) if stocked else world.products(shop)


def product_rows(data: BrowserData, world: World, shops: Iterable[str]) -> list[Cells]:
    """All products, for the shell."""
    return [
        {
            "_id": product.id,
            "shop": shop,
            "name": product.name,
            "category": product.category,
            "price": money(product.price_cents)[1:],
            "rating": product.rating / 10,
            "options": ";".join(f"{name}={','.join(values)}" for name, values in product.options),
            "in_stock": int(product.in_stock),
        }
        for shop in shops
        for product in products_of(data, world, shop)
    ]


def stock_product(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Put a product into a shop, with the columns of `product_rows`; what is not given is made up."""
    number = bound.get("_id", "")
    options = [part.split("=", 1) for part in bound.get("options", "").split(";") if "=" in part]
    pairs = tuple((name, tuple(values.split(","))) for name, values in options)
    colours = dict(pairs).get("Colour", ())
    name = bound.get("name", "Thing")
    product = Product(
        id=int(number) if number.isdecimal() else 9000 + data.take_id(),
        name=name,
        brand=name.split(" ")[0],
        category=bound.get("category", "Home"),
        noun=name.split(" ")[-1],
        price_cents=round(_amount(bound.get("price", ""), 10.0) * 100),
        was_cents=0,
        rating=round(_amount(bound.get("rating", ""), 4.2) * 10),
        reviews=120,
        options=pairs,
        icon="category",
        colour=colours[0] if colours else "",
        delivery_days=3,
        in_stock=bound.get("in_stock", "1") == "1",
    )
    data.stocked.append(Stocked(bound.get("shop", ""), product))


def _amount(text: str, default: float) -> float:
    """A number that is not negative."""
    return float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", text) else default


def cart_rows(data: BrowserData, world: World) -> list[Cells]:
    """The carts of all shops, for the shell."""
    del world
    return [
        {
            "_id": line.id,
            "shop": line.shop,
            "product_id": line.product_id,
            "name": line.name,
            "options": line.options,
            "quantity": line.quantity,
            "price": money(line.price_cents)[1:],
        }
        for line in data.cart
    ]


def order_rows(data: BrowserData, world: World) -> list[Cells]:
    """All orders, for the shell."""
    del world
    return [
        {
            "_id": order.id,
            "shop": order.shop,
            "products": "; ".join(f"{line.name} x{line.quantity}" for line in order.lines),
            "options": "; ".join(line.options for line in order.lines),
            "quantity": sum(line.quantity for line in order.lines),
            "name": order.name,
            "address": order.address,
            "delivery": order.delivery,
            "payment": order.payment,
            "total": money(order.total_cents)[1:],
        }
        for order in data.orders
    ]


def visit_rows(visits: list[Visit]) -> list[Cells]:
    """History or bookmarks, for the shell."""
    return [{"_id": number, "url": visit.url, "title": visit.title} for number, visit in enumerate(visits, 1)]


def saved_rows(data: BrowserData, world: World) -> list[Cells]:
    """Products put aside, for the shell."""
    pairs = [(shop, product) for shop, products in data.saved.items() for product in products]
    names = {
        (shop, product.id): product.name for shop in data.saved for product in products_of(data, world, shop)
    }
    return [
        {"_id": number, "shop": shop, "product_id": product, "name": names.get((shop, product), "")}
        for number, (shop, product) in enumerate(pairs, 1)
    ]
