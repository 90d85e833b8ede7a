"""The Browser: address bar, start page, bookmarks, history, and the web sites behind it."""

from __future__ import annotations

from distrl.simphone.app import App, Table
from distrl.simphone.apps.browser.address import parse
from distrl.simphone.apps.browser.data import (
    BrowserData,
    Visit,
    cart_rows,
    order_rows,
    product_rows,
    saved_rows,
    stock_product,
    visit_rows,
)
from distrl.simphone.apps.browser.pages import (
    build_history,
    build_main,
    build_menu,
    build_web,
    build_window,
)
from distrl.simphone.apps.browser.registry import BY_HOST, SITES
from distrl.simphone.apps.browser.update import update
from distrl.simphone.state import Value
from distrl.simphone.world import World


def fill(world: World) -> BrowserData:
    """A browser with a bookmark for every site."""
    del world
    return BrowserData([Visit(site.host, site.title) for site in SITES])


def page_for_uri(uri: str) -> tuple[str, dict[str, Value]] | None:
    """Web addresses are for the browser."""
    if not uri.startswith(("http://", "https://")) and parse(uri).host not in BY_HOST:
        return None
    return "web", {"url": parse(uri).text}


def _clear_cart_line(data: BrowserData, row: int) -> None:
    data.cart = [line for line in data.cart if line.id != row]


def _clear_history_line(data: BrowserData, row: int) -> None:
    if 0 < row <= len(data.history):
        del data.history[row - 1]


BROWSER = App(
    package="com.simphone.browser",
    label="Browser",
    icon="public",
    colour=(38, 132, 124),
    data=BrowserData,
    fill=fill,
    pages={
        "main": build_main,
        "web": build_web,
        "window": build_window,
        "menu": build_menu,
        "history": build_history,
    },
    update=update,
    tables={
        "cart": Table(cart_rows, delete=_clear_cart_line),
        "orders": Table(order_rows),
        "saved": Table(saved_rows),
        "products": Table(
            lambda data, world: product_rows(data, world, [site.host for site in SITES]), stock_product
        ),
        "history": Table(lambda data, _: visit_rows(data.history), delete=_clear_history_line),
        "bookmarks": Table(lambda data, _: visit_rows(data.bookmarks)),
    },
    page_for_uri=page_for_uri,
)
