"""What is on the screen now: marks to paint, accessibility nodes and touch targets, laid out together.

Widgets call `add` for what exists and `text`, `icon`, `fill`… for what it looks like, with the same
coordinates; that is why pixels, tree and touch agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from distrl.simphone import draw
from distrl.simphone.draw import MEDIUM, REGULAR
from distrl.simphone.elements import (
    BUTTON,
    CENTRE,
    EDIT_TEXT,
    END,
    FRAME,
    HEIGHT,
    IMAGE_BUTTON,
    IMAGE_VIEW,
    LINEAR,
    START,
    SWITCH,
    TEXT_VIEW,
    VIEW,
    WIDTH,
    Field,
    Message,
    ScrollArea,
    Target,
    shared,
    spare_boxes,
)
from distrl.simphone.marks import Arc, Band, Box, Fill, Glyph, Ink, Mark, Outline, Photo, Sheet
from distrl.simphone.node import Node
from distrl.simphone.theme import Colour, Look


class Scene:
    """One screen under construction, then the finished screen."""

    __slots__ = (
        "_clip", "_focus", "_later", "_origin_x", "_origin_y", "_scroll", "_values", "areas", "fields",
        "flicks", "look", "looked", "moored", "nodes", "open_marks", "package", "paper", "parent", "targets",
    )  # fmt: skip

    def __init__(self, look: Look) -> None:
        spare_boxes()
        self.look = look
        self.nodes: list[Node] = []
        self.targets: list[Target] = []
        self.fields: list[Field] = []
        self.areas: list[ScrollArea] = []
        self.flicks: list[tuple[Box, Message]] = []
        self.package = ""
        self.parent = -1
        self.paper: Colour = look.surface
        self.looked = False
        """Whether something was placed that depends on the page's fields, scrolling or focus."""
        self.moored = False
        """Whether something was placed that would not be the same a bit further up or down."""
        self._values: Mapping[str, str] = {}
        self._scroll: Mapping[str, int] = {}
        self._focus = ""
        self.open_marks: list[Mark] = []
        """The marks of the band that is open, or of the screen."""
        self._later: list[Callable[[], None]] = []
        self._clip: Box = (0, 0, WIDTH, HEIGHT)
        self._origin_x = 0
        self._origin_y = 0

    def show(self, values: Mapping[str, str], scroll: Mapping[str, int], focus: str = "") -> None:
        """Say what the page to be placed remembers."""
        self._values, self._scroll, self._focus = values, scroll, focus

    @property
    def values(self) -> Mapping[str, str]:
        """What stands in the page's text fields."""
        self.looked = True
        return self._values

    @property
    def scroll(self) -> Mapping[str, int]:
        """How far the page's lists are scrolled."""
        self.looked = True
        return self._scroll

    @property
    def focus(self) -> str:
        """The text field that has the keyboard."""
        self.looked = True
        return self._focus

    # -- what exists -----------------------------------------------------------------------------------

    def add(
        self,
        class_name: str,
        x: int,
        y: int,
        width: int,
        height: int,
        text: str = "",
        description: str = "",
        name: str = "",
        tap: Message | None = None,
        long_press: Message | None = None,
        scrollable: bool = False,
        editable: bool = False,
        focused: bool = False,
        checkable: bool = False,
        checked: bool = False,
        selected: bool = False,
        enabled: bool = True,
        password: bool = False,
        slider: bool = False,
    ) -> int:
        """List an element, a touch target if it has a message; returns its index, or -1 if out of sight."""
        left, top, right, bottom = self._clip
        box = (x, y, x + width, y + height)
        if x < left or y < top or box[2] > right or box[3] > bottom:
            self.moored = True
            box = (max(x, left), max(y, top), min(box[2], right), min(box[3], bottom))
        if box[0] >= box[2] or box[1] >= box[3]:
            return -1
        nodes, package, box = self.nodes, self.package, shared(box, box)
        index = len(nodes)
        if name and ":" not in name:
            name = f"{package}:id/{name}"
        nodes.append(
            Node(
                class_name,
                text,
                description,
                name,
                package,
                box,
                tap is not None and not slider,
                long_press is not None,
                scrollable,
                editable,
                focused,
                checkable,
                checked,
                selected,
                enabled,
                password,
                self.parent,
            )
        )
        if enabled and (tap is not None or long_press is not None):
            self.targets.append(Target(box, tap, long_press, slider, index))
        return index

    def touch(self, x: int, y: int, width: int, height: int, message: Message) -> None:
        """Make a rectangle answer to a finger without listing it, as the dimmed part around a dialog does."""
        self.targets.append(Target((x, y, x + width, y + height), message))

    def flick(self, x: int, y: int, width: int, height: int, message: Message) -> None:
        """Make a rectangle answer to a sideways swipe, as notifications do."""
        self.flicks.append(((x, y, x + width, y + height), message))

    def inside(self, index: int) -> int:
        """Make the following elements children of `index`; returns the parent to put back afterwards."""
        before = self.parent
        if index >= 0:
            self.parent = index
        return before

    def add_field(self, field: Field) -> None:
        """Announce a text field (also one out of sight, which may hold the focus)."""
        self.looked = True
        self.fields.append(field)

    def block(self) -> None:
        """Start a new window over everything so far: what is below can be seen but not touched or listed."""
        self.nodes.clear()
        self.targets.clear()
        self.fields.clear()
        self.areas.clear()
        self.flicks.clear()
        self.parent = -1

    # -- what it looks like ----------------------------------------------------------------------------

    def text(
        self,
        x: int,
        y: int,
        width: int,
        text: str,
        size: int,
        colour: Colour,
        weight: str = REGULAR,
        align: int = START,
    ) -> int:
        """Paint one line of text in a line box at (x, y), shortened to fit; returns the painted width."""
        if "\n" in text or (used := draw.text_width(text, size, weight)) > width:
            text = draw.ellipsize(text, size, weight, width)
            used = draw.text_width(text, size, weight)
        if align:
            x += (width - used) // 2 if align == CENTRE else width - used
        self.open_marks.append(Ink(x - self._origin_x, y + size - self._origin_y, text, size, weight, colour))
        return used

    def label(
        self,
        x: int,
        y: int,
        width: int,
        text: str,
        size: int,
        colour: Colour,
        weight: str = REGULAR,
        align: int = START,
        name: str = "",
    ) -> int:
        """Paint one line of text and list it as a TextView; returns the painted width."""
        used = self.text(x, y, width, text, size, colour, weight, align)
        if align:
            x += (width - used) // 2 if align == CENTRE else width - used
        self.add(TEXT_VIEW, x, y, used, self.look.line_height(size), text, "", name)
        return used

    def paragraph(
        self,
        x: int,
        y: int,
        width: int,
        text: str,
        size: int,
        colour: Colour,
        weight: str = REGULAR,
        align: int = START,
        max_lines: int = 0,
        name: str = "",
    ) -> int:
        """Paint text on as many lines as it needs and list it as one TextView; returns its height."""
        step = self.look.line_height(size)
        lines = draw.wrap(text, size, weight, width, max_lines)
        for number, line in enumerate(lines):
            self.text(x, y + number * step, width, line, size, colour, weight, align)
        self.add(TEXT_VIEW, x, y, width, step * len(lines), text, "", name)
        return step * len(lines)

    def icon(self, x: int, y: int, icon: str, size: int, colour: Colour) -> None:
        """Paint an icon with its top left corner at (x, y)."""
        self.open_marks.append(Glyph(x - self._origin_x, y - self._origin_y, icon, size, colour))

    def fill(self, x: int, y: int, width: int, height: int, colour: Colour, radius: int = 0) -> None:
        """Paint a filled rectangle."""
        self.open_marks.append(Fill(x - self._origin_x, y - self._origin_y, width, height, radius, colour))

    def outline(
        self, x: int, y: int, width: int, height: int, colour: Colour, radius: int = 0, stroke: int = 1
    ) -> None:
        """Paint the border of a rectangle."""
        self.open_marks.append(
            Outline(x - self._origin_x, y - self._origin_y, width, height, radius, stroke, colour)
        )

    def arc(self, x: int, y: int, size: int, colour: Colour, start: int, end: int, stroke: int = 4) -> None:
        """Paint part of a circle's border between two angles in degrees."""
        self.open_marks.append(Arc(x - self._origin_x, y - self._origin_y, size, stroke, start, end, colour))

    def photo(self, x: int, y: int, width: int, height: int, key: str, radius: int = 0) -> None:
        """Paint a procedural picture."""
        self.open_marks.append(Photo(x - self._origin_x, y - self._origin_y, width, height, radius, key))

    def mark(self, mark: Mark) -> None:
        """Paint any other mark, in screen coordinates (bands: in the band's)."""
        self.open_marks.append(mark)

    # -- bands and clips -------------------------------------------------------------------------------

    def open_band(self, x: int, y: int) -> tuple[list[Mark], int, int]:
        """Collect the following marks into a band at (x, y); give the result to `close_band`."""
        self.moored = True
        outer = (self.open_marks, self._origin_x, self._origin_y)
        self.open_marks, self._origin_x, self._origin_y = [], x, y
        return outer

    def close_band(
        self, outer: tuple[list[Mark], int, int], width: int, height: int, clip: Box | None = None
    ) -> None:
        """Finish a band of this size on the current paper; `clip` is in screen coordinates."""
        x, y, sheet = self._origin_x, self._origin_y, Sheet(width, height, self.paper, tuple(self.open_marks))
        self.open_marks, self._origin_x, self._origin_y = outer
        self.open_marks.append(self.band(x, y, sheet, clip))

    def band(self, x: int, y: int, sheet: Sheet, clip: Box | None) -> Band:
        """A sheet at a place on the screen as a mark of the band that is open."""
        left, top = self._origin_x, self._origin_y
        if clip is not None:
            if clip[0] <= x and clip[1] <= y and x + sheet.width <= clip[2] and y + sheet.height <= clip[3]:
                clip = None
            else:
                clip = (clip[0] - left, clip[1] - top, clip[2] - left, clip[3] - top)
        return Band(x - left, y - top, sheet, clip)

    def drop_band(self, outer: tuple[list[Mark], int, int]) -> None:
        """Forget the marks of a band that is out of sight."""
        self.open_marks, self._origin_x, self._origin_y = outer

    def spot(self) -> tuple[Box, int, int]:
        """What decides how marks and elements are placed: the clip and the open band's corner."""
        return self._clip, self._origin_x, self._origin_y

    @property
    def origin(self) -> tuple[int, int]:
        """The corner of the band that is open: what `mark` takes is relative to it."""
        self.moored = True
        return self._origin_x, self._origin_y

    @property
    def clip(self) -> Box:
        """The part of the screen in which elements are in sight now."""
        self.moored = True
        return self._clip

    def narrow(self, box: Box) -> Box:
        """Limit what is in sight to `box` as well; returns the clip to put back with `widen`."""
        self.moored = True
        before = self._clip
        self._clip = (
            max(before[0], box[0]),
            max(before[1], box[1]),
            min(before[2], box[2]),
            min(before[3], box[3]),
        )
        return before

    def widen(self, clip: Box) -> None:
        """Put a clip back."""
        self._clip = clip

    def later(self, finish: Callable[[], None]) -> None:
        """Leave work to be done for marks alone, so that it is spared where nobody wants pixels."""
        self._later.append(finish)

    def marks(self) -> tuple[Mark, ...]:
        """Everything to paint, bottom first; ask before the phone's state changes again."""
        for finish in self._later:
            finish()
        self._later.clear()
        return tuple(self.open_marks)

    def flick_at(self, x: float, y: float) -> Message | None:
        """What a sideways swipe that begins here says, if anything listens."""
        for (left, top, right, bottom), message in reversed(self.flicks):
            if left <= x < right and top <= y < bottom:
                return message
        return None

    def target_at(self, x: float, y: float) -> Target | None:
        """The topmost touch target under a point."""
        for target in reversed(self.targets):
            left, top, right, bottom = target.box
            if left <= x < right and top <= y < bottom:
                return target
        return None


__all__ = [
    "BUTTON", "CENTRE", "EDIT_TEXT", "END", "FRAME", "HEIGHT", "IMAGE_BUTTON", "IMAGE_VIEW", "LINEAR",
    "MEDIUM", "REGULAR", "START", "SWITCH", "TEXT_VIEW", "VIEW", "WIDTH", "Field", "Message", "Scene",
    "ScrollArea", "Target",
]  # fmt: skip
