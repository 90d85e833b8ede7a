"""How the browser looks: start page, web pages with the address bar, tabs, bookmarks, history, menu."""

from __future__ import annotations

from distrl.simphone.app import go
from distrl.simphone.apps.browser.address import Address, parse
from distrl.simphone.apps.browser.data import Ctx, Tab
from distrl.simphone.apps.browser.popups import build_cookie_choices, cookie_question, cover, pending
from distrl.simphone.apps.browser.registry import BY_HOST
from distrl.simphone.apps.browser.search import SEARCH_HOST
from distrl.simphone.apps.browser.site import Site, visit
from distrl.simphone.apps.browser.tabs import shown_tabs
from distrl.simphone.apps.browser.tint import Tinted
from distrl.simphone.radios import online
from distrl.simphone.scene import CENTRE
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Button,
    Card,
    Column,
    Dialog,
    Empty,
    FloatingButton,
    Gap,
    Grid,
    Icon,
    IconButton,
    Menu,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Stack,
    Surface,
    Text,
    Widget,
)

DIGITS = 9


def _bar(ctx: Ctx, address: Address | None) -> AppBar:
    url = address.text if address is not None else ""
    marked = any(mark.url == url for mark in ctx.data.bookmarks)
    icon = "lock" if address is not None else "search"
    field = SearchBar("url_bar", "Search or type web address", url, icon, ("enter_address",), None, 4, True)
    star = IconButton("star" if marked else "star_border", ("bookmark",), "", "bookmark", selected=marked)
    count = len(ctx.data.tabs)
    tabs = IconButton(f"filter_{count}" if count <= DIGITS else "filter_9_plus", go("tabs"), "", "tabs")
    actions = [star, tabs] if address is not None else [tabs]
    return AppBar(back=False, field=field, actions=actions, on_menu=go("menu"))


def build_main(ctx: Ctx) -> Surface:
    """The start page: address bar and bookmarks, in this phone's order."""
    marks = ctx.shuffled(ctx.data.bookmarks, "bookmarks")
    tiles: list[Widget] = []
    for mark in marks:
        site = BY_HOST.get(parse(mark.url).host)
        icon = site.icon if site is not None else "public"
        label = Text(mark.title, 12, align=CENTRE, max_lines=2, pad_x=4)
        tile: Widget = Card([Icon(icon, 28, "primary"), label], visit(mark.url), pad_x=0)
        tiles.append(Tinted(tile, site.hue) if site is not None else tile)
    body: list[Widget] = [Gap(24), Icon("public", 48, "primary"), Text("Browser", 22, align=CENTRE), Gap(8)]
    body += [SectionHeader("Bookmarks"), Grid(tiles, 3)] if tiles else []
    return Page(Column(body, "start"), _bar(ctx, None))


def build_web(ctx: Ctx) -> Surface:
    """The web page at the entry's address."""
    address = parse(ctx.arg_str("url"))
    bar = _bar(ctx, address)
    if not online(ctx.state):
        return Page(Column(_offline(), "offline"), bar)
    site = BY_HOST.get(address.host)
    if site is None:
        return Page(Column(_not_found(address), "web_page"), bar)
    return _site_page(ctx, site, address, bar)


def _site_page(ctx: Ctx, site: Site, address: Address, bar: AppBar) -> Page:
    desktop = ctx.data.desktop
    children = [Tinted(widget, site.hue, desktop) for widget in site.build(ctx, address)]
    kind = pending(ctx, site)
    if kind and (kind != "cookies" or site.cookies.covers):
        body = cover(ctx, site, kind, Column(children, "web_page"))
        return Page(Tinted(body, site.hue), bar)
    foot = site.bottom(ctx, address)
    bottom: Widget | None = Tinted(foot, site.hue, desktop) if foot is not None else None
    if kind:
        banner = Tinted(Card([cookie_question(site)], pad_x=4, inner=4), site.hue)
        bottom = Stack([banner, bottom]) if bottom is not None else banner
    top: Widget = Stack([bar, *children[: site.sticky]]) if site.sticky else bar
    return Page(Column(children[site.sticky :], "web_page"), top, bottom)


def _offline() -> list[Widget]:
    return [
        Gap(70),
        Icon("cloud_off", 72),
        Text("You're offline", 22, align=CENTRE, pad_y=10),
        Text("Check Wi-Fi, mobile data or airplane mode and try again.", 14, "faint", align=CENTRE),
        Gap(12),
        Button("Retry", ("reload",), "tonal"),
    ]


def _not_found(address: Address) -> list[Widget]:
    search = Address(SEARCH_HOST, ("search",), {"q": address.host})
    return [
        Empty("travel_explore", f"{address.host} could not be found."),
        Button("Search for it", visit(search), "tonal"),
        Button("Reload", ("reload",), "text"),
    ]


def build_window(ctx: Ctx) -> Surface:
    """A window that a site opened over its page."""
    address = parse(ctx.arg_str("url"))
    site = BY_HOST.get(address.host)
    if site is None:
        return Dialog("Nothing here", actions=[("OK", ("@back",))])
    if ctx.arg_str("name") == "@cookies":
        return build_cookie_choices(ctx, site)
    return site.build_window(ctx, address, ctx.arg_str("name"))


def build_menu(ctx: Ctx) -> Surface:
    """The overflow menu; some of it is only for web pages."""
    items = [("New tab", ("new_tab",)), ("Start page", ("start",)), ("Bookmarks", ("bookmarks",))]
    items += [("History", ("history",)), ("Clear history", ("clear_history",))]
    if ctx.below().page == "web":
        desktop = "Mobile site" if ctx.data.desktop else "Desktop site"
        items[1:1] = [("Reload", ("reload",))]
        items += [(desktop, ("desktop",)), ("Copy link", ("copy_link",))]
    return Menu(items)


def _tab_card(tab: Tab, number: int, active: bool) -> Widget:
    site = BY_HOST.get(parse(tab.url).host)
    close = IconButton("close", ("close_tab", number), "", f"close_tab_{number + 1}", size=18)
    head = Across([Text(tab.title, 13, bold=True, max_lines=1, pad_x=10), close], (0, 40))
    icon = Icon(site.icon if site is not None else "tab", 44, "primary", pad_y=18)
    where = Text(tab.url or "Start page", 11, "faint", max_lines=1, pad_x=10)
    return Card([head, icon, where], ("switch_tab", number), pad_x=0, inner=2, selected=active)


def build_tabs(ctx: Ctx) -> Surface:
    """The open tabs as cards."""
    tabs = shown_tabs(ctx)
    cards = [_tab_card(tab, number, number == ctx.data.tab) for number, tab in enumerate(tabs)]
    title = "1 tab" if len(tabs) == 1 else f"{len(tabs)} tabs"
    body: list[Widget] = [Gap(8), Grid(cards, 2)]
    return Page(Column(body, "tabs"), AppBar(title), button=FloatingButton("add", ("new_tab",), "New tab"))


def build_bookmarks(ctx: Ctx) -> Surface:
    """The bookmarks; the cross at the end removes one."""
    rows: list[Widget] = [
        Row(
            title=mark.title,
            subtitle=mark.url,
            icon="star",
            on_tap=visit(mark.url),
            end_icon="close",
            on_end=("remove_bookmark", mark.url),
            lines=1,
        )
        for mark in ctx.data.bookmarks
    ]
    return Page(Column(rows or [Empty("star_border", "No bookmarks yet")], "bookmarks"), AppBar("Bookmarks"))


def build_history(ctx: Ctx) -> Surface:
    """The pages that were opened, the last one first; the cross at the end forgets one."""
    seen = list(enumerate(ctx.data.history))
    rows: list[Widget] = [
        Row(
            title=page.title,
            subtitle=page.url,
            icon="history",
            on_tap=visit(page.url),
            end_icon="close",
            on_end=("forget", number),
            lines=1,
        )
        for number, page in reversed(seen)
    ]
    return Page(Column(rows or [Empty("history", "No history yet")], "history"), AppBar("History"))
