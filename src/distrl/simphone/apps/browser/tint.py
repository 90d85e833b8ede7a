"""Web pages have colours of their own, and may be asked to show more at once."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from distrl.simphone.scene import Scene
from distrl.simphone.theme import Look, look
from distrl.simphone.widgets import Widget

DESKTOP_SCALE = 0.82


@lru_cache(maxsize=512)
def tinted_look(before: Look, hue: float | None, desktop: bool) -> Look:
    """The phone's look in a site's colour; a desktop page has smaller letters."""
    scale = before.scale * DESKTOP_SCALE if desktop else before.scale
    if hue is not None:
        return look(hue, before.dark, scale)
    if not desktop:
        return before
    sizes = {
        name: round(size * scale)
        for name, size in (("large", 21), ("title", 16), ("body", 14), ("small", 12))
    }
    return msgspec.structs.replace(before, scale=scale, **sizes)


class Tinted(msgspec.Struct, frozen=True, gc=False):
    """A widget drawn in a site's colours."""

    child: Widget
    hue: float | None
    desktop: bool = False

    def height(self, look: Look, width: int) -> int:
        return self.child.height(tinted_look(look, self.hue, self.desktop), width)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        before = scene.look
        scene.look = tinted_look(before, self.hue, self.desktop)
        self.child.place(scene, x, y, width, height)
        scene.look = before
