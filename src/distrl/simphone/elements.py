"""What a screen is made of besides its pixels: messages, touch targets, text fields, scrolling areas."""

from __future__ import annotations

import msgspec

from distrl.simphone.marks import Box
from distrl.simphone.state import Value

Message = tuple[Value | tuple[tuple[str, Value], ...], ...]
"""What a touched widget says: a word and plain values; words starting with @ are for the system."""

WIDTH, HEIGHT = 412, 732

TEXT_VIEW, IMAGE_VIEW, BUTTON = "android.widget.TextView", "android.widget.ImageView", "android.widget.Button"
IMAGE_BUTTON, EDIT_TEXT, SWITCH = (
    "android.widget.ImageButton",
    "android.widget.EditText",
    "android.widget.Switch",
)
LINEAR, FRAME, VIEW = "android.widget.LinearLayout", "android.widget.FrameLayout", "android.view.View"
START, CENTRE, END = 0, 1, 2

BOXES_KEPT = 50_000
"""How many rectangles all phones of a process share (about 200 bytes each)."""

_boxes: dict[Box, Box] = {}
shared = _boxes.setdefault
"""`shared(box, box)` is the same rectangle for all elements that have it: fewer things to keep, and to search
for garbage."""


def spare_boxes() -> None:
    """Forget the shared rectangles if there are too many; call it now and then."""
    if len(_boxes) > BOXES_KEPT:
        _boxes.clear()


class Target(msgspec.Struct, frozen=True, gc=False):
    """A rectangle that answers to a finger. A slider appends the touched fraction (0 to 1) to its message."""

    box: Box
    tap: Message | None
    long_press: Message | None = None
    slider: bool = False
    node: int = -1


class Field(msgspec.Struct, frozen=True, gc=False):
    """A text field that can take the keyboard."""

    name: str
    initial: str
    submit: Message | None
    multiline: bool
    numeric: bool
    box: Box
    fresh: bool = False
    search: bool = False


class ScrollArea(msgspec.Struct, frozen=True, gc=False):
    """A rectangle whose content moves with the finger."""

    name: str
    box: Box
    offset: int
    limit: int
    horizontal: bool
