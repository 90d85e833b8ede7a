"""A shop as a web site: which page an address shows, what it is called, and what a search engine finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import BrowserData, Ctx
from distrl.simphone.apps.browser.shop import browse, buy, product, refine
from distrl.simphone.apps.browser.shop.actions import update
from distrl.simphone.apps.browser.shop.frame import bottom, header
from distrl.simphone.apps.browser.shop.goods import stars
from distrl.simphone.apps.browser.shop.shop import Shop
from distrl.simphone.apps.browser.site import Found, Site
from distrl.simphone.assortments import assortment
from distrl.simphone.catalogue import Product, catalogue
from distrl.simphone.widgets import Dialog, Empty, Surface, Widget
from distrl.simphone.world import World


def build(shop: Shop, ctx: Ctx, address: Address) -> Sequence[Widget]:
    """The page of an address."""
    match address.part(0):
        case "":
            return browse.build_home(shop, ctx)
        case "departments":
            return browse.build_departments(shop, ctx)
        case "find":
            return browse.build_find(shop, ctx)
        case "search":
            return browse.build_results(shop, ctx, address)
        case "refine":
            return refine.build_refine(shop, ctx, address)
        case "product":
            found = shop.product(ctx, address.number(1))
            if found is not None:
                return product.build_product(shop, ctx, found)
        case "cart":
            return buy.build_cart(shop, ctx)
        case "checkout" if ctx.data.cart_of(shop.host):
            return buy.build_checkout(shop, ctx, address.number(1))
        case "thanks":
            return buy.build_thanks(shop, ctx, address.number(1))
        case "orders":
            return buy.build_orders(shop, ctx)
        case "saved":
            return browse.build_saved(shop, ctx)
    return [header(shop, ctx), Empty("error", "This page does not exist")]


def build_window(shop: Shop, ctx: Ctx, address: Address, name: str) -> Surface:
    """A window over a page of the shop."""
    found = shop.product(ctx, address.number(1)) if address.part(0) == "product" else None
    if found is not None:
        surface = product.build_window(shop, ctx, found, name)
    else:
        surface = refine.build_window(shop, ctx, address, name)
    return surface or Dialog("Nothing here", actions=[("OK", ("@back",))])


def _bottom(shop: Shop, ctx: Ctx, address: Address) -> Widget | None:
    if address.part(0) == "refine":
        return refine.refine_foot(shop, ctx, address)
    return bottom(shop, ctx, address)


def page_title(shop: Shop, ctx: Ctx, address: Address) -> str:
    """What a page is called in the history."""
    part = address.part(0)
    if part == "product":
        found = shop.product(ctx, address.number(1))
        return f"{found.name} - {shop.name}" if found is not None else shop.name
    if part == "cart":
        return f"{shop.name} - {shop.words.cart}"
    return f"{shop.name} - {part.capitalize()}" if part else shop.name


def _found(shop: Shop, item: Product) -> Found:
    snippet = f"{item.price} · {stars(item)} · {item.delivery}"
    title = f"{item.name} - {shop.name}"
    return Found(shop.at("product", item.id).text, title, snippet, f"{item.text} {shop.name.lower()}", "shop")


@lru_cache(maxsize=512)
def _pages(shop: Shop, world_seed: int) -> tuple[Found, ...]:
    about = f"{shop.name} {shop.about} {shop.host} shop buy online".lower()
    home = Found(shop.host, shop.name, shop.about, about, "shop")
    departments = tuple(
        Found(
            shop.at("search", category=name).text,
            f"{name} - {shop.name}",
            f"{', '.join(kind.noun for kind in kinds)} at {shop.name}.",
            f"{name} {' '.join(kind.noun for kind in kinds)} {shop.name}".lower(),
            "shop",
        )
        for name, kinds in assortment(shop.host).items()
    )
    return (home, *departments, *(_found(shop, item) for item in catalogue(world_seed, shop.host)))


def shop_site(shop: Shop) -> Site:
    """The web site of a shop."""

    def pages(world: World) -> tuple[Found, ...]:
        return _pages(shop, world.seed)

    def planted(data: BrowserData) -> list[Found]:
        return [_found(shop, item.product) for item in data.stocked if item.shop == shop.host]

    return Site(
        host=shop.host,
        title=shop.name,
        icon=shop.icon,
        about=shop.about,
        build=lambda ctx, address: build(shop, ctx, address),
        update=lambda ctx, address, message: update(shop, ctx, address, message),
        build_window=lambda ctx, address, name: build_window(shop, ctx, address, name),
        bottom=lambda ctx, address: _bottom(shop, ctx, address),
        page_title=lambda ctx, address: page_title(shop, ctx, address),
        pages=pages,
        planted=planted,
        hue=shop.hue,
        sticky=1 if shop.layout.cart in ("header", "word") else 0,
        cookies=shop.cookies,
        newsletter=shop.newsletter,
    )
