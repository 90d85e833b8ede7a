"""A hand that finds things by what they say: for scripts, tests and scripted experts."""

from __future__ import annotations

from distrl.simphone.node import Node
from distrl.simphone.phone import Phone

MOST_SWIPES = 25


class Hand:
    """Works a phone through its accessibility tree, scrolling down where something is not in sight yet."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    def see(self, wanted: str) -> Node | None:
        """The first element in sight with this text, description or (last part of a) resource id."""
        for node in self.phone.tree():
            if wanted in (node.text, node.description, node.resource_id.rpartition("/")[2]):
                return node
        return None

    def find(self, wanted: str) -> Node:
        """The same, scrolling down as far as it goes; an error if it is nowhere."""
        for _ in range(MOST_SWIPES):
            node = self.see(wanted)
            if node is not None:
                return node
            before = self.phone.frame_version
            self.phone.swipe(206, 470, 206, 220)
            if self.phone.frame_version == before:
                break
        texts = [node.text for node in self.phone.tree() if node.text]
        raise LookupError(f"{wanted!r} is not on the screen, which says: {', '.join(texts)}")

    def tap(self, wanted: str) -> None:
        """Touch the middle of what `find` finds."""
        self.phone.tap(*self.find(wanted).centre)

    def hold(self, wanted: str) -> None:
        """Touch and hold it."""
        self.phone.long_press(*self.find(wanted).centre)

    def write(self, field: str, text: str) -> None:
        """Touch a text field and type into it."""
        self.tap(field)
        self.phone.type_text(text)

    def texts(self) -> list[str]:
        """Everything that can be read on the screen, in order."""
        return [node.text for node in self.phone.tree() if node.text]
