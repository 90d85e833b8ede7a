"""Twenty-four screens of the simulated phone on one picture: `python tools/contact_sheet.py`.

Writes docs/images/phone.png (or the path given): system screens first, then the apps, in light and dark.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

from distrl.simphone import Phone
from distrl.simphone.draw import FONTS
from distrl.simphone.hand import Hand

OUTPUT = Path(__file__).parent.parent / "docs" / "images" / "phone.png"
COLUMNS, GAP, CAPTION, SCALE, BITS = 8, 14, 22, 0.5, 6
PAPER, INK = (244, 245, 248), (40, 44, 52)

Scene = Callable[[Phone, Hand], None]


def opened(app: str, *taps: str) -> Scene:
    """Open an app and touch one thing after the other."""

    def play(phone: Phone, hand: Hand) -> None:
        phone.open_app(app)
        for word in taps:
            hand.tap(word)

    return play


def shell(*lines: str) -> Scene:
    """Run lines in the phone's shell."""

    def play(phone: Phone, hand: Hand) -> None:
        del hand
        for line in lines:
            phone.shell(line)

    return play


def drawer(phone: Phone, hand: Hand) -> None:
    """All apps."""
    del hand
    phone.swipe(206, 560, 206, 250)


def shade(phone: Phone, hand: Hand) -> None:
    """Quick settings with notifications."""
    del hand
    phone.shell("simphone notify com.android.messaging 'Lena Bauer' 'Are we still on for lunch?'")
    phone.shell("simphone notify com.simphone.store 'Updates available' '3 apps can be updated'")
    phone.swipe(206, 5, 206, 400)


def recents(phone: Phone, hand: Hand) -> None:
    """Three open apps."""
    del hand
    for app in ("Weather", "Calendar", "Notes"):
        phone.open_app(app)
    phone.key("APP_SWITCH")


def typing(phone: Phone, hand: Hand) -> None:
    """The keyboard under a note."""
    phone.open_app("Notes")
    hand.tap("New note")
    hand.write("Title", "Saturday")
    hand.write("Note", "Buy bread, then meet Nora at the ")


def settings(page: str) -> Scene:
    """A page of Settings, by its intent."""
    return shell(f"am start -a android.settings.{page}")


def interrupted(app: str, window: str) -> Scene:
    """An app with a window of the system over it."""

    def play(phone: Phone, hand: Hand) -> None:
        del hand
        phone.open_app(app)
        phone.shell(f"simphone dialog {window}")

    return play


# Caption, seed, dark or light, and how to get there.
SCREENS: tuple[tuple[str, int, bool, Scene], ...] = (
    ("Home", 5, False, shell("true")),
    ("App drawer", 6, True, drawer),
    ("Quick settings", 2, False, shade),
    ("Recents", 3, False, recents),
    ("Keyboard", 9, False, typing),
    ("Permission", 11, True, interrupted("Maps", "permission com.simphone.maps location")),
    ("Pop-up", 12, False, interrupted("Weather", "ad")),
    ("Not responding", 4, False, interrupted("Music", "anr com.simphone.music")),
    ("Settings", 7, False, opened("Settings")),
    ("Display settings", 8, True, settings("DISPLAY_SETTINGS")),
    ("Wi-Fi settings", 1, False, settings("WIFI_SETTINGS")),
    ("Clock", 13, True, opened("Clock")),
    ("Contacts", 14, False, opened("Contacts")),
    ("Messages", 15, False, opened("Messages")),
    ("Mail", 16, True, opened("Mail")),
    ("Calendar", 17, False, opened("Calendar")),
    ("Calculator", 18, False, opened("Calculator")),
    ("Files", 19, True, opened("Files")),
    ("Music", 20, False, opened("Music")),
    ("Store", 21, False, opened("Store")),
    ("Maps", 22, False, opened("Maps")),
    ("Weather", 23, False, opened("Weather")),
    ("Browser: shop", 24, False, shell("am start -d https://larkspur.market")),
    ("Browser: results", 25, True, shell("am start -d 'https://larkspur.market/search?q=shoes'")),
)


def screen(seed: int, dark: bool, play: Scene) -> Image.Image:
    """One screen, at the sheet's scale."""
    phone = Phone(seed)
    phone.shell(f"cmd uimode night {'yes' if dark else 'no'}; settings put system font_scale 1.0")
    play(phone, Hand(phone))
    phone.advance(4.0)  # notices vanish
    frame = phone.frame()
    size = (round(frame.width * SCALE), round(frame.height * SCALE))
    return frame.resize(size, Image.Resampling.LANCZOS)


def main() -> None:
    """Draw the sheet."""
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    screens = [(caption, screen(seed, dark, play)) for caption, seed, dark, play in SCREENS]
    wide, tall = screens[0][1].size
    rows = -(-len(screens) // COLUMNS)
    sheet = Image.new("RGB", (GAP + COLUMNS * (wide + GAP), GAP + rows * (tall + CAPTION + GAP)), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.truetype(str(FONTS / "Roboto-Medium.ttf"), 13)
    for number, (caption, picture) in enumerate(screens):
        row, column = divmod(number, COLUMNS)
        x, y = GAP + column * (wide + GAP), GAP + row * (tall + CAPTION + GAP)
        sheet.paste(picture, (x, y))
        draw.rectangle((x - 1, y - 1, x + wide, y + tall), outline=(200, 204, 212))
        draw.text((x + wide // 2, y + tall + 5), caption, INK, font, anchor="ma")
    output.parent.mkdir(parents=True, exist_ok=True)
    # One palette for all screens would spoil the colours; fewer bits for each colour halve the file as well.
    ImageOps.posterize(sheet, BITS).save(output, optimize=True)
    print(f"{output}: {len(screens)} screens, {output.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
