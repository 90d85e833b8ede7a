"""Widgets that only show something: text, headers, lines, space, icons, pictures, avatars."""

from __future__ import annotations

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import (
    CENTRE,
    IMAGE_VIEW,
    LINEAR,
    MEDIUM,
    REGULAR,
    START,
    Message,
    Scene,
)
from distrl.simphone.theme import WHITE, Colour, Look, Role, tone

MARGIN = 16
AVATAR_HUES = 12


class Text(msgspec.Struct, frozen=True, gc=False):
    """Text on as many lines as it needs, or at most `max_lines`; with `on_tap` it is a link."""

    text: str
    size: int = 14
    role: Role = "text"
    bold: bool = False
    align: int = START
    max_lines: int = 0
    pad_x: int = MARGIN
    pad_y: int = 4
    name: str = ""
    on_tap: Message | None = None

    def height(self, look: Look, width: int) -> int:
        size = look.sp(self.size)
        weight = MEDIUM if self.bold else REGULAR
        lines = draw.wrap(self.text, size, weight, max(20, width - 2 * self.pad_x), self.max_lines)
        return len(lines) * look.line_height(size) + 2 * self.pad_y

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        weight = MEDIUM if self.bold else REGULAR
        inner = max(20, width - 2 * self.pad_x)
        before = scene.parent
        if self.on_tap is not None:
            box = scene.add(LINEAR, x, y, width, height, name=self.name, tap=self.on_tap)
            before = scene.inside(box)
        scene.paragraph(
            x + self.pad_x, y + self.pad_y, inner, self.text, look.sp(self.size), look.role(self.role),
            weight, self.align, self.max_lines, "" if self.on_tap is not None else self.name,
        )  # fmt: skip
        scene.parent = before


class SectionHeader(msgspec.Struct, frozen=True, gc=False):
    """A short coloured title above a group of rows."""

    text: str

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.sp(13)) + 20

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del height
        look = scene.look
        scene.label(
            x + MARGIN, y + 13, width - 2 * MARGIN, self.text, look.sp(13), look.primary, MEDIUM,
            name="android:id/title",
        )  # fmt: skip


class Divider(msgspec.Struct, frozen=True, gc=False):
    """A thin line across."""

    inset: int = 0

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 1

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del height
        scene.fill(x + self.inset, y, width - 2 * self.inset, 1, scene.look.line)


class Gap(msgspec.Struct, frozen=True, gc=False):
    """Empty space."""

    size: int = 12

    def height(self, look: Look, width: int) -> int:
        del look, width
        return self.size

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        del scene, x, y, width, height


class Icon(msgspec.Struct, frozen=True, gc=False):
    """An icon in the middle of its line; `description` may stay empty so that only pixels tell what it is."""

    icon: str
    size: int = 24
    role: Role = "faint"
    description: str = ""
    pad_y: int = 4

    def height(self, look: Look, width: int) -> int:
        del look, width
        return self.size + 2 * self.pad_y

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        left, top = x + (width - self.size) // 2, y + (height - self.size) // 2
        scene.icon(left, top, self.icon, self.size, scene.look.role(self.role))
        scene.add(IMAGE_VIEW, left, top, self.size, self.size, description=self.description)


class Picture(msgspec.Struct, frozen=True, gc=False):
    """A procedural picture: `key` is `icon:colour:variant` (see pictures.py)."""

    key: str
    picture_height: int = 180
    radius: int = 12
    description: str = ""
    pad_x: int = MARGIN
    on_tap: Message | None = None

    def height(self, look: Look, width: int) -> int:
        del look, width
        return self.picture_height

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        left, across = x + self.pad_x, width - 2 * self.pad_x
        scene.photo(left, y, across, height, self.key, self.radius)
        scene.add(IMAGE_VIEW, left, y, across, height, description=self.description, tap=self.on_tap)


class Empty(msgspec.Struct, frozen=True, gc=False):
    """What a list shows when there is nothing in it: a large icon and a sentence."""

    icon: str
    text: str

    def height(self, look: Look, width: int) -> int:
        return 150 + Text(self.text, 14, align=CENTRE).height(look, width)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        scene.icon(x + (width - 64) // 2, y + 70, self.icon, 64, scene.look.outline)
        sentence = Text(self.text, 14, "faint", align=CENTRE)
        sentence.place(scene, x, y + 142, width, height - 142)


def avatar_colour(text: str, look: Look) -> Colour:
    """The colour of the disc behind a person's initial."""
    hue = (sum(map(ord, text)) % AVATAR_HUES) / AVATAR_HUES
    return tone(hue, 0.38 if look.dark else 0.46, 0.42)


def place_avatar(scene: Scene, x: int, y: int, size: int, text: str) -> None:
    """Paint a disc with the first letter of a name."""
    look = scene.look
    scene.fill(x, y, size, size, avatar_colour(text, look), size // 2)
    letter = size * 45 // 100
    line = look.line_height(letter)
    scene.text(x, y + (size - line) // 2, size, text[:1].upper(), letter, WHITE, MEDIUM, CENTRE)


class Avatar(msgspec.Struct, frozen=True, gc=False):
    """A large disc with a person's initial, centred."""

    text: str
    size: int = 96

    def height(self, look: Look, width: int) -> int:
        del look, width
        return self.size + 16

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        left, top = x + (width - self.size) // 2, y + (height - self.size) // 2
        place_avatar(scene, left, top, self.size, self.text)
        scene.add(IMAGE_VIEW, left, top, self.size, self.size)
