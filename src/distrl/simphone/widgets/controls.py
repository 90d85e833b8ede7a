"""Widgets to press, switch and drag: buttons, switches, check boxes, sliders, chips, tabs, spinners."""

from __future__ import annotations

from typing import Literal

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import (
    BUTTON,
    CENTRE,
    IMAGE_BUTTON,
    MEDIUM,
    VIEW,
    Message,
    Scene,
)
from distrl.simphone.theme import Colour, Look, Role
from distrl.simphone.widgets.text import MARGIN

ButtonKind = Literal["filled", "tonal", "outlined", "text"]


def dimmed(look: Look, colour: Colour) -> Colour:
    """A colour mixed with the background, for what cannot be used now."""
    return (
        (colour[0] + 2 * look.surface[0]) // 3,
        (colour[1] + 2 * look.surface[1]) // 3,
        (colour[2] + 2 * look.surface[2]) // 3,
    )


class Button(msgspec.Struct, frozen=True, gc=False):
    """A button with a word on it; it fills its width less the margin unless `wrap` is set."""

    label: str
    on_tap: Message | None
    kind: ButtonKind = "filled"
    icon: str = ""
    enabled: bool = True
    pad_x: int = MARGIN
    wrap: bool = False
    name: str = ""

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.body) + 28

    def natural_width(self, look: Look) -> int:
        """How wide it is with `wrap`."""
        return draw.text_width(self.label, look.body, MEDIUM) + (56 if self.icon else 32)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        line = look.line_height(look.body)
        left, top, tall = x + self.pad_x, y + 4, height - 8
        across = width - 2 * self.pad_x
        if self.wrap:
            across = min(across, self.natural_width(look))
        colour = look.primary
        if self.kind == "filled":
            paper, colour = look.primary, look.on_primary
        elif self.kind == "tonal":
            paper, colour = look.container, look.on_container
        if not self.enabled:
            colour = dimmed(look, look.text)
        if self.kind in ("filled", "tonal"):
            scene.fill(left, top, across, tall, paper if self.enabled else look.raised, tall // 2)
        elif self.kind == "outlined":
            scene.outline(left, top, across, tall, look.outline, tall // 2)
        scene.add(
            BUTTON, left, top, across, tall, self.label, name=self.name, tap=self.on_tap, enabled=self.enabled
        )
        inner, start = across - 16, left + 8
        if self.icon:
            word = draw.text_width(self.label, look.body, MEDIUM)
            start = max(left + 8, left + (across - word - 26) // 2)
            scene.icon(start, top + (tall - 18) // 2, self.icon, 18, colour)
            start, inner = start + 26, min(inner, word)
        scene.text(start, top + (tall - line) // 2, inner, self.label, look.body, colour, MEDIUM, CENTRE)


class IconButton(msgspec.Struct, frozen=True, gc=False):
    """A button that is only an icon; without a description only its pixels tell what it does."""

    icon: str
    on_tap: Message | None
    description: str = ""
    name: str = ""
    role: Role = "faint"
    size: int = 24
    filled: bool = False
    selected: bool = False
    enabled: bool = True

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 44

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        side = min(width, height, 40) if self.filled else min(width, height)
        left, top = x + (width - side) // 2, y + (height - side) // 2
        colour = look.role(self.role) if self.enabled else dimmed(look, look.text)
        if self.filled:
            scene.fill(left, top, side, side, look.container, side // 2)
            colour = look.on_container
        scene.icon(x + (width - self.size) // 2, y + (height - self.size) // 2, self.icon, self.size, colour)
        scene.add(
            IMAGE_BUTTON, left, top, side, side, "", self.description, self.name, self.on_tap,
            selected=self.selected, enabled=self.enabled,
        )  # fmt: skip


def paint_switch(scene: Scene, x: int, y: int, on: bool, enabled: bool = True) -> None:
    """Paint a 44 x 26 switch."""
    look = scene.look
    if on:
        scene.fill(x, y, 44, 26, look.primary if enabled else dimmed(look, look.primary), 13)
        scene.fill(x + 21, y + 3, 20, 20, look.on_primary, 10)
    else:
        scene.fill(x, y, 44, 26, look.raised, 13)
        scene.outline(x, y, 44, 26, look.outline, 13, 2)
        scene.fill(x + 7, y + 6, 14, 14, look.outline, 7)


def paint_tick(scene: Scene, x: int, y: int, kind: str, on: bool) -> None:
    """Paint a check box or a radio button, 24 x 24."""
    look = scene.look
    if kind == "radio":
        icon = "radio_button_checked" if on else "radio_button_unchecked"
    else:
        icon = "check_box" if on else "check_box_outline_blank"
    scene.icon(x, y, icon, 24, look.primary if on else look.faint)


class Slider(msgspec.Struct, frozen=True, gc=False):
    """A value between 0 and 1 to drag or tap; the touched fraction is appended to its message."""

    value: float
    on_change: Message
    description: str = ""
    icon: str = ""
    name: str = ""
    enabled: bool = True

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 44

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, across = x + MARGIN + 8, width - 2 * MARGIN - 16
        if self.icon:
            scene.icon(x + MARGIN, y + (height - 22) // 2, self.icon, 22, look.faint)
            left, across = left + 30, across - 30
        middle = y + height // 2
        done = round(across * min(1.0, max(0.0, self.value)))
        colour = look.primary if self.enabled else look.outline
        scene.fill(left, middle - 2, across, 4, look.raised if look.dark else look.container, 2)
        scene.fill(left, middle - 2, done, 4, colour, 2)
        scene.fill(left + done - 9, middle - 9, 18, 18, colour, 9)
        scene.add(
            "android.widget.SeekBar", left, y + 6, across, height - 12, f"{round(self.value * 100)}",
            self.description, self.name, self.on_change, enabled=self.enabled, slider=True,
        )  # fmt: skip


class Chip(msgspec.Struct, frozen=True, gc=False):
    """A small choice; put several into a `Chips`."""

    label: str
    on_tap: Message | None
    selected: bool = False
    icon: str = ""
    enabled: bool = True

    def natural_width(self, look: Look) -> int:
        """How wide it is."""
        extra = 22 if self.icon or self.selected else 0
        return draw.text_width(self.label, look.sp(13), MEDIUM) + 26 + extra

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        size = look.sp(13)
        colour = look.on_container if self.selected else look.faint
        if not self.enabled:
            colour = dimmed(look, look.text)
        if self.selected:
            scene.fill(x, y, width, height, look.container, 8)
        else:
            scene.outline(x, y, width, height, look.outline if self.enabled else look.line, 8)
        scene.add(
            "android.widget.RadioButton", x, y, width, height, self.label, tap=self.on_tap, checkable=True,
            checked=self.selected, selected=self.selected, enabled=self.enabled,
        )  # fmt: skip
        icon, left = "check" if self.selected else self.icon, x + 13
        if icon:
            scene.icon(x + 9, y + (height - 16) // 2, icon, 16, colour)
            left += 18
        line = look.line_height(size)
        scene.text(left, y + (height - line) // 2, width, self.label, size, colour, MEDIUM)


class Tabs(msgspec.Struct, frozen=True, gc=False):
    """A row of equally wide tabs, one of them selected; each is (label, message)."""

    tabs: tuple[tuple[str, Message], ...]
    selected: int = 0

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.body) + 28

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        line = look.line_height(look.body)
        share = width // max(1, len(self.tabs))
        for number, (label, message) in enumerate(self.tabs):
            left, active = x + number * share, number == self.selected
            scene.add(VIEW, left, y, share, height, label, tap=message, selected=active)
            colour = look.primary if active else look.faint
            used = draw.text_width(label, look.body, MEDIUM)
            top = y + (height - line) // 2
            scene.text(left + 4, top, share - 8, label, look.body, colour, MEDIUM, CENTRE)
            if active:
                scene.fill(left + (share - used) // 2, y + height - 4, used, 3, look.primary, 1)
        scene.fill(x, y + height - 1, width, 1, look.line)


class Spinner(msgspec.Struct, frozen=True, gc=False):
    """A turning circle while something loads; `phase` (say the clock) decides how far it has turned."""

    phase: float = 0.0
    text: str = "Loading…"

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 160

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        start = int(self.phase * 4) % 8 * 45
        left, top = x + (width - 44) // 2, y + (height - 80) // 2
        scene.arc(left, top, 44, look.primary, start, start + 270)
        scene.add("android.widget.ProgressBar", left, top, 44, 44, description="Loading")
        scene.label(x + 16, top + 58, width - 32, self.text, look.body, look.faint, align=CENTRE)


class ProgressBar(msgspec.Struct, frozen=True, gc=False):
    """How far something has come, from 0 to 1."""

    value: float
    description: str = ""

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 20

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, across, top = x + MARGIN, width - 2 * MARGIN, y + height // 2 - 2
        scene.fill(left, top, across, 4, look.raised, 2)
        scene.fill(left, top, round(across * min(1.0, max(0.0, self.value))), 4, look.primary, 2)
        text = f"{round(self.value * 100)}%"
        scene.add(
            "android.widget.ProgressBar", left, y + 4, across, height - 8, text, description=self.description
        )
