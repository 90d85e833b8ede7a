"""The files of the phone: a tree of names, sizes and dates; and the tables that show it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag, whole
from distrl.simphone.apps.files.names import contents, mime_type
from distrl.simphone.apps.preferences import preference_table
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.world import World

ROOT = "/sdcard"
PREFERENCES = {"sort": "name", "descending": "0", "view": "list", "show_hidden": "0"}
LARGEST = 10**12


class File(msgspec.Struct):
    """A file or folder; `path` is complete, `modified` in seconds since 1970."""

    id: int
    path: str
    size: int = 0
    modified: int = 0
    is_dir: bool = False

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[1]

    @property
    def parent(self) -> str:
        """The folder it lies in."""
        return self.path.rsplit("/", 1)[0]

    @property
    def hidden(self) -> bool:
        """Whether it is shown only on request."""
        return self.name.startswith(".")


def clean_path(path: str) -> str:
    """A complete path below the root, without empty, `.` and `..` parts; empty if nothing remains."""
    for root in (ROOT, "/storage/emulated/0"):
        if path == root or path.startswith(root + "/"):
            path = path[len(root) :]
            break
    parts = [part.strip() for part in path.split("/")]
    kept = [part for part in parts if part not in ("", ".", "..")]
    return "/".join([ROOT, *kept]) if kept else ""


class FilesData(msgspec.Struct):
    """All files and folders, in no particular order."""

    files: list[File]
    next_id: int
    preferences: dict[str, str] = msgspec.field(default_factory=lambda: dict(PREFERENCES))

    def find(self, file_id: int) -> File | None:
        """A file or folder by its number."""
        return next((file for file in self.files if file.id == file_id), None)

    def at(self, path: str) -> File | None:
        """A file or folder by its path."""
        return next((file for file in self.files if file.path == path), None)

    def inside(self, folder: str) -> list[File]:
        """What lies directly in a folder."""
        start = f"{folder}/"
        after = len(start)
        return [file for file in self.files if file.path.startswith(start) and file.path.find("/", after) < 0]

    def below(self, folder: str) -> list[File]:
        """Everything in a folder and its folders."""
        return [file for file in self.files if file.path.startswith(folder + "/")]

    def size_of(self, file: File) -> int:
        """The size of a file, or of all files in a folder."""
        return sum(inner.size for inner in self.below(file.path)) if file.is_dir else file.size

    def add(self, path: str, size: int = 0, modified: int = int(BOOT_TIME_S), is_dir: bool = False) -> File:
        """Add a file (or take it as it is if the path is taken), and the folders above it."""
        known = self.at(path)
        if known is not None:
            return known
        file = File(self.next_id, path, size, modified, is_dir)
        self.next_id += 1
        self.files.append(file)
        if file.parent != ROOT:
            self.add(file.parent, 0, modified, is_dir=True)
        return file

    def remove(self, file_id: int) -> None:
        """Delete a file, or a folder with all that is in it."""
        file = self.find(file_id)
        if file is not None:
            gone = {inner.id for inner in self.below(file.path)} | {file.id}
            self.files = [other for other in self.files if other.id not in gone]

    def free_path(self, folder: str, name: str) -> str:
        """A path for this name in a folder; if it is taken, a number is added before the ending."""
        stem, dot, ending = name.rpartition(".")
        if not stem:
            stem, dot, ending = name, "", ""
        path, number = f"{folder}/{name}", 1
        while self.at(path) is not None:
            path = f"{folder}/{stem} ({number}){dot}{ending}"
            number += 1
        return path

    def relocate(self, file: File, path: str) -> None:
        """Give a file or folder, and all that is in it, another path."""
        inner, before = self.below(file.path), file.path
        file.path = path
        for other in inner:
            other.path = path + other.path[len(before) :]

    def move(self, file: File, folder: str) -> bool:
        """Move into a folder; False if it lies there already or the folder lies inside it."""
        if file.parent == folder or f"{folder}/".startswith(f"{file.path}/"):
            return False
        self.relocate(file, self.free_path(folder, file.name))
        return True

    def copy(self, file: File, folder: str, now: int) -> bool:
        """Copy into a folder, with all that is in it; False if the folder lies inside it."""
        if f"{folder}/".startswith(f"{file.path}/"):
            return False
        path = self.free_path(folder, file.name)
        inner = self.below(file.path)
        self.add(path, file.size, now, file.is_dir)
        for other in inner:
            self.add(path + other.path[len(file.path) :], other.size, other.modified, other.is_dir)
        return True


def fill(world: World) -> FilesData:
    """The files of a world."""
    data = FilesData([], 1)
    for path, size, modified, is_dir in contents(world.seed):
        data.add(f"{ROOT}/{path}", size, modified, is_dir)
    return data


def _rows(data: FilesData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": file.id,
            "name": file.name,
            "path": file.path,
            "parent": file.parent,
            "size": file.size,
            "modified": file.modified,
            "is_dir": int(file.is_dir),
            "mime_type": "inode/directory" if file.is_dir else mime_type(file.name),
        }
        for file in sorted(data.files, key=lambda file: file.path.lower())
    ]


def _insert(data: FilesData, bound: Mapping[str, str]) -> None:
    path = clean_path(bound.get("path", "") or f"{bound.get('parent', '')}/{bound.get('name', '')}")
    if path:
        size = min(LARGEST, max(0, whole(bound, "size")))
        data.add(path, size, whole(bound, "modified", int(BOOT_TIME_S)), flag(bound, "is_dir"))


def _update(data: FilesData, row: int, bound: Mapping[str, str]) -> None:
    file = data.find(row)
    if file is None:
        return
    file.size = min(LARGEST, max(0, whole(bound, "size", file.size)))
    file.modified = whole(bound, "modified", file.modified)
    wanted = bound.get("path", "") or (f"{file.parent}/{bound['name']}" if bound.get("name") else "")
    path = clean_path(wanted) if wanted else ""
    if path and path != file.path and not path.startswith(file.path + "/") and data.at(path) is None:
        data.relocate(file, path)
        if file.parent != ROOT:
            data.add(file.parent, 0, file.modified, is_dir=True)


TABLES: dict[str, Table[FilesData]] = {
    "files": Table(_rows, _insert, _update, FilesData.remove),
    "preferences": preference_table(lambda data: data.preferences, PREFERENCES),
}
