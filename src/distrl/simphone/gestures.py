"""From fingers to messages: taps, long presses, swipes and hardware keys."""

from __future__ import annotations

from distrl.simphone import navigation, touch
from distrl.simphone.scene import HEIGHT, Scene, ScrollArea, Target
from distrl.simphone.state import put_setting, setting
from distrl.simphone.store import Store
from distrl.simphone.system.bars import NAVIGATION_HEIGHT, STATUS_HEIGHT

SHORTEST_SWIPE = 12
SHADE_PULL = 60
SLIDER_END = 0.02

KEY_NUMBERS = {
    3: "HOME", 4: "BACK", 24: "VOLUME_UP", 25: "VOLUME_DOWN", 61: "TAB", 62: "SPACE", 66: "ENTER", 67: "DEL",
    82: "MENU", 187: "APP_SWITCH", 223: "SLEEP", 224: "WAKEUP",
}  # fmt: skip


def _say(store: Store, scene: Scene, target: Target, x: float, long_press: bool = False) -> None:
    message = target.long_press if long_press and target.long_press is not None else target.tap
    if message is None:
        return
    if target.slider:
        message = (*message, _fraction(target, x))
    touch.deliver(store, scene, message)


def _fraction(target: Target, x: float) -> float:
    """Where on a slider the finger is, from 0 to 1; close to an end means the end."""
    left, _, right, _ = target.box
    part = (x - left) / max(1, right - left)
    return 0.0 if part < SLIDER_END else 1.0 if part > 1 - SLIDER_END else part


def tap(store: Store, scene: Scene, x: float, y: float) -> None:
    """A short touch; where nothing is, nothing happens."""
    target = scene.target_at(x, y)
    if target is not None:
        _say(store, scene, target, x)


def long_press(store: Store, scene: Scene, x: float, y: float) -> None:
    """A long touch; what has no answer to it takes it as a short one."""
    target = scene.target_at(x, y)
    if target is not None:
        _say(store, scene, target, x, long_press=True)


def _area_at(scene: Scene, x: float, y: float, horizontal: bool) -> ScrollArea | None:
    for area in reversed(scene.areas):
        left, top, right, bottom = area.box
        if area.horizontal == horizontal and left <= x < right and top <= y < bottom:
            return area
    return None


def swipe(store: Store, scene: Scene, x0: float, y0: float, x1: float, y1: float) -> None:
    """A finger drawn across: scrolls, drags a slider, pulls the shade, goes home, or is passed to the app."""
    across, down = x1 - x0, y1 - y0
    if not (abs(across) >= SHORTEST_SWIPE or abs(down) >= SHORTEST_SWIPE):
        tap(store, scene, x0, y0)
        return
    if y0 < STATUS_HEIGHT and down > SHADE_PULL:
        touch.deliver(store, scene, ("@shade",))
        return
    if y0 >= HEIGHT - NAVIGATION_HEIGHT and -down > SHADE_PULL:
        navigation.home(store.state)
        return
    target = scene.target_at(x0, y0)
    if target is not None and target.slider:
        _say(store, scene, target, x1)
        return
    horizontal = abs(across) > abs(down)
    area = _area_at(scene, x0, y0, horizontal)
    if area is not None:
        moved = min(float(area.limit), max(0.0, area.offset - (across if horizontal else down)))
        if round(moved) != area.offset:
            navigation.top(store.state).scroll[area.name] = round(moved)
            return
    if horizontal:
        thrown = scene.flick_at(x0, y0)
        if thrown is not None:
            touch.deliver(store, scene, thrown)
            return
        direction = "right" if across > 0 else "left"
    else:
        direction = "down" if down > 0 else "up"
    touch.deliver(store, scene, ("@swipe", direction))


def key(store: Store, scene: Scene, name: str) -> None:
    """A key by name (`BACK`, `KEYCODE_BACK`) or by Android's number (`4`); unknown keys do nothing."""
    name = name.strip().upper().removeprefix("KEYCODE_")
    if (name.isdecimal() and len(name) > 1) or name in ("3", "4"):
        name = KEY_NUMBERS.get(int(name), "")
    state = store.state
    match name:
        case "BACK" | "ESCAPE":
            navigation.back(state)
        case "HOME":
            navigation.home(state)
        case "APP_SWITCH" | "RECENTS":
            navigation.recents(state)
        case "ENTER" | "NUMPAD_ENTER" | "SEARCH":
            touch.enter(store, scene)
        case "DEL" | "BACKSPACE":
            touch.delete(store, scene)
        case "SPACE":
            touch.type_text(store, scene, " ")
        case "TAB":
            _next_field(store, scene)
        case "VOLUME_UP" | "VOLUME_DOWN":
            step = 1 if name == "VOLUME_UP" else -1
            level = setting(state, "system", "volume_music", "7")
            now = int(level) if level.isdecimal() else 7
            store.edition += 1
            put_setting(state, "system", "volume_music", str(min(15, max(0, now + step))))
        case _ if len(name) == 1 and name.isalnum():
            touch.type_text(store, scene, name.lower())


def _next_field(store: Store, scene: Scene) -> None:
    names = [field.name for field in scene.fields]
    if names:
        now = names.index(store.state.focus) if store.state.focus in names else -1
        touch.focus(store, scene, names[(now + 1) % len(names)])
