"""The soft keyboard: its keys can be seen, tapped and are in the tree."""

from __future__ import annotations

import msgspec

from distrl.simphone.navigation import KEYBOARD
from distrl.simphone.scene import BUTTON, CENTRE, FRAME, HEIGHT, WIDTH, Field, Scene
from distrl.simphone.state import Keyboard
from distrl.simphone.system.bars import NAVIGATION_HEIGHT
from distrl.simphone.widgets.bands import place_band

KEY_HEIGHT = 46
KEYBOARD_HEIGHT = 4 * KEY_HEIGHT + 16

LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
SYMBOLS = ("1234567890", "@#$%&-+()", "*\"':;!?")
MORE_SYMBOLS = ("~`|•÷×¶§±¿", "£¢€¥^°={}", "\\_<>[]/")


def enter_key(field: Field | None) -> tuple[str, str]:
    """Icon and description of the key at the lower right: it breaks the line, searches, or is done."""
    if field is None or field.multiline:
        return "keyboard_return", "Enter"
    if field.search:
        return "search", "Search"
    return "done", "Done"


def place_keyboard(scene: Scene, keyboard: Keyboard, field: Field | None) -> None:
    """Fill the rectangle above the navigation bar with keys."""
    scene.paper = scene.look.card
    scene.package = KEYBOARD
    keys = Keys(keyboard.shift, keyboard.symbols, *enter_key(field))
    place_band(scene, keys, 0, HEIGHT - NAVIGATION_HEIGHT - KEYBOARD_HEIGHT, WIDTH, KEYBOARD_HEIGHT)


class Keys(msgspec.Struct, frozen=True, gc=False):
    """All keys: letters, or one of two pages of symbols."""

    shift: bool
    symbols: bool
    enter_icon: str
    enter_description: str

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        window = scene.add(FRAME, x, y, width, height, name="keyboard_view")
        before = scene.inside(window)
        rows = LETTERS
        if self.symbols:
            rows = MORE_SYMBOLS if self.shift else SYMBOLS
        unit = width / 10
        line = y + 8
        for row in rows:
            left = (width - unit * len(row)) / 2
            for place, sign in enumerate(row):
                shown = sign.upper() if self.shift and not self.symbols else sign
                _key(scene, left + place * unit, line, unit, shown, ("@key", shown))
            line += KEY_HEIGHT
        self._place_ends(scene, line - KEY_HEIGHT, left, width)
        words = "ABC" if self.symbols else "?123"
        _key(scene, 0, line, unit * 1.5, words, ("@symbols",), "Letters" if self.symbols else "Symbols")
        _key(scene, unit * 1.5, line, unit, ",", ("@key", ","))
        _key(scene, unit * 2.5, line, unit * 5, " ", ("@key", " "), "Space")
        _key(scene, unit * 7.5, line, unit, ".", ("@key", "."))
        icon, description = self.enter_icon, self.enter_description
        _icon_key(scene, unit * 8.5, line, unit * 1.5, icon, description, ("@enter",), True)
        scene.parent = before

    def _place_ends(self, scene: Scene, line: int, left: float, width: int) -> None:
        """The keys at both ends of the third row."""
        if self.symbols:
            words = "?123" if self.shift else "=\\<"
            _key(scene, 0, line, left, words, ("@shift",), "More symbols")
        else:
            _icon_key(scene, 0, line, left, "keyboard_capslock", "Shift", ("@shift",), self.shift)
        _icon_key(scene, width - left, line, left, "backspace", "Delete", ("@delete",))


def _key(
    scene: Scene, x: float, y: int, width: float, sign: str, message: tuple[str, ...], description: str = ""
) -> None:
    look = scene.look
    left, across = round(x), round(x + width) - round(x)
    paper = look.raised if look.dark else (255, 255, 255)
    scene.fill(left + 2, y + 3, across - 4, KEY_HEIGHT - 8, paper, 6)
    size = 18 if len(sign) == 1 else 14
    line = look.line_height(size)
    if sign.strip():
        top = y + (KEY_HEIGHT - 2 - line) // 2
        scene.text(left, top, across, sign, size, look.text, align=CENTRE)
    scene.add(BUTTON, left, y, across, KEY_HEIGHT, sign, description, "key", message)


def _icon_key(
    scene: Scene,
    x: float,
    y: int,
    width: float,
    icon: str,
    description: str,
    message: tuple[str, ...],
    active: bool = False,
) -> None:
    look = scene.look
    left, across = round(x), round(x + width) - round(x)
    paper, ink = (look.container, look.on_container) if active else (look.raised, look.text)
    scene.fill(left + 3, y + 3, across - 6, KEY_HEIGHT - 8, paper, 6)
    scene.icon(left + (across - 20) // 2, y + (KEY_HEIGHT - 22) // 2, icon, 20, ink)
    scene.add(BUTTON, left, y, across, KEY_HEIGHT, "", description, "key", message)
