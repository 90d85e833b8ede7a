"""The suite `general`: everyday errands in the apps of a phone, from plain requests to chains of conditions.

No training task opens Files, which is left to the split `test_app`. Families whose name begins with `carry`
ask for text that does not stand in the goal.
"""

from __future__ import annotations

from distrl.tasks.general import (
    calendar,
    carry,
    chains,
    chats,
    clock,
    files,
    leisure,
    mail,
    maps,
    notes,
    people,
    settings,
    times,
    values,
)
from distrl.tasks.suite import TaskSuite
from distrl.tasks.templates import Recipe, Template, build_suite

LEARNT: dict[str, Template] = {
    "turn": settings.turn,
    "wish": settings.wish,
    "wishes": settings.wishes,
    "either": settings.either,
    "level": settings.level,
    "choose": values.choose,
    "step": values.step,
    "label-phone": values.label_phone,
    "alarm": clock.alarm,
    "wake": clock.wake,
    "weekly-alarm": clock.weekly,
    "shift-alarm": clock.shift,
    "first-alarm": clock.extreme,
    "timer": times.timer,
    "world-clock": times.world_clock,
    "note": notes.create,
    "remember": notes.remember,
    "note-about": notes.about,
    "replace-note": notes.replace,
    "unpin-note": notes.unpin,
    "add-contact": people.add,
    "star-contact": people.star,
    "by-number": people.by_number,
    "new-number": people.new_number,
    "text": chats.text,
    "answer-text": chats.answer,
    "forward-text": chats.forward,
    "treat-chat": chats.treat,
    "treat-mail": mail.treat,
    "mail-about": mail.about,
    "repeated-mail": mail.repeated,
    "compose-mail": mail.compose,
    "reply-mail": mail.reply,
    "hand-on-mail": mail.hand_on,
    "event": calendar.add,
    "relative-event": calendar.relative,
    "cancel-event": calendar.cancel,
    "first-event": calendar.first_of_day,
    "remind-event": calendar.remind,
    "like-song": leisure.like,
    "longest-song": leisure.longest,
    "collect-song": leisure.collect,
    "obtain-app": leisure.obtain,
    "compute": leisure.compute,
    "weather-city": leisure.climate,
    "weather-home": leisure.home_city,
    "save-place": maps.save,
    "best-place": maps.best,
    "nearest-place": maps.nearest,
    "way": maps.way,
    "duty": chains.duty,
    "obey-mail": chains.obey,
    "catch": chains.catch,
    "begin": chains.begin,
    "wish-and-text": chains.wish_and_text,
    "note-if": chains.note_if,
    "dearer": chains.dearer,
    "carry-code": carry.carry_code,
    "carry-number": carry.carry_number,
}
"""Families of training, validation and test."""

NEW_SHAPES: dict[str, Template] = {
    "silence": settings.silence,
    "keep-only": notes.keep_only,
    "rest": clock.rest,
}
"""Shapes of goals that only the split `test_template` has."""

NEW_APP: dict[str, Template] = {
    "remove-file": files.remove,
    "new-folder": files.folder,
    "rename-file": files.rename,
    "move-file": files.move,
    "largest-file": files.largest,
    "arrange-files": files.arrange,
    "spare-file": files.spare,
}
"""Families in the app that is new to an agent trained on the suite."""

TROUBLE = {
    2: (
        "",
        "",
        "",
        "simphone trouble drops=0.05",
        "simphone trouble popups=0.08",
        "simphone trouble loading=1.5",
    ),
    3: (
        "",
        "",
        "simphone trouble drops=0.06",
        "simphone trouble popups=0.1",
        "simphone trouble popups=0.06 drops=0.04",
        "simphone trouble loading=1.5",
    ),
}

SCARCE = {"train": 11, "val": 2, "test": 3, "test_template": 2}
"""Of families whose pools give no more different goals."""

RECIPE = Recipe(
    name="general",
    version="1",
    templates={**LEARNT, **NEW_SHAPES, **NEW_APP},
    counts={"train": 24, "val": 2, "test": 3, "test_template": 2},
    counts_of={
        "step": {"train": 6, "val": 1, "test": 2, "test_template": 1},
        "choose": {"train": 12, "val": 2, "test": 4, "test_template": 2},
        "level": {"train": 12, "val": 2, "test": 3, "test_template": 2},
        "wish": {"train": 40, "val": 4, "test": 8, "test_template": 4},
        "turn": {"train": 40, "val": 4, "test": 8, "test_template": 4},
        "alarm": {"train": 28, "val": 3, "test": 4, "test_template": 2},
        "note": {"train": 28, "val": 3, "test": 4, "test_template": 2},
        **dict.fromkeys(("first-alarm", "note-about", "like-song", "obtain-app", "save-place"), SCARCE),
        "silence": {"test_template": 4},
        "keep-only": {"test_template": 6},
        "rest": {"test_template": 4},
        "remove-file": {"test_app": 9},
        "new-folder": {"test_app": 7},
        "rename-file": {"test_app": 10},
        "move-file": {"test_app": 14},
        "largest-file": {"test_app": 12},
        "arrange-files": {"test_app": 4},
        "spare-file": {"test_app": 8},
    },
    trouble=TROUBLE,
    training=72,
)


def build() -> TaskSuite:
    """The suite called `general`."""
    return build_suite(RECIPE)
