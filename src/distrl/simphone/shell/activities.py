"""Apps from the shell: `am`, `pm`, `monkey`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone import navigation, packages, permissions
from distrl.simphone.apps.registry import APPS, BY_PACKAGE, find_app
from distrl.simphone.navigation import KEYBOARD, LAUNCHER, SYSTEM_UI
from distrl.simphone.shell import keyboards, providers
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.system.screen import app_of

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

VIEW = "android.intent.action.VIEW"
INSERT = "android.intent.action.INSERT"
SYSTEM_PACKAGES = ("android", LAUNCHER, SYSTEM_UI, KEYBOARD)
USUAL_APPS = {
    "content://com.android.calendar": "com.android.calendar",
    "content://contacts/people": "com.android.contacts",
    "http://": "com.simphone.browser",
    "mailto:": "com.simphone.mail",
}
"""Beginnings of addresses that no app claims a page for, and the app that opens."""
EXTRAS = ("-e", "--es", "--ei", "--ez", "--el", "--ef")
WITH_VALUE = ("-a", "-n", "-d", "-c", "-t", "-f", "-p", *EXTRAS, "--user")


def _options(args: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    index = 0
    while index < len(args):
        if args[index] in WITH_VALUE and index + 1 < len(args):
            found[args[index]] = args[index + 1]
            index += 3 if args[index] in EXTRAS else 2
        else:
            if not args[index].startswith("-"):
                found.setdefault("", args[index])
            index += 1
    return found


def _extras(args: list[str]) -> dict[str, str]:
    """What an intent carries: the pairs after -e, --es, --ei, --ez and their kin."""
    places = (index for index, word in enumerate(args) if word in EXTRAS)
    return {args[place + 1]: args[place + 2] for place in places if place + 2 < len(args)}


def _start(phone: Phone, args: list[str]) -> ShellResult:
    options = _options(args)
    state = phone.state
    component = options.get("-n") or options.get("-p") or options.get("", "")
    action, uri = options.get("-a", ""), options.get("-d", "")
    if uri:
        for app in APPS:
            found = app.page_for_uri(uri) if app.page_for_uri is not None else None
            if found is not None and app.package in state.packages:
                navigation.launch(state, app.package, *found)
                phone.touched()
                return lines(f"Starting: Intent {{ act={action or VIEW} dat={uri} }}")
        usual = next((package for start, package in USUAL_APPS.items() if uri.startswith(start)), "")
        if usual and phone.open_app(usual):
            return lines(f"Starting: Intent {{ act={action or VIEW} dat={uri} }}")
        return failure(f"Error: Activity not started, unable to resolve Intent {{ dat={uri} }}")
    if component:
        if component.split("/")[0] == LAUNCHER:
            navigation.home(state)
            phone.touched()
            return lines(f"Starting: Intent {{ cmp={component} }}")
        if component.split("/")[0] == providers.CLIPPER:
            providers.show_clipper(phone)
            return lines(f"Starting: Intent {{ cmp={component} }}")
        named = BY_PACKAGE.get(component.split("/")[0])
        if named is None or not phone.open_app(named.package):
            return failure(f"Error type 3\nError: Activity class {{{component}}} does not exist.")
        return lines(f"Starting: Intent {{ cmp={component} }}")
    if action == "android.intent.action.MAIN":
        navigation.home(state)
        phone.touched()
        return lines(f"Starting: Intent {{ act={action} }}")
    for app in APPS:
        if action in app.intents and app.package in state.packages:
            page = app.intents[action]
            navigation.launch(state, app.package, "" if page == "main" else page)
            if action == INSERT:
                navigation.top(state).fields.update(
                    _extras(args)
                )  # name, phone, email, as the form calls them
            phone.touched()
            return lines(f"Starting: Intent {{ act={action} }}")
    return failure(f"Error: Activity not started, unable to resolve Intent {{ act={action} }}")


def first_activity(package: str) -> str:
    """An app's first activity in full."""
    activity = app_of(package).activity
    return f"{package}/{package}{activity}" if activity.startswith(".") else f"{package}/{activity}"


def task_numbers(phone: Phone) -> list[tuple[str, int]]:
    """The open apps, the one in front first, and the numbers of their tasks: 1 is the launcher's."""
    known = [LAUNCHER, *BY_PACKAGE]
    return [(task.package, 1 + known.index(task.package)) for task in reversed(phone.state.tasks)]


def _stacks(phone: Phone) -> list[str]:
    """What `am stack list` prints; only the app in front is visible."""
    frame = f"[0,0][{phone.width},{phone.height}]"
    printed = []
    for place, (package, number) in enumerate(task_numbers(phone)):
        name, visible = first_activity(package), str(place == 0).lower()
        printed.append(f"RootTask id={number} bounds={frame} displayId=0 userId=0")
        printed.append(
            f"  taskId={number}: {name} bounds={frame} userId=0 visible={visible} "
            f"topActivity=ComponentInfo{{{name}}}"
        )
    return printed


def am(phone: Phone, args: list[str]) -> ShellResult:
    """`am start …`, `am force-stop PACKAGE`, `am broadcast …`, `am stack list`, `am stack remove NUMBER`."""
    verb, rest = (args[0], args[1:]) if args else ("", [])
    if verb in ("start", "start-activity"):
        return _start(phone, rest)
    if verb in ("force-stop", "kill") and rest:
        navigation.close(phone.state, rest[-1])
        phone.touched()
        return ShellResult()
    if verb == "broadcast":
        action = _options(rest).get("-a", "")
        keyboards.broadcast(phone, action, _extras(rest))
        answer = providers.clipper(phone, action, _extras(rest))
        result = "result=0" if answer is None else f'result=-1, data="{answer}"'
        return lines(f"Broadcasting: Intent {{ act={action} }}", f"Broadcast completed: {result}")
    if verb in ("stack", "task") and rest == ["list"]:
        return lines(*_stacks(phone))
    if verb == "stack" and len(rest) == 2 and rest[0] == "remove":
        for package in [package for package, number in task_numbers(phone) if str(number) == rest[1]]:
            navigation.close(phone.state, package)
        phone.touched()
        return ShellResult()
    return failure(f"Error: unknown command '{verb}'", 255)


def pm(phone: Phone, args: list[str]) -> ShellResult:
    """`pm list packages [WORD]`, `pm path|clear|uninstall PACKAGE`, `pm grant|revoke PACKAGE PERMISSION`."""
    state = phone.state
    if args[:2] == ["list", "packages"]:
        words = [word for word in args[2:] if not word.startswith("-")]
        names = state.packages if "-3" in args else [*SYSTEM_PACKAGES, *providers.PACKAGES, *state.packages]
        return lines(*(f"package:{name}" for name in sorted(names) if not words or words[0] in name))
    if args[:1] == ["path"] and len(args) == 2:
        if args[1] in (*SYSTEM_PACKAGES, *state.packages):
            return lines(f"package:/data/app/{args[1]}/base.apk")
        return failure("")
    if args[:1] == ["clear"] and len(args) == 2:
        if args[1] in providers.PACKAGES:
            providers.clear(phone, args[1])
            phone.touched()
            return lines("Success")
        if args[1] not in state.packages:
            return failure("Failed")
        navigation.close(state, args[1])
        phone.store.forget(args[1])
        phone.touched()
        return lines("Success")
    if len(args) == 2 and args[0] == "uninstall":
        if args[1] not in state.packages or not packages.removable(args[1]):
            return failure("Failure [DELETE_FAILED_INTERNAL_ERROR]")
        packages.uninstall(phone.store, args[1])
        phone.touched()
        return lines("Success")
    if len(args) == 3 and args[0] in ("grant", "revoke"):
        permission = permissions.by_android_name(args[2])
        if args[1] not in state.packages or not permission:
            return failure(
                f"Exception occurred while executing '{args[0]}': unknown package or permission", 255
            )
        permissions.put(state, args[1], permission, "granted" if args[0] == "grant" else "denied")
        phone.touched()
        return ShellResult()
    return failure("Package manager (package) commands: list, path, clear, uninstall, grant, revoke", 255)


def monkey(phone: Phone, args: list[str]) -> ShellResult:
    """`monkey -p PACKAGE 1`, which people use to start an app."""
    package = args[args.index("-p") + 1] if "-p" in args[:-1] else ""
    app = find_app(package)
    if app is None or not phone.open_app(app.package):
        return failure("** No activities found to run, monkey aborted.", 252)
    return lines("Events injected: 1")


COMMANDS: dict[str, Command] = {"am": am, "pm": pm, "monkey": monkey}
