"""Notes: write, edit, pin, search and delete short texts."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import App, Cells, Context, Table, go
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    AppBar,
    Card,
    Column,
    Dialog,
    Empty,
    FloatingButton,
    Gap,
    IconButton,
    Menu,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Surface,
    TextField,
    Widget,
)
from distrl.simphone.world import World


class Note(msgspec.Struct):
    """One note."""

    id: int
    title: str
    body: str
    pinned: bool = False


class NotesData(msgspec.Struct):
    """All notes, the newest first, and how the list is sorted."""

    notes: list[Note]
    next_id: int
    by_title: bool = False

    def find(self, note_id: int) -> Note | None:
        """A note by its number."""
        return next((note for note in self.notes if note.id == note_id), None)

    def add(self, title: str, body: str, pinned: bool = False) -> Note:
        """Put a new note first."""
        note = Note(self.next_id, title, body, pinned)
        self.next_id += 1
        self.notes.insert(0, note)
        return note

    def remove(self, note_id: int) -> None:
        """Delete a note."""
        self.notes = [note for note in self.notes if note.id != note_id]


Ctx = Context[NotesData]


def fill(world: World) -> NotesData:
    """The notes of a world."""
    notes = [Note(number, title, body) for number, (title, body) in enumerate(world.notes, 1)]
    return NotesData(notes, len(notes) + 1)


def _card(note: Note) -> Widget:
    row = Row(
        title=note.title or "Untitled",
        subtitle=note.body,
        bold=True,
        end_icon="push_pin" if note.pinned else "",
        end_role="primary",
        end_description="Pinned" if note.pinned else "",
    )
    return Card([row], on_tap=go("note", id=note.id), on_long_press=("hold", note.id), inner=0)


def build_main(ctx: Ctx) -> Surface:
    """The list, pinned notes first."""
    query = ctx.text("query").strip().lower()
    notes = [note for note in ctx.data.notes if query in f"{note.title}\n{note.body}".lower()]
    if ctx.data.by_title:
        notes.sort(key=lambda note: note.title.lower())
    pinned = [note for note in notes if note.pinned]
    others = [note for note in notes if not note.pinned]
    body: list[Widget] = [SearchBar("query", "Search notes")]
    if pinned:
        body += [SectionHeader("Pinned"), *map(_card, pinned)]
        if others:
            body.append(SectionHeader("Others"))
    body += map(_card, others)
    if not notes:
        body.append(Empty("sticky_note_2", "No matching notes" if query else "Notes you add appear here"))
    return Page(
        Column(body, "notes_list", 88),
        AppBar("Notes", back=False, on_menu=go("menu")),
        button=FloatingButton("add", go("note", id=0), "New note"),
    )


def build_menu(ctx: Ctx) -> Surface:
    """What can be done with the whole list."""
    order = "Sort by date" if ctx.data.by_title else "Sort by title"
    return Menu([(order, ("sort",)), ("Delete all notes", ("ask_delete_all",))])


def build_note(ctx: Ctx) -> Surface:
    """One note, to read and to change; a new one has the number 0."""
    note = ctx.data.find(ctx.arg_int("id"))
    title, body, pinned = (note.title, note.body, note.pinned) if note is not None else ("", "", False)
    actions = [IconButton("check", ("save",), "Save", "save", "primary")]
    if note is not None:
        pin = IconButton("push_pin", ("pin",), "", "pin", "primary" if pinned else "faint", selected=pinned)
        bin_ = IconButton("delete", go("delete", id=note.id), "", "delete")
        actions = [pin, bin_, *actions]
    fields: list[Widget] = [
        TextField("title", "Title", title, plain=True, size=20),
        TextField("body", "Note", body, plain=True, rows=9),
    ]
    return Page(
        Column([Gap(4), *fields], "note"), AppBar("Edit note" if note else "New note", actions=actions)
    )


def build_delete(ctx: Ctx) -> Surface:
    """The question before a note goes."""
    note = ctx.data.find(ctx.arg_int("id"))
    text = f"“{note.title or 'Untitled'}” will be gone." if note else "It will be gone."
    return Dialog(
        "Delete note?", text, actions=[("Cancel", ("@back",)), ("Delete", ("delete", ctx.arg_int("id")))]
    )


def build_delete_all(ctx: Ctx) -> Surface:
    """The question before all notes go."""
    text = f"All {len(ctx.data.notes)} notes will be gone."
    return Dialog("Delete all notes?", text, actions=[("Cancel", ("@back",)), ("Delete", ("delete_all",))])


def build_hold(ctx: Ctx) -> Surface:
    """What can be done with a note that was held."""
    note = ctx.data.find(ctx.arg_int("id"))
    pinned = note is not None and note.pinned
    number = ctx.arg_int("id")
    rows = [
        Row(title="Unpin" if pinned else "Pin", icon="push_pin", on_tap=("pin_held", number)),
        Row(title="Delete", icon="delete", on_tap=("delete_held", number)),
    ]
    return Dialog(note.title if note else "Note", body=rows)


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    data = ctx.data
    match message:
        case ("save",):
            note = data.find(ctx.arg_int("id"))
            if note is not None:
                note.title = ctx.text("title", note.title).strip()
                note.body = ctx.text("body", note.body)
            elif ctx.text("title").strip() or ctx.text("body").strip():
                data.add(ctx.text("title").strip(), ctx.text("body"))
            ctx.back()
            ctx.toast("Note saved")
        case ("pin",):
            note = data.find(ctx.arg_int("id"))
            if note is not None:
                note.pinned = not note.pinned
        case ("pin_held", int(number)):
            note = data.find(number)
            if note is not None:
                note.pinned = not note.pinned
            ctx.back()
        case ("hold", int(number)):
            ctx.go("hold", id=number)
        case ("delete_held", int(number)):
            ctx.replace("delete", id=number)
        case ("delete", int(number)):
            data.remove(number)
            ctx.back()
            if ctx.top_page() == "note":
                ctx.back()
            ctx.toast("Note deleted")
        case ("sort",):
            data.by_title = not data.by_title
            ctx.back()
        case ("ask_delete_all",):
            ctx.replace("delete_all")
        case ("delete_all",):
            data.notes = []
            ctx.back()


def _rows(data: NotesData, world: World) -> list[Cells]:
    del world
    return [
        {"_id": note.id, "title": note.title, "body": note.body, "pinned": int(note.pinned)}
        for note in data.notes
    ]


def _insert(data: NotesData, bound: Mapping[str, str]) -> None:
    data.add(bound.get("title", ""), bound.get("body", ""), bound.get("pinned", "0") == "1")


def _update(data: NotesData, row: int, bound: Mapping[str, str]) -> None:
    note = data.find(row)
    if note is not None:
        note.title, note.body = bound.get("title", note.title), bound.get("body", note.body)
        note.pinned = bound.get("pinned", str(int(note.pinned))) == "1"


NOTES = App(
    package="com.simphone.notes",
    label="Notes",
    icon="sticky_note_2",
    colour=(214, 158, 36),
    data=NotesData,
    fill=fill,
    pages={
        "main": build_main,
        "menu": build_menu,
        "note": build_note,
        "delete": build_delete,
        "delete_all": build_delete_all,
        "hold": build_hold,
    },
    update=update,
    tables={"notes": Table(_rows, _insert, _update, NotesData.remove)},
)
