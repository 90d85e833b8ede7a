"""The screen as a short list of places worth pointing at, and as a small picture.

Like a screen reader, it groups an element that can be tapped with the texts inside it: one list row is one
place, not four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from distrl.agents.small.words import WordIds, ids_of, long_number_in, number_in, other_number_in, word_id
from distrl.imaging import decode_array
from distrl.records import Observation, Point, Screenshot, UiNode

MAX_ELEMENTS = 48
MAX_WORDS = 12  # of one element
PICTURE_SIZE = (103, 183)  # width and height: a quarter of a 412 × 732 screen
GRID = (9, 16)  # cells of 46 × 46 on such a screen: any 48-pixel target holds the centre of one
SMALL_GRID = (6, 8)
LARGEST_GROUP = 0.35  # share of the screen; a larger element is a container, not a row
SLIDER = "SeekBar"
SLIDER_PARTS = 5  # a slider can be set to 0, 25, 50, 75 or 100 percent
SLIDER_EDGE = 0.001
MOST_PLACES = 14  # counted from the chosen one of a row, a column or a month: two weeks
KEYBOARD = "inputmethod"  # in the package of keys: the policy types whole texts and never needs one

Box = tuple[float, float, float, float]


@dataclass(slots=True, frozen=True)
class Screen:
    """What can be pointed at, in the order in which the policy counts it."""

    boxes: tuple[Box, ...]  # left, top, right, bottom as fractions of the screen
    points: tuple[tuple[float, float], ...]  # where a finger goes
    titles: tuple[str, ...]  # the first text of each element, or ""
    labels: tuple[tuple[WordIds, ...], ...]  # for each element the texts in it, as word ids
    flat: tuple[WordIds, ...]  # the same texts in one
    values: tuple[str, ...]  # the long number in each element's texts, or ""
    words: npt.NDArray[np.uint16]  # [N, MAX_WORDS]
    classes: npt.NDArray[np.uint16]  # [N]
    numbers: npt.NDArray[np.float16]  # [N, STATIC_NUMBERS]
    parts: npt.NDArray[np.uint8]  # [N] of a slider, counted from 1; 0 for what is none
    places: npt.NDArray[np.int8]  # [N] how far after the chosen one of its like, at most MOST_PLACES
    scrollable: bool
    keyboard: bool

    def __len__(self) -> int:
        return len(self.boxes)

    def point(self, index: int) -> Point:
        """Where to touch an element, rounded as the action language writes it."""
        x, y = self.points[index]
        return Point(round(x, 4), round(y, 4))

    def at(self, point: Point) -> int | None:
        """The smallest element that contains a point."""
        best: tuple[float, int] | None = None
        for index, (left, top, right, bottom) in enumerate(self.boxes):
            if left <= point.x <= right and top <= point.y <= bottom:
                area = (right - left) * (bottom - top)
                if best is None or area < best[0]:
                    best = (area, index)
        return best[1] if best else None

    def label_at(self, point: Point) -> WordIds:
        """The words of the element at a point."""
        index = self.at(point)
        return () if index is None else self.flat[index]


STATIC_NUMBERS = 24  # the last two are numbers in an element's texts: another one, and the main one


def read_screen(observation: Observation, tree: bool = True) -> Screen:
    """The places of a screen: elements of its tree, or the cells of a grid where there is no tree."""
    if not tree:
        return _grid_screen(*GRID)
    if not observation.ui:
        return _grid_screen(*SMALL_GRID)
    return _tree_screen(observation.ui, observation.width, observation.height) or _grid_screen(*SMALL_GRID)


def read_picture(screenshot: Screenshot) -> npt.NDArray[np.uint8]:
    """The screenshot in the size that the policy looks at, [183, 103, 3]; every pixel counts."""
    width, height = PICTURE_SIZE
    if screenshot.width < 1 or screenshot.height < 1:
        return np.zeros((height, width, 3), np.uint8)
    pixels = decode_array(screenshot)
    if pixels.shape[:2] == (height, width):
        return pixels
    image = Image.fromarray(pixels)
    if image.size == (2 * width, 2 * height):
        return np.asarray(image.reduce(2))
    return np.asarray(image.resize((width, height), Image.Resampling.BOX))


# --- from tree to places ------------------------------------------------------------------------


class _Place(NamedTuple):
    """One thing to point at: an element, or a part of a slider."""

    node: int
    box: Box
    x: float  # where a finger goes
    part: float | None = None  # of a slider: the fraction that a touch sets


def _tree_screen(nodes: tuple[UiNode, ...], width: int, height: int) -> Screen | None:
    width, height = max(1, width), max(1, height)
    boxes = [_fractions(node, width, height) for node in nodes]
    texts = [_texts(node) for node in nodes]
    merged = _merge(nodes, boxes, texts)
    _borrow(nodes, texts)
    shown = [
        index
        for index, node in enumerate(nodes)
        if boxes[index] is not None
        and not merged[index]
        and (texts[index] or _interactive(node))
        and KEYBOARD not in node.package
    ]
    if not shown:
        return None
    places = [place for index in shown for place in _places(index, nodes[index], boxes[index])]
    if len(places) > MAX_ELEMENTS:
        ranked = sorted(
            range(len(places)), key=lambda row: not _interactive(nodes[places[row].node])
        )  # stable
        places = [places[row] for row in sorted(ranked[:MAX_ELEMENTS])]
    labels = {index: tuple(ids for text in texts[index] if (ids := ids_of(text))) for index in shown}
    flat = {index: sum(label, ()) for index, label in labels.items()}
    words = np.zeros((len(places), MAX_WORDS), np.uint16)
    for row, place in enumerate(places):
        used = flat[place.node][:MAX_WORDS]
        words[row, : len(used)] = used
    after = _from_chosen(nodes, places)
    return Screen(
        boxes=tuple(place.box for place in places),
        points=tuple((place.x, (place.box[1] + place.box[3]) / 2) for place in places),
        titles=tuple(texts[place.node][0] if texts[place.node] else "" for place in places),
        labels=tuple(labels[place.node] for place in places),
        flat=tuple(flat[place.node] for place in places),
        values=tuple(_value(texts[place.node]) for place in places),
        words=words,
        classes=np.array([_class_id(nodes[place.node].class_name) for place in places], np.uint16),
        numbers=np.array(
            [
                _describe(nodes[place.node], place, texts[place.node], far)
                for place, far in zip(places, after, strict=True)
            ],
            np.float16,
        ),
        parts=np.array(
            [0 if place.part is None else 1 + round(place.part * (SLIDER_PARTS - 1)) for place in places],
            np.uint8,
        ),
        places=np.array(after, np.int8),
        scrollable=any(node.scrollable for node in nodes),
        keyboard=any(KEYBOARD in node.package for node in nodes),
    )


def _texts(node: UiNode) -> list[str]:
    """What an element says and what it is called; a slider has both."""
    if not node.text:
        return [node.description] if node.description else []
    return [node.text] if node.description in ("", node.text) else [node.text, node.description]


def _value(texts: list[str]) -> str:
    return next((value for text in texts if (value := long_number_in(text))), "")


def _places(index: int, node: UiNode, box: Box | None) -> list[_Place]:
    """The element itself, or a slider in parts, each touched where it sets a round value."""
    if box is None:
        return []
    left, top, right, bottom = box
    if not node.class_name.endswith(SLIDER):
        return [_Place(index, box, (left + right) / 2)]
    width = right - left
    parts = []
    for number in range(SLIDER_PARTS):
        part = number / (SLIDER_PARTS - 1)
        reach = 0.5 / (SLIDER_PARTS - 1)
        start, end = max(0.0, part - reach), min(1.0, part + reach)
        # A touch on the very edge would miss.
        x = left + width * min(max(part, SLIDER_EDGE), 1 - SLIDER_EDGE)
        parts.append(_Place(index, (left + width * start, top, left + width * end, bottom), x, part))
    return parts


def _fractions(node: UiNode, width: int, height: int) -> Box | None:
    """The visible part of an element, or None if there is none."""
    left, top, right, bottom = node.bounds
    left, right = left if left > 0 else 0, right if right < width else width
    top, bottom = top if top > 0 else 0, bottom if bottom < height else height
    if left >= right or top >= bottom:
        return None
    return left / width, top / height, right / width, bottom / height


def _interactive(node: UiNode) -> bool:
    return node.clickable or node.long_clickable or node.editable or node.checkable


def _merge(nodes: tuple[UiNode, ...], boxes: list[Box | None], texts: list[list[str]]) -> list[bool]:
    """Give an element that can be tapped the texts inside it; says which elements it swallowed."""
    swallowed = [False] * len(nodes)
    for index, node in enumerate(nodes):
        if _interactive(node) or not texts[index] or boxes[index] is None or node.class_name.endswith(SLIDER):
            continue
        parent = node.parent
        for _ in range(8):
            if not 0 <= parent < len(nodes):
                break
            if _interactive(nodes[parent]):
                box = boxes[parent]
                if box is not None and (box[2] - box[0]) * (box[3] - box[1]) <= LARGEST_GROUP:
                    texts[parent] += [text for text in texts[index] if text not in texts[parent]]
                    swallowed[index] = True
                break
            parent = nodes[parent].parent
    return swallowed


def _borrow(nodes: tuple[UiNode, ...], texts: list[list[str]]) -> None:
    """Give a switch or check box without a label the first text beside it."""
    for index, node in enumerate(nodes):
        if not node.checkable or texts[index] or not 0 <= node.parent < len(nodes):
            continue
        beside = texts[node.parent] or [
            text
            for sibling, other in enumerate(nodes)
            if other.parent == node.parent and sibling != index
            for text in texts[sibling]
        ]
        texts[index] = beside[:1]


_class_ids: dict[str, int] = {}


def _class_id(name: str) -> int:
    known = _class_ids.get(name)
    if known is None:
        known = _class_ids[name] = word_id(f"class:{name.rpartition('.')[2]}")
    return known


def _from_chosen(nodes: tuple[UiNode, ...], places: list[_Place]) -> list[int]:
    """How many places after the chosen one among elements of the same kind and size each is, in the order of
    reading; 0 for the chosen one itself, and where none or several are chosen."""
    alike: dict[tuple[str, float, float], list[int]] = {}
    for row, place in enumerate(places):
        if place.part is None:
            left, top, right, bottom = place.box
            size = (nodes[place.node].class_name, round(right - left, 2), round(bottom - top, 2))
            alike.setdefault(size, []).append(row)
    chosen = {row for row, place in enumerate(places) if _chosen(nodes[place.node])}
    marks = [places[row].box for row in chosen]
    after = [0] * len(places)
    for rows in alike.values():
        # A row is chosen if its radio button is.
        picked = [
            number
            for number, row in enumerate(rows)
            if row in chosen or any(_inside(mark, places[row].box) for mark in marks)
        ]
        if len(rows) > 1 and len(picked) == 1:
            for number, row in enumerate(rows):
                after[row] = max(-MOST_PLACES, min(number - picked[0], MOST_PLACES))
    return after


def _chosen(node: UiNode) -> bool:
    return node.selected or node.checked


def _inside(inner: Box, outer: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _describe(node: UiNode, place: _Place, texts: list[str], after: int) -> tuple[float, ...]:
    box = place.box
    text = " ".join(texts)
    number = number_in(text)
    return (
        *box,
        box[2] - box[0],
        box[3] - box[1],
        node.clickable,
        node.long_clickable,
        node.scrollable,
        node.editable,
        node.focused,
        node.checkable,
        node.checked,
        node.selected,
        node.enabled,
        node.password,
        bool(node.label),
        len(texts) / 4,
        place.part is not None,
        place.part or 0.0,
        after / MOST_PLACES,
        number > 0,
        other_number_in(text),
        number,
    )


_grids: dict[tuple[int, int], Screen] = {}


def _grid_screen(columns: int, rows: int) -> Screen:
    """A screen of nameless cells, row by row; the same object each time."""
    if (columns, rows) not in _grids:
        boxes = tuple(
            (column / columns, row / rows, (column + 1) / columns, (row + 1) / rows)
            for row in range(rows)
            for column in range(columns)
        )
        numbers = np.zeros((len(boxes), STATIC_NUMBERS), np.float16)
        numbers[:, :4] = boxes
        numbers[:, 4:6] = (1 / columns, 1 / rows)
        _grids[columns, rows] = Screen(
            boxes=boxes,
            points=tuple(((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes),
            titles=("",) * len(boxes),
            labels=((),) * len(boxes),
            flat=((),) * len(boxes),
            values=("",) * len(boxes),
            words=np.zeros((len(boxes), MAX_WORDS), np.uint16),
            classes=np.full(len(boxes), word_id("class:grid"), np.uint16),
            numbers=numbers,
            parts=np.zeros(len(boxes), np.uint8),
            places=np.zeros(len(boxes), np.int8),
            scrollable=False,
            keyboard=False,
        )
    return _grids[columns, rows]
