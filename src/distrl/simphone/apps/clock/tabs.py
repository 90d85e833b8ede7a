"""The bar at the foot of the clock's four main pages."""

from __future__ import annotations

from distrl.simphone.widgets import BottomNav, Destination

TABS = (
    ("Alarms", "alarm", "main"),
    ("World clock", "public", "world"),
    ("Timer", "hourglass_empty", "timer"),
    ("Stopwatch", "timer", "stopwatch"),
)


def clock_tabs(selected: int) -> BottomNav:
    """The bar with one of its places marked."""
    return BottomNav([Destination(label, icon, ("tab", page)) for label, icon, page in TABS], selected)
