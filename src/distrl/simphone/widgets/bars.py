"""The frame of a page: app bar, bottom navigation, floating button, and the page that holds them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import CENTRE, FRAME, IMAGE_BUTTON, MEDIUM, TEXT_VIEW, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets.bands import freeze, place_band, place_widget
from distrl.simphone.widgets.controls import IconButton
from distrl.simphone.widgets.widget import Widget

BACK: Message = ("@back",)


class AppBar(msgspec.Struct, frozen=True):
    """The bar at the top: back arrow or another icon, title, icon buttons, overflow menu."""

    title: str = ""
    back: bool = True
    actions: Sequence[IconButton] = ()
    on_menu: Message | None = None
    lead_icon: str = ""
    on_lead: Message | None = None
    field: Widget | None = None

    def __post_init__(self) -> None:
        freeze(self, "actions")

    def height(self, look: Look, width: int) -> int:
        if self.field is not None:
            return max(56, self.field.height(look, width))
        return max(56, look.line_height(look.large) + 24)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, right = x + 16, x + width - 8
        lead = IconButton("arrow_back", BACK, "Navigate up", role="text") if self.back else None
        if self.lead_icon:
            lead = IconButton(self.lead_icon, self.on_lead, "Open menu", role="text")
        if lead is not None:
            lead.place(scene, x + 4, y + (height - 48) // 2, 48, 48)
            left = x + 56
        buttons = list(self.actions)
        if self.on_menu is not None:
            buttons.append(IconButton("more_vert", self.on_menu, "More options", "overflow", "text"))
        right -= 44 * len(buttons)
        for number, button in enumerate(buttons):
            button.place(scene, right + 44 * number, y + (height - 44) // 2, 44, 44)
        if self.field is not None:
            tall = self.field.height(look, right - left + 8)
            self.field.place(scene, left - 12, y + (height - tall) // 2, right - left + 16, tall)
        elif self.title:
            top = y + (height - look.line_height(look.large)) // 2
            scene.label(
                left, top, right - left - 4, self.title, look.large, look.text, name="action_bar_title"
            )


class Destination(msgspec.Struct, frozen=True, gc=False):
    """One place in a bottom navigation; a badge (a number) may sit on its icon."""

    label: str
    icon: str
    on_tap: Message
    badge: int = 0


class BottomNav(msgspec.Struct, frozen=True):
    """The bar at the bottom with three to five places to go."""

    places: Sequence[Destination]
    selected: int = 0

    def __post_init__(self) -> None:
        freeze(self, "places")

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.small) + 46

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        scene.fill(x, y, width, height, look.card)
        share = width // max(1, len(self.places))
        for number, place in enumerate(self.places):
            left, active = x + number * share, number == self.selected
            node = scene.add(
                FRAME, left, y, share, height, "", place.label, "", place.on_tap, selected=active
            )
            middle = left + share // 2
            if active:
                scene.fill(middle - 28, y + 6, 56, 28, look.container, 14)
            scene.icon(middle - 11, y + 9, place.icon, 22, look.on_container if active else look.faint)
            before = scene.inside(node)
            if place.badge:
                place_badge(scene, middle + 5, y + 5, str(place.badge))
            colour = look.text if active else look.faint
            weight = MEDIUM if active else draw.REGULAR
            scene.label(left + 2, y + 38, share - 4, place.label, look.small, colour, weight, CENTRE)
            scene.parent = before


def place_badge(scene: Scene, x: int, y: int, text: str) -> None:
    """A small red disc with a number."""
    wide = max(16, draw.text_width(text, 10, MEDIUM) + 8)
    scene.fill(x, y, wide, 16, (196, 48, 40), 8)
    scene.text(x, y + 2, wide, text, 10, (255, 255, 255), MEDIUM, CENTRE)
    scene.add(TEXT_VIEW, x, y, wide, 16, text, name="badge")


class FloatingButton(msgspec.Struct, frozen=True, gc=False):
    """The main action of a page, floating at the lower right; with a label it is wider."""

    icon: str
    on_tap: Message
    description: str = ""
    label: str = ""

    def place_in(self, scene: Scene, right: int, bottom: int) -> None:
        """Put it into the lower right corner of a rectangle."""
        look = scene.look
        word = draw.text_width(self.label, look.body, MEDIUM) + 12 if self.label else 0
        wide, left, top = 56 + word, right - 72 - word, bottom - 72
        scene.fill(left, top + 2, wide, 56, look.line, 16)
        scene.fill(left, top, wide, 56, look.container, 16)
        scene.icon(left + 16, top + 16, self.icon, 24, look.on_container)
        scene.add(IMAGE_BUTTON, left, top, wide, 56, self.label, self.description, "fab", self.on_tap)
        if self.label:
            line = look.line_height(look.body)
            middle = top + (56 - line) // 2
            scene.text(left + 48, middle, word, self.label, look.body, look.on_container, MEDIUM)


class Page(msgspec.Struct, frozen=True):
    """A whole page: bar on top, body in the middle (usually a `Column`), bottom bar, floating button."""

    body: Widget
    bar: Widget | None = None
    bottom: Widget | None = None
    button: FloatingButton | None = None

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        """Fill the rectangle between status bar and navigation bar (or keyboard)."""
        top, bottom = y, y + height
        look = scene.look
        if self.bar is not None:
            tall = self.bar.height(look, width)
            place_band(scene, self.bar, x, top, width, tall)
            top += tall
        foot = self.bottom.height(look, width) if self.bottom is not None else 0
        bottom -= foot
        if bottom > top:
            place_widget(scene, self.body, x, top, width, bottom - top)
        if self.button is not None:
            self.button.place_in(scene, x + width, bottom)
        if self.bottom is not None and bottom > top:
            place_band(scene, self.bottom, x, bottom, width, foot)
