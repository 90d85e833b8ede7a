"""Files from the shell: ls, cat, find, rm, mkdir, rmdir, cp, mv, touch, stat, and `test` for conditions."""

from __future__ import annotations

import stat as modes
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TYPE_CHECKING

from distrl.simphone import storage
from distrl.simphone.clock import UTC
from distrl.simphone.shell.result import Command, ShellResult, failure, lines

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

NONE = "No such file or directory"


def _parse(args: list[str]) -> tuple[set[str], list[str]]:
    """The letters of the options and the other words."""
    flags = {letter for word in args if word.startswith("-") and len(word) > 1 for letter in word[1:]}
    return flags, [word for word in args if not word.startswith("-") or word == "-"]


def _row(entry: storage.Entry) -> str:
    when = datetime.fromtimestamp(entry.modified, UTC)
    kind = "drwxrws--- 2" if entry.is_dir else "-rw-rw---- 1"
    size = 4096 if entry.is_dir else entry.size
    return f"{kind} root sdcard_rw {size:>9} {when:%Y-%m-%d %H:%M} {entry.name}"


def ls(phone: Phone, args: list[str]) -> ShellResult:
    """The files of folders; -l in full, -a hidden ones too, -d the folder itself."""
    flags, paths = _parse(args)
    printed: list[str] = []
    for path in paths or ["/"]:
        found = storage.find(phone.store, path)
        if found is None:
            return ShellResult("".join(f"{line}\n" for line in [*printed, f"ls: {path}: {NONE}"]), 1)
        if not found.is_dir or "d" in flags:
            printed.append(_row(found) if "l" in flags else path)
            continue
        entries = [
            entry
            for entry in storage.listing(phone.store, path)
            if not entry.name.startswith(".") or {"a", "A"} & flags
        ]
        if len(paths) > 1:
            printed.append(f"{path}:")
        if "l" in flags:
            printed.append(f"total {len(entries) * 4}")
        printed += [_row(entry) if "l" in flags else entry.name for entry in entries]
    return lines(*printed)


def cat(phone: Phone, args: list[str]) -> ShellResult:
    """The content of files, one after the other."""
    parts: list[bytes] = []
    for path in args:
        content = storage.read(phone.store, path)
        if content is None:
            return failure(f"cat: {path}: {NONE}")
        parts.append(content)
    whole = b"".join(parts)
    return ShellResult(whole.decode("utf-8", "replace"), 0, whole)


def rm(phone: Phone, args: list[str]) -> ShellResult:
    """Remove files; with -r folders too, with -f without complaint."""
    flags, paths = _parse(args)
    for path in _expanded(phone, paths):
        found = storage.find(phone.store, path)
        if found is None:
            if "f" not in flags:
                return failure(f"rm: {path}: {NONE}")
        elif found.is_dir and not {"r", "R"} & flags:
            return failure(f"rm: {path}: is a directory")
        elif not storage.remove(phone.store, path):
            return failure(f"rm: {path}: Permission denied")
    phone.touched()
    return ShellResult()


def _expanded(phone: Phone, paths: list[str]) -> list[str]:
    """Paths with `FOLDER/*` replaced by what is in the folder."""
    found: list[str] = []
    for path in paths:
        if path.endswith("/*"):
            found += [path[:-1] + entry.name for entry in storage.listing(phone.store, path[:-2])]
        else:
            found.append(path)
    return found


def find(phone: Phone, args: list[str]) -> ShellResult:
    """`find PATH… [-type f|d] [-o …] [-name PATTERN]`: everything below, paths as they were given."""
    split = next((place for place, word in enumerate(args) if word.startswith("-")), len(args))
    paths, tests = args[:split] or ["."], args[split:]
    pairs = list(pairwise(tests))
    kinds = {kind for sign, kind in pairs if sign == "-type"} or {"f", "d"}
    patterns = [pattern for sign, pattern in pairs if sign == "-name"] or ["*"]
    printed: list[str] = []

    def visit(path: str, entry: storage.Entry) -> None:
        named = any(fnmatchcase(entry.name, pattern) for pattern in patterns)
        if named and ("d" if entry.is_dir else "f") in kinds:
            printed.append(path)
        if entry.is_dir:
            for inner in storage.listing(phone.store, path):
                visit(f"{path.rstrip('/')}/{inner.name}", inner)

    for path in paths:
        found = storage.find(phone.store, path)
        if found is None:
            return ShellResult("".join(f"{line}\n" for line in [*printed, f"find: {path}: {NONE}"]), 1)
        visit(path, found)
    return lines(*printed)


def mkdir(phone: Phone, args: list[str]) -> ShellResult:
    """Create folders; with -p those above too, and no complaint."""
    flags, paths = _parse(args)
    for path in paths:
        parent = storage.find(phone.store, storage.normal(path).rsplit("/", 1)[0] or "/")
        if "p" not in flags and (parent is None or not parent.is_dir):
            return failure(f"mkdir: '{path}': {NONE}")
        if not storage.make_folder(phone.store, path) and "p" not in flags:
            exists = storage.find(phone.store, path) is not None
            return failure(f"mkdir: '{path}': {'File exists' if exists else 'Read-only file system'}")
    phone.touched()
    return ShellResult()


def rmdir(phone: Phone, args: list[str]) -> ShellResult:
    """Remove empty folders."""
    for path in args:
        if storage.listing(phone.store, path):
            return failure(f"rmdir: {path}: Directory not empty")
        if not storage.remove(phone.store, path):
            return failure(f"rmdir: {path}: {NONE}")
    phone.touched()
    return ShellResult()


def _copy(phone: Phone, name: str, args: list[str]) -> ShellResult:
    """`cp` and `mv` of one file, onto a path or into a folder."""
    _, paths = _parse(args)
    if len(paths) != 2:
        return failure(f"{name}: needs two paths")
    source, target = paths
    content, there = storage.read(phone.store, source), storage.find(phone.store, target)
    if content is None:
        return failure(f"{name}: bad '{source}': {NONE}")
    if there is not None and there.is_dir:
        target = f"{target}/{storage.normal(source).rsplit('/', 1)[1]}"
    if not storage.write(phone.store, target, content, show=True):
        return failure(f"{name}: {target}: Read-only file system")
    if name == "mv":
        storage.remove(phone.store, source)
    phone.touched()
    return ShellResult()


def touch(phone: Phone, args: list[str]) -> ShellResult:
    """Create empty files, or give files the date of now."""
    for path in _parse(args)[1]:
        if not storage.write(phone.store, path, storage.read(phone.store, path) or b"", show=True):
            return failure(f"touch: '{path}': Read-only file system")
    phone.touched()
    return ShellResult()


def stat(phone: Phone, args: list[str]) -> ShellResult:
    """`stat [-c FORMAT] PATH` with %s, %Y, %n and %F."""
    form = args[args.index("-c") + 1] if "-c" in args[:-1] else "  File: %n\n  Size: %s\t %F\nModify: %Y"
    path = args[-1] if args else ""
    found = storage.find(phone.store, path)
    if found is None:
        return failure(f"stat: '{path}': {NONE}")
    size, kind = (4096, "directory") if found.is_dir else (found.size, "regular file")
    values = {"%s": str(size), "%Y": str(found.modified), "%n": path, "%F": kind}
    for sign, value in values.items():
        form = form.replace(sign, value)
    return lines(form)


def test(phone: Phone, args: list[str]) -> ShellResult:
    """`test` and `[`: -d, -f, -e, -s on paths, -n, -z, = and != on words; `!` turns the answer round."""
    words = args[:-1] if args[-1:] == ["]"] else args
    if words[:1] == ["!"]:
        return ShellResult("", 1 - test(phone, words[1:]).code)
    match words:
        case ["-d" | "-f" | "-e" | "-s" | "-r" | "-w" as sign, path]:
            found = storage.find(phone.store, path)
            holds = found is not None and {
                "-d": found.is_dir, "-f": not found.is_dir, "-s": found.size > 0
            }.get(sign, True)  # fmt: skip
        case ["-n", word]:
            holds = bool(word)
        case ["-z", word]:
            holds = not word
        case [left, "=" | "==", right]:
            holds = left == right
        case [left, "!=", right]:
            holds = left != right
        case _:
            holds = False
    return ShellResult("", 0 if holds else 1)


def mode_of(entry: storage.Entry) -> int:
    """The mode bits of a file or folder, as the sync protocol sends them."""
    return modes.S_IFDIR | 0o771 if entry.is_dir else modes.S_IFREG | 0o660


COMMANDS: dict[str, Command] = {
    "[": test,
    "cat": cat,
    "find": find,
    "cp": lambda phone, args: _copy(phone, "cp", args),
    "ls": ls,
    "mkdir": mkdir,
    "mv": lambda phone, args: _copy(phone, "mv", args),
    "rm": rm,
    "rmdir": rmdir,
    "stat": stat,
    "test": test,
    "touch": touch,
}
