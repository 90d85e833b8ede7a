"""Finding things on a screen by what a person would call them, from the accessibility tree alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from distrl.records import UiNode

SEEK_BAR = "android.widget.SeekBar"
SYSTEM_WINDOWS = ("systemui", "permissioncontroller")  # packages whose windows interrupt an app
DISMISSALS = (
    "Wait",
    "No thanks",
    "Not now",
    "Later",
    "Don't allow",
    "Reject all",
    "Accept all",
    "Accept",
    "Got it",
    "Skip",
    "Close",
    "Allow",
    "OK",
)
"""Labels that take a pop-up, a banner or a question of the system out of the way, the best first."""


class Screen:
    """One accessibility tree, ready to be asked."""

    def __init__(self, ui: tuple[UiNode, ...] | None) -> None:
        self.nodes = ui or ()

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if 0 <= node.parent < len(self.nodes):
                children[node.parent].append(index)
        return children

    def _subtree(self, index: int) -> Iterator[int]:
        yield index
        for child in self._children[index]:
            yield from self._subtree(child)

    def _surroundings(self, index: int) -> Iterator[int]:
        """The element itself, then what holds it, outwards, short of a whole list or window."""
        yield index
        parent = self.nodes[index].parent
        while parent >= 0 and not self.nodes[parent].scrollable and self.nodes[parent].parent >= 0:
            yield parent
            parent = self.nodes[parent].parent
        if parent >= 0 and not self.nodes[parent].scrollable:
            yield parent

    def _responds(self, index: int, long: bool = False) -> bool:
        """Whether a touch on the element does something, to itself or to the row it is in."""
        while index >= 0:
            node = self.nodes[index]
            if node.enabled and (node.long_clickable if long else node.clickable or node.checkable):
                return True
            if node.scrollable:
                return False
            index = node.parent
        return False

    def _covered(self, index: int) -> bool:
        """Whether something that floats above would get a touch on the element's middle."""
        left, top, right, bottom = self.nodes[index].bounds
        x, y = (left + right) // 2, (top + bottom) // 2
        own = set(self._subtree(index))
        for above in range(index + 1, len(self.nodes)):
            node = self.nodes[above]
            if above not in own and node.clickable and _contains(node.bounds, x, y):
                return True
        return False

    def _named(self, target: str, within: str) -> list[int]:
        """Every element with this label, all over the screen or only near the element labelled `within`."""
        if not within:
            return [
                index
                for index, node in enumerate(self.nodes)
                if _is_called(node, target) and not _is_key(node)  # a key called Delete is not meant
            ]
        for place in self._named(within, ""):
            for around in self._surroundings(place):
                found = [index for index in self._subtree(around) if _is_called(self.nodes[index], target)]
                if found:
                    return found
        return []

    def touchable(
        self, target: str, within: str = "", long: bool = False, fields: bool = True
    ) -> UiNode | None:
        """The element to touch for a label: one that responds; a text field only if there is no other."""
        found = [
            index
            for index in self._named(target, within)
            if self._responds(index, long)
            and not self._covered(index)
            and (fields or not self.nodes[index].editable)
        ]
        found.sort(key=lambda index: self.nodes[index].editable)
        return self.nodes[found[0]] if found else None

    def shows(self, target: str, within: str = "") -> bool:
        """Whether an element with this label is in sight."""
        return bool(self._named(target, within))

    def control(self, target: str, within: str = "") -> UiNode | None:
        """The switch, check box or slider that a label names: itself, or the one in its row."""
        for place in self._named(target, within):
            if self.nodes[place].editable:
                continue  # what was typed to search for something looks like the thing itself
            for around in self._surroundings(place):
                controls = [index for index in self._subtree(around) if _is_control(self.nodes[index])]
                if (
                    around == place
                    and not controls
                    and (target.startswith("#") or self.nodes[place].clickable)
                ):
                    return self.nodes[place]  # an icon, a chip or a key whose being selected tells its state
                if len(controls) == 1:
                    return self.nodes[controls[0]]
                if controls:
                    break
        return None

    def field(self, target: str) -> UiNode | None:
        """The text field that a label names; without a label, the focused one or the only one."""
        fields = [node for node in self.nodes if node.editable]
        if target:
            return next((node for node in fields if _is_called(node, target)), None)
        focused = [node for node in fields if node.focused]
        return focused[0] if focused else fields[0] if len(fields) == 1 else None

    @cached_property
    def scrollable(self) -> UiNode | None:
        """The largest list that moves up and down."""
        lists = [node for node in self.nodes if node.scrollable and "Horizontal" not in node.class_name]
        return max(lists, key=_area, default=None)

    @cached_property
    def loading(self) -> bool:
        """Whether something turns in circles, or nothing is there at all."""
        return not self.nodes or any(
            node.class_name.endswith("ProgressBar") and node.description == "Loading" for node in self.nodes
        )

    @cached_property
    def interrupted(self) -> bool:
        """Whether a window of the system lies over the app."""
        return bool(self.nodes) and self.nodes[0].package.endswith(SYSTEM_WINDOWS)

    @cached_property
    def dismissal(self) -> UiNode | None:
        """What to touch to get a pop-up or a banner out of the way."""
        if self._popup is not None:
            return self._popup
        asked = self.shows("Cancel", "")
        for label in DISMISSALS:
            node = self.touchable(label)
            # In a dialog that can be cancelled, OK is an answer, not a way out.
            if node is not None and node.class_name.endswith("Button") and not (asked and label == "OK"):
                return node
        if not self.interrupted:
            return None
        crosses = (node for node in self.nodes if node.class_name.endswith("ImageButton") and not node.label)
        return next(crosses, None)

    @cached_property
    def _popup(self) -> UiNode | None:
        """How to close what a web page puts in front of itself: its cross, or else its first answer."""
        popups = self._named("#popup", "")
        if not popups:
            return None
        close = self.touchable("#close_popup")
        answers = (self.nodes[index] for index in self._subtree(popups[0]))
        return close or next((node for node in answers if node.class_name.endswith("Button")), None)

    def same_as(self, other: Screen) -> bool:
        """Whether two screens show the same, whatever the status bar says."""
        return _without_bars(self.nodes) == _without_bars(other.nodes)

    @cached_property
    def keyboard(self) -> bool:
        """Whether a soft keyboard covers the lower part."""
        return any(_is_key(node) for node in self.nodes)


def _is_called(node: UiNode, target: str) -> bool:
    if target.startswith("#"):
        return node.resource_id.rpartition("/")[2] == target[1:]
    if target.startswith("~"):
        part = target[1:].casefold()
        return part in node.text.casefold() or part in node.description.casefold()
    return target in (node.text, node.description)


def _without_bars(nodes: tuple[UiNode, ...]) -> list[UiNode]:
    return [node for node in nodes if not node.package.endswith(SYSTEM_WINDOWS) or node.clickable]


def _is_key(node: UiNode) -> bool:
    return "inputmethod" in node.package


def _contains(box: tuple[int, int, int, int], x: int, y: int) -> bool:
    return box[0] <= x < box[2] and box[1] <= y < box[3]


def _is_control(node: UiNode) -> bool:
    return node.checkable or node.class_name == SEEK_BAR


def _area(node: UiNode) -> int:
    left, top, right, bottom = node.bounds
    return (right - left) * (bottom - top)
