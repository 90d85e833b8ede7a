"""The soft keyboard: its keys can be seen, tapped and are in the tree."""

from __future__ import annotations

from distrl.simphone.navigation import KEYBOARD
from distrl.simphone.scene import BUTTON, CENTRE, FRAME, HEIGHT, WIDTH, Scene
from distrl.simphone.state import Keyboard
from distrl.simphone.system.bars import NAVIGATION_HEIGHT

KEY_HEIGHT = 46
KEYBOARD_HEIGHT = 4 * KEY_HEIGHT + 16

LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
SYMBOLS = ("1234567890", "@#$%&-+()", "*\"':;!?")


def place_keyboard(scene: Scene, keyboard: Keyboard, enter_icon: str) -> None:
    """Fill the rectangle above the navigation bar with keys."""
    look = scene.look
    top = HEIGHT - NAVIGATION_HEIGHT - KEYBOARD_HEIGHT
    outer = scene.open_band(0, top)
    scene.paper = look.card
    scene.package = KEYBOARD
    window = scene.add(FRAME, 0, top, WIDTH, KEYBOARD_HEIGHT, name="keyboard_view")
    before = scene.inside(window)
    rows = SYMBOLS if keyboard.symbols else LETTERS
    unit = WIDTH / 10
    line = top + 8
    for number, row in enumerate(rows):
        left = (WIDTH - unit * len(row)) / 2
        for place, sign in enumerate(row):
            shown = sign.upper() if keyboard.shift else sign
            _key(scene, left + place * unit, line, unit, shown, ("@key", shown))
        if number == 2:
            _icon_key(scene, 0, line, left, "keyboard_capslock", "Shift", ("@shift",), keyboard.shift)
            right = left + unit * len(row)
            _icon_key(scene, right, line, WIDTH - right, "backspace", "Delete", ("@delete",))
        line += KEY_HEIGHT
    words = "ABC" if keyboard.symbols else "?123"
    _key(scene, 0, line, unit * 1.5, words, ("@symbols",), "Letters" if keyboard.symbols else "Symbols")
    _key(scene, unit * 1.5, line, unit, ",", ("@key", ","))
    _key(scene, unit * 2.5, line, unit * 5, " ", ("@key", " "), "Space")
    _key(scene, unit * 7.5, line, unit, ".", ("@key", "."))
    _icon_key(scene, unit * 8.5, line, unit * 1.5, enter_icon, "Enter", ("@enter",), True)
    scene.parent = before
    scene.close_band(outer, WIDTH, KEYBOARD_HEIGHT)


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
