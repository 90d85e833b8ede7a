"""Widgets placed from memory, also moved up or down, are what they would be if they were laid out anew."""

from __future__ import annotations

import random
from collections.abc import Sized

import pytest

from distrl.simphone import Phone, elements
from distrl.simphone.marks import Mark
from distrl.simphone.node import Node
from distrl.simphone.scene import Scene, ScrollArea, Target
from distrl.simphone.theme import ACCENT_HUES, Look, look
from distrl.simphone.widgets import Card, Column, Row, SectionHeader, Text, TextField, Widget, bands

LOOK = look(0.6, False, 1.0)
MEMORIES = (bands._numbers, bands._heights, bands._spots, bands._fragments, bands._shapes)
Screen = tuple[list[Node], list[Target], list[ScrollArea], tuple[Mark, ...]]


def forget() -> None:
    for memory in (*MEMORIES, bands._coloured):
        memory.clear()


def column(order: int) -> Column:
    rows = [
        Row(title=f"Row {number}", subtitle="more " * number, on_tap=("open", number), icon="wifi")
        for number in range(12)
    ]
    card = Card(
        [Text("In a card"), Row(title="Also", on_tap=("also",), trailing="switch", checked=True)], ("card",)
    )
    children: list[Widget] = [SectionHeader("Title"), card, TextField("name", "Name"), *rows]
    random.Random(order).shuffle(children)
    return Column(children)


def placed(order: int, scroll: int, before: int, look: Look = LOOK) -> Screen:
    """A column placed after some other elements on a screen, scrolled by so much."""
    scene = Scene(look)
    scene.package = "app"
    for number in range(before):
        scene.inside(scene.add("x", 0, 0, 10, 10, str(number)))
    scene.show({}, {"list": scroll})
    column(order).place(scene, 0, 28, 412, 500)
    return scene.nodes, scene.targets, scene.areas, scene.marks()


def test_memory_gives_the_same_as_laying_out_anew() -> None:
    chance = random.Random(3)
    cases = [(chance.randrange(3), chance.randrange(400), chance.randrange(1, 4)) for _ in range(40)]
    fresh = []
    for case in cases:
        forget()
        fresh.append(placed(*case))
    forget()
    assert [placed(*case) for case in cases] == fresh
    assert [placed(*case) for case in reversed(cases)] == fresh[::-1]


def test_accents_share_what_has_nothing_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [look(hue, dark, 1.0) for hue in ACCENT_HUES for dark in (False, True)]
    # An order that has the card in sight.
    order = next(order for order in range(20) if "Also" in [node.text for node in placed(order, 0, 1)[0]])
    fresh = []
    for each in looks:
        forget()
        fresh.append(placed(order, 0, 1, each))
    forget()
    assert [placed(order, 0, 1, each) for each in looks] == fresh
    assert [placed(order, 0, 1, each) for each in reversed(looks)] == fresh[::-1]
    blue, violet = look(0.60, False, 1.0), look(0.72, False, 1.0)
    assert blue.surface == violet.surface
    forget()
    before = placed(order, 0, 1, blue)
    laid_out: list[str] = []
    place = Row.place

    def noted(row: Row, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        laid_out.append(row.title)
        place(row, scene, x, y, width, height)

    monkeypatch.setattr(Row, "place", noted)
    after = placed(order, 0, 1, violet)
    # Only the row in the card has a switch, which is painted in the accent.
    assert laid_out == ["Also"]
    assert before[:3] == after[:3]
    assert before[3] != after[3]
    forget()


def test_a_band_is_moved_instead_of_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    placed(0, 0, 1)
    laid_out: list[str] = []
    monkeypatch.setattr(Row, "place", lambda row, *_: laid_out.append(row.title))
    nodes = placed(0, 7, 2)[0]
    seen = [node for node in nodes if node.text.startswith("Row ")]
    assert len(seen) >= 4
    # Only what the edge of the list cuts off, now or before, has to be laid out.
    assert len(laid_out) <= 2


def test_the_memories_stay_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    for name in ("WIDGETS_KEPT", "FRAGMENTS_KEPT", "WIDTHS_KEPT", "HEIGHTS_KEPT", "SPOTS_KEPT"):
        monkeypatch.setattr(bands, name, 64)
    monkeypatch.setattr(elements, "BOXES_KEPT", 64)
    elements._boxes.clear()
    phone = Phone(1)
    for number, app in enumerate(("Settings", "Contacts", "Notes", "Mail", "Clock", "Store")):
        phone.open_app(app)
        phone.swipe(206, 560, 206, 200 + 13 * number)
        phone.tree()
    memories: list[Sized] = [*MEMORIES, *bands._heights.values(), bands._coloured, elements._boxes]
    assert max(map(len, memories)) <= 64
    forget()
