"""Widgets for number pads and calendars: a key with a large sign, and one day of a month."""

from __future__ import annotations

from typing import Literal

import msgspec

from distrl.simphone.scene import BUTTON, CENTRE, IMAGE_BUTTON, MEDIUM, REGULAR, Message, Scene
from distrl.simphone.theme import Colour, Look
from distrl.simphone.widgets.controls import dimmed

KeyKind = Literal["plain", "raised", "tonal", "filled"]


class Key(msgspec.Struct, frozen=True, gc=False):
    """A key of a number pad: a sign or an icon on a rounded patch that fills its width."""

    label: str
    on_tap: Message | None
    kind: KeyKind = "plain"
    icon: str = ""
    description: str = ""
    tall: int = 44
    size: int = 16
    selected: bool = False
    enabled: bool = True
    name: str = ""
    radius: int = 0

    def height(self, look: Look, width: int) -> int:
        del width
        return max(self.tall, look.line_height(look.sp(self.size)) + 8)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        papers: dict[str, tuple[Colour | None, Colour]] = {
            "plain": (None, look.text),
            "raised": (look.raised, look.text),
            "tonal": (look.container, look.on_container),
            "filled": (look.primary, look.on_primary),
        }
        paper, ink = papers["filled" if self.selected else self.kind]
        if not self.enabled:
            ink = dimmed(look, look.text)
        radius = self.radius or min(width, height) // 2
        if paper is not None:
            scene.fill(x, y, width, height, paper, radius)
        if self.icon:
            scene.icon(x + (width - 24) // 2, y + (height - 24) // 2, self.icon, 24, ink)
        else:
            size = look.sp(self.size)
            top = y + (height - look.line_height(size)) // 2
            scene.text(x, top, width, self.label, size, ink, MEDIUM if self.selected else REGULAR, CENTRE)
        scene.add(
            IMAGE_BUTTON if self.icon else BUTTON, x, y, width, height, "" if self.icon else self.label,
            self.description, self.name, self.on_tap, selected=self.selected, enabled=self.enabled,
        )  # fmt: skip


class DayCell(msgspec.Struct, frozen=True, gc=False):
    """One day in a month's grid: its number, a disc if chosen, a ring if it is today, dots for events."""

    day: int
    on_tap: Message
    description: str = ""
    chosen: bool = False
    today: bool = False
    outside: bool = False
    dots: int = 0
    tall: int = 42

    def height(self, look: Look, width: int) -> int:
        del width
        return max(self.tall, look.line_height(look.body) + 16)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        side = min(width, height) - 4
        left, top = x + (width - side) // 2, y + (height - side) // 2
        ink = look.outline if self.outside else look.text
        if self.chosen:
            scene.fill(left, top, side, side, look.primary, side // 2)
            ink = look.on_primary
        elif self.today:
            scene.outline(left, top, side, side, look.primary, side // 2)
            ink = look.primary
        weight = MEDIUM if self.chosen or self.today else REGULAR
        line = look.line_height(look.body)
        text_top = y + (height - line) // 2 - (3 if self.dots else 0)
        scene.text(x, text_top, width, str(self.day), look.body, ink, weight, CENTRE)
        shown = min(3, self.dots)
        for number in range(shown):
            middle = x + width // 2 + (2 * number - shown + 1) * 4
            scene.fill(middle - 2, text_top + line + 1, 4, 4, ink if self.chosen else look.primary, 2)
        scene.add(
            BUTTON, x, y, width, height, str(self.day), self.description, "day", self.on_tap,
            selected=self.chosen,
        )  # fmt: skip
