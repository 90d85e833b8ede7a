"""Where the user is: open apps, their back stacks, the keyboard's focus. Pure functions over the state."""

from __future__ import annotations

from collections.abc import Mapping

from distrl.simphone.state import Entry, Keyboard, State, Task, Toast, Value

LAUNCHER = "com.android.launcher3"
SYSTEM_UI = "com.android.systemui"
KEYBOARD = "com.android.inputmethod.latin"
TOAST_S = 2.5
DEEPEST_STACK = 40


def front(state: State) -> Task:
    """The task in front."""
    return state.tasks[-1]


def top(state: State) -> Entry:
    """The page that has the user's attention: a system overlay if any, else the front app's top page."""
    return state.overlays[-1] if state.overlays else state.tasks[-1].stack[-1]


def owner(state: State) -> str:
    """The package that the page on top belongs to."""
    return SYSTEM_UI if state.overlays else state.tasks[-1].package


def unfocus(state: State) -> None:
    """Take the focus from the text field and hide the keyboard."""
    state.focus = ""
    if state.keyboard.shown or state.keyboard.shift or state.keyboard.symbols:
        state.keyboard = Keyboard()


def focus(state: State, field: str) -> None:
    """Give the focus to a text field of the page on top and show the keyboard."""
    state.focus = field
    state.keyboard = Keyboard(shown=True)


def launch(
    state: State, package: str, page: str = "", args: Mapping[str, Value] | None = None, main: str = "main"
) -> None:
    """Bring an app to the front as it was left, or open one of its pages."""
    unfocus(state)
    task = next((task for task in state.tasks if task.package == package), None)
    if task is None:
        task = Task(package, [Entry(main, ready_at_s=ready_at(state))])
    else:
        state.tasks.remove(task)
    state.tasks.append(task)
    if page:
        push(state, page, args or {})


def ready_at(state: State) -> float:
    """When a page that is opened now has loaded; 0 on a phone that is not slow."""
    return state.now_s + state.loading_s if state.loading_s else 0.0


def push(state: State, page: str, args: Mapping[str, Value]) -> Entry:
    """Open a page on top of the front app's stack."""
    unfocus(state)
    entry = Entry(page, dict(args))
    stack = front(state).stack
    stack.append(entry)
    if len(stack) > DEEPEST_STACK:
        del stack[1]
    return entry


def back(state: State) -> None:
    """One step back: the keyboard, then an overlay, then the page, then the app, and home at the end."""
    if state.keyboard.shown:
        state.keyboard = Keyboard()
        return
    if state.overlays:
        if not state.overlays[-1].args.get("stubborn", False):
            close_overlay(state)
        return
    unfocus(state)
    task = front(state)
    if len(task.stack) > 1:
        task.stack.pop()
    elif task.package != LAUNCHER:
        state.tasks.remove(task)
        home(state)


def home(state: State) -> None:
    """Show the first home page. Overlays that insist on an answer stay."""
    unfocus(state)
    state.overlays = [entry for entry in state.overlays if entry.args.get("stubborn", False)]
    launch(state, LAUNCHER)
    del front(state).stack[1:]
    front(state).stack[0] = Entry("main")


def recents(state: State) -> None:
    """Show the open apps."""
    home(state)
    push(state, "recents", {})


def close(state: State, package: str) -> None:
    """Close an app's task, as swiping it away or force-stopping it does."""
    was_front = front(state).package == package
    state.tasks = [task for task in state.tasks if task.package != package or package == LAUNCHER]
    answers = state.permissions.get(package, {})
    for permission in [name for name, answer in answers.items() if answer == "once"]:
        del answers[permission]
    if was_front:
        home(state)


def overlay(state: State, page: str, /, **args: Value) -> Entry:
    """Show a window of the system over everything; `stubborn=True` makes it resist BACK and HOME.

    The text field that loses the keyboard to it gets it back when the window is closed.
    """
    if state.focus and state.keyboard.shown and not state.overlays:
        args["typing_in"] = state.focus
    unfocus(state)
    entry = Entry(page, dict(args))
    state.overlays.append(entry)
    return entry


def close_overlay(state: State) -> None:
    """Close the topmost window of the system."""
    unfocus(state)
    if state.overlays:
        field = state.overlays.pop().args.get("typing_in", "")
        if field and not state.overlays:
            focus(state, str(field))


def toast(state: State, text: str) -> None:
    """Show a short notice."""
    state.toast = Toast(text, state.now_s + TOAST_S)
