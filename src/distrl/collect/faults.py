"""What can be wrong with a device, and how that is seen from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from distrl.errors import DeviceError, DeviceLost, DeviceTimeout
from distrl.imaging import decode_array
from distrl.records import Observation

HANG = "hang"  # no answer before the deadline
DISCONNECT = "disconnect"  # the connection is gone
REBOOT = "reboot"  # it answers, but is not the same running system as before
BLACK_SCREEN = "black_screen"  # a black picture and no tree, several times
ERROR = "error"  # it answered with an error
NO_BOOT = "no_boot"  # it cannot be opened in the first place
DIALOG = "dialog"  # "… isn't responding": a screen like any other, left to the agent
FAULT_KINDS = (HANG, DISCONNECT, REBOOT, BLACK_SCREEN, ERROR, NO_BOOT, DIALOG)

DARKEST = 8  # a pixel value up to which a screen counts as black: compression leaves some noise
_NOT_RESPONDING = ("isn't responding", "isn’t responding", "keeps stopping")


@dataclass(frozen=True)
class Fault:
    """One thing that went wrong during an episode."""

    kind: str  # one of FAULT_KINDS
    operation: str  # the call that met it: "reset", "observe", "act", "probe", "boot_id"
    survived: bool  # the episode went on
    remedy: str = ""  # what helped, if anything was needed: "reconnect", "look_again"
    repair_s: float = 0.0  # from noticing it to going on


@runtime_checkable
class Resumable(Protocol):
    """A device that can tell whether it is still the same running system; optional beside Device.

    Only such a device is used further in an episode after a fault: a phone that has restarted meanwhile may
    have lost what the agent did.
    """

    async def boot_id(self) -> str:
        """The same text as long as the system runs, another one after every restart; DeviceError if away."""


def kind_of(error: DeviceError | TimeoutError) -> str:
    """The kind of fault that an error tells of."""
    if isinstance(error, (TimeoutError, DeviceTimeout)):
        return HANG
    return DISCONNECT if isinstance(error, DeviceLost) else ERROR


def is_black(observation: Observation) -> bool:
    """Whether the screen shows nothing at all; with a tree it does not, whatever the picture looks like.

    Apps may forbid pictures of themselves, which gives a black picture with a tree: that is no fault.
    """
    return not observation.ui and int(decode_array(observation.screenshot).max(initial=0)) <= DARKEST


def has_stuck_app(observation: Observation) -> bool:
    """Whether the system says that an app does not respond or keeps stopping."""
    return any(phrase in node.text for node in observation.ui or () for phrase in _NOT_RESPONDING)
