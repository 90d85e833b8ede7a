"""The strips of the screen that belong to the system: status bar, navigation bar, toast."""

from __future__ import annotations

import msgspec

from distrl.simphone import draw
from distrl.simphone.clock import clock_text
from distrl.simphone.navigation import SYSTEM_UI
from distrl.simphone.scene import CENTRE, FRAME, HEIGHT, IMAGE_VIEW, MEDIUM, TEXT_VIEW, WIDTH, Scene
from distrl.simphone.state import State, setting
from distrl.simphone.store import Store
from distrl.simphone.system.shade import notification_icon, notification_label
from distrl.simphone.theme import Colour
from distrl.simphone.widgets.bands import place_band, place_widget
from distrl.simphone.widgets.widget import Placeable

Papers = tuple[Colour | None, Colour | None]
"""What the status bar and the navigation bar are painted on."""

STATUS_HEIGHT = 28
NAVIGATION_HEIGHT = 44
MOST_ICONS = 4

# What the navigation bar offers: description, icon, message word, resource id.
KEYS = (
    ("Back", "arrow_back_ios_new", "@back", "back"),
    ("Home", "radio_button_unchecked", "@home", "home"),
    ("Overview", "crop_square", "@recents", "recent_apps"),
)


def status_icons(state: State) -> list[tuple[str, str]]:
    """The icons at the right of the status bar, each with what it means."""
    icons: list[tuple[str, str]] = []
    tables = state.settings

    def on(namespace: str, key: str) -> bool:
        return tables[namespace].get(key, "0") not in ("", "0")

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


class StatusBar(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The strip on top: time, notifications, icons (pull it down for the shade).

    Each icon comes with its meaning. Without paper one sees through the strip.
    """

    time: str
    notices: tuple[tuple[str, str], ...]
    more: bool
    icons: tuple[tuple[str, str], ...]
    ink: Colour

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        bar = scene.add(FRAME, x, y, width, height, name="status_bar")
        before = scene.inside(bar)
        used = scene.text(16, 6, 100, self.time, 13, self.ink, MEDIUM)
        scene.add(TEXT_VIEW, 16, 4, used, 20, self.time, name="clock")
        left = 16 + used + 10
        for icon, meaning in self.notices:
            scene.icon(left, 7, icon, 15, self.ink)
            scene.add(IMAGE_VIEW, left, 7, 15, 15, description=meaning)
            left += 19
        if self.more:
            scene.fill(left + 2, 13, 4, 4, self.ink, 2)
        right = WIDTH - 14
        for icon, meaning in reversed(self.icons):
            right -= 17
            scene.icon(right, 7, icon, 15, self.ink)
            scene.add(IMAGE_VIEW, right, 7, 15, 15, description=meaning)
        scene.parent = before


def status_bar(store: Store, ink: Colour) -> StatusBar:
    """The status bar as it is now; it shows nothing that changes within an edition and a minute."""
    shown = (store.edition, store.state.now_s // 60, ink)
    if store.status is None or store.status[0] != shown:
        store.status = (shown, _status_bar(store.state, ink))
    return store.status[1]


def _status_bar(state: State, ink: Colour) -> StatusBar:
    notices = tuple(
        (notification_icon(one), f"{notification_label(one)} notification: {one.title}")
        for one in state.notifications[:MOST_ICONS]
    )
    more = len(state.notifications) > MOST_ICONS
    return StatusBar(clock_text(state), notices, more, tuple(status_icons(state)), ink)


class NavigationBar(msgspec.Struct, frozen=True, gc=False):
    """The strip at the bottom: back, home, recents."""

    ink: Colour

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        bar = scene.add(FRAME, x, y, width, height, name="navigation_bar_frame")
        before = scene.inside(bar)
        for number, (description, icon, word, name) in enumerate(KEYS):
            middle = width * (2 * number + 2) // 8
            scene.icon(middle - 9, y + (height - 18) // 2, icon, 18, self.ink)
            scene.add(IMAGE_VIEW, middle - 40, y, 80, height, "", description, name, (word,))
        scene.parent = before


def place_bars(scene: Scene, top: StatusBar, bottom: NavigationBar, papers: Papers) -> None:
    """Both strips; one whose paper is None lets the wallpaper or a sheet show through."""
    scene.package = SYSTEM_UI
    places: tuple[tuple[Placeable, int, int], ...] = (
        (top, 0, STATUS_HEIGHT),
        (bottom, HEIGHT - NAVIGATION_HEIGHT, NAVIGATION_HEIGHT),
    )
    for (bar, y, tall), paper in zip(places, papers, strict=True):
        if paper is None:
            place_widget(scene, bar, 0, y, WIDTH, tall)
        else:
            scene.paper = paper
            place_band(scene, bar, 0, y, WIDTH, tall)


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
