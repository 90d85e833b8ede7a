"""How the browser answers: addresses, bookmarks, history; everything else goes to the site."""

from __future__ import annotations

from distrl.simphone.apps.browser.address import Address, parse
from distrl.simphone.apps.browser.data import BrowserData, Ctx, Visit
from distrl.simphone.apps.browser.pages import SEARCH_HOST
from distrl.simphone.apps.browser.registry import BY_HOST
from distrl.simphone.scene import Message


def _title(address: Address) -> str:
    site = BY_HOST.get(address.host)
    if site is None:
        return address.query.get("q", address.host)
    page = address.part(0).replace("-", " ").capitalize()
    return f"{site.title} - {page}" if page else site.title


def open_page(ctx: Ctx, url: str, instead: bool = False) -> None:
    """Open a web page on top of this one (or instead of it) and remember it."""
    address = parse(url)
    ctx.data.remember(address.text, _title(address))
    if instead:
        ctx.replace("web", url=address.text)
    else:
        ctx.go("web", url=address.text)


def _toggle_bookmark(data: BrowserData, url: str) -> bool:
    kept = [mark for mark in data.bookmarks if mark.url != url]
    added = len(kept) == len(data.bookmarks)
    data.bookmarks = [*kept, Visit(url, _title(parse(url)))] if added else kept
    return added


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget of the browser or of the page in it."""
    url = ctx.arg_str("url")
    match message:
        case ("visit", str(target)):
            if ctx.page == "window":
                ctx.back()
            open_page(ctx, target)
        case ("enter_address",):
            text = ctx.text("url_bar", url).strip()
            ctx.entry.fields.pop("url_bar", None)
            if not text:
                return
            known = parse(text).host in BY_HOST
            typed = known or (" " not in text and "." in text.strip("."))
            open_page(ctx, text if typed else Address(SEARCH_HOST, (), {"q": text}).text)
        case ("window", str(name)):
            ctx.go("window", url=url, name=name)
        case ("bookmark",):
            ctx.toast("Bookmark added" if _toggle_bookmark(ctx.data, url) else "Bookmark removed")
        case ("start",):
            if ctx.page == "menu":
                ctx.back()
            if ctx.top_page() != "main":
                ctx.go("main")
        case ("history",):
            ctx.replace("history")
        case ("clear_history",):
            ctx.data.history = []
            ctx.back()
            ctx.toast("History cleared")
        case ("reload",):
            pass
        case _:
            address = parse(url)
            site = BY_HOST.get(address.host)
            if site is not None:
                site.update(ctx, address, message)
