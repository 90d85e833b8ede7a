"""Demonstrations with other names in them: the policy then learns to match words instead of remembering them.

A name or a time that few goals mention is replaced by a random word wherever it stands: in the goal, on the
screen, in the past. What is to be done stays the same, so the demonstrated action does too. A rare word that
is nowhere to be matched or copied at the moment stays: it may be all that tells what to do ("beacons").

Where something was chosen for its rank among its like, the longest of these songs, the names of all of them
are replaced: which one is the longest in a training task could be remembered instead of compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from distrl.agents.small.elements import stands_out
from distrl.agents.small.tokens import LAUNCH, PLACE_KINDS, TEXT_KINDS
from distrl.agents.small.words import VOCABULARY
from distrl.interfaces import StepFeatures

RARE = 0.006  # share of all goals that a word may occur in and still count as a mere value
FEWEST = 3  # goals that any word may occur in
AROUND = ("element_words", "history_words", "memory_words")
DISGUISED = ("goal_words", *AROUND)


class Disguise:
    """Replaces rare words of goals in a share of the steps it is given."""

    def __init__(self, steps: Sequence[StepFeatures], share: float, seed: int) -> None:
        self._share = share
        self._chance = np.random.default_rng(seed)
        goals = {step["goal_words"].tobytes(): step["goal_words"] for step in steps}
        counts = Counter(int(word) for words in goals.values() for word in np.unique(words))
        most = max(FEWEST, RARE * len(goals))
        self._rare: npt.NDArray[np.bool_] = np.array([counts[word] <= most for word in range(VOCABULARY)])
        self._rare[0] = False

    def __call__(self, step: StepFeatures) -> StepFeatures:
        """The same step, or one in which rare words of the goal are others."""
        # Which app to launch is known by its name alone.
        if self._chance.random() >= self._share or (step["action"][:, 0] == LAUNCH).any():
            return step
        words = np.intersect1d(step["goal_words"], _matched(step))
        words = np.concatenate([words[self._rare[words]], _compared(step)])
        if not len(words):
            return step
        other = np.arange(VOCABULARY, dtype=np.uint16)
        other[words] = self._chance.integers(1, VOCABULARY, len(words))
        return {**step, **{name: other[step[name]] for name in DISGUISED}}


def _compared(step: StepFeatures) -> npt.NDArray[np.uint16]:
    """The words of all elements like the touched one, if it stands out among them, that the goal has not."""
    kind, place, _ = step["action"][0].tolist()
    if kind not in PLACE_KINDS or not stands_out(step)[0, place]:
        return np.zeros(0, np.uint16)
    alike = step["element_words"][step["element_classes"] == step["element_classes"][0, place]]
    return np.setdiff1d(alike, [0, *step["goal_words"].ravel()]).astype(np.uint16)


def _matched(step: StepFeatures) -> npt.NDArray[np.uint16]:
    """The words that stand outside the goal too, or that the action copies from it."""
    kind, first, last = (*step["action"][0].tolist(), -1, -1)[:3]
    copied = step["goal_words"][:, first : last + 1] if kind in TEXT_KINDS else step["goal_words"][:, :0]
    return np.concatenate([copied.ravel(), *(step[name].ravel() for name in AROUND)])
