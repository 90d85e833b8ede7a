"""The page that shows how to get from one place to another."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import go
from distrl.simphone.apps.maps.chart import MapView, Pin
from distrl.simphone.apps.maps.data import MODES, Route, metres, minutes
from distrl.simphone.apps.maps.pages import Ctx, distance_text, nav
from distrl.simphone.scene import CENTRE, FRAME, MEDIUM, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Button,
    Card,
    Column,
    Empty,
    Gap,
    IconButton,
    Page,
    Row,
    SectionHeader,
    Stack,
    Surface,
    Text,
    Widget,
)


class ModeTab(msgspec.Struct, frozen=True, gc=False):
    """A way to travel: an icon and how long it takes; only the icon says which way it is."""

    icon: str
    duration: str
    on_tap: Message
    selected: bool

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.sp(13)) + 44

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        colour = look.on_container if self.selected else look.faint
        if self.selected:
            scene.fill(x + 4, y + 2, width - 8, height - 4, look.container, 16)
        node = scene.add(FRAME, x + 4, y, width - 8, height, tap=self.on_tap, selected=self.selected)
        before = scene.inside(node)
        scene.icon(x + (width - 24) // 2, y + 8, self.icon, 24, colour)
        scene.label(x + 4, y + 34, width - 8, self.duration, look.sp(13), colour, MEDIUM, CENTRE)
        scene.parent = before


def duration_text(total: int) -> str:
    """Minutes, or hours and minutes."""
    return f"{total} min" if total < 60 else f"{total // 60} h {total % 60} min"


def _steps(ctx: Ctx, route: Route, distance: int) -> list[Widget]:
    """Three sentences on the way; they follow the bend that is drawn."""
    (x0, y0), (x1, y1) = ctx.data.spot(route.origin), ctx.data.spot(route.destination)
    turn, icon = ("right", "turn_right") if (x1 - x0) * (y1 - y0) > 0 else ("left", "turn_left")
    half = distance_text(distance // 20 * 10)
    return [
        SectionHeader("Steps"),
        Row(title=f"Head {'east' if x1 > x0 else 'west'}", subtitle=half, icon="straight"),
        Row(title=f"Turn {turn}", subtitle=half, icon=icon),
        Row(title=f"Arrive at {ctx.data.name(route.destination)}", icon="flag"),
    ]


def build_directions(ctx: Ctx) -> Surface:
    """From, to, how, how long; the last route is shown until another one is asked for."""
    route = ctx.data.route
    origin = ctx.data.name(route.origin) if route is not None else ctx.data.name(0)
    destination = ctx.data.name(route.destination) if route is not None else "Choose a destination"
    ends = Stack(
        [
            Row(title=origin, subtitle="From", icon="trip_origin", on_tap=go("search", pick="origin")),
            Row(title=destination, subtitle="To", icon="place", on_tap=go("search", pick="destination")),
        ]
    )
    swap = IconButton("swap_vert", ("swap",), "", "swap")
    head = Card([Across([ends, swap], (0, 48))], inner=0)
    if route is None:
        return Page(
            Column([head, Empty("directions", "Where do you want to go?")], "directions"), _bar(), nav(2)
        )
    distance = metres(ctx.data, route.origin, route.destination)
    tabs = [
        ModeTab(icon, duration_text(minutes(distance, mode)), ("mode", mode), mode == route.mode)
        for mode, (_, icon, _, _) in MODES.items()
    ]
    here, there = ctx.data.spot(route.origin), ctx.data.spot(route.destination)
    middle = (here[0] + there[0]) // 2, (here[1] + there[1]) // 2
    pins = [
        Pin(*here, "trip_origin", "", None),
        Pin(*there, "place", "", None, marked=True),
    ]
    name = MODES[route.mode][0]
    summary = f"{duration_text(minutes(distance, route.mode))} ({distance_text(distance)})"
    start = Button("Stop", ("stop",), "outlined", "close") if route.started else Button("Start", ("start",))
    body: list[Widget] = [
        head,
        Across(tabs, pad_x=8),
        Gap(4),
        MapView(ctx.world.seed, *middle, 0, pins, route=(*here, *there), fixed_height=190),
        Text(summary, 20, bold=True, pad_y=6, name="summary"),
        Text(
            f"On the way by {name.lower()}" if route.started else f"Fastest route by {name.lower()}",
            13,
            "faint",
        ),
        start,
        *_steps(ctx, route, distance),
    ]
    return Page(Column(body, "directions"), _bar(), nav(2))


def _bar() -> AppBar:
    return AppBar("Directions", back=False)
