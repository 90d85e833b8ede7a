"""Wi-Fi networks and Bluetooth devices: lists, connecting, pairing, forgetting, renaming."""

from __future__ import annotations

from distrl.simphone.app import go
from distrl.simphone.apps.settings.data import Ctx, Device
from distrl.simphone.scene import Message
from distrl.simphone.state import State, put_setting, setting
from distrl.simphone.widgets import (
    AppBar,
    Button,
    Column,
    Dialog,
    Icon,
    Page,
    Row,
    SectionHeader,
    Surface,
    Text,
    TextField,
    Widget,
)

# Name, whether a password is needed.
NETWORKS = (
    ("Maple House", True),
    ("Maple House Guest", False),
    ("Corner Cafe", False),
    ("Office 4F", True),
    ("Office 4F Guest", True),
    ("Library", False),
    ("Guest", False),
)
SECURED = {name for name, secured in NETWORKS if secured}
SHORTEST_PASSWORD = 8


def saved_networks(state: State) -> list[str]:
    """The networks that the phone knows."""
    return [name for name in setting(state, "global", "wifi_saved").split("|") if name]


def connect(state: State, name: str) -> None:
    """Join a network and remember it."""
    saved = saved_networks(state)
    if name not in saved:
        put_setting(state, "global", "wifi_saved", "|".join([*saved, name]))
    put_setting(state, "global", "wifi_network", name)


def forget(state: State, name: str) -> None:
    """Leave a network and no longer know it."""
    kept = [one for one in saved_networks(state) if one != name]
    put_setting(state, "global", "wifi_saved", "|".join(kept))
    if setting(state, "global", "wifi_network") == name:
        put_setting(state, "global", "wifi_network", "")


def network_rows(ctx: Ctx) -> list[Widget]:
    """The networks in reach, the connected one first."""
    if ctx.setting("global", "wifi_on") != "1":
        return [Text("Turn on Wi-Fi to see networks", 14, "faint", pad_y=12)]
    now, saved = ctx.setting("global", "wifi_network"), saved_networks(ctx.state)
    names = ctx.shuffled([name for name, _ in NETWORKS], "networks")
    names.sort(key=lambda name: (name != now, name not in saved))
    rows: list[Widget] = [SectionHeader("Networks")]
    for name in names:
        state = "Connected" if name == now else "Saved" if name in saved else ""
        known = name in saved
        rows.append(
            Row(
                title=name,
                subtitle=state,
                icon="wifi" if name == now else "network_wifi",
                icon_role="primary" if name == now else "faint",
                end_icon="settings" if known else "lock" if name in SECURED else "",
                on_end=go("network_info", network=name) if known else None,
                on_tap=("join", name),
            )
        )
    return rows


def build_network_info(ctx: Ctx) -> Surface:
    """One network that the phone knows."""
    name = ctx.arg_str("network")
    here = ctx.setting("global", "wifi_network") == name
    body: list[Widget] = [
        Icon("wifi", 48, "primary", pad_y=12),
        Text(name, 20, align=1),
        Text("Connected" if here else "Saved", 14, "faint", align=1, pad_y=8),
    ]
    if here:
        body.append(Button("Disconnect", ("leave", name), "tonal", icon="close"))
    else:
        body.append(Button("Connect", ("join", name), "tonal", icon="wifi"))
    body.append(Button("Forget", ("forget", name), "outlined", icon="delete"))
    body.append(Row(title="Security", subtitle="WPA2-Personal" if name in SECURED else "None"))
    return Page(Column(body, "network_info"), AppBar("Network details"))


def build_password(ctx: Ctx) -> Surface:
    """The password of a network that the phone does not know yet."""
    name = ctx.arg_str("network")
    send = ("join_with_password", name)
    return Dialog(
        name,
        body=[TextField("password", "Password", password=True, on_submit=send)],
        actions=[("Cancel", ("@back",)), ("Connect", send)],
    )


def device_rows(ctx: Ctx) -> list[Widget]:
    """Bluetooth devices that are paired, and the way to others."""
    if ctx.setting("global", "bluetooth_on") != "1":
        return [Text("Turn on Bluetooth to see your devices", 14, "faint", pad_y=12)]
    rows: list[Widget] = [
        Row(title="Pair new device", icon="add", on_tap=go("pair_list")),
        SectionHeader("Saved devices"),
    ]
    rows += [
        Row(
            title=one.name,
            subtitle="Connected" if one.connected else "",
            icon=one.icon,
            icon_role="primary" if one.connected else "faint",
            on_tap=("connect_device", one.id),
            end_icon="settings",
            on_end=go("device_info", device=one.id),
        )
        for one in ctx.data.devices
        if one.paired
    ]
    return rows


def build_pair_list(ctx: Ctx) -> Surface:
    """Devices in reach that are not paired."""
    others = [one for one in ctx.shuffled(ctx.data.devices, "bluetooth") if not one.paired]
    rows: list[Widget] = [
        Row(title=one.name, icon=one.icon, on_tap=go("pair", device=one.id)) for one in others
    ]
    phone = ctx.setting("global", "device_name", "Simphone 5")
    head = Row(title="Device name", subtitle=phone, on_tap=go("words", namespace="global", key="device_name"))
    return Page(
        Column([head, SectionHeader("Available devices"), *rows], "pair_list"), AppBar("Pair new device")
    )


def build_pair(ctx: Ctx) -> Surface:
    """Shall it be paired?"""
    one = ctx.data.device(ctx.arg_int("device"))
    name = one.name if one is not None else "this device"
    return Dialog(
        f"Pair with {name}?",
        "It will have access to your contacts and call history.",
        actions=[("Cancel", ("@back",)), ("Pair", ("pair", ctx.arg_int("device")))],
        icon="bluetooth",
    )


def build_device_info(ctx: Ctx) -> Surface:
    """One paired device."""
    one = ctx.data.device(ctx.arg_int("device"))
    if one is None:
        return Dialog("Device not found", actions=[("OK", ("@back",))])
    word = "Disconnect" if one.connected else "Connect"
    return Page(
        Column(
            [
                Icon(one.icon, 48, "primary", pad_y=12),
                Text(one.name, 20, align=1, pad_y=8),
                Button(word, ("connect_device", one.id), "tonal"),
                Button("Forget", ("forget_device", one.id), "outlined", icon="delete"),
                Row(title="Rename", subtitle=one.name, icon="edit", on_tap=go("rename", device=one.id)),
                Row(title="Bluetooth address", subtitle=one.address),
            ],
            "device_info",
        ),
        AppBar("Device details"),
    )


def build_rename(ctx: Ctx) -> Surface:
    """Another name for a device."""
    one = ctx.data.device(ctx.arg_int("device"))
    send = ("rename", ctx.arg_int("device"))
    field = TextField("name", "Device name", one.name if one is not None else "", on_submit=send)
    return Dialog("Rename device", body=[field], actions=[("Cancel", ("@back",)), ("Rename", send)])


def update_networks(ctx: Ctx, message: Message) -> bool:
    """Answer touches on these pages; False if the message is not about them."""
    state = ctx.state
    match message:
        case ("join", str(name)):
            if ctx.setting("global", "wifi_network") == name:
                ctx.go("network_info", network=name)
            elif name in SECURED and name not in saved_networks(state):
                ctx.go("wifi_password", network=name)
            else:
                connect(state, name)
                ctx.toast(f"Connected to {name}")
        case ("join_with_password", str(name)):
            if len(ctx.text("password")) < SHORTEST_PASSWORD:
                ctx.toast(f"The password has at least {SHORTEST_PASSWORD} characters")
            else:
                ctx.back()
                connect(state, name)
                ctx.toast(f"Connected to {name}")
        case ("leave", str(name)):
            if ctx.setting("global", "wifi_network") == name:
                ctx.put_setting("global", "wifi_network", "")
        case ("forget", str(name)):
            ctx.back()
            forget(state, name)
        case (str(verb), int(number)):
            one = ctx.data.device(number)
            return one is not None and _change_device(ctx, verb, one)
        case _:
            return False
    return True


def _change_device(ctx: Ctx, verb: str, one: Device) -> bool:
    match verb:
        case "connect_device":
            one.connected = not one.connected
        case "pair":
            ctx.back()
            one.paired = one.connected = True
            if ctx.top_page() == "pair_list":
                ctx.back()
            ctx.toast(f"Paired with {one.name}")
        case "forget_device":
            ctx.back()
            one.paired = one.connected = False
        case "rename":
            one.name = ctx.text("name", one.name).strip() or one.name
            ctx.back()
        case _:
            return False
    return True
