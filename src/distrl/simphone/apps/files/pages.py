"""The pages of the files app on which files are shown."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.files.data import ROOT, File, FilesData
from distrl.simphone.apps.files.names import ending, icon, mime_type, size_text
from distrl.simphone.dates import day_of, day_text, moment_text, uses_12_hours
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Button,
    Card,
    Chip,
    Chips,
    Column,
    Divider,
    Empty,
    Gap,
    Grid,
    Icon,
    IconButton,
    Page,
    Picture,
    ProgressBar,
    Row,
    SearchBar,
    SectionHeader,
    Surface,
    Text,
    Widget,
)

Ctx = Context[FilesData]
CAPACITY = 32_000_000_000
SYSTEM_SIZE = 11_400_000_000
CATEGORIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "Images": ("image", ("jpg", "png")),
    "Audio": ("audiotrack", ("mp3", "m4a")),
    "Videos": ("movie", ("mp4",)),
    "Documents": ("description", ("pdf", "docx", "xlsx", "txt", "csv")),
}


def numbers(text: str) -> list[int]:
    """The file numbers in a list such as `3,8`."""
    return [int(part) for part in text.split(",") if part.isdecimal()]


def chosen_files(ctx: Ctx, text: str) -> list[File]:
    """The files that a list of numbers names and that still exist."""
    found = (ctx.data.find(number) for number in numbers(text))
    return [file for file in found if file is not None]


def visible(ctx: Ctx, files: list[File]) -> list[File]:
    """The files, without hidden ones unless the user wants to see them."""
    if ctx.data.preferences.get("show_hidden") == "1":
        return list(files)
    return [file for file in files if not file.hidden]


def in_order(ctx: Ctx, files: list[File]) -> list[File]:
    """Folders first, then files, each as the user wants them sorted; hidden ones only if wanted."""
    preferences = ctx.data.preferences
    shown = visible(ctx, files)
    backwards = preferences.get("descending") == "1"
    shown.sort(key=lambda file: (file.name.lower(), file.id))
    match preferences.get("sort"):
        case "size":
            shown.sort(key=lambda file: 0 if file.is_dir else file.size, reverse=backwards)
        case "date":
            shown.sort(key=lambda file: file.modified, reverse=backwards)
        case _ if backwards:
            shown.reverse()
    shown.sort(key=lambda file: not file.is_dir)
    return shown


def photo(file: File) -> str:
    """The picture that an image file shows."""
    motif = ("landscape", "local_florist", "pets", "beach_access", "cake", "park")[file.size % 6]
    colour = ("blue", "green", "orange", "pink", "teal", "purple")[file.size // 7 % 6]
    return f"{motif}:{colour}:{file.size % 5}"


def is_picture(file: File) -> bool:
    """Whether a file is an image."""
    return ending(file.name) in CATEGORIES["Images"][1]


def summary(ctx: Ctx, file: File) -> str:
    """What stands below a name in a list."""
    day = day_text(day_of(file.modified))
    if file.is_dir:
        count = len(visible(ctx, ctx.data.inside(file.path)))
        return f"{count} item{'' if count == 1 else 's'}, {day}"
    return f"{size_text(file.size)}, {day}"


def opening(file: File) -> Message:
    """The message that shows a file or folder."""
    return go("folder", path=file.path) if file.is_dir else go("file", id=file.id)


def file_row(ctx: Ctx, file: File, where: bool = False) -> Row:
    """A file in a list; `where` tells its folder instead of its date."""
    folder = file.parent.removeprefix(ROOT).strip("/").replace("/", " › ") or "Internal storage"
    return Row(
        title=file.name,
        subtitle=f"{size_text(file.size)}, {folder}" if where else summary(ctx, file),
        icon="folder" if file.is_dir else icon(file.name),
        icon_role="primary" if file.is_dir else "faint",
        on_tap=opening(file),
        on_long_press=("hold", file.id),
        end_icon="more_vert",
        on_end=go("actions", id=file.id),
    )


def _tile(ctx: Ctx, file: File) -> Card:
    head: Widget = Picture(photo(file), 84, pad_x=8) if is_picture(file) else Icon(
        "folder" if file.is_dir else icon(file.name), 52, "primary" if file.is_dir else "faint", pad_y=16
    )  # fmt: skip
    lines: list[Widget] = [
        head,
        Text(file.name, 13, bold=True, max_lines=1, pad_x=8),
        Text(summary(ctx, file), 11, "faint", max_lines=1, pad_x=8, pad_y=0),
    ]
    return Card(lines, opening(file), ("hold", file.id), pad_x=0, pad_y=0)


def listing(ctx: Ctx, files: list[File]) -> list[Widget]:
    """Files as rows or as tiles."""
    if not files:
        return [Empty("folder_open", "No items")]
    if ctx.data.preferences.get("view") == "grid":
        return [Grid([_tile(ctx, file) for file in files[n : n + 2]], 2) for n in range(0, len(files), 2)]
    return [file_row(ctx, file) for file in files]


def _bar(ctx: Ctx, title: str, path: str, back: bool) -> AppBar:
    grid = ctx.data.preferences.get("view") == "grid"
    actions = [
        IconButton("search", go("search", path=path), "Search", "search", "text"),
        IconButton("view_list" if grid else "grid_view", ("view",), "", "view", "text"),
    ]
    return AppBar(title, back, actions, go("menu", path=path))


def build_main(ctx: Ctx) -> Surface:
    """The storage as a whole: how full it is, kinds of files, the top folders, the latest files."""
    files = [file for file in ctx.data.files if not file.is_dir]
    used = SYSTEM_SIZE + sum(file.size for file in files)
    chips = [Chip(name, go("category", kind=name), icon=CATEGORIES[name][0]) for name in CATEGORIES]
    storage: list[Widget] = [
        Card(
            [
                Text("Internal storage", 15, bold=True),
                ProgressBar(used / CAPACITY),
                Text(f"{size_text(used)} of {size_text(CAPACITY)} used", 13, "faint"),
            ]
        )
    ]
    body: list[Widget] = [Gap(4), Chips(ctx.shuffled(chips, "file_kinds"), "kinds"), Gap(4)]
    tiles = listing(ctx, in_order(ctx, ctx.data.inside(ROOT)))
    recent = sorted((file for file in files if not file.hidden), key=lambda file: -file.modified)[:3]
    latest: list[Widget] = [SectionHeader("Recent"), *(file_row(ctx, file, where=True) for file in recent)]
    top: list[Widget] = [SectionHeader("Folders"), *tiles]
    order = [storage, top, latest] if ctx.chance("files_home") < 0.5 else [latest, storage, top]
    for part in order:
        body += part
    return Page(Column(body, "files_list"), _bar(ctx, "Files", ROOT, False))


def _crumbs(path: str) -> str:
    return path.replace(ROOT, "Internal storage", 1).replace("/", " › ")


def build_folder(ctx: Ctx) -> Surface:
    """One folder."""
    path = ctx.arg_str("path", ROOT)
    if path != ROOT and ctx.data.at(path) is None:
        return Page(Column([Empty("folder_off", "This folder no longer exists")]), AppBar("Files"))
    files = in_order(ctx, ctx.data.inside(path))
    head = Text(_crumbs(path), 12, "faint", max_lines=1)
    bar = _bar(ctx, path.rsplit("/", 1)[1] if path != ROOT else "Internal storage", path, True)
    return Page(Column([head, *listing(ctx, files)], "files_list"), bar)


def build_category(ctx: Ctx) -> Surface:
    """All files of a kind, wherever they lie."""
    kind = ctx.arg_str("kind")
    endings = CATEGORIES.get(kind, ("", ()))[1]
    files = [file for file in ctx.data.files if not file.is_dir and ending(file.name) in endings]
    rows: list[Widget] = [file_row(ctx, file, where=True) for file in in_order(ctx, files)]
    return Page(Column(rows or [Empty("folder_open", "No items")], "files_list"), AppBar(kind or "Files"))


def build_search(ctx: Ctx) -> Surface:
    """Files whose name contains what was typed."""
    query = ctx.text("query").strip().lower()
    body: list[Widget] = []
    if query:
        found = [file for file in ctx.data.files if query in file.name.lower()]
        body += [file_row(ctx, file, where=True) for file in in_order(ctx, found)]
    if not body:
        body.append(Empty("search", "No matching files" if query else "Search by name"))
    bar = AppBar(field=SearchBar("query", "Search files", pad_x=8))
    return Page(Column(body, "files_list"), bar)


def build_select(ctx: Ctx) -> Surface:
    """A folder while some of its files are chosen."""
    path = ctx.arg_str("path", ROOT)
    chosen = set(numbers(ctx.arg_str("chosen")))
    rows = [
        Row(
            title=file.name,
            subtitle=summary(ctx, file),
            icon="folder" if file.is_dir else icon(file.name),
            icon_role="primary" if file.is_dir else "faint",
            trailing="checkbox",
            checked=file.id in chosen,
            selected=file.id in chosen,
            on_tap=("choose", file.id),
        )
        for file in in_order(ctx, ctx.data.inside(path))
    ]
    some = bool(chosen)
    actions = [
        IconButton("drive_file_move", ("transfer", "move"), "", "move", enabled=some),
        IconButton("content_copy", ("transfer", "copy"), "", "copy", enabled=some),
        IconButton("delete", ("ask_delete_chosen",), "", "delete", enabled=some),
    ]
    bar = AppBar(f"{len(chosen)} selected", actions=actions, on_menu=go("select_menu"))
    return Page(Column(rows, "files_list"), bar)


def build_file(ctx: Ctx) -> Surface:
    """A file, opened."""
    file = ctx.data.find(ctx.arg_int("id"))
    if file is None:
        return Page(Column([Empty("insert_drive_file", "This file no longer exists")]), AppBar("Files"))
    actions = [
        IconButton("info", go("details", id=file.id), "", "info", "text"),
        IconButton("delete", go("delete", ids=str(file.id)), "", "delete", "text"),
    ]
    body: list[Widget] = [Gap(24)]
    if is_picture(file):
        body.append(Picture(photo(file), 320, description="Photo"))
    else:
        body += [Icon(icon(file.name), 96, "primary", pad_y=24), Text(file.name, 18, align=CENTRE)]
        body.append(Text(f"{size_text(file.size)} · {mime_type(file.name)}", 13, "faint", align=CENTRE))
        body += [Gap(12), Button("Open with…", ("no_app",), "tonal", pad_x=90)]
    return Page(Column(body, "viewer"), AppBar(file.name, actions=actions, on_menu=go("actions", id=file.id)))


def build_details(ctx: Ctx) -> Surface:
    """Everything known about a file or folder."""
    file = ctx.data.find(ctx.arg_int("id"))
    if file is None:
        return Page(Column([Empty("insert_drive_file", "This file no longer exists")]), AppBar("Details"))
    kind = "Folder" if file.is_dir else mime_type(file.name)
    facts = [
        ("Name", file.name),
        ("Type", kind),
        ("Size", f"{size_text(ctx.data.size_of(file))} ({ctx.data.size_of(file):,} bytes)"),
        ("Modified", moment_text(file.modified, uses_12_hours(ctx.state))),
        ("Location", _crumbs(file.parent)),
    ]
    if file.is_dir:
        facts.insert(3, ("Items", str(len(ctx.data.inside(file.path)))))
    body: list[Widget] = [
        Icon("folder" if file.is_dir else icon(file.name), 64, "primary", pad_y=16),
        Divider(16),
    ]
    body += [Row(title=title, subtitle=value) for title, value in facts]
    return Page(Column(body, "details"), AppBar("Details"))


def build_destination(ctx: Ctx) -> Surface:
    """The choice of a folder to move or copy into."""
    path, word = ctx.arg_str("path", ROOT), ctx.arg_str("action", "move").capitalize()
    chosen = set(numbers(ctx.arg_str("ids")))
    folders = [file for file in in_order(ctx, ctx.data.inside(path)) if file.is_dir]
    rows: list[Widget] = [Text(_crumbs(path), 13, "faint")]
    if path != ROOT:
        rows.append(Row(title="Up one level", icon="arrow_upward", on_tap=("enter", path.rsplit("/", 1)[0])))
    rows += [
        Row(
            title=folder.name,
            icon="folder",
            icon_role="primary",
            enabled=folder.id not in chosen,
            on_tap=("enter", folder.path),
        )
        for folder in folders
    ]
    if not folders:
        rows.append(Text("No folders here", 14, "faint", align=CENTRE, pad_y=24))
    new = IconButton("create_new_folder", go("new_folder", path=path), "", "new_folder", "text")
    foot = Across([Button("Cancel", ("@back",), "text"), Button(f"{word} here", ("put",))])
    count = len(chosen)
    title = f"{word} {count} item{'' if count == 1 else 's'} to…"
    return Page(Column(rows, "folders_list"), AppBar(title, actions=[new]), foot)
