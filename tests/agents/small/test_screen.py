"""The screen as a list of places: rows are grouped, noise is left out, nothing breaks it."""

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from distrl.agents.small.screen import GRID, MAX_ELEMENTS, SMALL_GRID, read_picture, read_screen
from distrl.agents.small.words import ids_of
from distrl.imaging import encode_image
from distrl.records import Observation, Point, Screenshot, UiNode

BLANK = Screenshot(data=b"", encoding="rgb-zstd", width=0, height=0)


def observe(*nodes: UiNode) -> Observation:
    return Observation(BLANK, 400, 800, nodes, "app", 0.0)


def node(
    text: str = "", bounds: tuple[int, int, int, int] = (0, 0, 400, 80), parent: int = -1, **flags: bool
) -> UiNode:
    return UiNode("android.view.View", text, "", "", "app", bounds, parent, **flags)


ROW = (
    node(bounds=(0, 0, 400, 800)),
    node(bounds=(0, 100, 400, 180), parent=0, clickable=True),
    node("Wi-Fi", (20, 110, 200, 140), 1),
    node("Connected", (20, 140, 200, 170), 1),
    node(bounds=(340, 110, 390, 170), parent=1, checkable=True, clickable=True),
)


def test_a_row_swallows_its_texts_and_lends_its_switch_a_name() -> None:
    screen = read_screen(observe(*ROW))
    assert screen.titles == ("Wi-Fi", "Wi-Fi")
    assert screen.labels == ((ids_of("Wi-Fi"), ids_of("Connected")), (ids_of("Wi-Fi"),))
    assert screen.point(0) == Point(0.5, 0.175)


def test_a_point_belongs_to_the_smallest_element_around_it() -> None:
    screen = read_screen(observe(*ROW))
    assert screen.at(Point(0.2, 0.16)) == 0
    assert screen.at(Point(0.9, 0.17)) == 1
    assert screen.at(Point(0.5, 0.9)) is None


def test_a_container_that_fills_the_screen_swallows_nothing() -> None:
    screen = read_screen(observe(node(bounds=(0, 0, 400, 800), clickable=True), node("Hello", parent=0)))
    assert screen.titles == ("", "Hello")


def test_places_are_counted_from_the_one_that_is_chosen() -> None:
    days = [node(str(day), (80 * day, 0, 80 * day + 80, 80), clickable=True) for day in range(4)]
    days[1] = replace(days[1], selected=True)
    assert read_screen(observe(*days, node("Save", clickable=True))).places.tolist() == [-1, 0, 1, 2, 0]
    rows = [
        each
        for row in range(3)
        for each in (
            node(f"{row} minutes", (0, 100 * row, 400, 100 * row + 90), clickable=True),
            node("", (10, 100 * row + 10, 60, 100 * row + 60), 2 * row, checkable=True, checked=row == 2),
        )
    ]
    screen = read_screen(observe(*rows))  # a row is chosen if its button is
    assert screen.places.tolist() == [-2, -2, -1, -1, 0, 0]
    several = [replace(each, checked=each.checkable) for each in rows]
    assert not read_screen(observe(*several)).places.any()


def test_keys_of_the_keyboard_are_no_places() -> None:
    key = replace(node("q", clickable=True), package="com.android.inputmethod.latin")
    screen = read_screen(observe(node("Name", editable=True), key))
    assert screen.titles == ("Name",)
    assert screen.keyboard


def test_of_too_many_elements_those_that_react_stay() -> None:
    texts = [node(f"text {number}", (0, number, 400, number + 1)) for number in range(300)]
    buttons = [node(f"button {number}", (0, number, 9, number + 1), clickable=True) for number in range(20)]
    screen = read_screen(observe(*texts, *buttons))
    assert len(screen) == MAX_ELEMENTS
    assert sum(title.startswith("button") for title in screen.titles) == 20


def test_elements_out_of_sight_are_left_out_and_others_clipped() -> None:
    screen = read_screen(
        observe(node("gone", (0, 900, 400, 950)), node("flat", (5, 5, 5, 9)), node("half", (-40, 0, 40, 80)))
    )
    assert screen.titles == ("half",)
    assert screen.boxes == ((0.0, 0.0, 0.1, 0.1),)


@pytest.mark.parametrize("ui", [None, (), (node("", (0, 0, 0, 0)),)])
def test_without_elements_there_is_a_grid(ui: tuple[UiNode, ...] | None) -> None:
    screen = read_screen(replace(observe(), ui=ui))
    assert len(screen) == SMALL_GRID[0] * SMALL_GRID[1]


def test_without_the_tree_nothing_of_it_is_seen() -> None:
    screen = read_screen(observe(*ROW), tree=False)
    assert len(screen) == GRID[0] * GRID[1]
    assert not screen.words.any()
    assert set(screen.titles) == {""}


def test_a_slider_can_be_touched_at_five_values() -> None:
    slider = replace(
        node("35", (100, 0, 301, 40)), class_name="android.widget.SeekBar", description="Media volume"
    )
    screen = read_screen(observe(slider))
    assert screen.titles == ("35",) * 5
    assert screen.labels[0] == (ids_of("35"), ids_of("Media volume"))
    across = [(screen.point(part).x * 400 - 100) / 201 for part in range(5)]
    assert across == pytest.approx([0, 0.25, 0.5, 0.75, 1], abs=2e-3)
    assert [screen.at(Point((100 + 201 * share) / 400, 0.02)) for share in (0, 0.3, 0.45, 1)] == [0, 1, 2, 4]


def test_endless_chains_of_parents_are_survived() -> None:
    screen = read_screen(
        observe(node("a", parent=1), node("b", parent=0), node("c", parent=2), node("d", parent=99))
    )
    assert len(screen) == 4


@pytest.mark.parametrize("size", [(103, 183), (206, 366), (412, 732), (1080, 2400), (50, 20), (1, 1)])
def test_pictures_of_any_size_are_averaged(size: tuple[int, int]) -> None:
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    pixels[: size[1] // 2, :, 0] = 200
    picture = read_picture(encode_image(Image.fromarray(pixels)))
    assert picture.shape == (183, 103, 3)
    assert picture.dtype == np.uint8
    assert picture[..., 0].mean() == pytest.approx(pixels[..., 0].mean(), abs=2)


def test_a_picture_without_pixels_is_black() -> None:
    assert not read_picture(BLANK).any()
