"""The pages of the store: discover, categories, one app, search, the user's own apps."""

from __future__ import annotations

from distrl.simphone import packages
from distrl.simphone.app import Context, go, launch
from distrl.simphone.apps.store.data import CATEGORIES, PRAISE, Listing, StoreData
from distrl.simphone.chance import shuffled
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    BottomNav,
    Button,
    Card,
    Chip,
    Chips,
    Column,
    Destination,
    Divider,
    Empty,
    Gap,
    IconButton,
    Page,
    ProgressBar,
    Row,
    SearchBar,
    SectionHeader,
    Stack,
    Surface,
    Tabs,
    Text,
    Widget,
)

Ctx = Context[StoreData]
CATEGORY_ICONS = {
    "Games": "sports_esports", "Health": "favorite", "Lifestyle": "weekend", "Productivity": "work",
    "Tools": "build", "Travel": "flight", "Communication": "forum", "Music": "music_note",
}  # fmt: skip
SORTS = (("relevance", "Relevance"), ("rating", "Rating"), ("size", "Size"), ("name", "Name"))
LEAST_S, MOST_S = 2.0, 8.0


def duration_s(listing: Listing) -> float:
    """How long the download takes on the phone's clock."""
    return min(MOST_S, max(LEAST_S, listing.size_mb / 15))


def progress(ctx: Ctx, listing: Listing) -> float:
    """How far a download has come; 1 when there is none under way."""
    if not listing.started_s:
        return 1.0
    return min(1.0, max(0.0, (ctx.now_s - listing.started_s) / duration_s(listing)))


def present(ctx: Ctx, listing: Listing) -> bool:
    """Whether the app is on the phone and ready to be opened."""
    return packages.installed(ctx.state, listing.package)


def _outdated(ctx: Ctx) -> list[Listing]:
    return [one for one in ctx.data.listings if present(ctx, one) and one.outdated and not one.started_s]


def picture(listing: Listing) -> str:
    """The app's icon as a picture."""
    return f"{listing.icon}:{listing.package}:1"


def app_row(ctx: Ctx, listing: Listing) -> Row:
    """An app in a list."""
    state = "Installed" if present(ctx, listing) else f"{listing.size_mb} MB"
    return Row(
        title=listing.label,
        subtitle=f"{listing.category} · {listing.rating:.1f} stars · {state}",
        photo=picture(listing),
        on_tap=go("app", package=listing.package),
        lines=1,
    )


def _nav(ctx: Ctx, selected: int) -> BottomNav:
    return BottomNav(
        [
            Destination("Discover", "explore", ("section", "main")),
            Destination("Categories", "category", ("section", "categories")),
            Destination("My apps", "apps", ("section", "mine"), len(_outdated(ctx))),
        ],
        selected,
    )


def _search_bar() -> SearchBar:
    return SearchBar("open_search", "Search apps", on_tap=go("search"))


def build_main(ctx: Ctx) -> Surface:
    """What the store recommends; the order differs from phone to phone."""
    offered = [one for one in ctx.shuffled(ctx.data.listings, "store") if not one.system]
    body: list[Widget] = [_search_bar()]
    if ctx.chance("store_banner") < 0.5 and offered:
        star = max(offered, key=lambda one: (one.rating, one.id))
        words = [Text("App of the day", 12, "faint", pad_y=0), Text(star.label, 18, bold=True, pad_y=2)]
        body.append(Card([*words, Text(PRAISE[0], 13, "faint", pad_y=0)], go("app", package=star.package)))
    top = sorted(offered, key=lambda one: (-one.rating, one.label))[:4]
    rest = [one for one in offered if one not in top]
    body += [SectionHeader("Top rated"), *(app_row(ctx, one) for one in top)]
    body += [SectionHeader("Suggested for you"), *(app_row(ctx, one) for one in rest)]
    wish = IconButton("bookmarks", go("wishlist"), "", "wishlist")
    return Page(Column(body, "discover"), AppBar("Store", back=False, actions=[wish]), _nav(ctx, 0))


def build_categories(ctx: Ctx) -> Surface:
    """The kinds of apps."""
    rows: list[Widget] = []
    for category in CATEGORIES:
        count = sum(one.category == category for one in ctx.data.listings)
        row = Row(
            title=category,
            subtitle=f"{count} app{'s' if count != 1 else ''}",
            icon=CATEGORY_ICONS[category],
            icon_role="primary",
            trailing="chevron",
            on_tap=go("category", name=category),
        )
        rows.append(row)
    return Page(Column([_search_bar(), *rows], "categories"), AppBar("Categories", back=False), _nav(ctx, 1))


def _sorted(ctx: Ctx, listings: list[Listing]) -> list[Listing]:
    match ctx.arg("sort"):
        case "rating":
            return sorted(listings, key=lambda one: (-one.rating, one.label))
        case "size":
            return sorted(listings, key=lambda one: (one.size_mb, one.label))
        case "name":
            return sorted(listings, key=lambda one: one.label)
    return ctx.shuffled(listings, "relevance")


def _sort_chips(ctx: Ctx) -> Chips:
    chosen = ctx.arg_str("sort", "relevance")
    return Chips([Chip(label, ("sort", key), key == chosen) for key, label in SORTS])


def build_category(ctx: Ctx) -> Surface:
    """The apps of one kind."""
    name = ctx.arg_str("name")
    found = [one for one in ctx.data.listings if one.category == name]
    body: list[Widget] = [_sort_chips(ctx), *(app_row(ctx, one) for one in _sorted(ctx, found))]
    return Page(Column(body, "apps"), AppBar(name))


def build_search(ctx: Ctx) -> Surface:
    """Apps whose name, kind or maker contains some words."""
    query = ctx.text("query").strip().lower()
    body: list[Widget] = [SearchBar("query", "Search apps")]
    if not query:
        return Page(Column([*body, Empty("search", "What are you looking for?")]), AppBar("Search"))
    found = [
        one for one in ctx.data.listings if query in f"{one.label}\n{one.category}\n{one.developer}".lower()
    ]
    body += [_sort_chips(ctx), *(app_row(ctx, one) for one in _sorted(ctx, found))]
    if not found:
        body.append(Empty("search_off", "No apps found"))
    return Page(Column(body, "results"), AppBar("Search"))


def build_wishlist(ctx: Ctx) -> Surface:
    """The apps that the user wants to remember."""
    body: list[Widget] = [app_row(ctx, one) for one in ctx.data.listings if one.wishlisted]
    if not body:
        body = [Empty("bookmark_border", "Apps you save appear here")]
    return Page(Column(body, "wishlist"), AppBar("Wishlist"))


def _buttons(ctx: Ctx, listing: Listing) -> list[Widget]:
    package = listing.package
    done = progress(ctx, listing)
    if done < 1.0:
        word = "Installing" if listing.first_download else "Updating"
        shown = f"{word}… {round(done * 100)}% of {listing.size_mb} MB"
        stop = Button("Cancel", ("cancel", package), "outlined")
        return [Text(shown, 13, "faint", name="progress"), ProgressBar(done, word), stop]
    if not present(ctx, listing):
        return [Button("Install", ("install", package))]
    open_it: Message = launch(package)
    first = Button("Open", open_it, "tonal" if listing.outdated else "filled", pad_x=6)
    if listing.outdated:
        others = [Button("Update", ("update", package), pad_x=6)]
    else:
        others = []
    if not listing.system:
        others.append(Button("Uninstall", go("uninstall", package=package), "outlined", pad_x=6))
    return [Across([*others, first], pad_x=10)]


def build_app(ctx: Ctx) -> Surface:
    """One app: what it is, what others say, and what can be done with it."""
    listing = ctx.data.find(ctx.arg_str("package"))
    if listing is None:
        return Page(Column([Empty("apps", "This app is not available")]), AppBar())
    version = listing.version if present(ctx, listing) else listing.newest
    facts = [
        Row(title="Size", icon="save", end_text=f"{listing.size_mb} MB"),
        Row(title="Version", icon="tag", end_text=version),
        Row(title="Category", icon="category", end_text=listing.category),
        Row(title="Price", icon="sell", end_text="Free"),
    ]
    marks = f"{listing.rating:.1f} stars · {listing.reviews:,} reviews"
    body: list[Widget] = [
        Row(title=listing.label, subtitle=f"{listing.developer}\n{marks}", photo=picture(listing), bold=True),
        *_buttons(ctx, listing),
        SectionHeader("About this app"),
        *facts,
        SectionHeader("Ratings and reviews"),
    ]
    words = shuffled(PRAISE, ctx.state.world_seed, listing.package)[:3]
    names = shuffled([person.name for person in ctx.world.people], listing.package)
    for name, said in zip(names, words, strict=False):
        body.append(Row(title=name, subtitle=said, avatar=name))
    wish = IconButton(
        "bookmark_added" if listing.wishlisted else "bookmark_add",
        ("wish", listing.package),
        "",
        "wish",
        "primary" if listing.wishlisted else "faint",
        selected=listing.wishlisted,
    )
    share = IconButton("share", ("share", listing.label), "", "share")
    return Page(Column(body, "app"), AppBar(actions=[wish, share]))


def _update_row(ctx: Ctx, listing: Listing) -> Widget:
    row = Row(
        title=listing.label,
        subtitle=f"{listing.version} to {listing.newest} · {listing.size_mb} MB",
        photo=picture(listing),
        on_tap=go("app", package=listing.package),
        lines=1,
    )
    button = Button("Update", ("update", listing.package), "tonal", pad_x=8)
    return Across([row, button], (0, 100 + round(16 * (ctx.look.scale - 1))))


def build_mine(ctx: Ctx) -> Surface:
    """The user's apps: updates to be had, and everything that is installed."""
    tab = ctx.arg_str("tab", "updates")
    tabs = Tabs(
        (("Updates", ("tab", "updates")), ("Installed", ("tab", "installed"))), int(tab == "installed")
    )
    body: list[Widget]
    if tab == "installed":
        mine = [one for one in ctx.data.listings if present(ctx, one)]
        body = [app_row(ctx, one) for one in sorted(mine, key=lambda one: one.label)]
    else:
        outdated = _outdated(ctx)
        running = [one for one in ctx.data.listings if progress(ctx, one) < 1.0]
        body = [Gap(4)]
        for one in running:
            body += [app_row(ctx, one), ProgressBar(progress(ctx, one), one.label)]
        if outdated:
            body.append(Button(f"Update all ({len(outdated)})", ("update_all",)))
        body += [_update_row(ctx, one) for one in outdated]
        if not outdated and not running:
            body.append(Empty("check_circle", "All apps are up to date"))
        body += [
            Divider(),
            Row(
                title="Update automatically",
                subtitle="When charging and on Wi-Fi",
                trailing="switch",
                checked=ctx.data.auto_update,
                on_tap=("auto_update",),
            ),
        ]
    return Page(Column(body, f"mine_{tab}"), Stack([AppBar("My apps", back=False), tabs]), _nav(ctx, 2))
