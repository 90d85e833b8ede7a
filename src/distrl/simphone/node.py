"""One element of the accessibility tree, as uiautomator reports it."""

from __future__ import annotations

import msgspec


class Node(msgspec.Struct, frozen=True, gc=False):
    """A visible element: what it is, what it says, where it is (px), what can be done with it."""

    class_name: str
    text: str
    description: str
    resource_id: str
    package: str
    bounds: tuple[int, int, int, int]
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    editable: bool = False
    focused: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    enabled: bool = True
    password: bool = False
    parent: int = -1

    @property
    def centre(self) -> tuple[int, int]:
        """The middle of the element, where a finger would go."""
        left, top, right, bottom = self.bounds
        return (left + right) // 2, (top + bottom) // 2

    def moved(self, bounds: tuple[int, int, int, int], parent: int) -> Node:
        """The same element elsewhere."""
        return Node(
            self.class_name,
            self.text,
            self.description,
            self.resource_id,
            self.package,
            bounds,
            self.clickable,
            self.long_clickable,
            self.scrollable,
            self.editable,
            self.focused,
            self.checkable,
            self.checked,
            self.selected,
            self.enabled,
            self.password,
            parent,
        )
