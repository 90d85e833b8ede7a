"""A text to read on a web site: a news story or an entry of an encyclopaedia."""

from __future__ import annotations

import msgspec


class Article(msgspec.Struct, frozen=True, cache_hash=True):
    """One text. `facts` are what a reader can look up in it; `body` its paragraphs, one per line."""

    id: int
    site: str
    section: str
    title: str
    body: str
    facts: tuple[tuple[str, str], ...] = ()
    byline: str = ""
    picture: str = "article"

    @property
    def url(self) -> str:
        """Where it is to be read."""
        return f"{self.site}/article/{self.id}"

    @property
    def summary(self) -> str:
        """Its first sentence."""
        return self.body.split("\n")[0].split(". ")[0].rstrip(".") + "."

    @property
    def text(self) -> str:
        """What a search looks into, in small letters."""
        return f"{self.title} {self.section} {self.body}".lower()
