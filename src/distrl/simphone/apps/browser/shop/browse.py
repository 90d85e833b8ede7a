"""The pages of a shop where one looks around: home, departments, results, product."""

from __future__ import annotations

import msgspec

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.shop import SORTS, Shop, chosen, results
from distrl.simphone.apps.browser.site import visit, window
from distrl.simphone.catalogue import Product, money
from distrl.simphone.chance import pick
from distrl.simphone.scene import IMAGE_BUTTON, LINEAR, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import (
    Across,
    Button,
    Card,
    Chip,
    Chips,
    Divider,
    Empty,
    Gap,
    Grid,
    Icon,
    IconButton,
    Picture,
    Row,
    SearchBar,
    SectionHeader,
    Text,
    Widget,
)
from distrl.simphone.widgets.bars import place_badge

CATEGORY_ICONS = {
    "Clothing": "checkroom", "Shoes": "directions_run", "Electronics": "devices", "Home": "chair",
    "Sports": "sports_soccer", "Books": "menu_book", "Toys": "toys", "Beauty": "spa",
}  # fmt: skip


class Header(msgspec.Struct, frozen=True):
    """A shop's own bar: its name, and its cart as an icon without words."""

    name: str
    icon: str
    on_home: Message
    on_cart: Message | None
    count: int

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.sp(18)) + 22

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        scene.fill(x, y, width, height, look.container)
        scene.icon(x + 14, y + (height - 24) // 2, self.icon, 24, look.on_container)
        box = scene.add(LINEAR, x, y, width - 60, height, name="shop_name", tap=self.on_home)
        before = scene.inside(box)
        top = y + (height - look.line_height(look.sp(18))) // 2
        scene.label(x + 46, top, width - 120, self.name, look.sp(18), look.on_container)
        scene.parent = before
        if self.on_cart is None:
            return
        left = x + width - 56
        scene.icon(left + 14, y + (height - 24) // 2, "shopping_cart", 24, look.on_container)
        cart = scene.add(IMAGE_BUTTON, left, y, 52, height, name="cart", tap=self.on_cart)
        before = scene.inside(cart)
        if self.count:
            place_badge(scene, left + 30, y + 6, str(self.count))
        scene.parent = before


def header(shop: Shop, ctx: Ctx) -> Header:
    """The bar on top of every page of a shop."""
    count = sum(line.quantity for line in ctx.data.cart_of(shop.host))
    cart = visit(shop.at("cart")) if shop.layout.cart == "header" else None
    return Header(shop.name, shop.icon, visit(shop.at()), cart, count)


def stars(product: Product) -> str:
    """The rating as a line of text."""
    return f"{product.rating / 10:.1f} stars ({product.reviews})"


def product_row(shop: Shop, product: Product) -> Widget:
    """A product in a list."""
    stock = "" if product.in_stock else " · Sold out"
    details = f"{product.price} · {stars(product)}\n{product.delivery}{stock}"
    return Row(
        title=product.name,
        subtitle=details,
        photo=product.picture(),
        on_tap=visit(shop.at("product", product.id)),
    )


def product_card(shop: Shop, product: Product) -> Widget:
    """A product in a grid."""
    return Card(
        [
            Picture(product.picture(), 96, 8, pad_x=8),
            Text(product.name, 13, max_lines=2, pad_x=8),
            Text(product.price, 15, bold=True, pad_x=8, pad_y=1),
            Text(stars(product), 12, "faint", pad_x=8, pad_y=1),
        ],
        on_tap=visit(shop.at("product", product.id)),
        pad_x=0,
        pad_y=2,
    )


def product_list(shop: Shop, products: list[Product]) -> list[Widget]:
    """Products as the shop shows them."""
    if shop.layout.results == "grid":
        pairs = [products[start : start + 2] for start in range(0, len(products), 2)]
        return [Grid([product_card(shop, item) for item in pair], 2, 8, 12) for pair in pairs]
    return [product_row(shop, item) for item in products]


def _categories(shop: Shop, ctx: Ctx) -> list[Widget]:
    names = shop.categories(ctx)
    if shop.layout.categories == "chips":
        return [Chips([Chip(name, visit(shop.at("search", category=name))) for name in names], "categories")]
    if shop.layout.categories == "rows":
        return [
            Row(
                title=name,
                icon=CATEGORY_ICONS.get(name, "category"),
                trailing="chevron",
                on_tap=visit(shop.at("search", category=name)),
            )
            for name in names
        ]
    tiles = [
        Card(
            [Icon(CATEGORY_ICONS.get(name, "category"), 26, "primary"), Text(name, 12, align=1, pad_x=2)],
            visit(shop.at("search", category=name)),
            pad_x=0,
            pad_y=0,
        )
        for name in names
    ]
    return [Grid(tiles, 4, 8)]


def build_home(shop: Shop, ctx: Ctx) -> list[Widget]:
    """The first page: search, departments, an offer, popular things."""
    products = list(shop.products(ctx))
    offer = pick(
        [item for item in products if item.was_cents] or products, ctx.state.seed, shop.host, "offer"
    )
    popular = ctx.shuffled(products, f"{shop.host} popular")[:8]
    banner = Row(
        title=shop.slogan,
        subtitle=f"{offer.name}, now {offer.price}",
        photo=offer.picture(),
        bold=True,
    )
    return [
        header(shop, ctx),
        SearchBar("q", f"{shop.words.search} {shop.name}", on_submit=("search",)),
        *_categories(shop, ctx),
        Card([banner], on_tap=visit(shop.at("product", offer.id)), inner=2),
        SectionHeader("Popular today"),
        *product_list(shop, popular),
        Divider(),
        Text(f"{shop.name} - {shop.about}", 12, "faint", pad_y=12),
    ]


def build_results(shop: Shop, ctx: Ctx, address: Address) -> list[Widget]:
    """What a search or a department found, with sorting and filter."""
    found = results(shop, ctx, address)
    query = address.query
    sort = SORTS.get(query.get("sort", ""), "Relevance")
    limits = sum(1 for name in ("max", "rating", "stock") if query.get(name))
    filters = Chip(f"Filter ({limits})" if limits else "Filter", window("filter"), bool(limits), "tune")
    if shop.layout.sorting == "chips":
        chips = [Chip(word, visit(address.with_query(sort=key)), sort == word) for key, word in SORTS.items()]
        chips.insert(0, filters)
    else:
        chips = [Chip(f"Sort: {sort}", window("sort"), False, "sort"), filters]
    count = "1 result" if len(found) == 1 else f"{len(found)} results"
    asked = query.get("category") or (f"“{query['q']}”" if query.get("q") else "all products")
    body: list[Widget] = [
        header(shop, ctx),
        SearchBar("q", f"{shop.words.search} {shop.name}", query.get("q", ""), on_submit=("search",)),
        Chips(chips, "result_chips"),
        Text(f"{count} for {asked}", 13, "faint"),
    ]
    return [*body, *product_list(shop, found)] if found else [*body, Empty("search_off", "Nothing found")]


def build_product(shop: Shop, ctx: Ctx, product: Product) -> list[Widget]:
    """One product: picture, price, options, quantity, the button that puts it into the cart."""
    picked = chosen(ctx, product)
    saved = product.id in ctx.data.saved.get(shop.host, [])
    price = product.price + (f"   was {money(product.was_cents)}" if product.was_cents else "")
    body: list[Widget] = [
        header(shop, ctx),
        Gap(8),
        Picture(product.picture(picked.get("Colour", "")), 190, description=product.name),
        Text(product.name, 20, pad_y=8, name="product_name"),
        Across(
            [
                Text(price, 18, "primary", bold=True),
                IconButton(
                    "favorite" if saved else "favorite_border",
                    ("save",),
                    "",
                    "save",
                    "primary",
                    selected=saved,
                ),
            ],
            (0, 60),
        ),
        Text(f"{stars(product)} · {product.delivery}", 13, "faint"),
    ]
    for name, choices in product.options:
        body.append(SectionHeader(name))
        if shop.layout.options == "chips":
            chips = [Chip(word, ("option", name, word), picked.get(name) == word) for word in choices]
            body.append(Chips(chips, f"option_{name}", wrap=True))
        else:
            body += [
                Row(
                    title=word,
                    trailing="radio",
                    checked=picked.get(name) == word,
                    on_tap=("option", name, word),
                )
                for word in choices
            ]
    quantity = ctx.text("quantity", "1")
    body += [
        Across(
            [
                Text("Quantity"),
                IconButton("remove", ("quantity", -1), "", "less", filled=True),
                Text(quantity, 16, align=1, pad_x=2, name="quantity"),
                IconButton("add", ("quantity", 1), "", "more", filled=True),
            ],
            (0, 52, 40, 68),
        ),
        Button(shop.words.add, ("add", product.id), icon="add_shopping_cart", enabled=product.in_stock),
    ]
    if not product.in_stock:
        body.append(Text("Sold out", role="error"))
    return [*body, SectionHeader("About this product"), Text(product.description, 14, "faint")]
