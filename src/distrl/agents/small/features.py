"""Situations as arrays: the one path by which both deciding and learning see the world.

Every array has one row for each step. Goals and screens of different length are padded with zeros; the counts
say how much is real, and nothing that the network computes depends on the padding.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from distrl.agents.small.elements import Trace, element_numbers, element_traits
from distrl.agents.small.glimpses import look
from distrl.agents.small.memory import MEMORY, Recollection, Text, recall, to_arrays, worth_remembering
from distrl.agents.small.screen import Screen, read_picture, read_screen
from distrl.agents.small.tokens import KINDS, LAUNCH, RECITE, token_count
from distrl.agents.small.words import STOP_IDS, WORD_PARTS, Goal, WordIds, ids_of, read_goal, word_id
from distrl.errors import PolicyError
from distrl.interfaces import StepFeatures
from distrl.records import ActionKind, Observation, Situation, Step, Trajectory

HISTORY = 4  # actions looked back at one by one; the ones before them share one more place
HISTORY_WORDS = 8
GOAL_SHOWN = 9  # which of the goal's numbers says that the screen has the word
GOAL_NUMBERS = GOAL_SHOWN + 3
HISTORY_NUMBERS = 5
SCALARS = 9
REVEALED = 32  # words kept of those that a step brought to the screen

_KIND_NUMBERS = {kind: number for number, kind in enumerate(ActionKind, start=1)}
_TYPED = frozenset({ActionKind.TYPE, ActionKind.ANSWER})

K = TypeVar("K")
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """What a function returned for objects that still exist, told apart by identity.

    An episode looks back at all its screens at every step, so a result lasts as long as its object does,
    however many episodes run side by side.
    """

    def __init__(self, compute: Callable[[K], V]) -> None:
        self._compute = compute
        self._known: dict[int, tuple[weakref.ref[K], V]] = {}

    def __call__(self, key: K) -> V:
        number = id(key)
        known = self._known.get(number)
        if known is not None:
            return known[1]
        result = self._compute(key)
        self._known[number] = (weakref.ref(key, lambda _: self._known.pop(number)), result)
        return result

    def __len__(self) -> int:
        return len(self._known)


class Featurizer:
    """Turns situations into arrays; remembers screens, since every step looks back at earlier ones."""

    def __init__(self, tree: bool, pixels: bool, apps: int) -> None:
        self._tree = tree
        self._pixels = pixels
        self._apps = apps
        self.screen: Remembered[Observation, Screen] = Remembered(lambda seen: read_screen(seen, tree))
        self._trace: Remembered[Step, Trace] = Remembered(self._read_step)
        self._texts: Remembered[Observation, list[Text]] = Remembered(
            lambda seen: worth_remembering(self.screen(seen))
        )

    def situation(self, situation: Situation, tokens: tuple[int, ...] = ()) -> StepFeatures:
        """One situation as arrays with one row; `tokens` is the action to be evaluated, if there is one."""
        goal = read_goal(situation.goal)
        seen = situation.observation
        screen = self.screen(seen)
        traces = [self._trace(step) for step in situation.past]
        changed = _changes(situation)
        typed = {word for trace in traces if trace.kind in _TYPED for word in trace.words}
        touched = Counter(trace.words for trace in traces if trace.words)
        memory = self.memory(situation)
        numbers = element_numbers(goal, screen, traces, touched, typed, memory)
        features: StepFeatures = {
            "goal_words": goal.ids[None],
            "goal_numbers": _goal_numbers(goal, screen, touched, typed)[None],
            "goal_count": np.array([len(goal.words)], np.uint8),
            "element_words": screen.words[None],
            "element_classes": screen.classes[None],
            "element_numbers": numbers[None],
            "element_traits": element_traits(screen, numbers)[None],
            "element_count": np.array([len(screen)], np.uint8),
            **_history(traces, changed),
            **to_arrays(memory),
            "scalars": np.array([_scalars(situation, screen, changed)], np.float16),
            "app": np.array([word_id(f"app:{seen.app}")], np.uint16),
            "action": np.array([self._checked(tokens, goal, screen)], np.int16),
        }
        if self._pixels:
            features |= look(seen, screen)
        if self._pixels and not self._tree:
            features["picture"] = read_picture(seen.screenshot)[None]
        return features

    def memory(self, situation: Situation) -> list[Recollection]:
        """What is remembered of earlier screens."""
        texts = [self._texts(step.observation) for step in situation.past]
        shown = frozenset(self.screen(situation.observation).flat)
        return recall(texts, read_goal(situation.goal).content, shown)

    def trajectory(self, trajectory: Trajectory) -> StepFeatures:
        """All steps of a trajectory as arrays."""
        if not trajectory.steps:
            raise PolicyError(f"trajectory {trajectory.id} has no steps to learn from; leave it out")
        joined = join(
            [
                self.situation(situation, step.decision.tokens)
                for situation, step in zip(trajectory.situations(), trajectory.steps, strict=True)
            ]
        )
        joined["revealed_words"] = self._revealed(trajectory.steps)
        return joined

    def _revealed(self, steps: Sequence[Step]) -> npt.NDArray[np.uint16]:
        """The words that each step brought to the screen; of the last, nothing is known, and what a slip
        brought says nothing about what was meant.  [T, REVEALED]"""
        words = np.zeros((len(steps), REVEALED), np.uint16)
        screens = [dict.fromkeys(self.screen(step.observation).words.ravel().tolist()) for step in steps]
        for row, (before, after) in enumerate(pairwise(screens)):
            if steps[row].decision.slip:
                continue
            new = [word for word in after if word and word not in before and word not in STOP_IDS]
            words[row, : min(len(new), REVEALED)] = new[:REVEALED]
        return words

    def _read_step(self, step: Step) -> Trace:
        action = step.decision.action
        words: WordIds = ()
        if action.text:
            words = ids_of(action.text)
        elif action.point is not None and action.to is None:
            words = self.screen(step.observation).label_at(action.point)
        x, y = (action.point.x, action.point.y) if action.point is not None else (0.0, 0.0)
        return Trace(action.kind, words, x, y)

    def _checked(self, tokens: tuple[int, ...], goal: Goal, screen: Screen) -> list[int]:
        """The tokens padded with -1; all -1 for an action that this policy has no words for."""
        if not tokens:
            return [-1, -1, -1]
        words = len(goal.words)
        places = {LAUNCH: self._apps, RECITE: MEMORY}.get(tokens[0], len(screen))
        limits = {
            1: (len(KINDS),),
            2: (len(KINDS), places),
            3: (len(KINDS), words, words),
        }.get(len(tokens), ())
        if (
            token_count(tokens[0]) != len(tokens)
            or not all(0 <= token < limit for token, limit in zip(tokens, limits, strict=True))
            or (len(tokens) == 3 and tokens[1] > tokens[2])
        ):
            raise PolicyError(
                f"tokens {tokens} mean nothing on this screen; the step was decided by another policy, "
                "or by this one with other settings (policy.tree, policy.pixels)"
            )
        return [*tokens, *[-1] * (3 - len(tokens))]


_PADDED = {
    "goal_words": "goal_count",
    "goal_numbers": "goal_count",
    "element_words": "element_count",
    "element_classes": "element_count",
    "element_numbers": "element_count",
    "element_traits": "element_count",
    "glimpses": "glimpse_count",
}


def join(parts: Sequence[StepFeatures]) -> StepFeatures:
    """Several arrays of rows as one, in order, padded to the longest goal and the fullest screen."""
    joined: StepFeatures = {}
    for name in parts[0]:
        arrays = [part[name] for part in parts]
        count_name = _PADDED.get(name)
        if count_name is None:
            joined[name] = np.concatenate(arrays)
            continue
        width = max(int(part[count_name].max()) for part in parts)
        rows = sum(len(array) for array in arrays)
        padded = np.zeros((rows, width, *arrays[0].shape[2:]), arrays[0].dtype)
        row = 0
        for array in arrays:
            used = min(width, array.shape[1])
            padded[row : row + len(array), :used] = array[:, :used]
            row += len(array)
        joined[name] = padded
    return joined


def select(joined: StepFeatures, rows: npt.NDArray[np.int64]) -> StepFeatures:
    """Some rows of joined arrays, with no more padding than they need."""
    selected: StepFeatures = {}
    for name, array in joined.items():
        count_name = _PADDED.get(name)
        if count_name is None:
            selected[name] = array[rows]
        else:
            selected[name] = array[rows, : int(joined[count_name][rows].max(initial=0))]
    return selected


# --- the parts of a situation -------------------------------------------------------------------


def _changes(situation: Situation) -> list[bool]:
    """For each past step, whether the screen looked different afterwards."""
    seen = [step.observation for step in situation.past[-HISTORY:]] + [situation.observation]
    return [
        before.screenshot.data != after.screenshot.data or before.ui != after.ui
        for before, after in pairwise(seen)
    ]


def _goal_numbers(
    goal: Goal, screen: Screen, touched: Counter[WordIds], typed: set[int]
) -> npt.NDArray[np.float16]:
    """Of each word: its own traits, and whether it is on the screen, was touched, was typed.  [W, 12]"""
    shown = set(screen.words.ravel().tolist())
    handled = {word for words in touched for word in words}
    parts = [word.ids[:WORD_PARTS] for word in goal.words]
    met = [[not place.isdisjoint(ids) for place in (shown, handled, typed)] for ids in parts]
    return np.concatenate([goal.numbers, np.array(met, np.float16)], axis=1)


def _history(traces: list[Trace], changed: list[bool]) -> StepFeatures:
    """The last actions, newest first, and all words touched before them in one more place."""
    words = np.zeros((1, HISTORY + 1, HISTORY_WORDS), np.uint16)
    kinds = np.zeros((1, HISTORY + 1), np.uint8)
    numbers = np.zeros((1, HISTORY + 1, HISTORY_NUMBERS), np.float16)
    for place, (trace, change) in enumerate(zip(traces[: -HISTORY - 1 : -1], changed[::-1], strict=True)):
        used = trace.words[:HISTORY_WORDS]
        words[0, place, : len(used)] = used
        kinds[0, place] = _KIND_NUMBERS[trace.kind]
        numbers[0, place] = (1, change, trace.x, trace.y, place / HISTORY)
    older = (
        [word for trace in traces[-HISTORY - 1 :: -1] for word in trace.words]
        if len(traces) > HISTORY
        else []
    )
    used = tuple(dict.fromkeys(older))[:HISTORY_WORDS]
    words[0, HISTORY, : len(used)] = used
    numbers[0, HISTORY, 0] = len(traces) > HISTORY
    return {"history_words": words, "history_kinds": kinds, "history_numbers": numbers}


def _scalars(situation: Situation, screen: Screen, changed: list[bool]) -> tuple[float, ...]:
    left = max(0, situation.steps_left)
    return (
        left / 32,
        1 / (1 + left),
        left / max(1, situation.max_steps),
        min(len(situation.past), 64) / 32,
        float(not situation.past),
        float(bool(changed) and changed[-1]),
        float(screen.scrollable),
        float(screen.keyboard),
        float(situation.observation.ui is None),
    )
