"""A hand for the tests of apps: it finds things by what they say, as a person does."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from distrl.simphone.node import Node
from distrl.simphone.phone import Phone

BUTTONS_OF_CHANCE = ("BACK", "BACK", "HOME", "ENTER", "DEL")


class Hand:
    """Touches one phone by label: a text, a description or the end of a resource id."""

    def __init__(self, phone: Phone, app: str) -> None:
        self.phone = phone
        self.app = app
        assert phone.open_app(app)

    def find(self, label: str, nth: int = 0) -> Node:
        """The nth element with this label that can be seen."""
        found = [
            node
            for node in self.phone.tree()
            if label in (node.text, node.description) or node.resource_id.endswith(f":id/{label}")
        ]
        assert len(found) > nth, f"no {label!r} among {self.words()}"
        return found[nth]

    def sees(self, label: str) -> bool:
        """Whether something with this text or description is on the screen."""
        return any(label in (node.text, node.description) for node in self.phone.tree())

    def words(self) -> list[str]:
        """What the screen says."""
        return [node.text or node.description for node in self.phone.tree() if node.text or node.description]

    def tap(self, *labels: str) -> None:
        """Touch one thing after the other."""
        for label in labels:
            self.phone.tap(*self.find(label).centre)

    def tap_nth(self, label: str, nth: int) -> None:
        """Touch one of several things with the same label."""
        self.phone.tap(*self.find(label, nth).centre)

    def hold(self, label: str) -> None:
        """Touch and hold."""
        self.phone.long_press(*self.find(label).centre)

    def write(self, field: str, text: str) -> None:
        """Replace what stands in a field, then put the keyboard away."""
        self.tap(field)
        self.phone.clear_text()
        self.phone.type_text(text)
        self.phone.key("BACK")

    def scroll_to(self, label: str) -> None:
        """Scroll down until something is to be seen."""
        for _ in range(30):
            if self.sees(label):
                return
            self.phone.swipe(200, 560, 200, 360)
        raise AssertionError(f"no {label!r} however far one scrolls")

    def rows(self, table: str, where: str = "") -> str:
        """What the shell says about one of the app's tables."""
        condition = f' --where "{where}"' if where else ""
        return self.phone.shell(f"content query --uri content://{self.app}/{table}{condition}").stdout

    def bind(self, verb: str, table: str, where: str = "", **columns: str | int) -> None:
        """Insert, update or delete through the shell."""
        bound = "".join(f' --bind "{name}:s:{value}"' for name, value in columns.items())
        condition = f' --where "{where}"' if where else ""
        answer = self.phone.shell(f"content {verb} --uri content://{self.app}/{table}{condition}{bound}")
        assert answer.code == 0, answer

    def monkey(self, seed: int, steps: int) -> None:
        """Act at random, mostly on what can be touched; nothing may raise, and BACK must lead out."""
        chance = random.Random(seed)
        for _ in range(steps):
            nodes = [node for node in self.phone.tree() if node.clickable and node.package == self.app]
            act = chance.random()
            if act < 0.75 and nodes:
                place = chance.choice(nodes).centre
                (self.phone.long_press if act < 0.08 else self.phone.tap)(*place)
            elif act < 0.85:
                self.phone.swipe(*(chance.uniform(40, 690) for _ in range(4)))
            elif act < 0.92:
                self.phone.type_text(chance.choice(("7", "x/..", "12:30", "")))
            elif act < 0.96:
                self.phone.key(chance.choice(BUTTONS_OF_CHANCE))
            else:
                self.phone.restore(self.phone.snapshot())
            self.phone.advance(chance.uniform(0, 400))
            self.phone.open_app(self.app)
        self.phone.frame()
        for _ in range(100):
            if self.phone.foreground != self.app:
                return
            self.phone.key("BACK")
        raise AssertionError("BACK does not lead out")


@pytest.fixture
def hand() -> Callable[..., Hand]:
    """Opens an app on a phone of this seed and world and gives a hand to touch it with."""

    def opened(app: str, seed: int = 1, world: int = 3) -> Hand:
        phone = Phone(seed)
        phone.shell(f"simphone world {world}")
        phone.shell("settings put system font_scale 1.0")
        return Hand(phone, app)

    return opened
