"""Screens made unreadable before anybody else gets them: pictures blurred or blank, texts left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from PIL import Image

from distrl.devices.safety_rules import front
from distrl.errors import DeviceError
from distrl.imaging import decode_image, encode_image
from distrl.records import Observation, Screenshot

CELLS = 10  # columns that remain of a blurred picture: shapes of a page, no words and no faces
GREY = (128, 128, 128)  # not black: a black screen counts as a fault


def blur(screenshot: Screenshot) -> Screenshot:
    """A picture of which only a few broad patches of colour remain.

    Averaging over cells throws the details away, whereas a blur of the same look could be undone.
    """
    image = decode_image(screenshot)
    rows = max(1, round(CELLS * image.height / image.width))
    small = image.resize((CELLS, rows), Image.Resampling.BOX)
    return encode_image(small.resize(image.size, Image.Resampling.BILINEAR), screenshot.encoding)


def blank(screenshot: Screenshot) -> Screenshot:
    """A grey picture of the same size."""
    return encode_image(Image.new("RGB", (screenshot.width, screenshot.height), GREY), screenshot.encoding)


class Veil:
    """Decides how much of a screen is shown to policy, replay and dashboard, all of them alike."""

    def __init__(self, pictures: str, originals: str = "") -> None:
        self._pictures = pictures
        self._originals = Path(originals) if originals else None

    def over(self, seen: Observation, device: str, is_allowed: Callable[[str], bool]) -> Observation:
        """The screen as everybody gets it."""
        if self._pictures == "sharp":
            return seen
        if self._pictures == "outside" and is_allowed(front(seen)):
            return self._without_texts(seen, is_allowed)
        if self._originals is not None:
            self._keep(seen, device, self._originals)
        cover = blank if self._pictures == "blank" else blur
        veiled = msgspec.structs.replace(seen, screenshot=cover(seen.screenshot))
        return self._without_texts(veiled, is_allowed)

    @staticmethod
    def _without_texts(seen: Observation, is_allowed: Callable[[str], bool]) -> Observation:
        """The tree without what elements of other apps say."""
        if seen.ui is None or all(is_allowed(node.package) for node in seen.ui):
            return seen
        ui = tuple(
            node if is_allowed(node.package) else msgspec.structs.replace(node, text="", description="")
            for node in seen.ui
        )
        return msgspec.structs.replace(seen, ui=ui)

    @staticmethod
    def _keep(seen: Observation, device: str, folder: Path) -> None:
        """Keep the sharp picture on this host, readable by its owner only."""
        place = folder / re.sub(r"[^A-Za-z0-9._-]", "_", device)
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            decode_image(seen.screenshot).save(place / f"{seen.captured_at:.3f}.jpg", quality=85)
        except OSError as error:
            raise DeviceError(f"safety.originals: {place} cannot be written: {error.strerror}") from error
