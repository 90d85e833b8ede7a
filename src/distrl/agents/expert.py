"""A scripted expert: carries out a suite's plan by looking at the accessibility tree, and finds back if lost.

It decides from the situation alone. A step counts as done only when the expert's own action was executed, so
a caller may execute something else (noise, another policy) and still ask for the best action, as in DAgger.
What must happen only once (Save, Add to cart: a tap whose value is "once") is never repeated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distrl.agents.languages.own import OwnLanguage
from distrl.agents.screen import SEEK_BAR, Screen
from distrl.agents.touches import random_action, scroll, touch
from distrl.interfaces import PlanStep
from distrl.records import Action, ActionKind, Decision, Observation, Situation

ONCE = "once"
_MAX_WAITS = 4  # in a row, for something to load
_MAX_SCROLLS = 6  # in each direction
_MAX_BACKS = 3  # before the app is opened anew
_MAX_REPEATS = 3  # of a touch that seems to have gone nowhere
_SLIDER_TOLERANCE = 2  # percent

_language = OwnLanguage()

Stray = Callable[[Situation, Action], Action]  # what is done in place of what was meant


@dataclass(frozen=True)
class _Move:
    """An action of the expert's own, and the plan step that is finished once it was carried out."""

    action: Action
    finishes: int | None = None
    tries: int | None = None  # the step it works on, if its success must be seen on the screen


class Expert:
    """Solves one task by its plan; make a new one for each episode."""

    def __init__(
        self,
        plan: Sequence[PlanStep],
        *,
        seed: int = 0,
        noise: float = 0.0,
        stray: Stray | None = None,
        version: int = 0,
    ) -> None:
        self._plan = tuple(plan)
        self._typed = {step.value for step in plan if step.do == "type"}
        self._rng = random.Random(seed)
        self._noise = noise
        self._stray = stray if stray is not None else self._random
        self._version = version
        self._at = 0  # the plan step to be done next
        self._committed = -1  # the last step done that must never be repeated
        self._tried = -1  # a step that was carried out, though its effect has not been seen
        self._lost = False  # whether somebody else's action came in between
        self._pending: _Move | None = None
        self._waits = self._backs = self._repeats = 0
        self._scrolls = 0  # 1, 2, … downwards, then on upwards
        self._apps: dict[int, str] = {}  # open_app step → the app that it brought to the front

    def decide(self, situation: Situation) -> Decision:
        """The next action, or as often as `noise` says another in its place: a random one, or by `stray`."""
        screen = Screen(situation.observation.ui)
        self._look_back(situation, screen)
        move = self._next_move(screen, situation.observation)
        self._pending = move
        action = move.action
        if self._rng.random() < self._noise:
            action = self._stray(situation, move.action)
        slip = action != move.action
        return Decision(
            action=action,
            output=_language.render(action),
            tokens=(),
            logprobs=(),
            version=self._version,
            language=_language.name,
            slip=slip,
            meant=move.action if slip else None,
        )

    def _random(self, situation: Situation, _: Action) -> Action:
        return random_action(self._rng, situation.observation)

    # -- what happened since ---------------------------------------------------------------------

    def _look_back(self, situation: Situation, screen: Screen) -> None:
        """Find out whether the last move was carried out, and what it led to."""
        move, self._pending = self._pending, None
        self._lost = False
        if move is None:
            return
        last = situation.past[-1] if situation.past else None
        if last is None or last.decision.action != move.action:
            self._lost = True
            self._scrolls = _MAX_SCROLLS if last is not None and _went_down(last.decision.action) else 0
            return
        unchanged = screen.same_as(Screen(last.observation.ui))
        if move.action.kind is ActionKind.SWIPE and unchanged:
            # The list ends here: turn round, or give up scrolling.
            self._scrolls = _MAX_SCROLLS if self._scrolls <= _MAX_SCROLLS else 3 * _MAX_SCROLLS
        if move.tries is not None:
            self._tried = move.tries
        if move.finishes is None:
            return
        step = self._plan[move.finishes]
        once = step.value == ONCE and step.do == "tap"
        if unchanged and move.action.point is not None and self._repeats < _MAX_REPEATS:
            last_step = move.finishes + 1 == len(self._plan)
            if once or last_step or not self._sees(move.finishes + 1, screen, situation.observation):
                self._repeats += 1
                return  # the touch was lost: nothing moved
        if once:
            self._committed = move.finishes
        if step.do == "open_app" and not screen.interrupted:
            self._apps[move.finishes] = situation.observation.app
        self._go_to(move.finishes + 1)

    def _go_to(self, index: int) -> None:
        self._at = index
        self._scrolls = self._waits = self._backs = self._repeats = 0
        self._tried = -1

    # -- what to do now --------------------------------------------------------------------------

    def _next_move(self, screen: Screen, observation: Observation) -> _Move:
        if screen.interrupted:
            return self._dismiss(screen, observation)
        if self._lost:
            self._check_earlier(screen)
        if self._at <= self._committed and self._sees(self._committed + 1, screen, observation):
            self._go_to(self._committed + 1)
        while self._at < len(self._plan):
            if self._plan[self._at].value == ONCE and self._at <= self._committed:
                self._go_to(self._at + 1)
                continue
            result = self._attempt(self._at, screen, observation)
            if isinstance(result, _Move):
                return result
            if result is None and self._tried != self._at:
                return self._find_way(screen, observation)
            self._go_to(self._at + 1)
        return _Move(Action(ActionKind.DONE))

    def _sees(self, index: int, screen: Screen, observation: Observation) -> bool:
        """Whether the step is about something on this screen."""
        if index >= len(self._plan):
            return True
        return bool(self._plan[index].target) and self._attempt(index, screen, observation) is not None

    def _check_earlier(self, screen: Screen) -> None:
        """After an accident, redo what can be seen to be no longer as it should."""
        for index in range(self._committed + 1, min(self._at, len(self._plan))):
            step = self._plan[index]
            if (step.do == "set" and _is_set(screen, step) is False) or (
                step.do == "type" and step.target and _holds_text(screen, step) is False
            ):
                self._go_to(index)
                return

    def _attempt(self, index: int, screen: Screen, observation: Observation) -> _Move | bool | None:
        """A move that carries a step out, True if there is nothing to do, None if it cannot be done here."""
        if index >= len(self._plan):
            return True
        step = self._plan[index]
        if step.do == "open_app":
            if index and screen.loading and self._waits < _MAX_WAITS:
                return None  # it came to see this, and who imitates it cannot know what it did not see
            return _Move(Action(ActionKind.OPEN_APP, text=step.target), index)
        if step.do in ("back", "home", "enter", "wait"):
            return _Move(Action(ActionKind(step.do)), index)
        if step.do == "answer":
            return _Move(Action(ActionKind.ANSWER, text=step.value), index)
        if step.do == "scroll_to":
            return True if screen.shows(step.target, step.within) else None
        if step.do == "type":
            return self._attempt_type(index, step, screen, observation)
        if step.do == "set":
            return self._attempt_set(index, step, screen, observation)
        # What was typed to search for something looks like the thing itself.
        fields = step.target not in self._typed
        node = screen.touchable(step.target, step.within, step.do == "long_press", fields)
        return None if node is None else _Move(touch(ActionKind(step.do), node, observation), index)

    def _attempt_type(
        self, index: int, step: PlanStep, screen: Screen, observation: Observation
    ) -> _Move | bool | None:
        node = screen.field(step.target)
        if node is None:
            return None
        if node.text == step.value:
            return True
        if not node.focused:
            return _Move(touch(ActionKind.TAP, node, observation))
        return _Move(Action(ActionKind.TYPE, text=step.value), index)

    def _attempt_set(
        self, index: int, step: PlanStep, screen: Screen, observation: Observation
    ) -> _Move | bool | None:
        state = _is_set(screen, step)
        if state is None or state:
            return state
        node = screen.control(step.target, step.within)
        assert node is not None
        if node.class_name == SEEK_BAR:
            # A slider with few steps may not come closer than this.
            return _Move(touch(ActionKind.TAP, node, observation, float(step.value) / 100), index)
        if not node.clickable:
            node = screen.touchable(step.target, step.within) or node
        return _Move(touch(ActionKind.TAP, node, observation), tries=index)

    # -- when the step cannot be done here -------------------------------------------------------

    def _find_way(self, screen: Screen, observation: Observation) -> _Move:
        if screen.loading and self._waits < _MAX_WAITS:
            self._waits += 1
            return _Move(Action(ActionKind.WAIT))
        if screen.dismissal is not None:
            return self._dismiss(screen, observation)
        opening = self._opening()
        if opening is not None and self._apps.get(opening, observation.app) != observation.app:
            return self._start_over(opening)
        if screen.keyboard:
            return _Move(Action(ActionKind.BACK))
        if self._lost:
            move = self._step_back(screen, observation)
            if move is not None:
                return move
        if screen.scrollable is not None and self._scrolls < 3 * _MAX_SCROLLS:
            self._scrolls += 1
            return _Move(scroll(screen.scrollable, observation, down=self._scrolls <= _MAX_SCROLLS))
        move = self._step_back(screen, observation)
        if move is not None:
            return move
        if self._backs < _MAX_BACKS or opening is None:
            self._backs += 1
            self._scrolls = 0
            return _Move(Action(ActionKind.BACK))
        return self._start_over(opening)

    def _dismiss(self, screen: Screen, observation: Observation) -> _Move:
        if screen.dismissal is None:
            return _Move(Action(ActionKind.BACK))
        return _Move(touch(ActionKind.TAP, screen.dismissal, observation))

    def _opening(self) -> int | None:
        """The step that opened the app which the current step is about."""
        earlier = [
            index for index in range(min(self._at, len(self._plan))) if self._plan[index].do == "open_app"
        ]
        return earlier[-1] if earlier else None

    def _start_over(self, opening: int) -> _Move:
        self._go_to(opening)
        return _Move(Action(ActionKind.OPEN_APP, text=self._plan[opening].target), opening)

    def _step_back(self, screen: Screen, observation: Observation) -> _Move | None:
        """Take up the plan at the latest earlier touch or text that is possible here, if any."""
        opening = self._opening()
        for index in range(self._at - 1, -1 if opening is None else opening, -1):
            step = self._plan[index]
            if step.do not in ("tap", "long_press", "type") or step.value == ONCE:
                continue
            move = self._attempt(index, screen, observation)
            if isinstance(move, _Move):
                self._go_to(index)
                return move
        return None


def _went_down(action: Action) -> bool:
    return action.point is not None and action.to is not None and action.to.y < action.point.y


def _is_set(screen: Screen, step: PlanStep) -> bool | None:
    """Whether a control is as the step wants it; None if it is not in sight."""
    node = screen.control(step.target, step.within)
    if node is None:
        return None
    if node.class_name == SEEK_BAR:
        shown = node.text.rstrip("%")
        return shown.isdigit() and abs(int(shown) - float(step.value)) <= _SLIDER_TOLERANCE
    return (node.checked if node.checkable else node.selected) == (step.value == "on")


def _holds_text(screen: Screen, step: PlanStep) -> bool | None:
    node = screen.field(step.target)
    return None if node is None else node.text == step.value
