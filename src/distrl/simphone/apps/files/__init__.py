"""Files: folders and files of the phone; open, sort, search, rename, move, copy and delete them."""

from __future__ import annotations

from distrl.simphone.app import App, Context
from distrl.simphone.apps.files import pages
from distrl.simphone.apps.files.data import ROOT, TABLES, FilesData, clean_path, fill
from distrl.simphone.apps.files.pages import chosen_files, numbers
from distrl.simphone.scene import Message
from distrl.simphone.state import Value
from distrl.simphone.widgets import BottomSheet, Dialog, Menu, Row, Surface, TextField

Ctx = Context[FilesData]
ORDERS: dict[str, tuple[str, str, str]] = {
    "name": ("Name", "A to Z", "Z to A"),
    "date": ("Date modified", "oldest first", "newest first"),
    "size": ("Size", "smallest first", "largest first"),
}
LONGEST_NAME = 80


def build_menu(ctx: Ctx) -> Surface:
    """What can be done with a folder as a whole."""
    path = ctx.arg_str("path", ROOT)
    hidden = ctx.data.preferences.get("show_hidden") == "1"
    return Menu(
        [
            ("New folder", ("open", "new_folder", path)),
            ("Sort by…", ("open", "sort", path)),
            ("Select all", ("select_all", path)),
            ("Hide hidden files" if hidden else "Show hidden files", ("hidden",)),
        ]
    )


def build_select_menu(ctx: Ctx) -> Surface:
    """What else can be done with chosen files."""
    chosen = numbers(str(ctx.below().args.get("chosen", "")))
    path = str(ctx.below().args.get("path", ROOT))
    items: list[tuple[str, Message]] = [
        ("Select all", ("select_all", path)),
        ("Select none", ("select_none",)),
    ]
    if len(chosen) == 1:
        items += [
            ("Rename", ("instead", "rename", chosen[0])),
            ("Details", ("instead", "details", chosen[0])),
        ]
    return Menu(items)


def build_sort(ctx: Ctx) -> Surface:
    """The choice of an order."""
    preferences = ctx.data.preferences
    rows = []
    for key, (title, upwards, downwards) in ORDERS.items():
        for number, direction in enumerate((upwards, downwards)):
            now = preferences.get("sort") == key and preferences.get("descending") == str(number)
            rows.append(
                Row(
                    title=f"{title} ({direction})",
                    trailing="radio",
                    checked=now,
                    on_tap=("sort", key, number),
                )
            )
    return Dialog("Sort by", body=rows, actions=[("Cancel", ("@back",))])


def build_actions(ctx: Ctx) -> Surface:
    """What can be done with one file or folder."""
    file = ctx.data.find(ctx.arg_int("id"))
    if file is None:
        return Dialog("Files", "This file no longer exists.", actions=[("OK", ("@back",))])
    rows = [
        Row(title="Rename", icon="drive_file_rename_outline", on_tap=("instead", "rename", file.id)),
        Row(title="Move to…", icon="drive_file_move", on_tap=("transfer_one", "move", file.id)),
        Row(title="Copy to…", icon="content_copy", on_tap=("transfer_one", "copy", file.id)),
        Row(title="Details", icon="info", on_tap=("instead", "details", file.id)),
        Row(title="Share", icon="share", on_tap=("no_app",)),
        Row(title="Delete", icon="delete", on_tap=("ask_delete", str(file.id))),
    ]
    return BottomSheet(rows, file.name)


def build_new_folder(ctx: Ctx) -> Surface:
    """The name of a new folder."""
    del ctx
    field = TextField("name", "Folder name", on_submit=("create",))
    return Dialog("New folder", body=[field], actions=[("Cancel", ("@back",)), ("Create", ("create",))])


def build_rename(ctx: Ctx) -> Surface:
    """Another name for a file or folder."""
    file = ctx.data.find(ctx.arg_int("id"))
    field = TextField("name", "Name", file.name if file is not None else "", on_submit=("rename",))
    return Dialog("Rename", body=[field], actions=[("Cancel", ("@back",)), ("Rename", ("rename",))])


def build_delete(ctx: Ctx) -> Surface:
    """The question before files go."""
    files = chosen_files(ctx, ctx.arg_str("ids"))
    what = f"“{files[0].name}”" if len(files) == 1 else f"{len(files)} items"
    return Dialog(
        f"Delete {what}?" if len(files) != 1 else "Delete item?",
        f"{what} will be deleted for good." if len(files) == 1 else "They will be deleted for good.",
        actions=[("Cancel", ("@back",)), ("Delete", ("delete",))],
    )


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    args, preferences = ctx.entry.args, ctx.data.preferences
    match message:
        case ("view",):
            preferences["view"] = "list" if preferences.get("view") == "grid" else "grid"
        case ("hidden",):
            preferences["show_hidden"] = "0" if preferences.get("show_hidden") == "1" else "1"
            ctx.back()
        case ("sort", str(key), int(descending)):
            preferences["sort"], preferences["descending"] = key, str(descending)
            ctx.back()
        case ("open", str(page), str(path)):
            ctx.replace(page, path=path)
        case ("instead", str(page), int(number)):
            ctx.replace(page, id=number)
        case ("no_app",):
            ctx.toast("No app can do this")
        case ("create",):
            _create(ctx)
        case ("rename",):
            _rename(ctx)
        case ("enter", str(path)):
            args["path"] = path
            ctx.entry.scroll.clear()
        case ("put",):
            _put(ctx)
        case ("transfer_one", str(action), int(number)):
            file = ctx.data.find(number)
            ctx.replace("destination", ids=str(number), action=action, path=file.parent if file else ROOT)
        case ("transfer", str(action)):
            path = ctx.arg_str("path", ROOT)
            ctx.go("destination", ids=ctx.arg_str("chosen"), action=action, path=path)
        case ("ask_delete", str(ids)):
            ctx.replace("delete", ids=ids)
        case ("ask_delete_chosen",):
            ctx.go("delete", ids=ctx.arg_str("chosen"))
        case ("delete",):
            count = len(files := chosen_files(ctx, ctx.arg_str("ids")))
            for file in files:
                ctx.data.remove(file.id)
            _leave(ctx)
            ctx.toast(f"Deleted {count} item{'' if count == 1 else 's'}")
        case _:
            _select(ctx, message)


def _select(ctx: Ctx, message: Message) -> None:
    """Answer what has to do with choosing several files."""
    args = ctx.entry.args
    match message:
        case ("hold", int(number)):
            file = ctx.data.find(number)
            if file is not None:
                ctx.go("select", path=file.parent, chosen=str(number))
        case ("choose", int(number)):
            chosen = numbers(ctx.arg_str("chosen"))
            chosen = [other for other in chosen if other != number] if number in chosen else [*chosen, number]
            args["chosen"] = ",".join(map(str, chosen))
        case ("select_all", str(path)):
            everything = pages.in_order(ctx, ctx.data.inside(path))
            text = ",".join(str(file.id) for file in everything)
            ctx.back()
            if ctx.top_page() == "select":
                ctx.replace("select", path=path, chosen=text)
            else:
                ctx.go("select", path=path, chosen=text)
        case ("select_none",):
            ctx.below().args["chosen"] = ""
            ctx.back()


def _leave(ctx: Ctx) -> None:
    """Close the dialog, and the page under it if its files are no longer what it shows."""
    ctx.back()
    if ctx.top_page() in ("select", "file"):
        ctx.back()


def _valid(ctx: Ctx, name: str) -> bool:
    if not name or name in (".", "..") or "/" in name or len(name) > LONGEST_NAME:
        ctx.toast("Enter a valid name")
        return False
    return True


def _create(ctx: Ctx) -> None:
    name, folder = ctx.text("name").strip(), ctx.arg_str("path", ROOT)
    if not _valid(ctx, name):
        return
    if ctx.data.at(f"{folder}/{name}") is not None:
        ctx.toast("This name is already taken")
        return
    ctx.data.add(f"{folder}/{name}", modified=int(ctx.now_s), is_dir=True)
    ctx.back()
    ctx.toast("Folder created")


def _rename(ctx: Ctx) -> None:
    file = ctx.data.find(ctx.arg_int("id"))
    if file is None:
        ctx.back()
        return
    name = ctx.text("name", file.name).strip()
    if not _valid(ctx, name):
        return
    path = f"{file.parent}/{name}"
    if path != file.path and ctx.data.at(path) is not None:
        ctx.toast("This name is already taken")
        return
    ctx.data.relocate(file, path)
    ctx.back()
    if ctx.top_page() == "select":
        ctx.back()
    ctx.toast("Renamed")


def _put(ctx: Ctx) -> None:
    folder, files = ctx.arg_str("path", ROOT), chosen_files(ctx, ctx.arg_str("ids"))
    copying = ctx.arg_str("action") == "copy"
    if copying:
        done = [ctx.data.copy(file, folder, int(ctx.now_s)) for file in files]
    else:
        done = [ctx.data.move(file, folder) for file in files]
    if not any(done):
        ctx.toast("These items cannot be put here")
        return
    _leave(ctx)
    word = "Copied" if copying else "Moved"
    ctx.toast(f"{word} {sum(done)} item{'' if sum(done) == 1 else 's'}")


def page_for_uri(uri: str) -> tuple[str, dict[str, Value]] | None:
    """A `file:///sdcard/…` address opens that folder."""
    if not uri.startswith("file:///"):
        return None
    path = clean_path(uri.removeprefix("file://"))
    return ("folder", {"path": path or ROOT})


FILES = App(
    package="com.android.documentsui",
    label="Files",
    icon="folder",
    colour=(38, 132, 120),
    data=FilesData,
    fill=fill,
    pages={
        "main": pages.build_main,
        "folder": pages.build_folder,
        "category": pages.build_category,
        "search": pages.build_search,
        "select": pages.build_select,
        "file": pages.build_file,
        "details": pages.build_details,
        "destination": pages.build_destination,
        "menu": build_menu,
        "select_menu": build_select_menu,
        "sort": build_sort,
        "actions": build_actions,
        "new_folder": build_new_folder,
        "rename": build_rename,
        "delete": build_delete,
    },
    update=update,
    tables=TABLES,
    page_for_uri=page_for_uri,
    activity=".files.FilesActivity",
)
