"""From an entry of a back stack to the widgets of its page."""

from __future__ import annotations

from distrl.simphone.app import AnyApp, Context
from distrl.simphone.state import Entry
from distrl.simphone.store import Store
from distrl.simphone.widgets import Column, Gap, Page, Spinner, Surface


def build(store: Store, app: AnyApp, entry: Entry) -> Surface:
    """The widgets of one page; while it loads, a spinner takes the place of its body."""
    page = app.pages.get(entry.page) or app.pages["main"]
    surface = page(Context(store, app, entry))
    if store.state.now_s < entry.ready_at_s and isinstance(surface, Page):
        waiting = Column([Gap(120), Spinner(store.state.now_s)], "loading")
        return Page(waiting, surface.bar, surface.bottom)
    return surface
