"""What a widget is: something with a height for a given width that can be placed on a scene."""

from __future__ import annotations

from typing import Protocol

from distrl.simphone.scene import Scene
from distrl.simphone.theme import Look


class Placeable(Protocol):
    """Anything that can be put onto a scene."""

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        """Put it onto the scene in this rectangle."""


class Widget(Protocol):
    """A piece of a page. `place` paints it and lists it in the accessibility tree in one go."""

    def height(self, look: Look, width: int) -> int:
        """The height it needs at this width, in px."""

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        """Put it onto the scene in this rectangle."""
