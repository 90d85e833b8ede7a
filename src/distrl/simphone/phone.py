"""The phone: everything that a finger, a screen reader or a shell can do with it."""

from __future__ import annotations

import io
import math
from collections import OrderedDict

from PIL import Image

from distrl.simphone import gestures, navigation, shell, touch
from distrl.simphone.apps.registry import find_app
from distrl.simphone.boot import fresh_state
from distrl.simphone.marks import Mark
from distrl.simphone.node import Node
from distrl.simphone.scene import HEIGHT, WIDTH, Scene
from distrl.simphone.shell import ShellResult
from distrl.simphone.state import State
from distrl.simphone.store import Store
from distrl.simphone.system.screen import compose
from distrl.simphone.theme import Colour

FRAMES_KEPT = 48
"""How many painted frames all phones of a process keep together (1.2 MB each)."""


class _Screen:
    """A composed scene and what is to be painted of it."""

    __slots__ = ("marks", "scene", "version")

    def __init__(self, scene: Scene, marks: tuple[Mark, ...], version: int) -> None:
        self.scene = scene
        self.marks = marks
        self.version = version


_frames: OrderedDict[tuple[Colour, tuple[Mark, ...]], Image.Image] = OrderedDict()


def _paint(paper: Colour, marks: tuple[Mark, ...]) -> Image.Image:
    """The frame of these marks; any phone that showed the same screen lately has painted it already."""
    found = _frames.get((paper, marks))
    if found is not None:
        _frames.move_to_end((paper, marks))
        return found
    image = Image.new("RGB", (WIDTH, HEIGHT), paper)
    for mark in marks:
        mark.paint(image)
    _frames[(paper, marks)] = image
    if len(_frames) > FRAMES_KEPT:
        _frames.popitem(last=False)
    return image


class Phone:
    """A simulated Android phone. The seed decides how it looks; it reads no wall clock and never raises."""

    width = WIDTH
    height = HEIGHT

    def __init__(self, seed: int = 0) -> None:
        self._store = Store(fresh_state(seed))
        self._screen: _Screen | None = None
        self._stale = True
        self._version = 0

    # -- acting ----------------------------------------------------------------------------------------

    def tap(self, x: float, y: float) -> None:
        """Touch a point (px)."""
        gestures.tap(self._store, self._act(), x, y)

    def long_press(self, x: float, y: float) -> None:
        """Touch a point and hold."""
        gestures.long_press(self._store, self._act(), x, y)

    def swipe(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a finger from one point to another."""
        gestures.swipe(self._store, self._act(), x0, y0, x1, y1)

    def type_text(self, text: str) -> None:
        """Type into the focused field; without focus nothing happens."""
        touch.type_text(self._store, self._act(), text)

    def clear_text(self) -> None:
        """Empty the focused field; without focus nothing happens."""
        touch.clear(self._store, self._scene())
        self._stale = True

    def key(self, name: str) -> None:
        """Press a key: BACK, HOME, ENTER, APP_SWITCH, DEL…, also as KEYCODE_BACK or Android's number."""
        gestures.key(self._store, self._act(), name)

    def open_app(self, name: str) -> bool:
        """Open an app by visible name or package; False if there is none."""
        app = find_app(name)
        if app is None or app.package not in self._store.state.packages:
            return False
        navigation.launch(self._store.state, app.package)
        self._stale = True
        return True

    def advance(self, seconds: float) -> None:
        """Let the phone's own clock run: loading ends, toasts vanish."""
        if not (seconds > 0 and math.isfinite(seconds)):
            return
        state = self._store.state
        state.now_s += seconds
        if state.toast is not None and state.now_s >= state.toast.until_s:
            state.toast = None
        self._stale = True

    # -- observing -------------------------------------------------------------------------------------

    def frame(self) -> Image.Image:
        """The screen as an RGB image. Treat it as read-only: it is shared until something changes."""
        screen = self._current()
        return _paint(screen.scene.look.surface, screen.marks)

    def screencap_png(self) -> bytes:
        """The screen as PNG, as `screencap -p` gives it."""
        buffer = io.BytesIO()
        self.frame().save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()

    @property
    def frame_version(self) -> int:
        """A number that changes exactly when the picture does."""
        return self._current().version

    def tree(self) -> list[Node]:
        """The accessibility tree, flat and in reading order: what is to be seen, and nothing else."""
        return list(self._scene().nodes)

    def scene(self) -> Scene:
        """The composed screen: nodes, touch targets, scrolling areas and text fields."""
        return self._scene()

    @property
    def foreground(self) -> str:
        """The package whose page has the user's attention."""
        return navigation.owner(self._store.state)

    # -- the shell -------------------------------------------------------------------------------------

    def shell(self, line: str) -> ShellResult:
        """Run a line in the phone's shell."""
        return shell.run(self, line)

    @property
    def store(self) -> Store:
        """The state and the apps' data, for commands of the shell. Call `touched` after changing them."""
        return self._store

    @property
    def state(self) -> State:
        """The state, for commands of the shell. Call `touched` after changing it."""
        return self._store.state

    def touched(self) -> None:
        """Say that the state was changed from outside, so that the screen is composed anew."""
        self._stale = True

    # -- keeping ---------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Everything there is, as bytes."""
        return self._store.dump()

    def restore(self, snapshot: bytes) -> None:
        """Become exactly the phone that was written down."""
        self._store = Store.load(snapshot)
        self._stale = True

    def reset(self, seed: int) -> None:
        """Boot afresh."""
        self._store = Store(fresh_state(seed))
        self._stale = True

    def _current(self) -> _Screen:
        if self._stale or self._screen is None:
            scene = compose(self._store)
            marks = scene.marks()
            if self._screen is not None and self._screen.marks == marks:
                self._screen.scene = scene
            else:
                self._version += 1
                self._screen = _Screen(scene, marks, self._version)
            self._stale = False
        return self._screen

    def _act(self) -> Scene:
        """The scene to act on; what comes next may change everything, and the last notice has been read."""
        scene = self._scene()
        self._store.state.toast = None
        self._stale = True
        return scene

    def _scene(self) -> Scene:
        return self._current().scene
