"""`dumpsys`: the few lines that agents and checks look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone import navigation
from distrl.simphone.navigation import KEYBOARD
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.state import setting
from distrl.simphone.system.screen import app_of

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone


def _component(phone: Phone) -> str:
    package = navigation.owner(phone.state)
    return f"{package}/{package}{app_of(package).activity}"


def _window(phone: Phone) -> ShellResult:
    component = _component(phone)
    return lines(
        "WINDOW MANAGER WINDOWS (dumpsys window windows)",
        f"  mCurrentFocus=Window{{5c1f9a2 u0 {component}}}",
        f"  mFocusedApp=ActivityRecord{{8a3b1c u0 {component} t7}}",
        f"  mInputMethodWindow=Window{{1b2c3d u0 InputMethod {KEYBOARD}}}",
        "  mScreenOn=true",
    )


def _activity(phone: Phone) -> ShellResult:
    printed = ["ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)"]
    for number, task in enumerate(reversed(phone.state.tasks)):
        component = f"{task.package}/{app_of(task.package).activity}"
        printed.append(f"  * Task{{{number} {task.package} pages={len(task.stack)}}}")
        printed.append(f"    topActivity=ComponentInfo{{{component}}} page={task.stack[-1].page}")
    front = phone.state.tasks[-1].package
    record = f"ActivityRecord{{8a3b1c u0 {front}/{app_of(front).activity} t7}}"
    printed += [f"  topResumedActivity={record}", f"  mResumedActivity: {record}"]
    return lines(*printed)


def _battery(phone: Phone) -> ShellResult:
    level = setting(phone.state, "global", "battery_level", "85")
    return lines(
        "Current Battery Service state:",
        "  AC powered: false",
        "  USB powered: false",
        "  status: 3",
        "  health: 2",
        "  present: true",
        f"  level: {level}",
        "  scale: 100",
        "  temperature: 274",
    )


def _input(phone: Phone) -> ShellResult:
    frame = f"[0, 0, {phone.width}, {phone.height}]"
    return lines(
        "INPUT MANAGER (dumpsys input)",
        f"  Viewport INTERNAL: displayId=0, orientation=0, logicalFrame={frame}, "
        f"physicalFrame={frame}, deviceSize=[{phone.width}, {phone.height}]",
        "  SurfaceOrientation: 0",
    )


def _input_method(phone: Phone) -> ShellResult:
    shown = str(phone.state.keyboard.shown).lower()
    return lines(
        "Current Input Method Manager state:", f"  mInputShown={shown}", f"  mCurId={KEYBOARD}/.LatinIME"
    )


SERVICES = {
    "window": _window,
    "activity": _activity,
    "battery": _battery,
    "input": _input,
    "input_method": _input_method,
}


def dumpsys(phone: Phone, args: list[str]) -> ShellResult:
    """`dumpsys SERVICE`; further words (`windows`, `activities`, `top`) change nothing."""
    if args[:1] == ["-l"] or not args:
        return lines("Currently running services:", *(f"  {name}" for name in sorted(SERVICES)))
    service = SERVICES.get(args[0])
    return service(phone) if service is not None else failure(f"Can't find service: {args[0]}", 0)


COMMANDS: dict[str, Command] = {"dumpsys": dumpsys}
