"""The small tools of a shell: getprop, date, echo, printf, whoami, ps, pidof, sleep."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from distrl.simphone import storage
from distrl.simphone.clock import UTC, moment
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

PROPERTY_TABLE = "properties"  # beside the settings tables, where `setprop` keeps what it sets


def getprop(phone: Phone, args: list[str]) -> ShellResult:
    """One property, or all of them."""
    known = {
        **PROPERTIES,
        **phone.state.settings.get(PROPERTY_TABLE, {}),
        "persist.sys.locale": setting(phone.state, "system", "system_locales", "en-US"),
        "persist.sys.timezone": setting(phone.state, "global", "time_zone", "Europe/London"),
    }
    if args:
        return lines(known.get(args[0], args[1] if len(args) > 1 else ""))
    return lines(*(f"[{name}]: [{value}]" for name, value in sorted(known.items())))


def date(phone: Phone, args: list[str]) -> ShellResult:
    """The phone's own clock, in a format if one is given (`date +%s`); `date MMDDhhmmYY.ss` sets it."""
    formats = [word[1:] for word in args if word.startswith("+")]
    given = [word for word in args if word[:1].isdecimal()]
    if given and not set_clock(phone, given[0]):
        return failure(f"date: bad date '{given[0]}'")
    now = moment(phone.state)
    if not formats:
        zone = "UTC" if setting(phone.state, "global", "time_zone") == "UTC" else "GMT"
        return lines(now.strftime(f"%a %b %e %H:%M:%S {zone} %Y"))
    text = formats[0].replace("%s", str(int(phone.state.now_s))).encode("ascii", "replace").decode()
    try:
        return lines(now.strftime(text))
    except ValueError:
        return failure(f"date: bad format '{formats[0]}'")


def set_clock(phone: Phone, text: str) -> bool:
    """Set the clock to `MMDDhhmm[[CC]YY][.ss]`; False if that is no date. What ends later still does."""
    state = phone.state
    whole, _, seconds = text.partition(".")
    form = {8: "%Y%m%d%H%M", 10: "%m%d%H%M%y", 12: "%m%d%H%M%Y"}.get(len(whole), "")
    if len(whole) == 8:
        whole = f"{moment(state).year}{whole}"
    try:
        wanted = datetime.strptime(whole, form).replace(tzinfo=UTC, second=int(seconds or 0)).timestamp()
    except ValueError:
        return False
    shift, state.now_s = wanted - state.now_s, wanted
    for entry in [entry for task in state.tasks for entry in task.stack]:
        entry.ready_at_s += shift if entry.ready_at_s else 0.0
    if state.toast is not None:
        state.toast.until_s += shift
    phone.touched()
    return True


def sleep(phone: Phone, args: list[str]) -> ShellResult:
    """Let the phone's own clock run."""
    seconds = number(args[0]) if args else None
    if seconds is None or seconds < 0:
        return failure("sleep: needs a number of seconds")
    phone.advance(seconds)
    return ShellResult()


def cd(phone: Phone, args: list[str]) -> ShellResult:
    """Whether there is such a folder; paths are always complete, so nothing else follows."""
    found = storage.find(phone.store, args[0] if args else "/")
    return (
        ShellResult() if found is not None and found.is_dir else failure(f"cd: {args[0]}: No such directory")
    )


def setprop(phone: Phone, args: list[str]) -> ShellResult:
    """Set a property until the phone is reset."""
    if len(args) != 2:
        return failure("usage: setprop NAME VALUE")
    phone.state.settings.setdefault(PROPERTY_TABLE, {})[args[0]] = args[1]
    return ShellResult()


def printf(phone: Phone, args: list[str]) -> ShellResult:
    """`printf FORMAT WORDS…` with %s and %d, \\n and \\t."""
    del phone
    text = args[0] if args else ""
    for word in args[1:]:
        text = re.sub("%[sd]", word.replace("\\", r"\\"), text, count=1)
    return ShellResult(text.replace("\\n", "\n").replace("\\t", "\t"))


def _processes(phone: Phone) -> dict[str, int]:
    """The packages that run, and their made-up numbers."""
    return {task.package: 2000 + 7 * index for index, task in enumerate(phone.state.tasks)}


def pidof(phone: Phone, args: list[str]) -> ShellResult:
    """The process of a package that is open."""
    found = [str(number) for name, number in _processes(phone).items() if name in args]
    return lines(" ".join(found)) if found else failure("")


def ps(phone: Phone, args: list[str]) -> ShellResult:
    """The packages that are open, as processes."""
    del args
    rows = (f"u0_a{number - 1900:<8} {number} S {name}" for name, number in _processes(phone).items())
    return lines("USER        PID S NAME", *rows)


def uptime_s(phone: Phone) -> int:
    """Seconds since boot by the phone's clock."""
    return int(phone.state.now_s - BOOT_TIME_S)


COMMANDS: dict[str, Command] = {
    "date": date,
    "echo": lambda _, args: lines(" ".join(args[1:] if args[:1] == ["-n"] else args)),
    "false": lambda *_: ShellResult("", 1),
    "getprop": getprop,
    "cd": cd,
    "id": lambda *_: lines("uid=2000(shell) gid=2000(shell)"),
    "logcat": lambda *_: ShellResult(),
    "pidof": pidof,
    "printf": printf,
    "ps": ps,
    "pwd": lambda *_: lines("/"),
    "setprop": setprop,
    "sleep": sleep,
    "true": lambda *_: ShellResult(),
    "uptime": lambda phone, _: lines(f"up {uptime_s(phone)} seconds"),
    "whoami": lambda *_: lines("shell"),
}
