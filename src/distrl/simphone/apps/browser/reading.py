"""Sites made of articles: front page, sections, search, and the article itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import msgspec

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.article import Article
from distrl.simphone.apps.browser.data import BrowserData, Ctx, Search, travel
from distrl.simphone.apps.browser.site import CookieWords, Found, Site, visit
from distrl.simphone.chance import pick
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    Card,
    Chip,
    Chips,
    Divider,
    Empty,
    Gap,
    Icon,
    Picture,
    Row,
    SearchBar,
    SectionHeader,
    Text,
    Widget,
)
from distrl.simphone.world import World

FRONT = 8
RELATED = 3
ADVERTS = (
    ("New soles for old shoes", "hiking"),
    ("Sleep better tonight", "bed"),
    ("Tea, but by post", "emoji_food_beverage"),
)


class Magazine(msgspec.Struct, frozen=True):
    """A site of articles: its name, its words, and where its texts come from."""

    host: str
    name: str
    icon: str
    about: str
    search: str
    kind: Literal["news", "reference"]
    hue: float
    front: str
    write: Callable[[int], tuple[Article, ...]]
    """The articles of a world."""
    cookies: CookieWords = CookieWords()
    newsletter: str = ""
    adverts: bool = False

    def at(self, *path: str | int, **query: str) -> Address:
        """The address of one of its pages."""
        return Address(self.host, tuple(map(str, path)), query)

    def articles(self, ctx: Ctx) -> tuple[Article, ...]:
        """All its articles in this phone's world, with those that the shell has added."""
        added = tuple(article for article in ctx.data.articles if article.site == self.host)
        return (*added, *self.write(ctx.state.world_seed))

    def article(self, ctx: Ctx, number: int) -> Article | None:
        """One article by its number."""
        return next((article for article in self.articles(ctx) if article.id == number), None)


def _head(magazine: Magazine, ctx: Ctx, section: str = "") -> list[Widget]:
    sections = sorted({article.section for article in magazine.articles(ctx)})
    chips = [Chip(name, visit(magazine.at("section", name)), name == section) for name in sections]
    title = Text(magazine.name, 24, "primary", bold=True, on_tap=visit(magazine.at()), name="site_name")
    return [title, Chips(chips, "sections"), Divider(16)]


def _row(article: Article) -> Widget:
    stamp = f"{article.section} · {article.byline}" if article.byline else article.section
    photo = f"{article.picture}::{article.id}"
    return Row(
        title=article.title,
        subtitle=f"{stamp}\n{article.summary}",
        photo=photo,
        on_tap=visit(article.url),
        lines=3,
    )


def _field(magazine: Magazine, text: str = "") -> SearchBar:
    return SearchBar("q", magazine.search, text, on_submit=("search",))


def _lead(article: Article) -> Widget:
    return Card(
        [
            Picture(f"{article.picture}::{article.id}", 140, pad_x=10),
            Text(article.title, 19, bold=True, pad_x=12, pad_y=6),
            Text(article.summary, 14, "faint", pad_x=12),
        ],
        visit(article.url),
    )


def _advert(magazine: Magazine, ctx: Ctx) -> list[Widget]:
    if not magazine.adverts:
        return []
    title, icon = pick(ADVERTS, ctx.state.seed, magazine.host, "advert")
    row = Row(
        title=title, subtitle="Ad · brightdeals.example", icon=icon, on_tap=visit("brightdeals.example")
    )
    return [Card([row], outlined=True, inner=0)]


def _front(magazine: Magazine, ctx: Ctx) -> list[Widget]:
    articles = ctx.shuffled(magazine.articles(ctx), f"{magazine.host} front")
    rows = [_row(article) for article in articles[1:FRONT]]
    return [
        *_head(magazine, ctx),
        _field(magazine),
        SectionHeader(magazine.front),
        _lead(articles[0]),
        *rows[:3],
        *_advert(magazine, ctx),
        *rows[3:],
        Text(magazine.about, 12, "faint", pad_y=12),
    ]


def _section(magazine: Magazine, ctx: Ctx, name: str) -> list[Widget]:
    found = [article for article in magazine.articles(ctx) if article.section == name]
    rows: list[Widget] = [_row(article) for article in ctx.shuffled(found, f"{magazine.host} section")]
    return [
        *_head(magazine, ctx, name),
        Text(name, 20, pad_y=8),
        *(rows or [Empty("article", "Nothing here")]),
    ]


def _matching(magazine: Magazine, ctx: Ctx, query: str) -> list[Article]:
    words = query.lower().split()
    found = [item for item in magazine.articles(ctx) if all(word in item.text for word in words)]
    found.sort(key=lambda item: (not all(word in item.title.lower() for word in words), item.title))
    return found


def _search(magazine: Magazine, ctx: Ctx, query: str) -> list[Widget]:
    found = _matching(magazine, ctx, query)
    count = "1 article" if len(found) == 1 else f"{len(found)} articles"
    head = [*_head(magazine, ctx), _field(magazine, query), Text(f"{count} for “{query}”", 13, "faint")]
    return [*head, *(map(_row, found) if found else [Empty("search_off", "Nothing found")])]


def _infobox(article: Article) -> Widget:
    picture = Icon(article.picture, 56, "primary", pad_y=8)
    rows: list[Widget] = [Row(title=name, end_text=value) for name, value in article.facts]
    return Card([picture, Text(article.title, 15, bold=True, align=1), *rows])


def _article(magazine: Magazine, ctx: Ctx, article: Article) -> list[Widget]:
    paragraphs = [Text(line, 15, pad_y=6) for line in article.body.split("\n")]
    also = [item for item in magazine.articles(ctx) if item.section == article.section and item != article]
    related = [_row(item) for item in ctx.shuffled(also, f"related {article.id}")[:RELATED]]
    top: list[Widget] = [*_head(magazine, ctx, article.section), Text(article.title, 22, bold=True, pad_y=8)]
    if magazine.kind == "reference":
        body = [*top, *paragraphs[:1], _infobox(article), *paragraphs[1:]]
    else:
        photo = Picture(f"{article.picture}::{article.id}", 150)
        body = [*top, Text(article.byline, 12, "faint"), photo, Gap(6), *paragraphs, *_advert(magazine, ctx)]
    return [*body, SectionHeader("Read on"), *related]


def _build(magazine: Magazine, ctx: Ctx, address: Address) -> list[Widget]:
    match address.part(0):
        case "":
            return _front(magazine, ctx)
        case "section":
            return _section(magazine, ctx, address.part(1).replace("%20", " "))
        case "search":
            return _search(magazine, ctx, address.query.get("q", ""))
        case "article":
            found = magazine.article(ctx, address.number(1))
            if found is not None:
                return _article(magazine, ctx, found)
    return [*_head(magazine, ctx), Empty("error", "This page does not exist")]


def _title(magazine: Magazine, ctx: Ctx, address: Address) -> str:
    if address.part(0) == "article":
        found = magazine.article(ctx, address.number(1))
        return f"{found.title} - {magazine.name}" if found is not None else magazine.name
    part = address.part(1) or address.part(0).capitalize()
    return f"{part} - {magazine.name}" if part else magazine.name


def _update(magazine: Magazine, ctx: Ctx, address: Address, message: Message) -> None:
    if message == ("search",):
        words = ctx.text("q", address.query.get("q", "")).strip()
        if words:
            ctx.data.searches.append(Search(magazine.host, words))
            travel(ctx, magazine.at("search", q=words), f"{words} - {magazine.name}")


def _found(magazine: Magazine, article: Article) -> Found:
    title = f"{article.title} - {magazine.name}"
    return Found(
        article.url, title, article.summary, f"{article.text} {magazine.name.lower()}", magazine.kind
    )


def magazine_site(magazine: Magazine) -> Site:
    """The web site of a magazine."""

    @lru_cache(maxsize=128)
    def written(world_seed: int) -> tuple[Found, ...]:
        about = f"{magazine.name} {magazine.about}".lower()
        home = Found(magazine.host, magazine.name, magazine.about, about, magazine.kind)
        return (home, *(_found(magazine, article) for article in magazine.write(world_seed)))

    def pages(world: World) -> tuple[Found, ...]:
        return written(world.seed)

    def planted(data: BrowserData) -> list[Found]:
        return [_found(magazine, item) for item in data.articles if item.site == magazine.host]

    return Site(
        host=magazine.host,
        title=magazine.name,
        icon=magazine.icon,
        about=magazine.about,
        build=lambda ctx, address: _build(magazine, ctx, address),
        update=lambda ctx, address, message: _update(magazine, ctx, address, message),
        page_title=lambda ctx, address: _title(magazine, ctx, address),
        pages=pages,
        planted=planted,
        hue=magazine.hue,
        cookies=magazine.cookies,
        newsletter=magazine.newsletter,
    )
