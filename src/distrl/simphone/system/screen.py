"""Composes the whole screen: the front app's page, windows over it, bars, keyboard, toast."""

from __future__ import annotations

from distrl.simphone.app import AnyApp
from distrl.simphone.apps.registry import BY_PACKAGE
from distrl.simphone.marks import Shade
from distrl.simphone.navigation import LAUNCHER, SYSTEM_UI, front
from distrl.simphone.scene import FRAME, HEIGHT, WIDTH, Scene
from distrl.simphone.store import Store
from distrl.simphone.system.bars import (
    NAVIGATION_HEIGHT,
    STATUS_HEIGHT,
    NavigationBar,
    Papers,
    place_bars,
    place_toast,
    status_bar,
)
from distrl.simphone.system.keyboard import KEYBOARD_HEIGHT, place_keyboard
from distrl.simphone.system.launcher import LAUNCHER_APP
from distrl.simphone.system.overlays import SYSTEM_UI_APP
from distrl.simphone.system.pages import Layer, Screen, build, remembered
from distrl.simphone.theme import WHITE, Colour, look_of
from distrl.simphone.widgets import BottomSheet, Page, TopSheet

SYSTEM_APPS: dict[str, AnyApp] = {LAUNCHER: LAUNCHER_APP, SYSTEM_UI: SYSTEM_UI_APP}


def app_of(package: str) -> AnyApp:
    """The app behind a package, including the system's own."""
    return BY_PACKAGE.get(package) or SYSTEM_APPS.get(package) or LAUNCHER_APP


def surfaces(store: Store) -> list[Layer]:
    """What is to be seen, bottom first: the topmost full page and the windows over it."""
    state = store.state
    task = front(state)
    app = app_of(task.package)
    shown: list[Layer] = []
    for owner, entries in ((SYSTEM_UI_APP, state.overlays), (app, task.stack)):
        for entry in reversed(entries):
            surface = build(store, owner, entry)
            shown.insert(0, (owner, entry, surface))
            if isinstance(surface, Page):
                return shown
    return shown


def _darker(colour: Colour, strength: int) -> Colour:
    rest = 255 - strength
    return colour[0] * rest // 255, colour[1] * rest // 255, colour[2] * rest // 255


def compose(store: Store) -> Scene:
    """The screen as it is now; treat it as read-only, since it may be shown again.

    Everything but the toast is decided by what `Screen` compares.
    """
    layers = surfaces(store)
    known = None if store.state.toast is not None else remembered(store, layers[-1][2])
    if known is None:
        return _compose(store, layers)
    if known.screen is None or not known.screen.holds(store, layers):
        known.screen = Screen(store, layers, _compose(store, layers))
    return known.screen.scene


def _compose(store: Store, layers: list[Layer]) -> Scene:
    state = store.state
    look = look_of(state)
    scene = Scene(look)
    bottom = HEIGHT - NAVIGATION_HEIGHT - (KEYBOARD_HEIGHT if state.keyboard.shown else 0)
    shades = [0 if isinstance(surface, Page) else surface.shade for _, _, surface in layers]
    bands = [scene.open_band(0, 0) for strength in shades if strength]
    for (app, entry, surface), strength in zip(layers, shades, strict=True):
        if strength:
            scene.paper = look.surface
            scene.mark(Shade(strength))
            scene.close_band(bands.pop(), WIDTH, HEIGHT)
        scene.block()
        scene.package, scene.paper = app.package, look.surface
        scene.show(entry.fields, entry.scroll, state.focus if entry is layers[-1][1] else "")
        scene.inside(scene.add(FRAME, 0, 0, WIDTH, HEIGHT))
        surface.place(scene, 0, STATUS_HEIGHT, WIDTH, bottom - STATUS_HEIGHT)
    scene.parent = 0
    on_wallpaper = layers[0][0] is LAUNCHER_APP and layers[0][1].page == "main"
    if state.keyboard.shown:
        focused = next((field for field in scene.fields if field.name == state.focus), None)
        place_keyboard(scene, state.keyboard, focused)
    paper = None if on_wallpaper else _darker(look.surface, max(shades))
    ink, faint = (WHITE, WHITE) if on_wallpaper else (look.text, look.faint)
    papers: Papers = (paper, paper)
    if isinstance(layers[-1][2], TopSheet):
        papers, ink, faint = (look.card, None), look.text, WHITE
    elif isinstance(layers[-1][2], BottomSheet) and not state.keyboard.shown:
        papers, faint = (paper, None), look.faint
    place_bars(scene, status_bar(store, ink), NavigationBar(faint), papers)
    place_toast(scene, state, bottom)
    return scene
