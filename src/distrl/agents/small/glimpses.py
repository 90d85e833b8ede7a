"""Close looks at whatever has no words, cut out once: a whole picture for each step would fill the memory."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from distrl.agents.small.screen import PICTURE_SIZE, Screen, read_picture
from distrl.interfaces import StepFeatures
from distrl.records import Observation

GLIMPSE = 12  # pixels of the small picture: about the size of an icon with its surroundings
PIXELS = 3 * GLIMPSE**2


def look(observation: Observation, screen: Screen) -> StepFeatures:
    """The pixels around the middle of each place without words, in the order of the places; one row."""
    blank = np.flatnonzero(screen.words[:, 0] == 0)  # [K]
    pixels = np.zeros((1, len(blank), PIXELS), np.uint8)
    if len(blank):
        pixels[0] = _cut(read_picture(observation.screenshot), np.array(screen.boxes)[blank])
    return {"glimpses": pixels, "glimpse_count": np.array([len(blank)], np.uint8)}


def _cut(picture: npt.NDArray[np.uint8], boxes: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """[H, W, 3], [K, 4] → [K, PIXELS]; what lies beyond the edge repeats the edge."""
    width, height = PICTURE_SIZE
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    spread = np.arange(GLIMPSE) - GLIMPSE // 2
    across = np.clip((middle[:, :1] * width).astype(int) + spread, 0, width - 1)  # [K, GLIMPSE]
    down = np.clip((middle[:, 1:] * height).astype(int) + spread, 0, height - 1)
    return picture[down[:, :, None], across[:, None, :]].reshape(len(boxes), PIXELS)
