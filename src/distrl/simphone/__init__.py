"""A simulated Android phone: apps, pixels, accessibility tree, shell; fast, deterministic, restorable."""

from distrl.simphone.node import Node
from distrl.simphone.phone import Phone
from distrl.simphone.shell import ShellResult
from distrl.simphone.trouble import PROFILES, Event, Profile, Trouble

__all__ = ["PROFILES", "Event", "Node", "Phone", "Profile", "ShellResult", "Trouble"]
