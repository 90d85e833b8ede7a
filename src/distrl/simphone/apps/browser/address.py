"""Web addresses as the browser uses them: `larkspur.market/search?q=shoes`."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import msgspec


class Address(msgspec.Struct, frozen=True):
    """Host, path and query of a page."""

    host: str
    path: tuple[str, ...] = ()
    query: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The address as it is written."""
        text = "/".join((self.host, *self.path))
        return f"{text}?{urlencode(self.query)}" if self.query else text

    def part(self, index: int) -> str:
        """A part of the path, empty where there is none."""
        return self.path[index] if index < len(self.path) else ""

    def number(self, index: int) -> int:
        """A part of the path as a number, -1 where it is none."""
        text = self.part(index)
        return int(text) if text.isdecimal() and len(text) < 10 else -1

    def with_query(self, **changes: str) -> Address:
        """The same page with other query words; an empty word is left out."""
        query = {name: value for name, value in {**self.query, **changes}.items() if value}
        return Address(self.host, self.path, query)


def parse(text: str) -> Address:
    """Read an address; whatever was typed gives some address."""
    text = text.strip().removeprefix("https://").removeprefix("http://").removeprefix("www.")
    place, _, query = text.partition("?")
    host, *path = place.split("/")
    return Address(
        host.lower(), tuple(part for part in path if part), dict(parse_qsl(query.partition("#")[0]))
    )
