"""Widgets to type into: text fields and search bars. The page keeps what was typed."""

from __future__ import annotations

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import (
    EDIT_TEXT,
    IMAGE_BUTTON,
    LINEAR,
    REGULAR,
    Field,
    Message,
    Scene,
)
from distrl.simphone.theme import Colour, Look
from distrl.simphone.widgets.text import MARGIN


def _ink(
    scene: Scene, x: int, y: int, width: int, text: str, size: int, colour: Colour, focused: bool
) -> None:
    """Paint a line and the cursor after it; too long a line shows its end while typing, else its start."""
    while focused and len(text) > 1 and draw.text_width(text, size) > width - 3:
        text = text[max(1, len(text) // 16) :]
    used = scene.text(x, y, width, text, size, colour) if text else 0
    if focused:
        scene.fill(x + used + 1, y, 2, scene.look.line_height(size), scene.look.primary)


class TextField(msgspec.Struct, frozen=True, gc=False):
    """An outlined field with a label; the page finds the text as `ctx.text(name)`."""

    name: str
    label: str = ""
    initial: str = ""
    icon: str = ""
    on_submit: Message | None = None
    rows: int = 1
    numeric: bool = False
    password: bool = False
    plain: bool = False
    size: int = 16

    def height(self, look: Look, width: int) -> int:
        del width
        step = look.line_height(look.sp(self.size))
        return step * self.rows + (18 if self.plain else 44)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        value = scene.values.get(self.name, self.initial)
        focused = scene.focus == self.name
        size = look.sp(self.size)
        step = look.line_height(size)
        left, across = x + MARGIN, width - 2 * MARGIN
        shown = "•" * len(value) if self.password else value
        box = (left, y + (6 if self.plain else 10), left + across, y + height - 4)
        scene.add_field(Field(self.name, self.initial, self.on_submit, self.rows > 1, self.numeric, box))
        text_left, text_width = left, across
        if not self.plain:
            edge = look.primary if focused else look.outline
            scene.outline(left, box[1], across, box[3] - box[1], edge, 8, 2 if focused else 1)
            text_left, text_width = left + 14, across - 28
            if self.icon:
                scene.icon(text_left - 2, box[1] + (box[3] - box[1] - 22) // 2, self.icon, 22, look.faint)
                text_left, text_width = text_left + 30, text_width - 30
        top = box[1] + (8 if self.plain else (box[3] - box[1] - step * self.rows) // 2)
        if not self.plain and self.label and (value or focused):
            used = draw.text_width(self.label, look.small)
            floor = box[1] - look.line_height(look.small) // 2
            scene.fill(text_left - 4, box[1], used + 8, 2, scene.paper)
            colour = look.primary if focused else look.faint
            scene.text(text_left, floor, text_width, self.label, look.small, colour)
        elif self.label and not value:
            scene.text(text_left, top, text_width, self.label, size, look.outline)
        if self.rows == 1:
            _ink(scene, text_left, top, text_width, shown, size, look.text, focused)
        else:
            self._place_lines(scene, text_left, top, text_width, shown, size, focused)
        scene.add(
            EDIT_TEXT, *box[:2], across, box[3] - box[1], shown or self.label, self.label if value else "",
            self.name, ("@focus", self.name), editable=True, focused=focused, password=self.password,
        )  # fmt: skip

    def _place_lines(
        self, scene: Scene, x: int, y: int, width: int, text: str, size: int, focused: bool
    ) -> None:
        step = scene.look.line_height(size)
        lines = draw.wrap(text, size, REGULAR, width - 4)
        first = max(0, len(lines) - self.rows)
        for number, line in enumerate(lines[first:]):
            last = first + number == len(lines) - 1
            _ink(scene, x, y + number * step, width, line, size, scene.look.text, focused and last)


class SearchBar(msgspec.Struct, frozen=True, gc=False):
    """A round search field; with `on_tap` it only looks like one and leads to the real one.

    A `fresh` one starts empty when touched and shows `initial` again when left, as address bars do.
    """

    name: str
    hint: str = "Search"
    initial: str = ""
    icon: str = "search"
    on_submit: Message | None = None
    on_tap: Message | None = None
    pad_x: int = MARGIN
    fresh: bool = False

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.sp(15)) + 36

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        value = scene.values.get(self.name, self.initial)
        focused = scene.focus == self.name
        if self.fresh and not focused:
            value = value or self.initial
        size = look.sp(15)
        left, across, top, tall = x + self.pad_x, width - 2 * self.pad_x, y + 6, height - 12
        scene.fill(left, top, across, tall, look.raised, tall // 2)
        scene.icon(left + 12, top + (tall - 22) // 2, self.icon, 22, look.faint)
        line_top = top + (tall - look.line_height(size)) // 2
        clear = bool(value) and self.on_tap is None and (focused or not self.fresh)
        room = across - 46 - (44 if clear else 14)
        if self.on_tap is not None:
            bar = scene.add(LINEAR, left, top, across, tall, name=self.name, tap=self.on_tap)
            before = scene.inside(bar)
            scene.label(left + 44, line_top, room, self.hint, size, look.faint)
            scene.parent = before
            return
        box = (left, top, left + across, top + tall)
        scene.add_field(Field(self.name, self.initial, self.on_submit, False, False, box, self.fresh, True))
        if value or focused:
            _ink(scene, left + 44, line_top, room, value, size, look.text, focused)
        if not value:
            scene.text(left + 46, line_top, room, self.hint, size, look.faint)
        scene.add(
            EDIT_TEXT, left, top, across, tall, value or self.hint, "", self.name,
            ("@focus", self.name), editable=True, focused=focused,
        )  # fmt: skip
        if clear:
            scene.icon(left + across - 34, top + (tall - 20) // 2, "close", 20, look.faint)
            scene.add(
                IMAGE_BUTTON, left + across - 44, top, 44, tall, "", "Clear", "clear", ("@clear", self.name)
            )
