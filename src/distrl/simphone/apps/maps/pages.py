"""The pages of Maps: the map, search, results, one place, the user's lists."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.maps.chart import MapView, Pin
from distrl.simphone.apps.maps.content import CATEGORIES
from distrl.simphone.apps.maps.data import HERE, HERE_AT, MapsData, Place, metres
from distrl.simphone.clock import moment
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
    Empty,
    IconButton,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Stack,
    Surface,
    Text,
    Widget,
)

Ctx = Context[MapsData]
LIST_ICONS = {"Favourites": "favorite", "Want to go": "flag", "Travel plans": "luggage"}
SORTS = (("near", "Nearest"), ("rating", "Top rated"))


def icon_of(place: Place) -> str:
    """The icon of a place's category."""
    return CATEGORIES[place.category][0] if place.category in CATEGORIES else "place"


def distance_text(distance_m: int) -> str:
    """A distance as people say it."""
    return f"{distance_m} m" if distance_m < 1000 else f"{distance_m / 1000:.1f} km"


def hour_text(minutes: int) -> str:
    """A time of day from minutes after midnight."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def is_open(ctx: Ctx, place: Place) -> bool:
    """Whether a place is open now, by the phone's clock."""
    now = moment(ctx.state)
    return place.opens <= now.hour * 60 + now.minute < place.closes


def open_text(ctx: Ctx, place: Place) -> str:
    """Whether a place is open, and until or from when."""
    if is_open(ctx, place):
        return f"Open · Closes {hour_text(place.closes)}"
    return f"Closed · Opens {hour_text(place.opens)}"


def pin(ctx: Ctx, place: Place, labelled: bool, marked: bool = False) -> Pin:
    """A place as a pin that leads to its page."""
    del ctx
    return Pin(
        place.x, place.y, icon_of(place), place.name if labelled else "", go("place", id=place.id), marked
    )


def nav(selected: int) -> BottomNav:
    """Where to go in Maps."""
    return BottomNav(
        [
            Destination("Explore", "explore", ("section", "main")),
            Destination("Saved", "bookmark_border", ("section", "saved")),
            Destination("Directions", "directions", ("section", "directions")),
        ],
        selected,
    )


def build_main(ctx: Ctx) -> Surface:
    """The map itself: swipe to move, icons to zoom, pins to touch."""
    x, y, zoom = ctx.arg_int("x", HERE_AT[0]), ctx.arg_int("y", HERE_AT[1]), ctx.arg_int("zoom", 1)
    zoom = min(2, max(0, zoom))
    pins = [pin(ctx, place, labelled=zoom > 1) for place in ctx.data.places]
    names = ctx.shuffled(tuple(CATEGORIES), "map_chips")[:6]
    chips = Chips([Chip(name, ("category", name), False, CATEGORIES[name][0]) for name in names], "kinds")
    buttons = (
        ("my_location", ("centre",), "my_location"),
        ("add", ("zoom", 1), "zoom_in"),
        ("remove", ("zoom", -1), "zoom_out"),
    )
    bar = Stack([SearchBar("open_search", "Search here", on_tap=go("search")), chips])
    return Page(MapView(ctx.world.seed, x, y, zoom, pins, buttons), bar, nav(0))


def matching(ctx: Ctx, query: str) -> list[Place]:
    """The places whose name, category or address contains the query, the nearest first."""
    wanted = query.strip().lower()
    found = [p for p in ctx.data.places if wanted in f"{p.name}\n{p.category}\n{p.address}".lower()]
    return sorted(found, key=lambda place: (metres(ctx.data, 0, place.id), place.id))


def place_row(ctx: Ctx, place: Place, pick: str = "") -> Row:
    """A place in a list; with `pick` it answers a question of the directions page."""
    far = distance_text(metres(ctx.data, 0, place.id))
    return Row(
        title=place.name,
        subtitle=f"{place.rating:.1f} stars · {place.category} · {far}\n{place.address}",
        icon=icon_of(place),
        icon_role="primary",
        on_tap=("picked", pick, place.id) if pick else go("place", id=place.id),
    )


def build_search(ctx: Ctx) -> Surface:
    """What to look for: recent searches, then places as one types. Also picks ends of a route."""
    query, pick = ctx.text("query").strip(), ctx.arg_str("pick")
    titles = {"origin": "Choose a starting point", "destination": "Choose a destination"}
    body: list[Widget] = [SearchBar("query", "Search for a place", on_submit=None if pick else ("search",))]
    if pick and not query:
        row = Row(title=HERE, icon="my_location", icon_role="primary", on_tap=("picked", pick, 0))
        body.append(row)
    if query:
        found = matching(ctx, query)
        if found and not pick:
            title = f"See all {len(found)} results"
            body.append(Row(title=title, icon="search", title_role="primary", on_tap=("search",)))
        body += [place_row(ctx, place, pick) for place in found[:12]]
        if not found:
            body.append(Empty("wrong_location", "No places found"))
    elif pick:
        saved = {one.place for one in ctx.data.saved}
        body.append(SectionHeader("Saved places"))
        body += [place_row(ctx, place, pick) for place in ctx.data.places if place.id in saved]
    else:
        body += _recent(ctx)
    return Page(Column(body, "suggestions"), AppBar(titles.get(pick, "Search")))


def _recent(ctx: Ctx) -> list[Widget]:
    if not ctx.data.searches:
        return [Empty("history", "No recent searches")]
    rows: list[Widget] = [SectionHeader("Recent")]
    for search in ctx.data.searches:
        row = Row(
            title=search.text,
            icon="history",
            end_icon="close",
            on_end=("forget", search.id),
            on_tap=("again", search.text),
        )
        rows.append(row)
    return [*rows, Button("Clear search history", go("clear_history"), "text")]


def build_results(ctx: Ctx) -> Surface:
    """The places that were found, on a small map and as a list."""
    query, sort = ctx.arg_str("query"), ctx.arg_str("sort", "near")
    found = matching(ctx, query)
    if ctx.arg("open_now"):
        found = [place for place in found if is_open(ctx, place)]
    if sort == "rating":
        found = sorted(found, key=lambda place: (-place.rating, place.id))
    chips = [Chip(label, ("sort", key), key == sort) for key, label in SORTS]
    chips.append(Chip("Open now", ("open_now",), bool(ctx.arg("open_now"))))
    view = MapView(
        ctx.world.seed, *HERE_AT, 0, [pin(ctx, place, False, True) for place in found], fixed_height=190
    )
    body: list[Widget] = [view, Chips(chips)]
    for place in found:
        far = distance_text(metres(ctx.data, 0, place.id))
        row = Row(
            title=place.name,
            subtitle=f"{place.rating:.1f} stars ({place.reviews}) · {far}\n{open_text(ctx, place)}",
            photo=f"{icon_of(place)}:{place.id}:{ctx.world.seed}",
            end_icon="bookmark" if ctx.data.lists_of(place.id) else "bookmark_border",
            end_role="primary" if ctx.data.lists_of(place.id) else "outline",
            on_end=go("save", id=place.id),
            on_tap=go("place", id=place.id),
        )
        body.append(row)
    if not found:
        body.append(Empty("wrong_location", "No places found"))
    return Page(Column(body, "results"), AppBar(query or "Places"))


def build_place(ctx: Ctx) -> Surface:
    """One place: where it is, when it is open, how to reach it."""
    place = ctx.data.place(ctx.arg_int("id"))
    if place is None:
        return Page(Column([Empty("wrong_location", "This place no longer exists")]), AppBar())
    lists = ctx.data.lists_of(place.id)
    buttons = [
        Button("Directions", ("directions", place.id), "filled", "directions", pad_x=5),
        Button("Saved" if lists else "Save", go("save", id=place.id), "tonal", "bookmark", pad_x=5),
    ]
    far = distance_text(metres(ctx.data, 0, place.id))
    body: list[Widget] = [
        MapView(ctx.world.seed, place.x, place.y, 1, [pin(ctx, place, False, True)], fixed_height=170),
        Text(place.name, 22, bold=True, pad_y=6, name="place_name"),
        Text(f"{place.rating:.1f} stars ({place.reviews} reviews) · {place.category} · {far}", 13, "faint"),
        Across(buttons, pad_x=11),
        Row(title=place.address, icon="place", on_tap=("copy", place.address)),
        Row(title=open_text(ctx, place), subtitle=f"Every day {_hours(place)}", icon="schedule"),
        Row(title=place.phone, icon="call", on_tap=("call", place.name)),
    ]
    if lists:
        body.append(Row(title="Saved in " + ", ".join(lists), icon="bookmark", icon_role="primary"))
    near = [one for one in ctx.data.places if one.category == place.category and one.id != place.id]
    if near and ctx.chance("also_nearby") < 0.6:
        body += [SectionHeader("Similar places"), *(place_row(ctx, one) for one in near[:2])]
    share = IconButton("share", go("share", id=place.id), "", "share")
    return Page(Column(body, "place"), AppBar("", actions=[share]))


def _hours(place: Place) -> str:
    return f"{hour_text(place.opens)} – {hour_text(place.closes)}"


def build_saved(ctx: Ctx) -> Surface:
    """The user's lists."""
    rows: list[Widget] = []
    for name in ctx.data.lists:
        count = len(ctx.data.in_list(name))
        row = Row(
            title=name,
            subtitle=f"{count} place{'s' if count != 1 else ''}",
            icon=LIST_ICONS.get(name, "list"),
            icon_role="primary",
            trailing="chevron",
            on_tap=go("list", name=name),
        )
        rows.append(row)
    rows.append(Row(title="New list", icon="add", on_tap=go("new_list")))
    if ctx.chance("maps_tip") < 0.4:
        tip = Row(title="Plan a trip", subtitle="Save places to find them again", icon="lightbulb")
        rows.insert(0, Card([tip], inner=0))
    return Page(Column(rows, "lists"), AppBar("Saved", back=False), nav(1))


def build_list(ctx: Ctx) -> Surface:
    """The places of one list; the icon at the end takes one out."""
    name = ctx.arg_str("name")
    rows: list[Widget] = []
    for place in ctx.data.in_list(name):
        row = Row(
            title=place.name,
            subtitle=f"{place.rating:.1f} stars · {place.category}\n{place.address}",
            icon=icon_of(place),
            icon_role="primary",
            end_icon="bookmark_remove",
            on_end=go("remove", id=place.id, list=name),
            on_tap=go("place", id=place.id),
        )
        rows.append(row)
    if not rows:
        rows = [Empty("bookmark_border", "No places in this list")]
    return Page(Column(rows, "places"), AppBar(name))
