"""Windows over a page: dialog, menu, bottom sheet. They lie over the page below."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from distrl.simphone.scene import BUTTON, CENTRE, FRAME, HEIGHT, LINEAR, MEDIUM, Message, Scene
from distrl.simphone.widgets.bars import BACK, Page
from distrl.simphone.widgets.containers import Column
from distrl.simphone.widgets.controls import Button
from distrl.simphone.widgets.text import Text
from distrl.simphone.widgets.widget import Widget

NOTHING: Message = ("@nothing",)

Action = tuple[str, Message]
"""A button of a dialog: its word and its message."""


class Dialog(msgspec.Struct, frozen=True):
    """A question in the middle of the screen. Touching outside closes it unless `stubborn`."""

    title: str
    text: str = ""
    body: Sequence[Widget] = ()
    actions: Sequence[Action] = ()
    icon: str = ""
    stubborn: bool = False
    name: str = "dialog"
    shade: int = 110

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        across = min(width - 48, 340)
        children: list[Widget] = list(self.body)
        if self.text:
            children.insert(0, Text(self.text, 14, "faint", pad_x=18))
        inner = sum(child.height(look, across) for child in children)
        head = look.line_height(look.sp(19)) + 28 if self.title else 16
        head += 36 if self.icon else 0
        stacked = sum(Button(word, None).natural_width(look) for word, _ in self.actions) > across - 40
        button_tall = look.line_height(look.body) + 22
        foot = (button_tall * (len(self.actions) if stacked else 1) + 14) if self.actions else 22
        tall = min(height - 32, head + inner + foot)
        left, top = x + (width - across) // 2, y + (height - tall) // 2
        if not self.stubborn:
            scene.touch(x, y, width, height, BACK)
        scene.paper = look.raised
        scene.fill(left, top, across, tall, scene.paper, 24)
        scene.touch(left, top, across, tall, NOTHING)
        window = scene.add(FRAME, left, top, across, tall, name=self.name)
        before = scene.inside(window)
        line = top + 22
        if self.icon:
            scene.icon(left + (across - 28) // 2, line - 2, self.icon, 28, look.primary)
            line += 36
        if self.title:
            align = CENTRE if self.icon else 0
            scene.label(
                left + 22,
                line,
                across - 44,
                self.title,
                look.sp(19),
                look.text,
                align=align,
                name="alertTitle",
            )
        body = Column(children, "dialog_list", 0)
        body.place(scene, left, top + head, across, max(0, tall - head - foot))
        self._place_actions(scene, left, top + tall - foot, across, button_tall, stacked)
        scene.parent = before

    def _place_actions(self, scene: Scene, x: int, y: int, width: int, tall: int, stacked: bool) -> None:
        look = scene.look
        line = look.line_height(look.body)
        right, y = x + width - 12, y + 2
        for word, message in self.actions if stacked else reversed(self.actions):
            wide = min(Button(word, None).natural_width(look), width - 24)
            scene.add(BUTTON, right - wide, y, wide, tall, word, tap=message)
            text_top = y + (tall - line) // 2
            scene.text(right - wide + 6, text_top, wide - 12, word, look.body, look.primary, MEDIUM, CENTRE)
            if stacked:
                y += tall
            else:
                right -= wide + 4


class Menu(msgspec.Struct, frozen=True):
    """A list of words dropping from the overflow button, or from (`right`, `top`)."""

    items: Sequence[Action]
    top: int = 4
    right: int = 8
    shade: int = 0

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        scene.touch(x, y, width, height, BACK)
        tall = look.line_height(look.title) + 24
        across = max((Button(word, None).natural_width(look) for word, _ in self.items), default=0) + 60
        across = min(width - 32, max(180, across))
        left, top = x + width - self.right - across, y + self.top
        scene.paper = look.raised
        total = tall * len(self.items) + 16
        scene.fill(left - 1, top, across + 2, total + 2, look.line, 10)
        scene.fill(left, top, across, total, look.raised, 10)
        scene.touch(left, top, across, total, NOTHING)
        window = scene.add(FRAME, left, top, across, total, name="menu")
        before = scene.inside(window)
        for number, (word, message) in enumerate(self.items):
            line = top + 8 + number * tall
            row = scene.add(LINEAR, left, line, across, tall, tap=message)
            inner = scene.inside(row)
            scene.label(
                left + 16, line + 12, across - 32, word, look.title, look.text, name="android:id/title"
            )
            scene.parent = inner
        scene.parent = before


class BottomSheet(msgspec.Struct, frozen=True):
    """A panel that rises from the bottom; its content scrolls if it is too tall."""

    children: Sequence[Widget]
    title: str = ""
    shade: int = 110

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        scene.touch(x, y, width, height, BACK)
        children: list[Widget] = list(self.children)
        if self.title:
            children.insert(0, Text(self.title, 18, bold=True, pad_y=8))
        tall = min(height - 60, sum(child.height(look, width) for child in children) + 40)
        top = y + height - tall
        scene.paper = look.raised if look.dark else look.surface
        scene.fill(x, top, width, HEIGHT - top + 24, scene.paper, 24)
        scene.fill(x + (width - 32) // 2, top + 10, 32, 4, look.outline, 2)
        scene.touch(x, top, width, tall, NOTHING)
        window = scene.add(FRAME, x, top, width, tall, name="bottom_sheet")
        before = scene.inside(window)
        Column(children, "sheet_list", 0).place(scene, x, top + 24, width, tall - 32)
        scene.parent = before


class TopSheet(msgspec.Struct, frozen=True):
    """A panel that comes down from the status bar; touching below it closes it."""

    children: Sequence[Widget]
    name: str = "shade"
    shade: int = 140

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        scene.touch(x, y, width, height, BACK)
        tall = min(height, sum(child.height(look, width) for child in self.children) + 24)
        scene.paper = look.card
        scene.fill(x, y - 24, width, tall + 24, scene.paper, 24)
        scene.touch(x, y, width, tall, NOTHING)
        window = scene.add(FRAME, x, y, width, tall, name=self.name)
        before = scene.inside(window)
        Column(self.children, f"{self.name}_list", 0).place(scene, x, y, width, tall - 20)
        scene.fill(x + (width - 32) // 2, y + tall - 12, 32, 4, look.outline, 2)
        scene.parent = before


Overlay = Dialog | Menu | BottomSheet | TopSheet
Surface = Page | Overlay
"""What a page function returns."""
