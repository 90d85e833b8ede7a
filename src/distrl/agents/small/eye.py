"""The small policy's eye: a close look at whatever has no words; the whole picture where there is no tree.

What carries a label is known by its label: letting the policy see the pixels of everything made it learn
wallpapers by heart, and it solved fewer of the unseen tasks than without any picture. What has none, an icon
say, can be told apart by its pixels only; it is about six of them wide, so they are looked at as they are.
Without a tree the places are the cells of a grid, and a convolutional net tells what lies around each.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from distrl.agents.small.glimpses import PIXELS
from distrl.agents.small.packing import Packing

EYE_WIDTH = 64


class Eye(nn.Module):
    """Looks at each place that has no words; `whole` adds what a convolutional net makes of the picture."""

    def __init__(self, width: int, *, whole: bool) -> None:
        super().__init__()
        self.glimpse = nn.Linear(PIXELS, EYE_WIDTH)
        self.to_element = nn.Linear(EYE_WIDTH, width)
        self.wide = WideEye(width) if whole else None

    def forward(
        self, glimpses: Tensor, picture: Tensor | None, boxes: Tensor, packing: Packing, blank: Tensor
    ) -> Tensor:
        """What is seen at each real place, 0 where words are.

        K glimpses [K, PIXELS] at the places that `blank` [M] marks, a picture [B, H, W, 3] for the wide eye,
        boxes [B, N, 4] → [M, D]
        """
        index = blank.nonzero().squeeze(1)  # [K]
        close = F.relu_(self.glimpse(_shapes(glimpses)))  # [K, EYE_WIDTH]
        seen: Tensor = self.to_element(close)  # [K, D]
        if self.wide is not None and picture is not None:
            seen = seen + packing.gather(self.wide(picture, boxes)).index_select(0, index)
        return seen.new_zeros(len(blank), seen.shape[1]).index_copy(0, index, seen)


class WideEye(nn.Module):
    """A convolutional net over the whole picture, its map averaged over each box."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 16, 5, stride=4, padding=2)
        self.second = nn.Conv2d(16, EYE_WIDTH, 3, stride=2, padding=1)
        self.to_element = nn.Linear(2 * EYE_WIDTH, width)

    def forward(self, picture: Tensor, boxes: Tensor) -> Tensor:
        """What lies in each box, and in the picture as a whole.  [B, N, D]"""
        pixels = picture.permute(0, 3, 1, 2).to(torch.float32).div_(255)  # channels last in memory
        seen = F.relu_(self.second(F.relu_(self.first(pixels))))  # [B, C, 23, 13]
        rows, columns = seen.shape[2:]
        cells = seen.permute(0, 2, 3, 1).reshape(len(seen), rows * columns, EYE_WIDTH)
        down = _coverage(boxes[..., 1], boxes[..., 3], rows)  # [B, N, 23]
        across = _coverage(boxes[..., 0], boxes[..., 2], columns)  # [B, N, 13]
        share = (down[..., :, None] * across[..., None, :]).flatten(2)  # [B, N, 299]
        overview = cells.mean(1, keepdim=True).expand(-1, boxes.shape[1], -1)  # [B, N, C]
        element: Tensor = self.to_element(torch.cat([share @ cells, overview], -1))
        return element


def _shapes(glimpses: Tensor) -> Tensor:
    """Pixels less their average, so that only shapes and contrasts remain.  [K, PIXELS]"""
    colours = glimpses.view(len(glimpses), PIXELS // 3, 3).to(torch.float32).div_(255)
    return (colours - colours.mean(1, keepdim=True)).flatten(1)


def _coverage(start: Tensor, end: Tensor, cells: int) -> Tensor:
    """Which share of an interval falls into each of `cells` equal cells; sums to 1, or to 0 for padding."""
    edges = torch.arange(cells, device=start.device) / cells
    low = torch.maximum(start[..., None], edges)
    high = torch.minimum(end[..., None], edges + 1 / cells)
    return (high - low).clamp_min(0) / (end - start).clamp_min(1e-4)[..., None]
