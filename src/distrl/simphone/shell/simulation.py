"""`simphone`: what only a simulated phone can do, for setting up tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone import navigation, notifications
from distrl.simphone.apps.registry import APPS
from distrl.simphone.shell.result import Command, ShellResult, failure, lines, number
from distrl.simphone.state import Nuisance, State, Value
from distrl.simphone.system.overlays import WINDOWS

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

USAGE = (
    "Usage: simphone world N | loading SECONDS | advance SECONDS | notice TITLE [TEXT] | info\n"
    "       simphone trouble [off | popups=P drops=P loading=S seed=N]\n"
    "       simphone notify PACKAGE TITLE [TEXT [PAGE [NAME=VALUE]...]]\n"
    "       simphone dialog KIND [PACKAGE [PERMISSION]]\n"
    "       simphone reset SEED | apps"
)


def simphone(phone: Phone, args: list[str]) -> ShellResult:
    """`world N` fills the phone with other content, `loading S` makes new pages load for S seconds, `notice`
    and `dialog` show a window of the system, `notify` posts a notification, `trouble` makes life hard,
    `reset N` boots afresh with this seed, `apps` lists packages and labels."""
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
        case ["notify", package, title, *rest]:
            text, page = (*rest[:2], "", "")[:2]
            notifications.post(phone.state, package, title, text, page, _arguments(rest[2:]))
        case ["dialog", kind, *rest] if kind in WINDOWS:
            package, permission = (*rest, "", "")[:2]
            navigation.overlay(phone.state, kind, package=package, permission=permission)
        case ["trouble", *words]:
            return _trouble(phone.state, words)
        case ["reset", text] if text.isdecimal():
            phone.reset(int(text))
        case ["apps"]:
            return lines(*(f"{app.package} {app.label}" for app in APPS))
        case ["info"]:
            state = phone.state
            return lines(f"seed={state.seed} world={state.world_seed} loading={state.loading_s}")
        case _:
            return failure(USAGE)
    phone.touched()
    return ShellResult()


def _arguments(words: list[str]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name, _, value in (word.partition("=") for word in words):
        found[name] = int(value) if value.lstrip("-").isdecimal() else value
    return found


def _trouble(state: State, words: list[str]) -> ShellResult:
    """Switch the nuisances on or off; without words, say what is set."""
    if words == ["off"]:
        state.nuisance, state.loading_s, state.actions = None, 0.0, 0
        return ShellResult()
    wanted: dict[str, float] = {}
    for name, _, text in (word.partition("=") for word in words):
        value = number(text)
        if name not in ("popups", "drops", "loading", "seed") or value is None or value < 0:
            return failure(USAGE)
        wanted[name] = value
    now = state.nuisance or Nuisance()
    if wanted:
        state.loading_s = min(60.0, wanted.get("loading", state.loading_s))
        state.nuisance = now = Nuisance(
            min(1.0, wanted.get("popups", now.popups)),
            min(1.0, wanted.get("drops", now.drops)),
            int(wanted.get("seed", now.seed)),
        )
        state.actions = 0
    return lines(f"popups={now.popups:g} drops={now.drops:g} loading={state.loading_s:g} seed={now.seed}")


COMMANDS: dict[str, Command] = {"simphone": simphone}
