"""Suites made from templates: a template turns random choices into a task, a builder draws many.

A template is a function of a `Draw`. What it takes with `draw.own` belongs to one split only, so validation
and test meet values and combinations that training never showed; what it takes with `draw.any` is shared.
`draw.say` keeps some phrasings for the split `test_template`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from distrl.errors import TaskError
from distrl.interfaces import PlanStep
from distrl.records import DRAWN_ANEW, Condition, Task
from distrl.tasks.dealing import combination, deal, deal_numbers
from distrl.tasks.suite import TaskSuite

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
TRAINING = "train"
UNSEEN_WORDS = "test_template"
"""The split whose goals are phrased as no training goal is."""
UNSEEN_PLACE = "test_app"
"""The split whose app or shop no training task opens."""
WORLDS = 1000  # of tasks drawn while training: few enough to be remembered by the phones
_TRIES = 400  # draws in a row that may repeat a goal before a template counts as exhausted


class Draw:
    """The random choices of one task."""

    def __init__(self, rng: random.Random, split: str, shares: Mapping[str, float]) -> None:
        self._rng = rng
        self.split = split
        self._shares = shares

    def own(self, pool: Sequence[T]) -> T:
        """One of the values that only this task's split may use."""
        mine: list[T] = deal(tuple(pool), tuple(self._shares.items()))[self.split]
        return self._rng.choice(mine)

    def pair(self, first: Collection[T], second: Collection[U]) -> tuple[T, U]:
        """Two values whose combination only this task's split may use."""
        return combination(first, second, self._place(len(first) * len(second)))

    def triple(self, first: Collection[T], second: Collection[U], third: Collection[V]) -> tuple[T, U, V]:
        """Three values whose combination only this task's split may use."""
        place = self._place(len(first) * len(second) * len(third))
        one, two = combination(first, second, place // len(third))
        return one, two, tuple(third)[place % len(third)]

    def _place(self, count: int) -> int:
        """The number of a combination that belongs to this task's split."""
        return self._rng.choice(deal_numbers(count, tuple(self._shares.items()))[self.split])

    def say(self, known: Sequence[str], unseen: Sequence[str]) -> str:
        """A phrasing; those of `unseen` are kept for the split that tests new words."""
        return self._rng.choice(unseen if self.split == UNSEEN_WORDS else known)

    def known_or_new(self, known: T, new: T) -> T:
        """What the splits up to `test_template` use, or what is kept for the split `test_app`."""
        return new if self.split == UNSEEN_PLACE else known

    def any(self, pool: Sequence[T]) -> T:
        """One of the values, shared by all splits."""
        return self._rng.choice(pool)

    def some(self, pool: Sequence[T], count: int) -> list[T]:
        """Several different values, shared by all splits."""
        return self._rng.sample(pool, count)

    def mixed(self, pool: Sequence[T]) -> list[T]:
        """All values, in any order."""
        return self._rng.sample(pool, len(pool))

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return self._rng.randint(low, high)


@dataclass(frozen=True)
class Draft:
    """A task before it has an id, a split and a world: what a template returns.

    No two tasks of a family have the same `distinct`: what would make one's solution solve the other. A
    `calm` task is spared pop-ups and lost touches, because its plan needs most of the steps allowed.
    """

    goal: str
    check: tuple[Condition, ...]
    probes: dict[str, str]
    plan: tuple[PlanStep, ...]
    setup: tuple[str, ...] = ()
    level: int = 1
    max_steps: int = 15
    distinct: str = ""
    calm: bool = False


Template = Callable[[Draw], Draft]


@dataclass(frozen=True)
class Recipe:
    """A suite to be built: which templates, how many tasks of each in every split, and how much trouble.

    `trouble` gives for a level the set-ups of which each task gets one (empty: none).
    """

    name: str
    version: str
    templates: Mapping[str, Template]
    counts: Mapping[str, int]  # split → tasks of each family
    counts_of: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # of single families
    trouble: Mapping[int, Sequence[str]] = field(default_factory=dict)
    training: int = 0  # training tasks of each family if its share of the values gives more than its count

    def splits(self) -> tuple[str, ...]:
        """The splits that have tasks, in the order in which the families name them."""
        return tuple(dict.fromkeys(split for family in self.templates for split in self.wanted(family)))

    def wanted(self, family: str) -> Mapping[str, int]:
        """How many tasks a family has in each of its splits."""
        return self.counts_of.get(family, self.counts)


def build_suite(recipe: Recipe) -> TaskSuite:
    """Draw the tasks of a recipe: always the same ones, no goal twice."""
    drawn: dict[str, list[Task]] = {}
    plans: dict[str, tuple[PlanStep, ...]] = {}
    asked, held = _Asked(), None
    exhausted: set[str] = set()
    for split, family, number in _order(recipe):
        if split == TRAINING and held is None:
            held = asked.copy()
        if family in exhausted:
            continue
        key = f"{recipe.name}:{recipe.version}:{split}:{family}:{number}"
        draft = _draw_new(recipe, family, split, key, asked)
        if draft is None:
            if number < recipe.wanted(family)[split]:
                raise TaskError(f"{key} has no new goal: give the template larger pools, or draw fewer")
            exhausted.add(family)
            continue
        asked.take(draft, family, split)
        task = _finish(draft, recipe, f"{recipe.name}/{split}/{family}-{number:02d}", split, family)
        drawn.setdefault(split, []).append(task)
        plans[task.id] = draft.plan
    splits, families = recipe.splits(), list(recipe.templates)
    # Listed by family, in whatever order they were drawn.
    tasks = [
        task
        for split in splits
        for task in sorted(drawn[split], key=lambda task: families.index(task.family))
    ]
    return TaskSuite(recipe.name, recipe.version, tasks, plans, splits, Further(recipe, held or asked))


class Further:
    """Training tasks without end: each is drawn from what training may use, and is like none held back."""

    def __init__(self, recipe: Recipe, held: _Asked) -> None:
        self._recipe = recipe
        self._held = held

    def task(self, like: Task, seed: int) -> Task:
        """Another task of the same family, or the given one if nothing else can be drawn."""
        id = f"{like.origin}{DRAWN_ANEW}{seed}"
        draft = self._draft(like.family, id)
        if draft is None:
            return like
        return _finish(draft, self._recipe, id, TRAINING, like.family, worlds=WORLDS)

    def plan(self, task: Task) -> tuple[PlanStep, ...] | None:
        """How an expert solves a task that was drawn here."""
        draft = self._draft(task.family, task.id) if task.id != task.origin else None
        return None if draft is None else draft.plan

    def _draft(self, family: str, id: str) -> Draft | None:
        # Another key than that of its world, or the world would tell what was drawn.
        key = f"{self._recipe.version}:{id}:draft"
        return _draw_new(self._recipe, family, TRAINING, key, self._held)


def _order(recipe: Recipe) -> Iterator[tuple[str, str, int]]:
    """Split, family and number of each task in the order of drawing.

    What is held back comes first, so that training can take what is left; then the families take turns.
    """
    for split in sorted(recipe.splits(), key=lambda split: split == TRAINING):
        most = max(
            recipe.training if split == TRAINING else 0,
            *(recipe.wanted(family).get(split, 0) for family in recipe.templates),
        )
        for number in range(most):
            for family in recipe.templates:
                wanted = recipe.wanted(family).get(split, 0)
                if number < wanted or (wanted and split == TRAINING and number < recipe.training):
                    yield split, family, number


class _Asked:
    """What was asked so far: goals, requirements, and what keeps the tasks of a family apart."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._split_of: dict[tuple[tuple[str, str, str], ...], str] = {}

    def is_new(self, draft: Draft, family: str, split: str) -> bool:
        """Whether nothing like it was asked, in these words or in others, and no other split requires it."""
        known = self._seen.isdisjoint(_said(draft, family))
        return known and self._split_of.get(_required(draft), split) == split

    def take(self, draft: Draft, family: str, split: str) -> None:
        """From now on nothing like it is new."""
        self._seen |= _said(draft, family)
        self._split_of[_required(draft)] = split

    def copy(self) -> _Asked:
        """The same, to which nothing is added later."""
        other = _Asked()
        other._seen, other._split_of = set(self._seen), dict(self._split_of)
        return other


def _said(draft: Draft, family: str) -> set[str]:
    said = {draft.goal.casefold(), f"{draft.probes} {draft.check}"}
    return said | {f"{family}:{draft.distinct}"} if draft.distinct else said


def _required(draft: Draft) -> tuple[tuple[str, str, str], ...]:
    return tuple(sorted((draft.probes[one.probe], one.op, one.value) for one in draft.check))


def _draw_new(recipe: Recipe, family: str, split: str, key: str, asked: _Asked) -> Draft | None:
    """A draft that is new, if the template has any."""
    shares = {name: float(count) for name, count in recipe.wanted(family).items()}
    draw = Draw(random.Random(key), split, shares)
    for _ in range(_TRIES):
        draft = recipe.templates[family](draw)
        if asked.is_new(draft, family, split):
            return draft
    return None


def _finish(draft: Draft, recipe: Recipe, id: str, split: str, family: str, worlds: int = 999_999) -> Task:
    rng = random.Random(f"{recipe.version}:{id}")
    # Its own world: other contacts, notes and products around the ones that matter.
    setup = [f"simphone world {rng.randrange(1, worlds + 1)}", *draft.setup]
    trouble = rng.choice(recipe.trouble.get(draft.level, ("",)))
    if trouble and not draft.calm:
        setup.append(trouble)
    return Task(
        id=id,
        goal=draft.goal,
        suite=recipe.name,
        split=split,
        max_steps=draft.max_steps,
        family=family,
        level=draft.level,
        setup=tuple(setup),
        probes=draft.probes,
        check=draft.check,
    )


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
    tests = " AND ".join(f"{name}='{_doubled(value)}'" for name, value in columns.items())
    return f'content query --uri {table} --where "{tests}"'


def _doubled(text: str) -> str:
    """A text as SQL writes it between quotes."""
    return text.replace("'", "''")


def bind(table: str, **columns: str) -> str:
    """The command that inserts a row into a table."""
    cells = " ".join(f"--bind {name}:s:{quote(value)}" for name, value in columns.items())
    return f"content insert --uri {table} {cells}"


def clear(table: str) -> str:
    """The command that deletes every row of a table."""
    return f"content delete --uri {table}"


def prefer(table: str, name: str, value: str) -> str:
    """The command that changes a row of a table of preferences."""
    return f"content update --uri {table} --where \"name='{name}'\" --bind value:s:{quote(value)}"


def quote(text: str) -> str:
    """A text as one word of a shell command."""
    if re.fullmatch(r"[\w@%+:,./-]+", text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
