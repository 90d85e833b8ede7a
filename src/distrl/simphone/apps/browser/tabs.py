"""Tabs: the one in front lives in the app's back stack, the others remember the addresses of theirs."""

from __future__ import annotations

from distrl.simphone import navigation
from distrl.simphone.apps.browser.data import LONGEST_TRAIL, MOST_TABS, Ctx, Tab
from distrl.simphone.state import Entry


def _trail(ctx: Ctx) -> list[str]:
    """The addresses on the back stack; an empty one is the start page."""
    stack = ctx.tasks[-1].stack
    urls = [str(entry.args.get("url", "")) for entry in stack if entry.page in ("web", "main")]
    return urls[-LONGEST_TRAIL:]


def note_page(ctx: Ctx) -> None:
    """Write down which page the tab in front shows now (BACK moves without asking the browser)."""
    trail = _trail(ctx)
    url, here = trail[-1] if trail else "", ctx.data.here
    if here.url != url:
        titles = {visit.url: visit.title for visit in ctx.data.history}
        here.url, here.title = url, titles.get(url, url) or "New tab"


def shown_tabs(ctx: Ctx) -> list[Tab]:
    """The tabs as they are now."""
    trail = _trail(ctx)
    url, here = trail[-1] if trail else "", ctx.data.here
    titles = {visit.url: visit.title for visit in ctx.data.history}
    now = Tab(url, titles.get(url, url) or "New tab")
    return [now if tab is here else tab for tab in ctx.data.tabs]


def _show(ctx: Ctx, number: int) -> None:
    """Bring a tab to the front: its addresses become the back stack."""
    data = ctx.data
    data.tab = min(max(0, number), len(data.tabs) - 1)
    trail = data.here.trail
    entries = [Entry("web", {"url": url}) if url else Entry("main") for url in trail]
    navigation.unfocus(ctx.state)
    navigation.front(ctx.state).stack[:] = entries or [Entry("main")]
    data.here.trail = []


def _keep(ctx: Ctx) -> None:
    """Remember the addresses of the tab in front before it goes."""
    note_page(ctx)
    ctx.data.here.trail = _trail(ctx)


def switch_tab(ctx: Ctx, number: int) -> None:
    """Show another tab."""
    if number < len(ctx.data.tabs):
        _keep(ctx)
        _show(ctx, number)


def new_tab(ctx: Ctx) -> None:
    """Open an empty tab; too many are too many."""
    if len(ctx.data.tabs) >= MOST_TABS:
        ctx.toast("Close a tab first")
        return
    _keep(ctx)
    ctx.data.tabs.append(Tab())
    _show(ctx, len(ctx.data.tabs) - 1)


def close_tab(ctx: Ctx, number: int) -> None:
    """Close a tab; after the last one there is an empty one, and the list of tabs stays open."""
    data = ctx.data
    if number >= len(data.tabs):
        return
    _keep(ctx)
    here = data.here
    closed = data.tabs.pop(number)
    if not data.tabs:
        data.tabs.append(Tab())
    if closed is here:
        _show(ctx, min(number, len(data.tabs) - 1))
        ctx.go("tabs")
    else:
        here.trail = []
        data.tab = data.tabs.index(here)
