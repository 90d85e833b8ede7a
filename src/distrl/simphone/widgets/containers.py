"""Widgets that hold others: scrolling column, stack, side by side, grid, card, strip, chips."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from distrl.simphone.scene import LINEAR, Message, Scene, ScrollArea
from distrl.simphone.theme import Look
from distrl.simphone.widgets.bands import Spot, freeze, measure, place_band
from distrl.simphone.widgets.controls import Chip
from distrl.simphone.widgets.text import MARGIN
from distrl.simphone.widgets.widget import Widget


class Column(msgspec.Struct, frozen=True):
    """A list that scrolls; every child is a band of its own, and children out of sight cost nothing."""

    children: Sequence[Widget]
    name: str = "list"
    bottom_space: int = 16

    def height(self, look: Look, width: int) -> int:
        return sum(measure(self.children, look, width)[1]) + self.bottom_space

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        numbers, heights = measure(self.children, scene.look, width)
        limit = max(0, sum(heights) + self.bottom_space - height)
        offset = min(scene.scroll.get(self.name, 0), limit)
        box = (x, y, x + width, y + height)
        before = scene.parent
        if limit:
            area = scene.add(
                "androidx.recyclerview.widget.RecyclerView", x, y, width, height, name=self.name,
                scrollable=True,
            )  # fmt: skip
            scene.inside(area)
        scene.areas.append(ScrollArea(self.name, box, offset, limit, False))
        clip = scene.narrow(box)
        column = Spot(scene, x, width, scene.clip)
        top, bottom = y - offset, y + height
        typing = bool(scene.focus)
        for child, number, tall in zip(self.children, numbers, heights, strict=True):
            # With the keyboard open, a field out of sight still takes what is typed: it must be announced.
            if top < bottom and top + tall > y:
                column.place(child, number, top, tall)
            elif typing:
                outer = scene.open_band(x, top)
                child.place(scene, x, top, width, tall)
                scene.drop_band(outer)
            elif top >= bottom:
                break
            top += tall
        scene.widen(clip)
        scene.parent = before


class Stack(msgspec.Struct, frozen=True):
    """Widgets below each other, not scrolling."""

    children: Sequence[Widget]

    def __post_init__(self) -> None:
        freeze(self, "children")

    def height(self, look: Look, width: int) -> int:
        return sum(child.height(look, width) for child in self.children)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del height
        for child in self.children:
            tall = child.height(scene.look, width)
            child.place(scene, x, y, width, tall)
            y += tall


class Across(msgspec.Struct, frozen=True):
    """Widgets side by side; `widths` gives each in px, 0 meaning an equal share of the rest."""

    children: Sequence[Widget]
    widths: tuple[int, ...] = ()
    pad_x: int = 0

    def __post_init__(self) -> None:
        freeze(self, "children")

    def _widths(self, width: int) -> list[int]:
        given = list(self.widths) + [0] * (len(self.children) - len(self.widths))
        shares = given.count(0)
        rest = max(0, width - 2 * self.pad_x - sum(given))
        return [wide or rest // max(1, shares) for wide in given]

    def height(self, look: Look, width: int) -> int:
        pairs = zip(self.children, self._widths(width), strict=True)
        return max((child.height(look, wide) for child, wide in pairs), default=0)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        x += self.pad_x
        for child, wide in zip(self.children, self._widths(width), strict=True):
            tall = child.height(scene.look, wide)
            child.place(scene, x, y + (height - tall) // 2, wide, tall)
            x += wide


class Grid(msgspec.Struct, frozen=True):
    """Widgets in equally wide columns, row after row."""

    children: Sequence[Widget]
    columns: int = 2
    gap: int = 8
    pad_x: int = MARGIN

    def __post_init__(self) -> None:
        freeze(self, "children")

    def _rows(self, look: Look, width: int) -> tuple[int, list[int]]:
        wide = (width - 2 * self.pad_x - (self.columns - 1) * self.gap) // self.columns
        heights = [child.height(look, wide) for child in self.children]
        return wide, [
            max(heights[start : start + self.columns]) for start in range(0, len(heights), self.columns)
        ]

    def height(self, look: Look, width: int) -> int:
        _, rows = self._rows(look, width)
        return sum(rows) + self.gap * len(rows)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del height
        wide, rows = self._rows(scene.look, width)
        for number, child in enumerate(self.children):
            row, column = divmod(number, self.columns)
            if column == 0 and row:
                y += rows[row - 1] + self.gap
            left = x + self.pad_x + column * (wide + self.gap)
            child.place(scene, left, y, wide, rows[row])


class Card(msgspec.Struct, frozen=True):
    """A raised sheet around widgets; with `on_tap` the whole card can be pressed."""

    children: Sequence[Widget]
    on_tap: Message | None = None
    on_long_press: Message | None = None
    description: str = ""
    name: str = ""
    pad_x: int = MARGIN
    pad_y: int = 4
    inner: int = 8
    selected: bool = False
    outlined: bool = False

    def __post_init__(self) -> None:
        freeze(self, "children")

    def height(self, look: Look, width: int) -> int:
        inner = width - 2 * self.pad_x
        total = sum(child.height(look, inner) for child in self.children)
        return total + 2 * self.pad_y + 2 * self.inner

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left, top, across, tall = (
            x + self.pad_x,
            y + self.pad_y,
            width - 2 * self.pad_x,
            height - 2 * self.pad_y,
        )
        before, paper = scene.parent, scene.paper
        if self.outlined:
            scene.outline(left, top, across, tall, look.primary if self.selected else look.line, 14)
        else:
            scene.paper = look.container if self.selected else look.card
            scene.fill(left, top, across, tall, scene.paper, 14)
        card = scene.add(
            LINEAR, left, top, across, tall, "", self.description, self.name, self.on_tap,
            self.on_long_press, selected=self.selected,
        )  # fmt: skip
        scene.inside(card)
        line = top + self.inner
        for child in self.children:
            child_tall = child.height(look, across)
            child.place(scene, left, line, across, child_tall)
            line += child_tall
        scene.parent, scene.paper = before, paper


class Strip(msgspec.Struct, frozen=True):
    """Widgets of one width in a line that scrolls sideways."""

    children: Sequence[Widget]
    name: str
    item_width: int = 120
    gap: int = 8

    def height(self, look: Look, width: int) -> int:
        del width
        return max((child.height(look, self.item_width) for child in self.children), default=0)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        count = len(self.children)
        total = 2 * MARGIN + count * (self.item_width + self.gap) - self.gap
        placed = [(self.item_width, child) for child in self.children]
        _place_sideways(scene, self.name, placed, total, self.gap, (x, y, width, height))


class _ChipPlace(msgspec.Struct, frozen=True, gc=False):
    chip: Chip
    tall: int

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        self.chip.place(scene, x, y + (height - self.tall) // 2, width, self.tall)

    def height(self, look: Look, width: int) -> int:
        del look, width
        return self.tall


class Chips(msgspec.Struct, frozen=True):
    """Chips in a line that scrolls sideways, or on several lines with `wrap`."""

    chips: Sequence[Chip]
    name: str = "chips"
    wrap: bool = False

    def _lines(self, look: Look, width: int) -> list[list[tuple[int, int, Chip]]]:
        lines: list[list[tuple[int, int, Chip]]] = [[]]
        left = MARGIN
        for chip in self.chips:
            wide = min(chip.natural_width(look), width - 2 * MARGIN)
            if left + wide > width - MARGIN and lines[-1]:
                lines.append([])
                left = MARGIN
            lines[-1].append((left, wide, chip))
            left += wide + 8
        return lines

    def _tall(self, look: Look) -> int:
        return look.line_height(look.sp(13)) + 14

    def height(self, look: Look, width: int) -> int:
        count = len(self._lines(look, width)) if self.wrap else 1
        return count * (self._tall(look) + 8) + 4

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        tall = self._tall(look)
        if self.wrap:
            for number, line in enumerate(self._lines(look, width)):
                for left, wide, chip in line:
                    chip.place(scene, x + left, y + 6 + number * (tall + 8), wide, tall)
            return
        placed = [(chip.natural_width(look), _ChipPlace(chip, tall)) for chip in self.chips]
        total = 2 * MARGIN + sum(wide for wide, _ in placed) + 8 * max(0, len(placed) - 1)
        _place_sideways(scene, self.name, placed, total, 8, (x, y, width, height))


def _place_sideways(
    scene: Scene,
    name: str,
    placed: Sequence[tuple[int, Widget]],
    total: int,
    gap: int,
    rectangle: tuple[int, int, int, int],
) -> None:
    """Place widgets of given widths in a line, moved by the line's scroll offset and cut at its edges."""
    x, y, width, height = rectangle
    limit = max(0, total - width)
    offset = min(scene.scroll.get(name, 0), limit)
    box = (x, y, x + width, y + height)
    before = scene.parent
    if limit:
        scene.inside(
            scene.add("android.widget.HorizontalScrollView", x, y, width, height, name=name, scrollable=True)
        )
    if box[3] > scene.clip[1] and box[1] < scene.clip[3]:
        scene.areas.append(ScrollArea(name, box, offset, limit, True))
    clip = scene.narrow(box)
    left = x + MARGIN - offset
    for wide, widget in placed:
        if left + wide > x and left < x + width:
            place_band(scene, widget, left, y, wide, height, box)
        left += wide + gap
    scene.widen(clip)
    scene.parent = before
