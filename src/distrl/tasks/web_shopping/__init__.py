"""The suite `web-shopping`: finding, comparing and buying in shops that each work in their own way.

No training task enters Ridgeline Outdoor, which is left to the split `test_app`.
"""

from __future__ import annotations

from distrl.tasks.suite import TaskSuite
from distrl.tasks.templates import Recipe, Template, build_suite
from distrl.tasks.web_shopping import buying, cart, comparing, finding

LEARNT: dict[str, Template] = {
    "find": finding.find,
    "most": comparing.most,
    "later": comparing.later,
    "afford": comparing.afford,
    "comes-in": finding.comes_in,
    "keep": finding.keep,
    "keep-most": comparing.keep_most,
    "elsewhere": comparing.elsewhere,
    "ask-price": finding.ask_price,
    "told": finding.told,
    "add": buying.add,
    "fitting": buying.fitting,
    "many": buying.many,
    "get-most": buying.get_most,
    "reduced": buying.reduced,
    "drop": cart.drop,
    "drop-most": cart.drop_most,
    "recount": cart.recount,
    "order": buying.order,
    "put-and-tell": buying.put_and_tell,
}
"""Families of training, validation and test, and of the new shop."""

NEW_SHAPES: dict[str, Template] = {"empty": cart.empty}
"""Shapes of goals that only the split `test_template` has."""

TROUBLE = {
    1: ("", "", "", "settings put global web_interruptions cookies"),
    2: (
        "",
        "",
        "simphone trouble drops=0.05",
        "settings put global web_interruptions cookies",
        "settings put global web_interruptions cookies,ad",
        "simphone trouble loading=1.5",
    ),
    3: (
        "",
        "simphone trouble drops=0.05",
        "simphone trouble popups=0.06",
        "settings put global web_interruptions cookies,newsletter",
        "settings put global web_interruptions seeded",
        "simphone trouble loading=1.5",
    ),
}

RECIPE = Recipe(
    name="web-shopping",
    version="1",
    templates={**LEARNT, **NEW_SHAPES},
    counts={"train": 26, "val": 5, "test": 7, "test_template": 5, "test_app": 4},
    counts_of={
        "find": {"train": 40, "val": 6, "test": 10, "test_template": 5, "test_app": 5},
        "add": {"train": 36, "val": 6, "test": 9, "test_template": 5, "test_app": 4},
        "most": {"train": 36, "val": 6, "test": 9, "test_template": 5, "test_app": 4},
        "keep": {"train": 30, "val": 5, "test": 8, "test_template": 5, "test_app": 4},
        "elsewhere": {"train": 20, "val": 4, "test": 6, "test_template": 4, "test_app": 3},
        "empty": {"test_template": 8},
    },
    trouble=TROUBLE,
    training=72,
)


def build() -> TaskSuite:
    """The suite called `web-shopping`."""
    return build_suite(RECIPE)
