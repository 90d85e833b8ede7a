"""The phone: everything that a finger, a screen reader or a shell can do with it."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from PIL import Image

from distrl.simphone import gestures, navigation, nuisance, painting, shell, touch
from distrl.simphone.apps.registry import find_app
from distrl.simphone.boot import fresh_state
from distrl.simphone.marks import Mark
from distrl.simphone.node import Node
from distrl.simphone.scene import HEIGHT, WIDTH, Scene
from distrl.simphone.shell import ShellResult
from distrl.simphone.small_sheets import SMALLER
from distrl.simphone.state import State
from distrl.simphone.store import Store
from distrl.simphone.system.screen import compose

P = ParamSpec("P")


class Phone:
    """A simulated Android phone. The seed decides how it looks; it reads no wall clock and never raises."""

    width = WIDTH
    height = HEIGHT

    def __init__(self, seed: int = 0) -> None:
        self._store = Store(fresh_state(seed))
        self._screen: Scene | None = None
        self._stale = True
        self._looked_at: Scene | None = None
        self._marks: tuple[Mark, ...] = ()
        self._version = 0

    # -- acting ----------------------------------------------------------------------------------------

    def tap(self, x: float, y: float) -> None:
        """Touch a point (px)."""
        if not nuisance.drops_tap(self._store.state):
            self._do(gestures.tap, x, y)

    def long_press(self, x: float, y: float) -> None:
        """Touch a point and hold."""
        if not nuisance.drops_tap(self._store.state):
            self._do(gestures.long_press, x, y)

    def swipe(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a finger from one point to another."""
        self._do(gestures.swipe, x0, y0, x1, y1)

    def type_text(self, text: str) -> None:
        """Type into the focused field; without focus nothing happens."""
        self._do(touch.type_text, text)

    def clear_text(self) -> None:
        """Empty the focused field; without focus nothing happens."""
        touch.clear(self._store, self._scene())
        self._stale = True

    def key(self, name: str) -> None:
        """Press a key: BACK, HOME, ENTER, APP_SWITCH, DEL…, also as KEYCODE_BACK or Android's number."""
        self._do(gestures.key, name)

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

    def frame(self, reduction: int = 1) -> Image.Image:
        """The screen as an RGB image, smaller by a whole number if wanted (4 is the quick one).

        Treat it as read-only: it is shared until something changes.
        """
        marks = self._look()
        paper = self._scene().look.surface
        if reduction == SMALLER:
            return painting.paint_small(paper, marks)
        image = painting.paint(paper, marks)
        return image if reduction <= 1 else image.reduce(reduction)

    def screencap_png(self) -> bytes:
        """The screen as PNG, as `screencap -p` gives it."""
        buffer = io.BytesIO()
        self.frame().save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()

    @property
    def frame_version(self) -> int:
        """A number that changes, from one look to the next, exactly when the picture does."""
        self._look()
        return self._version

    def tree(self) -> list[Node]:
        """The accessibility tree, flat and in reading order: what is to be seen, and nothing else."""
        return self._scene().nodes.copy()

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
        self._store.edition += 1
        return self._store

    @property
    def state(self) -> State:
        """The state, for commands of the shell. Call `touched` after changing it."""
        self._store.edition += 1
        return self._store.state

    def touched(self) -> None:
        """Say that the state was changed from outside, so that the screen is composed anew."""
        self._store.edition += 1
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

    def _do(
        self, gesture: Callable[Concatenate[Store, Scene, P], None], *args: P.args, **named: P.kwargs
    ) -> None:
        """Carry out an action: it may change everything, and the last notice has been read."""
        scene, state = self._scene(), self._store.state
        covered = bool(state.overlays)
        state.toast = None
        self._stale = True
        gesture(self._store, scene, *args, **named)
        nuisance.disturb(state, covered)

    def _scene(self) -> Scene:
        if self._stale or self._screen is None:
            self._screen = compose(self._store)
            self._stale = False
        return self._screen

    def _look(self) -> tuple[Mark, ...]:
        """What is to be painted now."""
        scene = self._scene()
        if scene is not self._looked_at:
            marks = scene.marks()
            if marks != self._marks:
                self._marks = marks
                self._version += 1
            self._looked_at = scene
        return self._marks
