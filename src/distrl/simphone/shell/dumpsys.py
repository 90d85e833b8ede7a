"""`dumpsys`: the few lines that agents and checks look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone import navigation, permissions
from distrl.simphone.apps.settings.data import SettingsData, fill
from distrl.simphone.navigation import KEYBOARD, LAUNCHER
from distrl.simphone.permissions import PERMISSIONS
from distrl.simphone.shell import keyboards
from distrl.simphone.shell.activities import first_activity, task_numbers
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.state import put_setting, setting
from distrl.simphone.system.screen import app_of
from distrl.simphone.world import world

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
        "  mCurrentRotation=ROTATION_0",
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


def _recents(phone: Phone) -> ShellResult:
    printed = ["ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)"]
    opened = [(package, number) for package, number in task_numbers(phone) if package != LAUNCHER]
    for place, (package, number) in enumerate(opened):
        printed.append(f"  * RecentTaskInfo #{place}:")
        printed.append(f"    id={number} userId=0 hasTask=true baseActivity={{{first_activity(package)}}}")
    return lines(*printed)


def _telephony(phone: Phone) -> ShellResult:
    del phone
    return lines("last known state:", "  Phone Id=0", "    mCallState=0", "    mRingingCallState=0")


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
        "Current Input Method Manager state:",
        f"  mInputShown={shown}",
        f"  mCurId={keyboards.current(phone)}",
    )


def _notification(phone: Phone) -> ShellResult:
    state = phone.state
    printed = ["Current Notification Manager state:", "  Notification List:"]
    for one in state.notifications:
        printed.append(f"    NotificationRecord(0x{one.id:08x}: pkg={one.package} id={one.id} importance=3)")
        printed += [f"      android.title=String ({one.title})", f"      android.text=String ({one.text})"]
    printed.append("  AppSettings:")
    for package in sorted(state.packages):
        importance = "NONE" if package in state.silenced else "DEFAULT"
        printed.append(f"    AppSettings: {package} importance={importance}")
    return lines(*printed)


def _bluetooth(phone: Phone) -> ShellResult:
    seed = phone.state.world_seed
    data = phone.store.data("com.android.settings", SettingsData, lambda: fill(world(seed)))
    on = setting(phone.state, "global", "bluetooth_on") == "1"
    printed = ["Bluetooth Status", f"  enabled: {str(on).lower()}", "  Bonded devices:"]
    bonded = [one for one in data.devices if one.paired]
    return lines(
        *printed, *(f"    {one.address} {one.name} connected={str(one.connected).lower()}" for one in bonded)
    )


SERVICES = {
    "window": _window,
    "activity": _activity,
    "battery": _battery,
    "bluetooth_manager": _bluetooth,
    "input": _input,
    "input_method": _input_method,
    "notification": _notification,
    "telephony.registry": _telephony,
}


def _package(phone: Phone, package: str) -> ShellResult:
    state = phone.state
    if package not in state.packages:
        return lines(f"Unable to find package: {package}")
    app = app_of(package)
    printed = [
        "Packages:",
        f"  Package [{package}]:",
        f"    userId={10000 + state.packages.index(package)}",
        f"    versionName=1.0 {app.label}",
        "    runtime permissions:",
    ]
    for name in permissions.wanted_by(state, package):
        answer = permissions.answer(state, package, name)
        granted = str(answer in ("granted", "once")).lower()
        flags = {"": "", "once": " USER_SET|ONE_TIME", "granted": " USER_SET", "denied": " USER_SET"}[answer]
        printed.append(f"      {PERMISSIONS[name].android_name}: granted={granted}, flags=[{flags}]")
    return lines(*printed)


def dumpsys(phone: Phone, args: list[str]) -> ShellResult:
    """`dumpsys SERVICE`; further words (`windows`, `activities`, `top`) change nothing."""
    if args[:1] == ["-l"] or not args:
        return lines("Currently running services:", *(f"  {name}" for name in sorted([*SERVICES, "package"])))
    if args[:3] == ["battery", "set", "level"] and len(args) == 4 and args[3].isdecimal():
        put_setting(phone.state, "global", "battery_level", str(min(100, int(args[3]))))
        phone.touched()
        return ShellResult()
    if args[:2] == ["activity", "recents"]:
        return _recents(phone)
    if args[0] == "package":
        return _package(phone, args[1] if len(args) > 1 else "")
    service = SERVICES.get(args[0])
    return service(phone) if service is not None else failure(f"Can't find service: {args[0]}", 0)


COMMANDS: dict[str, Command] = {"dumpsys": dumpsys}
