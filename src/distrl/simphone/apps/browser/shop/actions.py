"""What the buttons of a shop do."""

from __future__ import annotations

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import OWNER, CartLine, Ctx, Order, Search, travel
from distrl.simphone.apps.browser.shop.browse import RESULTS_A_PAGE
from distrl.simphone.apps.browser.shop.buy import NEW_ADDRESS, address_label, delivery_of, payment_of
from distrl.simphone.apps.browser.shop.product import MOST_OF_ONE, picked
from distrl.simphone.apps.browser.shop.shop import Shop, cart_total, coupon_of
from distrl.simphone.catalogue import Product
from distrl.simphone.scene import Message
from distrl.simphone.state import Entry

LONGEST_SEARCHES = 100


def _page(ctx: Ctx) -> Entry:
    """The web page that a message is about, also if it came from a window over it."""
    return ctx.below() if ctx.page == "window" else ctx.entry


def _close_window(ctx: Ctx) -> None:
    if ctx.page == "window":
        ctx.back()


def _requery(ctx: Ctx, address: Address, **changes: str) -> None:
    """Change what the results page asks for, also for the window over it."""
    url = address.with_query(**changes).text
    _page(ctx).args["url"] = url
    _page(ctx).args.pop("shown", None)
    ctx.entry.args["url"] = url


def _add(shop: Shop, ctx: Ctx, product: Product) -> None:
    page = _page(ctx)
    on_its_page = page.args.get("url") == shop.at("product", product.id).text
    choices = picked(page, product) if on_its_page else {}
    missing = [name for name, _ in product.options if name not in choices]
    if missing:
        ctx.toast(f"Choose a {missing[0].lower()} first")
        return
    options = ";".join(f"{name}={choices[name]}" for name, _ in product.options)
    quantity = page.fields.get("quantity", "1") if on_its_page else "1"
    count = min(MOST_OF_ONE, int(quantity)) if quantity.isdecimal() else 1
    for line in ctx.data.cart_of(shop.host):
        if line.product_id == product.id and line.options == options:
            line.quantity = min(MOST_OF_ONE, line.quantity + count)
            break
    else:
        cents = product.price_with(choices)
        number = ctx.data.take_id()
        ctx.data.cart.append(CartLine(number, shop.host, product.id, product.name, options, count, cents))
    _close_window(ctx)
    ctx.toast(shop.words.added)


def _change(shop: Shop, ctx: Ctx, number: int, step: int) -> None:
    """One more or one less in the cart; where the list itself has steppers, one less than one is none."""
    for line in ctx.data.cart:
        if line.id == number:
            if line.quantity + step < 1 and shop.layout.results == "steppers":
                ctx.data.cart.remove(line)
                return
            line.quantity = min(MOST_OF_ONE, max(1, line.quantity + step))
            return


def _written_address(shop: Shop, ctx: Ctx) -> tuple[str, str]:
    """The name and the address that the checkout has been given."""
    draft = ctx.data.drafts.setdefault(shop.host, {})
    if shop.layout.address == "typed":
        for field in ("name", "address"):
            if field in ctx.entry.fields:
                draft[field] = ctx.text(field).strip()
        return draft.get("name", ""), draft.get("address", "")
    label = address_label(shop, ctx)
    if label == NEW_ADDRESS:
        if "address" in ctx.entry.fields:
            draft["new_address"] = ctx.text("address").strip()
        return OWNER, draft.get("new_address", "")
    return OWNER, next(home.text for home in ctx.data.addresses if home.label == label)


def _next_step(shop: Shop, ctx: Ctx, step: int) -> None:
    name, address = _written_address(shop, ctx)
    if not name or not address:
        ctx.toast("Fill in name and address")
        return
    travel(ctx, shop.at("checkout", step + 1), f"{shop.name} - Checkout")


def _order(shop: Shop, ctx: Ctx) -> None:
    data = ctx.data
    name, address = _written_address(shop, ctx)
    lines = data.cart_of(shop.host)
    if not name or not address or not lines:
        ctx.toast("Fill in name and address")
        return
    delivery, fee = delivery_of(shop, ctx)
    total = cart_total(shop, data, ctx.world) + fee
    payment = payment_of(shop, ctx)
    coupon = data.coupons.pop(shop.host, "")
    order = Order(data.take_id(), shop.host, lines, name, address, delivery, payment, total, coupon)
    data.orders.append(order)
    data.cart = [line for line in data.cart if line.shop != shop.host]
    data.drafts.pop(shop.host, None)
    travel(ctx, shop.at("thanks", order.id), f"{shop.name} - Order {order.id}", instead=True)


def _coupon(shop: Shop, ctx: Ctx) -> None:
    code, _ = coupon_of(shop, ctx.world)
    if code and ctx.text("coupon").strip().upper() == code:
        ctx.data.coupons[shop.host] = code
        ctx.entry.fields.pop("coupon", None)
        ctx.toast("Code applied")
    else:
        ctx.toast("This code is not valid")


def _save(shop: Shop, ctx: Ctx, number: int) -> None:
    saved = ctx.data.saved.setdefault(shop.host, [])
    if number in saved:
        saved.remove(number)
        ctx.toast(f"Removed from {shop.words.saved.lower()}")
    else:
        saved.append(number)
        ctx.toast(f"Saved to {shop.words.saved.lower()}")


def _search(shop: Shop, ctx: Ctx, address: Address) -> None:
    words = ctx.text("q", address.query.get("q", "")).strip()
    ctx.data.searches.append(Search(shop.host, words))
    del ctx.data.searches[:-LONGEST_SEARCHES]
    travel(ctx, shop.at("search", q=words), f"{shop.name} - Search")


def _show(shop: Shop, ctx: Ctx, address: Address) -> None:
    """Leave the page of limits for the results it was opened from, or for new ones."""
    target = Address(shop.host, ("search",), address.query)
    if (
        str(ctx.below().args.get("url", "")).startswith(shop.at("search").text)
        and ctx.below() is not ctx.entry
    ):
        ctx.below().args["url"] = target.text
        ctx.back()
    else:
        travel(ctx, target, f"{shop.name} - Search", instead=True)


def update(shop: Shop, ctx: Ctx, address: Address, message: Message) -> None:
    """Answer a touched widget of the shop."""
    page = _page(ctx)
    match message:
        case ("search",):
            _search(shop, ctx, address)
        case ("option", str(name), str(word)):
            page.fields[f"option:{name}"] = word
            if ctx.page == "window" and ctx.arg_str("name") != "options":
                ctx.back()
        case ("quantity", int(step)):
            quantity = page.fields.get("quantity", "1")
            now = int(quantity) if quantity.isdecimal() else 1
            page.fields["quantity"] = str(min(MOST_OF_ONE, max(1, now + step)))
        case ("set_quantity", int(number)):
            page.fields["quantity"] = str(min(MOST_OF_ONE, max(1, number)))
            _close_window(ctx)
        case ("add", int(number)):
            product = shop.product(ctx, number)
            if product is not None and product.in_stock:
                _add(shop, ctx, product)
        case ("save", int(number)):
            _save(shop, ctx, number)
        case ("show_more",):
            ctx.entry.args["shown"] = ctx.arg_int("shown", RESULTS_A_PAGE) + RESULTS_A_PAGE
        case ("remove", int(number)):
            ctx.data.cart = [line for line in ctx.data.cart if line.id != number]
        case ("change", int(number), int(step)):
            _change(shop, ctx, number, step)
        case _:
            _update_refine(shop, ctx, address, message)
            _update_checkout(shop, ctx, message)


def _update_refine(shop: Shop, ctx: Ctx, address: Address, message: Message) -> None:
    match message:
        case ("sort", str(key)):
            _requery(ctx, address, sort=key)
            _close_window(ctx)
        case ("limit", str(name), str(value)):
            _requery(ctx, address, **{name: "" if address.query.get(name) == value else value})
        case ("only_limit", str(name), str(value)):
            _requery(ctx, address, **{name: value})
            _close_window(ctx)
        case ("clear_limits",):
            _requery(ctx, address, **dict.fromkeys(shop.filters, ""))
        case ("show",):
            _show(shop, ctx, address)


def _update_checkout(shop: Shop, ctx: Ctx, message: Message) -> None:
    match message:
        case ("pick", str(name), str(word)):
            ctx.data.drafts.setdefault(shop.host, {})[name] = word
        case ("next_step", int(step)):
            _next_step(shop, ctx, step)
        case ("order",):
            _order(shop, ctx)
        case ("coupon",):
            _coupon(shop, ctx)
        case ("drop_coupon",):
            ctx.data.coupons.pop(shop.host, None)
