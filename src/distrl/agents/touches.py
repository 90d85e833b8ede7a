"""Actions made from places on a screen: touching an element, moving a list, and a clumsy user's guesses."""

from __future__ import annotations

import random

from distrl.records import Action, ActionKind, Observation, Point, UiNode


def touch(kind: ActionKind, node: UiNode, observation: Observation, across: float = 0.5) -> Action:
    """Touch an element in its middle, or at a fraction of its width."""
    left, top, right, bottom = node.bounds
    x = left + (right - 1 - left) * across + 0.5
    return Action(kind, point=_point(x, (top + bottom) / 2, observation))


def scroll(node: UiNode, observation: Observation, down: bool) -> Action:
    """Move a list by most of its height."""
    left, top, right, bottom = node.bounds
    x, upper, lower = (left + right) / 2, top + (bottom - top) * 0.15, top + (bottom - top) * 0.85
    first, last = (lower, upper) if down else (upper, lower)
    return Action(ActionKind.SWIPE, point=_point(x, first, observation), to=_point(x, last, observation))


def _point(x: float, y: float, observation: Observation) -> Point:
    """A place in pixels as a fraction of the screen, with as many decimals as the language writes."""
    across, along = x / max(1, observation.width), y / max(1, observation.height)
    return Point(round(min(max(across, 0.0), 1.0), 4), round(min(max(along, 0.0), 1.0), 4))


def random_action(rng: random.Random, observation: Observation) -> Action:
    """Something a clumsy user might do; it never ends the episode."""
    kind = rng.random()
    touchable = [node for node in observation.ui or () if node.clickable and node.enabled]
    if kind < 0.6 and touchable:
        return touch(ActionKind.TAP, rng.choice(touchable), observation)
    if kind < 0.8:
        down = rng.random() < 0.5
        ends = (0.75, 0.3) if down else (0.3, 0.75)
        return Action(ActionKind.SWIPE, point=Point(0.5, ends[0]), to=Point(0.5, ends[1]))
    if kind < 0.9:
        return Action(ActionKind.BACK)
    return Action(ActionKind.TAP, point=Point(round(rng.random(), 4), round(rng.random(), 4)))
