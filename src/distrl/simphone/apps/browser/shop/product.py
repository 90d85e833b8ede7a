"""The page of one product: picture, price, options, quantity, and the button that puts it into the cart."""

from __future__ import annotations

import msgspec

from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.frame import header
from distrl.simphone.apps.browser.shop.goods import product_list, stars
from distrl.simphone.apps.browser.shop.shop import Shop
from distrl.simphone.apps.browser.site import window
from distrl.simphone.catalogue import Product, money
from distrl.simphone.chance import pick
from distrl.simphone.pictures import NAMED_COLOURS
from distrl.simphone.scene import IMAGE_BUTTON, Message, Scene
from distrl.simphone.state import Entry
from distrl.simphone.theme import Look
from distrl.simphone.widgets import (
    Across,
    BottomSheet,
    Button,
    Chip,
    Chips,
    Dialog,
    Gap,
    IconButton,
    Picture,
    Row,
    SectionHeader,
    Surface,
    Text,
    Widget,
)

MOST_OF_ONE = 20
FEW_LEFT = 5
OPINIONS = (
    "Just as described.", "Arrived early and well packed.", "Smaller than I thought.", "Would buy it again.",
    "Good value for the price.", "The colour is lovely.", "Not as sturdy as the last one I had.",
)  # fmt: skip
SIMILAR = 3


class Swatches(msgspec.Struct, frozen=True):
    """Discs of colour to choose from, without words."""

    colours: tuple[str, ...]
    chosen: str
    option: str

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 52

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del width
        look = scene.look
        for number, colour in enumerate(self.colours):
            left, top = x + 16 + number * 52, y + (height - 44) // 2
            message: Message = ("option", self.option, colour)
            ring = look.primary if colour == self.chosen else look.line
            scene.outline(left, top, 44, 44, ring, 22, 3 if colour == self.chosen else 1)
            scene.fill(left + 6, top + 6, 32, 32, NAMED_COLOURS.get(colour.lower(), look.outline), 16)
            name = f"colour_{colour.lower()}"
            scene.add(IMAGE_BUTTON, left, top, 44, 44, name=name, tap=message, selected=colour == self.chosen)


def picked(entry: Entry, product: Product) -> dict[str, str]:
    """The options picked so far on a product page."""
    fields = entry.fields
    return {name: fields[f"option:{name}"] for name, _ in product.options if fields.get(f"option:{name}")}


def _label(product: Product, word: str) -> str:
    extra = dict(product.extras).get(word, 0)
    return f"{word} (+{money(extra)})" if extra else word


def _options(shop: Shop, product: Product, chosen: dict[str, str]) -> list[Widget]:
    """The choices, as the shop offers them."""
    body: list[Widget] = []
    for name, choices in product.options:
        now = chosen.get(name, "")
        style = shop.layout.options
        if style == "swatches" and name != "Colour":
            style = "radio"
        if style == "dropdown":
            body.append(
                Row(title=name, subtitle=now or f"Select {name.lower()}", end_icon="arrow_drop_down",
                    on_tap=window(f"option_{name}"))
            )  # fmt: skip
            continue
        if style == "sheet":
            continue
        body.append(SectionHeader(f"{name}: {now}" if style == "swatches" and now else name))
        if style == "swatches":
            body.append(Swatches(choices, now, name))
        elif style == "chips":
            chips = [Chip(_label(product, word), ("option", name, word), now == word) for word in choices]
            body.append(Chips(chips, f"option_{name}", wrap=True))
        else:
            body += _radio_rows(product, name, choices, now)
    return body


def _radio_rows(product: Product, name: str, choices: tuple[str, ...], now: str) -> list[Widget]:
    extras = dict(product.extras)
    return [
        Row(
            title=word,
            end_text=money(product.price_cents + extras.get(word, 0)) if extras else "",
            trailing="radio",
            checked=now == word,
            on_tap=("option", name, word),
        )
        for word in choices
    ]


def _quantity(shop: Shop, fields: dict[str, str]) -> list[Widget]:
    now = fields.get("quantity", "1")
    if shop.layout.quantity == "cart":
        return []
    if shop.layout.quantity == "dropdown":
        return [
            Row(
                title=shop.words.quantity, subtitle=now, end_icon="arrow_drop_down", on_tap=window("quantity")
            )
        ]
    return [
        Across(
            [
                Text(shop.words.quantity),
                IconButton("remove", ("quantity", -1), "", "less", filled=True),
                Text(now, 16, align=1, pad_x=2, name="quantity"),
                IconButton("add", ("quantity", 1), "", "more", filled=True),
            ],
            (0, 52, 40, 68),
        )
    ]


def _stock(shop: Shop, product: Product) -> list[Widget]:
    if not product.in_stock:
        return [Text(shop.words.sold_out, role="error")]
    return [Text(f"Only {product.stock} left", 13, "error")] if product.stock <= FEW_LEFT else []


def _reviews(product: Product) -> list[Widget]:
    rows: list[Widget] = []
    for number in range(2):
        grade = min(5, max(1, product.rating // 10 + (number == 0)))
        opinion = pick(OPINIONS, product.name, number)
        rows.append(Row(title=opinion, end_text=f"{grade} of 5"))
    return [SectionHeader(f"Reviews ({product.reviews})"), *rows]


def _similar(shop: Shop, ctx: Ctx, product: Product) -> list[Widget]:
    alike = [item for item in shop.products(ctx) if item.noun == product.noun and item.id != product.id]
    if not alike:
        return []
    return [SectionHeader("Similar products"), *product_list(shop, ctx, alike[:SIMILAR])]


def _add_buttons(shop: Shop, product: Product) -> list[Widget]:
    cart_icon = "add_shopping_cart" if shop.layout.cart_icon == "shopping_cart" else shop.layout.cart_icon
    if shop.layout.options == "sheet" and product.options:
        return [Button("Choose options", window("options"), icon="tune", enabled=product.in_stock)]
    return [Button(shop.words.add, ("add", product.id), icon=cart_icon, enabled=product.in_stock)]


def build_product(shop: Shop, ctx: Ctx, product: Product) -> list[Widget]:
    """One product."""
    chosen = picked(ctx.entry, product)
    saved = product.id in ctx.data.saved.get(shop.host, [])
    price = money(product.price_with(chosen)) + (
        f"   was {money(product.was_cents)}" if product.was_cents else ""
    )
    heart = IconButton(
        "favorite" if saved else "favorite_border",
        ("save", product.id),
        "",
        "save",
        "primary",
        selected=saved,
    )
    facts = [Row(title=name, end_text=value) for name, value in product.facts]
    by: list[Widget] = [Text(f"by {product.brand}", 14)] if product.brand not in product.name else []
    return [
        header(shop, ctx),
        Gap(8),
        Picture(product.picture(chosen.get("Colour", "")), 190, description=product.name),
        Text(product.name, 20, pad_y=8, name="product_name"),
        *by,
        Across([Text(price, 18, "primary", bold=True, name="price"), heart], (0, 60)),
        Text(f"{stars(product)} · {product.delivery}", 13, "faint"),
        *([Text(" · ".join(product.labels), 13, "primary")] if product.labels else []),
        *_options(shop, product, chosen),
        *_quantity(shop, ctx.entry.fields),
        *_add_buttons(shop, product),
        *_stock(shop, product),
        SectionHeader("About this product"),
        Text(product.description, 14, "faint"),
        *facts,
        *_reviews(product),
        *_similar(shop, ctx, product),
    ]


def build_window(shop: Shop, ctx: Ctx, product: Product, name: str) -> Surface | None:
    """The windows over a product page: one option, all options, the quantity; None if it is none of these."""
    entry = ctx.below()
    chosen = picked(entry, product)
    if name == "options":
        rows = [
            widget
            for option, choices in product.options
            for widget in (
                SectionHeader(option),
                *_radio_rows(product, option, choices, chosen.get(option, "")),
            )
        ]
        return BottomSheet([*rows, Button(shop.words.add, ("add", product.id))], "Choose options")
    if name == "quantity":
        now = entry.fields.get("quantity", "1")
        numbers = [
            Row(title=str(n), trailing="radio", checked=str(n) == now, on_tap=("set_quantity", n))
            for n in range(1, 11)
        ]
        return Dialog(shop.words.quantity, body=numbers)
    for option, choices in product.options:
        if name == f"option_{option}":
            rows = [
                Row(
                    title=_label(product, word),
                    trailing="radio",
                    checked=chosen.get(option) == word,
                    on_tap=("option", option, word),
                )
                for word in choices
            ]
            return Dialog(f"Select {option.lower()}", body=rows)
    return None
