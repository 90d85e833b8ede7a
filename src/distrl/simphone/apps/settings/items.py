"""The kinds of line on a settings page, each tied to one of Android's settings (namespace and key)."""

from __future__ import annotations

import msgspec


class Toggle(msgspec.Struct, frozen=True):
    """Something that is on or off."""

    title: str
    namespace: str
    key: str
    default: str = "0"
    subtitle: str = ""
    icon: str = ""
    on: str = "1"
    off: str = "0"
    words: str = ""


class Choice(msgspec.Struct, frozen=True):
    """One of several values; each option is (value in the table, word on the screen)."""

    title: str
    namespace: str
    key: str
    options: tuple[tuple[str, str], ...]
    default: str
    icon: str = ""
    words: str = ""


class Level(msgspec.Struct, frozen=True):
    """A whole number on a slider."""

    title: str
    namespace: str
    key: str
    low: int
    high: int
    default: str
    icon: str = ""
    words: str = ""


class Words(msgspec.Struct, frozen=True):
    """A piece of text that the user can change."""

    title: str
    namespace: str
    key: str
    default: str
    icon: str = ""
    words: str = ""


class Link(msgspec.Struct, frozen=True):
    """A line that leads to another page."""

    title: str
    page: str
    subtitle: str = ""
    icon: str = ""
    words: str = ""


class Fact(msgspec.Struct, frozen=True):
    """A line that only tells something; with `counts` it reacts to repeated touches."""

    title: str
    text: str
    counts: bool = False
    words: str = ""


class Heading(msgspec.Struct, frozen=True):
    """A title above the following lines."""

    title: str


Stored = Toggle | Choice | Level | Words
Item = Stored | Link | Fact | Heading


class SettingsPage(msgspec.Struct, frozen=True):
    """A page of settings; `icon` is empty for pages that the main list does not show."""

    title: str
    items: tuple[Item, ...]
    icon: str = ""
    summary: str = ""
