"""A shop as a web site: which page an address shows, and what its buttons do."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import CartLine, Ctx, Order
from distrl.simphone.apps.browser.shop import browse, buy
from distrl.simphone.apps.browser.shop.shop import Shop, cart_total, chosen, delivery_of
from distrl.simphone.apps.browser.site import Site, visit
from distrl.simphone.catalogue import Product
from distrl.simphone.scene import Message
from distrl.simphone.widgets import BottomNav, Destination, Empty, Widget

MOST_OF_ONE = 20


def build(shop: Shop, ctx: Ctx, address: Address) -> Sequence[Widget]:
    """The page of an address."""
    match address.part(0):
        case "":
            return browse.build_home(shop, ctx)
        case "search":
            return browse.build_results(shop, ctx, address)
        case "product":
            product = shop.product(ctx, address.number(1))
            if product is not None:
                return browse.build_product(shop, ctx, product)
        case "cart":
            return buy.build_cart(shop, ctx)
        case "checkout" if ctx.data.cart_of(shop.host):
            return buy.build_checkout(shop, ctx)
        case "thanks":
            return buy.build_thanks(shop, ctx, address.number(1))
        case "saved":
            numbers = ctx.data.saved.get(shop.host, [])
            products = [item for item in shop.products(ctx) if item.id in numbers]
            return buy.build_saved(shop, ctx, browse.product_list(shop, products))
    return [browse.header(shop, ctx), Empty("error", "This page does not exist")]


def bottom(shop: Shop, ctx: Ctx, address: Address) -> Widget | None:
    """A shop with its cart at the bottom has a navigation bar there."""
    if shop.layout.cart != "bottom":
        return None
    count = sum(line.quantity for line in ctx.data.cart_of(shop.host))
    places = [
        Destination("Home", "storefront", visit(shop.at())),
        Destination("Browse", "search", visit(shop.at("search"))),
        Destination(shop.words.save, "favorite", visit(shop.at("saved"))),
        Destination(shop.words.cart, "shopping_cart", visit(shop.at("cart")), count),
    ]
    here = {"": 0, "search": 1, "product": 1, "saved": 2}.get(address.part(0), 3)
    return BottomNav(places, here)


def _add(shop: Shop, ctx: Ctx, product: Product) -> None:
    picked = chosen(ctx, product)
    missing = [name for name, _ in product.options if name not in picked]
    if missing:
        ctx.toast(f"Choose a {missing[0].lower()} first")
        return
    options = ";".join(f"{name}={picked[name]}" for name, _ in product.options)
    quantity = ctx.text("quantity", "1")
    count = int(quantity) if quantity.isdecimal() else 1
    for line in ctx.data.cart_of(shop.host):
        if line.product_id == product.id and line.options == options:
            line.quantity = min(MOST_OF_ONE, line.quantity + count)
            break
    else:
        ctx.data.cart.append(
            CartLine(
                ctx.data.take_id(), shop.host, product.id, product.name, options, count, product.price_cents
            )
        )
    ctx.toast(f"Added to {shop.words.cart.lower()}")


def _order(shop: Shop, ctx: Ctx) -> None:
    name, address = ctx.text("name").strip(), ctx.text("address").strip()
    lines = ctx.data.cart_of(shop.host)
    if not name or not address or not lines:
        ctx.toast("Fill in name and address")
        return
    delivery, fee = delivery_of(shop, ctx)
    payment = ctx.text("payment", shop.payments[0])
    order = Order(
        ctx.data.take_id(), shop.host, lines, name, address, delivery, payment, cart_total(shop, ctx) + fee
    )
    ctx.data.orders.append(order)
    ctx.data.cart = [line for line in ctx.data.cart if line.shop != shop.host]
    ctx.replace("web", url=shop.at("thanks", order.id).text)


def _requery(ctx: Ctx, address: Address, close: bool, **changes: str) -> None:
    """Change what the results page under a sheet asks for; the sheet closes or shows the new choice."""
    url = address.with_query(**changes).text
    ctx.below().args["url"] = url
    ctx.entry.args["url"] = url
    if close:
        ctx.back()


def update(shop: Shop, ctx: Ctx, address: Address, message: Message) -> None:
    """Answer a touched widget of the shop."""
    data = ctx.data
    match message:
        case ("search",):
            words = ctx.text("q", address.query.get("q", "")).strip()
            target = shop.at("search", q=words).text
            data.remember(target, f"{shop.name} - Search")
            ctx.go("web", url=target)
        case ("option", str(name), str(word)):
            ctx.set_text(f"option:{name}", word)
        case ("pick", str(name), str(word)):
            ctx.set_text(name, word)
        case ("quantity", int(step)):
            quantity = ctx.text("quantity", "1")
            now = int(quantity) if quantity.isdecimal() else 1
            ctx.set_text("quantity", str(min(MOST_OF_ONE, max(1, now + step))))
        case ("add", int(number)):
            product = shop.product(ctx, number)
            if product is not None:
                _add(shop, ctx, product)
        case ("save",):
            saved = data.saved.setdefault(shop.host, [])
            number = address.number(1)
            if number in saved:
                saved.remove(number)
            else:
                saved.append(number)
        case ("remove", int(number)):
            data.cart = [line for line in data.cart if line.id != number]
        case ("change", int(number), int(step)):
            for line in data.cart:
                if line.id == number:
                    line.quantity = min(MOST_OF_ONE, max(1, line.quantity + step))
        case ("order",):
            _order(shop, ctx)
        case ("sort", str(key)):
            _requery(ctx, address, True, sort=key)
        case ("limit", str(name), str(value)):
            chosen_now = address.query.get(name) == value
            _requery(ctx, address, False, **{name: "" if chosen_now else value})
        case ("clear_limits",):
            _requery(ctx, address, False, max="", rating="", stock="")


def shop_site(shop: Shop) -> Site:
    """The web site of a shop."""
    return Site(
        host=shop.host,
        title=shop.name,
        icon=shop.icon,
        about=shop.about,
        build=lambda ctx, address: build(shop, ctx, address),
        update=lambda ctx, address, message: update(shop, ctx, address, message),
        build_window=lambda ctx, address, name: buy.build_window(shop, ctx, address, name),
        bottom=lambda ctx, address: bottom(shop, ctx, address),
    )
