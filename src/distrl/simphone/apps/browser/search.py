"""Quarry, the search engine: finds pages of all other sites."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx, Search, travel
from distrl.simphone.apps.browser.site import CookieWords, Found, Site, visit
from distrl.simphone.chance import pick
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    Card,
    Chip,
    Chips,
    Empty,
    Gap,
    Icon,
    Row,
    SearchBar,
    SectionHeader,
    Text,
    Widget,
)
from distrl.simphone.world import world

SEARCH_HOST = "quarry.search"
RESULTS_A_PAGE = 10
LONGEST_SEARCHES = 100
KINDS = (("", "All"), ("news", "News"), ("shop", "Shopping"), ("reference", "Reference"))
SMALL_WORDS = (
    "a", "an", "and", "are", "at", "by", "for", "from", "how", "in", "is", "it", "of", "on", "or", "the",
    "to", "was", "what", "when", "where", "which", "who",
)  # fmt: skip


def search_words(query: str) -> tuple[str, ...]:
    """The words of a query that matter."""
    words = query.lower().replace("?", " ").replace(",", " ").split()
    return tuple(word for word in words if word not in SMALL_WORDS) or tuple(words)


def score(found: Found, words: Sequence[str]) -> float:
    """How well a page answers; 0 if it does not."""
    title, points = found.title.lower(), 0.0
    for word in words:
        stem = word.removesuffix("s") if len(word) > 3 else word
        if stem in title:
            points += 3.0
        elif stem in found.text:
            points += 1.0
    return points / (1.0 + 0.01 * len(title)) if points else 0.0


def search_site(sites: tuple[Site, ...]) -> Site:
    """The search engine over these sites."""

    @lru_cache(maxsize=512)
    def known(world_seed: int, words: tuple[str, ...], kind: str) -> tuple[tuple[float, Found], ...]:
        pages = (page for site in sites for page in site.pages(world(world_seed)))
        scored = ((score(page, words), page) for page in pages if not kind or page.kind == kind)
        best = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], pair[1].url))
        return tuple(best[:60])

    def look_up(ctx: Ctx, query: str, kind: str) -> list[Found]:
        words = search_words(query)
        if not words:
            return []
        scored = list(known(ctx.state.world_seed, words, kind))
        added = [page for site in sites for page in site.planted(ctx.data)]
        scored += [
            (points, page) for page in added if (points := score(page, words)) and kind in ("", page.kind)
        ]
        scored.sort(key=lambda pair: (-pair[0], pair[1].url))
        most = scored[0][0] if scored else 0.0
        return [page for points, page in scored if points > most / 4]

    def build(ctx: Ctx, address: Address) -> list[Widget]:
        if "q" not in address.query:
            return _front(ctx)
        query, kind = address.query["q"], address.query.get("kind", "")
        found = look_up(ctx, query, kind)
        adverts = _adverts(ctx, sites, query) if not kind or kind == "shop" else []
        return _results(address, found, adverts)

    def update(ctx: Ctx, address: Address, message: Message) -> None:
        match message:
            case ("search",):
                words = ctx.text("q", address.query.get("q", "")).strip()
                if words:
                    search_for(ctx, words)

    return Site(
        host=SEARCH_HOST,
        title="Quarry",
        icon="travel_explore",
        about="Search the web.",
        build=build,
        update=update,
        page_title=lambda _, address: f"{address.query.get('q', '')} - Quarry".removeprefix(" - "),
        hue=0.72,
        cookies=CookieWords("Before you continue to Quarry", "Accept all", "Reject all", "Customise", True),
    )


def search_for(ctx: Ctx, words: str) -> None:
    """Open the results for these words."""
    ctx.data.searches.append(Search(SEARCH_HOST, words))
    del ctx.data.searches[:-LONGEST_SEARCHES]
    travel(ctx, Address(SEARCH_HOST, ("search",), {"q": words}), f"{words} - Quarry")


def _field(text: str = "") -> SearchBar:
    return SearchBar("q", "Search with Quarry", text, on_submit=("search",))


def _front(ctx: Ctx) -> list[Widget]:
    asked = [search.query for search in reversed(ctx.data.searches) if search.site == SEARCH_HOST]
    rows = [
        Row(title=words, icon="history", on_tap=visit(Address(SEARCH_HOST, ("search",), {"q": words})))
        for words in list(dict.fromkeys(asked))[:6]
    ]
    recent: list[Widget] = [SectionHeader("Recent searches"), *rows] if rows else []
    title = Text("Quarry", 30, "primary", bold=True, align=CENTRE)
    return [Gap(48), Icon("travel_explore", 64, "primary"), title, Gap(12), _field(), *recent]


def _adverts(ctx: Ctx, sites: tuple[Site, ...], query: str) -> list[Widget]:
    """One or two paid results; what they lead to need not be what was asked for."""
    shops = [site for site in sites if site.pages(ctx.world) and site.pages(ctx.world)[0].kind == "shop"]
    first = pick(shops, ctx.state.seed, "advert", query)
    product = pick(first.pages(ctx.world)[1:], ctx.state.seed, "advertised", query)
    return [_result(product, "Ad · ")]


def _result(found: Found, mark: str = "") -> Widget:
    return Card(
        [
            Text(f"{mark}{found.url}", 12, "faint", max_lines=1, pad_x=10, pad_y=1),
            Text(found.title, 16, "primary", max_lines=2, pad_x=10, pad_y=1),
            Text(found.snippet, 13, max_lines=3, pad_x=10, pad_y=1),
        ],
        on_tap=visit(found.url),
        pad_x=10,
        inner=5,
    )


def _results(address: Address, found: list[Found], adverts: list[Widget]) -> list[Widget]:
    kind = address.query.get("kind", "")
    chips = [Chip(word, visit(address.with_query(kind=key, page="")), key == kind) for key, word in KINDS]
    text = address.query.get("page", "1")
    page = int(text) if text.isdecimal() and 0 < len(text) < 4 else 1
    first = (page - 1) * RESULTS_A_PAGE
    count = "1 result" if len(found) == 1 else f"About {len(found)} results"
    body: list[Widget] = [_field(address.query["q"]), Chips(chips, "kinds"), Text(count, 12, "faint")]
    if not found:
        return [*body, Empty("search_off", f"Nothing found for “{address.query['q']}”")]
    if page == 1:
        body += adverts
    body += [_result(item) for item in found[first : first + RESULTS_A_PAGE]]
    if len(found) > first + RESULTS_A_PAGE:
        more = visit(address.with_query(page=str(page + 1)))
        body.append(Row(title="More results", icon="expand_more", on_tap=more))
    return body
