"""How the browser looks: start page, web pages with the address bar, history, menu."""

from __future__ import annotations

from distrl.simphone.app import go
from distrl.simphone.apps.browser.address import Address, parse
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.registry import BY_HOST, SITES
from distrl.simphone.apps.browser.site import Site, visit
from distrl.simphone.radios import online
from distrl.simphone.scene import CENTRE
from distrl.simphone.widgets import (
    AppBar,
    Button,
    Card,
    Column,
    Dialog,
    Empty,
    Gap,
    Grid,
    Icon,
    IconButton,
    Menu,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Surface,
    Text,
    Widget,
)

SEARCH_HOST = "seek.example"


def _bar(ctx: Ctx, address: Address | None) -> AppBar:
    url = address.text if address is not None else ""
    marked = any(mark.url == url for mark in ctx.data.bookmarks)
    icon = "lock" if address is not None else "search"
    field = SearchBar("url_bar", "Search or type web address", url, icon, ("enter_address",), None, 4, True)
    star = IconButton("star" if marked else "star_border", ("bookmark",), "", "bookmark", selected=marked)
    home = IconButton("home", ("start",), "", "home_button")
    actions = [star, home] if address is not None else []
    return AppBar(back=False, field=field, actions=actions, on_menu=go("menu"))


def build_main(ctx: Ctx) -> Surface:
    """The start page: address bar and bookmarks, in this phone's order."""
    marks = ctx.shuffled(ctx.data.bookmarks, "bookmarks")
    tiles: list[Widget] = []
    for mark in marks:
        site = BY_HOST.get(parse(mark.url).host)
        icon = site.icon if site is not None else "public"
        label = Text(mark.title, 12, align=CENTRE, max_lines=2, pad_x=4)
        tiles.append(Card([Icon(icon, 28, "primary"), label], visit(mark.url), pad_x=0))
    body: list[Widget] = [Gap(36), Icon("public", 56, "primary"), Text("Browser", 24, align=CENTRE), Gap(20)]
    body += [SectionHeader("Bookmarks"), Grid(tiles, 3)] if tiles else []
    return Page(Column(body, "start"), _bar(ctx, None))


def build_web(ctx: Ctx) -> Surface:
    """The web page at the entry's address."""
    address = parse(ctx.arg_str("url"))
    bar = _bar(ctx, address)
    if not online(ctx.state):
        body: list[Widget] = [
            Empty("wifi_off", "You are offline. Check Wi-Fi or mobile data and try again."),
            Button("Try again", ("reload",), "tonal"),
        ]
        return Page(Column(body, "offline"), bar)
    site = BY_HOST.get(address.host)
    if site is None:
        return Page(Column(_search_results(address), "web_page"), bar)
    return Page(Column(site.build(ctx, address), "web_page"), bar, site.bottom(ctx, address))


def _search_results(address: Address) -> list[Widget]:
    if address.host != SEARCH_HOST:
        return [
            Empty("travel_explore", f"{address.host} could not be found."),
            Button("Search for it", visit(Address(SEARCH_HOST, (), {"q": address.host})), "tonal"),
        ]
    query = address.query.get("q", "")
    words = query.lower().split()
    found = [s for s in SITES if any(word in f"{s.title} {s.about} {s.host}".lower() for word in words)]
    heading = Text(f"Results for “{query}”", 16, bold=True, pad_y=10)
    return [heading, *map(_site_row, found or SITES)]


def _site_row(site: Site) -> Row:
    about = f"{site.host}\n{site.about}"
    return Row(title=site.title, subtitle=about, icon=site.icon, on_tap=visit(site.host), lines=3)


def build_window(ctx: Ctx) -> Surface:
    """A window that a site opened over its page."""
    address = parse(ctx.arg_str("url"))
    site = BY_HOST.get(address.host)
    if site is None:
        return Dialog("Nothing here", actions=[("OK", ("@back",))])
    return site.build_window(ctx, address, ctx.arg_str("name"))


def build_menu(ctx: Ctx) -> Surface:
    """The overflow menu."""
    del ctx
    return Menu(
        [("Start page", ("start",)), ("History", ("history",)), ("Clear history", ("clear_history",))]
    )


def build_history(ctx: Ctx) -> Surface:
    """The pages that were opened, the last one first."""
    rows: list[Widget] = [
        Row(title=seen.title, subtitle=seen.url, icon="history", on_tap=visit(seen.url), lines=1)
        for seen in reversed(ctx.data.history)
    ]
    return Page(Column(rows or [Empty("history", "No history yet")], "history"), AppBar("History"))
