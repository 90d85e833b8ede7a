"""Pixels, tree and touch agree, on every screen that a short walk reaches."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from distrl.simphone import Node, Phone
from distrl.simphone.scene import Scene
from distrl.simphone.theme import look
from distrl.simphone.widgets.bands import place_band

APPS = ("Settings", "Notes", "Contacts", "Browser")


def walk(seed: int, steps: int) -> Iterator[Phone]:
    """A phone after each step of a random walk over what can be tapped."""
    source = random.Random(seed)
    phone = Phone(seed)
    yield phone
    for step in range(steps):
        if step % 12 == 0:
            phone.open_app(APPS[(seed + step // 12) % len(APPS)])
        else:
            phone.tap(*source.choice([node for node in phone.tree() if node.clickable]).centre)
        yield phone


@pytest.mark.parametrize("seed", range(4))
def test_tree_is_well_formed(seed: int) -> None:
    for phone in walk(seed, 40):
        nodes = phone.tree()
        assert nodes[0].parent == -1
        for index, node in enumerate(nodes):
            left, top, right, bottom = node.bounds
            assert 0 <= left < right <= phone.width
            assert 0 <= top < bottom <= phone.height
            assert -1 <= node.parent < index, "parents come first"
            assert node.class_name
            assert node.package


@pytest.mark.parametrize("seed", range(4))
def test_the_centre_of_what_is_clickable_hits_it(seed: int) -> None:
    for phone in walk(seed, 40):
        scene = phone.scene()
        for index, node in enumerate(phone.tree()):
            if node.clickable and node.enabled and not _covered(phone.tree(), index):
                target = scene.target_at(*node.centre)
                assert target is not None
                assert target.node == index, f"{node} is hidden by {phone.tree()[target.node]}"


def _covered(nodes: list[Node], index: int) -> bool:
    """Whether another clickable element lies over the centre: inside it, or floating above the list."""
    x, y = nodes[index].centre
    for node in nodes[index + 1 :]:
        left, top, right, bottom = node.bounds
        floats = node.resource_id.endswith("/fab") or _inside(nodes, node, index)
        if node.clickable and floats and left <= x < right and top <= y < bottom:
            return True
    return False


def _inside(nodes: list[Node], node: Node, ancestor: int) -> bool:
    while node.parent >= 0:
        if node.parent == ancestor:
            return True
        node = nodes[node.parent]
    return False


@pytest.mark.parametrize("seed", range(4))
def test_text_has_ink_inside_its_bounds(seed: int) -> None:
    for phone in walk(seed, 30):
        pixels = np.asarray(phone.frame()).astype(int)
        for node in phone.tree():
            left, top, right, bottom = node.bounds
            if not node.text.strip() or not node.class_name.endswith("TextView") or bottom - top < 12:
                continue
            part = pixels[top:bottom, left:right].reshape(-1, 3)
            assert np.ptp(part, axis=0).max() > 20, f"nothing to read at {node}"


def test_scrolling_reveals_rows_and_comes_back() -> None:
    phone = Phone(0)
    phone.open_app("Contacts")
    first = {node.text for node in phone.tree()}
    for _ in range(12):
        phone.swipe(200, 500, 200, 250)
    last = {node.text for node in phone.tree()}
    assert last - first, "new rows came into sight"
    assert first - last, "old rows left"
    for _ in range(14):
        phone.swipe(200, 250, 200, 500)
    assert {node.text for node in phone.tree()} == first


def test_everything_listed_is_inside_the_scrolling_area() -> None:
    phone = Phone(0)
    phone.open_app("Contacts")
    phone.swipe(200, 500, 200, 437)
    nodes = phone.tree()
    area = next(node for node in nodes if node.scrollable)
    inside = [node for index, node in enumerate(nodes) if _inside(nodes, node, nodes.index(area)) and index]
    assert inside
    for node in inside:
        assert node.bounds[1] >= area.bounds[1]
        assert node.bounds[3] <= area.bounds[3]


def test_a_dialog_hides_the_page_below_from_the_tree() -> None:
    phone = Phone(0)
    phone.shell("simphone notice Hello 'Something happened'")
    texts = [node.text for node in phone.tree()]
    assert "Something happened" in texts
    assert phone.foreground == "com.android.systemui"
    phone.tap(206, 40)
    assert phone.foreground == "com.android.launcher3", "touching outside closes it"


class Plain(msgspec.Struct, frozen=True):
    """A widget that counts how often it is laid out."""

    word: str

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        PLACED.append(self.word)
        scene.label(x, y, width, self.word, 14, (0, 0, 0))
        if self.word == "nosy":
            scene.label(x, y + 20, width, scene.values.get("name", "-"), 14, (0, 0, 0))


PLACED: list[str] = []


def test_widgets_are_placed_from_memory_unless_they_look_around() -> None:
    PLACED.clear()
    shown = []
    for typed in ("first", "second"):
        for word in ("plain", "nosy"):
            scene = Scene(look(0.6, False, 1.0))
            scene.show({"name": typed}, {})
            place_band(scene, Plain(word), 0, 40, 412, 60)
            shown.append(([node.text for node in scene.nodes], scene.marks()))
    assert PLACED == ["plain", "nosy", "nosy"]
    assert shown[0] == shown[2]
    assert shown[1][0] == ["nosy", "first"]
    assert shown[3][0] == ["nosy", "second"]
