"""The browser's own lists for the shell: history, bookmarks, tabs, searches, articles, addresses, cookies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from distrl.simphone.app import Cells
from distrl.simphone.apps.browser.almanack import entries
from distrl.simphone.apps.browser.article import Article
from distrl.simphone.apps.browser.courier import HOST as COURIER_HOST
from distrl.simphone.apps.browser.courier import stories
from distrl.simphone.apps.browser.data import MOST_TABS, BrowserData, Home, Tab, Visit
from distrl.simphone.apps.browser.shop.shop import coupon_of
from distrl.simphone.apps.browser.shop.shops import SHOPS
from distrl.simphone.apps.browser.tables import pairs
from distrl.simphone.apps.columns import whole
from distrl.simphone.world import World

FIRST_PLANTED = 9000


def visit_rows(visits: Iterable[Visit]) -> list[Cells]:
    """History or bookmarks."""
    return [{"_id": number, "url": visit.url, "title": visit.title} for number, visit in enumerate(visits, 1)]


def _visit(bound: Mapping[str, str]) -> Visit:
    url = bound.get("url", "").removeprefix("https://")
    return Visit(url, bound.get("title", url))


def add_bookmark(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Add a bookmark (`url`, `title`)."""
    data.bookmarks.append(_visit(bound))


def add_history(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Add a visit (`url`, `title`)."""
    data.history.append(_visit(bound))


def forget_bookmark(data: BrowserData, row: int) -> None:
    """Remove a bookmark by its row."""
    data.bookmarks = [mark for number, mark in enumerate(data.bookmarks, 1) if number != row]


def forget_visit(data: BrowserData, row: int) -> None:
    """Remove a visit by its row."""
    if 0 < row <= len(data.history):
        del data.history[row - 1]


def tab_rows(data: BrowserData, world: World) -> list[Cells]:
    """The open tabs; one of them is in front."""
    del world
    return [
        {"_id": number + 1, "url": tab.url, "title": tab.title, "active": int(tab is data.here)}
        for number, tab in enumerate(data.tabs)
    ]


def add_tab(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Open a page (`url`, `title`) in a tab in the background."""
    if len(data.tabs) < MOST_TABS:
        visit = _visit(bound)
        data.tabs.append(Tab(visit.url, visit.title or "New tab", [visit.url]))


def search_rows(data: BrowserData, world: World) -> list[Cells]:
    """What was looked for, and on which site."""
    del world
    return [
        {"_id": number, "shop": search.site, "query": search.query}
        for number, search in enumerate(data.searches, 1)
    ]


def _article_row(article: Article) -> Cells:
    return {
        "_id": article.id,
        "site": article.site,
        "url": article.url,
        "section": article.section,
        "title": article.title,
        "facts": ";".join(f"{name}={value}" for name, value in article.facts),
        "body": article.body.replace("\n", " "),
    }


def article_rows(data: BrowserData, world: World) -> list[Cells]:
    """The articles of the news site and of the encyclopaedia; those that the shell has added come last."""
    return [_article_row(item) for item in (*stories(world.seed), *entries(world.seed), *data.articles)]


def add_article(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Publish an article (`site`, `title`, `section`, `body`, `facts`, `_id`); a bar in `body` breaks it."""
    number = whole(bound, "_id", -1) if "_id" in bound else FIRST_PLANTED + data.take_id()
    site, title = bound.get("site", COURIER_HOST), bound.get("title", "Untitled")
    body = bound.get("body", title + ".").replace("|", "\n")
    facts = tuple(pairs(bound.get("facts", "")))
    byline = bound.get("byline", "The editors, 14 May" if site == COURIER_HOST else "")
    picture = bound.get("icon", "article")
    data.articles.append(
        Article(number, site, bound.get("section", "Local"), title, body, facts, byline, picture)
    )


def address_rows(data: BrowserData, world: World) -> list[Cells]:
    """The addresses that shops know."""
    del world
    return [
        {"_id": number, "label": home.label, "address": home.text}
        for number, home in enumerate(data.addresses, 1)
    ]


def add_address(data: BrowserData, bound: Mapping[str, str]) -> None:
    """Add an address (`label`, `address`), or change the one with this label."""
    label = bound.get("label", "Other")
    kept = [home for home in data.addresses if home.label != label]
    data.addresses = [*kept, Home(label, bound.get("address", ""))]


def forget_address(data: BrowserData, row: int) -> None:
    """Remove an address by its row."""
    data.addresses = [home for number, home in enumerate(data.addresses, 1) if number != row]


def cookie_rows(data: BrowserData, world: World) -> list[Cells]:
    """What was answered to the sites' questions about cookies: accepted, rejected or custom:…"""
    del world
    return [
        {"_id": n, "site": site, "choice": choice} for n, (site, choice) in enumerate(data.cookies.items(), 1)
    ]


def newsletter_rows(data: BrowserData, world: World) -> list[Cells]:
    """The newsletters that were signed up for."""
    del world
    return [
        {"_id": n, "site": site, "email": email}
        for n, (site, email) in enumerate(data.newsletters.items(), 1)
    ]


def coupon_rows(data: BrowserData, world: World) -> list[Cells]:
    """Which code each shop takes in this world, and whether it was entered."""
    return [
        {"_id": n, "shop": shop.host, "code": code, "percent": percent,
         "applied": int(data.coupons.get(shop.host) == code)}
        for n, shop in enumerate(SHOPS, 1)
        if (found := coupon_of(shop, world))[0] and (code := found[0]) and (percent := found[1])
    ]  # fmt: skip


def preference_rows(data: BrowserData, world: World) -> list[Cells]:
    """Whether sites are shown as on a desktop, and which pop-ups were closed."""
    del world
    return [{"_id": 1, "desktop_site": int(data.desktop), "closed": ",".join(data.closed)}]
