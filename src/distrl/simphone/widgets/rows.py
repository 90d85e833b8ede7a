"""The list row: leading icon, title, subtitle, and a switch, tick, radio button or chevron at the end."""

from __future__ import annotations

from typing import Literal

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import (
    IMAGE_BUTTON,
    IMAGE_VIEW,
    LINEAR,
    MEDIUM,
    REGULAR,
    SWITCH,
    TEXT_VIEW,
    Message,
    Scene,
)
from distrl.simphone.theme import Look, Role
from distrl.simphone.widgets.controls import dimmed, paint_switch, paint_tick
from distrl.simphone.widgets.text import MARGIN, place_avatar

Trailing = Literal["", "switch", "checkbox", "radio", "chevron"]

CHECK_CLASSES = {"checkbox": "android.widget.CheckBox", "radio": "android.widget.RadioButton"}


class Row(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One line of a list.

    The whole row says `on_tap`; with `on_toggle` the switch or box at the end answers on its own. `end_icon`
    puts an icon button at the end (say nothing in `end_description` and only pixels tell what it does).
    """

    title: str
    subtitle: str = ""
    on_tap: Message | None = None
    on_long_press: Message | None = None
    icon: str = ""
    icon_role: Role = "faint"
    avatar: str = ""
    photo: str = ""
    trailing: Trailing = ""
    checked: bool = False
    on_toggle: Message | None = None
    end_text: str = ""
    end_icon: str = ""
    end_role: Role = "faint"
    end_description: str = ""
    on_end: Message | None = None
    title_role: Role = "text"
    bold: bool = False
    selected: bool = False
    enabled: bool = True
    lines: int = 2
    name: str = ""

    def _lead(self) -> int:
        return 72 if self.photo else 56 if self.avatar else 40 if self.icon else 0

    def _end(self, look: Look) -> int:
        end = 52 if self.trailing == "switch" else 32 if self.trailing else 0
        if self.end_icon:
            end += 44
        if self.end_text:
            end += draw.text_width(self.end_text, look.small) + 8
        return end

    def _subtitle(self, look: Look, width: int) -> tuple[str, ...]:
        if not self.subtitle:
            return ()
        return draw.wrap(self.subtitle, look.sp(13), REGULAR, max(40, width), self.lines)

    def height(self, look: Look, width: int) -> int:
        inner = width - 2 * MARGIN - self._lead() - self._end(look)
        text = look.line_height(look.title)
        if self.subtitle:
            text += len(self._subtitle(look, inner)) * look.line_height(look.sp(13)) + 2
        return max(text + 26, 80 if self.photo else 60 if self.avatar else 52)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        tap, press = self.on_tap, self.on_long_press
        if self.selected:
            scene.fill(x + 4, y + 2, width - 8, height - 4, look.container, 12)
        row = scene.add(
            LINEAR, x, y, width, height, name=self.name, tap=tap, long_press=press,
            selected=self.selected, enabled=self.enabled,
        )  # fmt: skip
        if row < 0:
            return
        before = scene.inside(row)
        left = x + MARGIN + self._lead()
        inner = width - 2 * MARGIN - self._lead() - self._end(look)
        self._place_lead(scene, x + MARGIN, y, height)
        colour = look.role(self.title_role)
        if not self.enabled:
            colour = dimmed(look, look.text)
        lines = self._subtitle(look, inner)
        step, sub_size = look.line_height(look.title), look.sp(13)
        sub_step = look.line_height(sub_size)
        top = y + (height - step - (len(lines) * sub_step + 2 if lines else 0)) // 2
        weight = MEDIUM if self.bold else REGULAR
        scene.label(left, top, inner, self.title, look.title, colour, weight, name="android:id/title")
        top += step + 2
        if lines:
            faint = look.faint if self.enabled else dimmed(look, look.faint)
            for number, line in enumerate(lines):
                scene.text(left, top + number * sub_step, inner, line, sub_size, faint)
            scene.add(
                TEXT_VIEW, left, top, inner, sub_step * len(lines), self.subtitle, name="android:id/summary"
            )
        self._place_end(scene, x + width - MARGIN, y, height)
        scene.parent = before

    def _place_lead(self, scene: Scene, x: int, y: int, height: int) -> None:
        look = scene.look
        if self.photo:
            scene.photo(x, y + (height - 60) // 2, 60, 60, self.photo, 10)
            scene.add(IMAGE_VIEW, x, y + (height - 60) // 2, 60, 60)
        elif self.avatar:
            place_avatar(scene, x, y + (height - 40) // 2, 40, self.avatar)
            scene.add(IMAGE_VIEW, x, y + (height - 40) // 2, 40, 40)
        elif self.icon:
            top = y + (height - 24) // 2
            colour = look.role(self.icon_role) if self.enabled else dimmed(look, look.faint)
            scene.icon(x, top, self.icon, 24, colour)
            scene.add(IMAGE_VIEW, x, top, 24, 24, name="android:id/icon")

    def _place_end(self, scene: Scene, right: int, y: int, height: int) -> None:
        look = scene.look
        if self.trailing == "switch":
            left, top = right - 44, y + (height - 26) // 2
            paint_switch(scene, left, top, self.checked, self.enabled)
            scene.add(
                SWITCH, left, top, 44, 26, "ON" if self.checked else "OFF", name="android:id/switch_widget",
                tap=self.on_toggle, checkable=True, checked=self.checked, enabled=self.enabled,
            )  # fmt: skip
            right -= 52
        elif self.trailing in CHECK_CLASSES:
            left, top = right - 24, y + (height - 24) // 2
            paint_tick(scene, left, top, self.trailing, self.checked)
            scene.add(
                CHECK_CLASSES[self.trailing], left, top, 24, 24, name="android:id/checkbox",
                tap=self.on_toggle, checkable=True, checked=self.checked, enabled=self.enabled,
            )  # fmt: skip
            right -= 32
        elif self.trailing == "chevron":
            scene.icon(right - 24, y + (height - 24) // 2, "chevron_right", 24, look.outline)
            right -= 32
        if self.end_icon:
            left, top = right - 36, y + (height - 44) // 2
            scene.icon(left + 10, top + 10, self.end_icon, 24, look.role(self.end_role))
            description, on_end = self.end_description, self.on_end
            scene.add(IMAGE_BUTTON if on_end else IMAGE_VIEW, left, top, 44, 44, "", description, tap=on_end)
            right -= 44
        if self.end_text:
            used = draw.text_width(self.end_text, look.small)
            top = y + (height - look.line_height(look.small)) // 2
            scene.label(right - used, top, used + 1, self.end_text, look.small, look.faint)
