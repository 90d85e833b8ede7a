"""Pages with a look of their own: wallpaper and accent, screen lock, languages."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import go
from distrl.simphone.apps.settings.data import Ctx
from distrl.simphone.marks import Wallpaper
from distrl.simphone.pictures import WALLPAPERS
from distrl.simphone.scene import IMAGE_VIEW, Message, Scene
from distrl.simphone.theme import ACCENTS, Look
from distrl.simphone.widgets import (
    AppBar,
    Button,
    Chip,
    Chips,
    Column,
    Dialog,
    Gap,
    Grid,
    Page,
    Row,
    SectionHeader,
    Surface,
    Text,
    TextField,
    Widget,
)

LOCKS = (
    ("none", "None", "No lock at all"),
    ("swipe", "Swipe", "No security"),
    ("pin", "PIN", "Four digits or more"),
    ("password", "Password", "Four characters or more"),
)
SHORTEST_CODE = 4
LANGUAGES = (
    ("de-DE", "Deutsch (Deutschland)"),
    ("de-AT", "Deutsch (Österreich)"),
    ("en-GB", "English (United Kingdom)"),
    ("en-AU", "English (Australia)"),
    ("es-ES", "Español (España)"),
    ("es-MX", "Español (México)"),
    ("fr-FR", "Français (France)"),
    ("fr-CA", "Français (Canada)"),
    ("it-IT", "Italiano"),
    ("nl-NL", "Nederlands"),
    ("pt-BR", "Português (Brasil)"),
    ("pt-PT", "Português (Portugal)"),
)


class Swatch(msgspec.Struct, frozen=True, gc=False):
    """A small picture of a wallpaper."""

    number: int
    chosen: bool

    def height(self, look: Look, width: int) -> int:
        del look, width
        return 128

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        outer = scene.open_band(x, y)
        scene.mark(Wallpaper(self.number, width, height, look.dark))
        scene.close_band(outer, width, height, scene.clip)
        if self.chosen:
            scene.outline(x, y, width, height, look.primary, 0, 4)
            scene.icon(x + width - 28, y + 6, "check_circle", 22, look.primary)
        scene.add(
            IMAGE_VIEW, x, y, width, height, description=f"Wallpaper {self.number + 1}",
            tap=("wallpaper", self.number), selected=self.chosen,
        )  # fmt: skip


def style_rows(ctx: Ctx) -> list[Widget]:
    """Accent colours and wallpapers."""
    accent = ctx.setting("secure", "theme_accent")
    words = ("Automatic", *(name.capitalize() for name in ACCENTS))
    values = ("", *ACCENTS)
    chips = [
        Chip(word, ("accent", value), value == accent) for word, value in zip(words, values, strict=True)
    ]
    chosen = ctx.setting("secure", "wallpaper")
    shown = int(chosen) if chosen.isdecimal() else ctx.state.seed
    swatches = [Swatch(number, number == shown % WALLPAPERS) for number in range(WALLPAPERS)]
    return [
        Chips(chips, "accents", wrap=True),
        SectionHeader("Wallpaper"),
        Gap(4),
        Grid(swatches, 3, 10),
    ]


def lock_rows(ctx: Ctx) -> list[Widget]:
    """The way to the screen lock."""
    now = ctx.setting("secure", "screen_lock", "swipe")
    word = next((word for value, word, _ in LOCKS if value == now), now)
    return [
        SectionHeader("Device unlock"),
        Row(title="Screen lock", subtitle=word, icon="lock", on_tap=go("screen_lock")),
    ]


def build_screen_lock(ctx: Ctx) -> Surface:
    """How the screen is unlocked."""
    now = ctx.setting("secure", "screen_lock", "swipe")
    rows: list[Widget] = [
        Row(
            title=word,
            subtitle="Current screen lock" if value == now else hint,
            on_tap=go("lock_code", kind=value) if value in ("pin", "password") else ("lock", value),
        )
        for value, word, hint in LOCKS
    ]
    return Page(Column(rows, "locks"), AppBar("Choose screen lock"))


def build_lock_code(ctx: Ctx) -> Surface:
    """A new PIN or password, twice."""
    kind = "PIN" if ctx.arg_str("kind") == "pin" else "password"
    numeric = kind == "PIN"
    return Page(
        Column(
            [
                Text(f"For security, set a {kind}", 16, pad_y=10),
                TextField("code", f"New {kind}", password=True, numeric=numeric),
                TextField("again", f"Re-enter {kind}", password=True, numeric=numeric, on_submit=("code",)),
                Button("Confirm", ("code",)),
            ],
            "lock_code",
        ),
        AppBar(f"Set a {kind}"),
    )


def added_languages(ctx: Ctx) -> list[str]:
    """The further languages, in the order in which they were added."""
    return [code for code in ctx.setting("system", "additional_locales").split(",") if code]


def language_rows(ctx: Ctx) -> list[Widget]:
    """Further languages, each of which can be removed."""
    names = dict(LANGUAGES)
    rows: list[Widget] = [SectionHeader("Further languages")]
    rows += [
        Row(
            title=names.get(code, code),
            icon="translate",
            end_icon="delete",
            on_end=go("remove_language", code=code),
        )
        for code in added_languages(ctx)
    ]
    return [*rows, Row(title="Add a language", icon="add", on_tap=go("add_language"))]


def build_add_language(ctx: Ctx) -> Surface:
    """All languages that are not on the phone's list."""
    there = added_languages(ctx)
    rows: list[Widget] = [
        Row(title=name, on_tap=("add_language", code)) for code, name in LANGUAGES if code not in there
    ]
    return Page(Column(rows, "languages"), AppBar("Add a language"))


def build_remove_language(ctx: Ctx) -> Surface:
    """Shall it go?"""
    code = ctx.arg_str("code")
    return Dialog(
        f"Remove {dict(LANGUAGES).get(code, code)}?",
        actions=[("Cancel", ("@back",)), ("Remove", ("remove_language", code))],
    )


def update_personal(ctx: Ctx, message: Message) -> bool:
    """Answer touches on these pages; False if the message is not about them."""
    match message:
        case ("accent", str(name)):
            ctx.put_setting("secure", "theme_accent", name)
        case ("wallpaper", int(number)):
            ctx.put_setting("secure", "wallpaper", str(number))
            ctx.toast("Wallpaper set")
        case ("lock", str(kind)):
            _set_lock(ctx, kind, "")
            ctx.back()
        case ("code",):
            _check_code(ctx)
        case ("add_language", str(code)):
            there = [*(one for one in added_languages(ctx) if one != code), code]
            ctx.put_setting("system", "additional_locales", ",".join(there))
            ctx.back()
        case ("remove_language", str(code)):
            left = [one for one in added_languages(ctx) if one != code]
            ctx.put_setting("system", "additional_locales", ",".join(left))
            ctx.back()
        case _:
            return False
    return True


def _set_lock(ctx: Ctx, kind: str, code: str) -> None:
    ctx.put_setting("secure", "screen_lock", kind)
    ctx.put_setting("secure", "screen_lock_code", code)


def _check_code(ctx: Ctx) -> None:
    kind, code, again = ctx.arg_str("kind"), ctx.text("code"), ctx.text("again")
    if len(code) < SHORTEST_CODE or (kind == "pin" and not code.isdecimal()):
        ctx.toast("At least four digits" if kind == "pin" else "At least four characters")
    elif code != again:
        ctx.toast("The entries do not match")
    else:
        _set_lock(ctx, kind, code)
        ctx.back()
        if ctx.top_page() == "screen_lock":
            ctx.back()
        ctx.toast("Screen lock set")
