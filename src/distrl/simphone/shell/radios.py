"""Radios and system services from the shell: `svc`, `cmd`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.simphone import navigation, notifications
from distrl.simphone.apps.settings import networks
from distrl.simphone.radios import set_airplane_mode, set_radio
from distrl.simphone.shell.activities import pm
from distrl.simphone.shell.result import Command, ShellResult, failure, lines
from distrl.simphone.shell.settings import run_settings
from distrl.simphone.state import put_setting, setting

if TYPE_CHECKING:
    from distrl.simphone.phone import Phone

ON, OFF = ("enable", "enabled", "yes", "on"), ("disable", "disabled", "no", "off")


def svc(phone: Phone, args: list[str]) -> ShellResult:
    """`svc wifi|data|bluetooth|nfc enable|disable`."""
    if len(args) != 2 or args[1] not in ("enable", "disable"):
        return failure("Available commands: wifi, data, bluetooth, nfc", 255)
    on = args[1] == "enable"
    match args[0]:
        case "wifi" | "bluetooth":
            set_radio(phone.state, f"{args[0]}_on", on)
        case "data":
            put_setting(phone.state, "global", "mobile_data", "1" if on else "0")
        case "nfc":
            put_setting(phone.state, "secure", "nfc_on", "1" if on else "0")
        case _:
            return failure(f"Unknown service: {args[0]}", 255)
    phone.touched()
    return ShellResult()


def cmd(phone: Phone, args: list[str]) -> ShellResult:
    """`cmd connectivity|bluetooth_manager|wifi|uimode|statusbar|notification|appops|package|settings …`."""
    state = phone.state
    on = bool(args) and args[-1] in ON
    match args:
        case ["connectivity", "airplane-mode"]:
            return lines("enabled" if setting(state, "global", "airplane_mode_on") == "1" else "disabled")
        case ["connectivity", "airplane-mode", word] if word in ON + OFF:
            set_airplane_mode(state, on)
        case ["bluetooth_manager", word] if word in ON + OFF:
            set_radio(state, "bluetooth_on", on)
        case ["wifi", "set-wifi-enabled", word] if word in ON + OFF:
            set_radio(state, "wifi_on", on)
        case ["wifi", verb, *words] if verb in (
            "status",
            "list-networks",
            "connect-network",
            "forget-network",
        ):
            return _wifi(phone, verb, words)
        case ["uimode", "night", word] if word in ON + OFF:
            put_setting(state, "secure", "ui_night_mode", "2" if on else "1")
        case ["statusbar", "expand-notifications" | "expand-settings"]:
            if not state.overlays:
                navigation.overlay(state, "shade")
        case ["statusbar", "collapse"]:
            state.overlays = [entry for entry in state.overlays if entry.page != "shade"]
        case ["notification", "post", *rest]:
            return _post(phone, rest)
        case ["notification", "list"]:
            return lines(*(f"0|{one.package}|{one.id}|null|1000" for one in state.notifications))
        case ["appops", "get", package, "POST_NOTIFICATION"]:
            return lines(f"POST_NOTIFICATION: {'ignore' if package in state.silenced else 'allow'}")
        case ["appops", "set", package, "POST_NOTIFICATION", ("allow" | "ignore") as word]:
            notifications.allow(state, package, word == "allow")
        case ["package", *rest]:
            return pm(phone, rest)
        case ["settings", *rest]:
            return run_settings(phone, rest)
        case [service, *_]:
            return failure(f"cmd: Can't find service: {service}", 20)
        case _:
            return failure("cmd: no service specified; use -l to list all services", 255)
    phone.touched()
    return ShellResult()


def _wifi(phone: Phone, verb: str, words: list[str]) -> ShellResult:
    """`cmd wifi status|list-networks|connect-network NAME …|forget-network NAME`."""
    state = phone.state
    now = setting(state, "global", "wifi_network")
    match (verb, words):
        case ("status", _):
            if setting(state, "global", "wifi_on") != "1":
                return lines("Wifi is disabled")
            joined = f'Wifi is connected to "{now}"' if now else "Wifi is not connected"
            return lines("Wifi is enabled", joined)
        case ("list-networks", _):
            names = networks.saved_networks(state)
            return lines("Network Id  SSID", *(f"{number}  {name}" for number, name in enumerate(names)))
        case ("connect-network", [name, *_]):
            networks.connect(state, name)
        case ("forget-network", [name]):
            networks.forget(state, name)
        case _:
            return failure("Invalid args for wifi", 255)
    phone.touched()
    return ShellResult()


def _post(phone: Phone, words: list[str]) -> ShellResult:
    """`cmd notification post [-t TITLE] TAG TEXT`."""
    title = ""
    if words[:1] == ["-t"] and len(words) > 1:
        title, words = words[1], words[2:]
    if len(words) != 2:
        return failure("Usage: cmd notification post [-t TITLE] TAG TEXT", 255)
    notifications.post(phone.state, notifications.ANDROID, title or words[0], words[1])
    phone.touched()
    return lines("posting:", f"  Notification(tag={words[0]} title={title or words[0]})")


COMMANDS: dict[str, Command] = {"svc": svc, "cmd": cmd}
