"""Maps: a drawn city with places to find, to save and to go to."""

from __future__ import annotations

from urllib.parse import unquote_plus

from distrl.simphone import navigation
from distrl.simphone.app import App
from distrl.simphone.apps.maps.content import CATEGORIES, fill
from distrl.simphone.apps.maps.data import HERE_AT, MODES, TABLES, MapsData, Route
from distrl.simphone.apps.maps.directions import build_directions
from distrl.simphone.apps.maps.pages import (
    Ctx,
    build_list,
    build_main,
    build_place,
    build_results,
    build_saved,
    build_search,
    icon_of,
)
from distrl.simphone.apps.when import now_ms
from distrl.simphone.scene import Message
from distrl.simphone.state import Value
from distrl.simphone.widgets import Dialog, Row, Surface, TextField

STEP = 110
"""How far one swipe moves the map, in map units at the middle zoom."""
MOVES = {"left": (1, 0), "right": (-1, 0), "up": (0, 1), "down": (0, -1)}


def build_save(ctx: Ctx) -> Surface:
    """Which lists a place is in."""
    inside = ctx.data.lists_of(ctx.arg_int("id"))
    rows = [
        Row(title=name, trailing="checkbox", checked=name in inside, on_tap=("toggle", name))
        for name in ctx.data.lists
    ]
    rows.append(Row(title="New list", icon="add", on_tap=("new_list_with", ctx.arg_int("id"))))
    return Dialog("Save to list", body=rows, actions=[("Done", ("@back",))])


def build_new_list(ctx: Ctx) -> Surface:
    """The name of a new list."""
    del ctx
    return Dialog(
        "New list",
        body=[TextField("name", "List name", on_submit=("make_list",))],
        actions=[("Cancel", ("@back",)), ("Create", ("make_list",))],
    )


def build_remove(ctx: Ctx) -> Surface:
    """The question before a place leaves a list."""
    name, number = ctx.arg_str("list"), ctx.arg_int("id")
    return Dialog(
        "Remove from list?",
        f"{ctx.data.name(number)} will be removed from {name}.",
        actions=[("Cancel", ("@back",)), ("Remove", ("remove", number, name))],
    )


def build_clear_history(ctx: Ctx) -> Surface:
    """The question before the recent searches go."""
    return Dialog(
        "Clear search history?",
        f"{len(ctx.data.searches)} searches will be forgotten.",
        actions=[("Cancel", ("@back",)), ("Clear", ("clear_history",))],
    )


def build_share(ctx: Ctx) -> Surface:
    """Which app a place is sent with."""
    rows = [
        Row(title="Messages", icon="chat", on_tap=("share", "com.android.messaging", "new")),
        Row(title="Mail", icon="mail", on_tap=("share", "com.simphone.mail", "compose")),
        Row(title="Copy address", icon="content_copy", on_tap=("copy_place",)),
    ]
    place = ctx.data.place(ctx.arg_int("id"))
    return Dialog(
        "Share place", body=rows, icon=icon_of(place) if place is not None else "place",
        actions=[("Cancel", ("@back",))],
    )  # fmt: skip


def _search(ctx: Ctx, query: str) -> None:
    query = query.strip()
    if query:
        ctx.data.remember(query, now_ms(ctx.state))
        ctx.go("results", query=query)


def _ask_route(ctx: Ctx, origin: int, destination: int) -> None:
    mode = ctx.data.route.mode if ctx.data.route is not None else "car"
    ctx.data.route = Route(origin, destination, mode)


def _show_section(ctx: Ctx, page: str) -> None:
    """The sections lie over the map, one at a time, so that BACK leads there and out."""
    del navigation.front(ctx.state).stack[1:]
    if page != "main":
        ctx.go(page)


def _move(ctx: Ctx, across: int, down: int) -> None:
    args = ctx.entry.args
    step = STEP * (2, 1, 0.6)[min(2, max(0, ctx.arg_int("zoom", 1)))]
    args["x"] = min(1000, max(0, ctx.arg_int("x", HERE_AT[0]) + round(across * step)))
    args["y"] = min(1000, max(0, ctx.arg_int("y", HERE_AT[1]) + round(down * step)))


def _picked(ctx: Ctx, end: str, place: int) -> None:
    route = ctx.data.route
    if end == "origin":
        if route is None:
            ctx.toast("Choose a destination first")
        else:
            _ask_route(ctx, place, route.destination)
    else:
        _ask_route(ctx, route.origin if route is not None else 0, place)
    ctx.back()


def _share(ctx: Ctx, package: str, page: str) -> None:
    place = ctx.data.place(ctx.arg_int("id"))
    ctx.back()
    if place is not None:
        ctx.launch(package, page, body=f"{place.name}, {place.address}", subject=place.name)


def _update_map(ctx: Ctx, message: Message) -> None:
    args = ctx.entry.args
    match message:
        case ("@swipe", str(direction)) if ctx.page == "main" and direction in MOVES:
            _move(ctx, *MOVES[direction])
        case ("zoom", int(step)):
            args["zoom"] = min(2, max(0, ctx.arg_int("zoom", 1) + step))
        case ("centre",):
            args["x"], args["y"] = HERE_AT
        case ("category", str(name)) if name in CATEGORIES:
            _search(ctx, name)
        case ("search",):
            _search(ctx, ctx.text("query"))
        case ("again", str(text)):
            _search(ctx, text)
        case ("forget", int(number)):
            ctx.data.searches = [one for one in ctx.data.searches if one.id != number]
        case ("clear_history",):
            ctx.data.searches = []
            ctx.back()
        case ("sort", str(key)):
            args["sort"] = key
        case ("open_now",):
            args["open_now"] = not ctx.arg("open_now")


def _update_lists(ctx: Ctx, message: Message) -> None:
    data, place = ctx.data, ctx.arg_int("id")
    match message:
        case ("toggle", str(name)):
            if name in data.lists_of(place):
                data.unsave(place, name)
            else:
                data.save(place, name)
        case ("remove", int(number), str(name)):
            data.unsave(number, name)
            ctx.back()
            ctx.toast("Removed")
        case ("new_list_with", int(number)):
            ctx.replace("new_list", id=number)
        case ("make_list",):
            name = ctx.text("name").strip()
            if not name or name in data.lists:
                ctx.toast("Give the list a new name")
                return
            data.lists.append(name)
            if data.place(place) is not None:
                data.save(place, name)
            ctx.back()


def _update_route(ctx: Ctx, message: Message) -> None:
    route = ctx.data.route
    match message:
        case ("directions", int(number)):
            _ask_route(ctx, 0, number)
            ctx.go("directions")
        case ("picked", str(end), int(number)):
            _picked(ctx, end, number)
        case ("mode", str(mode)) if route is not None and mode in MODES:
            route.mode, route.started = mode, False
        case ("swap",) if route is not None:
            _ask_route(ctx, route.destination, route.origin)
        case ("start",) | ("stop",) if route is not None:
            route.started = message[0] == "start"
            ctx.toast("Navigation started" if route.started else "Navigation stopped")


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    match message:
        case ("section", str(page)) if page in ("main", "saved", "directions"):
            _show_section(ctx, page)
        case ("call", str(name)):
            ctx.toast(f"Calling {name}…")
        case ("copy", str(text)):
            ctx.state.clipboard = text
            ctx.toast("Copied")
        case ("copy_place",):
            place = ctx.data.place(ctx.arg_int("id"))
            ctx.state.clipboard = place.address if place is not None else ""
            ctx.back()
            ctx.toast("Copied")
        case ("share", str(package), str(page)):
            _share(ctx, package, page)
        case _:
            _update_map(ctx, message)
            _update_lists(ctx, message)
            _update_route(ctx, message)


def page_for_uri(uri: str) -> tuple[str, dict[str, Value]] | None:
    """`geo:0,0?q=pharmacy` shows what a search for it finds."""
    if not uri.startswith("geo:"):
        return None
    query = unquote_plus(uri.partition("q=")[2].partition("&")[0])
    return "results", {"query": query}


MAPS = App(
    package="com.simphone.maps",
    label="Maps",
    icon="map",
    colour=(48, 138, 84),
    data=MapsData,
    fill=fill,
    pages={
        "main": build_main,
        "search": build_search,
        "results": build_results,
        "place": build_place,
        "save": build_save,
        "share": build_share,
        "saved": build_saved,
        "list": build_list,
        "new_list": build_new_list,
        "remove": build_remove,
        "clear_history": build_clear_history,
        "directions": build_directions,
    },
    update=update,
    swiped=frozenset({"main"}),
    tables=TABLES,
    page_for_uri=page_for_uri,
)
