"""The phone's files: those that the Files app shows below /sdcard, and what was pushed, dumped or written.

The files of a made-up world have a name, a date and a size but no content: reading one gives zeros. Content
that was written is kept in the phone's state, so it is part of snapshots; other than text is kept as base64.
The content of a file that the Files app shows is kept by the file's number there, so that it moves with the
file and goes with it.
"""

from __future__ import annotations

import base64
import binascii

import msgspec

from distrl.simphone.apps.files.data import File, FilesData, fill
from distrl.simphone.state import BOOT_TIME_S
from distrl.simphone.store import Store
from distrl.simphone.world import world

SHARED = "/sdcard"
SAME_AS_SHARED = ("/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard", "/data/media/0")
FOLDERS = (
    "/", "/sdcard", "/storage", "/storage/emulated", "/data", "/data/local", "/data/local/tmp", "/data/data",
    "/data/app", "/system", "/system/bin", "/vendor", "/dev", "/proc", "/mnt",
)  # fmt: skip
READ_ONLY = ("/system", "/vendor", "/proc", "/dev")
FILES_APP = "com.android.documentsui"
LARGEST_READ = 64 * 2**20
_BINARY = "\x00base64:"


class Entry(msgspec.Struct, frozen=True):
    """A file or folder as `ls` and `adb pull` see it."""

    name: str
    is_dir: bool
    size: int = 0
    modified: int = int(BOOT_TIME_S)


def normal(path: str) -> str:
    """A complete path without `.`, `..`, doubled or trailing slashes, and with one name for /sdcard."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    clean = "/" + "/".join(parts)
    for other in SAME_AS_SHARED:
        if clean == other or clean.startswith(other + "/"):
            return SHARED + clean[len(other) :]
    return clean


def find(store: Store, path: str) -> Entry | None:
    """What is at a path, or None."""
    path = normal(path)
    name = path.rsplit("/", 1)[1]
    shown = _shown(store).at(path) if path.startswith(SHARED + "/") else None
    if shown is not None:
        return Entry(name, shown.is_dir, 0 if shown.is_dir else shown.size, shown.modified)
    written = store.state.files.get(path)
    if written is not None:
        return Entry(name, False, len(_decode(written)), int(store.state.now_s))
    inside = any(other.startswith(path + "/") for other in store.state.files)
    return Entry(name, True) if path in FOLDERS or inside else None


def listing(store: Store, path: str) -> list[Entry]:
    """What lies directly in a folder, by name."""
    prefix = normal(path).rstrip("/") + "/"
    names = {other[len(prefix) :].split("/")[0] for other in store.state.files if other.startswith(prefix)}
    names |= {other[len(prefix) :] for other in FOLDERS if other.startswith(prefix) and other != "/"}
    if prefix.startswith(SHARED + "/"):
        names |= {file.name for file in _shown(store).inside(prefix[:-1])}
    found = (find(store, prefix + name) for name in sorted(names) if name and "/" not in name)
    return [entry for entry in found if entry is not None]


def read(store: Store, path: str) -> bytes | None:
    """The content of a file; None if there is none, or it is a folder."""
    path = normal(path)
    shown = _shown(store).at(path) if path.startswith(SHARED + "/") else None
    if shown is None:
        written = store.state.files.get(path)
        return None if written is None else _decode(written)
    if shown.is_dir:
        return None
    content = _decode(store.state.files.get(_key(shown), ""))
    # Another size means that the app's files were made anew, and this number is now another file's.
    return content if len(content) == shown.size else bytes(min(shown.size, LARGEST_READ))


def write(store: Store, path: str, content: bytes, modified: int | None = None, show: bool = False) -> bool:
    """Write a file; `show` makes one below /sdcard known to the Files app. False where that cannot be."""
    path = normal(path)
    there = find(store, path)
    if path.startswith(READ_ONLY) or path in FOLDERS or (there is not None and there.is_dir):
        return False
    shown = _shown(store).at(path) if path.startswith(SHARED + "/") else None
    if shown is None and not (show and path.startswith(SHARED + "/")):
        store.state.files[path] = _encode(content)
        return True
    store.state.files.pop(path, None)
    file = shown or _shown(store).add(path)
    store.state.files[_key(file)] = _encode(content)
    file.size = len(content)
    file.modified = int(store.state.now_s) if modified is None else modified
    return True


def make_folder(store: Store, path: str) -> bool:
    """Create a folder; False if something is there already or nothing can be written there."""
    path = normal(path)
    if path.startswith(READ_ONLY) or find(store, path) is not None:
        return False
    if path.startswith(SHARED + "/"):
        _shown(store).add(path, modified=int(store.state.now_s), is_dir=True)
    else:
        store.state.files[path + "/"] = ""
    return True


def remove(store: Store, path: str) -> bool:
    """Remove a file, or a folder with all that is in it; False if there is none or it may not go."""
    path = normal(path)
    if path in FOLDERS or find(store, path) is None:
        return False
    files = store.state.files
    for other in [one for one in files if one == path or one.startswith(path + "/")]:
        del files[other]
    shown = _shown(store).at(path) if path.startswith(SHARED + "/") else None
    if shown is not None:
        for file in (shown, *_shown(store).below(path)):
            files.pop(_key(file), None)
        _shown(store).remove(shown.id)
    return True


def _key(file: File) -> str:
    """Where the content of a file of the Files app is kept; no path begins like this."""
    return f"#{file.id}"


def _shown(store: Store) -> FilesData:
    seed = store.state.world_seed
    return store.data(FILES_APP, FilesData, lambda: fill(world(seed)))


def _encode(content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _BINARY + base64.b64encode(content).decode()
    return _BINARY + base64.b64encode(content).decode() if text.startswith(_BINARY) else text


def _decode(text: str) -> bytes:
    if not text.startswith(_BINARY):
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode(text[len(_BINARY) :], validate=True)
    except binascii.Error:
        return b""
