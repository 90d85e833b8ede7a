"""Comparing in a shop, and between shops: prices, ratings, and both."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.templates import Draft, Draw, rows, switch, tap, where
from distrl.tasks.web_shopping.goods import (
    MAKERS,
    MAX_STEPS,
    PAGE_IN_FRONT,
    PLACES,
    SAVED,
    Ware,
    any_shop,
    kind_at,
    range_of,
    stock,
)
from distrl.tasks.web_shopping.shops import KNOWN

MOST = {
    "cheapest": (
        "the {} that costs least",
        "the least expensive {}",
        "the {} to be had for as little money as possible",
    ),
    "dearest": (
        "the {} that costs most",
        "the {} for people with too much money",
        "the {} with the biggest number on the tag",
    ),
    "rating": (
        "the {} that buyers like best",
        "the {} with the happiest buyers",
        "the {} that earned the best marks",
    ),
}
SHOW = ("Show me {} at {}", "At {1}, open the page of {0}", "Go to {1} and bring up {0}")
UNSEEN_SHOW = ("I am curious about {} on {}: its page, please",)
RATINGS = ("3.1", "3.6", "3.9", "4.2", "4.4", "4.7", "4.9")


def _graded(draw: Draw, count: int) -> tuple[str, ...]:
    return tuple(draw.some(RATINGS, count))


def most(draw: Draw) -> Draft:
    """Sort, then open the first."""
    shop = any_shop(draw)
    place, maker, order = draw.triple(PLACES, MAKERS, tuple(MOST))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 5, rating=_graded(draw, 5))
    chosen = _pick(wares, order)
    words = draw.say(MOST[order][:2], MOST[order][2:]).format(chosen.kind.lower())
    return Draft(
        goal=draw.say(SHOW, UNSEEN_SHOW).format(words, shop.name),
        setup=stock(draw, wares),
        probes={"page": PAGE_IN_FRONT},
        check=(chosen.opened(),),
        plan=(*shop.search(chosen.kind.lower()), *shop.sort_by(order), tap(chosen.name)),
        level=2,
        max_steps=MAX_STEPS,
    )


def _pick(wares: list[Ware], order: str) -> Ware:
    if order == "rating":
        return max(wares, key=lambda ware: dict(ware.columns)["rating"])
    return wares[0] if order == "cheapest" else wares[-1]


PLACED = {1: "second", 2: "third"}
LINE_UP = (
    "Line up the {} offers at {} {}: show me the page of the {}",
    "If one sorts the {} offers of {} {}, which is the {}? Open its page",
)
UNSEEN_LINE_UP = ("Not the first but the {3} {0} at {1}, counted {2}: its page, please",)
FROM = {"cheapest": "from the lowest price up", "dearest": "from the highest price down"}


def later(draw: Draw) -> Draft:
    """Sort, then open the second or third."""
    shop = any_shop(draw)
    place, (order, rank), maker = draw.triple(PLACES, tuple(product(FROM, PLACED)), MAKERS)
    wares = range_of(draw, shop, kind_at(shop, place), maker, 5)
    chosen = wares[rank] if order == "cheapest" else wares[-1 - rank]
    return Draft(
        goal=draw.say(LINE_UP, UNSEEN_LINE_UP).format(
            chosen.kind.lower(), shop.name, FROM[order], PLACED[rank]
        ),
        setup=stock(draw, wares),
        probes={"page": PAGE_IN_FRONT},
        check=(chosen.opened(),),
        plan=(*shop.search(chosen.kind.lower()), *shop.sort_by(order), tap(chosen.name)),
        level=3,
        max_steps=MAX_STEPS,
    )


AFFORD = (
    "I can spend {2} at {1}. Which {0} within that do buyers like best? Show its page",
    "At {1}, show me the page of the best-liked {0} for at most {2}",
)
UNSEEN_AFFORD = ("My purse holds {2}. Bring up the {0} with the happiest buyers that I can afford at {1}",)


def afford(draw: Draw) -> Draft:
    """The best rated below a price; the best of all is too dear."""
    shop = any_shop(draw)
    place, maker = draw.pair(PLACES, MAKERS)
    low, middle, high = sorted(draw.some(RATINGS, 3))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 4, rating=(low, middle, high, "5.0"))
    chosen = wares[2]
    budget = int(float(chosen.price)) + 1
    if float(wares[3].price) <= budget:
        return afford(draw)
    return Draft(
        goal=draw.say(AFFORD, UNSEEN_AFFORD).format(chosen.kind.lower(), shop.name, f"{budget} dollars"),
        setup=stock(draw, wares),
        probes={"page": PAGE_IN_FRONT},
        check=(chosen.opened(),),
        plan=(*shop.search(chosen.kind.lower()), *shop.sort_by("rating"), tap(chosen.name)),
        level=3,
        max_steps=MAX_STEPS,
        distinct=chosen.number,
    )


KEEP_MOST = ("Put {} at {} aside for later", "Have {1} remember {0}, I am not buying it yet")
UNSEEN_KEEP_MOST = ("A heart for {} at {}, please",)


def keep_most(draw: Draw) -> Draft:
    """Compare, then put one on the wish list."""
    shop = any_shop(draw)
    place, maker, order = draw.triple(PLACES, MAKERS, tuple(MOST))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 4, rating=_graded(draw, 4))
    chosen = _pick(wares, order)
    words = draw.say(MOST[order][:2], MOST[order][2:]).format(chosen.kind.lower())
    return Draft(
        goal=draw.say(KEEP_MOST, UNSEEN_KEEP_MOST).format(words, shop.name),
        setup=stock(draw, wares),
        probes={
            "best": where(SAVED, shop=shop.host, product_id=chosen.number),
            "all": f"content query --uri {SAVED}",
        },
        check=(rows("best", 1), rows("all", 1)),
        plan=(
            *shop.search(chosen.kind.lower()),
            *shop.sort_by(order),
            tap(chosen.name),
            switch("#save", True),
        ),
        level=3,
        max_steps=MAX_STEPS,
    )


ELSEWHERE = (
    "The {0} is sold by {1} and by {2}: open its page where it costs less",
    "Does {1} or {2} ask less for the {0}? Bring up the page of the cheaper one",
)
UNSEEN_ELSEWHERE = ("Compare {1} and {2}: who is cheaper for the {0}? Leave me on its page there",)


def elsewhere(draw: Draw) -> Draft:
    """The same thing in two shops; one is cheaper."""
    one, two = draw.some(KNOWN, 2) if any_shop(draw) in KNOWN else (any_shop(draw), draw.any(KNOWN))
    place, maker = draw.pair(PLACES, MAKERS)
    kind = kind_at(one, place)
    low, high = sorted(draw.some(range(11, 89), 2))
    first_wins = draw.any((True, False))
    prices = (f"{low}.50", f"{high}.50") if first_wins else (f"{high}.50", f"{low}.50")
    first, second = (Ware(shop, maker, kind, price) for shop, price in zip((one, two), prices, strict=True))
    chosen = first if first_wins else second
    other = second if first_wins else first
    return Draft(
        goal=draw.say(ELSEWHERE, UNSEEN_ELSEWHERE).format(first.name, one.name, two.name),
        setup=(first.plant(), second.plant()),
        probes={"page": PAGE_IN_FRONT},
        check=(chosen.opened(),),
        plan=(
            *other.shop.search(first.name),
            PlanStep("scroll_to", f"~${other.price}"),
            tap("More options"),
            tap("Start page"),
            tap(chosen.shop.name),
            *chosen.shop.look_for(first.name),
            tap(first.name),
        ),
        level=3,
        max_steps=MAX_STEPS,
        calm=True,
        distinct=chosen.number + chosen.shop.host,
    )
