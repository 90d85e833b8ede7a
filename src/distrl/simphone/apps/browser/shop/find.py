"""How a shop finds, limits and orders its products. What is asked for stands in the address."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.shop import Shop
from distrl.simphone.catalogue import Product, catalogue
from distrl.simphone.chance import shuffled

RATING_LIMITS = (35, 40, 45)
FAST_DAYS = 2

Group = tuple[str, str, tuple[tuple[str, str], ...]]
"""A limit that results can be put to: its key in the address, its title, its values with their words."""


def matches(product: Product, words: Sequence[str]) -> bool:
    """Whether a product is meant by all of these words (in small letters)."""
    text = product.text
    return all(word in text or word.removesuffix("s") in text for word in words)


def _allowed(product: Product, key: str, value: str) -> bool:
    match key:
        case "max":
            return not value.isdecimal() or product.price_cents <= int(value) * 100
        case "rating":
            return not value.isdecimal() or product.rating >= int(value)
        case "stock":
            return product.in_stock
        case "deal":
            return product.was_cents > 0
        case "fast":
            return product.delivery_days <= FAST_DAYS
        case "brand":
            return product.brand == value
        case "category":
            return product.category == value
        case "label":
            return value in product.labels
        case "size" | "colour":
            return value in dict(product.options).get(key.capitalize(), ())
    return True


def _sort(found: list[Product], order: str) -> None:
    match order:
        case "price_low":
            found.sort(key=lambda item: item.price_cents)
        case "price_high":
            found.sort(key=lambda item: -item.price_cents)
        case "rating":
            found.sort(key=lambda item: -item.rating)
        case "delivery":
            found.sort(key=lambda item: item.delivery_days)
        case "reviews":
            found.sort(key=lambda item: -item.reviews)


Query = tuple[tuple[str, str], ...]


def _select(products: Sequence[Product], seed: int, host: str, query: Query) -> tuple[Product, ...]:
    asked = dict(query)
    words = asked.pop("q", "").lower().split()
    order = asked.pop("sort", "")
    found = [
        item
        for item in products
        if matches(item, words) and all(_allowed(item, key, value) for key, value in asked.items())
    ]
    found = shuffled(found, seed, f"{host} results")
    _sort(found, order)
    return tuple(found)


@lru_cache(maxsize=512)
def _select_known(world_seed: int, seed: int, host: str, query: Query) -> tuple[Product, ...]:
    return _select(catalogue(world_seed, host), seed, host, query)


def results(shop: Shop, ctx: Ctx, address: Address) -> tuple[Product, ...]:
    """The products that an address asks for: words, category, limits and order are in its query."""
    query = tuple(sorted(address.query.items()))
    if any(item.shop == shop.host for item in ctx.data.stocked):
        return _select(shop.products(ctx), ctx.state.seed, shop.host, query)
    return _select_known(ctx.state.world_seed, ctx.state.seed, shop.host, query)


def limits(shop: Shop, ctx: Ctx, address: Address) -> list[Group]:
    """The limits that a shop offers for what was asked for, each with the values that occur there."""
    query = {key: value for key, value in address.query.items() if key in ("q", "category")}
    found = results(shop, ctx, Address(shop.host, (), query))
    return [group for key in shop.filters if (group := _group(shop, key, found))[2]]


def _group(shop: Shop, key: str, found: Sequence[Product]) -> Group:
    match key:
        case "max":
            return key, "Price", tuple((str(limit), f"Under ${limit}") for limit in shop.price_limits)
        case "rating":
            return key, "Rating", tuple((str(limit), f"{limit / 10:.1f} and up") for limit in RATING_LIMITS)
        case "stock":
            return key, "Availability", (("1", "In stock only"),)
        case "deal":
            return key, "Offers", (("1", "On sale"),)
        case "fast":
            return key, "Delivery time", (("1", f"Within {FAST_DAYS} days"),)
        case "brand":
            return key, "Brand", _words({item.brand for item in found})
        case "label":
            return key, "Labels", _words({label for item in found for label in item.labels})
        case "category":
            return key, "Department", _words({item.category for item in found})
    name = key.capitalize()
    return key, name, _words({word for item in found for word in dict(item.options).get(name, ())})


def _words(words: set[str], most: int = 30) -> tuple[tuple[str, str], ...]:
    return tuple((word, word) for word in sorted(words, key=_size_order)[:most])


def _size_order(word: str) -> tuple[int, str]:
    sizes = ("XS", "S", "M", "L", "XL")
    return (sizes.index(word), "") if word in sizes else (len(sizes), word)
