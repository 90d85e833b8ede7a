"""Actions as input events: fingers, or a mouse for pages that know no touch; keys and text."""

from __future__ import annotations

import asyncio

from distrl.devices.browser.cdp import Params
from distrl.devices.browser.tab import Tab
from distrl.records import Action, ActionKind, Point

LONG_PRESS_S = 0.6
MOVES = 8  # places at which a page sees a finger or a mouse that moves
WAIT_MS = 1000.0  # WAIT ends after this, or as soon as the page has changed

Command = tuple[str, Params]
Place = tuple[float, float]


async def perform(tab: Tab, action: Action) -> None:
    """Carry out a touch, a text, ENTER or WAIT; other kinds are the device's own affair."""
    if action.kind is ActionKind.TYPE:
        await _type(tab, action.text or "")
    elif action.kind is ActionKind.ENTER:
        await tab.call_all(*_key("Enter", 13, "\r"))
    elif action.kind is ActionKind.WAIT:
        await tab.ask("change", WAIT_MS)
    elif action.point is not None:
        start = _place(tab, action.point)
        if action.to is not None:
            await _swipe(tab, start, _place(tab, action.to))
        else:
            await _press(tab, start, LONG_PRESS_S if action.kind is ActionKind.LONG_PRESS else 0.0)


def _place(tab: Tab, point: Point) -> Place:
    """A place in the page's own pixels, inside its window."""
    width, height = tab.size
    return min(point.x * width, width - 0.5), min(point.y * height, height - 0.5)


async def _press(tab: Tab, at: Place, seconds: float) -> None:
    if tab.pointer == "touch":
        down, up = [_touch("touchStart", at)], [_touch("touchEnd")]
    else:
        down = [_mouse("mouseMoved", at), _mouse("mousePressed", at)]
        up = [_mouse("mouseReleased", at)]
    if not seconds:
        await tab.call_all(*down, *up)
        return
    await tab.call_all(*down)
    await asyncio.sleep(seconds)  # what makes a press a long one
    await tab.call_all(*up)


async def _swipe(tab: Tab, start: Place, end: Place) -> None:
    """Scroll what lies under the finger; where nothing scrolls, the page itself sees the movement.

    Scrolling is by an exact distance, since the speed at which a real finger's events arrive would decide
    how far a page goes on by itself.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    if await tab.ask("scrollsAt", *start, dx, dy):
        await tab.call_all(_mouse("mouseWheel", start, deltaX=-dx, deltaY=-dy))
        return
    path = [(start[0] + dx * step / MOVES, start[1] + dy * step / MOVES) for step in range(1, MOVES + 1)]
    if tab.pointer == "touch":
        moves = [_touch("touchMove", at) for at in path]
        await tab.call_all(_touch("touchStart", start), *moves, _touch("touchEnd"))
        return
    moves = [_mouse("mouseMoved", at, buttons=1) for at in path]
    await tab.call_all(
        _mouse("mouseMoved", start), _mouse("mousePressed", start), *moves, _mouse("mouseReleased", end)
    )


def _touch(kind: str, at: Place | None = None) -> Command:
    points = [] if at is None else [{"x": at[0], "y": at[1]}]
    return "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}


def _mouse(kind: str, at: Place, **more: object) -> Command:
    params: Params = {"type": kind, "x": at[0], "y": at[1], "pointerType": "mouse"}
    if kind in ("mousePressed", "mouseReleased"):
        params |= {"button": "left", "clickCount": 1, "buttons": 1 if kind == "mousePressed" else 0}
    elif "buttons" in more:
        params["button"] = "left"
    return "Input.dispatchMouseEvent", {**params, **more}


async def _type(tab: Tab, text: str) -> None:
    """Make the field that has the focus hold this text; without one, nothing happens."""
    if not await tab.ask("readyToType", text):
        return
    # As the keyboards of phones do: a key without a name, and the text with it.
    unnamed = {"key": "Unidentified", "windowsVirtualKeyCode": 229}
    await tab.call_all(
        ("Input.dispatchKeyEvent", {"type": "rawKeyDown", **unnamed}),
        ("Input.insertText", {"text": text}),
        ("Input.dispatchKeyEvent", {"type": "keyUp", **unnamed}),
    )


def _key(name: str, code: int, text: str) -> tuple[Command, Command]:
    key: Params = {"key": name, "windowsVirtualKeyCode": code}
    return (
        ("Input.dispatchKeyEvent", {"type": "keyDown", "text": text, **key}),
        ("Input.dispatchKeyEvent", {"type": "keyUp", **key}),
    )
