"""The pages of a shop where one buys: cart, checkout, thanks; and the windows for sorting and filtering."""

from __future__ import annotations

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import CartLine, Ctx
from distrl.simphone.apps.browser.shop.browse import header
from distrl.simphone.apps.browser.shop.shop import (
    PRICE_LIMITS,
    RATING_LIMITS,
    SORTS,
    Shop,
    cart_total,
    delivery_of,
)
from distrl.simphone.apps.browser.site import visit
from distrl.simphone.catalogue import money
from distrl.simphone.widgets import (
    Across,
    BottomSheet,
    Button,
    Card,
    Chip,
    Chips,
    Divider,
    Empty,
    Gap,
    Icon,
    IconButton,
    Row,
    SectionHeader,
    Surface,
    Text,
    TextField,
    Widget,
)


def _line(shop: Shop, ctx: Ctx, line: CartLine) -> Widget:
    product = shop.product(ctx, line.product_id)
    options = dict(part.split("=", 1) for part in line.options.split(";") if "=" in part)
    details = ", ".join(options.values()) or "One size"
    about = Row(
        title=line.name,
        subtitle=f"{details}\n{money(line.price_cents)}",
        photo=product.picture(options.get("Colour", "")) if product else "shopping_bag",
        on_tap=visit(shop.at("product", line.product_id)),
    )
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


def build_cart(shop: Shop, ctx: Ctx) -> list[Widget]:
    """What lies in the cart, and the way to pay for it."""
    lines = ctx.data.cart_of(shop.host)
    top: list[Widget] = [header(shop, ctx), Text(shop.words.cart, 20, pad_y=10)]
    if not lines:
        empty = Empty("remove_shopping_cart", f"Your {shop.words.cart.lower()} is empty")
        return [*top, empty, Button("Continue shopping", visit(shop.at()), "tonal")]
    total = Across(
        [Text("Total", 16), Text(money(cart_total(shop, ctx)), 18, bold=True, align=2, name="total")]
    )
    pay = Button(shop.words.checkout, visit(shop.at("checkout")))
    return [*top, *(_line(shop, ctx, line) for line in lines), Gap(8), total, pay]


def build_checkout(shop: Shop, ctx: Ctx) -> list[Widget]:
    """Name, address, delivery and payment."""
    delivery, fee = delivery_of(shop, ctx)
    payment = ctx.text("payment", shop.payments[0])
    deliveries = [
        Row(
            title=name,
            end_text=money(cost) if cost else "Free",
            trailing="radio",
            checked=name == delivery,
            on_tap=("pick", "delivery", name),
        )
        for name, cost in shop.deliveries
    ]
    payments = [
        Row(title=name, trailing="radio", checked=name == payment, on_tap=("pick", "payment", name))
        for name in shop.payments
    ]
    total = Across(
        [Text("To pay", 16), Text(money(cart_total(shop, ctx) + fee), 18, bold=True, align=2, name="total")]
    )
    return [
        header(shop, ctx),
        Text(shop.words.checkout, 20, pad_y=10),
        TextField("name", "Full name", icon="person"),
        TextField("address", "Delivery address", icon="home"),
        SectionHeader("Delivery"),
        *deliveries,
        SectionHeader("Payment"),
        *payments,
        Divider(16),
        total,
        Button(shop.words.order, ("order",)),
    ]


def build_thanks(shop: Shop, ctx: Ctx, number: int) -> list[Widget]:
    """The page after an order."""
    order = next((order for order in ctx.data.orders if order.id == number), None)
    text = f"Order {number}: {money(order.total_cents)}, {order.delivery}" if order else "No such order"
    return [
        header(shop, ctx),
        Gap(40),
        Icon("check_circle", 72, "primary"),
        Text("Thank you for your order", 20, align=1, pad_y=10),
        Text(text, 14, "faint", align=1),
        Gap(16),
        Button("Continue shopping", visit(shop.at()), "tonal"),
    ]


def build_saved(shop: Shop, ctx: Ctx, rows: list[Widget]) -> list[Widget]:
    """The products put aside."""
    return [
        header(shop, ctx),
        Text(shop.words.save, 20, pad_y=10),
        *(rows or [Empty("favorite", "Nothing yet")]),
    ]


def build_window(shop: Shop, ctx: Ctx, address: Address, name: str) -> Surface:
    """The sheets over the results: order and limits."""
    del shop, ctx
    query = address.query
    if name == "sort":
        rows = [
            Row(title=word, trailing="radio", checked=query.get("sort", "") == key, on_tap=("sort", key))
            for key, word in SORTS.items()
        ]
        return BottomSheet(rows, "Sort by")
    prices = [
        Chip(f"Under ${limit}", ("limit", "max", str(limit)), query.get("max") == str(limit))
        for limit in PRICE_LIMITS
    ]
    ratings = [
        Chip(f"{limit / 10:.1f} and up", ("limit", "rating", str(limit)), query.get("rating") == str(limit))
        for limit in RATING_LIMITS
    ]
    stock = Row(
        title="In stock only",
        trailing="switch",
        checked=bool(query.get("stock")),
        on_tap=("limit", "stock", "1"),
    )
    return BottomSheet(
        [
            SectionHeader("Price"),
            Chips(prices, "prices", wrap=True),
            SectionHeader("Rating"),
            Chips(ratings, "ratings", wrap=True),
            stock,
            Across([Button("Clear", ("clear_limits",), "outlined"), Button("Show results", ("@back",))]),
        ],
        "Filter",
    )
