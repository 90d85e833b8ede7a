"""What the Settings app itself remembers: almost all settings live in Android's tables."""

from __future__ import annotations

import msgspec

from distrl.simphone.app import Cells, Context, Table
from distrl.simphone.world import World


class Device(msgspec.Struct):
    """A Bluetooth device in reach."""

    id: int
    name: str
    icon: str
    address: str
    paired: bool = False
    connected: bool = False


class SettingsData(msgspec.Struct):
    """Bluetooth devices, and what was touched how often."""

    devices: list[Device]
    build_number_taps: int = 0
    tip_dismissed: bool = False

    def device(self, number: int) -> Device | None:
        """The Bluetooth device with this id."""
        return next((one for one in self.devices if one.id == number), None)


Ctx = Context[SettingsData]

# Name, icon, paired at first.
DEVICES = (
    ("Aria Buds", "headphones", True),
    ("Aria Buds Pro", "headphones", False),
    ("Trail Watch 2", "watch", True),
    ("Living Room Speaker", "speaker", False),
    ("Kitchen Speaker", "speaker", False),
    ("Van Stereo", "directions_car", False),
    ("Slim Keyboard", "keyboard", False),
)


def fill(world: World) -> SettingsData:
    """The same devices are near every fresh phone."""
    del world
    devices = [
        Device(number, name, icon, f"5C:F3:70:8B:12:{16 + number:02X}", paired)
        for number, (name, icon, paired) in enumerate(DEVICES, 1)
    ]
    return SettingsData(devices)


def _device_rows(data: SettingsData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": one.id,
            "name": one.name,
            "address": one.address,
            "paired": int(one.paired),
            "connected": int(one.connected),
        }
        for one in data.devices
    ]


TABLES: dict[str, Table[SettingsData]] = {"bluetooth": Table(_device_rows)}
