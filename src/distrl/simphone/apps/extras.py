"""Small apps from the store: counters, dice, lists of tips and check lists, all made from one pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from distrl.simphone import chance
from distrl.simphone.app import App, Cells, Context, Table
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.theme import Colour
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Button,
    Card,
    Column,
    Empty,
    Gap,
    Icon,
    IconButton,
    Page,
    Row,
    Surface,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.world import World

Kind = Literal["counter", "dice", "tips", "checklist"]
PACKAGE = "com.simphone.extra."
LARGEST = 999_999


class Extra(msgspec.Struct, frozen=True):
    """What makes one of the small apps: how it works, what it is called, what it talks about."""

    name: str
    label: str
    icon: str
    colour: Colour
    kind: Kind
    words: tuple[str, ...] = ()
    preinstalled: bool = False

    @property
    def package(self) -> str:
        """The package that it is installed as."""
        return PACKAGE + self.name


EXTRAS_LISTED = (
    Extra("tally", "Tally Counter", "exposure_plus_1", (30, 130, 150), "counter", preinstalled=True),
    Extra("pushups", "Push-up Counter", "fitness_center", (190, 70, 60), "counter"),
    Extra("laps", "Lap Counter", "pool", (40, 110, 190), "counter"),
    Extra("dice", "Dice Roller", "casino", (150, 50, 120), "dice", ("1", "2", "3", "4", "5", "6")),
    Extra("dice20", "Dice Roller Plus", "casino", (60, 60, 120), "dice", tuple(map(str, range(1, 21)))),
    Extra("coin", "Coin Flip", "paid", (190, 150, 40), "dice", ("Heads", "Tails"), preinstalled=True),
    Extra(
        "garden", "Garden Guide", "yard", (70, 140, 60), "tips",
        ("Water in the evening", "Plant bulbs in October", "Prune roses in March", "Turn the compost"),
    ),
    Extra(
        "stretch", "Daily Stretch", "self_improvement", (120, 90, 170), "tips",
        ("Roll your shoulders", "Stretch your neck slowly", "Stand up every hour", "Breathe deeply"),
    ),
    Extra(
        "cook", "Kitchen Tips", "restaurant", (200, 110, 40), "tips",
        ("Salt the water last", "Rest the dough", "Sharpen knives weekly", "Toast the spices"),
    ),
    Extra(
        "sleep", "Sleep Guide", "bedtime", (50, 60, 110), "tips",
        ("Keep the room cool", "No screens after ten", "Wake at the same time", "Read something calm"),
    ),
    Extra("shopping", "Shopping List", "shopping_basket", (50, 140, 110), "checklist", ("Bread", "Apples")),
    Extra("packing", "Packing List", "luggage", (120, 80, 60), "checklist", ("Passport", "Toothbrush")),
    Extra("chores", "Chore List", "cleaning_services", (90, 120, 140), "checklist", ("Vacuum", "Windows")),
    Extra("habits", "Habit List", "task_alt", (60, 150, 90), "checklist", ("Walk", "Drink water")),
)  # fmt: skip


class ExtraData(msgspec.Struct):
    """A number that is counted or thrown, and entries that are ticked."""

    number: int = 0
    words: list[str] = []
    ticked: list[bool] = []


Ctx = Context[ExtraData]


def _fill(extra: Extra) -> Callable[[World], ExtraData]:
    def fill(world: World) -> ExtraData:
        del world
        words = list(extra.words) if extra.kind == "checklist" else []
        return ExtraData(0, words, [False] * len(words))

    return fill


def _body(extra: Extra, ctx: Ctx) -> list[Widget]:
    data = ctx.data
    match extra.kind:
        case "counter":
            buttons = [
                IconButton("remove", ("add", -1), "", "minus", filled=True),
                IconButton("add", ("add", 1), "", "plus", filled=True),
            ]
            big = Text(str(data.number), 64, bold=True, align=CENTRE, pad_y=20, name="value")
            return [Gap(60), big, Across(buttons, pad_x=80), Gap(24), Button("Reset", ("reset",), "outlined")]
        case "dice":
            thrown = extra.words[data.number - 1] if 0 < data.number <= len(extra.words) else "–"
            big = Text(thrown, 56, bold=True, align=CENTRE, pad_y=20, name="value")
            return [Gap(50), Icon(extra.icon, 56, "primary"), big, Button("Throw", ("throw",))]
        case "tips":
            first = data.number % len(extra.words)
            order = [*extra.words[first:], *extra.words[:first]]
            cards = [Card([Row(title=word, icon=extra.icon, icon_role="primary")], inner=0) for word in order]
            return [*cards, Button("Next tip", ("add", 1), "tonal")]
    rows: list[Widget] = [
        Row(title=word, trailing="checkbox", checked=done, on_tap=("tick", place))
        for place, (word, done) in enumerate(zip(data.words, data.ticked, strict=False))
    ]
    if not rows:
        rows = [Empty(extra.icon, "The list is empty")]
    return [TextField("entry", "Add an entry", on_submit=("enter",)), *rows]


def _page(extra: Extra) -> Callable[[Ctx], Surface]:
    def build_main(ctx: Ctx) -> Surface:
        actions = []
        if extra.kind == "checklist":
            actions = [IconButton("delete_sweep", ("sweep",), "", "sweep")]
        return Page(Column(_body(extra, ctx), "content"), AppBar(extra.label, back=False, actions=actions))

    return build_main


def _update(extra: Extra) -> Callable[[Ctx, Message], None]:
    def update(ctx: Ctx, message: Message) -> None:
        data = ctx.data
        match message:
            case ("add", int(step)):
                data.number = min(LARGEST, max(0, data.number + step))
            case ("reset",):
                data.number = 0
            case ("throw",):
                # The phone's own random state: a throw differs each time, and a restored phone repeats it.
                ctx.state.rng += 1
                data.number = 1 + int(chance.fraction("dice", ctx.state.rng) * max(1, len(extra.words)))
            case ("tick", int(place)) if place < len(data.ticked):
                data.ticked[place] = not data.ticked[place]
            case ("enter",) if ctx.text("entry").strip():
                data.words.append(ctx.text("entry").strip())
                data.ticked.append(False)
                ctx.set_text("entry", "")
            case ("sweep",):
                kept = [word for word, done in zip(data.words, data.ticked, strict=False) if not done]
                data.words, data.ticked = kept, [False] * len(kept)

    return update


def _rows(data: ExtraData, world: World) -> list[Cells]:
    del world
    rows: list[Cells] = [{"_id": 0, "name": "value", "value": data.number}]
    entries = zip(data.words, data.ticked, strict=False)
    return rows + [{"_id": n, "name": word, "value": int(done)} for n, (word, done) in enumerate(entries, 1)]


def _app(extra: Extra) -> App[ExtraData]:
    return App(
        package=extra.package,
        label=extra.label,
        icon=extra.icon,
        colour=extra.colour,
        data=ExtraData,
        fill=_fill(extra),
        pages={"main": _page(extra)},
        update=_update(extra),
        tables={"state": Table(_rows)},
        preinstalled=extra.preinstalled,
    )


EXTRAS: tuple[App[ExtraData], ...] = tuple(map(_app, EXTRAS_LISTED))
