"""The browser itself: addresses, tabs, bookmarks, history, search, reading, pop-ups, being offline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from distrl.simphone import Phone
from distrl.simphone.apps.browser.registry import SITES

if TYPE_CHECKING:
    from typing import Any

    Hand = Any

BROWSER = "com.simphone.browser"


@pytest.fixture
def surfer(hand: Callable[..., Hand]) -> Hand:
    return hand(BROWSER)


def go_to(hand: Hand, text: str) -> None:
    """Type something into the address bar."""
    hand.tap("url_bar")
    hand.phone.clear_text()
    hand.phone.type_text(f"{text}\n")


def column(rows: str, name: str) -> list[str]:
    """The values of one column (not the last one that may hold commas)."""
    return [line.split(f"{name}=")[1].split(", ")[0] for line in rows.splitlines() if f"{name}=" in line]


def test_pages_open_by_address_and_are_remembered(surfer: Hand) -> None:
    go_to(surfer, "https://www.almanack.wiki/article/1")
    title = column(surfer.rows("articles", "site='almanack.wiki' AND _id=1"), "title")[0]
    assert f"url=almanack.wiki/article/1, title={title} - Almanack" in surfer.rows("history")
    assert surfer.sees("Population")
    go_to(surfer, "nowhere.example")
    assert surfer.sees("nowhere.example could not be found.")
    surfer.tap("More options", "History")
    surfer.tap(f"{title} - Almanack")
    assert surfer.sees("Population")


def test_tabs_open_switch_and_close(surfer: Hand) -> None:
    go_to(surfer, "voltaic.store")
    surfer.tap("More options", "New tab")
    go_to(surfer, "almanack.wiki")
    assert "url=voltaic.store, title=Voltaic, active=0" in surfer.rows("tabs")
    assert "url=almanack.wiki, title=Almanack, active=1" in surfer.rows("tabs")
    surfer.tap("tabs")
    assert surfer.sees("2 tabs")
    surfer.tap("Voltaic")
    assert surfer.sees("voltaic.store")
    assert "url=voltaic.store, title=Voltaic, active=1" in surfer.rows("tabs")
    surfer.phone.key("BACK")
    assert surfer.sees("Bookmarks")
    surfer.tap("tabs", "close_tab_1")
    assert surfer.rows("tabs").count("Row:") == 1
    surfer.tap("close_tab_1")
    assert surfer.rows("tabs") == "Row: 0 _id=1, url=, title=New tab, active=1\n"
    surfer.tap("fab")
    assert surfer.rows("tabs").count("Row:") == 2


def test_bookmarks_are_added_opened_and_removed(surfer: Hand) -> None:
    go_to(surfer, "fennel.grocery/cart")
    surfer.tap("bookmark")
    assert "url=fennel.grocery/cart, title=Fresh Fennel - Trolley" in surfer.rows("bookmarks")
    surfer.tap("More options", "Bookmarks")
    surfer.scroll_to("Fresh Fennel - Trolley")
    surfer.tap("Fresh Fennel - Trolley")
    assert surfer.sees("Your trolley is empty")
    surfer.tap("bookmark")
    assert "fennel.grocery/cart" not in surfer.rows("bookmarks")
    surfer.bind("insert", "bookmarks", url="harbourcourier.news/section/Sport", title="Sport news")
    surfer.tap("More options", "Start page")
    surfer.scroll_to("Sport news")
    surfer.tap("Sport news")
    assert surfer.sees("harbourcourier.news/section/Sport")


def test_the_desktop_site_has_smaller_letters(surfer: Hand) -> None:
    go_to(surfer, "larkspur.market/search")
    before = surfer.find("80 results for all products").bounds
    surfer.tap("More options", "Desktop site")
    after = surfer.find("80 results for all products").bounds
    assert after[3] - after[1] < before[3] - before[1]
    assert "desktop_site=1" in surfer.rows("preferences")


def test_searching_finds_pages_of_all_sites(surfer: Hand) -> None:
    facts = surfer.rows("articles", "site='almanack.wiki' AND section='Rivers'")
    river = column(facts, "title")[0]
    go_to(surfer, f"how long is the river {river}")
    assert f"query=how long is the river {river}" in surfer.rows("searches", "shop='quarry.search'")
    surfer.tap(f"{river} - Almanack")
    length = facts.split("facts=Length=")[1].split(";")[0]
    surfer.scroll_to("Length")
    assert surfer.sees(length)


def test_paid_results_are_marked(surfer: Hand) -> None:
    go_to(surfer, "hoodie")
    assert sum(word.startswith("Ad · ") for word in surfer.words()) == 1
    surfer.tap("News")
    assert not any(word.startswith("Ad · ") for word in surfer.words())


@pytest.mark.parametrize("site", ["harbourcourier.news", "almanack.wiki"])
def test_planted_articles_can_be_found_and_read(site: str, surfer: Hand) -> None:
    surfer.bind(
        "insert", "articles", _id=9001, site=site, section="Towns", title="Zubrow",
        body="Zubrow is a town.|Its mayor is Ada Zink.", facts="Mayor=Ada Zink;Population=812",
    )  # fmt: skip
    go_to(surfer, site)
    surfer.tap("q")
    surfer.phone.type_text("ada zink\n")
    surfer.tap("Zubrow")
    assert surfer.sees("Its mayor is Ada Zink.") or surfer.sees("Mayor")
    assert f"url={site}/article/9001" in surfer.rows("history")
    go_to(surfer, "mayor of zubrow")
    assert any(word.startswith("Zubrow - ") for word in surfer.words())


def test_worlds_tell_different_news(hand: Callable[..., Hand]) -> None:
    first, second = (hand(BROWSER, world=world).rows("articles") for world in (3, 4))
    assert first != second
    assert first == hand(BROWSER, seed=5, world=3).rows("articles")


def test_offline_there_are_no_pages_and_no_visits(surfer: Hand) -> None:
    surfer.phone.shell("cmd connectivity airplane-mode enable")
    go_to(surfer, "voltaic.store")
    assert surfer.sees("You're offline")
    surfer.tap("Retry")
    assert surfer.rows("history") == "No result found.\n"
    surfer.phone.shell("cmd connectivity airplane-mode disable")
    assert surfer.sees("Popular today")


def test_retrying_online_counts_as_a_visit(surfer: Hand) -> None:
    surfer.phone.shell("svc wifi disable")
    surfer.phone.shell("svc data disable")
    go_to(surfer, "voltaic.store")
    assert surfer.sees("You're offline")
    surfer.phone.shell("svc data enable")
    surfer.tap("More options", "Reload")
    assert "url=voltaic.store" in surfer.rows("history")


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_cookie_questions_can_be_answered(site: Any, surfer: Hand) -> None:
    surfer.phone.shell("settings put global web_interruptions cookies")
    go_to(surfer, site.host)
    for word in (site.cookies.accept, site.cookies.reject, site.cookies.manage):
        assert surfer.sees(word)
    surfer.tap(site.cookies.manage, "Statistics", "Save choices")
    assert f"site={site.host}, choice=custom:statistics" in surfer.rows("cookies")
    assert not surfer.sees(site.cookies.accept)


def test_a_covering_question_hides_the_page(surfer: Hand) -> None:
    surfer.phone.shell("settings put global web_interruptions cookies:voltaic.store")
    go_to(surfer, "voltaic.store")
    assert not surfer.sees("Popular today")
    surfer.tap("Disagree")
    assert surfer.sees("Popular today")
    assert "site=voltaic.store, choice=rejected" in surfer.rows("cookies")
    go_to(surfer, "pageturner.books")
    assert not surfer.sees("Refuse")


def test_newsletters_and_advertisements_get_in_the_way_and_can_be_closed(surfer: Hand) -> None:
    surfer.phone.shell("settings put global web_interruptions newsletter,ad")
    go_to(surfer, "larkspur.market")
    assert surfer.sees("Popular today")
    go_to(surfer, "larkspur.market/search")
    surfer.write("Your e-mail", "ann@postbox.example")
    surfer.tap("Sign up")
    assert "site=larkspur.market, email=ann@postbox.example" in surfer.rows("newsletters")
    go_to(surfer, "larkspur.market/cart")
    assert surfer.sees("Advertisement")
    surfer.tap("close_popup")
    assert surfer.sees("Your cart is empty")
    assert surfer.find("bookmark").description == ""


def test_seeds_decide_about_interruptions() -> None:
    shown = set()
    for seed in range(8):
        phone = Phone(seed)
        phone.shell("settings put global web_interruptions seeded")
        phone.shell("am start -d https://fennel.grocery")
        shown.add(any(node.text == "Decline" for node in phone.tree()))
    assert shown == {True, False}


def test_pages_load_slowly_if_told_so(surfer: Hand) -> None:
    surfer.phone.shell("simphone loading 2")
    go_to(surfer, "voltaic.store")
    assert surfer.sees("Loading…")
    surfer.phone.advance(3)
    assert surfer.sees("Popular today")


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_what_can_be_touched_is_where_it_appears(site: Any, surfer: Hand) -> None:
    for path in (
        "",
        "/search",
        "/cart",
        "/saved",
        "/find",
        "/refine",
        "/departments",
        "/article/3",
        "/nothing",
    ):
        surfer.phone.shell(f"am start -d https://{site.host}{path}")
        scene = surfer.phone.scene()
        for index, node in enumerate(scene.nodes):
            if node.clickable and node.package == BROWSER and node.enabled:
                found = scene.target_at(*node.centre)
                assert found is not None
                inside = scene.nodes[found.node].parent == index or found.node == index
                assert inside or _is_within(scene, found.node, index), (path, node)


def _is_within(scene: Any, child: int, parent: int) -> bool:
    while child >= 0:
        if child == parent:
            return True
        child = scene.nodes[child].parent
    return False


@pytest.mark.parametrize("seed", range(4))
def test_random_touches_never_raise(seed: int, hand: Callable[..., Hand]) -> None:
    found = hand(BROWSER, seed=seed)
    found.phone.shell(f"settings put global web_interruptions {'seeded' if seed % 2 else ''}")
    found.monkey(seed, 300)


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_random_touches_on_each_site_never_raise(site: Any, hand: Callable[..., Hand]) -> None:
    found = hand(BROWSER, seed=2)
    found.phone.shell(f"am start -d https://{site.host}")
    found.monkey(11, 120)
