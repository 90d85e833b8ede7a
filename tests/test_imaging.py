"""Pictures: lossless where promised, one error when damaged."""

import numpy as np
import pytest
from PIL import Image

from distrl.errors import RecordError
from distrl.imaging import decode_array, decode_image, draw_action, encode_image, shrink
from distrl.records import Action, ActionKind, Point, Screenshot


def noise(width: int = 33, height: int = 20) -> Image.Image:
    pixels = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


@pytest.mark.parametrize("encoding", ["rgb-zstd", "png"])
def test_lossless_encodings_give_back_every_pixel(encoding: str) -> None:
    image = noise()
    shot = encode_image(image, encoding)
    assert (shot.width, shot.height) == image.size
    assert np.array_equal(decode_array(shot), np.asarray(image))


def test_jpeg_is_close() -> None:
    image = Image.new("RGB", (40, 30), (10, 120, 200))
    assert (
        np.abs(np.asarray(decode_image(encode_image(image, "jpeg"))).astype(int) - (10, 120, 200)).max() < 6
    )


@pytest.mark.parametrize("encoding", ["rgb-zstd", "png", "jpeg"])
@pytest.mark.parametrize("data", [b"", b"garbage"])
def test_damaged_pictures_are_one_error(encoding: str, data: bytes) -> None:
    with pytest.raises(RecordError, match="damaged"):
        decode_array(Screenshot(data, encoding, 8, 8))


def test_wrong_size_is_an_error() -> None:
    shot = encode_image(noise())
    with pytest.raises(RecordError):
        decode_array(Screenshot(shot.data, shot.encoding, shot.width, shot.height + 1))


@pytest.mark.parametrize(
    "action",
    [
        Action(ActionKind.TAP, point=Point(0.5, 0.5)),
        Action(ActionKind.LONG_PRESS, point=Point(0.5, 0.5)),
        Action(ActionKind.SWIPE, point=Point(0.5, 0.9), to=Point(0.5, 0.1)),
    ],
)
def test_touches_are_drawn_on_a_copy(action: Action) -> None:
    image = Image.new("RGB", (100, 200), "white")
    drawn = draw_action(image, action)
    assert image.getextrema() == ((255, 255),) * 3
    assert drawn.getpixel((50, 100)) != (255, 255, 255)


@pytest.mark.parametrize(
    ("scale", "size"), [(1.0, (40, 80)), (0.5, (20, 40)), (0.25, (10, 20)), (0.3, (12, 24))]
)
def test_a_picture_at_a_fraction_of_its_size(scale: float, size: tuple[int, int]) -> None:
    assert shrink(Image.new("RGB", (40, 80)), scale).size == size
