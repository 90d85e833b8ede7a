"""The launcher: home page with clock, icons and dock, the app drawer, and the list of open apps."""

from __future__ import annotations

import msgspec

from distrl.simphone import navigation, packages
from distrl.simphone.app import AnyApp, App, Context, launch
from distrl.simphone.apps.registry import APPS, find_app
from distrl.simphone.clock import clock_text, date_text
from distrl.simphone.marks import Wallpaper
from distrl.simphone.navigation import LAUNCHER
from distrl.simphone.scene import CENTRE, HEIGHT, MEDIUM, TEXT_VIEW, WIDTH, Message, Scene
from distrl.simphone.state import State, setting
from distrl.simphone.system.recents import RecentCard
from distrl.simphone.theme import WHITE, Colour, Look
from distrl.simphone.widgets import (
    AppBar,
    Button,
    Column,
    Empty,
    Gap,
    Grid,
    Menu,
    Page,
    SearchBar,
    Surface,
    Widget,
)

COLUMNS, FIRST_PAGE, ICONS_PER_PAGE, DOCK = 4, 8, 16, 4


class LauncherData(msgspec.Struct):
    """The launcher remembers only which home page it shows."""

    home_page: int = 0


class AppIcon(msgspec.Struct, frozen=True, gc=False):
    """A round app icon with its name below."""

    app: str
    label: str
    icon: str
    disc: Colour
    ink: Colour
    show_label: bool = True

    def height(self, look: Look, width: int) -> int:
        del width
        return 58 + (look.line_height(look.small) + 6 if self.show_label else 4)

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        left = x + (width - 52) // 2
        scene.fill(left, y + 3, 52, 52, self.disc, 18)
        scene.icon(left + 12, y + 15, self.icon, 28, WHITE)
        scene.add(
            TEXT_VIEW, x, y, width, height, self.label if self.show_label else "", self.label, "icon",
            launch(self.app), ("hold", self.app),
        )  # fmt: skip
        if self.show_label:
            scene.text(x + 2, y + 59, width - 4, self.label, look.small, self.ink, align=CENTRE)


def app_icon(app: AnyApp, ink: Colour, show_label: bool = True) -> AppIcon:
    """The icon of an app."""
    return AppIcon(app.package, app.label, app.icon, app.colour, ink, show_label)


def installed(ctx: Context[LauncherData]) -> list[AnyApp]:
    """The apps to be seen on this phone, in this phone's order."""
    packages_present = set(ctx.state.packages)
    present = [app for app in APPS if app.in_launcher and app.package in packages_present]
    return ctx.shuffled(present, "icons")


def wallpaper_number(state: State) -> int:
    """Which wallpaper the phone shows: the one chosen in the settings, or else one that the seed decides."""
    chosen = setting(state, "secure", "wallpaper")
    return int(chosen) if chosen.isdecimal() else state.seed


class HomeScreen(msgspec.Struct, frozen=True):
    """Wallpaper, clock, a grid of icons, page dots and the dock, drawn over the whole screen."""

    seed: int
    time: str
    date: str
    icons: tuple[AppIcon, ...]
    dock: tuple[AppIcon, ...]
    page: int
    pages: int

    def height(self, look: Look, width: int) -> int:
        del look, width
        return HEIGHT

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        outer = scene.open_band(0, 0)
        scene.mark(Wallpaper(self.seed, WIDTH, HEIGHT, look.dark))
        top = y + 24
        if self.page == 0:
            scene.label(x + 28, top, width - 56, self.time, 52, WHITE, name="clock")
            scene.label(x + 30, top + 72, width - 60, self.date, look.title, WHITE, MEDIUM, name="date")
            top += 118
        tall = 58 + look.line_height(look.small) + 22
        for number, icon in enumerate(self.icons):
            row, column = divmod(number, COLUMNS)
            share = (width - 24) // COLUMNS
            icon.place(scene, x + 12 + column * share, top + row * tall, share, tall - 12)
        foot = y + height - 84
        share = (width - 24) // max(1, len(self.dock))
        scene.fill(x + 12, foot, width - 24, 74, (70, 74, 84) if look.dark else (236, 240, 247), 26)
        for number, icon in enumerate(self.dock):
            icon.place(scene, x + 12 + number * share, foot + 6, share, 62)
        for number in range(self.pages):
            middle = x + width // 2 + (2 * number - self.pages + 1) * 8
            size = 8 if number == self.page else 6
            scene.fill(middle - size // 2, foot - 20 - size // 2, size, size, WHITE, size // 2)
        scene.close_band(outer, WIDTH, HEIGHT)


def home_pages(ctx: Context[LauncherData]) -> list[list[AnyApp]]:
    """The icons of each home page: fewer on the first, where the clock is; the dock's are not among them."""
    rest = installed(ctx)[DOCK:]
    later = range(FIRST_PAGE, len(rest), ICONS_PER_PAGE)
    return [rest[:FIRST_PAGE], *(rest[start : start + ICONS_PER_PAGE] for start in later)]


def build_home(ctx: Context[LauncherData]) -> Surface:
    """The home page that was swiped to."""
    pages = home_pages(ctx)
    number = min(ctx.data.home_page, len(pages) - 1)
    return Page(
        HomeScreen(
            wallpaper_number(ctx.state),
            clock_text(ctx.state),
            date_text(ctx.state),
            tuple(app_icon(app, WHITE) for app in pages[number]),
            tuple(app_icon(app, WHITE, show_label=False) for app in installed(ctx)[:DOCK]),
            number,
            len(pages),
        )
    )


def matching(ctx: Context[LauncherData], query: str) -> list[AnyApp]:
    """The apps whose name contains what was typed, by name."""
    wanted = query.strip().lower()
    found = [app for app in installed(ctx) if wanted in app.label.lower()]
    return sorted(found, key=lambda app: app.label)


def build_drawer(ctx: Context[LauncherData]) -> Surface:
    """All apps by name, with a search field."""
    found = matching(ctx, ctx.text("apps_search"))
    body: list[Widget] = [SearchBar("apps_search", "Search apps", on_submit=("open_first",)), Gap(8)]
    if found:
        body.append(Grid([app_icon(app, ctx.look.text) for app in found], COLUMNS, 10, 12))
    else:
        body.append(Empty("search_off", "No apps found"))
    return Page(Column(body, "apps_list"))


def build_icon_menu(ctx: Context[LauncherData]) -> Surface:
    """What can be done with an app whose icon was held."""
    package = ctx.arg_str("package")
    items: list[tuple[str, Message]] = [("App info", ("info", package))]
    if packages.removable(package):
        items.append(("Uninstall", ("uninstall", package)))
    return Menu(items, top=220, right=100)


def build_recents(ctx: Context[LauncherData]) -> Surface:
    """The open apps, the last used first; each can be opened, or closed by its cross or a sideways swipe."""
    cards: list[Widget] = []
    for task in reversed(ctx.tasks):
        app = find_app(task.package)
        if app is not None:
            cards.append(RecentCard(app.package, app.label, app.icon, app.colour, ctx.store))
    if cards:
        cards.append(Button("Clear all", ("close_all",), "text", name="clear_all"))
    else:
        cards = [Empty("layers_clear", "No recent items")]
    return Page(Column([Gap(4), *cards], "recents_list"), AppBar("Recent apps", back=False))


def update(ctx: Context[LauncherData], message: Message) -> None:
    """Answer touches on the launcher's own widgets, and the swipes that the system passes on."""
    match message:
        case ("close", str(package)):
            navigation.close(ctx.state, package)
        case ("close_all",):
            for task in list(ctx.state.tasks):
                navigation.close(ctx.state, task.package)
            navigation.home(ctx.state)
        case ("hold", str(package)):
            ctx.go("icon_menu", package=package)
        case ("info", str(package)):
            ctx.back()
            ctx.launch("com.android.settings", "app_info", package=package)
        case ("uninstall", str(package)):
            ctx.back()
            navigation.overlay(ctx.state, "uninstall", package=package)
        case ("open_first",):
            found = matching(ctx, ctx.text("apps_search"))
            if ctx.text("apps_search").strip() and found:
                ctx.launch(found[0].package)
        case ("@swipe", "up") if ctx.page == "main":
            ctx.go("drawer")
        case ("@swipe", "down") if ctx.page == "main":
            navigation.overlay(ctx.state, "shade")
        case ("@swipe", "down") if ctx.page == "drawer":
            ctx.back()
        case ("@swipe", "left") if ctx.page == "main":
            ctx.data.home_page = min(ctx.data.home_page + 1, len(home_pages(ctx)) - 1)
        case ("@swipe", "right") if ctx.page == "main":
            ctx.data.home_page = max(0, ctx.data.home_page - 1)


LAUNCHER_APP = App(
    package=LAUNCHER,
    label="Launcher",
    icon="home",
    colour=(90, 90, 90),
    data=LauncherData,
    fill=lambda _: LauncherData(),
    pages={
        "main": build_home,
        "drawer": build_drawer,
        "recents": build_recents,
        "icon_menu": build_icon_menu,
    },
    update=update,
    swiped=frozenset({"main", "drawer"}),
    activity=".Launcher",
    in_launcher=False,
)
