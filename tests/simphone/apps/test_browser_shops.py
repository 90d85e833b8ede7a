"""Each shop from the search to the order, by what its pages say; the tables must agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from distrl.simphone.apps.browser.shop.shops import SHOPS
from distrl.simphone.catalogue import catalogue

if TYPE_CHECKING:
    from typing import Any

    Hand = Any

BROWSER = "com.simphone.browser"
HOSTS = [shop.host for shop in SHOPS]
OPTIONS = "Size=S,M,L;Colour=Red,Blue"
KETTLES = (
    ("Aurora Kettle", "31.50", "4.1"),
    ("Bramble Kettle", "22.00", "3.9"),
    ("Cobalt Kettle", "47.90", "4.8"),
)


@pytest.fixture
def shopper(hand: Callable[..., Hand]) -> Callable[..., Hand]:
    def opened(host: str, options: str = OPTIONS, path: str = "") -> Hand:
        found = hand(BROWSER)
        for number, (name, price, rating) in enumerate(KETTLES):
            found.bind(
                "insert", "products", _id=9001 + number, shop=host, name=name, price=price, rating=rating,
                options=options, delivery_days=3 - number, reviews=40 + number,
            )  # fmt: skip
        found.phone.shell(f"am start -d https://{host}{path}")
        return found

    return opened


def press(hand: Hand, *labels: str) -> None:
    """Touch one thing after the other, scrolling down where it is not in sight."""
    for label in labels:
        for _ in range(12):
            if any(
                label in (n.text, n.description) or n.resource_id.endswith(f":id/{label}")
                for n in hand.phone.tree()
            ):
                break
            hand.phone.swipe(206, 470, 206, 270)
        hand.tap(label)


def kettles(hand: Hand) -> list[str]:
    """The kettles on the screen, in order."""
    return [word for word in hand.words() if word.endswith("Kettle")]


def test_larkspur(shopper: Callable[..., Hand]) -> None:
    hand = shopper("larkspur.market")
    press(hand, "Search Larkspur Market")
    hand.phone.type_text("kettle\n")
    press(hand, "Sort: Relevance", "Price: high to low")
    assert kettles(hand) == ["Cobalt Kettle", "Aurora Kettle", "Bramble Kettle"]
    press(hand, "Filter", "Under $30", "Show results")
    assert kettles(hand) == ["Bramble Kettle"]
    press(hand, "Bramble Kettle", "Add to cart")
    assert hand.sees("Choose a size first")
    press(hand, "M", "Blue", "more", "Add to cart", "cart", "Checkout")
    press(hand, "Full name")
    hand.phone.type_text("Ann Lee")
    press(hand, "Delivery address")
    hand.phone.type_text("1 Hill Road")
    hand.phone.key("BACK")
    press(hand, "Express", "Place order")
    assert hand.sees("Thank you for your order")
    row = hand.rows("orders")
    assert "products=Bramble Kettle x2, options=Size=M;Colour=Blue, quantity=2, name=Ann Lee" in row
    assert "address=1 Hill Road, delivery=Express, payment=Card, total=51.99" in row
    assert hand.rows("cart") == "No result found.\n"
    assert "url=larkspur.market/product/9002, title=Bramble Kettle - Larkspur Market" in hand.rows("history")


def test_voltaic(shopper: Callable[..., Hand]) -> None:
    hand = shopper("voltaic.store")
    press(hand, "search_icon", "What are you looking for?")
    hand.phone.type_text("kettle\n")
    assert hand.sees("Sponsored")
    press(hand, "Cheapest")
    assert kettles(hand)[:2] == ["Bramble Kettle", "Aurora Kettle"]
    press(hand, "4.0 and up")
    assert "Bramble Kettle" not in kettles(hand)
    press(hand, "Aurora Kettle", "Select size", "L", "Select colour", "Red", "Qty", "3", "Add to basket")
    assert hand.sees("It is in your basket")
    press(
        hand,
        "Basket",
        "Proceed to delivery",
        "Work",
        "Courier",
        "Continue to payment",
        "Gift card",
        "Pay now",
    )
    assert hand.sees("Payment received")
    work = hand.rows("addresses", "label='Work'").split("address=")[1].strip()
    row = hand.rows("orders")
    assert "products=Aurora Kettle x3, options=Size=L;Colour=Red" in row
    assert f"address={work}, delivery=Courier, payment=Gift card, total=99.40" in row
    assert "name=Aurora Kettle, options=Size=L;Colour=Red, quantity=3, price=31.50" in hand.rows(
        "order_items"
    )


def test_thimble(shopper: Callable[..., Hand]) -> None:
    hand = shopper("thimble.clothing")
    press(hand, "Find clothes and shoes")
    hand.phone.type_text("kettle\n")
    press(hand, "Order: Our picks", "Best reviewed")
    assert kettles(hand)[0] == "Cobalt Kettle"
    press(hand, "save_9003")
    press(hand, "Refine", "Under $40", "Show items (2)")
    assert set(kettles(hand)) == {"Aurora Kettle", "Bramble Kettle"}
    press(hand, "Refine (1)", "Reset", "Show items (3)", "Cobalt Kettle", "M", "colour_blue", "Put in bag")
    assert hand.sees("It's in your bag")
    code = hand.rows("coupons", "shop='thimble.clothing'").split("code=")[1].split(",")[0]
    percent = int(code.removeprefix("STITCH"))
    press(hand, "cart", "more", "Promo code")
    hand.phone.type_text("WRONG\n")
    assert hand.sees("This code is not valid")
    press(hand, "coupon")
    hand.phone.clear_text()
    hand.phone.type_text(code)
    hand.phone.key("BACK")
    press(hand, "Redeem", "Go to checkout", "Pick up in store", "Invoice", "Complete purchase")
    assert hand.sees("Your clothes are on their way")
    total = 9580 - 9580 * percent // 100
    assert f"total={total / 100:.2f}, coupon={code}" in hand.rows("orders")
    assert "product_id=9003, name=Cobalt Kettle" in hand.rows("saved", "shop='thimble.clothing'")


def test_hearthside(shopper: Callable[..., Hand]) -> None:
    hand = shopper("hearthside.home")
    press(hand, "Search furniture and more")
    hand.phone.type_text("kettle\n")
    press(hand, "Sort & filter", "Least expensive", "Apply (3)")
    assert kettles(hand)[0] == "Bramble Kettle"
    press(hand, "Cobalt Kettle", "more", "Choose options", "Order")
    assert hand.sees("Choose a size first")
    press(hand, "S", "Red", "Order")
    assert hand.sees("Added to your order list")
    press(hand, "cart_bar", "To the till", "New address")
    press(hand, "Street and town")
    hand.phone.type_text("9 Quay")
    hand.phone.key("BACK")
    press(hand, "Collect yourself", "Next: payment", "Card", "Confirm and pay")
    assert hand.sees("We have your order")
    assert "address=9 Quay, delivery=Collect yourself, payment=Card, total=95.80" in hand.rows("orders")


def test_hearthside_puts_simple_things_into_the_cart_at_once(shopper: Callable[..., Hand]) -> None:
    hand = shopper("hearthside.home", options="", path="/search?q=bramble")
    press(hand, "more_9002")
    assert "name=Bramble Kettle, options=, quantity=1" in hand.rows("cart")


def test_pageturner(shopper: Callable[..., Hand]) -> None:
    hand = shopper("pageturner.books", options="Format=E-book,Paperback")
    press(hand, "Search", "Title, author or subject")
    hand.phone.type_text("kettle\n")
    press(hand, "Price up")
    assert kettles(hand)[0] == "Bramble Kettle"
    press(hand, "Narrow down", "4.5 and up", "Done", "Cobalt Kettle", "Paperback", "save", "Buy")
    assert hand.sees("One more for your book bag")
    press(hand, "Reading list")
    assert kettles(hand) == ["Cobalt Kettle"]
    press(hand, "Book bag", "Check out", "Full name")
    hand.phone.type_text("Ann Lee")
    press(hand, "Delivery address")
    hand.phone.type_text("1 Hill Road")
    hand.phone.key("BACK")
    press(hand, "Tracked parcel", "To payment", "Book token", "Buy for good")
    assert hand.sees("Happy reading")
    assert "address=1 Hill Road, delivery=Tracked parcel, payment=Book token, total=52.40" in hand.rows(
        "orders"
    )


def test_fennel(shopper: Callable[..., Hand]) -> None:
    hand = shopper("fennel.grocery", options="")
    press(hand, "Search groceries")
    hand.phone.type_text("kettle\n")
    press(hand, "Sorted by: Popular", "Price, highest")
    assert kettles(hand)[0] == "Cobalt Kettle"
    press(hand, "more_9001", "more_9001", "more_9002", "less_9002")
    assert "Bramble" not in hand.rows("cart")
    assert "name=Aurora Kettle, options=, quantity=2" in hand.rows("cart")
    press(hand, "cart_bar", "Choose a delivery time", "Tomorrow 8-10", "Send order")
    assert hand.sees("We are packing your order")
    assert "delivery=Tomorrow 8-10, payment=Card, total=65.90" in hand.rows("orders")


def test_ridgeline(shopper: Callable[..., Hand]) -> None:
    hand = shopper("ridgeline.outdoor")
    press(hand, "search_icon", "Search gear")
    hand.phone.type_text("kettle\n")
    press(hand, "Stars")
    assert kettles(hand)[0] == "Cobalt Kettle"
    press(
        hand, "Trim", "Under $25", "See gear", "Bramble Kettle", "Select size", "S", "Select colour", "Blue"
    )
    press(hand, "more", "Pack it", "cart_word", "Head to checkout", "Full name")
    hand.phone.type_text("Ann Lee")
    press(hand, "Delivery address")
    hand.phone.type_text("1 Hill Road")
    hand.phone.key("BACK")
    press(hand, "Onwards", "Fast lane", "Onwards", "Club account", "Send it")
    assert hand.sees("See you outside")
    assert "quantity=2, name=Ann Lee, address=1 Hill Road, delivery=Fast lane" in hand.rows("orders")


@pytest.mark.parametrize("host", HOSTS)
def test_planted_products_are_found_everywhere(host: str, shopper: Callable[..., Hand]) -> None:
    hand = shopper(host, path="/search?q=cobalt")
    assert kettles(hand) == ["Cobalt Kettle"]
    row = hand.rows("products", f"shop='{host}' AND name='Cobalt Kettle'")
    category = row.split("category=")[1].split(", ")[0]
    hand.phone.shell(f"am start -d 'https://{host}/search?category={category.replace('&', '%26')}&q=kettle'")
    assert hand.sees(f"3 results for {category}")
    assert len(kettles(hand)) >= 2
    hand.phone.shell("am start -d 'https://quarry.search/search?q=cobalt+kettle'")
    assert any(word.startswith("Cobalt Kettle - ") for word in hand.words())


@pytest.mark.parametrize("host", HOSTS)
def test_carts_can_be_filled_changed_and_emptied(host: str, shopper: Callable[..., Hand]) -> None:
    hand = shopper(host)
    hand.bind("insert", "cart", shop=host, product_id=9002, options="Size=M;Colour=Red", quantity=2)
    hand.phone.shell(f"am start -d https://{host}/cart")
    press(hand, "more")
    assert "quantity=3, price=22.00" in hand.rows("cart")
    press(hand, "less")
    assert "quantity=2" in hand.rows("cart")
    press(hand, "remove")
    assert hand.rows("cart") == "No result found.\n"


@pytest.mark.parametrize("host", HOSTS)
def test_every_shop_has_its_own_goods_and_near_duplicates(host: str) -> None:
    products = catalogue(3, host)
    assert len(products) == 80
    assert len({item.name for item in products}) == 80
    assert len({item.id for item in products}) == 80
    assert catalogue(4, host) != products
    makers = [(item.brand, item.noun) for item in products]
    assert len(makers) - len(set(makers)) >= 8


def test_options_may_cost_more(hand: Callable[..., Hand]) -> None:
    found = hand(BROWSER)
    found.bind(
        "insert", "products", _id=9001, shop="larkspur.market", name="Heron Kettle", price="20.00",
        options="Size=Small,Large", extras="Large=5.50", labels="New", facts="Weight=2 kg", stock=2,
    )  # fmt: skip
    found.phone.shell("am start -d https://larkspur.market/product/9001")
    press(found, "Large (+$5.50)")
    assert found.sees("$25.50")
    press(found, "Add to cart")
    assert "options=Size=Large, quantity=1, price=25.50" in found.rows("cart")
