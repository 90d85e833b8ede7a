"""How the browser answers: addresses, tabs, bookmarks, history; everything else goes to the site."""

from __future__ import annotations

from distrl.simphone.apps.browser.address import Address, parse
from distrl.simphone.apps.browser.data import BrowserData, Ctx, Visit, travel
from distrl.simphone.apps.browser.popups import update_popup
from distrl.simphone.apps.browser.registry import BY_HOST
from distrl.simphone.apps.browser.search import search_for
from distrl.simphone.apps.browser.tabs import close_tab, new_tab, note_page, switch_tab
from distrl.simphone.radios import online
from distrl.simphone.scene import Message
from distrl.simphone.state import Entry


def page_title(ctx: Ctx, address: Address) -> str:
    """What a page is called in history, tabs and bookmarks."""
    site = BY_HOST.get(address.host)
    if site is None:
        return address.host
    return site.page_title(ctx, address) or site.title


def open_page(ctx: Ctx, url: str) -> None:
    """Open a web page on top of this one."""
    address = parse(url)
    travel(ctx, address, page_title(ctx, address))


def _toggle_bookmark(ctx: Ctx, url: str) -> bool:
    data = ctx.data
    kept = [mark for mark in data.bookmarks if mark.url != url]
    added = len(kept) == len(data.bookmarks)
    data.bookmarks = [*kept, Visit(url, page_title(ctx, parse(url)))] if added else kept
    return added


def _enter_address(ctx: Ctx) -> None:
    text = ctx.text("url_bar", ctx.arg_str("url")).strip()
    ctx.entry.fields.pop("url_bar", None)
    if not text:
        return
    known = parse(text).host in BY_HOST
    if known or (" " not in text and "." in text.strip(".")):
        open_page(ctx, text)
    else:
        search_for(ctx, text)


def _reload(ctx: Ctx, entry: Entry) -> None:
    """Load the page again; one that could not be reached before counts as visited now."""
    address = parse(str(entry.args.get("url", "")))
    entry.ready_at_s = ctx.now_s + ctx.state.loading_s if ctx.state.loading_s else 0.0
    last = ctx.data.history[-1].url if ctx.data.history else ""
    if online(ctx.state) and last != address.text:
        ctx.data.remember(address.text, page_title(ctx, address))


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget of the browser or of the page in it."""
    if not _update_tabs(ctx, message) and not _update_lists(ctx, message):
        _update_page(ctx, message)
    note_page(ctx)


def _update_tabs(ctx: Ctx, message: Message) -> bool:
    match message:
        case ("new_tab",):
            new_tab(ctx)
        case ("switch_tab", int(number)):
            switch_tab(ctx, number)
        case ("close_tab", int(number)):
            close_tab(ctx, number)
        case _:
            return False
    return True


def _update_lists(ctx: Ctx, message: Message) -> bool:
    data: BrowserData = ctx.data
    match message:
        case ("history" | "bookmarks" as page,):
            ctx.replace(str(page))
        case ("clear_history",):
            data.history = []
            ctx.back()
            ctx.toast("History cleared")
        case ("forget", int(number)) if number < len(data.history):
            del data.history[number]
        case ("remove_bookmark", str(url)):
            data.bookmarks = [mark for mark in data.bookmarks if mark.url != url]
            ctx.toast("Bookmark removed")
        case ("start",):
            if ctx.page == "menu":
                ctx.back()
            if ctx.top_page() != "main":
                ctx.go("main")
        case ("desktop",):
            data.desktop = not data.desktop
            ctx.back()
        case ("copy_link",):
            ctx.state.clipboard = str(ctx.below().args.get("url", ""))
            ctx.back()
            ctx.toast("Link copied")
        case _:
            return False
    return True


def _update_page(ctx: Ctx, message: Message) -> None:
    url = ctx.arg_str("url")
    match message:
        case ("visit", str(target)):
            if ctx.page == "window":
                ctx.back()
            open_page(ctx, target)
        case ("enter_address",):
            _enter_address(ctx)
        case ("window", str(name)):
            ctx.go("window", url=url, name=name)
        case ("bookmark",):
            ctx.toast("Bookmark added" if _toggle_bookmark(ctx, url) else "Bookmark removed")
        case ("reload",):
            _reload(ctx, ctx.below() if ctx.page == "menu" else ctx.entry)
            if ctx.page == "menu":
                ctx.back()
        case _:
            address = parse(url)
            site = BY_HOST.get(address.host)
            if site is not None and not update_popup(ctx, site, message):
                site.update(ctx, address, message)
