"""The strips of the screen that belong to the system: status bar, navigation bar, toast."""

from __future__ import annotations

from distrl.simphone import draw
from distrl.simphone.clock import clock_text
from distrl.simphone.navigation import SYSTEM_UI
from distrl.simphone.scene import CENTRE, FRAME, HEIGHT, IMAGE_VIEW, MEDIUM, TEXT_VIEW, WIDTH, Scene
from distrl.simphone.state import State, setting
from distrl.simphone.theme import Colour

STATUS_HEIGHT = 28
NAVIGATION_HEIGHT = 44

# What the navigation bar offers: description, icon, message word, resource id.
KEYS = (
    ("Back", "arrow_back_ios_new", "@back", "back"),
    ("Home", "radio_button_unchecked", "@home", "home"),
    ("Overview", "crop_square", "@recents", "recent_apps"),
)


def status_icons(state: State) -> list[tuple[str, str]]:
    """The icons at the right of the status bar, each with what it means."""
    icons: list[tuple[str, str]] = []

    def on(namespace: str, key: str) -> bool:
        return setting(state, namespace, key, "0") not in ("", "0")

    if on("global", "zen_mode"):
        icons.append(("do_not_disturb_on", "Do Not Disturb"))
    if setting(state, "system", "volume_ring", "5") == "0":
        icons.append(("vibration" if on("system", "vibrate_when_ringing") else "volume_off", "Ringer silent"))
    if on("secure", "location_mode"):
        icons.append(("location_on", "Location on"))
    if on("global", "bluetooth_on"):
        icons.append(("bluetooth", "Bluetooth on"))
    if on("global", "airplane_mode_on"):
        icons.append(("airplanemode_active", "Airplane mode"))
    if on("global", "wifi_on"):
        icons.append(("wifi", "Wi-Fi connected"))
    if on("global", "mobile_data") and not on("global", "airplane_mode_on"):
        icons.append(("signal_cellular_alt", "Phone signal full"))
    saver = on("global", "low_power")
    level = setting(state, "global", "battery_level", "85")
    icons.append(("battery_saver" if saver else "battery_full", f"Battery {level} percent"))
    return icons


def place_status_bar(scene: Scene, state: State, paper: Colour | None, ink: Colour) -> None:
    """The strip on top: time and icons (pull it down for the shade); without paper one sees through it."""
    outer = None
    if paper is not None:
        outer = scene.open_band(0, 0)
        scene.paper = paper
    scene.package = SYSTEM_UI
    bar = scene.add(FRAME, 0, 0, WIDTH, STATUS_HEIGHT, name="status_bar")
    before = scene.inside(bar)
    time = clock_text(state)
    used = scene.text(16, 6, 100, time, 13, ink, MEDIUM)
    scene.add(TEXT_VIEW, 16, 4, used, 20, time, name="clock")
    right = WIDTH - 14
    for icon, meaning in reversed(status_icons(state)):
        right -= 17
        scene.icon(right, 7, icon, 15, ink)
        scene.add(IMAGE_VIEW, right, 7, 15, 15, description=meaning)
    scene.parent = before
    if outer is not None:
        scene.close_band(outer, WIDTH, STATUS_HEIGHT)


def place_navigation_bar(scene: Scene, paper: Colour | None, ink: Colour) -> None:
    """The strip at the bottom: back, home, recents; without paper one sees through it."""
    top = HEIGHT - NAVIGATION_HEIGHT
    outer = None
    if paper is not None:
        outer = scene.open_band(0, top)
        scene.paper = paper
    scene.package = SYSTEM_UI
    bar = scene.add(FRAME, 0, top, WIDTH, NAVIGATION_HEIGHT, name="navigation_bar_frame")
    before = scene.inside(bar)
    for number, (description, icon, word, name) in enumerate(KEYS):
        middle = WIDTH * (2 * number + 2) // 8
        scene.icon(middle - 9, top + (NAVIGATION_HEIGHT - 18) // 2, icon, 18, ink)
        scene.add(IMAGE_VIEW, middle - 40, top, 80, NAVIGATION_HEIGHT, "", description, name, (word,))
    scene.parent = before
    if outer is not None:
        scene.close_band(outer, WIDTH, NAVIGATION_HEIGHT)


def place_toast(scene: Scene, state: State, bottom: int) -> None:
    """The notice that vanishes by itself, if there is one now."""
    if state.toast is None or state.now_s >= state.toast.until_s:
        return
    look, text = scene.look, state.toast.text
    lines = draw.wrap(text, look.body, draw.REGULAR, WIDTH - 112, 3)
    step = look.line_height(look.body)
    across = max(draw.text_width(line, look.body) for line in lines) + 40
    tall = step * len(lines) + 20
    left, top = (WIDTH - across) // 2, bottom - tall - 24
    scene.package = SYSTEM_UI
    scene.fill(left, top, across, tall, look.inverse, min(22, tall // 2))
    for number, line in enumerate(lines):
        scene.text(
            left + 20, top + 10 + number * step, across - 40, line, look.body, look.on_inverse, align=CENTRE
        )
    scene.add(TEXT_VIEW, left, top, across, tall, text, name="toast")
