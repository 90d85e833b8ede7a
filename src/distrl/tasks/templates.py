"""Suites made from templates: a template turns random choices into a task, a builder draws many.

A template is a function of a `Draw`. What it takes with `draw.own` belongs to one split only, so validation
and test meet values and combinations that training never showed; what it takes with `draw.any` is shared.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from distrl.errors import TaskError
from distrl.interfaces import PlanStep
from distrl.records import Condition, Task
from distrl.tasks.suite import TaskSuite

T = TypeVar("T")

_TRIES = 200  # draws in a row that may repeat a goal before a template counts as exhausted


class Draw:
    """The random choices of one task."""

    def __init__(self, rng: random.Random, split: str, shares: Mapping[str, float]) -> None:
        self._rng = rng
        self._split = split
        self._shares = shares

    def own(self, pool: Sequence[T]) -> T:
        """One of the values that only this task's split may use."""
        return self._rng.choice(split_pool(pool, self._shares)[self._split])

    def any(self, pool: Sequence[T]) -> T:
        """One of the values, shared by all splits."""
        return self._rng.choice(pool)

    def some(self, pool: Sequence[T], count: int) -> list[T]:
        """Several different values, shared by all splits."""
        return self._rng.sample(pool, count)

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return self._rng.randint(low, high)


def split_pool(pool: Sequence[T], shares: Mapping[str, float]) -> dict[str, list[T]]:
    """Deal a pool out to the splits by their shares; every split gets something, none gets what another has.

    Each value in turn goes to the split that is furthest behind its share, so neighbours in a pool (the on
    and the off of one switch, say) spread over the splits.
    """
    if len(pool) < len(shares):
        raise TaskError(f"a pool of {len(pool)} values cannot be shared by {len(shares)} splits: {pool}")
    total = sum(shares.values())
    dealt: dict[str, list[T]] = {split: [] for split in shares}
    order = list(pool)
    random.Random(repr(order)).shuffle(order)
    for count, value in enumerate(order, 1):
        behind = max(shares, key=lambda split: shares[split] / total * count - len(dealt[split]))
        left = len(order) - count + 1
        empty = [split for split in shares if not dealt[split]]
        dealt[empty[0] if len(empty) >= left else behind].append(value)
    return dealt


@dataclass(frozen=True)
class Draft:
    """A task before it has an id, a split and a world: what a template returns."""

    goal: str
    check: tuple[Condition, ...]
    probes: dict[str, str]
    plan: tuple[PlanStep, ...]
    setup: tuple[str, ...] = ()
    level: int = 1
    max_steps: int = 15


Template = Callable[[Draw], Draft]


@dataclass(frozen=True)
class Recipe:
    """A suite to be built: which templates, and how many tasks of each in every split."""

    name: str
    version: str
    templates: Mapping[str, Template]
    counts: Mapping[str, int]  # split → tasks of each family


def build_suite(recipe: Recipe) -> TaskSuite:
    """Draw the tasks of a recipe: always the same ones, no goal twice."""
    tasks: list[Task] = []
    plans: dict[str, tuple[PlanStep, ...]] = {}
    shares = {split: float(count) for split, count in recipe.counts.items()}
    seen: set[str] = set()
    for split, count in recipe.counts.items():
        for family, template in recipe.templates.items():
            for number in range(count):
                key = f"{recipe.name}:{recipe.version}:{split}:{family}:{number}"
                draft = _draw_new(template, key, split, shares, seen)
                task = _finish(draft, recipe, split, family, number)
                tasks.append(task)
                plans[task.id] = draft.plan
    return TaskSuite(recipe.name, recipe.version, tasks, plans, tuple(recipe.counts))


def _draw_new(template: Template, key: str, split: str, shares: Mapping[str, float], seen: set[str]) -> Draft:
    """A draft whose goal was not drawn before, neither in these words nor in others."""
    rng = random.Random(key)
    for _ in range(_TRIES):
        draft = template(Draw(rng, split, shares))
        asked = {draft.goal, f"{draft.probes} {draft.check}"}
        if not asked & seen:
            seen |= asked
            return draft
    raise TaskError(f"template {key} has no more new goals: give it larger pools or draw fewer tasks")


def _finish(draft: Draft, recipe: Recipe, split: str, family: str, number: int) -> Task:
    id = f"{recipe.name}/{split}/{family}-{number:02d}"
    # Its own world: other contacts, notes and products around the ones that matter.
    world = random.Random(f"{recipe.version}:{id}").randrange(1, 1_000_000)
    return Task(
        id=id,
        goal=draft.goal,
        suite=recipe.name,
        split=split,
        max_steps=draft.max_steps,
        family=family,
        level=draft.level,
        setup=(f"simphone world {world}", *draft.setup),
        probes=draft.probes,
        check=draft.check,
    )


# --- the words that templates are written in ------------------------------------------------------


def open_app(name: str) -> PlanStep:
    """Bring an app to the front."""
    return PlanStep("open_app", name)


def tap(target: str, within: str = "") -> PlanStep:
    """Tap an element; may be repeated when the expert finds itself lost."""
    return PlanStep("tap", target, within=within)


def commit(target: str, within: str = "") -> PlanStep:
    """Tap an element that must be tapped only once: Save, Add to cart, Delete."""
    return PlanStep("tap", target, value="once", within=within)


def hold(target: str, within: str = "") -> PlanStep:
    """Press an element for long."""
    return PlanStep("long_press", target, within=within)


def switch(target: str, on: bool, within: str = "") -> PlanStep:
    """Bring something that can be checked to a state, tapping only if it is in the other one."""
    return PlanStep("set", target, value="on" if on else "off", within=within)


def slide(target: str, percent: int) -> PlanStep:
    """Bring a slider to a percentage of its range."""
    return PlanStep("set", target, value=str(percent))


def write(text: str, into: str = "") -> PlanStep:
    """Make a text field hold this text; without a name, the field that has the focus."""
    return PlanStep("type", into, value=text)


def press(key: str) -> PlanStep:
    """Press back, home or enter."""
    return PlanStep(key)


def equals(probe: str, value: str) -> Condition:
    """The probe's answer is exactly this."""
    return Condition(probe, "equals", value)


def rows(probe: str, count: int) -> Condition:
    """The probe's answer holds this many rows."""
    return Condition(probe, "rows", str(count))


def where(table: str, **columns: str) -> str:
    """The command that asks for the rows of a table in which these columns have these values."""
    tests = " AND ".join(f"{name}='{value}'" for name, value in columns.items())
    return f'content query --uri {table} --where "{tests}"'


def bind(table: str, **columns: str) -> str:
    """The command that inserts a row into a table."""
    cells = " ".join(f"--bind {name}:s:{quote(value)}" for name, value in columns.items())
    return f"content insert --uri {table} {cells}"


def quote(text: str) -> str:
    """A text as one word of a shell command."""
    if re.fullmatch(r"[\w@%+:,./-]+", text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
