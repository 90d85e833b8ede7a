"""The pages of a shop where one buys: cart, checkout in one page or several, thanks, earlier orders."""

from __future__ import annotations

from distrl.simphone.apps.browser.data import CartLine, Ctx
from distrl.simphone.apps.browser.shop.frame import header
from distrl.simphone.apps.browser.shop.goods_row import GoodsRow
from distrl.simphone.apps.browser.shop.shop import Shop, cart_total, coupon_of
from distrl.simphone.apps.browser.site import visit
from distrl.simphone.apps.browser.tables import pairs
from distrl.simphone.catalogue import money
from distrl.simphone.widgets import (
    Across,
    Button,
    Card,
    Divider,
    Empty,
    Gap,
    Icon,
    IconButton,
    Row,
    SectionHeader,
    Text,
    TextField,
    Widget,
)

NEW_ADDRESS = "New address"


def _line(shop: Shop, ctx: Ctx, line: CartLine) -> Widget:
    product = shop.product(ctx, line.product_id)
    options = dict(pairs(line.options))
    details = ", ".join(options.values()) or "One size"
    photo = product.picture(options.get("Colour", "")) if product else "shopping_bag"
    price = f"{details}\n{money(line.price_cents)}"
    about = GoodsRow(line.name, price, photo, visit(shop.at("product", line.product_id)))
    amount = Across(
        [
            IconButton("delete", ("remove", line.id), "", "remove"),
            Text(money(line.price_cents * line.quantity), 15, bold=True),
            IconButton("remove", ("change", line.id, -1), "", "less", filled=True),
            Text(str(line.quantity), 16, align=1, pad_x=2),
            IconButton("add", ("change", line.id, 1), "", "more", filled=True),
        ],
        (52, 0, 48, 36, 56),
    )
    return Card([about, amount], inner=0)


def _sum(word: str, cents: int, name: str = "") -> Widget:
    return Across([Text(word, 16), Text(money(cents), 18, bold=True, align=2, name=name)])


def _coupon(shop: Shop, ctx: Ctx) -> list[Widget]:
    """The field for a coupon code, or what the code took off."""
    code, percent = coupon_of(shop, ctx.world)
    if not code:
        return []
    if ctx.data.coupons.get(shop.host) == code:
        note = Text(f"{code}: {percent}% off", 14, "primary")
        return [Across([note, IconButton("close", ("drop_coupon",), "", "drop_coupon")], (0, 60))]
    field = TextField("coupon", shop.words.coupon, icon="sell", on_submit=("coupon",))
    return [Across([field, Button(shop.words.apply, ("coupon",), "tonal", pad_x=0), Gap(0)], (0, 104, 16))]


def build_cart(shop: Shop, ctx: Ctx) -> list[Widget]:
    """What lies in the cart, and the way to pay for it."""
    lines = ctx.data.cart_of(shop.host)
    top: list[Widget] = [header(shop, ctx), Text(shop.words.cart, 20, pad_y=10)]
    orders = [order for order in ctx.data.orders if order.shop == shop.host]
    earlier: list[Widget] = (
        [
            Row(
                title="Earlier orders",
                icon="receipt_long",
                trailing="chevron",
                on_tap=visit(shop.at("orders")),
            )
        ]
        if orders
        else []
    )
    if not lines:
        empty = Empty("remove_shopping_cart", f"Your {shop.words.cart.lower()} is empty")
        return [*top, empty, Button("Continue shopping", visit(shop.at()), "tonal"), *earlier]
    return [
        *top,
        *(_line(shop, ctx, line) for line in lines),
        Gap(8),
        *_coupon(shop, ctx),
        _sum(shop.words.total, cart_total(shop, ctx.data, ctx.world), "total"),
        Button(shop.words.checkout, visit(shop.at("checkout"))),
        *earlier,
    ]


def delivery_of(shop: Shop, ctx: Ctx) -> tuple[str, int]:
    """The delivery chosen at the checkout and what it costs."""
    wanted = ctx.data.drafts.get(shop.host, {}).get("delivery", "")
    return next((pair for pair in shop.deliveries if pair[0] == wanted), shop.deliveries[0])


def payment_of(shop: Shop, ctx: Ctx) -> str:
    """How it is to be paid."""
    return ctx.data.drafts.get(shop.host, {}).get("payment", shop.payments[0])


def address_label(shop: Shop, ctx: Ctx) -> str:
    """Which of the known addresses was chosen, or that it is a new one."""
    known = [home.label for home in ctx.data.addresses]
    chosen = ctx.data.drafts.get(shop.host, {}).get("address", known[0] if known else NEW_ADDRESS)
    return chosen if chosen in known else NEW_ADDRESS


def _addresses(shop: Shop, ctx: Ctx) -> list[Widget]:
    if shop.layout.address == "typed":
        return [
            TextField("name", "Full name", icon="person"),
            TextField("address", "Delivery address", icon="home"),
        ]
    chosen = address_label(shop, ctx)
    rows: list[Widget] = [
        Row(
            title=home.label,
            subtitle=home.text,
            trailing="radio",
            checked=chosen == home.label,
            on_tap=("pick", "address", home.label),
        )
        for home in ctx.data.addresses
    ]
    rows.append(
        Row(title=NEW_ADDRESS, trailing="radio", checked=chosen == NEW_ADDRESS,
            on_tap=("pick", "address", NEW_ADDRESS))
    )  # fmt: skip
    if chosen == NEW_ADDRESS:
        written = ctx.data.drafts.get(shop.host, {}).get("new_address", "")
        rows.append(TextField("address", "Street and town", written, icon="home"))
    return [SectionHeader("Ship to"), *rows]


def _deliveries(shop: Shop, ctx: Ctx) -> list[Widget]:
    chosen, _ = delivery_of(shop, ctx)
    rows = [
        Row(
            title=name,
            end_text=money(cost) if cost else "Free",
            trailing="radio",
            checked=name == chosen,
            on_tap=("pick", "delivery", name),
        )
        for name, cost in shop.deliveries
    ]
    return [SectionHeader(shop.words.delivery), *rows]


def _payments(shop: Shop, ctx: Ctx) -> list[Widget]:
    chosen = payment_of(shop, ctx)
    rows = [
        Row(title=name, trailing="radio", checked=name == chosen, on_tap=("pick", "payment", name))
        for name in shop.payments
    ]
    return [SectionHeader(shop.words.payment), *rows]


def _review(shop: Shop, ctx: Ctx) -> list[Widget]:
    rows = [
        Row(
            title=f"{line.quantity} x {line.name}",
            subtitle=", ".join(dict(pairs(line.options)).values()),
            end_text=money(line.price_cents * line.quantity),
        )
        for line in ctx.data.cart_of(shop.host)
    ]
    delivery, fee = delivery_of(shop, ctx)
    return [*rows, Row(title=delivery, end_text=money(fee) if fee else "Free")]


def build_checkout(shop: Shop, ctx: Ctx, step: int) -> list[Widget]:
    """Address, delivery and payment: together, or on one page after the other."""
    _, fee = delivery_of(shop, ctx)
    parts = [[*_addresses(shop, ctx)], [*_deliveries(shop, ctx)], [*_payments(shop, ctx)]]
    if shop.layout.steps == 1:
        pages = [parts[0] + parts[1] + parts[2]]
    elif shop.layout.steps == 2:
        pages = [parts[0] + parts[1], parts[2] + _review(shop, ctx)]
    else:
        pages = [*parts[:2], parts[2] + _review(shop, ctx)]
    step = min(max(1, step), len(pages))
    count = f" · step {step} of {len(pages)}" if len(pages) > 1 else ""
    head: list[Widget] = [header(shop, ctx), Text(shop.words.checkout + count, 20, pad_y=10)]
    if step < len(pages):
        return [*head, *pages[step - 1], Divider(16), Button(shop.words.next, ("next_step", step))]
    total = _sum("To pay", cart_total(shop, ctx.data, ctx.world) + fee, "total")
    return [*head, *pages[-1], Divider(16), total, Button(shop.words.order, ("order",))]


def build_thanks(shop: Shop, ctx: Ctx, number: int) -> list[Widget]:
    """The page after an order."""
    order = next((order for order in ctx.data.orders if order.id == number), None)
    text = f"Order {number}: {money(order.total_cents)}, {order.delivery}" if order else "No such order"
    return [
        header(shop, ctx),
        Gap(40),
        Icon("check_circle", 72, "primary"),
        Text(shop.words.thanks if order else "Nothing here", 20, align=1, pad_y=10),
        Text(text, 14, "faint", align=1),
        Gap(16),
        Button("Continue shopping", visit(shop.at()), "tonal"),
    ]


def build_orders(shop: Shop, ctx: Ctx) -> list[Widget]:
    """Earlier orders, the last one first."""
    rows: list[Widget] = [
        Row(
            title=f"Order {order.id} · {money(order.total_cents)}",
            subtitle="; ".join(f"{line.quantity} x {line.name}" for line in order.lines),
            icon="receipt_long",
            on_tap=visit(shop.at("thanks", order.id)),
        )
        for order in reversed(ctx.data.orders)
        if order.shop == shop.host
    ]
    return [
        header(shop, ctx),
        Text("Earlier orders", 20, pad_y=10),
        *(rows or [Empty("receipt", "No orders")]),
    ]
