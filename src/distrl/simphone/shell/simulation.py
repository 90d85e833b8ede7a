"""`simphone`: what only a simulated phone can do, for setting up tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone import navigation
from distrl.simphone.shell.result import Command, ShellResult, failure, lines, number

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

USAGE = "Usage: simphone world N | loading SECONDS | advance SECONDS | notice TITLE [TEXT] | info"


def simphone(phone: Phone, args: list[str]) -> ShellResult:
    """`world N` fills the phone with other content, `loading S` makes new pages load for S seconds, `notice`
    shows a system dialog."""
    match args:
        case ["world", text] if text.isdecimal():
            state = phone.state
            state.world_seed = int(text)
            phone.store.forget_all()
            for task in list(state.tasks):
                navigation.close(state, task.package)
            navigation.home(state)
        case ["loading", text] if (seconds := number(text)) is not None and seconds >= 0:
            phone.state.loading_s = min(60.0, seconds)
        case ["advance", text] if (seconds := number(text)) is not None and seconds >= 0:
            phone.advance(seconds)
        case ["notice", title, *rest]:
            navigation.overlay(phone.state, "notice", title=title, text=" ".join(rest))
        case ["info"]:
            state = phone.state
            return lines(f"seed={state.seed} world={state.world_seed} loading={state.loading_s}")
        case _:
            return failure(USAGE)
    phone.touched()
    return ShellResult()


COMMANDS: dict[str, Command] = {"simphone": simphone}
