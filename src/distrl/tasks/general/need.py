"""What people want from a phone's settings, in words that do not stand on its screen.

Each need names a switch and says, in several ways, why somebody would want it on or off. The last way of
each is kept for the split that tests new phrasings. The needs themselves are in `needs.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from distrl.interfaces import PlanStep
from distrl.tasks.templates import Draw, open_app, switch, tap

SECURITY, INTERNET = "Security & privacy", "Internet"


@dataclass(frozen=True)
class Need:
    """A switch of the settings, and how people ask for its two states."""

    path: tuple[str, ...]  # the pages that lead to it
    label: str
    name: str  # what people call it
    table: str
    key: str
    wishes_on: tuple[str, str, str]
    wishes_off: tuple[str, str, str]
    on: str = "1"
    off: str = "0"

    def value(self, on: bool) -> str:
        """What Android stores for a state."""
        return self.on if on else self.off

    def put(self, on: bool) -> str:
        """The command that brings the switch to a state."""
        return f"settings put {self.table} {self.key} {self.value(on)}"

    @property
    def get(self) -> str:
        """The command that asks for the state."""
        return f"settings get {self.table} {self.key}"

    def wish(self, draw: Draw, on: bool) -> str:
        """A sentence without its full stop that asks for a state."""
        wishes = self.wishes_on if on else self.wishes_off
        return draw.say(wishes[:-1], wishes[-1:])

    def reach(self) -> tuple[PlanStep, ...]:
        """The way from the first page of the settings to the switch."""
        return tuple(map(tap, self.path))

    def plan(self, on: bool) -> tuple[PlanStep, ...]:
        """The way from anywhere to the switch, and its touch."""
        return (open_app("Settings"), *self.reach(), switch(self.label, on))
