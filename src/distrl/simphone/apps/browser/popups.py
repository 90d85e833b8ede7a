"""What gets in the way on web pages: questions about cookies, newsletters, advertisements.

They are off unless the setting `global web_interruptions` says otherwise: `cookies`, `newsletter`, `ad` (also
several, `cookies,ad`; with a host for one site only, `cookies:voltaic.store`), or `seeded`, which lets the
phone's seed decide for every site.
"""

from __future__ import annotations

import msgspec

from distrl.simphone import draw
from distrl.simphone.apps.browser.data import BrowserData, Ctx
from distrl.simphone.apps.browser.site import Site, visit, window
from distrl.simphone.chance import pick
from distrl.simphone.marks import Shade
from distrl.simphone.scene import BUTTON, CENTRE, FRAME, IMAGE_BUTTON, MEDIUM, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import (
    BottomSheet,
    Button,
    Gap,
    Picture,
    Row,
    Stack,
    Surface,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.widgets.overlays import NOTHING

SETTING = "web_interruptions"
SEEDED_CHANCE = 0.5
PAGES_BEFORE = {"cookies": 0, "newsletter": 2, "ad": 3}
"""How many pages of a site are seen before something gets in the way there."""
COOKIE_KINDS = ("Statistics", "Marketing")
ADVERTS = (
    ("Win a weekend by the sea", "beach_access:blue:1"),
    ("Your phone could be faster", "rocket_launch:red:2"),
    ("Neighbours swear by this soup", "ramen_dining:orange:3"),
    ("Learn to juggle in nine days", "sports_handball:purple:4"),
)


class Covered(msgspec.Struct, frozen=True):
    """A page with something in front of it: the page can be seen but neither touched nor read."""

    under: Widget
    over: Widget
    at_foot: bool = False
    close: Message | None = None

    def height(self, look: Look, width: int) -> int:
        return self.under.height(look, width)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look, parent = scene.look, scene.parent
        kept = (len(scene.nodes), len(scene.targets), len(scene.fields), len(scene.areas))
        band = scene.open_band(x, y)
        self.under.place(scene, x, y, width, height)
        scene.mark(Shade(100))
        scene.close_band(band, width, height)
        del scene.nodes[kept[0] :], scene.targets[kept[1] :], scene.fields[kept[2] :], scene.areas[kept[3] :]
        scene.parent = parent
        across = width if self.at_foot else width - 40
        tall = min(height, self.over.height(look, across) + 24)
        left = x + (width - across) // 2
        top = y + (height - tall if self.at_foot else (height - tall) // 2)
        clip = scene.narrow((x, y, x + width, y + height))
        paper, scene.paper = scene.paper, look.raised if look.dark else look.surface
        scene.fill(left, top, across, tall, scene.paper, 0 if self.at_foot else 20)
        scene.touch(left, top, across, tall, NOTHING)
        scene.inside(scene.add(FRAME, left, top, across, tall, name="popup"))
        self.over.place(scene, left, top + 12, across, tall - 24)
        if self.close is not None:
            scene.icon(left + across - 28, top + 10, "close", 18, look.faint)
            scene.add(IMAGE_BUTTON, left + across - 34, top + 4, 30, 30, name="close_popup", tap=self.close)
        scene.paper, scene.parent = paper, parent
        scene.widen(clip)


class CookieButtons(msgspec.Struct, frozen=True):
    """The answers to a question about cookies, below each other; the first one shouts."""

    answers: tuple[tuple[str, Message], ...]

    def height(self, look: Look, width: int) -> int:
        del width
        return (look.line_height(look.body) + 22) * len(self.answers)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        tall = height // max(1, len(self.answers))
        for number, (word, message) in enumerate(self.answers):
            top, loud = y + number * tall, number == 0
            if loud:
                scene.fill(x + 16, top + 3, width - 32, tall - 6, look.primary, 8)
            colour = look.on_primary if loud else look.primary
            used = draw.text_width(word, look.body, MEDIUM) + 24
            across = width - 32 if loud else min(width - 32, used)
            left = x + (width - across) // 2
            scene.add(BUTTON, left, top + 3, across, tall - 6, word, tap=message)
            line = top + (tall - look.line_height(look.body)) // 2
            scene.text(left, line, across, word, look.body, colour, MEDIUM, CENTRE)


def _wanted(ctx: Ctx, host: str, kind: str) -> bool:
    """Whether such a thing shall get in the way on this site at all."""
    words = ctx.setting("global", SETTING).split(",")
    if kind in words or f"{kind}:{host}" in words:
        return True
    return "seeded" in words and ctx.chance(f"{host} {kind}") < SEEDED_CHANCE


def _seen(data: BrowserData, host: str) -> int:
    return sum(1 for seen in data.history if seen.url.split("/")[0].split("?")[0] == host)


def pending(ctx: Ctx, site: Site) -> str:
    """What gets in the way on this site now: `cookies`, `newsletter`, `ad` or nothing."""
    if not ctx.setting("global", SETTING):
        return ""
    if site.host not in ctx.data.cookies and _wanted(ctx, site.host, "cookies"):
        return "cookies"
    for kind in ("newsletter", "ad"):
        if f"{kind}:{site.host}" in ctx.data.closed or (kind == "newsletter" and not site.newsletter):
            continue
        if _wanted(ctx, site.host, kind) and _seen(ctx.data, site.host) >= PAGES_BEFORE[kind]:
            return kind
    return ""


def cookie_question(site: Site) -> Widget:
    """The banner, with this site's words."""
    words = site.cookies
    answers: tuple[tuple[str, Message], ...] = (
        (words.accept, ("cookies", "accepted")),
        (words.reject, ("cookies", "rejected")),
        (words.manage, window("@cookies")),
    )
    return Stack([Text(words.text, 14, pad_y=6), CookieButtons(answers)])


def build_cookie_choices(ctx: Ctx, site: Site) -> Surface:
    """The sheet behind "Manage": what may be stored."""
    fields = ctx.entry.fields
    rows: list[Widget] = [
        Row(title="Necessary", subtitle="Always on", trailing="switch", checked=True, enabled=False)
    ]
    rows += [
        Row(title=kind, trailing="switch", checked=fields.get(kind) == "1", on_tap=("cookie_kind", kind))
        for kind in COOKIE_KINDS
    ]
    return BottomSheet([*rows, Button("Save choices", ("cookies_chosen",))], f"Cookies on {site.title}")


def cover(ctx: Ctx, site: Site, kind: str, under: Widget) -> Widget:
    """The page with the pop-up in front of it."""
    if kind == "cookies":
        return Covered(under, cookie_question(site), at_foot=True)
    close: Message = ("close_popup", kind)
    if kind == "newsletter":
        letter: list[Widget] = [
            Gap(10),
            Text(site.newsletter, 18, bold=True, pad_y=8),
            Text("Leave your address and we will write to you.", 14, "faint"),
            TextField("newsletter", "Your e-mail", icon="mail"),
            Button("Sign up", ("subscribe",)),
        ]
        return Covered(under, Stack(letter), close=close)
    title, picture = pick(ADVERTS, ctx.state.seed, site.host, "advert")
    advert: list[Widget] = [
        Text("Advertisement", 11, "faint", pad_y=0),
        Gap(12),
        Picture(picture, 150, on_tap=visit("brightdeals.example")),
        Text(title, 18, bold=True, pad_y=8),
        Button("Learn more", visit("brightdeals.example"), "tonal"),
    ]
    return Covered(under, Stack(advert), close=close)


def update_popup(ctx: Ctx, site: Site, message: Message) -> bool:
    """Answer a touch on a pop-up; False if it was not meant for one."""
    data = ctx.data
    match message:
        case ("cookies", str(choice)):
            data.cookies[site.host] = choice
        case ("cookie_kind", str(kind)):
            ctx.entry.fields[kind] = "0" if ctx.entry.fields.get(kind) == "1" else "1"
        case ("cookies_chosen",):
            chosen = [kind for kind in COOKIE_KINDS if ctx.entry.fields.get(kind) == "1"]
            data.cookies[site.host] = "custom:" + ",".join(chosen).lower()
            ctx.back()
        case ("close_popup", str(kind)):
            data.closed.append(f"{kind}:{site.host}")
        case ("subscribe",):
            email = ctx.text("newsletter").strip()
            if "@" not in email:
                ctx.toast("Enter your e-mail address")
                return True
            data.newsletters[site.host] = email
            data.closed.append(f"newsletter:{site.host}")
            ctx.toast("Thank you for signing up")
        case _:
            return False
    return True
