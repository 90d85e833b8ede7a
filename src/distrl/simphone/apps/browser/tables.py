"""The browser's tables for the shell: what `content query` prints of shops, and what can be inserted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from distrl.simphone.app import Cells
from distrl.simphone.apps.browser.data import (
    BrowserData,
    CartLine,
    Stocked,
    product_of,
)
from distrl.simphone.apps.columns import whole
from distrl.simphone.assortments import assortment, kind_of
from distrl.simphone.catalogue import Product, catalogue, money, search_text
from distrl.simphone.world import World

FIRST_PLANTED = 9000


def _product_row(shop: str, product: Product) -> Cells:
    return {
        "_id": product.id,
        "shop": shop,
        "name": product.name,
        "category": product.category,
        "price": money(product.price_cents)[1:],
        "rating": product.rating / 10,
        "options": ";".join(f"{name}={','.join(values)}" for name, values in product.options),
        "in_stock": int(product.in_stock),
        "brand": product.brand,
        "was": money(product.was_cents)[1:] if product.was_cents else "",
        "reviews": product.reviews,
        "stock": product.stock,
        "delivery_days": product.delivery_days,
        "extras": ";".join(f"{word}={money(cents)[1:]}" for word, cents in product.extras),
        "labels": ",".join(product.labels),
        "facts": ";".join(f"{name}={value}" for name, value in product.facts),
    }


@lru_cache(maxsize=256)
def _catalogue_rows(world_seed: int, shop: str) -> tuple[Cells, ...]:
    return tuple(_product_row(shop, product) for product in catalogue(world_seed, shop))


def product_rows(data: BrowserData, world: World, shops: Iterable[str]) -> list[Cells]:
    """All products; those that the shell has put into stock come last."""
    rows = [row for shop in shops for row in _catalogue_rows(world.seed, shop)]
    return [*rows, *(_product_row(item.shop, item.product) for item in data.stocked)]


def stock_product(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Put a product into a shop, with the columns of `product_rows`; what is not given is made up."""
    shop, name = bound.get("shop", ""), bound.get("name", "Thing")
    category, kind = kind_of(shop, name) or (next(iter(assortment(shop))), None)
    options = tuple((word, tuple(values.split(","))) for word, values in pairs(bound.get("options", "")))
    colours = dict(options).get("Colour", ())
    stock = 0 if bound.get("in_stock", "1") == "0" else whole(bound, "stock", 40)
    bare = Product(
        id=whole(bound, "_id", -1) if "_id" in bound else FIRST_PLANTED + data.take_id(),
        name=name,
        brand=bound.get("brand", name.split(" ")[0]),
        category=bound.get("category", category),
        noun=kind.noun if kind else name.split(" ")[-1],
        price_cents=_cents(bound.get("price", ""), 1000),
        was_cents=_cents(bound.get("was", ""), 0),
        rating=min(50, _cents(bound.get("rating", ""), 420) // 10),
        reviews=whole(bound, "reviews", 120),
        options=options,
        icon=bound.get("icon", kind.icon if kind else "category"),
        colour=colours[0] if colours else "",
        delivery_days=max(1, whole(bound, "delivery_days", 3)),
        stock=max(0, stock),
        extras=tuple((word, _cents(value, 0)) for word, value in pairs(bound.get("extras", ""))),
        labels=tuple(word for word in bound.get("labels", "").split(",") if word),
        facts=tuple(pairs(bound.get("facts", ""))),
    )
    data.stocked.append(Stocked(shop, msgspec.structs.replace(bare, text=search_text(bare))))


def pairs(text: str) -> list[tuple[str, str]]:
    """The names and values of `Size=M;Colour=Red`."""
    parts = (part.partition("=") for part in text.split(";"))
    return [(name.strip(), value.strip()) for name, sign, value in parts if sign]


def _cents(text: str, default: int) -> int:
    """An amount of money (or any number with two decimals) that is not negative, times a hundred."""
    return round(float(text) * 100) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", text) else default


def _line_cells(line: CartLine) -> Cells:
    return {
        "shop": line.shop,
        "product_id": line.product_id,
        "name": line.name,
        "options": line.options,
        "quantity": line.quantity,
        "price": money(line.price_cents)[1:],
    }


def cart_rows(data: BrowserData, world: World) -> list[Cells]:
    """The carts of all shops."""
    del world
    return [{"_id": line.id, **_line_cells(line)} for line in data.cart]


def fill_cart(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Put something into a cart; a product that the shell has not stocked needs its name and price here."""
    shop, number = bound.get("shop", ""), whole(bound, "product_id", -1)
    known = next((i.product for i in data.stocked if (i.shop, i.product.id) == (shop, number)), None)
    options = bound.get("options", "")
    cents = known.price_with(dict(pairs(options))) if known is not None else 1000
    name = bound.get("name", known.name if known is not None else "Thing")
    quantity = max(1, whole(bound, "quantity", 1))
    price = _cents(bound.get("price", ""), cents)
    data.cart.append(CartLine(data.take_id(), shop, number, name, options, quantity, price))


def empty_cart_line(data: BrowserData, row: int) -> None:
    """Take a line out of a cart."""
    data.cart = [line for line in data.cart if line.id != row]


def order_rows(data: BrowserData, world: World) -> list[Cells]:
    """All orders."""
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
            "coupon": order.coupon,
        }
        for order in data.orders
    ]


def order_item_rows(data: BrowserData, world: World) -> list[Cells]:
    """What was ordered, line by line."""
    del world
    return [
        {"_id": line.id, "order_id": order.id, **_line_cells(line)}
        for order in data.orders
        for line in order.lines
    ]


def saved_rows(data: BrowserData, world: World) -> list[Cells]:
    """Products put aside."""
    rows: list[Cells] = []
    for shop, numbers in data.saved.items():
        for number in numbers:
            product = product_of(data, world, shop, number)
            name = product.name if product is not None else ""
            rows.append({"_id": len(rows) + 1, "shop": shop, "product_id": number, "name": name})
    return rows


def save_product(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Put a product aside."""
    numbers = data.saved.setdefault(bound.get("shop", ""), [])
    number = whole(bound, "product_id", -1)
    if number not in numbers:
        numbers.append(number)
