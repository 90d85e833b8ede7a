"""Windows that interrupt: permission questions, apps that do not respond, pop-up ads, notices, prompts."""

from __future__ import annotations

import msgspec

from distrl.simphone import navigation, notifications, packages, permissions
from distrl.simphone.app import Context
from distrl.simphone.apps.registry import BY_PACKAGE
from distrl.simphone.permissions import PERMISSIONS
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    Across,
    Button,
    Dialog,
    Gap,
    IconButton,
    Picture,
    Surface,
    Text,
    Widget,
)

Ctx = Context[msgspec.Struct]

STORE = "com.simphone.store"
# Pop-up ads: headline, sentence, word on the button, picture.
ADVERTS = (
    ("Half price this week!", "Thousands of items reduced. Only today.", "Shop now", "local_mall:red:1"),
    ("You are our visitor of the day", "Claim your gift before it is gone.", "Claim gift", "redeem:purple:2"),
    ("Is your phone slow?", "Phone Booster cleans it in seconds.", "Clean now", "rocket_launch:blue:3"),
    ("Learn a language in a month", "Five minutes a day are enough.", "Start free trial", "school:green:4"),
    ("Rate us", "Do you like this app? Five stars help us a lot!", "Give 5 stars", "star:gold:5"),
    ("New: Pebble Quest", "Join ten million players.", "Install", "sports_esports:teal:6"),
    ("Subscribe to our newsletter", "10% off your next order.", "Subscribe", "mail:orange:7"),
    ("Go premium", "No limits, all themes, one small price.", "Upgrade", "workspace_premium:brown:8"),
)


def label_of(package: str) -> str:
    """The name of an app as the system's windows write it."""
    app = BY_PACKAGE.get(package)
    return app.label if app is not None else "System UI"


def build_notice(ctx: Ctx) -> Surface:
    """A plain notice with one button, or two when `decline` is given."""
    actions: list[tuple[str, Message]] = []
    if ctx.arg("decline"):
        actions.append((ctx.arg_str("decline"), ("dismiss",)))
    actions.append((ctx.arg_str("accept", "OK"), ("dismiss",)))
    return Dialog(
        ctx.arg_str("title", "Notice"),
        ctx.arg_str("text"),
        actions=actions,
        stubborn=bool(ctx.arg("stubborn", False)),
    )


def build_permission(ctx: Ctx) -> Surface:
    """May this app do that?"""
    wanted = PERMISSIONS.get(ctx.arg_str("permission"), PERMISSIONS["location"])
    question = f"Allow {label_of(ctx.arg_str('package'))} to {wanted.question}?"
    buttons: list[Widget] = [
        Button("While using the app" if wanted.once else "Allow", ("permit", "granted"), "tonal")
    ]
    if wanted.once:
        buttons.append(Button("Only this time", ("permit", "once"), "tonal"))
    buttons.append(Button("Don't allow", ("permit", "denied"), "tonal"))
    return Dialog(
        "",
        body=[Text(question, 17, align=1, pad_x=22, name="permission_message"), Gap(10), *buttons],
        icon=wanted.icon,
        stubborn=True,
        name="grant_dialog",
    )


def build_anr(ctx: Ctx) -> Surface:
    """An app that does not respond."""
    return Dialog(
        f"{label_of(ctx.arg_str('package'))} isn't responding",
        body=[
            Button("Close app", ("close_app",), "text", icon="close", pad_x=12, wrap=True),
            Button("Wait", ("dismiss",), "text", icon="schedule", pad_x=12, wrap=True),
        ],
        stubborn=True,
        name="anr_dialog",
    )


def build_ad(ctx: Ctx) -> Surface:
    """An advertisement; the small cross in a corner, which says nothing to a screen reader, closes it."""
    headline, sentence, word, picture = ADVERTS[ctx.arg_int("variant") % len(ADVERTS)]
    cross = IconButton("close", ("dismiss",), role="faint", size=20)
    corner: list[Widget] = [cross, Gap(1)] if ctx.arg_int("side") else [Gap(1), cross]
    widths = (44, 0) if ctx.arg_int("side") else (0, 44)
    return Dialog(
        "",
        body=[
            Across(corner, widths, pad_x=6),
            Picture(picture, 120),
            Text(headline, 19, bold=True, align=1, pad_y=10),
            Text(sentence, 14, "faint", align=1),
            Gap(8),
            Button(word, ("follow_ad",)),
        ],
        stubborn=True,
        name="ad",
    )


def build_low_battery(ctx: Ctx) -> Surface:
    """The battery runs low."""
    del ctx
    return Dialog(
        "Battery low",
        "15% remaining. Turn on Battery Saver to make it last longer.",
        actions=[("No thanks", ("dismiss",)), ("Turn on", ("save_battery",))],
        icon="battery_alert",
    )


def build_update(ctx: Ctx) -> Surface:
    """A new version of the system wants to be installed."""
    del ctx
    return Dialog(
        "System update available",
        "Version 14.1 brings security fixes. The phone restarts when it is installed.",
        actions=[("Later", ("dismiss",)), ("Install tonight", ("schedule_update",))],
        icon="system_update",
    )


def build_uninstall(ctx: Ctx) -> Surface:
    """Shall this app really go?"""
    return Dialog(
        label_of(ctx.arg_str("package")),
        "Do you want to uninstall this app?",
        actions=[("Cancel", ("dismiss",)), ("OK", ("uninstall",))],
        name="uninstall_dialog",
    )


def update_prompt(ctx: Ctx, message: Message) -> bool:
    """Answer touches on these windows; False if the message is not about them."""
    state = ctx.state
    package = ctx.arg_str("package")
    match message:
        case ("dismiss",):
            navigation.close_overlay(state)
        case ("permit", str(answer)):
            navigation.close_overlay(state)
            permissions.put(state, package, ctx.arg_str("permission"), answer)
        case ("close_app",):
            navigation.close_overlay(state)
            navigation.close(state, package)
        case ("follow_ad",):
            navigation.close_overlay(state)
            if STORE in state.packages:
                navigation.launch(state, STORE)
        case ("save_battery",):
            navigation.close_overlay(state)
            ctx.put_setting("global", "low_power", "1")
        case ("schedule_update",):
            navigation.close_overlay(state)
            ctx.put_setting("global", "ota_scheduled", "1")
            notifications.post(state, notifications.ANDROID, "System update", "It will be installed tonight")
        case ("uninstall",):
            navigation.close_overlay(state)
            if packages.removable(package):
                packages.uninstall(ctx.store, package)
                navigation.toast(state, f"Uninstalled {label_of(package)}")
        case _:
            return False
    return True
