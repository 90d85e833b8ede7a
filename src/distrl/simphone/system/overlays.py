"""Windows of the system over everything else: the shade, questions and notices that no app owns.

Show one with `navigation.overlay(state, page, **args)`; `stubborn=True` makes it resist BACK and HOME until a
button is pressed. A new kind of window is one more page in SYSTEM_UI_APP.
"""

from __future__ import annotations

import msgspec

from distrl.simphone.app import App, Context
from distrl.simphone.navigation import SYSTEM_UI
from distrl.simphone.scene import Message
from distrl.simphone.system import prompts
from distrl.simphone.system.shade import build_shade, update_shade


class SystemData(msgspec.Struct):
    """The system's windows remember nothing of their own: what they change is in the state."""


def update(ctx: Context[msgspec.Struct], message: Message) -> None:
    """Answer touches on the system's windows."""
    if not update_shade(ctx, message):
        prompts.update_prompt(ctx, message)


SYSTEM_UI_APP: App[msgspec.Struct] = App(
    package=SYSTEM_UI,
    label="System UI",
    icon="android",
    colour=(90, 90, 90),
    data=SystemData,
    fill=lambda _: SystemData(),
    pages={
        "main": prompts.build_notice,
        "notice": prompts.build_notice,
        "shade": build_shade,
        "permission": prompts.build_permission,
        "anr": prompts.build_anr,
        "ad": prompts.build_ad,
        "low_battery": prompts.build_low_battery,
        "update": prompts.build_update,
        "uninstall": prompts.build_uninstall,
    },
    update=update,
    swiped=frozenset({"shade"}),
    in_launcher=False,
)

WINDOWS = tuple(name for name in SYSTEM_UI_APP.pages if name not in ("main", "shade"))
"""The windows that `simphone dialog` can show."""
