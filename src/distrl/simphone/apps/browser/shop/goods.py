"""Products as a shop shows them among others: rows, tiles, large cards, compact lines, steppers."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.goods_row import GoodsRow
from distrl.simphone.apps.browser.shop.shop import Shop
from distrl.simphone.apps.browser.site import visit
from distrl.simphone.catalogue import Product, money
from distrl.simphone.widgets import Across, Card, Grid, IconButton, Picture, Text, Widget


def stars(product: Product) -> str:
    """The rating as a line of text."""
    return f"{product.rating / 10:.1f} stars ({product.reviews})"


def _price(product: Product) -> str:
    return f"{product.price}  was {money(product.was_cents)}" if product.was_cents else product.price


def _heart(shop: Shop, ctx: Ctx, product: Product) -> IconButton:
    saved = product.id in ctx.data.saved.get(shop.host, ())
    icon = "favorite" if saved else "favorite_border"
    return IconButton(icon, ("save", product.id), "", f"save_{product.id}", "primary", selected=saved)


def _row(shop: Shop, product: Product) -> Widget:
    stock = "" if product.in_stock else f" · {shop.words.sold_out}"
    by = f"{product.brand} · " if product.brand not in product.name else ""
    about = f"{by}{product.price} · {stars(product)}\n{product.delivery}{stock}"
    return GoodsRow(product.name, about, product.picture(), visit(shop.at("product", product.id)))


def _tile(shop: Shop, product: Product, sponsored: bool = False) -> Widget:
    lines: list[Widget] = [Picture(product.picture(), 96, 8, pad_x=8)]
    if sponsored:
        lines.append(Text("Sponsored", 11, "faint", pad_x=8, pad_y=0))
    lines += [
        Text(product.name, 13, max_lines=3, pad_x=8),
        Text(product.price, 15, bold=True, pad_x=8, pad_y=1),
        Text(stars(product), 12, "faint", pad_x=8, pad_y=1),
    ]
    if product.was_cents:
        lines.append(Text(f"was {money(product.was_cents)}", 12, "error", pad_x=8, pad_y=1))
    if not product.in_stock:
        lines.append(Text(shop.words.sold_out, 12, "error", pad_x=8, pad_y=1))
    return Card(lines, on_tap=visit(shop.at("product", product.id)), pad_x=0, pad_y=2)


def _large(shop: Shop, ctx: Ctx, product: Product) -> Widget:
    colours = dict(product.options).get("Colour", ())
    sizes = dict(product.options).get("Size", ())
    offered = [", ".join(colours)] if colours else []
    offered += [f"{sizes[0]} to {sizes[-1]}"] if len(sizes) > 1 else []
    lines: list[Widget] = [
        Picture(product.picture(), 132, 10, pad_x=10),
        Across([Text(product.name, 15, bold=True, pad_x=12), _heart(shop, ctx, product)], (0, 52)),
        Text(f"{_price(product)} · {stars(product)}", 13, pad_x=12, pad_y=1),
    ]
    if offered:
        lines.append(Text(" · ".join(offered), 12, "faint", pad_x=12, pad_y=1))
    state = product.delivery if product.in_stock else shop.words.sold_out
    lines.append(Text(state, 12, "faint" if product.in_stock else "error", pad_x=12, pad_y=1))
    return Card(lines, on_tap=visit(shop.at("product", product.id)), outlined=True)


def _line(shop: Shop, product: Product) -> Widget:
    """A compact line; the plus puts a product without options straight into the cart."""
    target = visit(shop.at("product", product.id))
    quick = ("add", product.id) if not product.options and product.in_stock else target
    sold = "" if product.in_stock else f" · {shop.words.sold_out}"
    days = "1 day" if product.delivery_days == 1 else f"{product.delivery_days} days"
    icon = "add_circle_outline" if product.in_stock else "block"
    plus = IconButton(icon, quick, "", f"more_{product.id}")
    name = GoodsRow(product.name, f"{stars(product)} · {days}{sold}")
    line = Across([name, Text(product.price, 14, bold=True, align=2, pad_x=2), plus], (0, 84, 52))
    return Card([line], target, pad_x=6, pad_y=1, inner=0, outlined=True)


def _stepper(shop: Shop, ctx: Ctx, product: Product) -> Widget:
    """A card on which the number in the cart can be changed at once."""
    line = next((line for line in ctx.data.cart_of(shop.host) if line.product_id == product.id), None)
    labels = f"\n{', '.join(product.labels)}" if product.labels else ""
    details = f"{_price(product)} · {stars(product)}{labels}"
    about = GoodsRow(product.name, details, product.picture(), visit(shop.at("product", product.id)))
    number = f"{product.id}"
    buttons: list[Widget]
    if not product.in_stock:
        return Card([about, Text(shop.words.sold_out, 13, "error", align=2)], inner=0)
    if line is None:
        buttons = [Text("", 14), IconButton("add", ("add", product.id), "", f"more_{number}", filled=True)]
        return Card([about, Across(buttons, (0, 60))], inner=0)
    buttons = [
        Text(f"In your {shop.words.cart.lower()}", 13, "faint"),
        IconButton("remove", ("change", line.id, -1), "", f"less_{number}", filled=True),
        Text(str(line.quantity), 16, align=1, pad_x=2),
        IconButton("add", ("change", line.id, 1), "", f"more_{number}", filled=True),
    ]
    return Card([about, Across(buttons, (0, 48, 36, 60))], inner=0, selected=True)


def product_list(
    shop: Shop, ctx: Ctx, products: Sequence[Product], advert: Product | None = None
) -> list[Widget]:
    """Products as the shop shows them; an advertised one comes first."""
    match shop.layout.results:
        case "grid":
            tiles = [_tile(shop, item) for item in products]
            if advert is not None:
                tiles.insert(0, _tile(shop, advert, sponsored=True))
            return [Grid(tiles[start : start + 2], 2, 8, 12) for start in range(0, len(tiles), 2)]
        case "cards":
            return [_large(shop, ctx, item) for item in products]
        case "compact":
            return [_line(shop, item) for item in products]
        case "steppers":
            return [_stepper(shop, ctx, item) for item in products]
    return [_row(shop, item) for item in products]
