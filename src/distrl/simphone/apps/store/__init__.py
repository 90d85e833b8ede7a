"""Store: find apps, install, update and remove them. A download takes time on the phone's clock.

An app counts as installed from the moment its download begins (the launcher and `pm list packages` know it);
its store page offers "Open" when the download is over. Cancelling takes it off again.
"""

from __future__ import annotations

from distrl.simphone import navigation, packages
from distrl.simphone.app import App
from distrl.simphone.apps.store.data import TABLES, Listing, StoreData, fill, older
from distrl.simphone.apps.store.pages import (
    SORTS,
    Ctx,
    build_app,
    build_categories,
    build_category,
    build_main,
    build_mine,
    build_search,
    build_wishlist,
    progress,
)
from distrl.simphone.scene import Message
from distrl.simphone.widgets import Dialog, Surface


def build_uninstall(ctx: Ctx) -> Surface:
    """The question before an app goes."""
    listing = ctx.data.find(ctx.arg_str("package"))
    name = listing.label if listing is not None else "this app"
    return Dialog(
        f"Uninstall {name}?",
        "The app and its data will be removed from this phone.",
        actions=[("Cancel", ("@back",)), ("Uninstall", ("uninstall", ctx.arg_str("package")))],
        icon="delete",
    )


def _settle(ctx: Ctx) -> None:
    """Bring the listings in line with the phone: what is installed, which downloads are over."""
    for listing in ctx.data.listings:
        if listing.started_s and progress(ctx, listing) >= 1.0:
            listing.started_s = 0.0
        listing.installed = packages.installed(ctx.state, listing.package)


def _install(ctx: Ctx, listing: Listing) -> None:
    if not listing.installed:
        packages.install(ctx.state, listing.package)
        listing.installed, listing.version = True, listing.newest
        listing.started_s, listing.first_download = ctx.now_s, True


def _update_app(ctx: Ctx, listing: Listing) -> None:
    if listing.installed and listing.outdated and not listing.started_s:
        listing.version = listing.newest
        listing.started_s, listing.first_download = ctx.now_s, False


def _change(ctx: Ctx, verb: str, listing: Listing) -> None:
    match verb:
        case "install":
            _install(ctx, listing)
        case "update":
            _update_app(ctx, listing)
        case "cancel" if listing.started_s:
            listing.started_s = 0.0
            if not listing.first_download:
                listing.version = older(listing.newest)
            else:
                packages.uninstall(ctx.store, listing.package)
                listing.installed, listing.version = False, listing.newest
        case "uninstall":
            ctx.back()
            if not listing.system:
                packages.uninstall(ctx.store, listing.package)
                listing.installed, listing.version = False, listing.newest
                ctx.toast(f"{listing.label} removed")
        case "wish":
            listing.wishlisted = not listing.wishlisted
            ctx.toast("Added to wishlist" if listing.wishlisted else "Removed from wishlist")


def _show_section(ctx: Ctx, page: str) -> None:
    """The three sections lie over the first page, one at a time, so that BACK leads there and out."""
    del navigation.front(ctx.state).stack[1:]
    if page != "main":
        ctx.go(page)


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    _settle(ctx)
    match message:
        case ("section", str(page)) if page in ("main", "categories", "mine"):
            _show_section(ctx, page)
        case ("tab", str(tab)):
            ctx.entry.args["tab"] = tab
        case ("sort", str(key)) if key in dict(SORTS):
            ctx.entry.args["sort"] = key
        case ("update_all",):
            for listing in ctx.data.listings:
                _update_app(ctx, listing)
        case ("auto_update",):
            ctx.data.auto_update = not ctx.data.auto_update
        case ("share", str(label)):
            ctx.state.clipboard = label
            ctx.toast("Link copied")
        case (("install" | "update" | "cancel" | "uninstall" | "wish") as verb, str(package)):
            found = ctx.data.find(package)
            if found is not None:
                _change(ctx, str(verb), found)


STORE = App(
    package="com.simphone.store",
    label="Store",
    icon="shop",
    colour=(20, 130, 116),
    data=StoreData,
    fill=fill,
    pages={
        "main": build_main,
        "categories": build_categories,
        "category": build_category,
        "search": build_search,
        "wishlist": build_wishlist,
        "app": build_app,
        "mine": build_mine,
        "uninstall": build_uninstall,
    },
    update=update,
    # Any message makes it note which downloads have ended.
    swiped=frozenset({"main", "categories", "category", "search", "wishlist", "app", "mine", "uninstall"}),
    tables=TABLES,
)
