"""The Browser: address bar, tabs, bookmarks, history, a search engine, and the web sites behind it."""

from __future__ import annotations

from distrl.simphone.app import App, Table
from distrl.simphone.apps.browser import pages, shelves, tables
from distrl.simphone.apps.browser.address import parse
from distrl.simphone.apps.browser.data import BrowserData, Visit, known_addresses
from distrl.simphone.apps.browser.registry import BY_HOST, SITES
from distrl.simphone.apps.browser.shop.shops import SHOPS
from distrl.simphone.apps.browser.update import update
from distrl.simphone.state import Value
from distrl.simphone.world import World

_SHOP_HOSTS = [shop.host for shop in SHOPS]


def fill(world: World) -> BrowserData:
    """A browser with a bookmark for every site."""
    return BrowserData([Visit(site.host, site.title) for site in SITES], known_addresses(world))


def page_for_uri(uri: str) -> tuple[str, dict[str, Value]] | None:
    """Web addresses are for the browser."""
    if not uri.startswith(("http://", "https://")) and parse(uri).host not in BY_HOST:
        return None
    return "web", {"url": parse(uri).text}


BROWSER = App(
    package="com.simphone.browser",
    label="Browser",
    icon="public",
    colour=(38, 132, 124),
    data=BrowserData,
    fill=fill,
    pages={
        "main": pages.build_main,
        "web": pages.build_web,
        "window": pages.build_window,
        "menu": pages.build_menu,
        "tabs": pages.build_tabs,
        "bookmarks": pages.build_bookmarks,
        "history": pages.build_history,
    },
    update=update,
    # Any message makes it write down what the tab in front shows.
    swiped=frozenset({"main", "web", "window", "menu", "tabs", "bookmarks", "history"}),
    tables={
        "cart": Table(tables.cart_rows, tables.fill_cart, delete=tables.empty_cart_line),
        "orders": Table(tables.order_rows),
        "order_items": Table(tables.order_item_rows),
        "saved": Table(tables.saved_rows, tables.save_product),
        "products": Table(
            lambda data, world: tables.product_rows(data, world, _SHOP_HOSTS), tables.stock_product
        ),
        "coupons": Table(shelves.coupon_rows),
        "addresses": Table(shelves.address_rows, shelves.add_address, delete=shelves.forget_address),
        "history": Table(
            lambda data, _: shelves.visit_rows(data.history), shelves.add_history, delete=shelves.forget_visit
        ),
        "bookmarks": Table(
            lambda data, _: shelves.visit_rows(data.bookmarks),
            shelves.add_bookmark,
            delete=shelves.forget_bookmark,
        ),
        "tabs": Table(shelves.tab_rows, shelves.add_tab),
        "searches": Table(shelves.search_rows),
        "articles": Table(shelves.article_rows, shelves.add_article),
        "cookies": Table(shelves.cookie_rows),
        "newsletters": Table(shelves.newsletter_rows),
        "preferences": Table(shelves.preference_rows),
    },
    page_for_uri=page_for_uri,
)
