"""The widgets of a chat: bubbles, list rows with an unread badge, and the line to write in."""

from __future__ import annotations

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import END, LINEAR, REGULAR, START, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import Across, Divider, IconButton, Row, Stack, TextField
from distrl.simphone.widgets.bars import place_badge

WIDEST = 0.76


class Bubble(msgspec.Struct, frozen=True, gc=False):
    """One text of a chat: the other's on the left, the owner's on the right; the stamp stands below."""

    text: str
    mine: bool
    stamp: str = ""
    on_long_press: Message | None = None

    def _lines(self, look: Look, width: int) -> tuple[str, ...]:
        return draw.wrap(self.text, look.sp(15), REGULAR, int(width * WIDEST) - 28)

    def height(self, look: Look, width: int) -> int:
        below = look.line_height(look.small) + 2 if self.stamp else 0
        return len(self._lines(look, width)) * look.line_height(look.sp(15)) + 22 + below

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del height
        look = scene.look
        size = look.sp(15)
        step, lines = look.line_height(size), self._lines(look, width)
        wide = max(max(draw.text_width(line, size) for line in lines) + 28, 44)
        tall = step * len(lines) + 16
        left = x + width - 14 - wide if self.mine else x + 14
        scene.fill(left, y + 3, wide, tall, look.container if self.mine else look.raised, 18)
        colour = look.on_container if self.mine else look.text
        name = "message_sent" if self.mine else "message_received"
        bubble = scene.add(LINEAR, left, y + 3, wide, tall, name=name, long_press=self.on_long_press)
        before = scene.inside(bubble)
        scene.paragraph(left + 14, y + 11, wide - 28, self.text, size, colour, name="message_text")
        scene.parent = before
        if self.stamp:
            align = END if self.mine else START
            scene.label(
                x + 22, y + tall + 5, width - 44, self.stamp, look.small, look.faint, align=align,
                name="message_status",
            )  # fmt: skip


class ThreadRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A conversation in the list; unread texts are counted in a badge below the time."""

    name: str
    snippet: str
    when: str
    unread: int
    pinned: bool
    on_tap: Message
    on_long_press: Message | None = None

    def _row(self) -> Row:
        return Row(
            title=self.name,
            subtitle=self.snippet,
            avatar=self.name,
            end_text=self.when,
            end_icon="push_pin" if self.pinned else "",
            end_role="primary",
            bold=self.unread > 0,
            lines=1,
            on_tap=self.on_tap,
            on_long_press=self.on_long_press,
        )

    def height(self, look: Look, width: int) -> int:
        return max(70, self._row().height(look, width))

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        self._row().place(scene, x, y, width, height)
        if self.unread:
            text = str(self.unread)
            right = x + width - 16 - (44 if self.pinned else 0)
            place_badge(scene, right - 18, y + height // 2 + 12, text)


def composer(initial: str, sendable: bool) -> Stack:
    """The line at the bottom of a chat: attach, write, send."""
    send = IconButton("send", ("send",), "", "send_message_button", "primary" if sendable else "outline")
    attach = IconButton("add_circle_outline", ("attach",), "", "attach")
    field = TextField("draft", "Text message", initial, on_submit=("send",), size=15)
    return Stack([Divider(), Across([attach, field, send], (48, 0, 52), 2)])
