"""The cards of the recents screen: an app's name over a picture of the page it was left on."""

from __future__ import annotations

import msgspec
from PIL import Image

from distrl.simphone.app import AnyApp, launch
from distrl.simphone.apps.registry import BY_PACKAGE
from distrl.simphone.marks import Sheet, pixels
from distrl.simphone.scene import IMAGE_BUTTON, IMAGE_VIEW, LINEAR, MEDIUM, WIDTH, Scene
from distrl.simphone.state import Entry
from distrl.simphone.store import Store
from distrl.simphone.system.pages import build, remembered
from distrl.simphone.theme import WHITE, Colour, Look
from distrl.simphone.widgets import Page

PREVIEW_WIDTH, PREVIEW_HEIGHT, HEAD = 364, 150, 48


class Preview(msgspec.Struct, frozen=True, gc=False):
    """The upper part of a page, as far as a card has room for it; the page comes when pixels are wanted."""

    x: int
    y: int
    sheet: Sheet | None = None

    def paint(self, image: Image.Image) -> None:
        assert self.sheet is not None
        image.paste(pixels(self.sheet).crop((0, 0, PREVIEW_WIDTH, PREVIEW_HEIGHT)), (self.x, self.y))


def preview(store: Store, package: str, look: Look) -> Sheet:
    """The upper part of the topmost whole page of an open app."""
    app = BY_PACKAGE[package]
    task = next(task for task in store.state.tasks if task.package == package)
    for entry in reversed(task.stack):
        surface = build(store, app, entry)
        if isinstance(surface, Page):
            return _picture(store, app, look, entry, surface)
    return Sheet(WIDTH, PREVIEW_HEIGHT, look.surface, ())


def _picture(store: Store, app: AnyApp, look: Look, entry: Entry, page: Page) -> Sheet:
    """The upper part of a page; a page that has not changed looks as before if it is not scrolled."""
    known = remembered(store, page)
    if known is not None and known.preview is not None and known.preview[:2] == (entry.scroll, look):
        return known.preview[2]
    scene = Scene(look)
    scene.package = app.package
    scene.show(entry.fields, entry.scroll)
    Page(page.body, page.bar).place(scene, 0, 0, WIDTH, PREVIEW_HEIGHT)
    sheet = Sheet(WIDTH, PREVIEW_HEIGHT, look.surface, scene.marks())
    if known is not None:
        known.preview = (dict(entry.scroll), look, sheet)
    return sheet


class RecentCard(msgspec.Struct, frozen=True):
    """One open app; only a card in sight builds its page."""

    package: str
    label: str
    icon: str
    colour: Colour
    store: Store

    def __hash__(self) -> int:
        raise TypeError("a card shows a page that may have changed: it is never placed from memory")

    def height(self, look: Look, width: int) -> int:
        del look, width
        return HEAD + PREVIEW_HEIGHT + 28

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, across, tall = x + 16, width - 32, height - 12
        scene.fill(left, y + 4, across, tall, look.raised, 20)
        card = scene.add(LINEAR, left, y + 4, across, tall, "", "", "task", launch(self.package))
        scene.flick(left, y + 4, across, tall, ("close", self.package))
        before = scene.inside(card)
        scene.fill(left + 12, y + 14, 28, 28, self.colour, 10)
        scene.icon(left + 17, y + 19, self.icon, 18, WHITE)
        top = y + 4 + (HEAD - look.line_height(look.title)) // 2
        scene.label(left + 52, top, across - 110, self.label, look.title, look.text, MEDIUM, name="title")
        scene.icon(left + across - 36, y + 18, "close", 20, look.faint)
        scene.add(
            IMAGE_BUTTON, left + across - 48, y + 4, 48, 48, "", "Dismiss", "dismiss", ("close", self.package)
        )
        edge = left + (across - PREVIEW_WIDTH) // 2
        scene.add(IMAGE_VIEW, edge, y + 4 + HEAD, PREVIEW_WIDTH, PREVIEW_HEIGHT, name="snapshot")
        mark = Preview(edge - scene.origin[0], y + 4 + HEAD - scene.origin[1])
        scene.mark(mark)
        scene.later(lambda: msgspec.structs.force_setattr(mark, "sheet", self.preview(look)))
        scene.parent = before

    def preview(self, look: Look) -> Sheet:
        """The app's page."""
        return preview(self.store, self.package, look)
