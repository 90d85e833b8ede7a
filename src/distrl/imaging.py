"""Screens as pictures: encoding, decoding, and showing what the agent did on them."""

from __future__ import annotations

import io

import numpy as np
import zstandard
from PIL import Image, ImageDraw

from distrl.errors import RecordError
from distrl.records import Action, ActionKind, Screenshot

_compressor = zstandard.ZstdCompressor(level=1)
_decompressor = zstandard.ZstdDecompressor()


def encode_image(image: Image.Image, encoding: str = "rgb-zstd") -> Screenshot:
    """A picture as a Screenshot; zstd of raw pixels is lossless and ten times faster than PNG."""
    image = image.convert("RGB") if image.mode != "RGB" else image
    if encoding == "rgb-zstd":
        data = _compressor.compress(image.tobytes())
    elif encoding in ("jpeg", "png"):
        buffer = io.BytesIO()
        image.save(buffer, encoding.upper())
        data = buffer.getvalue()
    else:
        raise ValueError(f"unknown picture encoding {encoding!r}")
    return Screenshot(data=data, encoding=encoding, width=image.width, height=image.height)


def decode_image(screenshot: Screenshot) -> Image.Image:
    """The picture of a Screenshot, as RGB."""
    return Image.fromarray(decode_array(screenshot))


def decode_array(screenshot: Screenshot) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The picture's pixels, [height, width, 3]."""
    shape = (screenshot.height, screenshot.width, 3)
    try:
        if screenshot.encoding == "rgb-zstd":
            size = shape[0] * shape[1] * 3
            raw = _decompressor.decompress(screenshot.data, max_output_size=size)
            return np.frombuffer(raw, np.uint8).reshape(shape)
        return np.asarray(Image.open(io.BytesIO(screenshot.data)).convert("RGB")).reshape(shape)
    except (zstandard.ZstdError, OSError, ValueError) as error:
        raise RecordError(f"a screenshot ({screenshot.encoding}) is damaged: {error}") from error


def shrink(picture: Image.Image, scale: float) -> Image.Image:
    """A picture at a fraction of its size; averaging whole blocks of pixels where the fraction allows it."""
    factor = 1 / scale
    if factor == 1:
        return picture
    if factor == int(factor):
        return picture.reduce(int(factor))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture.resize(size, Image.Resampling.BOX)


def draw_action(image: Image.Image, action: Action) -> Image.Image:
    """A copy of the screen with the agent's touch drawn on it, and other actions named in a banner."""
    image = image.copy()
    draw = ImageDraw.Draw(image, "RGBA")
    width, height = image.size
    radius = width * 0.05
    if action.point is not None:
        x, y = action.point.x * width, action.point.y * height
        circle = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(circle, fill=(230, 40, 60, 90), outline=(230, 40, 60, 255), width=max(2, width // 130))
        if action.kind is ActionKind.LONG_PRESS:
            r = radius * 1.6
            draw.ellipse((x - r, y - r, x + r, y + r), outline=(230, 40, 60, 255), width=2)
        if action.to is not None:
            end = (action.to.x * width, action.to.y * height)
            draw.line((x, y, *end), fill=(230, 40, 60, 220), width=max(3, width // 80))
            r = radius / 2
            draw.ellipse((end[0] - r, end[1] - r, end[0] + r, end[1] + r), fill=(230, 40, 60, 255))
    return image
