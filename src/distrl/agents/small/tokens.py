"""Actions as the small policy spells them: a kind, then a place, an app's name, or a span of the goal.

tap          → (0, index of the element)
type         → (6, first word of the goal, last word of the goal)
back         → (7,)
launch       → (15, index in the list of apps): open_app with a name that the goal need not mention
read         → (16, index of the element): answer with the text of an element
recite       → (17, index of the memory): type the long number in a text that an earlier screen showed
"""

from __future__ import annotations

from collections.abc import Sequence

from distrl.agents.languages import OwnLanguage
from distrl.agents.small.memory import Recollection
from distrl.agents.small.screen import Screen
from distrl.agents.small.words import Goal
from distrl.records import Action, ActionKind, Point

KINDS = (
    "tap", "long_press", "swipe_up", "swipe_down", "swipe_left", "swipe_right", "type", "back", "home",
    "enter", "open_app", "wait", "done", "impossible", "answer", "launch", "read", "recite",
)  # fmt: skip
READ, LAUNCH, RECITE = KINDS.index("read"), KINDS.index("launch"), KINDS.index("recite")
PLACE_KINDS = (KINDS.index("tap"), KINDS.index("long_press"), READ)
TEXT_KINDS = tuple(KINDS.index(name) for name in ("type", "open_app", "answer"))

# Where the finger goes down and up; "up" moves the finger up, so that a list shows what is further down.
_SWIPES = {
    KINDS.index("swipe_up"): (Point(0.5, 0.75), Point(0.5, 0.25)),
    KINDS.index("swipe_down"): (Point(0.5, 0.25), Point(0.5, 0.75)),
    KINDS.index("swipe_left"): (Point(0.85, 0.5), Point(0.15, 0.5)),
    KINDS.index("swipe_right"): (Point(0.15, 0.5), Point(0.85, 0.5)),
}

LANGUAGE = OwnLanguage()


def to_action(
    tokens: tuple[int, ...], goal: Goal, screen: Screen, memory: Sequence[Recollection], apps: tuple[str, ...]
) -> Action:
    """The action that tokens mean; copying a text without characters is an INVALID action."""
    kind = tokens[0]
    if kind == RECITE:
        return _with_text(ActionKind.TYPE, memory[tokens[1]].value if tokens[1] < len(memory) else "")
    if kind == READ:
        return _with_text(ActionKind.ANSWER, screen.titles[tokens[1]])
    if kind in PLACE_KINDS:
        return Action(ActionKind(KINDS[kind]), point=screen.point(tokens[1]))
    if kind in TEXT_KINDS:
        return _with_text(ActionKind(KINDS[kind]), goal.text_between(tokens[1], tokens[2]))
    if kind == LAUNCH:
        return _with_text(ActionKind.OPEN_APP, apps[tokens[1]])
    if kind in _SWIPES:
        start, end = _SWIPES[kind]
        return Action(ActionKind.SWIPE, point=start, to=end)
    return Action(ActionKind(KINDS[kind]))


def to_tokens(
    action: Action, goal: Goal, screen: Screen, memory: Sequence[Recollection], apps: tuple[str, ...]
) -> tuple[int, ...] | None:
    """How the policy would spell an action, or None if it has no words for it."""
    if action.kind is ActionKind.INVALID:
        return None
    if action.kind is ActionKind.SWIPE:
        return _swipe_tokens(action)
    kind = KINDS.index(str(action.kind))
    if action.point is not None:
        place = screen.at(action.point)
        return None if place is None else (kind, place)
    if action.text is None:
        return (kind,)
    if action.kind is ActionKind.OPEN_APP and action.text in apps:
        return (LAUNCH, apps.index(action.text))
    span = goal.find(action.text)
    if span is not None:
        return (kind, *span)
    if action.kind is ActionKind.ANSWER and action.text in screen.titles:
        return (READ, screen.titles.index(action.text))
    if action.kind is ActionKind.TYPE:
        values = [each.value for each in memory]
        return (RECITE, values.index(action.text)) if action.text in values else None
    return None


def _with_text(kind: ActionKind, text: str) -> Action:
    return Action(kind, text=text) if text else LANGUAGE.parse(f'{kind} ""')


def _swipe_tokens(action: Action) -> tuple[int, ...] | None:
    """The direction that a swipe mostly goes."""
    assert action.point is not None
    assert action.to is not None
    right, down = action.to.x - action.point.x, action.to.y - action.point.y
    if right == down == 0:
        return None
    if abs(right) > abs(down):
        return (KINDS.index("swipe_right" if right > 0 else "swipe_left"),)
    return (KINDS.index("swipe_down" if down > 0 else "swipe_up"),)


def token_count(kind: int) -> int:
    """How many tokens an action of this kind has."""
    return 3 if kind in TEXT_KINDS else 2 if kind in PLACE_KINDS or kind in (LAUNCH, RECITE) else 1
