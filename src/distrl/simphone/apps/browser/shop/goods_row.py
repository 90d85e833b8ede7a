"""A product in a list: its photo, its whole name on as many lines as it needs, and lines about it."""

from __future__ import annotations

import msgspec

from distrl.simphone import draw
from distrl.simphone.scene import IMAGE_VIEW, LINEAR, REGULAR, Message, Scene
from distrl.simphone.theme import Look

MARGIN = 16
LEAD = 72
PHOTO = 60


class GoodsRow(msgspec.Struct, frozen=True, gc=False):
    """Names of products differ in their last word, so none is cut off."""

    title: str
    about: str
    photo: str = ""
    on_tap: Message | None = None

    def _lines(self, look: Look, width: int) -> tuple[int, int, int]:
        """The room for text, and how many lines name and details take."""
        inner = width - 2 * MARGIN - (LEAD if self.photo else 0)
        names = len(draw.wrap(self.title, look.title, REGULAR, inner))
        return inner, names, len(draw.wrap(self.about, look.sp(13), REGULAR, inner))

    def height(self, look: Look, width: int) -> int:
        _, names, details = self._lines(look, width)
        text = names * look.line_height(look.title) + details * look.line_height(look.sp(13)) + 2
        return max(text + 24, 80 if self.photo else 52)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        inner, names, details = self._lines(look, width)
        before = scene.parent
        row = scene.add(LINEAR, x, y, width, height, tap=self.on_tap)
        if row < 0:
            return
        scene.inside(row)
        left = x + MARGIN
        if self.photo:
            scene.photo(left, y + (height - PHOTO) // 2, PHOTO, PHOTO, self.photo, 10)
            scene.add(IMAGE_VIEW, left, y + (height - PHOTO) // 2, PHOTO, PHOTO)
            left += LEAD
        step, sub = look.line_height(look.title), look.line_height(look.sp(13))
        top = y + (height - names * step - details * sub - 2) // 2
        scene.paragraph(left, top, inner, self.title, look.title, look.text, name="android:id/title")
        top += names * step + 2
        scene.paragraph(left, top, inner, self.about, look.sp(13), look.faint, name="android:id/summary")
        scene.parent = before
