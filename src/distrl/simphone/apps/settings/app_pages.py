"""Apps as the settings see them: list, app info, permissions, notifications, storage."""

from __future__ import annotations

from distrl.simphone import chance, navigation, notifications, packages, permissions
from distrl.simphone.app import go
from distrl.simphone.apps.settings.data import Ctx
from distrl.simphone.permissions import PERMISSIONS
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Button,
    Column,
    Dialog,
    Empty,
    Icon,
    Page,
    ProgressBar,
    Row,
    SectionHeader,
    Surface,
    Text,
    Widget,
)

SETTINGS, FILES = "com.android.settings", "com.android.documentsui"
MISSING = Dialog("App not installed", actions=[("OK", ("@back",))])
ANSWERS = {"granted": "Allowed", "once": "Allowed this time", "denied": "Not allowed", "": "Ask every time"}
# What takes up space: title, icon, GB.
SPACE = (
    ("Photos and videos", "image", 4.6),
    ("Apps", "apps", 3.9),
    ("System", "android", 2.9),
    ("Music and audio", "music_note", 0.9),
    ("Documents", "description", 0.4),
)


def installed_apps(ctx: Ctx) -> list[tuple[str, str, str]]:
    """Package, name and icon of every app on the phone, by name."""
    # The registry lists this app too, so it can only be asked once everything is loaded.
    from distrl.simphone.apps.registry import APPS

    apps = [(app.package, app.label, app.icon) for app in APPS if app.package in ctx.state.packages]
    return sorted(apps, key=lambda app: app[1])


def _label_and_icon(ctx: Ctx, package: str) -> tuple[str, str] | None:
    return next(((label, icon) for name, label, icon in installed_apps(ctx) if name == package), None)


def size_mb(package: str) -> int:
    """How much space an app takes."""
    return 12 + int(chance.fraction("app size", package) * 180)


def app_rows(ctx: Ctx) -> list[Widget]:
    """Every app, leading to its page."""
    return [
        Row(title=label, subtitle=f"{size_mb(package)} MB", icon=icon, on_tap=go("app_info", package=package))
        for package, label, icon in installed_apps(ctx)
    ]


def notification_rows(ctx: Ctx) -> list[Widget]:
    """Every app with a switch for its notifications."""
    return [SectionHeader("App notifications")] + [
        Row(
            title=label,
            icon=icon,
            trailing="switch",
            checked=package not in ctx.state.silenced,
            on_tap=("app_notifications", package),
        )
        for package, label, icon in installed_apps(ctx)
    ]


def storage_rows(ctx: Ctx) -> list[Widget]:
    """What takes up space, and the way to free some."""
    rows: list[Widget] = [Row(title=title, icon=icon, end_text=f"{size} GB") for title, icon, size in SPACE]
    del ctx
    return [
        ProgressBar(0.40, "Used space"),
        *rows,
        Button("Free up space", ("open", "com.android.documentsui")),
    ]


def build_app_info(ctx: Ctx) -> Surface:
    """What one can do with an app."""
    package = ctx.arg_str("package")
    found = _label_and_icon(ctx, package)
    if found is None:
        return MISSING
    label, icon = found
    running = any(task.package == package for task in ctx.tasks)
    can_go = packages.removable(package)
    remove: Message = ("ask_uninstall", package)
    buttons: list[Widget] = [
        Button("Open", ("open", package), "tonal", pad_x=6),
        Button("Uninstall", remove, "tonal", enabled=can_go, pad_x=6),
        Button("Force stop", go("force_stop", package=package), "tonal", enabled=running, pad_x=6),
    ]
    allowed = sum(permissions.allowed(ctx.state, package, name) for name in PERMISSIONS)
    body: list[Widget] = [
        Icon(icon, 52, "primary", pad_y=8),
        Text(label, 20, align=1, pad_y=6),
        Across(buttons, pad_x=10),
        Row(
            title="Notifications",
            icon="notifications",
            trailing="switch",
            checked=package not in ctx.state.silenced,
            on_tap=("app_notifications", package),
        ),
        Row(
            title="Permissions",
            subtitle=f"{allowed} allowed" if allowed else "No permissions allowed",
            icon="shield",
            on_tap=go("app_permissions", package=package),
        ),
        Row(
            title="Storage & cache",
            subtitle=f"{size_mb(package)} MB used",
            icon="storage",
            on_tap=go("app_storage", package=package),
        ),
        Row(title="Version", subtitle="1.0", icon="info"),
    ]
    return Page(Column(body, "app_info"), AppBar("App info"))


def build_app_permissions(ctx: Ctx) -> Surface:
    """What the app may do."""
    package = ctx.arg_str("package")
    rows: list[Widget] = [
        Row(
            title=PERMISSIONS[name].title,
            subtitle=ANSWERS[permissions.answer(ctx.state, package, name)],
            icon=PERMISSIONS[name].icon,
            on_tap=go("app_permission", package=package, permission=name),
        )
        for name in permissions.wanted_by(ctx.state, package)
    ]
    body = rows or [Empty("shield", "No permissions requested")]
    return Page(Column(body, "permissions"), AppBar("App permissions"))


def build_app_permission(ctx: Ctx) -> Surface:
    """One permission of one app."""
    package, name = ctx.arg_str("package"), ctx.arg_str("permission")
    found, wanted = _label_and_icon(ctx, package), PERMISSIONS.get(name)
    if found is None or wanted is None:
        return MISSING
    answer = permissions.answer(ctx.state, package, name)
    allow = "Allow only while using the app" if wanted.once else "Allow"
    choices = [(allow, "granted"), ("Don't allow", "denied")]
    if wanted.once:
        choices.insert(1, ("Ask every time", ""))
    rows: list[Widget] = [
        Row(
            title=word,
            trailing="radio",
            checked=answer == value or (answer == "once" and value == ""),
            on_tap=("permission", package, name, value),
        )
        for word, value in choices
    ]
    head: list[Widget] = [
        Icon(found[1], 40, "primary"),
        Text(f"{wanted.title} access for this app", 15, align=1, pad_y=10),
    ]
    return Page(Column([*head, *rows], "permission"), AppBar(f"{wanted.title} permission"))


def build_app_storage(ctx: Ctx) -> Surface:
    """How much space an app takes, and the ways to free it."""
    package = ctx.arg_str("package")
    found = _label_and_icon(ctx, package)
    if found is None:
        return MISSING
    cleared = ctx.setting("secure", f"cache_cleared_{package}") == "1"
    cache = 0 if cleared else 3 + size_mb(package) // 9
    own = package == SETTINGS
    body: list[Widget] = [
        Icon(found[1], 40, "primary"),
        Text(found[0], 18, align=1),
        Row(title="App size", end_text=f"{size_mb(package)} MB"),
        Row(title="Cache", end_text=f"{cache} MB"),
        Button("Clear storage", go("clear_storage", package=package), "outlined", enabled=not own),
        Button("Clear cache", ("clear_cache", package), "outlined", enabled=not cleared),
    ]
    return Page(Column(body, "app_storage"), AppBar("Storage & cache"))


def build_force_stop(ctx: Ctx) -> Surface:
    """Shall the app be stopped?"""
    return Dialog(
        "Force stop?",
        "If you force stop an app, it may misbehave.",
        actions=[("Cancel", ("@back",)), ("OK", ("force_stop", ctx.arg_str("package")))],
    )


def build_clear_storage(ctx: Ctx) -> Surface:
    """Shall the app forget everything?"""
    return Dialog(
        "Delete app data?",
        "All of this app's data will be deleted for good: files, settings, accounts.",
        actions=[("Cancel", ("@back",)), ("Delete", ("clear_storage", ctx.arg_str("package")))],
    )


def update_apps(ctx: Ctx, message: Message) -> bool:
    """Answer touches on these pages; False if the message is not about them."""
    state = ctx.state
    match message:
        case ("open", str(package)):
            if package in state.packages:
                ctx.launch(package)
        case ("ask_uninstall", str(package)):
            navigation.overlay(state, "uninstall", package=package)
        case ("app_notifications", str(package)):
            notifications.allow(state, package, package in state.silenced)
        case ("permission", str(package), str(name), str(answer)):
            permissions.put(state, package, name, answer)
        case ("force_stop", str(package)):
            ctx.back()
            navigation.close(state, package)
            state.notifications = [one for one in state.notifications if one.package != package]
        case ("clear_cache", str(package)):
            ctx.put_setting("secure", f"cache_cleared_{package}", "1")
        case ("clear_storage", str(package)) if package != SETTINGS:
            ctx.back()
            navigation.close(state, package)
            ctx.store.forget(package)
            ctx.toast("App data deleted")
        case _:
            return False
    return True
