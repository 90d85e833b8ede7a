"""From an entry of a back stack to the widgets of its page, from memory while nothing has changed.

What a page shows is decided by its entry, the state and the apps' data. Apart from the clock and the list of
open pages these change only where `Store.edition` goes up: a page of the same entry, edition, minute and text
fields is the same page, unless it has read seconds or other pages, which its context notices. A page that has
to be built anew is most often equal to the one before, and then what was made of that one serves again.
"""

from __future__ import annotations

from distrl.simphone.app import AnyApp, Context
from distrl.simphone.marks import Sheet
from distrl.simphone.scene import Scene
from distrl.simphone.state import Entry
from distrl.simphone.store import Store
from distrl.simphone.system.bars import status_bar
from distrl.simphone.theme import Look, look_of
from distrl.simphone.widgets import Column, Gap, Page, Spinner, Surface

PAGES_KEPT = 8
"""How many pages a phone remembers (some 10 kB each)."""


class BuiltPage:
    """A page as it was built, and what was made of it since."""

    __slots__ = ("edition", "minute", "preview", "screen", "surface")

    def __init__(self, store: Store, surface: Surface) -> None:
        self.surface = surface
        self.confirm(store)
        self.screen: Screen | None = None
        """The screen with this page on top, if one was composed."""
        self.preview: tuple[dict[str, int], Look, Sheet] | None = None
        """What the recents screen shows of it, how far it was scrolled then, and the look."""

    def confirm(self, store: Store) -> None:
        """Say that this is how the page is built now."""
        self.edition = store.edition
        self.minute = store.state.now_s // 60

    def holds(self, store: Store) -> bool:
        """Whether the page would be built in the same way now."""
        return self.edition == store.edition and self.minute == store.state.now_s // 60


Layer = tuple[AnyApp, Entry, Surface]
"""A page or window to be seen, and whose it is."""


class Screen:
    """A composed screen without a toast, and what decided it: status bar, pages, keyboard, and the look."""

    __slots__ = ("focus", "keyboard", "layers", "scene", "status")

    def __init__(self, store: Store, layers: list[Layer], scene: Scene) -> None:
        assert store.status is not None  # it is on every screen
        keyboard = store.state.keyboard
        self.scene = scene
        self.status = store.status[1]
        self.layers = [
            (app, surface, dict(entry.fields), dict(entry.scroll)) for app, entry, surface in layers
        ]
        self.focus = store.state.focus
        self.keyboard = (keyboard.shown, keyboard.shift, keyboard.symbols)

    def holds(self, store: Store, layers: list[Layer]) -> bool:
        """Whether composing these pages would give the same screen now."""
        keyboard = store.state.keyboard
        if len(layers) != len(self.layers) or self.focus != store.state.focus:
            return False
        if self.keyboard != (keyboard.shown, keyboard.shift, keyboard.symbols):
            return False
        for (app, entry, surface), (owner, shown, fields, scroll) in zip(layers, self.layers, strict=True):
            if surface is not shown or app is not owner or entry.fields != fields or entry.scroll != scroll:
                return False
        return self.scene.look == look_of(store.state) and self.status == status_bar(store, self.status.ink)


def remembered(store: Store, surface: Surface) -> BuiltPage | None:
    """The memory of a page that `build` gave just now; None if it is not remembered."""
    for known in store.pages.values():
        if known.surface is surface:
            return known if known.holds(store) else None
    return None


def _key(app: AnyApp, entry: Entry) -> str:
    """What a page was opened with and what stands in its fields.

    Written out, since 1, 1.0 and True are equal but may look different on the page.
    """
    return repr((app.package, entry.page, entry.args, entry.fields))


def build(store: Store, app: AnyApp, entry: Entry) -> Surface:
    """The widgets of one page; while it loads, a spinner takes the place of its body."""
    key = _key(app, entry)
    known = store.pages.get(key)
    surface = known.surface if known is not None and known.holds(store) else _build(store, app, entry, key)
    if store.state.now_s < entry.ready_at_s and isinstance(surface, Page):
        waiting = Column([Gap(120), Spinner(store.state.now_s)], "loading")
        return Page(waiting, surface.bar, surface.bottom)
    return surface


def _build(store: Store, app: AnyApp, entry: Entry, key: str) -> Surface:
    """The widgets of one page, built anew."""
    page = app.pages.get(entry.page) or app.pages["main"]
    ctx = Context(store, app, entry)
    surface = page(ctx)
    known = store.pages.pop(key, None)
    if ctx.fleeting:
        return surface
    if known is not None and known.surface == surface:
        known.confirm(store)
    else:
        known = BuiltPage(store, surface)
    if len(store.pages) >= PAGES_KEPT:
        del store.pages[next(iter(store.pages))]
    store.pages[key] = known
    return known.surface
