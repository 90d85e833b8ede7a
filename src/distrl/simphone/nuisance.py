"""What gets in the way on a real phone, for tasks that demand robustness: pop-ups and taps that do nothing.

Off by default; `simphone trouble popups=0.1 drops=0.05` switches it on. What happens depends only on the
phone's seed, the nuisance's seed and the number of actions so far, so a replayed episode meets it again.
"""

from __future__ import annotations

from distrl.simphone import navigation
from distrl.simphone.chance import generator
from distrl.simphone.navigation import LAUNCHER
from distrl.simphone.permissions import WANTED, answer
from distrl.simphone.state import State

# Kinds of window and how often each comes, relative to the others.
KINDS = {"ad": 6, "anr": 4, "permission": 4, "update": 3, "low_battery": 3}
ADS = 8


def drops_tap(state: State) -> bool:
    """Whether the touch that comes now gets lost; a lost one counts as an action too."""
    nuisance = state.nuisance
    if nuisance is None:
        return False
    lost = generator("drop", state.seed, nuisance.seed, state.actions).random() < nuisance.drops
    state.actions += lost
    return lost


def disturb(state: State, was_covered: bool) -> None:
    """Count an action and, now and then, show a window over what the user does.

    Never over another window, and never in answer to the touch that closed one (`was_covered`).
    """
    nuisance = state.nuisance
    if nuisance is None:
        return
    state.actions += 1
    if was_covered or state.overlays:
        return
    source = generator("popup", state.seed, nuisance.seed, state.actions)
    if source.random() >= nuisance.popups:
        return
    package = navigation.front(state).package
    unanswered = [name for name in WANTED.get(package, ()) if not answer(state, package, name)]
    possible = dict(KINDS)
    if package == LAUNCHER:
        del possible["anr"]
    if not unanswered:
        del possible["permission"]
    kind = source.choices(list(possible), list(possible.values()))[0]
    match kind:
        case "ad":
            navigation.overlay(state, "ad", variant=source.randrange(ADS), side=source.randrange(2))
        case "anr":
            navigation.overlay(state, "anr", package=package)
        case "permission":
            navigation.overlay(state, "permission", package=package, permission=source.choice(unanswered))
        case _:
            navigation.overlay(state, kind)
