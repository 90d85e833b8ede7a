"""The small tools of a shell: getprop, date, echo, whoami, ls, cat, sleep, test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone.clock import moment
from distrl.simphone.shell.result import Command, ShellResult, failure, lines, number
from distrl.simphone.state import BOOT_TIME_S, setting

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

PROPERTIES = {
    "ro.build.version.release": "14",
    "ro.build.version.sdk": "34",
    "ro.build.id": "SP1A.240514.001",
    "ro.product.brand": "simphone",
    "ro.product.device": "simphone",
    "ro.product.manufacturer": "Simphone",
    "ro.product.model": "SP-412",
    "ro.product.name": "simphone_5",
    "ro.serialno": "SP41200732",
    "ro.sf.lcd_density": "160",
    "sys.boot_completed": "1",
    "init.svc.bootanim": "stopped",
}
FOLDERS = ("/", "/sdcard", "/data", "/system", "/storage/emulated/0")


def getprop(phone: Phone, args: list[str]) -> ShellResult:
    """One property, or all of them."""
    known = {
        **PROPERTIES,
        "persist.sys.locale": setting(phone.state, "system", "system_locales", "en-US"),
        "persist.sys.timezone": setting(phone.state, "global", "time_zone", "Europe/London"),
    }
    if args:
        return lines(known.get(args[0], args[1] if len(args) > 1 else ""))
    return lines(*(f"[{name}]: [{value}]" for name, value in sorted(known.items())))


def date(phone: Phone, args: list[str]) -> ShellResult:
    """The phone's own clock, in a format if one is given (`date +%s`)."""
    now = moment(phone.state)
    formats = [word[1:] for word in args if word.startswith("+")]
    if not formats:
        return lines(now.strftime("%a %b %e %H:%M:%S GMT %Y"))
    text = formats[0].replace("%s", str(int(phone.state.now_s))).encode("ascii", "replace").decode()
    try:
        return lines(now.strftime(text))
    except ValueError:
        return failure(f"date: bad format '{formats[0]}'")


def ls(phone: Phone, args: list[str]) -> ShellResult:
    """The files of a folder, as far as there are any."""
    path = next((word for word in args if not word.startswith("-")), "/").rstrip("/") or "/"
    if path in phone.state.files:
        return lines(path)
    prefix = path.rstrip("/") + "/"
    names = {name[len(prefix) :].split("/")[0] for name in phone.state.files if name.startswith(prefix)}
    if not names and path not in FOLDERS:
        return failure(f"ls: {path}: No such file or directory")
    return lines(*sorted(names))


def cat(phone: Phone, args: list[str]) -> ShellResult:
    """The content of a file."""
    if args and args[0] in phone.state.files:
        return ShellResult(phone.state.files[args[0]])
    return failure(f"cat: {args[0] if args else ''}: No such file or directory")


def rm(phone: Phone, args: list[str]) -> ShellResult:
    """Remove files."""
    for path in args:
        if not path.startswith("-") and phone.state.files.pop(path, None) is None and "-f" not in args:
            return failure(f"rm: {path}: No such file or directory")
    return ShellResult()


def sleep(phone: Phone, args: list[str]) -> ShellResult:
    """Let the phone's own clock run."""
    seconds = number(args[0]) if args else None
    if seconds is None or seconds < 0:
        return failure("sleep: needs a number of seconds")
    phone.advance(seconds)
    return ShellResult()


def test(phone: Phone, args: list[str]) -> ShellResult:
    """`test` and `[`: -d, -f, -e on paths, = and != on words."""
    words = args[:-1] if args[-1:] == ["]"] else args
    match words:
        case ["-d", path]:
            holds = path.rstrip("/") in FOLDERS
        case ["-f" | "-e", path]:
            holds = path in phone.state.files
        case [left, "=" | "==", right]:
            holds = left == right
        case [left, "!=", right]:
            holds = left != right
        case _:
            holds = False
    return ShellResult("", 0 if holds else 1)


def uptime_s(phone: Phone) -> int:
    """Seconds since boot by the phone's clock."""
    return int(phone.state.now_s - BOOT_TIME_S)


COMMANDS: dict[str, Command] = {
    "[": test,
    "cat": cat,
    "date": date,
    "echo": lambda _, args: lines(" ".join(args[1:] if args[:1] == ["-n"] else args)),
    "false": lambda *_: ShellResult("", 1),
    "getprop": getprop,
    "id": lambda *_: lines("uid=2000(shell) gid=2000(shell)"),
    "ls": ls,
    "rm": rm,
    "sleep": sleep,
    "test": test,
    "true": lambda *_: ShellResult(),
    "uptime": lambda phone, _: lines(f"up {uptime_s(phone)} seconds"),
    "whoami": lambda *_: lines("shell"),
}
