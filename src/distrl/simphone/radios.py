"""The radios hang together: airplane mode switches the others off, and remembers which were on."""

from __future__ import annotations

from distrl.simphone.state import State, put_setting, setting

RADIOS = ("wifi_on", "bluetooth_on")


def set_airplane_mode(state: State, on: bool) -> None:
    """Switch airplane mode; leaving it brings back the radios that it had switched off."""
    if (setting(state, "global", "airplane_mode_on") == "1") == on:
        return
    put_setting(state, "global", "airplane_mode_on", "1" if on else "0")
    if on:
        were_on = [radio for radio in RADIOS if setting(state, "global", radio) == "1"]
        put_setting(state, "global", "airplane_mode_restores", ",".join(were_on))
        for radio in were_on:
            put_setting(state, "global", radio, "0")
    else:
        for radio in setting(state, "global", "airplane_mode_restores").split(","):
            if radio in RADIOS:
                put_setting(state, "global", radio, "1")
        put_setting(state, "global", "airplane_mode_restores", "")


def set_radio(state: State, radio: str, on: bool) -> None:
    """Switch Wi-Fi (`wifi_on`) or Bluetooth (`bluetooth_on`); both may be used in airplane mode."""
    put_setting(state, "global", radio, "1" if on else "0")


def online(state: State) -> bool:
    """Whether the phone has a way into the internet."""
    if setting(state, "global", "wifi_on") == "1" and setting(state, "global", "wifi_network"):
        return True
    flying = setting(state, "global", "airplane_mode_on") == "1"
    return setting(state, "global", "mobile_data") == "1" and not flying
