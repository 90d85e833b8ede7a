"""The pages of a shop where one looks around: home, departments, search, results, things put aside."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.find import results
from distrl.simphone.apps.browser.shop.frame import header, search_field, top_of_page
from distrl.simphone.apps.browser.shop.goods import product_list
from distrl.simphone.apps.browser.shop.refine import refine_bar
from distrl.simphone.apps.browser.shop.shop import Shop, coupon_of
from distrl.simphone.apps.browser.site import visit
from distrl.simphone.assortments import assortment
from distrl.simphone.catalogue import Product
from distrl.simphone.chance import pick
from distrl.simphone.widgets import (
    Card,
    Chip,
    Chips,
    Divider,
    Empty,
    Grid,
    Icon,
    Row,
    SectionHeader,
    Strip,
    Text,
    Widget,
)

POPULAR = 8
RESULTS_A_PAGE = 30


def _category_icon(shop: Shop, name: str) -> str:
    kinds = assortment(shop.host).get(name)
    return kinds[0].icon if kinds else "category"


def _category_tile(shop: Shop, name: str) -> Widget:
    icon = Icon(_category_icon(shop, name), 26, "primary")
    words = Text(name, 12, align=1, pad_x=2, max_lines=1)
    return Card([icon, words], visit(shop.at("search", category=name)), pad_x=0, pad_y=0)


def categories(shop: Shop, ctx: Ctx) -> list[Widget]:
    """The departments as the shop shows them."""
    names = shop.categories(ctx)
    match shop.layout.categories:
        case "chips":
            chips = [Chip(name, visit(shop.at("search", category=name))) for name in names]
            return [Chips(chips, "categories")]
        case "strip":
            return [Strip([_category_tile(shop, name) for name in names], "categories", 104)]
        case "grid":
            return [Grid([_category_tile(shop, name) for name in names], 3, 8)]
    return _category_rows(shop, names)


def _category_rows(shop: Shop, names: list[str]) -> list[Widget]:
    return [
        Row(
            title=name,
            icon=_category_icon(shop, name),
            trailing="chevron",
            on_tap=visit(shop.at("search", category=name)),
        )
        for name in names
    ]


def build_home(shop: Shop, ctx: Ctx) -> list[Widget]:
    """The first page: search, departments, an offer, popular things."""
    products = list(shop.products(ctx))
    offer = pick(
        [item for item in products if item.was_cents] or products, ctx.state.seed, shop.host, "offer"
    )
    popular = ctx.shuffled(products, f"{shop.host} popular")[:POPULAR]
    banner = Row(
        title=shop.slogan,
        subtitle=f"{offer.name}, now {offer.price}",
        photo=offer.picture(),
        bold=True,
    )
    code, percent = coupon_of(shop, ctx.world)
    voucher: list[Widget] = (
        [Text(f"{percent}% off everything with the code {code}", 13, "primary", bold=True, pad_y=8)]
        if code
        else []
    )
    return [
        *top_of_page(shop, ctx),
        *categories(shop, ctx),
        *voucher,
        Card([banner], on_tap=visit(shop.at("product", offer.id)), inner=2),
        SectionHeader("Popular today"),
        *product_list(shop, ctx, popular),
        Divider(),
        Text(f"{shop.name} - {shop.about}", 12, "faint", pad_y=12),
    ]


def build_departments(shop: Shop, ctx: Ctx) -> list[Widget]:
    """All departments below each other."""
    names = shop.categories(ctx)
    every = Row(title="All products", icon="apps", trailing="chevron", on_tap=visit(shop.at("search")))
    return [header(shop, ctx), Text("Departments", 20, pad_y=10), *_category_rows(shop, names), every]


def build_find(shop: Shop, ctx: Ctx) -> list[Widget]:
    """The search field on a page of its own, with what was looked for lately."""
    asked = [search.query for search in reversed(ctx.data.searches) if search.site == shop.host]
    lately = list(dict.fromkeys(asked))[:5]
    rows = [
        Row(title=words, icon="history", on_tap=visit(shop.at("search", q=words)))
        for words in lately
        if words
    ]
    recent: list[Widget] = [SectionHeader("Recent searches"), *rows] if rows else []
    return [header(shop, ctx), search_field(shop), *recent, SectionHeader("Browse"), *categories(shop, ctx)]


def _advert(shop: Shop, ctx: Ctx, found: Sequence[Product], words: str) -> Product | None:
    """A product that was not asked for, where the shop shows such."""
    if not shop.layout.sponsored:
        return None
    asked = {item.id for item in found}
    others = [item for item in ctx.world.products(shop.host) if item.id not in asked]
    return pick(others, ctx.state.seed, shop.host, "advert", words) if others else None


def build_results(shop: Shop, ctx: Ctx, address: Address) -> list[Widget]:
    """What a search or a department found, with sorting and filters."""
    found = results(shop, ctx, address)
    query = address.query
    count = "1 result" if len(found) == 1 else f"{len(found)} results"
    asked = query.get("category") or (f"“{query['q']}”" if query.get("q") else "all products")
    body: list[Widget] = [
        *top_of_page(shop, ctx, query.get("q", "")),
        *refine_bar(shop, ctx, address),
        Text(f"{count} for {asked}", 13, "faint"),
    ]
    if not found:
        return [*body, Empty("search_off", "Nothing found")]
    page = ctx.arg_int("shown", RESULTS_A_PAGE)
    body += product_list(shop, ctx, found[:page], _advert(shop, ctx, found, query.get("q", "")))
    if len(found) > page:
        body.append(
            Row(title=f"Show more ({len(found) - page} left)", icon="expand_more", on_tap=("show_more",))
        )
    return body


def build_saved(shop: Shop, ctx: Ctx) -> list[Widget]:
    """The products put aside."""
    numbers = ctx.data.saved.get(shop.host, [])
    products = [item for number in numbers if (item := shop.product(ctx, number)) is not None]
    return [
        header(shop, ctx),
        Text(shop.words.saved, 20, pad_y=10),
        *(product_list(shop, ctx, products) or [Empty("favorite", "Nothing here yet")]),
    ]
