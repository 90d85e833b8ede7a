"""Tasks in Files, the app that no training task of the general suite opens."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.templates import Draft, Draw, bind, commit, hold, open_app, prefer, rows, tap, where, write

FILES = "content://com.android.documentsui/files"
PREFERENCES = "content://com.android.documentsui/preferences"
DOWNLOAD = "/sdcard/Download"
FOLDERS = ("Documents", "Pictures", "Music", "Movies", "Recordings")
BY_NAME = (prefer(PREFERENCES, "view", "list"), prefer(PREFERENCES, "sort", "name"))

NAMES = tuple(
    f"{first} {second}.{ending}"
    for (first, second), ending in zip(
        product(
            ("Aardvark", "Abacus", "Abbey", "Acorn", "Admiral", "Aerial"),
            ("sketch", "list", "plan", "draft", "copy"),
        ),
        ("pdf", "txt", "docx", "csv", "xlsx") * 6,
        strict=True,
    )
)
NEW = ("Berlin trip", "Old letters", "Wedding", "Repair shop", "House plans", "Poems", "Ski week", "Puzzles")


def _file(name: str, size: int = 40_000, folder: str = DOWNLOAD) -> str:
    return bind(FILES, path=f"{folder}/{name}", size=str(size))


def _downloads() -> tuple[PlanStep, ...]:
    return (open_app("Files"), tap("Download"))


def _stem(name: str) -> str:
    return name.rpartition(".")[0]


REMOVE = ("Delete the file {} in the downloads", "Erase {} from what I downloaded")


def remove(draw: Draw) -> Draft:
    """One file goes, another stays."""
    name = draw.own(NAMES)
    other = draw.any([another for another in NAMES if another != name])
    return Draft(
        goal=draw.any(REMOVE).format(name),
        setup=(*BY_NAME, _file(name), _file(other)),
        probes={"gone": where(FILES, name=name), "kept": where(FILES, name=other)},
        check=(rows("gone", 0), rows("kept", 1)),
        plan=(*_downloads(), hold(name), tap("#delete"), commit("Delete", within="Delete item?")),
        level=1,
        distinct=name,
    )


FOLDER = ('Make a place for files called "{}"', 'I need somewhere to keep files, name it "{}"')


def folder(draw: Draw) -> Draft:
    """A new folder at the top."""
    name = draw.own(NEW)
    return Draft(
        goal=draw.any(FOLDER).format(name),
        probes={"folder": where(FILES, path=f"/sdcard/{name}", is_dir="1")},
        check=(rows("folder", 1),),
        plan=(
            open_app("Files"),
            tap("More options"),
            tap("New folder"),
            write(name, "#name"),
            commit("Create"),
        ),
        level=2,
    )


RENAME = ('What I downloaded as {} should be called "{}"', 'Give the download {} the name "{}"')


def rename(draw: Draw) -> Draft:
    """Another name for a file."""
    name, title = draw.pair(NAMES, NEW)
    new = f"{title}.{name.rpartition('.')[2]}"  # with its ending, so that nobody wonders about it
    return Draft(
        goal=draw.any(RENAME).format(name, new),
        setup=(*BY_NAME, _file(name)),
        probes={"old": where(FILES, name=name), "new": where(FILES, path=f"{DOWNLOAD}/{new}")},
        check=(rows("old", 0), rows("new", 1)),
        plan=(
            *_downloads(),
            hold(name),
            tap("More options"),
            tap("Rename"),
            write(new, "#name"),
            commit("Rename"),
        ),
        level=2,
    )


MOVE = (
    "The download {} is in the wrong place: it belongs with my {}",
    "Put the download {} where I keep my {}",
)
COPY = (
    "Have the download {} among my {} as well; leave it where it is, too",
    "I want {} twice: among the downloads and with my {}",
)
WORDS = {
    "Documents": "paperwork",
    "Pictures": "photos",
    "Music": "songs",
    "Movies": "films",
    "Recordings": "voice memos",
}


def move(draw: Draw) -> Draft:
    """A file goes to another folder, or its copy does."""
    name, target, copy = draw.triple(NAMES, FOLDERS, (False, True))
    word = "Copy" if copy else "Move"
    return Draft(
        goal=draw.any(COPY if copy else MOVE).format(_stem(name), WORDS[target]),
        setup=(*BY_NAME, _file(name)),
        probes={
            "there": where(FILES, path=f"/sdcard/{target}/{name}"),
            "here": where(FILES, path=f"{DOWNLOAD}/{name}"),
        },
        check=(rows("there", 1), rows("here", int(copy))),
        plan=(
            *_downloads(),
            hold(name),
            tap("#copy" if copy else "#move"),
            commit("Up one level"),
            commit(target),
            commit(f"{word} here"),
        ),
        level=3,
    )


LARGEST = {
    True: ("The phone is full: delete whatever takes most room in {}", "Remove the heaviest file from {}"),
    False: ("Delete whatever takes least room in {}", "Remove the lightest file from {}"),
}


def largest(draw: Draw) -> Draft:
    """Compare sizes and delete one file."""
    name, home, most = draw.triple(NAMES, NEW, (True, False))
    others = draw.some([other for other in NAMES if other != name], 3)
    sizes = sorted(draw.some(range(20, 900), 4), reverse=most)
    place = f"/sdcard/{home}"
    files = [_file(one, size * 1000, place) for one, size in zip((name, *others), sizes, strict=True)]
    return Draft(
        goal=draw.any(LARGEST[most]).format(home),
        setup=(*BY_NAME, *draw.mixed(files)),
        probes={
            "gone": where(FILES, path=f"{place}/{name}"),
            "kept": where(FILES, parent=place),
        },
        check=(rows("gone", 0), rows("kept", 3)),
        plan=(
            open_app("Files"),
            tap(home),
            hold(name),
            tap("#delete"),
            commit("Delete", within="Delete item?"),
        ),
        level=3,
        distinct=name + home,
    )


SORT = {
    ("name", "1"): ("from the end of the alphabet to its start", "Name (Z to A)"),
    ("date", "0"): ("with what I have left untouched for longest on top", "Date modified (oldest first)"),
    ("date", "1"): ("with what I touched last on top", "Date modified (newest first)"),
    ("size", "0"): ("with the lightest on top", "Size (smallest first)"),
    ("size", "1"): ("with the heaviest on top", "Size (largest first)"),
}
ARRANGE = ("Arrange my files {}", "I want to see my files {}")


def arrange(draw: Draw) -> Draft:
    """Another order of files."""
    (key, descending), (words, label) = draw.own(tuple(SORT.items()))
    return Draft(
        goal=draw.any(ARRANGE).format(words),
        setup=(prefer(PREFERENCES, "sort", "name"), prefer(PREFERENCES, "descending", "0")),
        probes={
            name: f"content query --uri {PREFERENCES} --where \"name='{name}' AND value='{value}'\""
            for name, value in (("sort", key), ("descending", descending))
        },
        check=(rows("sort", 1), rows("descending", 1)),
        plan=(open_app("Files"), tap("More options"), tap("Sort by…"), commit(label)),
        level=2,
    )


KEEP = ("Keep only {} in {}, everything else in it may go", "Empty {1}, but spare {0}")


def spare(draw: Draw) -> Draft:
    """All files of a folder but one are deleted."""
    name, home = draw.pair(NAMES, NEW)
    others = draw.some([other for other in NAMES if other != name], 2)
    place = f"/sdcard/{home}"
    return Draft(
        goal=draw.any(KEEP).format(_stem(name), home),
        setup=(*BY_NAME, *(_file(one, folder=place) for one in draw.mixed([name, *others]))),
        probes={"kept": where(FILES, path=f"{place}/{name}"), "all": where(FILES, parent=place)},
        check=(rows("kept", 1), rows("all", 1)),
        plan=(
            open_app("Files"),
            tap(home),
            hold(others[0]),
            PlanStep("set", others[1], "on"),
            tap("#delete"),
            commit("Delete", within="Delete 2 items?"),
        ),
        level=3,
        distinct=name + home,
    )
