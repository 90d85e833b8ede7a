"""How settings look: the main list, the pages, the search, and the dialogs for choices and words."""

from __future__ import annotations

from collections.abc import Callable

from distrl.simphone.app import go
from distrl.simphone.apps.settings import app_pages, networks, personal
from distrl.simphone.apps.settings.data import Ctx
from distrl.simphone.apps.settings.items import Choice, Fact, Heading, Item, Level, Link, Toggle, Words
from distrl.simphone.apps.settings.tables import MAIN_PAGES, PAGES, STORED
from distrl.simphone.widgets import (
    AppBar,
    Card,
    Column,
    Dialog,
    Empty,
    Gap,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Slider,
    Stack,
    Surface,
    Text,
    TextField,
    Widget,
)

EXTRA: dict[str, Callable[[Ctx], list[Widget]]] = {
    "wifi": networks.network_rows,
    "devices": networks.device_rows,
    "apps": app_pages.app_rows,
    "notifications": app_pages.notification_rows,
    "storage": app_pages.storage_rows,
    "wallpaper": personal.style_rows,
    "security": personal.lock_rows,
    "language": personal.language_rows,
}
"""What a page shows below the lines of its table."""


# Lines that no table lists, for the search: title, synonyms, page.
FURTHER = {
    "wifi": (("Saved networks", "forget ssid password connect", "wifi"),),
    "devices": (("Pair new device", "bluetooth headphones speaker watch", "pair_list"),),
    "apps": (("All apps", "uninstall force stop permissions", "apps"),),
    "security": (("Screen lock", "pin password pattern swipe", "screen_lock"),),
    "language": (("Add a language", "translation locale", "add_language"),),
    "wallpaper": (
        ("Wallpaper", "background picture home", "wallpaper"),
        ("Accent colour", "color theme", "wallpaper"),
    ),
    "storage": (("Free up space", "delete clean", "storage"),),
}


def build_main(ctx: Ctx) -> Surface:
    """The list of pages, in this phone's order, sometimes with a tip on top."""
    body: list[Widget] = [SearchBar("settings_search", "Search settings", on_tap=go("search"))]
    if ctx.chance("settings tip") < 0.35 and not ctx.data.tip_dismissed:
        tip = Row(
            title="Finish setting up",
            subtitle="Add a lock screen message in case you lose your phone",
            icon="tips_and_updates",
            on_tap=go("security"),
            end_icon="close",
            on_end=("dismiss_tip",),
        )
        body.append(Card([tip], inner=2))
    for name in ctx.shuffled(MAIN_PAGES, "settings"):
        page = PAGES[name]
        body.append(Row(title=page.title, subtitle=page.summary, icon=page.icon, on_tap=go(name), lines=1))
    if ctx.setting("global", "development_settings_enabled") == "1":
        body.append(Row(title="Developer options", icon="code", on_tap=go("developer")))
    return Page(Column(body, "settings_list"), AppBar("Settings", back=False))


def _line(ctx: Ctx, item: Item) -> Widget:
    match item:
        case Toggle():
            value = ctx.setting(item.namespace, item.key, item.default)
            return Row(
                title=item.title,
                subtitle=item.subtitle,
                icon=item.icon,
                trailing="switch",
                checked=value == item.on,
                on_tap=("toggle", item.namespace, item.key),
            )
        case Choice():
            value = ctx.setting(item.namespace, item.key, item.default)
            word = dict(item.options).get(value, value)
            opens = go("choice", namespace=item.namespace, key=item.key)
            return Row(title=item.title, subtitle=word, icon=item.icon, on_tap=opens)
        case Level():
            value = ctx.setting(item.namespace, item.key, item.default)
            number = int(value) if value.lstrip("-").isdecimal() else item.low
            part = (number - item.low) / (item.high - item.low)
            slider = Slider(part, ("level", item.namespace, item.key), item.title, item.icon, item.key)
            return Stack([Text(item.title, 16, pad_y=6), slider])
        case Words():
            value = ctx.setting(item.namespace, item.key, item.default)
            opens = go("words", namespace=item.namespace, key=item.key)
            return Row(title=item.title, subtitle=value or "Not set", icon=item.icon, on_tap=opens)
        case Link():
            return Row(title=item.title, subtitle=item.subtitle, icon=item.icon, on_tap=go(item.page))
        case Fact():
            tap = ("count",) if item.counts else None
            text = item.text.replace("{battery}", ctx.setting("global", "battery_level", "85"))
            return Row(title=item.title, subtitle=text, on_tap=tap)
        case Heading():
            return SectionHeader(item.title)


def page_builder(name: str) -> Callable[[Ctx], Surface]:
    """The function that builds one of the pages of `tables.PAGES`."""
    page, extra = PAGES[name], EXTRA.get(name)

    def build(ctx: Ctx) -> Surface:
        rows = [_line(ctx, item) for item in page.items]
        if extra is not None:
            rows += extra(ctx)
        return Page(Column(rows, name), AppBar(page.title))

    return build


def build_search(ctx: Ctx) -> Surface:
    """Settings and pages whose title, subtitle or synonyms contain what was typed."""
    query = ctx.text("query").strip().lower()
    rows: list[Widget] = []
    for name, page in PAGES.items():
        if query and query in page.title.lower():
            rows.append(Row(title=page.title, subtitle="Settings", icon=page.icon, on_tap=go(name)))
        for item in page.items:
            if isinstance(item, Heading) or not query:
                continue
            if query in f"{item.title} {item.words}".lower():
                opens = go(item.page if isinstance(item, Link) else name)
                rows.append(Row(title=item.title, subtitle=page.title, on_tap=opens))
        rows += [
            Row(title=title, subtitle=page.title, on_tap=go(target))
            for title, words, target in FURTHER.get(name, ())
            if query and query in f"{title} {words}".lower()
        ]
    if query:
        rows += [
            Row(title=label, subtitle="App info", icon=icon, on_tap=go("app_info", package=package))
            for package, label, icon in app_pages.installed_apps(ctx)
            if query in label.lower()
        ]
    if not rows:
        text = "Nothing found" if query else "Type a word to find a setting"
        rows = [Empty("manage_search", text)]
    bar = AppBar(field=SearchBar("query", "Search settings", pad_x=4))
    return Page(Column([Gap(4), *rows], "results"), bar)


def build_choice(ctx: Ctx) -> Surface:
    """The values of a setting, one of them chosen."""
    namespace, key = ctx.arg_str("namespace"), ctx.arg_str("key")
    item = STORED.get((namespace, key))
    if not isinstance(item, Choice):
        return Dialog("Not available", actions=[("OK", ("@back",))])
    value = ctx.setting(namespace, key, item.default)
    rows = [
        Row(
            title=word,
            trailing="radio",
            checked=value == option,
            on_tap=("choose", namespace, key, option),
        )
        for option, word in item.options
    ]
    return Dialog(item.title, body=rows, actions=[("Cancel", ("@back",))])


def build_words(ctx: Ctx) -> Surface:
    """A field for a setting that is a piece of text."""
    namespace, key = ctx.arg_str("namespace"), ctx.arg_str("key")
    item = STORED.get((namespace, key))
    title = item.title if item is not None else key
    save = ("save_words", namespace, key)
    field = TextField("words", title, ctx.setting(namespace, key), on_submit=save)
    return Dialog(title, body=[field], actions=[("Cancel", ("@back",)), ("Save", save)])
