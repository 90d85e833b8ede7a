"""Baselines without weights: a policy that follows matching words, and one that acts at random.

They define no distribution over tokens, so their decisions carry neither tokens nor log-probabilities, and
nothing can be learnt from them by importance weighting.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from distrl.agents.languages import OwnLanguage
from distrl.agents.small.screen import Screen, read_screen
from distrl.agents.small.words import Goal, read_goal
from distrl.errors import PolicyError
from distrl.records import Action, ActionKind, Decision, Point, Situation

_LANGUAGE = OwnLanguage()
_CONFIRM = ("Save", "Send", "Create", "OK", "Done")  # what usually follows a text that was typed
_LOOK_INTO = ("Settings", "Browser", "Notes", "Contacts")  # where it looks when no icon shares a word
_LAUNCHER = "launcher"


class HeuristicPolicy:
    """Taps what shares most words with the goal, types what it quotes, and stops when nothing is left.

    As long as it found nothing to tap it scrolls, and looks into one app after the other.
    """

    language = _LANGUAGE.name

    def __init__(self) -> None:
        self._version = 0

    @property
    def version(self) -> int:
        """The number that was given last."""
        return self._version

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:  # noqa: ARG002
        """One decision for each situation; always the same for the same one."""
        return [_decision(_follow_words(situation), self._version) for situation in situations]

    def load(self, weights: bytes, version: int) -> None:
        """Takes the version number only; raises PolicyError if there are weights."""
        _refuse(weights, "the word-overlap baseline")
        self._version = version


class RandomPolicy:
    """Does anything that can be done on the screen, evenly among kinds of action."""

    language = _LANGUAGE.name

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)
        self._version = 0

    @property
    def version(self) -> int:
        """The number that was given last."""
        return self._version

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
        """One decision for each situation; with `greedy`, what comes first in a fixed order of chance."""
        chance = random.Random(0) if greedy else self._chance
        return [_decision(_anything(situation, chance), self._version) for situation in situations]

    def load(self, weights: bytes, version: int) -> None:
        """Takes the version number only; raises PolicyError if there are weights."""
        _refuse(weights, "the random baseline")
        self._version = version


def _decision(action: Action, version: int) -> Decision:
    return Decision(action, _LANGUAGE.render(action), (), (), version, _LANGUAGE.name)


def _refuse(weights: bytes, who: str) -> None:
    if weights:
        raise PolicyError(f"{who} has no weights to load; give it none")


# --- following words ----------------------------------------------------------------------------


def _follow_words(situation: Situation) -> Action:
    seen = situation.observation
    goal = read_goal(situation.goal)
    done = [step.decision.action for step in situation.past]
    typed = {action.text for action in done if action.kind is ActionKind.TYPE}
    if any(node.editable and node.focused for node in seen.ui or ()):
        for text in goal.quotations():
            if text and text not in typed:
                return Action(ActionKind.TYPE, text=text)
    screen = read_screen(seen)
    tapped = {_title_touched(step.decision.action, read_screen(step.observation)) for step in situation.past}
    best = _best_match(goal, screen, tapped)
    if best is None and typed:
        best = next((screen.titles.index(word) for word in _CONFIRM if word in screen.titles), None)
        if best is not None and screen.titles[best] in tapped:
            best = None
    if best is not None:
        return Action(ActionKind.TAP, point=screen.point(best))
    return _look_around(situation, screen)


def _look_around(situation: Situation, screen: Screen) -> Action:
    """Scroll, then open another app, until something outside the launcher was tapped; then stop."""
    for step in situation.past:
        if step.decision.action.kind is ActionKind.TAP and _LAUNCHER not in step.observation.app:
            return Action(ActionKind.DONE)
    done = [step.decision.action for step in situation.past]
    at_home = _LAUNCHER in situation.observation.app
    if screen.scrollable and not at_home and (not done or done[-1].kind is not ActionKind.SWIPE):
        return Action(ActionKind.SWIPE, point=Point(0.5, 0.75), to=Point(0.5, 0.25))
    opened = {action.text for action in done if action.kind is ActionKind.OPEN_APP}
    for app in _LOOK_INTO:
        if app not in opened and situation.observation.app:
            return Action(ActionKind.OPEN_APP, text=app)
    return Action(ActionKind.DONE)


def _title_touched(action: Action, screen: Screen) -> str:
    place = screen.at(action.point) if action.kind is ActionKind.TAP and action.point is not None else None
    return "" if place is None else screen.titles[place]


def _best_match(goal: Goal, screen: Screen, tapped: set[str]) -> int | None:
    """The element with the most words of the goal, then the fewest others; None if none has any."""
    best: tuple[float, int] | None = None
    for index, labels in enumerate(screen.labels):
        words = {word for label in labels for word in label}
        common = sum(bool(goal.mentions[word]) for word in words)
        if not common or screen.titles[index] in tapped:
            continue
        score = common + common / len(words)
        if best is None or score > best[0]:
            best = (score, index)
    return best[1] if best else None


# --- chance -------------------------------------------------------------------------------------


_RANDOM_KINDS = (
    ActionKind.TAP,
    ActionKind.LONG_PRESS,
    ActionKind.SWIPE,
    ActionKind.TYPE,
    ActionKind.BACK,
    ActionKind.HOME,
    ActionKind.ENTER,
    ActionKind.WAIT,
    ActionKind.DONE,
)


def _anything(situation: Situation, chance: random.Random) -> Action:
    kind = chance.choice(_RANDOM_KINDS)
    if kind in (ActionKind.TAP, ActionKind.LONG_PRESS):
        screen = read_screen(situation.observation)
        return Action(kind, point=screen.point(chance.randrange(len(screen))))
    if kind is ActionKind.SWIPE:
        return Action(kind, point=_place(chance), to=_place(chance))
    if kind is ActionKind.TYPE:
        return _typing(read_goal(situation.goal), chance)
    return Action(kind)


def _place(chance: random.Random) -> Point:
    return Point(round(chance.random(), 4), round(chance.random(), 4))


def _typing(goal: Goal, chance: random.Random) -> Action:
    start = chance.randrange(len(goal.words))
    text = goal.text_between(start, chance.randrange(start, len(goal.words)))
    return Action(ActionKind.TYPE, text=text) if text else Action(ActionKind.WAIT)
